; ptxasw: opt --profit always --wrapping halo
; In a loop behind a guard.
; launch: k7 grid=2 block=128 args=f32[1300]@1,f32[256],256,5
; launch: k7 grid=2 block=48 args=f32[300]@1,f32[96],71,4
; launch: k7 grid=2 block=16,8 args=f32[120]@1,f32[256],32,3
; launch: k7 grid=1 block=8,8,4 args=f32[40]@1,f32[256],7,5
; launch: k7 grid=2 block=33,3 args=f32[200]@1,f32[198],60,3
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @k7(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = icmp slt i32 %9, %2
  br i1 %10, label %11, label %49

11:                                               ; preds = %4
  %12 = icmp sgt i32 %3, 0
  br i1 %12, label %13, label %17

13:                                               ; preds = %11
  %14 = sext i32 %2 to i64
  %15 = sext i32 %9 to i64
  %16 = getelementptr float, ptr %0, i64 %15
  br label %31

17:                                               ; preds = %31, %11
  %18 = phi float [ 0.000000e+00, %11 ], [ %46, %31 ]
  %19 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %20 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %21 = mul i32 %5, %20
  %22 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %23 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %24 = add i32 %21, %22
  %25 = mul i32 %24, %19
  %26 = add i32 %25, %23
  %27 = mul i32 %26, %6
  %28 = add i32 %27, %8
  %29 = zext i32 %28 to i64
  %30 = getelementptr inbounds float, ptr %1, i64 %29
  store float %18, ptr %30, align 4, !tbaa !5
  br label %49

31:                                               ; preds = %13, %31
  %32 = phi i32 [ 0, %13 ], [ %47, %31 ]
  %33 = phi float [ 0.000000e+00, %13 ], [ %46, %31 ]
  %34 = zext nneg i32 %32 to i64
  %35 = mul nsw i64 %34, %14
  %36 = getelementptr float, ptr %16, i64 %35
  %37 = fmul contract float %33, 7.500000e-01
  %38 = getelementptr inbounds i8, ptr %36, i64 -4
  %39 = load float, ptr %38, align 4, !tbaa !5
  %40 = getelementptr inbounds i8, ptr %36, i64 4
  %41 = load float, ptr %40, align 4, !tbaa !5
  %42 = fadd contract float %39, %41
  %43 = load float, ptr %36, align 4, !tbaa !5
  %44 = fmul contract float %43, 2.000000e+00
  %45 = fsub contract float %42, %44
  %46 = fadd contract float %37, %45
  %47 = add nuw nsw i32 %32, 1
  %48 = icmp eq i32 %47, %3
  br i1 %48, label %17, label %31, !llvm.loop !9

49:                                               ; preds = %4, %17
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

attributes #0 = { mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0}
!llvm.module.flags = !{!1, !2, !3}
!llvm.ident = !{!4}

!0 = !{ptr @k7, !"kernel", i32 1}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{!"clang version 19.1.7"}
!5 = !{!6, !6, i64 0}
!6 = !{!"float", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C++ TBAA"}
!9 = distinct !{!9, !10, !11}
!10 = !{!"llvm.loop.mustprogress"}
!11 = !{!"llvm.loop.unroll.disable"}
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; ; Function Attrs: convergent mustprogress nofree norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
; define dso_local void @k7(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 {
;   %5 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %6 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %7 = mul i32 %5, %6
;   %8 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %9 = add i32 %7, %8
;   %10 = icmp slt i32 %9, %2
;   %11 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %12 = and i32 %11, 31
;   %13 = icmp eq i32 %12, 0
;   %14 = and i1 %10, %13
;   %15 = freeze i1 %14
;   br i1 %15, label %16, label %18
;
; 16:                                               ; preds = %4
;   %17 = call i32 @llvm.nvvm.activemask() #3
;   br label %18
;
; 18:                                               ; preds = %16, %4
;   %19 = phi i32 [ %17, %16 ], [ poison, %4 ]
;   %20 = icmp eq i32 %19, -1
;   %21 = and i1 %20, %14
;   %22 = freeze i1 %21
;   br i1 %22, label %60, label %23
;
; 23:                                               ; preds = %18
;   br i1 %10, label %24, label %59
;
; 24:                                               ; preds = %23
;   %25 = icmp sgt i32 %3, 0
;   br i1 %25, label %26, label %30
;
; 26:                                               ; preds = %24
;   %27 = sext i32 %2 to i64
;   %28 = sext i32 %9 to i64
;   %29 = getelementptr float, ptr %0, i64 %28
;   br label %43
;
; 30:                                               ; preds = %82, %60, %43, %24
;   %.0 = phi float [ %106, %82 ], [ 0.000000e+00, %60 ], [ %56, %43 ], [ 0.000000e+00, %24 ]
;   %31 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
;   %32 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %33 = mul i32 %5, %32
;   %34 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
;   %35 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
;   %36 = add i32 %33, %34
;   %37 = mul i32 %36, %31
;   %38 = add i32 %37, %35
;   %39 = mul i32 %38, %6
;   %40 = add i32 %39, %8
;   %41 = zext i32 %40 to i64
;   %42 = getelementptr inbounds float, ptr %1, i64 %41
;   store float %.0, ptr %42, align 4, !tbaa !5
;   br label %59
;
; 43:                                               ; preds = %43, %26
;   %.02 = phi float [ 0.000000e+00, %26 ], [ %56, %43 ]
;   %.01 = phi i32 [ 0, %26 ], [ %57, %43 ]
;   %44 = zext nneg i32 %.01 to i64
;   %45 = mul nsw i64 %44, %27
;   %46 = getelementptr float, ptr %29, i64 %45
;   %47 = fmul contract float %.02, 7.500000e-01
;   %48 = getelementptr inbounds i8, ptr %46, i64 -4
;   %49 = load float, ptr %48, align 4, !tbaa !5
;   %50 = getelementptr inbounds i8, ptr %46, i64 4
;   %51 = load float, ptr %50, align 4, !tbaa !5
;   %52 = fadd contract float %49, %51
;   %53 = load float, ptr %46, align 4, !tbaa !5
;   %54 = fmul contract float %53, 2.000000e+00
;   %55 = fsub contract float %52, %54
;   %56 = fadd contract float %47, %55
;   %57 = add nuw nsw i32 %.01, 1
;   %58 = icmp eq i32 %57, %3
;   br i1 %58, label %30, label %43, !llvm.loop !9
;
; 59:                                               ; preds = %30, %23
;   ret void
;
; 60:                                               ; preds = %18
;   %61 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %62 = shl i32 -2, %61
;   %63 = icmp ult i32 %61, 32
;   %64 = select i1 %63, i32 %62, i32 0
;   %65 = icmp sgt i32 %3, 0
;   br i1 %65, label %66, label %30
;
; 66:                                               ; preds = %60
;   %67 = sext i32 %2 to i64
;   %68 = sext i32 %9 to i64
;   %69 = getelementptr float, ptr %0, i64 %68
;   br label %70
;
; 70:                                               ; preds = %82, %66
;   %.13 = phi float [ 0.000000e+00, %66 ], [ %106, %82 ]
;   %.1 = phi i32 [ 0, %66 ], [ %107, %82 ]
;   %71 = zext nneg i32 %.1 to i64
;   %72 = mul nsw i64 %71, %67
;   %73 = getelementptr float, ptr %69, i64 %72
;   %74 = getelementptr inbounds i8, ptr %73, i64 -4
;   %75 = load float, ptr %74, align 4, !tbaa !5
;   %76 = icmp ult i32 %61, 2
;   %77 = freeze i1 %76
;   br i1 %77, label %78, label %82
;
; 78:                                               ; preds = %70
;   %79 = addrspacecast ptr %74 to ptr addrspace(1)
;   %80 = getelementptr i8, ptr addrspace(1) %79, i64 128
;   %81 = load i32, ptr addrspace(1) %80, align 4, !invariant.load !12
;   br label %82
;
; 82:                                               ; preds = %78, %70
;   %83 = phi i32 [ %81, %78 ], [ poison, %70 ]
;   %84 = fmul contract float %.13, 7.500000e-01
;   %85 = and i32 %64, 4
;   %86 = icmp eq i32 %85, 0
;   %87 = xor i1 %86, true
;   %88 = bitcast float %75 to i32
;   %89 = select i1 %87, i32 %83, i32 %88
;   %90 = add i32 %61, 2
;   %91 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %89, i32 %90, i32 31) #3
;   %92 = extractvalue { i32, i1 } %91, 0
;   %93 = bitcast i32 %92 to float
;   %94 = fadd contract float %75, %93
;   %95 = and i32 %64, 2
;   %96 = icmp eq i32 %95, 0
;   %97 = xor i1 %96, true
;   %98 = bitcast float %75 to i32
;   %99 = select i1 %97, i32 %83, i32 %98
;   %100 = add i32 %61, 1
;   %101 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %99, i32 %100, i32 31) #3
;   %102 = extractvalue { i32, i1 } %101, 0
;   %103 = bitcast i32 %102 to float
;   %104 = fmul contract float %103, 2.000000e+00
;   %105 = fsub contract float %94, %104
;   %106 = fadd contract float %84, %105
;   %107 = add nuw nsw i32 %.1, 1
;   %108 = icmp eq i32 %107, %3
;   br i1 %108, label %30, label %70, !llvm.loop !13
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
; attributes #0 = { convergent mustprogress nofree norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn }
;
; !nvvm.annotations = !{!0}
; !llvm.module.flags = !{!1, !2, !3}
; !llvm.ident = !{!4}
;
; !0 = !{ptr @k7, !"kernel", i32 1}
; !1 = !{i32 1, !"wchar_size", i32 4}
; !2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
; !3 = !{i32 7, !"frame-pointer", i32 2}
; !4 = !{!"clang version 19.1.7"}
; !5 = !{!6, !6, i64 0}
; !6 = !{!"float", !7, i64 0}
; !7 = !{!"omnipotent char", !8, i64 0}
; !8 = !{!"Simple C++ TBAA"}
; !9 = distinct !{!9, !10, !11}
; !10 = !{!"llvm.loop.mustprogress"}
; !11 = !{!"llvm.loop.unroll.disable"}
; !12 = !{}
; !13 = distinct !{!13, !10, !11}
