; ModuleID = 'matmul.cu'
source_filename = "matmul.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @matmul(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef writeonly %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr #0 {
  %7 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add i32 %9, %10
  %12 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %13 = icmp slt i32 %11, %3
  %14 = icmp slt i32 %12, %4
  %15 = and i1 %13, %14
  br i1 %15, label %16, label %79

16:                                               ; preds = %6
  %17 = shl nsw i32 %5, 2
  %18 = icmp eq i32 %5, 0
  br i1 %18, label %21, label %19

19:                                               ; preds = %16
  %20 = mul nsw i32 %17, %12
  br label %27

21:                                               ; preds = %27, %16
  %22 = phi float [ 0.000000e+00, %16 ], [ %76, %27 ]
  %23 = mul nsw i32 %12, %3
  %24 = add nsw i32 %23, %11
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds float, ptr %2, i64 %25
  store float %22, ptr %26, align 4, !tbaa !6
  br label %79

27:                                               ; preds = %27, %19
  %28 = phi i32 [ 0, %19 ], [ %77, %27 ]
  %29 = phi float [ 0.000000e+00, %19 ], [ %76, %27 ]
  %30 = add nsw i32 %28, %20
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds float, ptr %0, i64 %31
  %33 = load float, ptr %32, align 4, !tbaa !6
  %34 = mul nsw i32 %28, %3
  %35 = add nsw i32 %34, %11
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds float, ptr %1, i64 %36
  %38 = load float, ptr %37, align 4, !tbaa !6
  %39 = fmul contract float %33, %38
  %40 = fadd contract float %29, %39
  %41 = or disjoint i32 %28, 1
  %42 = add nsw i32 %41, %20
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds float, ptr %0, i64 %43
  %45 = load float, ptr %44, align 4, !tbaa !6
  %46 = mul nsw i32 %41, %3
  %47 = add nsw i32 %46, %11
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds float, ptr %1, i64 %48
  %50 = load float, ptr %49, align 4, !tbaa !6
  %51 = fmul contract float %45, %50
  %52 = fadd contract float %40, %51
  %53 = or disjoint i32 %28, 2
  %54 = add nsw i32 %53, %20
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds float, ptr %0, i64 %55
  %57 = load float, ptr %56, align 4, !tbaa !6
  %58 = mul nsw i32 %53, %3
  %59 = add nsw i32 %58, %11
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds float, ptr %1, i64 %60
  %62 = load float, ptr %61, align 4, !tbaa !6
  %63 = fmul contract float %57, %62
  %64 = fadd contract float %52, %63
  %65 = or disjoint i32 %28, 3
  %66 = add nsw i32 %65, %20
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds float, ptr %0, i64 %67
  %69 = load float, ptr %68, align 4, !tbaa !6
  %70 = mul nsw i32 %65, %3
  %71 = add nsw i32 %70, %11
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds float, ptr %1, i64 %72
  %74 = load float, ptr %73, align 4, !tbaa !6
  %75 = fmul contract float %69, %74
  %76 = fadd contract float %64, %75
  %77 = add nuw nsw i32 %28, 4
  %78 = icmp eq i32 %77, %17
  br i1 %78, label %21, label %27, !llvm.loop !10

79:                                               ; preds = %6, %21
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

attributes #0 = { mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0, !1}
!llvm.module.flags = !{!2, !3, !4}
!llvm.ident = !{!5}

!0 = !{ptr @matmul, !"kernel", i32 1}
!1 = !{ptr @matmul, !"maxntidx", i32 128}
!2 = !{i32 1, !"wchar_size", i32 4}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"clang version 19.1.7"}
!6 = !{!7, !7, i64 0}
!7 = !{!"float", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.mustprogress"}
