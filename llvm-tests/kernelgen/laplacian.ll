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
  %14 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %15 = mul nuw nsw i32 %13, %14
  %16 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %17 = add nuw nsw i32 %15, %16
  %18 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %19 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %20 = mul nuw nsw i32 %18, %19
  %21 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %22 = add nuw nsw i32 %20, %21
  %23 = icmp sgt i32 %12, 0
  br i1 %23, label %24, label %94

24:                                               ; preds = %7
  %25 = add nsw i32 %4, -1
  %26 = icmp slt i32 %12, %25
  %27 = icmp ne i32 %17, 0
  %28 = and i1 %27, %26
  br i1 %28, label %29, label %94

29:                                               ; preds = %24
  %30 = add nsw i32 %5, -1
  %31 = icmp slt i32 %17, %30
  %32 = icmp ne i32 %22, 0
  %33 = and i1 %32, %31
  %34 = add nsw i32 %6, -1
  %35 = icmp slt i32 %22, %34
  %36 = select i1 %33, i1 %35, i1 false
  br i1 %36, label %37, label %94

37:                                               ; preds = %29
  %38 = mul nsw i32 %22, %5
  %39 = add nsw i32 %38, %17
  %40 = mul nsw i32 %39, %4
  %41 = add nsw i32 %40, %12
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds float, ptr %0, i64 %42
  %44 = load float, ptr %43, align 4, !tbaa !6
  %45 = fmul contract float %44, %2
  %46 = add nsw i32 %12, -1
  %47 = add nsw i32 %46, %40
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds float, ptr %0, i64 %48
  %50 = load float, ptr %49, align 4, !tbaa !6
  %51 = add nuw nsw i32 %12, 1
  %52 = add nsw i32 %51, %40
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds float, ptr %0, i64 %53
  %55 = load float, ptr %54, align 4, !tbaa !6
  %56 = fadd contract float %50, %55
  %57 = add nsw i32 %17, -1
  %58 = add nsw i32 %57, %38
  %59 = mul nsw i32 %58, %4
  %60 = add nsw i32 %59, %12
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds float, ptr %0, i64 %61
  %63 = load float, ptr %62, align 4, !tbaa !6
  %64 = fadd contract float %56, %63
  %65 = add nuw nsw i32 %17, 1
  %66 = add nsw i32 %65, %38
  %67 = mul nsw i32 %66, %4
  %68 = add nsw i32 %67, %12
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds float, ptr %0, i64 %69
  %71 = load float, ptr %70, align 4, !tbaa !6
  %72 = fadd contract float %64, %71
  %73 = add nsw i32 %22, -1
  %74 = mul nsw i32 %73, %5
  %75 = add nsw i32 %74, %17
  %76 = mul nsw i32 %75, %4
  %77 = add nsw i32 %76, %12
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds float, ptr %0, i64 %78
  %80 = load float, ptr %79, align 4, !tbaa !6
  %81 = fadd contract float %72, %80
  %82 = add nuw nsw i32 %22, 1
  %83 = mul nsw i32 %82, %5
  %84 = add nsw i32 %83, %17
  %85 = mul nsw i32 %84, %4
  %86 = add nsw i32 %85, %12
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds float, ptr %0, i64 %87
  %89 = load float, ptr %88, align 4, !tbaa !6
  %90 = fadd contract float %81, %89
  %91 = fmul contract float %90, %3
  %92 = fadd contract float %45, %91
  %93 = getelementptr inbounds float, ptr %1, i64 %42
  store float %92, ptr %93, align 4, !tbaa !6
  br label %94

94:                                               ; preds = %37, %29, %24, %7
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
