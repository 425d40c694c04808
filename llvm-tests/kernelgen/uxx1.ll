; ModuleID = 'uxx1.cu'
source_filename = "uxx1.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @uxx1(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef writeonly %2, ptr noalias nocapture noundef readonly %3, ptr noalias nocapture noundef readonly %4, ptr noalias nocapture noundef readonly %5, float noundef %6, float noundef %7, float noundef %8, i32 noundef %9, i32 noundef %10, i32 noundef %11) local_unnamed_addr #0 {
  %13 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %14 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %15 = mul i32 %13, %14
  %16 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %17 = add i32 %15, %16
  %18 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %19 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %20 = icmp slt i32 %17, 2
  br i1 %20, label %145, label %21

21:                                               ; preds = %12
  %22 = add nsw i32 %9, -1
  %23 = icmp sge i32 %17, %22
  %24 = icmp ult i32 %18, 2
  %25 = or i1 %24, %23
  br i1 %25, label %145, label %26

26:                                               ; preds = %21
  %27 = add nsw i32 %10, -1
  %28 = icmp slt i32 %18, %27
  %29 = icmp ugt i32 %19, 1
  %30 = and i1 %29, %28
  %31 = add nsw i32 %11, -1
  %32 = icmp slt i32 %19, %31
  %33 = select i1 %30, i1 %32, i1 false
  br i1 %33, label %34, label %145

34:                                               ; preds = %26
  %35 = mul nsw i32 %19, %10
  %36 = add nsw i32 %35, %18
  %37 = mul nsw i32 %36, %9
  %38 = add nsw i32 %37, %17
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds float, ptr %0, i64 %39
  %41 = load float, ptr %40, align 4, !tbaa !6
  %42 = add nsw i32 %18, -1
  %43 = add nsw i32 %35, %42
  %44 = mul nsw i32 %43, %9
  %45 = add nsw i32 %44, %17
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds float, ptr %0, i64 %46
  %48 = load float, ptr %47, align 4, !tbaa !6
  %49 = fadd contract float %41, %48
  %50 = add nsw i32 %19, -1
  %51 = mul nsw i32 %50, %10
  %52 = add nsw i32 %51, %18
  %53 = mul nsw i32 %52, %9
  %54 = add nsw i32 %53, %17
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds float, ptr %0, i64 %55
  %57 = load float, ptr %56, align 4, !tbaa !6
  %58 = fadd contract float %49, %57
  %59 = add nsw i32 %51, %42
  %60 = mul nsw i32 %59, %9
  %61 = add nsw i32 %60, %17
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds float, ptr %0, i64 %62
  %64 = load float, ptr %63, align 4, !tbaa !6
  %65 = fadd contract float %58, %64
  %66 = fmul contract float %65, 2.500000e-01
  %67 = getelementptr inbounds float, ptr %1, i64 %39
  %68 = load float, ptr %67, align 4, !tbaa !6
  %69 = fdiv contract float %8, %66
  %70 = getelementptr inbounds float, ptr %3, i64 %39
  %71 = load float, ptr %70, align 4, !tbaa !6
  %72 = add nsw i32 %17, -1
  %73 = add nsw i32 %72, %37
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds float, ptr %3, i64 %74
  %76 = load float, ptr %75, align 4, !tbaa !6
  %77 = fsub contract float %71, %76
  %78 = fmul contract float %77, %6
  %79 = add nuw nsw i32 %17, 1
  %80 = add nsw i32 %79, %37
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds float, ptr %3, i64 %81
  %83 = load float, ptr %82, align 4, !tbaa !6
  %84 = add nsw i32 %17, -2
  %85 = add nsw i32 %84, %37
  %86 = sext i32 %85 to i64
  %87 = getelementptr inbounds float, ptr %3, i64 %86
  %88 = load float, ptr %87, align 4, !tbaa !6
  %89 = fsub contract float %83, %88
  %90 = fmul contract float %89, %7
  %91 = fadd contract float %78, %90
  %92 = getelementptr inbounds float, ptr %4, i64 %39
  %93 = load float, ptr %92, align 4, !tbaa !6
  %94 = getelementptr inbounds float, ptr %4, i64 %46
  %95 = load float, ptr %94, align 4, !tbaa !6
  %96 = fsub contract float %93, %95
  %97 = fmul contract float %96, %6
  %98 = fadd contract float %91, %97
  %99 = add nuw nsw i32 %18, 1
  %100 = add nsw i32 %99, %35
  %101 = mul nsw i32 %100, %9
  %102 = add nsw i32 %101, %17
  %103 = sext i32 %102 to i64
  %104 = getelementptr inbounds float, ptr %4, i64 %103
  %105 = load float, ptr %104, align 4, !tbaa !6
  %106 = add nsw i32 %18, -2
  %107 = add nsw i32 %106, %35
  %108 = mul nsw i32 %107, %9
  %109 = add nsw i32 %108, %17
  %110 = sext i32 %109 to i64
  %111 = getelementptr inbounds float, ptr %4, i64 %110
  %112 = load float, ptr %111, align 4, !tbaa !6
  %113 = fsub contract float %105, %112
  %114 = fmul contract float %113, %7
  %115 = fadd contract float %98, %114
  %116 = getelementptr inbounds float, ptr %5, i64 %39
  %117 = load float, ptr %116, align 4, !tbaa !6
  %118 = getelementptr inbounds float, ptr %5, i64 %55
  %119 = load float, ptr %118, align 4, !tbaa !6
  %120 = fsub contract float %117, %119
  %121 = fmul contract float %120, %6
  %122 = fadd contract float %115, %121
  %123 = add nuw nsw i32 %19, 1
  %124 = mul nsw i32 %123, %10
  %125 = add nsw i32 %124, %18
  %126 = mul nsw i32 %125, %9
  %127 = add nsw i32 %126, %17
  %128 = sext i32 %127 to i64
  %129 = getelementptr inbounds float, ptr %5, i64 %128
  %130 = load float, ptr %129, align 4, !tbaa !6
  %131 = add nsw i32 %19, -2
  %132 = mul nsw i32 %131, %10
  %133 = add nsw i32 %132, %18
  %134 = mul nsw i32 %133, %9
  %135 = add nsw i32 %134, %17
  %136 = sext i32 %135 to i64
  %137 = getelementptr inbounds float, ptr %5, i64 %136
  %138 = load float, ptr %137, align 4, !tbaa !6
  %139 = fsub contract float %130, %138
  %140 = fmul contract float %139, %7
  %141 = fadd contract float %122, %140
  %142 = fmul contract float %69, %141
  %143 = fadd contract float %68, %142
  %144 = getelementptr inbounds float, ptr %2, i64 %39
  store float %143, ptr %144, align 4, !tbaa !6
  br label %145

145:                                              ; preds = %12, %21, %26, %34
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

!0 = !{ptr @uxx1, !"kernel", i32 1}
!1 = !{ptr @uxx1, !"maxntidx", i32 128}
!2 = !{i32 1, !"wchar_size", i32 4}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"clang version 19.1.7"}
!6 = !{!7, !7, i64 0}
!7 = !{!"float", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
