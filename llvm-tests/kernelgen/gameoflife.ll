; ModuleID = 'gameoflife.cu'
source_filename = "gameoflife.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @gameoflife(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %11 = icmp sgt i32 %9, 0
  br i1 %11, label %12, label %79

12:                                               ; preds = %4
  %13 = add nsw i32 %2, -1
  %14 = icmp slt i32 %9, %13
  %15 = icmp ne i32 %10, 0
  %16 = and i1 %15, %14
  %17 = add nsw i32 %3, -1
  %18 = icmp slt i32 %10, %17
  %19 = select i1 %16, i1 %18, i1 false
  br i1 %19, label %20, label %79

20:                                               ; preds = %12
  %21 = add nsw i32 %10, -1
  %22 = mul nsw i32 %21, %2
  %23 = add nsw i32 %9, -1
  %24 = add nsw i32 %22, %23
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds float, ptr %0, i64 %25
  %27 = load float, ptr %26, align 4, !tbaa !6
  %28 = add nsw i32 %22, %9
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds float, ptr %0, i64 %29
  %31 = load float, ptr %30, align 4, !tbaa !6
  %32 = fadd contract float %27, %31
  %33 = add nuw nsw i32 %9, 1
  %34 = add nsw i32 %22, %33
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds float, ptr %0, i64 %35
  %37 = load float, ptr %36, align 4, !tbaa !6
  %38 = fadd contract float %32, %37
  %39 = mul nsw i32 %10, %2
  %40 = add nsw i32 %39, %23
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds float, ptr %0, i64 %41
  %43 = load float, ptr %42, align 4, !tbaa !6
  %44 = fadd contract float %38, %43
  %45 = add nsw i32 %39, %33
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds float, ptr %0, i64 %46
  %48 = load float, ptr %47, align 4, !tbaa !6
  %49 = fadd contract float %44, %48
  %50 = add nuw nsw i32 %10, 1
  %51 = mul nsw i32 %50, %2
  %52 = add nsw i32 %51, %23
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds float, ptr %0, i64 %53
  %55 = load float, ptr %54, align 4, !tbaa !6
  %56 = fadd contract float %49, %55
  %57 = add nsw i32 %51, %9
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds float, ptr %0, i64 %58
  %60 = load float, ptr %59, align 4, !tbaa !6
  %61 = fadd contract float %56, %60
  %62 = add nsw i32 %51, %33
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds float, ptr %0, i64 %63
  %65 = load float, ptr %64, align 4, !tbaa !6
  %66 = fadd contract float %61, %65
  %67 = add nsw i32 %39, %9
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds float, ptr %0, i64 %68
  %70 = load float, ptr %69, align 4, !tbaa !6
  %71 = fadd contract float %70, %66
  %72 = fadd contract float %71, -3.000000e+00
  %73 = fadd contract float %66, -3.000000e+00
  %74 = fmul contract float %73, %72
  %75 = fmul contract float %74, 0x4415AF1D80000000
  %76 = fadd contract float %75, 1.000000e+00
  %77 = fdiv contract float 1.000000e+00, %76
  %78 = getelementptr inbounds float, ptr %1, i64 %68
  store float %77, ptr %78, align 4, !tbaa !6
  br label %79

79:                                               ; preds = %20, %12, %4
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

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0, !1}
!llvm.module.flags = !{!2, !3, !4}
!llvm.ident = !{!5}

!0 = !{ptr @gameoflife, !"kernel", i32 1}
!1 = !{ptr @gameoflife, !"maxntidx", i32 128}
!2 = !{i32 1, !"wchar_size", i32 4}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"clang version 19.1.7"}
!6 = !{!7, !7, i64 0}
!7 = !{!"float", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
