; ModuleID = 'wave13pt.cu'
source_filename = "wave13pt.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @wave13pt(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef writeonly %2, float noundef %3, float noundef %4, float noundef %5, i32 noundef %6, i32 noundef %7, i32 noundef %8) local_unnamed_addr #0 {
  %10 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %11 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %12 = mul i32 %10, %11
  %13 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %14 = add i32 %12, %13
  %15 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %16 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %17 = icmp slt i32 %14, 2
  br i1 %17, label %138, label %18

18:                                               ; preds = %9
  %19 = add nsw i32 %6, -2
  %20 = icmp sge i32 %14, %19
  %21 = icmp ult i32 %15, 2
  %22 = or i1 %21, %20
  br i1 %22, label %138, label %23

23:                                               ; preds = %18
  %24 = add nsw i32 %7, -2
  %25 = icmp slt i32 %15, %24
  %26 = icmp ugt i32 %16, 1
  %27 = and i1 %26, %25
  %28 = add nsw i32 %8, -2
  %29 = icmp slt i32 %16, %28
  %30 = select i1 %27, i1 %29, i1 false
  br i1 %30, label %31, label %138

31:                                               ; preds = %23
  %32 = mul nsw i32 %16, %7
  %33 = add nsw i32 %32, %15
  %34 = mul nsw i32 %33, %6
  %35 = add nsw i32 %34, %14
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds float, ptr %1, i64 %36
  %38 = load float, ptr %37, align 4, !tbaa !6
  %39 = fmul contract float %38, %3
  %40 = getelementptr inbounds float, ptr %0, i64 %36
  %41 = load float, ptr %40, align 4, !tbaa !6
  %42 = fsub contract float %39, %41
  %43 = add nuw nsw i32 %14, 1
  %44 = add nsw i32 %43, %34
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds float, ptr %1, i64 %45
  %47 = load float, ptr %46, align 4, !tbaa !6
  %48 = add nsw i32 %14, -1
  %49 = add nsw i32 %48, %34
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds float, ptr %1, i64 %50
  %52 = load float, ptr %51, align 4, !tbaa !6
  %53 = fadd contract float %47, %52
  %54 = add nuw nsw i32 %15, 1
  %55 = add nsw i32 %54, %32
  %56 = mul nsw i32 %55, %6
  %57 = add nsw i32 %56, %14
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds float, ptr %1, i64 %58
  %60 = load float, ptr %59, align 4, !tbaa !6
  %61 = fadd contract float %53, %60
  %62 = add nsw i32 %15, -1
  %63 = add nsw i32 %62, %32
  %64 = mul nsw i32 %63, %6
  %65 = add nsw i32 %64, %14
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds float, ptr %1, i64 %66
  %68 = load float, ptr %67, align 4, !tbaa !6
  %69 = fadd contract float %61, %68
  %70 = add nuw nsw i32 %16, 1
  %71 = mul nsw i32 %70, %7
  %72 = add nsw i32 %71, %15
  %73 = mul nsw i32 %72, %6
  %74 = add nsw i32 %73, %14
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds float, ptr %1, i64 %75
  %77 = load float, ptr %76, align 4, !tbaa !6
  %78 = fadd contract float %69, %77
  %79 = add nsw i32 %16, -1
  %80 = mul nsw i32 %79, %7
  %81 = add nsw i32 %80, %15
  %82 = mul nsw i32 %81, %6
  %83 = add nsw i32 %82, %14
  %84 = sext i32 %83 to i64
  %85 = getelementptr inbounds float, ptr %1, i64 %84
  %86 = load float, ptr %85, align 4, !tbaa !6
  %87 = fadd contract float %78, %86
  %88 = fmul contract float %87, %4
  %89 = fadd contract float %42, %88
  %90 = add nuw nsw i32 %14, 2
  %91 = add nsw i32 %90, %34
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds float, ptr %1, i64 %92
  %94 = load float, ptr %93, align 4, !tbaa !6
  %95 = add nsw i32 %14, -2
  %96 = add nsw i32 %95, %34
  %97 = sext i32 %96 to i64
  %98 = getelementptr inbounds float, ptr %1, i64 %97
  %99 = load float, ptr %98, align 4, !tbaa !6
  %100 = fadd contract float %94, %99
  %101 = add nuw nsw i32 %15, 2
  %102 = add nsw i32 %101, %32
  %103 = mul nsw i32 %102, %6
  %104 = add nsw i32 %103, %14
  %105 = sext i32 %104 to i64
  %106 = getelementptr inbounds float, ptr %1, i64 %105
  %107 = load float, ptr %106, align 4, !tbaa !6
  %108 = fadd contract float %100, %107
  %109 = add nsw i32 %15, -2
  %110 = add nsw i32 %109, %32
  %111 = mul nsw i32 %110, %6
  %112 = add nsw i32 %111, %14
  %113 = sext i32 %112 to i64
  %114 = getelementptr inbounds float, ptr %1, i64 %113
  %115 = load float, ptr %114, align 4, !tbaa !6
  %116 = fadd contract float %108, %115
  %117 = add nuw nsw i32 %16, 2
  %118 = mul nsw i32 %117, %7
  %119 = add nsw i32 %118, %15
  %120 = mul nsw i32 %119, %6
  %121 = add nsw i32 %120, %14
  %122 = sext i32 %121 to i64
  %123 = getelementptr inbounds float, ptr %1, i64 %122
  %124 = load float, ptr %123, align 4, !tbaa !6
  %125 = fadd contract float %116, %124
  %126 = add nsw i32 %16, -2
  %127 = mul nsw i32 %126, %7
  %128 = add nsw i32 %127, %15
  %129 = mul nsw i32 %128, %6
  %130 = add nsw i32 %129, %14
  %131 = sext i32 %130 to i64
  %132 = getelementptr inbounds float, ptr %1, i64 %131
  %133 = load float, ptr %132, align 4, !tbaa !6
  %134 = fadd contract float %125, %133
  %135 = fmul contract float %134, %5
  %136 = fadd contract float %89, %135
  %137 = getelementptr inbounds float, ptr %2, i64 %36
  store float %136, ptr %137, align 4, !tbaa !6
  br label %138

138:                                              ; preds = %9, %18, %23, %31
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

!0 = !{ptr @wave13pt, !"kernel", i32 1}
!1 = !{ptr @wave13pt, !"maxntidx", i32 128}
!2 = !{i32 1, !"wchar_size", i32 4}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"clang version 19.1.7"}
!6 = !{!7, !7, i64 0}
!7 = !{!"float", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
