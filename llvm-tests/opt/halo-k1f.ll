; ptxasw: opt --profit always --wrapping halo
; Without a guard there is no copy: every destination keeps its load for warps that are not whole.
; launch: k1f grid=2 block=128 args=f32[280]@8,f32[256]
; launch: k1f grid=2 block=48 args=f32[120]@8,f32[96]
; launch: k1f grid=2 block=16,8 args=f32[60]@8,f32[256]
; launch: k1f grid=1 block=8,8,4 args=f32[60]@8,f32[256]
; launch: k1f grid=2 block=33,3 args=f32[100]@8,f32[198]
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @k1f(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1) local_unnamed_addr #0 {
  %3 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %4 = zext nneg i32 %3 to i64
  %5 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = zext nneg i32 %5 to i64
  %7 = mul nuw nsw i64 %4, %6
  %8 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = zext nneg i32 %8 to i64
  %10 = getelementptr inbounds float, ptr %0, i64 %7
  %11 = getelementptr inbounds float, ptr %10, i64 %9
  %12 = load float, ptr %11, align 4, !tbaa !5
  %13 = fmul contract float %12, 5.000000e-01
  %14 = getelementptr inbounds i8, ptr %11, i64 4
  %15 = load float, ptr %14, align 4, !tbaa !5
  %16 = fmul contract float %15, 6.250000e-01
  %17 = fadd contract float %13, %16
  %18 = getelementptr inbounds i8, ptr %11, i64 8
  %19 = load float, ptr %18, align 4, !tbaa !5
  %20 = fmul contract float %19, 7.500000e-01
  %21 = fadd contract float %17, %20
  %22 = getelementptr inbounds i8, ptr %11, i64 12
  %23 = load float, ptr %22, align 4, !tbaa !5
  %24 = fmul contract float %23, 8.750000e-01
  %25 = fadd contract float %21, %24
  %26 = getelementptr inbounds i8, ptr %11, i64 16
  %27 = load float, ptr %26, align 4, !tbaa !5
  %28 = fmul contract float %27, 1.500000e+00
  %29 = fadd contract float %25, %28
  %30 = getelementptr inbounds i8, ptr %11, i64 20
  %31 = load float, ptr %30, align 4, !tbaa !5
  %32 = fmul contract float %31, 1.125000e+00
  %33 = fadd contract float %29, %32
  %34 = getelementptr inbounds i8, ptr %11, i64 24
  %35 = load float, ptr %34, align 4, !tbaa !5
  %36 = fmul contract float %35, 1.250000e+00
  %37 = fadd contract float %33, %36
  %38 = getelementptr inbounds i8, ptr %11, i64 28
  %39 = load float, ptr %38, align 4, !tbaa !5
  %40 = fmul contract float %39, 1.375000e+00
  %41 = fadd contract float %37, %40
  %42 = getelementptr inbounds i8, ptr %11, i64 32
  %43 = load float, ptr %42, align 4, !tbaa !5
  %44 = fmul contract float %43, 1.750000e+00
  %45 = fadd contract float %41, %44
  %46 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %47 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %48 = mul i32 %3, %47
  %49 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %50 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %51 = add i32 %48, %49
  %52 = mul i32 %51, %46
  %53 = add i32 %52, %50
  %54 = mul i32 %53, %5
  %55 = add i32 %54, %8
  %56 = zext i32 %55 to i64
  %57 = getelementptr inbounds float, ptr %1, i64 %56
  store float %45, ptr %57, align 4, !tbaa !5
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.z() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0}
!llvm.module.flags = !{!1, !2, !3}
!llvm.ident = !{!4}

