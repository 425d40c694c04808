; ModuleID = 'gradient.cu'
source_filename = "gradient.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @gradient(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1, ptr noalias nocapture noundef writeonly %2, ptr noalias nocapture noundef writeonly %3, float noundef %4, float noundef %5, float noundef %6, i32 noundef %7, i32 noundef %8, i32 noundef %9) local_unnamed_addr #0 {
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
  %47 = getelementptr inbounds float, ptr %0, i64 %46
  %48 = load float, ptr %47, align 4, !tbaa !6
  %49 = add nsw i32 %15, -1
  %50 = add nsw i32 %49, %43
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds float, ptr %0, i64 %51
  %53 = load float, ptr %52, align 4, !tbaa !6
  %54 = fsub contract float %48, %53
  %55 = fmul contract float %54, %4
  %56 = add nsw i32 %43, %15
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds float, ptr %1, i64 %57
  store float %55, ptr %58, align 4, !tbaa !6
  %59 = add nuw nsw i32 %20, 1
  %60 = add nsw i32 %59, %41
  %61 = mul nsw i32 %60, %7
  %62 = add nsw i32 %61, %15
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds float, ptr %0, i64 %63
  %65 = load float, ptr %64, align 4, !tbaa !6
  %66 = add nsw i32 %20, -1
  %67 = add nsw i32 %66, %41
  %68 = mul nsw i32 %67, %7
  %69 = add nsw i32 %68, %15
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds float, ptr %0, i64 %70
  %72 = load float, ptr %71, align 4, !tbaa !6
  %73 = fsub contract float %65, %72
  %74 = fmul contract float %73, %5
  %75 = getelementptr inbounds float, ptr %2, i64 %57
  store float %74, ptr %75, align 4, !tbaa !6
  %76 = add nuw nsw i32 %25, 1
  %77 = mul nsw i32 %76, %8
  %78 = add nsw i32 %77, %20
  %79 = mul nsw i32 %78, %7
  %80 = add nsw i32 %79, %15
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds float, ptr %0, i64 %81
  %83 = load float, ptr %82, align 4, !tbaa !6
  %84 = add nsw i32 %25, -1
  %85 = mul nsw i32 %84, %8
  %86 = add nsw i32 %85, %20
  %87 = mul nsw i32 %86, %7
  %88 = add nsw i32 %87, %15
  %89 = sext i32 %88 to i64
  %90 = getelementptr inbounds float, ptr %0, i64 %89
  %91 = load float, ptr %90, align 4, !tbaa !6
  %92 = fsub contract float %83, %91
  %93 = fmul contract float %92, %6
  %94 = getelementptr inbounds float, ptr %3, i64 %57
  store float %93, ptr %94, align 4, !tbaa !6
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

!0 = !{ptr @gradient, !"kernel", i32 1}
!1 = !{ptr @gradient, !"maxntidx", i32 128}
!2 = !{i32 1, !"wchar_size", i32 4}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"clang version 19.1.7"}
!6 = !{!7, !7, i64 0}
!7 = !{!"float", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
