; ModuleID = 'laplacian.cu'
source_filename = "laplacian.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @laplacian(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1, float noundef %2, float noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr #0 {
  %8 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %10 = mul i32 %8, %9
  %11 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = add i32 %10, %11
  %13 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %14 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %15 = icmp sgt i32 %12, 0
  br i1 %15, label %16, label %86

16:                                               ; preds = %7
  %17 = add nsw i32 %4, -1
  %18 = icmp slt i32 %12, %17
  %19 = icmp ne i32 %13, 0
  %20 = and i1 %19, %18
  br i1 %20, label %21, label %86

21:                                               ; preds = %16
  %22 = add nsw i32 %5, -1
  %23 = icmp slt i32 %13, %22
  %24 = icmp ne i32 %14, 0
  %25 = and i1 %24, %23
  %26 = add nsw i32 %6, -1
  %27 = icmp slt i32 %14, %26
  %28 = select i1 %25, i1 %27, i1 false
  br i1 %28, label %29, label %86

29:                                               ; preds = %21
  %30 = mul nsw i32 %14, %5
  %31 = add nsw i32 %30, %13
  %32 = mul nsw i32 %31, %4
  %33 = add nsw i32 %32, %12
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds float, ptr %0, i64 %34
  %36 = load float, ptr %35, align 4, !tbaa !6
  %37 = fmul contract float %36, %2
  %38 = add nsw i32 %12, -1
  %39 = add nsw i32 %38, %32
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds float, ptr %0, i64 %40
  %42 = load float, ptr %41, align 4, !tbaa !6
  %43 = add nuw nsw i32 %12, 1
  %44 = add nsw i32 %43, %32
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds float, ptr %0, i64 %45
  %47 = load float, ptr %46, align 4, !tbaa !6
  %48 = fadd contract float %42, %47
  %49 = add nsw i32 %13, -1
  %50 = add nsw i32 %49, %30
  %51 = mul nsw i32 %50, %4
  %52 = add nsw i32 %51, %12
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds float, ptr %0, i64 %53
  %55 = load float, ptr %54, align 4, !tbaa !6
  %56 = fadd contract float %48, %55
  %57 = add nuw nsw i32 %13, 1
  %58 = add nsw i32 %57, %30
  %59 = mul nsw i32 %58, %4
  %60 = add nsw i32 %59, %12
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds float, ptr %0, i64 %61
  %63 = load float, ptr %62, align 4, !tbaa !6
  %64 = fadd contract float %56, %63
  %65 = add nsw i32 %14, -1
  %66 = mul nsw i32 %65, %5
  %67 = add nsw i32 %66, %13
  %68 = mul nsw i32 %67, %4
  %69 = add nsw i32 %68, %12
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds float, ptr %0, i64 %70
  %72 = load float, ptr %71, align 4, !tbaa !6
  %73 = fadd contract float %64, %72
  %74 = add nuw nsw i32 %14, 1
  %75 = mul nsw i32 %74, %5
  %76 = add nsw i32 %75, %13
  %77 = mul nsw i32 %76, %4
  %78 = add nsw i32 %77, %12
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds float, ptr %0, i64 %79
  %81 = load float, ptr %80, align 4, !tbaa !6
  %82 = fadd contract float %73, %81
  %83 = fmul contract float %82, %3
  %84 = fadd contract float %37, %83
  %85 = getelementptr inbounds float, ptr %1, i64 %34
  store float %84, ptr %85, align 4, !tbaa !6
  br label %86

86:                                               ; preds = %29, %21, %16, %7
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

!0 = !{ptr @laplacian, !"kernel", i32 1}
!1 = !{ptr @laplacian, !"maxntidx", i32 128}
!2 = !{i32 1, !"wchar_size", i32 4}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"clang version 19.1.7"}
!6 = !{!7, !7, i64 0}
!7 = !{!"float", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
