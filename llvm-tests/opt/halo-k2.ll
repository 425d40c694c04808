; ptxasw: opt --profit always --wrapping halo
; Rows of three: the copy is entered only where the width is such that addresses are neighbours.
; launch: k2 grid=2 block=128 args=f32[760],f32[256],250,3
; launch: k2 grid=2 block=48,2 args=f32[400],f32[192],80,4
; launch: k2 grid=2 block=16,8 args=f32[400],f32[256],33,10
; launch: k2 grid=1 block=8,8,4 args=f32[400],f32[256],10,34
; launch: k2 grid=2 block=33,3 args=f32[400],f32[198],60,5
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @k2(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %11 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %12 = mul nuw nsw i32 %10, %11
  %13 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %14 = add nuw nsw i32 %12, %13
  %15 = add nuw nsw i32 %14, 1
  %16 = icmp slt i32 %9, 1
  br i1 %16, label %73, label %17

17:                                               ; preds = %4
  %18 = add nsw i32 %2, -1
  %19 = icmp slt i32 %9, %18
  %20 = add nsw i32 %3, -1
  %21 = icmp slt i32 %15, %20
  %22 = select i1 %19, i1 %21, i1 false
  br i1 %22, label %23, label %73

23:                                               ; preds = %17
  %24 = mul nsw i32 %15, %2
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds float, ptr %0, i64 %25
  %27 = zext nneg i32 %9 to i64
  %28 = getelementptr inbounds float, ptr %26, i64 %27
  %29 = load float, ptr %28, align 4, !tbaa !5
  %30 = fmul contract float %29, 5.000000e-01
  %31 = getelementptr inbounds i8, ptr %28, i64 -4
  %32 = load float, ptr %31, align 4, !tbaa !5
  %33 = getelementptr inbounds i8, ptr %28, i64 4
  %34 = load float, ptr %33, align 4, !tbaa !5
  %35 = fadd contract float %32, %34
  %36 = sub nsw i32 0, %2
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds float, ptr %28, i64 %37
  %39 = load float, ptr %38, align 4, !tbaa !5
  %40 = fadd contract float %35, %39
  %41 = sext i32 %2 to i64
  %42 = getelementptr inbounds float, ptr %28, i64 %41
  %43 = load float, ptr %42, align 4, !tbaa !5
  %44 = fadd contract float %40, %43
  %45 = fmul contract float %44, 2.500000e-01
  %46 = fadd contract float %30, %45
  %47 = xor i32 %2, -1
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds float, ptr %28, i64 %48
  %50 = load float, ptr %49, align 4, !tbaa !5
  %51 = sub i32 1, %2
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds float, ptr %28, i64 %52
  %54 = load float, ptr %53, align 4, !tbaa !5
  %55 = fadd contract float %50, %54
  %56 = zext nneg i32 %18 to i64
  %57 = getelementptr inbounds float, ptr %28, i64 %56
  %58 = load float, ptr %57, align 4, !tbaa !5
  %59 = fadd contract float %55, %58
  %60 = getelementptr i8, ptr %42, i64 4
  %61 = load float, ptr %60, align 4, !tbaa !5
  %62 = fadd contract float %59, %61
  %63 = fmul contract float %62, 1.250000e-01
  %64 = fadd contract float %46, %63
  %65 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %66 = mul nuw nsw i32 %65, %11
  %67 = mul i32 %66, %5
  %68 = add i32 %67, %14
  %69 = mul i32 %68, %6
  %70 = add i32 %69, %8
  %71 = zext i32 %70 to i64
  %72 = getelementptr inbounds float, ptr %1, i64 %71
  store float %64, ptr %72, align 4, !tbaa !5
  br label %73

73:                                               ; preds = %4, %17, %23
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.z() #1

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0}
!llvm.module.flags = !{!1, !2, !3}
!llvm.ident = !{!4}