!0 = !{ptr @k1f, !"kernel", i32 1}
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
; define dso_local void @k1f(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1) local_unnamed_addr #0 {
;   call void asm sideeffect "// ptxasw 1: shuffle", ""() #3
;   %3 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %4 = zext nneg i32 %3 to i64
;   %5 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %6 = zext nneg i32 %5 to i64
;   %7 = mul nuw nsw i64 %4, %6
;   %8 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %9 = zext nneg i32 %8 to i64
;   %10 = getelementptr inbounds float, ptr %0, i64 %7
;   %11 = getelementptr inbounds float, ptr %10, i64 %9
;   %12 = call i32 @llvm.nvvm.activemask() #4
;   %13 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %14 = icmp eq i32 %12, -1
;   %15 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %16 = and i32 %15, 31
;   %17 = icmp eq i32 %16, 0
;   %18 = and i1 %17, %14
;   %19 = load float, ptr %11, align 4, !tbaa !5
;   %20 = icmp ult i32 %13, 8
;   %21 = and i1 %20, %18
;   %22 = freeze i1 %21
;   br i1 %22, label %23, label %27
;
; 23:                                               ; preds = %2
;   %24 = addrspacecast ptr %11 to ptr addrspace(1)
;   %25 = getelementptr i8, ptr addrspace(1) %24, i64 128
;   %26 = load i32, ptr addrspace(1) %25, align 4, !invariant.load !9
;   br label %27
;
; 27:                                               ; preds = %23, %2
;   %28 = phi i32 [ %26, %23 ], [ poison, %2 ]
;   %29 = shl i32 -2, %13
;   %30 = icmp ult i32 %13, 32
;   %31 = select i1 %30, i32 %29, i32 0
;   %32 = getelementptr inbounds i8, ptr %11, i64 4
;   %33 = and i32 %31, 2
;   %34 = icmp eq i32 %33, 0
;   %35 = xor i1 %34, true
;   %36 = bitcast float %19 to i32
;   %37 = select i1 %35, i32 %28, i32 %36
;   %38 = add i32 %13, 1
;   %39 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 %12, i32 %37, i32 %38, i32 31) #4
;   %40 = extractvalue { i32, i1 } %39, 0
;   %41 = freeze i1 %18
;   %42 = bitcast i32 %40 to float
;   br i1 %41, label %45, label %43
;
; 43:                                               ; preds = %27
;   %44 = load float, ptr %32, align 4, !tbaa !5
;   br label %45
;
; 45:                                               ; preds = %27, %43
;   %46 = phi float [ %42, %27 ], [ %44, %43 ]
;   %47 = getelementptr inbounds i8, ptr %11, i64 8
;   %48 = and i32 %31, 4
;   %49 = icmp eq i32 %48, 0
;   %50 = xor i1 %49, true
;   %51 = bitcast float %19 to i32
;   %52 = select i1 %50, i32 %28, i32 %51
;   %53 = add i32 %13, 2
;   %54 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 %12, i32 %52, i32 %53, i32 31) #4
;   %55 = extractvalue { i32, i1 } %54, 0
;   %56 = freeze i1 %18
;   %57 = bitcast i32 %55 to float
;   br i1 %56, label %60, label %58
;
; 58:                                               ; preds = %45
;   %59 = load float, ptr %47, align 4, !tbaa !5
;   br label %60
;
; 60:                                               ; preds = %45, %58
;   %61 = phi float [ %57, %45 ], [ %59, %58 ]
;   %62 = getelementptr inbounds i8, ptr %11, i64 12
;   %63 = and i32 %31, 8
;   %64 = icmp eq i32 %63, 0
;   %65 = xor i1 %64, true
;   %66 = bitcast float %19 to i32
;   %67 = select i1 %65, i32 %28, i32 %66
;   %68 = add i32 %13, 3
;   %69 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 %12, i32 %67, i32 %68, i32 31) #4
;   %70 = extractvalue { i32, i1 } %69, 0
;   %71 = freeze i1 %18
;   %72 = bitcast i32 %70 to float
;   br i1 %71, label %75, label %73
;
; 73:                                               ; preds = %60
;   %74 = load float, ptr %62, align 4, !tbaa !5
;   br label %75
;
; 75:                                               ; preds = %60, %73
;   %76 = phi float [ %72, %60 ], [ %74, %73 ]
;   %77 = getelementptr inbounds i8, ptr %11, i64 16
;   %78 = and i32 %31, 16
;   %79 = icmp eq i32 %78, 0
;   %80 = xor i1 %79, true
;   %81 = bitcast float %19 to i32
;   %82 = select i1 %80, i32 %28, i32 %81
;   %83 = add i32 %13, 4
;   %84 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 %12, i32 %82, i32 %83, i32 31) #4
;   %85 = extractvalue { i32, i1 } %84, 0
;   %86 = freeze i1 %18
;   %87 = bitcast i32 %85 to float
;   br i1 %86, label %90, label %88
;
; 88:                                               ; preds = %75
;   %89 = load float, ptr %77, align 4, !tbaa !5
;   br label %90
;
; 90:                                               ; preds = %75, %88
;   %91 = phi float [ %87, %75 ], [ %89, %88 ]
;   %92 = getelementptr inbounds i8, ptr %11, i64 20
;   %93 = and i32 %31, 32
;   %94 = icmp eq i32 %93, 0
;   %95 = xor i1 %94, true
;   %96 = bitcast float %19 to i32
;   %97 = select i1 %95, i32 %28, i32 %96
;   %98 = add i32 %13, 5
;   %99 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 %12, i32 %97, i32 %98, i32 31) #4
;   %100 = extractvalue { i32, i1 } %99, 0
;   %101 = freeze i1 %18
;   %102 = bitcast i32 %100 to float
;   br i1 %101, label %105, label %103
;
; 103:                                              ; preds = %90
;   %104 = load float, ptr %92, align 4, !tbaa !5
;   br label %105
;
; 105:                                              ; preds = %90, %103
;   %106 = phi float [ %102, %90 ], [ %104, %103 ]
;   %107 = getelementptr inbounds i8, ptr %11, i64 24
;   %108 = and i32 %31, 64
;   %109 = icmp eq i32 %108, 0
;   %110 = xor i1 %109, true
;   %111 = bitcast float %19 to i32
;   %112 = select i1 %110, i32 %28, i32 %111
;   %113 = add i32 %13, 6
;   %114 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 %12, i32 %112, i32 %113, i32 31) #4
;   %115 = extractvalue { i32, i1 } %114, 0
;   %116 = freeze i1 %18
;   %117 = bitcast i32 %115 to float
;   br i1 %116, label %120, label %118
;
; 118:                                              ; preds = %105
;   %119 = load float, ptr %107, align 4, !tbaa !5
;   br label %120
;
; 120:                                              ; preds = %105, %118
;   %121 = phi float [ %117, %105 ], [ %119, %118 ]
;   %122 = getelementptr inbounds i8, ptr %11, i64 28
;   %123 = and i32 %31, 128
;   %124 = icmp eq i32 %123, 0
;   %125 = xor i1 %124, true
;   %126 = bitcast float %19 to i32
;   %127 = select i1 %125, i32 %28, i32 %126
;   %128 = add i32 %13, 7
;   %129 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 %12, i32 %127, i32 %128, i32 31) #4
;   %130 = extractvalue { i32, i1 } %129, 0
;   %131 = freeze i1 %18
;   %132 = bitcast i32 %130 to float
;   br i1 %131, label %135, label %133
;
; 133:                                              ; preds = %120
;   %134 = load float, ptr %122, align 4, !tbaa !5
;   br label %135
;
; 135:                                              ; preds = %120, %133
;   %136 = phi float [ %132, %120 ], [ %134, %133 ]
;   %137 = getelementptr inbounds i8, ptr %11, i64 32
;   %138 = and i32 %31, 256
;   %139 = icmp eq i32 %138, 0
;   %140 = xor i1 %139, true
;   %141 = bitcast float %19 to i32
;   %142 = select i1 %140, i32 %28, i32 %141
;   %143 = add i32 %13, 8
;   %144 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 %12, i32 %142, i32 %143, i32 31) #4
;   %145 = extractvalue { i32, i1 } %144, 0
;   %146 = freeze i1 %18
;   %147 = bitcast i32 %145 to float
;   br i1 %146, label %150, label %148
;
; 148:                                              ; preds = %135
;   %149 = load float, ptr %137, align 4, !tbaa !5
;   br label %150
;
; 150:                                              ; preds = %135, %148
;   %151 = phi float [ %147, %135 ], [ %149, %148 ]
;   %152 = fmul contract float %19, 5.000000e-01
;   %153 = fmul contract float %46, 6.250000e-01
;   %154 = fadd contract float %152, %153
;   %155 = fmul contract float %61, 7.500000e-01
;   %156 = fadd contract float %154, %155
;   %157 = fmul contract float %76, 8.750000e-01
;   %158 = fadd contract float %156, %157
;   %159 = fmul contract float %91, 1.500000e+00
;   %160 = fadd contract float %158, %159
;   %161 = fmul contract float %106, 1.125000e+00
;   %162 = fadd contract float %160, %161
;   %163 = fmul contract float %121, 1.250000e+00
;   %164 = fadd contract float %162, %163
;   %165 = fmul contract float %136, 1.375000e+00
;   %166 = fadd contract float %164, %165
;   %167 = fmul contract float %151, 1.750000e+00
;   %168 = fadd contract float %166, %167
;   %169 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
;   %170 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %171 = mul i32 %3, %170
;   %172 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
;   %173 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
;   %174 = add i32 %171, %172
;   %175 = mul i32 %174, %169
;   %176 = add i32 %175, %173
;   %177 = mul i32 %176, %5
;   %178 = add i32 %177, %8
;   %179 = zext i32 %178 to i64
;   %180 = getelementptr inbounds float, ptr %1, i64 %179
;   store float %168, ptr %180, align 4, !tbaa !5
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
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.z() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.activemask() #2
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.laneid() #1
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32, i32, i32, i32) #2
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
; !0 = !{ptr @k1f, !"kernel", i32 1}
; !1 = !{i32 1, !"wchar_size", i32 4}
; !2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
; !3 = !{i32 7, !"frame-pointer", i32 2}
; !4 = !{!"clang version 19.1.7"}
; !5 = !{!6, !6, i64 0}
; !6 = !{!"float", !7, i64 0}
; !7 = !{!"omnipotent char", !8, i64 0}
; !8 = !{!"Simple C++ TBAA"}
; !9 = !{}
