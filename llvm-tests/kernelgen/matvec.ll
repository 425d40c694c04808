; ModuleID = 'matvec.cu'
source_filename = "matvec.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @matvec(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 {
  %6 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul i32 %6, %7
  %9 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add i32 %8, %9
  %11 = icmp slt i32 %10, %3
  br i1 %11, label %12, label %68

12:                                               ; preds = %5
  %13 = sext i32 %10 to i64
  %14 = getelementptr inbounds float, ptr %2, i64 %13
  %15 = load float, ptr %14, align 4, !tbaa !6
  %16 = icmp sgt i32 %4, 0
  br i1 %16, label %17, label %38

17:                                               ; preds = %12
  %18 = and i32 %4, 1
  %19 = icmp eq i32 %4, 1
  br i1 %19, label %22, label %20

20:                                               ; preds = %17
  %21 = and i32 %4, 2147483646
  br label %40

22:                                               ; preds = %40, %17
  %23 = phi float [ poison, %17 ], [ %64, %40 ]
  %24 = phi i32 [ 0, %17 ], [ %65, %40 ]
  %25 = phi float [ %15, %17 ], [ %64, %40 ]
  %26 = icmp eq i32 %18, 0
  br i1 %26, label %38, label %27

27:                                               ; preds = %22
  %28 = mul nsw i32 %24, %3
  %29 = add nsw i32 %28, %10
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds float, ptr %0, i64 %30
  %32 = load float, ptr %31, align 4, !tbaa !6
  %33 = zext nneg i32 %24 to i64
  %34 = getelementptr inbounds float, ptr %1, i64 %33
  %35 = load float, ptr %34, align 4, !tbaa !6
  %36 = fmul contract float %32, %35
  %37 = fadd contract float %25, %36
  br label %38

38:                                               ; preds = %27, %22, %12
  %39 = phi float [ %15, %12 ], [ %23, %22 ], [ %37, %27 ]
  store float %39, ptr %14, align 4, !tbaa !6
  br label %68

40:                                               ; preds = %40, %20
  %41 = phi i32 [ 0, %20 ], [ %65, %40 ]
  %42 = phi float [ %15, %20 ], [ %64, %40 ]
  %43 = phi i32 [ 0, %20 ], [ %66, %40 ]
  %44 = mul nsw i32 %41, %3
  %45 = add nsw i32 %44, %10
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds float, ptr %0, i64 %46
  %48 = load float, ptr %47, align 4, !tbaa !6
  %49 = zext nneg i32 %41 to i64
  %50 = getelementptr inbounds float, ptr %1, i64 %49
  %51 = load float, ptr %50, align 4, !tbaa !6
  %52 = fmul contract float %48, %51
  %53 = fadd contract float %42, %52
  %54 = or disjoint i32 %41, 1
  %55 = mul nsw i32 %54, %3
  %56 = add nsw i32 %55, %10
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds float, ptr %0, i64 %57
  %59 = load float, ptr %58, align 4, !tbaa !6
  %60 = zext nneg i32 %54 to i64
  %61 = getelementptr inbounds float, ptr %1, i64 %60
  %62 = load float, ptr %61, align 4, !tbaa !6
  %63 = fmul contract float %59, %62
  %64 = fadd contract float %53, %63
  %65 = add nuw nsw i32 %41, 2
  %66 = add i32 %43, 2
  %67 = icmp eq i32 %66, %21
  br i1 %67, label %22, label %40, !llvm.loop !10

68:                                               ; preds = %5, %38
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0, !1}
!llvm.module.flags = !{!2, !3, !4}
!llvm.ident = !{!5}

!0 = !{ptr @matvec, !"kernel", i32 1}
!1 = !{ptr @matvec, !"maxntidx", i32 128}
!2 = !{i32 1, !"wchar_size", i32 4}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"clang version 19.1.7"}
!6 = !{!7, !7, i64 0}
!7 = !{!"float", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
!10 = distinct !{!10, !11, !12}
!11 = !{!"llvm.loop.mustprogress"}
!12 = !{!"llvm.loop.unroll.disable"}
