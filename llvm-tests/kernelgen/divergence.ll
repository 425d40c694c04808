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
  %17 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %18 = icmp slt i32 %15, 1
  br i1 %18, label %87, label %19

19:                                               ; preds = %10
  %20 = add nsw i32 %7, -1
  %21 = icmp sge i32 %15, %20
  %22 = icmp eq i32 %16, 0
  %23 = or i1 %22, %21
  br i1 %23, label %87, label %24

24:                                               ; preds = %19
  %25 = add nsw i32 %8, -1
  %26 = icmp slt i32 %16, %25
  %27 = icmp ne i32 %17, 0
  %28 = and i1 %27, %26
  %29 = add nsw i32 %9, -1
  %30 = icmp slt i32 %17, %29
  %31 = select i1 %28, i1 %30, i1 false
  br i1 %31, label %32, label %87

32:                                               ; preds = %24
  %33 = mul nsw i32 %17, %8
  %34 = add nsw i32 %33, %16
  %35 = mul nsw i32 %34, %7
  %36 = add nuw nsw i32 %15, 1
  %37 = add nsw i32 %36, %35
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds float, ptr %1, i64 %38
  %40 = load float, ptr %39, align 4, !tbaa !6
  %41 = add nsw i32 %15, -1
  %42 = add nsw i32 %41, %35
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds float, ptr %1, i64 %43
  %45 = load float, ptr %44, align 4, !tbaa !6
  %46 = fsub contract float %40, %45
  %47 = fmul contract float %46, %4
  %48 = add nuw nsw i32 %16, 1
  %49 = add nsw i32 %48, %33
  %50 = mul nsw i32 %49, %7
  %51 = add nsw i32 %50, %15
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds float, ptr %2, i64 %52
  %54 = load float, ptr %53, align 4, !tbaa !6
  %55 = add nsw i32 %16, -1
  %56 = add nsw i32 %55, %33
  %57 = mul nsw i32 %56, %7
  %58 = add nsw i32 %57, %15
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds float, ptr %2, i64 %59
  %61 = load float, ptr %60, align 4, !tbaa !6
  %62 = fsub contract float %54, %61
  %63 = fmul contract float %62, %5
  %64 = fadd contract float %47, %63
  %65 = add nuw nsw i32 %17, 1
  %66 = mul nsw i32 %65, %8
  %67 = add nsw i32 %66, %16
  %68 = mul nsw i32 %67, %7
  %69 = add nsw i32 %68, %15
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds float, ptr %3, i64 %70
  %72 = load float, ptr %71, align 4, !tbaa !6
  %73 = add nsw i32 %17, -1
  %74 = mul nsw i32 %73, %8
  %75 = add nsw i32 %74, %16
  %76 = mul nsw i32 %75, %7
  %77 = add nsw i32 %76, %15
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds float, ptr %3, i64 %78
  %80 = load float, ptr %79, align 4, !tbaa !6
  %81 = fsub contract float %72, %80
  %82 = fmul contract float %81, %6
  %83 = fadd contract float %64, %82
  %84 = add nsw i32 %35, %15
  %85 = sext i32 %84 to i64
  %86 = getelementptr inbounds float, ptr %0, i64 %85
  store float %83, ptr %86, align 4, !tbaa !6
  br label %87

87:                                               ; preds = %10, %19, %24, %32
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
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.z() #1

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