!0 = !{ptr @k2, !"kernel", i32 1}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{!"clang version 19.1.7"}
!5 = !{!6, !6, i64 0}
!6 = !{!"float", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C++ TBAA"}
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; ; Function Attrs: convergent mustprogress nofree norecurse nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
; define dso_local void @k2(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 {
;   %5 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %6 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %7 = mul i32 %5, %6
;   %8 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %9 = add i32 %7, %8
;   %10 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
;   %11 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
;   %12 = mul nuw nsw i32 %10, %11
;   %13 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
;   %14 = add nuw nsw i32 %12, %13
;   %15 = add nuw nsw i32 %14, 1
;   %16 = icmp slt i32 %9, 1
;   %17 = call i32 @llvm.nvvm.activemask() #3
;   %18 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3
;   %19 = and i32 %18, 31
;   %20 = icmp eq i32 %19, 0
;   %21 = freeze i32 %2
;   %22 = icmp ule i32 %21, 2147483647
;   %23 = and i1 %20, %22
;   %24 = xor i1 %16, true
;   %25 = and i1 %24, %23
;   %26 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %17, i1 %25) #3
;   %27 = icmp eq i32 %26, -1
;   br i1 %27, label %28, label %33
;
; 28:                                               ; preds = %4
;   %29 = call i32 @llvm.nvvm.read.ptx.sreg.laneid() #3
;   %30 = shl i32 -2, %29
;   %31 = sub i32 31, %29
;   %32 = shl i32 -2, %31
;   br label %34
;
; 33:                                               ; preds = %4
;   br i1 %16, label %220, label %163
;
; 34:                                               ; preds = %28
;   %35 = add nsw i32 %2, -1
;   %36 = icmp slt i32 %9, %35
;   %37 = add nsw i32 %3, -1
;   %38 = icmp slt i32 %15, %37
;   %39 = select i1 %36, i1 %38, i1 false
;   %40 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %39) #3
;   br i1 %40, label %42, label %41
;
; 41:                                               ; preds = %34
;   br i1 %39, label %169, label %220
;
; 42:                                               ; preds = %34
;   %43 = mul nsw i32 %15, %2
;   %44 = sext i32 %43 to i64
;   %45 = getelementptr inbounds float, ptr %0, i64 %44
;   %46 = zext nneg i32 %9 to i64
;   %47 = getelementptr inbounds float, ptr %45, i64 %46
;   %48 = load float, ptr %47, align 4, !tbaa !5
;   %49 = bitcast float %48 to i32
;   %50 = add i32 %29, 1
;   %51 = and i32 %50, 31
;   %52 = icmp ult i32 %51, 2
;   %53 = icmp ult i32 %29, 1
;   %54 = select i1 %53, i64 128, i64 -128
;   %55 = xor i1 %52, true
;   %56 = getelementptr i8, ptr %47, i64 %54
;   %57 = xor i1 %55, true
;   br i1 %57, label %58, label %60
;
; 58:                                               ; preds = %42
;   %59 = load float, ptr %56, align 4, !tbaa !5
;   br label %60
;
; 60:                                               ; preds = %42, %58
;   %61 = phi float [ poison, %42 ], [ %59, %58 ]
;   %62 = bitcast float %61 to i32
;   %63 = getelementptr inbounds i8, ptr %47, i64 -4
;   %64 = and i32 %32, 2
;   %65 = icmp ne i32 %64, 0
;   %66 = select i1 %65, i32 %62, i32 %49
;   %67 = add i32 %29, -1
;   %68 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %66, i32 %67, i32 31) #3
;   %69 = bitcast i32 %68 to float
;   %70 = getelementptr inbounds i8, ptr %47, i64 4
;   %71 = and i32 %30, 2
;   %72 = icmp ne i32 %71, 0
;   %73 = select i1 %72, i32 %62, i32 %49
;   %74 = add i32 %29, 1
;   %75 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %73, i32 %74, i32 31) #3
;   %76 = bitcast i32 %75 to float
;   %77 = sub nsw i32 0, %2
;   %78 = sext i32 %77 to i64
;   %79 = getelementptr inbounds float, ptr %47, i64 %78
;   %80 = load float, ptr %79, align 4, !tbaa !5
;   %81 = bitcast float %80 to i32
;   %82 = icmp uge i32 %29, 31
;   %83 = xor i1 %82, true
;   %84 = getelementptr i8, ptr %79, i64 -128
;   %85 = xor i1 %83, true
;   br i1 %85, label %86, label %88
;
; 86:                                               ; preds = %60
;   %87 = load float, ptr %84, align 4, !tbaa !5
;   br label %88
;
; 88:                                               ; preds = %60, %86
;   %89 = phi float [ poison, %60 ], [ %87, %86 ]
;   %90 = bitcast float %89 to i32
;   %91 = sext i32 %2 to i64
;   %92 = getelementptr inbounds float, ptr %47, i64 %91
;   %93 = load float, ptr %92, align 4, !tbaa !5
;   %94 = bitcast float %93 to i32
;   %95 = add i32 %29, 1
;   %96 = and i32 %95, 31
;   %97 = icmp ult i32 %96, 2
;   %98 = icmp ult i32 %29, 1
;   %99 = select i1 %98, i64 128, i64 -128
;   %100 = xor i1 %97, true
;   %101 = getelementptr i8, ptr %92, i64 %99
;   %102 = xor i1 %100, true
;   br i1 %102, label %103, label %105
;
; 103:                                              ; preds = %88
;   %104 = load float, ptr %101, align 4, !tbaa !5
;   br label %105
;
; 105:                                              ; preds = %88, %103
;   %106 = phi float [ poison, %88 ], [ %104, %103 ]
;   %107 = bitcast float %106 to i32
;   %108 = xor i32 %2, -1
;   %109 = sext i32 %108 to i64
;   %110 = getelementptr inbounds float, ptr %47, i64 %109
;   %111 = and i32 %32, 2
;   %112 = icmp ne i32 %111, 0
;   %113 = select i1 %112, i32 %90, i32 %81
;   %114 = add i32 %29, -1
;   %115 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %113, i32 %114, i32 31) #3
;   %116 = bitcast i32 %115 to float
;   %117 = sub i32 1, %2
;   %118 = sext i32 %117 to i64
;   %119 = getelementptr inbounds float, ptr %47, i64 %118
;   %120 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %81, i32 1, i32 31) #3
;   %121 = extractvalue { i32, i1 } %120, 0
;   %122 = extractvalue { i32, i1 } %120, 1
;   %123 = bitcast i32 %121 to float
;   %124 = xor i1 %122, true
;   br i1 %124, label %125, label %127
;
; 125:                                              ; preds = %105
;   %126 = load float, ptr %119, align 4, !tbaa !5
;   br label %127
;
; 127:                                              ; preds = %105, %125
;   %128 = phi float [ %123, %105 ], [ %126, %125 ]
;   %129 = zext nneg i32 %35 to i64
;   %130 = getelementptr inbounds float, ptr %47, i64 %129
;   %131 = and i32 %32, 2
;   %132 = icmp ne i32 %131, 0
;   %133 = select i1 %132, i32 %107, i32 %94
;   %134 = add i32 %29, -1
;   %135 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %133, i32 %134, i32 31) #3
;   %136 = bitcast i32 %135 to float
;   %137 = getelementptr i8, ptr %92, i64 4
;   %138 = and i32 %30, 2
;   %139 = icmp ne i32 %138, 0
;   %140 = select i1 %139, i32 %107, i32 %94
;   %141 = add i32 %29, 1
;   %142 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %140, i32 %141, i32 31) #3
;   %143 = bitcast i32 %142 to float
;   %144 = fmul contract float %48, 5.000000e-01
;   %145 = fadd contract float %69, %76
;   %146 = fadd contract float %145, %80
;   %147 = fadd contract float %146, %93
;   %148 = fmul contract float %147, 2.500000e-01
;   %149 = fadd contract float %144, %148
;   %150 = fadd contract float %116, %128
;   %151 = fadd contract float %150, %136
;   %152 = fadd contract float %151, %143
;   %153 = fmul contract float %152, 1.250000e-01
;   %154 = fadd contract float %149, %153
;   %155 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %156 = mul nuw nsw i32 %155, %11
;   %157 = mul i32 %156, %5
;   %158 = add i32 %157, %14
;   %159 = mul i32 %158, %6
;   %160 = add i32 %159, %8
;   %161 = zext i32 %160 to i64
;   %162 = getelementptr inbounds float, ptr %1, i64 %161
;   store float %154, ptr %162, align 4, !tbaa !5
;   br label %220
;
; 163:                                              ; preds = %33
;   %164 = add nsw i32 %2, -1
;   %165 = icmp slt i32 %9, %164
;   %166 = add nsw i32 %3, -1
;   %167 = icmp slt i32 %15, %166
;   %168 = select i1 %165, i1 %167, i1 false
;   br i1 %168, label %169, label %220
;
; 169:                                              ; preds = %41, %163
;   %170 = phi i32 [ %35, %41 ], [ %164, %163 ]
;   %171 = mul nsw i32 %15, %2
;   %172 = sext i32 %171 to i64
;   %173 = getelementptr inbounds float, ptr %0, i64 %172
;   %174 = zext nneg i32 %9 to i64
;   %175 = getelementptr inbounds float, ptr %173, i64 %174
;   %176 = load float, ptr %175, align 4, !tbaa !5
;   %177 = fmul contract float %176, 5.000000e-01
;   %178 = getelementptr inbounds i8, ptr %175, i64 -4
;   %179 = load float, ptr %178, align 4, !tbaa !5
;   %180 = getelementptr inbounds i8, ptr %175, i64 4
;   %181 = load float, ptr %180, align 4, !tbaa !5
;   %182 = fadd contract float %179, %181
;   %183 = sub nsw i32 0, %2
;   %184 = sext i32 %183 to i64
;   %185 = getelementptr inbounds float, ptr %175, i64 %184
;   %186 = load float, ptr %185, align 4, !tbaa !5
;   %187 = fadd contract float %182, %186
;   %188 = sext i32 %2 to i64
;   %189 = getelementptr inbounds float, ptr %175, i64 %188
;   %190 = load float, ptr %189, align 4, !tbaa !5
;   %191 = fadd contract float %187, %190
;   %192 = fmul contract float %191, 2.500000e-01
;   %193 = fadd contract float %177, %192
;   %194 = xor i32 %2, -1
;   %195 = sext i32 %194 to i64
;   %196 = getelementptr inbounds float, ptr %175, i64 %195
;   %197 = load float, ptr %196, align 4, !tbaa !5
;   %198 = sub i32 1, %2
;   %199 = sext i32 %198 to i64
;   %200 = getelementptr inbounds float, ptr %175, i64 %199
;   %201 = load float, ptr %200, align 4, !tbaa !5
;   %202 = fadd contract float %197, %201
;   %203 = zext nneg i32 %170 to i64
;   %204 = getelementptr inbounds float, ptr %175, i64 %203
;   %205 = load float, ptr %204, align 4, !tbaa !5
;   %206 = fadd contract float %202, %205
;   %207 = getelementptr i8, ptr %189, i64 4
;   %208 = load float, ptr %207, align 4, !tbaa !5
;   %209 = fadd contract float %206, %208
;   %210 = fmul contract float %209, 1.250000e-01
;   %211 = fadd contract float %193, %210
;   %212 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %213 = mul nuw nsw i32 %212, %11
;   %214 = mul i32 %213, %5
;   %215 = add i32 %214, %14
;   %216 = mul i32 %215, %6
;   %217 = add i32 %216, %8
;   %218 = zext i32 %217 to i64
;   %219 = getelementptr inbounds float, ptr %1, i64 %218
;   store float %211, ptr %219, align 4, !tbaa !5
;   br label %220
;
; 220:                                              ; preds = %127, %41, %169, %163, %33
;   ret void
; }
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.z() #1
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.activemask() #2
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #2
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i1 @llvm.nvvm.vote.all.sync(i32, i1) #2
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.laneid() #1
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) #2
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32) #2
;
; attributes #0 = { convergent mustprogress nofree norecurse nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn }
;
; !nvvm.annotations = !{!0}
; !llvm.module.flags = !{!1, !2, !3}
; !llvm.ident = !{!4}
;
; !0 = !{ptr @k2, !"kernel", i32 1}
; !1 = !{i32 1, !"wchar_size", i32 4}
; !2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
; !3 = !{i32 7, !"frame-pointer", i32 2}
; !4 = !{!"clang version 19.1.7"}
; !5 = !{!6, !6, i64 0}
; !6 = !{!"float", !7, i64 0}
; !7 = !{!"omnipotent char", !8, i64 0}
; !8 = !{!"Simple C++ TBAA"}
