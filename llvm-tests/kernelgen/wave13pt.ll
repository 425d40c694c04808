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
  %16 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %17 = mul nuw nsw i32 %15, %16
  %18 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %19 = add nuw nsw i32 %17, %18
  %20 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %21 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %22 = mul nuw nsw i32 %20, %21
  %23 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %24 = add nuw nsw i32 %22, %23
  %25 = icmp slt i32 %14, 2
  br i1 %25, label %146, label %26

26:                                               ; preds = %9
  %27 = add nsw i32 %6, -2
  %28 = icmp sge i32 %14, %27
  %29 = icmp ult i32 %19, 2
  %30 = or i1 %29, %28
  br i1 %30, label %146, label %31

31:                                               ; preds = %26
  %32 = add nsw i32 %7, -2
  %33 = icmp slt i32 %19, %32
  %34 = icmp ugt i32 %24, 1
  %35 = and i1 %34, %33
  %36 = add nsw i32 %8, -2
  %37 = icmp slt i32 %24, %36
  %38 = select i1 %35, i1 %37, i1 false
  br i1 %38, label %39, label %146

39:                                               ; preds = %31
  %40 = mul nsw i32 %24, %7
  %41 = add nsw i32 %40, %19
  %42 = mul nsw i32 %41, %6
  %43 = add nsw i32 %42, %14
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds float, ptr %1, i64 %44
  %46 = load float, ptr %45, align 4, !tbaa !6
  %47 = fmul contract float %46, %3
  %48 = getelementptr inbounds float, ptr %0, i64 %44
  %49 = load float, ptr %48, align 4, !tbaa !6
  %50 = fsub contract float %47, %49
  %51 = add nuw nsw i32 %14, 1
  %52 = add nsw i32 %51, %42
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds float, ptr %1, i64 %53
  %55 = load float, ptr %54, align 4, !tbaa !6
  %56 = add nsw i32 %14, -1
  %57 = add nsw i32 %56, %42
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds float, ptr %1, i64 %58
  %60 = load float, ptr %59, align 4, !tbaa !6
  %61 = fadd contract float %55, %60
  %62 = add nuw nsw i32 %19, 1
  %63 = add nsw i32 %62, %40
  %64 = mul nsw i32 %63, %6
  %65 = add nsw i32 %64, %14
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds float, ptr %1, i64 %66
  %68 = load float, ptr %67, align 4, !tbaa !6
  %69 = fadd contract float %61, %68
  %70 = add nsw i32 %19, -1
  %71 = add nsw i32 %70, %40
  %72 = mul nsw i32 %71, %6
  %73 = add nsw i32 %72, %14
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds float, ptr %1, i64 %74
  %76 = load float, ptr %75, align 4, !tbaa !6
  %77 = fadd contract float %69, %76
  %78 = add nuw nsw i32 %24, 1
  %79 = mul nsw i32 %78, %7
  %80 = add nsw i32 %79, %19
  %81 = mul nsw i32 %80, %6
  %82 = add nsw i32 %81, %14
  %83 = sext i32 %82 to i64
  %84 = getelementptr inbounds float, ptr %1, i64 %83
  %85 = load float, ptr %84, align 4, !tbaa !6
  %86 = fadd contract float %77, %85
  %87 = add nsw i32 %24, -1
  %88 = mul nsw i32 %87, %7
  %89 = add nsw i32 %88, %19
  %90 = mul nsw i32 %89, %6
  %91 = add nsw i32 %90, %14
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds float, ptr %1, i64 %92
  %94 = load float, ptr %93, align 4, !tbaa !6
  %95 = fadd contract float %86, %94
  %96 = fmul contract float %95, %4
  %97 = fadd contract float %50, %96
  %98 = add nuw nsw i32 %14, 2
  %99 = add nsw i32 %98, %42
  %100 = sext i32 %99 to i64
  %101 = getelementptr inbounds float, ptr %1, i64 %100
  %102 = load float, ptr %101, align 4, !tbaa !6
  %103 = add nsw i32 %14, -2
  %104 = add nsw i32 %103, %42
  %105 = sext i32 %104 to i64
  %106 = getelementptr inbounds float, ptr %1, i64 %105
  %107 = load float, ptr %106, align 4, !tbaa !6
  %108 = fadd contract float %102, %107
  %109 = add nuw nsw i32 %19, 2
  %110 = add nsw i32 %109, %40
  %111 = mul nsw i32 %110, %6
  %112 = add nsw i32 %111, %14
  %113 = sext i32 %112 to i64
  %114 = getelementptr inbounds float, ptr %1, i64 %113
  %115 = load float, ptr %114, align 4, !tbaa !6
  %116 = fadd contract float %108, %115
  %117 = add nsw i32 %19, -2
  %118 = add nsw i32 %117, %40
  %119 = mul nsw i32 %118, %6
  %120 = add nsw i32 %119, %14
  %121 = sext i32 %120 to i64
  %122 = getelementptr inbounds float, ptr %1, i64 %121
  %123 = load float, ptr %122, align 4, !tbaa !6
  %124 = fadd contract float %116, %123
  %125 = add nuw nsw i32 %24, 2
  %126 = mul nsw i32 %125, %7
  %127 = add nsw i32 %126, %19
  %128 = mul nsw i32 %127, %6
  %129 = add nsw i32 %128, %14
  %130 = sext i32 %129 to i64
  %131 = getelementptr inbounds float, ptr %1, i64 %130
  %132 = load float, ptr %131, align 4, !tbaa !6
  %133 = fadd contract float %124, %132
  %134 = add nsw i32 %24, -2
  %135 = mul nsw i32 %134, %7
  %136 = add nsw i32 %135, %19
  %137 = mul nsw i32 %136, %6
  %138 = add nsw i32 %137, %14
  %139 = sext i32 %138 to i64
  %140 = getelementptr inbounds float, ptr %1, i64 %139
  %141 = load float, ptr %140, align 4, !tbaa !6
  %142 = fadd contract float %133, %141
  %143 = fmul contract float %142, %5
  %144 = fadd contract float %97, %143
  %145 = getelementptr inbounds float, ptr %2, i64 %44
  store float %144, ptr %145, align 4, !tbaa !6
  br label %146

146:                                              ; preds = %9, %26, %31, %39
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
