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
;   call void asm sideeffect "// ptxasw 1: shuffle", ""() #3
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
;   %17 = call i32 @llvm.nvvm.activemask() #4
;   %18 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %19 = and i32 %18, 31
;   %20 = icmp eq i32 %19, 0
;   %21 = xor i1 %16, true
;   %22 = and i1 %21, %20
;   %23 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %17, i1 %22) #4
;   %24 = and i32 %2, -2147483648
;   %25 = xor i32 %23, -1
;   %26 = or i32 %25, %24
;   %27 = icmp eq i32 %26, 0
;   %28 = freeze i1 %27
;   br i1 %28, label %90, label %29, !ptxasw.fallback !5
;
; 29:                                               ; preds = %4
;   br i1 %16, label %89, label %30
;
; 30:                                               ; preds = %29
;   %31 = add nsw i32 %2, -1
;   %32 = icmp slt i32 %9, %31
;   %33 = add nsw i32 %3, -1
;   %34 = icmp slt i32 %15, %33
;   %35 = select i1 %32, i1 %34, i1 false
;   br label %36
;
; 36:                                               ; preds = %90, %30
;   %37 = phi i1 [ %103, %90 ], [ %35, %30 ]
;   %38 = phi i32 [ %99, %90 ], [ %31, %30 ]
;   br i1 %37, label %39, label %89
;
; 39:                                               ; preds = %36
;   %40 = mul nsw i32 %15, %2
;   %41 = sext i32 %40 to i64
;   %42 = getelementptr inbounds float, ptr %0, i64 %41
;   %43 = zext nneg i32 %9 to i64
;   %44 = getelementptr inbounds float, ptr %42, i64 %43
;   %45 = load float, ptr %44, align 4, !tbaa !6
;   %46 = fmul contract float %45, 5.000000e-01
;   %47 = getelementptr inbounds i8, ptr %44, i64 -4
;   %48 = load float, ptr %47, align 4, !tbaa !6
;   %49 = getelementptr inbounds i8, ptr %44, i64 4
;   %50 = load float, ptr %49, align 4, !tbaa !6
;   %51 = fadd contract float %48, %50
;   %52 = sub nsw i32 0, %2
;   %53 = sext i32 %52 to i64
;   %54 = getelementptr inbounds float, ptr %44, i64 %53
;   %55 = load float, ptr %54, align 4, !tbaa !6
;   %56 = fadd contract float %51, %55
;   %57 = sext i32 %2 to i64
;   %58 = getelementptr inbounds float, ptr %44, i64 %57
;   %59 = load float, ptr %58, align 4, !tbaa !6
;   %60 = fadd contract float %56, %59
;   %61 = fmul contract float %60, 2.500000e-01
;   %62 = fadd contract float %46, %61
;   %63 = xor i32 %2, -1
;   %64 = sext i32 %63 to i64
;   %65 = getelementptr inbounds float, ptr %44, i64 %64
;   %66 = load float, ptr %65, align 4, !tbaa !6
;   %67 = sub i32 1, %2
;   %68 = sext i32 %67 to i64
;   %69 = getelementptr inbounds float, ptr %44, i64 %68
;   %70 = load float, ptr %69, align 4, !tbaa !6
;   %71 = fadd contract float %66, %70
;   %72 = zext nneg i32 %38 to i64
;   %73 = getelementptr inbounds float, ptr %44, i64 %72
;   %74 = load float, ptr %73, align 4, !tbaa !6
;   %75 = fadd contract float %71, %74
;   %76 = getelementptr i8, ptr %58, i64 4
;   %77 = load float, ptr %76, align 4, !tbaa !6
;   %78 = fadd contract float %75, %77
;   %79 = fmul contract float %78, 1.250000e-01
;   %80 = fadd contract float %62, %79
;   %81 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %82 = mul nuw nsw i32 %81, %11
;   %83 = mul i32 %82, %5
;   %84 = add i32 %83, %14
;   %85 = mul i32 %84, %6
;   %86 = add i32 %85, %8
;   %87 = zext i32 %86 to i64
;   %88 = getelementptr inbounds float, ptr %1, i64 %87
;   store float %80, ptr %88, align 4, !tbaa !6
;   br label %89
;
; 89:                                               ; preds = %187, %39, %36, %29
;   ret void
;
; 90:                                               ; preds = %4
;   %91 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %92 = shl i32 -2, %91
;   %93 = icmp ult i32 %91, 32
;   %94 = select i1 %93, i32 %92, i32 0
;   %95 = sub i32 32, %91
;   %96 = shl i32 -1, %95
;   %97 = icmp ult i32 %95, 32
;   %98 = select i1 %97, i32 %96, i32 0
;   %99 = add nsw i32 %2, -1
;   %100 = icmp slt i32 %9, %99
;   %101 = add nsw i32 %3, -1
;   %102 = icmp slt i32 %15, %101
;   %103 = select i1 %100, i1 %102, i1 false
;   %104 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %103) #4
;   %105 = freeze i1 %104
;   br i1 %105, label %106, label %36
;
; 106:                                              ; preds = %90
;   %107 = mul nsw i32 %15, %2
;   %108 = sext i32 %107 to i64
;   %109 = getelementptr inbounds float, ptr %0, i64 %108
;   %110 = zext nneg i32 %9 to i64
;   %111 = getelementptr inbounds float, ptr %109, i64 %110
;   %112 = load float, ptr %111, align 4, !tbaa !6
;   %113 = add i32 %91, 1
;   %114 = and i32 %113, 31
;   %115 = icmp ult i32 %114, 2
;   %116 = icmp ult i32 %91, 1
;   %117 = select i1 %116, i64 128, i64 -128
;   %118 = ptrtoint ptr %111 to i64
;   %119 = add i64 %117, %118
;   %120 = freeze i1 %115
;   br i1 %120, label %121, label %124
;
; 121:                                              ; preds = %106
;   %122 = inttoptr i64 %119 to ptr addrspace(1)
;   %123 = load i32, ptr addrspace(1) %122, align 4, !invariant.load !5
;   br label %124
;
; 124:                                              ; preds = %121, %106
;   %125 = phi i32 [ %123, %121 ], [ poison, %106 ]
;   %126 = and i32 %98, 2
;   %127 = icmp eq i32 %126, 0
;   %128 = xor i1 %127, true
;   %129 = bitcast float %112 to i32
;   %130 = select i1 %128, i32 %125, i32 %129
;   %131 = add i32 %91, -1
;   %132 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %130, i32 %131, i32 31) #4
;   %133 = and i32 %94, 2
;   %134 = icmp eq i32 %133, 0
;   %135 = xor i1 %134, true
;   %136 = bitcast float %112 to i32
;   %137 = select i1 %135, i32 %125, i32 %136
;   %138 = add i32 %91, 1
;   %139 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %137, i32 %138, i32 31) #4
;   %140 = sub nsw i32 0, %2
;   %141 = sext i32 %140 to i64
;   %142 = getelementptr inbounds float, ptr %111, i64 %141
;   %143 = load float, ptr %142, align 4, !tbaa !6
;   %144 = icmp ult i32 %91, 31
;   %145 = xor i1 %144, true
;   %146 = freeze i1 %145
;   br i1 %146, label %147, label %151
;
; 147:                                              ; preds = %124
;   %148 = addrspacecast ptr %142 to ptr addrspace(1)
;   %149 = getelementptr i8, ptr addrspace(1) %148, i64 -128
;   %150 = load i32, ptr addrspace(1) %149, align 4, !invariant.load !5
;   br label %151
;
; 151:                                              ; preds = %147, %124
;   %152 = phi i32 [ %150, %147 ], [ poison, %124 ]
;   %153 = sext i32 %2 to i64
;   %154 = getelementptr inbounds float, ptr %111, i64 %153
;   %155 = load float, ptr %154, align 4, !tbaa !6
;   %156 = add i32 %91, 1
;   %157 = and i32 %156, 31
;   %158 = icmp ult i32 %157, 2
;   %159 = icmp ult i32 %91, 1
;   %160 = select i1 %159, i64 128, i64 -128
;   %161 = ptrtoint ptr %154 to i64
;   %162 = add i64 %160, %161
;   %163 = freeze i1 %158
;   br i1 %163, label %164, label %167
;
; 164:                                              ; preds = %151
;   %165 = inttoptr i64 %162 to ptr addrspace(1)
;   %166 = load i32, ptr addrspace(1) %165, align 4, !invariant.load !5
;   br label %167
;
; 167:                                              ; preds = %164, %151
;   %168 = phi i32 [ %166, %164 ], [ poison, %151 ]
;   %169 = and i32 %98, 2
;   %170 = icmp eq i32 %169, 0
;   %171 = xor i1 %170, true
;   %172 = bitcast float %143 to i32
;   %173 = select i1 %171, i32 %152, i32 %172
;   %174 = add i32 %91, -1
;   %175 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %173, i32 %174, i32 31) #4
;   %176 = sub i32 1, %2
;   %177 = sext i32 %176 to i64
;   %178 = getelementptr inbounds float, ptr %111, i64 %177
;   %179 = bitcast float %143 to i32
;   %180 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %179, i32 1, i32 31) #4
;   %181 = extractvalue { i32, i1 } %180, 0
;   %182 = extractvalue { i32, i1 } %180, 1
;   %183 = freeze i1 %182
;   %184 = bitcast i32 %181 to float
;   br i1 %183, label %187, label %185
;
; 185:                                              ; preds = %167
;   %186 = load float, ptr %178, align 4, !tbaa !6
;   br label %187
;
; 187:                                              ; preds = %167, %185
;   %188 = phi float [ %184, %167 ], [ %186, %185 ]
;   %189 = fmul contract float %112, 5.000000e-01
;   %190 = extractvalue { i32, i1 } %132, 0
;   %191 = bitcast i32 %190 to float
;   %192 = extractvalue { i32, i1 } %139, 0
;   %193 = bitcast i32 %192 to float
;   %194 = fadd contract float %191, %193
;   %195 = fadd contract float %194, %143
;   %196 = fadd contract float %195, %155
;   %197 = fmul contract float %196, 2.500000e-01
;   %198 = fadd contract float %189, %197
;   %199 = extractvalue { i32, i1 } %175, 0
;   %200 = bitcast i32 %199 to float
;   %201 = fadd contract float %200, %188
;   %202 = and i32 %98, 2
;   %203 = icmp eq i32 %202, 0
;   %204 = xor i1 %203, true
;   %205 = bitcast float %155 to i32
;   %206 = select i1 %204, i32 %168, i32 %205
;   %207 = add i32 %91, -1
;   %208 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %206, i32 %207, i32 31) #4
;   %209 = extractvalue { i32, i1 } %208, 0
;   %210 = bitcast i32 %209 to float
;   %211 = fadd contract float %201, %210
;   %212 = and i32 %94, 2
;   %213 = icmp eq i32 %212, 0
;   %214 = xor i1 %213, true
;   %215 = bitcast float %155 to i32
;   %216 = select i1 %214, i32 %168, i32 %215
;   %217 = add i32 %91, 1
;   %218 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %216, i32 %217, i32 31) #4
;   %219 = extractvalue { i32, i1 } %218, 0
;   %220 = bitcast i32 %219 to float
;   %221 = fadd contract float %211, %220
;   %222 = fmul contract float %221, 1.250000e-01
;   %223 = fadd contract float %198, %222
;   %224 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %225 = mul nuw nsw i32 %224, %11
;   %226 = mul i32 %225, %5
;   %227 = add i32 %226, %14
;   %228 = mul i32 %227, %6
;   %229 = add i32 %228, %8
;   %230 = zext i32 %229 to i64
;   %231 = getelementptr inbounds float, ptr %1, i64 %230
;   store float %223, ptr %231, align 4, !tbaa !6
;   br label %89
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
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.laneid() #1
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i1 @llvm.nvvm.vote.all.sync(i32, i1) #2
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32, i32, i32, i32) #2
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32) #2
;
; attributes #0 = { convergent mustprogress nofree norecurse nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "ptxasw"="1: shuffle" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn memory(inaccessiblemem: readwrite) }
; attributes #4 = { nounwind willreturn }
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
; !5 = !{}
; !6 = !{!7, !7, i64 0}
; !7 = !{!"float", !8, i64 0}
; !8 = !{!"omnipotent char", !9, i64 0}
; !9 = !{!"Simple C++ TBAA"}
