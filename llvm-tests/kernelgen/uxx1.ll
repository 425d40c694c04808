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
  %19 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %20 = mul nuw nsw i32 %18, %19
  %21 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %22 = add nuw nsw i32 %20, %21
  %23 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %24 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %25 = mul nuw nsw i32 %23, %24
  %26 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %27 = add nuw nsw i32 %25, %26
  %28 = icmp slt i32 %17, 2
  br i1 %28, label %153, label %29

29:                                               ; preds = %12
  %30 = add nsw i32 %9, -1
  %31 = icmp sge i32 %17, %30
  %32 = icmp ult i32 %22, 2
  %33 = or i1 %32, %31
  br i1 %33, label %153, label %34

34:                                               ; preds = %29
  %35 = add nsw i32 %10, -1
  %36 = icmp slt i32 %22, %35
  %37 = icmp ugt i32 %27, 1
  %38 = and i1 %37, %36
  %39 = add nsw i32 %11, -1
  %40 = icmp slt i32 %27, %39
  %41 = select i1 %38, i1 %40, i1 false
  br i1 %41, label %42, label %153

42:                                               ; preds = %34
  %43 = mul nsw i32 %27, %10
  %44 = add nsw i32 %43, %22
  %45 = mul nsw i32 %44, %9
  %46 = add nsw i32 %45, %17
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds float, ptr %0, i64 %47
  %49 = load float, ptr %48, align 4, !tbaa !6
  %50 = add nsw i32 %22, -1
  %51 = add nsw i32 %43, %50
  %52 = mul nsw i32 %51, %9
  %53 = add nsw i32 %52, %17
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds float, ptr %0, i64 %54
  %56 = load float, ptr %55, align 4, !tbaa !6
  %57 = fadd contract float %49, %56
  %58 = add nsw i32 %27, -1
  %59 = mul nsw i32 %58, %10
  %60 = add nsw i32 %59, %22
  %61 = mul nsw i32 %60, %9
  %62 = add nsw i32 %61, %17
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds float, ptr %0, i64 %63
  %65 = load float, ptr %64, align 4, !tbaa !6
  %66 = fadd contract float %57, %65
  %67 = add nsw i32 %59, %50
  %68 = mul nsw i32 %67, %9
  %69 = add nsw i32 %68, %17
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds float, ptr %0, i64 %70
  %72 = load float, ptr %71, align 4, !tbaa !6
  %73 = fadd contract float %66, %72
  %74 = fmul contract float %73, 2.500000e-01
  %75 = getelementptr inbounds float, ptr %1, i64 %47
  %76 = load float, ptr %75, align 4, !tbaa !6
  %77 = fdiv contract float %8, %74
  %78 = getelementptr inbounds float, ptr %3, i64 %47
  %79 = load float, ptr %78, align 4, !tbaa !6
  %80 = add nsw i32 %17, -1
  %81 = add nsw i32 %80, %45
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds float, ptr %3, i64 %82
  %84 = load float, ptr %83, align 4, !tbaa !6
  %85 = fsub contract float %79, %84
  %86 = fmul contract float %85, %6
  %87 = add nuw nsw i32 %17, 1
  %88 = add nsw i32 %87, %45
  %89 = sext i32 %88 to i64
  %90 = getelementptr inbounds float, ptr %3, i64 %89
  %91 = load float, ptr %90, align 4, !tbaa !6
  %92 = add nsw i32 %17, -2
  %93 = add nsw i32 %92, %45
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds float, ptr %3, i64 %94
  %96 = load float, ptr %95, align 4, !tbaa !6
  %97 = fsub contract float %91, %96
  %98 = fmul contract float %97, %7
  %99 = fadd contract float %86, %98
  %100 = getelementptr inbounds float, ptr %4, i64 %47
  %101 = load float, ptr %100, align 4, !tbaa !6
  %102 = getelementptr inbounds float, ptr %4, i64 %54
  %103 = load float, ptr %102, align 4, !tbaa !6
  %104 = fsub contract float %101, %103
  %105 = fmul contract float %104, %6
  %106 = fadd contract float %99, %105
  %107 = add nuw nsw i32 %22, 1
  %108 = add nsw i32 %107, %43
  %109 = mul nsw i32 %108, %9
  %110 = add nsw i32 %109, %17
  %111 = sext i32 %110 to i64
  %112 = getelementptr inbounds float, ptr %4, i64 %111
  %113 = load float, ptr %112, align 4, !tbaa !6
  %114 = add nsw i32 %22, -2
  %115 = add nsw i32 %114, %43
  %116 = mul nsw i32 %115, %9
  %117 = add nsw i32 %116, %17
  %118 = sext i32 %117 to i64
  %119 = getelementptr inbounds float, ptr %4, i64 %118
  %120 = load float, ptr %119, align 4, !tbaa !6
  %121 = fsub contract float %113, %120
  %122 = fmul contract float %121, %7
  %123 = fadd contract float %106, %122
  %124 = getelementptr inbounds float, ptr %5, i64 %47
  %125 = load float, ptr %124, align 4, !tbaa !6
  %126 = getelementptr inbounds float, ptr %5, i64 %63
  %127 = load float, ptr %126, align 4, !tbaa !6
  %128 = fsub contract float %125, %127
  %129 = fmul contract float %128, %6
  %130 = fadd contract float %123, %129
  %131 = add nuw nsw i32 %27, 1
  %132 = mul nsw i32 %131, %10
  %133 = add nsw i32 %132, %22
  %134 = mul nsw i32 %133, %9
  %135 = add nsw i32 %134, %17
  %136 = sext i32 %135 to i64
  %137 = getelementptr inbounds float, ptr %5, i64 %136
  %138 = load float, ptr %137, align 4, !tbaa !6
  %139 = add nsw i32 %27, -2
  %140 = mul nsw i32 %139, %10
  %141 = add nsw i32 %140, %22
  %142 = mul nsw i32 %141, %9
  %143 = add nsw i32 %142, %17
  %144 = sext i32 %143 to i64
  %145 = getelementptr inbounds float, ptr %5, i64 %144
  %146 = load float, ptr %145, align 4, !tbaa !6
  %147 = fsub contract float %138, %146
  %148 = fmul contract float %147, %7
  %149 = fadd contract float %130, %148
  %150 = fmul contract float %77, %149
  %151 = fadd contract float %76, %150
  %152 = getelementptr inbounds float, ptr %2, i64 %47
  store float %151, ptr %152, align 4, !tbaa !6
  br label %153

153:                                              ; preds = %12, %29, %34, %42
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
