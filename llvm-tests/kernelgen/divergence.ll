; ModuleID = 'divergence.cu'
source_filename = "divergence.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @divergence(ptr noalias nocapture noundef writeonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef readonly %3, float noundef %4, float noundef %5, float noundef %6, i32 noundef %7, i32 noundef %8, i32 noundef %9) local_unnamed_addr #0 {
  %11 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %12 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %13 = mul i32 %11, %12
  %14 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %15 = add i32 %13, %14
  %16 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %17 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %18 = mul nuw nsw i32 %16, %17
  %19 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %20 = add nuw nsw i32 %18, %19
  %21 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %22 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %23 = mul nuw nsw i32 %21, %22
  %24 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %25 = add nuw nsw i32 %23, %24
  %26 = icmp slt i32 %15, 1
  br i1 %26, label %95, label %27

27:                                               ; preds = %10
  %28 = add nsw i32 %7, -1
  %29 = icmp sge i32 %15, %28
  %30 = icmp eq i32 %20, 0
  %31 = or i1 %30, %29
  br i1 %31, label %95, label %32

32:                                               ; preds = %27
  %33 = add nsw i32 %8, -1
  %34 = icmp slt i32 %20, %33
  %35 = icmp ne i32 %25, 0
  %36 = and i1 %35, %34
  %37 = add nsw i32 %9, -1
  %38 = icmp slt i32 %25, %37
  %39 = select i1 %36, i1 %38, i1 false
  br i1 %39, label %40, label %95

40:                                               ; preds = %32
  %41 = mul nsw i32 %25, %8
  %42 = add nsw i32 %41, %20
  %43 = mul nsw i32 %42, %7
  %44 = add nuw nsw i32 %15, 1
  %45 = add nsw i32 %44, %43
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds float, ptr %1, i64 %46
  %48 = load float, ptr %47, align 4, !tbaa !6
  %49 = add nsw i32 %15, -1
  %50 = add nsw i32 %49, %43
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds float, ptr %1, i64 %51
  %53 = load float, ptr %52, align 4, !tbaa !6
  %54 = fsub contract float %48, %53
  %55 = fmul contract float %54, %4
  %56 = add nuw nsw i32 %20, 1
  %57 = add nsw i32 %56, %41
  %58 = mul nsw i32 %57, %7
  %59 = add nsw i32 %58, %15
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds float, ptr %2, i64 %60
  %62 = load float, ptr %61, align 4, !tbaa !6
  %63 = add nsw i32 %20, -1
  %64 = add nsw i32 %63, %41
  %65 = mul nsw i32 %64, %7
  %66 = add nsw i32 %65, %15
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds float, ptr %2, i64 %67
  %69 = load float, ptr %68, align 4, !tbaa !6
  %70 = fsub contract float %62, %69
  %71 = fmul contract float %70, %5
  %72 = fadd contract float %55, %71
  %73 = add nuw nsw i32 %25, 1
  %74 = mul nsw i32 %73, %8
  %75 = add nsw i32 %74, %20
  %76 = mul nsw i32 %75, %7
  %77 = add nsw i32 %76, %15
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds float, ptr %3, i64 %78
  %80 = load float, ptr %79, align 4, !tbaa !6
  %81 = add nsw i32 %25, -1
  %82 = mul nsw i32 %81, %8
  %83 = add nsw i32 %82, %20
  %84 = mul nsw i32 %83, %7
  %85 = add nsw i32 %84, %15
  %86 = sext i32 %85 to i64
  %87 = getelementptr inbounds float, ptr %3, i64 %86
  %88 = load float, ptr %87, align 4, !tbaa !6
  %89 = fsub contract float %80, %88
  %90 = fmul contract float %89, %6
  %91 = fadd contract float %72, %90
  %92 = add nsw i32 %43, %15
  %93 = sext i32 %92 to i64
  %94 = getelementptr inbounds float, ptr %0, i64 %93
  store float %91, ptr %94, align 4, !tbaa !6
  br label %95

95:                                               ; preds = %10, %27, %32, %40
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

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.z() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.z() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z() #1

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0, !1}
!llvm.module.flags = !{!2, !3, !4}
!llvm.ident = !{!5}

!0 = !{ptr @divergence, !"kernel", i32 1}
!1 = !{ptr @divergence, !"maxntidx", i32 128}
!2 = !{i32 1, !"wchar_size", i32 4}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"clang version 19.1.7"}
!6 = !{!7, !7, i64 0}
!7 = !{!"float", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
