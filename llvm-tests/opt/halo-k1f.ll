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
;   %3 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %4 = zext nneg i32 %3 to i64
;   %5 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %6 = zext nneg i32 %5 to i64
;   %7 = mul nuw nsw i64 %4, %6
;   %8 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %9 = zext nneg i32 %8 to i64
;   %10 = getelementptr inbounds float, ptr %0, i64 %7
;   %11 = getelementptr inbounds float, ptr %10, i64 %9
;   %12 = call i32 @llvm.nvvm.activemask() #3
;   %13 = call i32 @llvm.nvvm.read.ptx.sreg.laneid() #3
;   %14 = icmp eq i32 %12, -1
;   %15 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3
;   %16 = and i32 %15, 31
;   %17 = icmp eq i32 %16, 0
;   %18 = and i1 %14, %17
;   %19 = shl i32 -2, %13
;   %20 = select i1 %18, i32 31, i32 %13
;   %21 = load float, ptr %11, align 4, !tbaa !5
;   %22 = bitcast float %21 to i32
;   %23 = icmp ult i32 %13, 8
;   %24 = and i1 %18, %23
;   %25 = xor i1 %24, true
;   %26 = getelementptr i8, ptr %11, i64 128
;   %27 = xor i1 %25, true
;   br i1 %27, label %28, label %30
;
; 28:                                               ; preds = %2
;   %29 = load float, ptr %26, align 4, !tbaa !5
;   br label %30
;
; 30:                                               ; preds = %2, %28
;   %31 = phi float [ poison, %2 ], [ %29, %28 ]
;   %32 = bitcast float %31 to i32
;   %33 = getelementptr inbounds i8, ptr %11, i64 4
;   %34 = and i32 %19, 2
;   %35 = icmp ne i32 %34, 0
;   %36 = select i1 %35, i32 %32, i32 %22
;   %37 = add i32 %13, 1
;   %38 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %12, i32 %36, i32 %37, i32 31) #3
;   %39 = bitcast i32 %38 to float
;   %40 = xor i1 %18, true
;   br i1 %40, label %41, label %43
;
; 41:                                               ; preds = %30
;   %42 = load float, ptr %33, align 4, !tbaa !5
;   br label %43
;
; 43:                                               ; preds = %30, %41
;   %44 = phi float [ %39, %30 ], [ %42, %41 ]
;   %45 = getelementptr inbounds i8, ptr %11, i64 8
;   %46 = and i32 %19, 4
;   %47 = icmp ne i32 %46, 0
;   %48 = select i1 %47, i32 %32, i32 %22
;   %49 = add i32 %13, 2
;   %50 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %12, i32 %48, i32 %49, i32 31) #3
;   %51 = bitcast i32 %50 to float
;   %52 = xor i1 %18, true
;   br i1 %52, label %53, label %55
;
; 53:                                               ; preds = %43
;   %54 = load float, ptr %45, align 4, !tbaa !5
;   br label %55
;
; 55:                                               ; preds = %43, %53
;   %56 = phi float [ %51, %43 ], [ %54, %53 ]
;   %57 = getelementptr inbounds i8, ptr %11, i64 12
;   %58 = and i32 %19, 8
;   %59 = icmp ne i32 %58, 0
;   %60 = select i1 %59, i32 %32, i32 %22
;   %61 = add i32 %13, 3
;   %62 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %12, i32 %60, i32 %61, i32 31) #3
;   %63 = bitcast i32 %62 to float
;   %64 = xor i1 %18, true
;   br i1 %64, label %65, label %67
;
; 65:                                               ; preds = %55
;   %66 = load float, ptr %57, align 4, !tbaa !5
;   br label %67
;
; 67:                                               ; preds = %55, %65
;   %68 = phi float [ %63, %55 ], [ %66, %65 ]
;   %69 = getelementptr inbounds i8, ptr %11, i64 16
;   %70 = and i32 %19, 16
;   %71 = icmp ne i32 %70, 0
;   %72 = select i1 %71, i32 %32, i32 %22
;   %73 = add i32 %13, 4
;   %74 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %12, i32 %72, i32 %73, i32 31) #3
;   %75 = bitcast i32 %74 to float
;   %76 = xor i1 %18, true
;   br i1 %76, label %77, label %79
;
; 77:                                               ; preds = %67
;   %78 = load float, ptr %69, align 4, !tbaa !5
;   br label %79
;
; 79:                                               ; preds = %67, %77
;   %80 = phi float [ %75, %67 ], [ %78, %77 ]
;   %81 = getelementptr inbounds i8, ptr %11, i64 20
;   %82 = and i32 %19, 32
;   %83 = icmp ne i32 %82, 0
;   %84 = select i1 %83, i32 %32, i32 %22
;   %85 = add i32 %13, 5
;   %86 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %12, i32 %84, i32 %85, i32 31) #3
;   %87 = bitcast i32 %86 to float
;   %88 = xor i1 %18, true
;   br i1 %88, label %89, label %91
;
; 89:                                               ; preds = %79
;   %90 = load float, ptr %81, align 4, !tbaa !5
;   br label %91
;
; 91:                                               ; preds = %79, %89
;   %92 = phi float [ %87, %79 ], [ %90, %89 ]
;   %93 = getelementptr inbounds i8, ptr %11, i64 24
;   %94 = and i32 %19, 64
;   %95 = icmp ne i32 %94, 0
;   %96 = select i1 %95, i32 %32, i32 %22
;   %97 = add i32 %13, 6
;   %98 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %12, i32 %96, i32 %97, i32 31) #3
;   %99 = bitcast i32 %98 to float
;   %100 = xor i1 %18, true
;   br i1 %100, label %101, label %103
;
; 101:                                              ; preds = %91
;   %102 = load float, ptr %93, align 4, !tbaa !5
;   br label %103
;
; 103:                                              ; preds = %91, %101
;   %104 = phi float [ %99, %91 ], [ %102, %101 ]
;   %105 = getelementptr inbounds i8, ptr %11, i64 28
;   %106 = and i32 %19, 128
;   %107 = icmp ne i32 %106, 0
;   %108 = select i1 %107, i32 %32, i32 %22
;   %109 = add i32 %13, 7
;   %110 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %12, i32 %108, i32 %109, i32 31) #3
;   %111 = bitcast i32 %110 to float
;   %112 = xor i1 %18, true
;   br i1 %112, label %113, label %115
;
; 113:                                              ; preds = %103
;   %114 = load float, ptr %105, align 4, !tbaa !5
;   br label %115
;
; 115:                                              ; preds = %103, %113
;   %116 = phi float [ %111, %103 ], [ %114, %113 ]
;   %117 = getelementptr inbounds i8, ptr %11, i64 32
;   %118 = and i32 %19, 256
;   %119 = icmp ne i32 %118, 0
;   %120 = select i1 %119, i32 %32, i32 %22
;   %121 = add i32 %13, 8
;   %122 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %12, i32 %120, i32 %121, i32 31) #3
;   %123 = bitcast i32 %122 to float
;   %124 = xor i1 %18, true
;   br i1 %124, label %125, label %127
;
; 125:                                              ; preds = %115
;   %126 = load float, ptr %117, align 4, !tbaa !5
;   br label %127
;
; 127:                                              ; preds = %115, %125
;   %128 = phi float [ %123, %115 ], [ %126, %125 ]
;   %129 = fmul contract float %21, 5.000000e-01
;   %130 = fmul contract float %44, 6.250000e-01
;   %131 = fadd contract float %129, %130
;   %132 = fmul contract float %56, 7.500000e-01
;   %133 = fadd contract float %131, %132
;   %134 = fmul contract float %68, 8.750000e-01
;   %135 = fadd contract float %133, %134
;   %136 = fmul contract float %80, 1.500000e+00
;   %137 = fadd contract float %135, %136
;   %138 = fmul contract float %92, 1.125000e+00
;   %139 = fadd contract float %137, %138
;   %140 = fmul contract float %104, 1.250000e+00
;   %141 = fadd contract float %139, %140
;   %142 = fmul contract float %116, 1.375000e+00
;   %143 = fadd contract float %141, %142
;   %144 = fmul contract float %128, 1.750000e+00
;   %145 = fadd contract float %143, %144
;   %146 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
;   %147 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %148 = mul i32 %3, %147
;   %149 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
;   %150 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
;   %151 = add i32 %148, %149
;   %152 = mul i32 %151, %146
;   %153 = add i32 %152, %150
;   %154 = mul i32 %153, %5
;   %155 = add i32 %154, %8
;   %156 = zext i32 %155 to i64
;   %157 = getelementptr inbounds float, ptr %1, i64 %156
;   store float %145, ptr %157, align 4, !tbaa !5
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
; declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) #2
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
; !0 = !{ptr @k1f, !"kernel", i32 1}
; !1 = !{i32 1, !"wchar_size", i32 4}
; !2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
; !3 = !{i32 7, !"frame-pointer", i32 2}
; !4 = !{!"clang version 19.1.7"}
; !5 = !{!6, !6, i64 0}
; !6 = !{!"float", !7, i64 0}
; !7 = !{!"omnipotent char", !8, i64 0}
; !8 = !{!"Simple C++ TBAA"}
