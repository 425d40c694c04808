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
;   %10 = icmp slt i32 %9, 1
;   %11 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %12 = and i32 %11, 31
;   %13 = icmp eq i32 %12, 0
;   %14 = xor i1 %10, true
;   %15 = and i1 %14, %13
;   %16 = freeze i1 %15
;   br i1 %16, label %17, label %19
;
; 17:                                               ; preds = %4
;   %18 = call i32 @llvm.nvvm.activemask() #3
;   br label %19
;
; 19:                                               ; preds = %17, %4
;   %20 = phi i32 [ %18, %17 ], [ poison, %4 ]
;   %21 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
;   %22 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
;   %23 = mul nuw nsw i32 %21, %22
;   %24 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
;   %25 = add nuw nsw i32 %23, %24
;   %26 = add nuw nsw i32 %25, 1
;   %27 = and i32 %2, -2147483648
;   %28 = xor i32 %20, -1
;   %29 = or i32 %28, %27
;   %30 = icmp eq i32 %29, 0
;   %31 = and i1 %30, %15
;   %32 = freeze i1 %31
;   br i1 %32, label %92, label %33
;
; 33:                                               ; preds = %19
;   br i1 %10, label %91, label %34
;
; 34:                                               ; preds = %33
;   %35 = add nsw i32 %2, -1
;   %36 = icmp slt i32 %9, %35
;   %37 = add nsw i32 %3, -1
;   %38 = icmp slt i32 %26, %37
;   %39 = select i1 %36, i1 %38, i1 false
;   br label %40
;
; 40:                                               ; preds = %92, %34
;   %.01 = phi i1 [ %105, %92 ], [ %39, %34 ]
;   %.0 = phi i32 [ %101, %92 ], [ %35, %34 ]
;   br i1 %.01, label %41, label %91
;
; 41:                                               ; preds = %40
;   %42 = mul nsw i32 %26, %2
;   %43 = sext i32 %42 to i64
;   %44 = getelementptr inbounds float, ptr %0, i64 %43
;   %45 = zext nneg i32 %9 to i64
;   %46 = getelementptr inbounds float, ptr %44, i64 %45
;   %47 = load float, ptr %46, align 4, !tbaa !5
;   %48 = fmul contract float %47, 5.000000e-01
;   %49 = getelementptr inbounds i8, ptr %46, i64 -4
;   %50 = load float, ptr %49, align 4, !tbaa !5
;   %51 = getelementptr inbounds i8, ptr %46, i64 4
;   %52 = load float, ptr %51, align 4, !tbaa !5
;   %53 = fadd contract float %50, %52
;   %54 = sub nsw i32 0, %2
;   %55 = sext i32 %54 to i64
;   %56 = getelementptr inbounds float, ptr %46, i64 %55
;   %57 = load float, ptr %56, align 4, !tbaa !5
;   %58 = fadd contract float %53, %57
;   %59 = sext i32 %2 to i64
;   %60 = getelementptr inbounds float, ptr %46, i64 %59
;   %61 = load float, ptr %60, align 4, !tbaa !5
;   %62 = fadd contract float %58, %61
;   %63 = fmul contract float %62, 2.500000e-01
;   %64 = fadd contract float %48, %63
;   %65 = xor i32 %2, -1
;   %66 = sext i32 %65 to i64
;   %67 = getelementptr inbounds float, ptr %46, i64 %66
;   %68 = load float, ptr %67, align 4, !tbaa !5
;   %69 = sub i32 1, %2
;   %70 = sext i32 %69 to i64
;   %71 = getelementptr inbounds float, ptr %46, i64 %70
;   %72 = load float, ptr %71, align 4, !tbaa !5
;   %73 = fadd contract float %68, %72
;   %74 = zext nneg i32 %.0 to i64
;   %75 = getelementptr inbounds float, ptr %46, i64 %74
;   %76 = load float, ptr %75, align 4, !tbaa !5
;   %77 = fadd contract float %73, %76
;   %78 = getelementptr i8, ptr %60, i64 4
;   %79 = load float, ptr %78, align 4, !tbaa !5
;   %80 = fadd contract float %77, %79
;   %81 = fmul contract float %80, 1.250000e-01
;   %82 = fadd contract float %64, %81
;   %83 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %84 = mul nuw nsw i32 %83, %22
;   %85 = mul i32 %84, %5
;   %86 = add i32 %85, %25
;   %87 = mul i32 %86, %6
;   %88 = add i32 %87, %8
;   %89 = zext i32 %88 to i64
;   %90 = getelementptr inbounds float, ptr %1, i64 %89
;   store float %82, ptr %90, align 4, !tbaa !5
;   br label %91
;
; 91:                                               ; preds = %189, %41, %40, %33
;   ret void
;
; 92:                                               ; preds = %19
;   %93 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %94 = shl i32 -2, %93
;   %95 = icmp ult i32 %93, 32
;   %96 = select i1 %95, i32 %94, i32 0
;   %97 = sub i32 32, %93
;   %98 = shl i32 -1, %97
;   %99 = icmp ult i32 %97, 32
;   %100 = select i1 %99, i32 %98, i32 0
;   %101 = add nsw i32 %2, -1
;   %102 = icmp slt i32 %9, %101
;   %103 = add nsw i32 %3, -1
;   %104 = icmp slt i32 %26, %103
;   %105 = select i1 %102, i1 %104, i1 false
;   %106 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %105) #3
;   %107 = freeze i1 %106
;   br i1 %107, label %108, label %40
;
; 108:                                              ; preds = %92
;   %109 = mul nsw i32 %26, %2
;   %110 = sext i32 %109 to i64
;   %111 = getelementptr inbounds float, ptr %0, i64 %110
;   %112 = zext nneg i32 %9 to i64
;   %113 = getelementptr inbounds float, ptr %111, i64 %112
;   %114 = load float, ptr %113, align 4, !tbaa !5
;   %115 = add i32 %93, 1
;   %116 = and i32 %115, 31
;   %117 = icmp ult i32 %116, 2
;   %118 = icmp ult i32 %93, 1
;   %119 = select i1 %118, i64 128, i64 -128
;   %120 = ptrtoint ptr %113 to i64
;   %121 = add i64 %119, %120
;   %122 = freeze i1 %117
;   br i1 %122, label %123, label %126
;
; 123:                                              ; preds = %108
;   %124 = inttoptr i64 %121 to ptr addrspace(1)
;   %125 = load i32, ptr addrspace(1) %124, align 4, !invariant.load !9
;   br label %126
;
; 126:                                              ; preds = %123, %108
;   %127 = phi i32 [ %125, %123 ], [ poison, %108 ]
;   %128 = and i32 %100, 2
;   %129 = icmp eq i32 %128, 0
;   %130 = xor i1 %129, true
;   %131 = bitcast float %114 to i32
;   %132 = select i1 %130, i32 %127, i32 %131
;   %133 = add i32 %93, -1
;   %134 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %132, i32 %133, i32 31) #3
;   %135 = and i32 %96, 2
;   %136 = icmp eq i32 %135, 0
;   %137 = xor i1 %136, true
;   %138 = bitcast float %114 to i32
;   %139 = select i1 %137, i32 %127, i32 %138
;   %140 = add i32 %93, 1
;   %141 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %139, i32 %140, i32 31) #3
;   %142 = sub nsw i32 0, %2
;   %143 = sext i32 %142 to i64
;   %144 = getelementptr inbounds float, ptr %113, i64 %143
;   %145 = load float, ptr %144, align 4, !tbaa !5
;   %146 = icmp ult i32 %93, 31
;   %147 = xor i1 %146, true
;   %148 = freeze i1 %147
;   br i1 %148, label %149, label %153
;
; 149:                                              ; preds = %126
;   %150 = addrspacecast ptr %144 to ptr addrspace(1)
;   %151 = getelementptr i8, ptr addrspace(1) %150, i64 -128
;   %152 = load i32, ptr addrspace(1) %151, align 4, !invariant.load !9
;   br label %153
;
; 153:                                              ; preds = %149, %126
;   %154 = phi i32 [ %152, %149 ], [ poison, %126 ]
;   %155 = sext i32 %2 to i64
;   %156 = getelementptr inbounds float, ptr %113, i64 %155
;   %157 = load float, ptr %156, align 4, !tbaa !5
;   %158 = add i32 %93, 1
;   %159 = and i32 %158, 31
;   %160 = icmp ult i32 %159, 2
;   %161 = icmp ult i32 %93, 1
;   %162 = select i1 %161, i64 128, i64 -128
;   %163 = ptrtoint ptr %156 to i64
;   %164 = add i64 %162, %163
;   %165 = freeze i1 %160
;   br i1 %165, label %166, label %169
;
; 166:                                              ; preds = %153
;   %167 = inttoptr i64 %164 to ptr addrspace(1)
;   %168 = load i32, ptr addrspace(1) %167, align 4, !invariant.load !9
;   br label %169
;
; 169:                                              ; preds = %166, %153
;   %170 = phi i32 [ %168, %166 ], [ poison, %153 ]
;   %171 = and i32 %100, 2
;   %172 = icmp eq i32 %171, 0
;   %173 = xor i1 %172, true
;   %174 = bitcast float %145 to i32
;   %175 = select i1 %173, i32 %154, i32 %174
;   %176 = add i32 %93, -1
;   %177 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %175, i32 %176, i32 31) #3
;   %178 = sub i32 1, %2
;   %179 = sext i32 %178 to i64
;   %180 = getelementptr inbounds float, ptr %113, i64 %179
;   %181 = bitcast float %145 to i32
;   %182 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %181, i32 1, i32 31) #3
;   %183 = extractvalue { i32, i1 } %182, 0
;   %184 = extractvalue { i32, i1 } %182, 1
;   %185 = freeze i1 %184
;   %186 = bitcast i32 %183 to float
;   br i1 %185, label %189, label %187
;
; 187:                                              ; preds = %169
;   %188 = load float, ptr %180, align 4, !tbaa !5
;   br label %189
;
; 189:                                              ; preds = %169, %187
;   %190 = phi float [ %186, %169 ], [ %188, %187 ]
;   %191 = fmul contract float %114, 5.000000e-01
;   %192 = extractvalue { i32, i1 } %134, 0
;   %193 = bitcast i32 %192 to float
;   %194 = extractvalue { i32, i1 } %141, 0
;   %195 = bitcast i32 %194 to float
;   %196 = fadd contract float %193, %195
;   %197 = fadd contract float %196, %145
;   %198 = fadd contract float %197, %157
;   %199 = fmul contract float %198, 2.500000e-01
;   %200 = fadd contract float %191, %199
;   %201 = extractvalue { i32, i1 } %177, 0
;   %202 = bitcast i32 %201 to float
;   %203 = fadd contract float %202, %190
;   %204 = and i32 %100, 2
;   %205 = icmp eq i32 %204, 0
;   %206 = xor i1 %205, true
;   %207 = bitcast float %157 to i32
;   %208 = select i1 %206, i32 %170, i32 %207
;   %209 = add i32 %93, -1
;   %210 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %208, i32 %209, i32 31) #3
;   %211 = extractvalue { i32, i1 } %210, 0
;   %212 = bitcast i32 %211 to float
;   %213 = fadd contract float %203, %212
;   %214 = and i32 %96, 2
;   %215 = icmp eq i32 %214, 0
;   %216 = xor i1 %215, true
;   %217 = bitcast float %157 to i32
;   %218 = select i1 %216, i32 %170, i32 %217
;   %219 = add i32 %93, 1
;   %220 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %218, i32 %219, i32 31) #3
;   %221 = extractvalue { i32, i1 } %220, 0
;   %222 = bitcast i32 %221 to float
;   %223 = fadd contract float %213, %222
;   %224 = fmul contract float %223, 1.250000e-01
;   %225 = fadd contract float %200, %224
;   %226 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %227 = mul nuw nsw i32 %226, %22
;   %228 = mul i32 %227, %5
;   %229 = add i32 %228, %25
;   %230 = mul i32 %229, %6
;   %231 = add i32 %230, %8
;   %232 = zext i32 %231 to i64
;   %233 = getelementptr inbounds float, ptr %1, i64 %232
;   store float %225, ptr %233, align 4, !tbaa !5
;   br label %91
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
; !9 = !{}
