; ModuleID = 'gaussblur.cu'
source_filename = "gaussblur.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @gaussblur(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1, float noundef %2, float noundef %3, float noundef %4, float noundef %5, float noundef %6, float noundef %7, i32 noundef %8, i32 noundef %9) local_unnamed_addr #0 {
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
  %21 = icmp slt i32 %15, 2
  br i1 %21, label %184, label %22

22:                                               ; preds = %10
  %23 = add nsw i32 %8, -2
  %24 = icmp slt i32 %15, %23
  %25 = icmp ugt i32 %20, 1
  %26 = and i1 %25, %24
  %27 = add nsw i32 %9, -2
  %28 = icmp slt i32 %20, %27
  %29 = select i1 %26, i1 %28, i1 false
  br i1 %29, label %30, label %184

30:                                               ; preds = %22
  %31 = fadd contract float %3, %4
  %32 = fadd contract float %31, %5
  %33 = fadd contract float %32, %7
  %34 = fmul contract float %33, 4.000000e+00
  %35 = fadd contract float %34, %2
  %36 = fmul contract float %6, 8.000000e+00
  %37 = fadd contract float %36, %35
  %38 = fdiv contract float 1.000000e+00, %37
  %39 = mul nsw i32 %20, %8
  %40 = add nsw i32 %39, %15
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds float, ptr %0, i64 %41
  %43 = load float, ptr %42, align 4, !tbaa !6
  %44 = fmul contract float %43, %2
  %45 = add nsw i32 %15, -1
  %46 = add nsw i32 %39, %45
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds float, ptr %0, i64 %47
  %49 = load float, ptr %48, align 4, !tbaa !6
  %50 = add nuw nsw i32 %15, 1
  %51 = add nsw i32 %39, %50
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds float, ptr %0, i64 %52
  %54 = load float, ptr %53, align 4, !tbaa !6
  %55 = fadd contract float %49, %54
  %56 = add nsw i32 %20, -1
  %57 = mul nsw i32 %56, %8
  %58 = add nsw i32 %57, %15
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds float, ptr %0, i64 %59
  %61 = load float, ptr %60, align 4, !tbaa !6
  %62 = fadd contract float %55, %61
  %63 = add nuw nsw i32 %20, 1
  %64 = mul nsw i32 %63, %8
  %65 = add nsw i32 %64, %15
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds float, ptr %0, i64 %66
  %68 = load float, ptr %67, align 4, !tbaa !6
  %69 = fadd contract float %62, %68
  %70 = fmul contract float %69, %3
  %71 = fadd contract float %44, %70
  %72 = add nsw i32 %57, %45
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds float, ptr %0, i64 %73
  %75 = load float, ptr %74, align 4, !tbaa !6
  %76 = add nsw i32 %57, %50
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds float, ptr %0, i64 %77
  %79 = load float, ptr %78, align 4, !tbaa !6
  %80 = fadd contract float %75, %79
  %81 = add nsw i32 %64, %45
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds float, ptr %0, i64 %82
  %84 = load float, ptr %83, align 4, !tbaa !6
  %85 = fadd contract float %80, %84
  %86 = add nsw i32 %64, %50
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds float, ptr %0, i64 %87
  %89 = load float, ptr %88, align 4, !tbaa !6
  %90 = fadd contract float %85, %89
  %91 = fmul contract float %90, %4
  %92 = fadd contract float %71, %91
  %93 = add nsw i32 %15, -2
  %94 = add nsw i32 %39, %93
  %95 = sext i32 %94 to i64
  %96 = getelementptr inbounds float, ptr %0, i64 %95
  %97 = load float, ptr %96, align 4, !tbaa !6
  %98 = add nuw nsw i32 %15, 2
  %99 = add nsw i32 %39, %98
  %100 = sext i32 %99 to i64
  %101 = getelementptr inbounds float, ptr %0, i64 %100
  %102 = load float, ptr %101, align 4, !tbaa !6
  %103 = fadd contract float %97, %102
  %104 = add nsw i32 %20, -2
  %105 = mul nsw i32 %104, %8
  %106 = add nsw i32 %105, %15
  %107 = sext i32 %106 to i64
  %108 = getelementptr inbounds float, ptr %0, i64 %107
  %109 = load float, ptr %108, align 4, !tbaa !6
  %110 = fadd contract float %103, %109
  %111 = add nuw nsw i32 %20, 2
  %112 = mul nsw i32 %111, %8
  %113 = add nsw i32 %112, %15
  %114 = sext i32 %113 to i64
  %115 = getelementptr inbounds float, ptr %0, i64 %114
  %116 = load float, ptr %115, align 4, !tbaa !6
  %117 = fadd contract float %110, %116
  %118 = fmul contract float %117, %5
  %119 = fadd contract float %92, %118
  %120 = add nsw i32 %57, %93
  %121 = sext i32 %120 to i64
  %122 = getelementptr inbounds float, ptr %0, i64 %121
  %123 = load float, ptr %122, align 4, !tbaa !6
  %124 = add nsw i32 %105, %45
  %125 = sext i32 %124 to i64
  %126 = getelementptr inbounds float, ptr %0, i64 %125
  %127 = load float, ptr %126, align 4, !tbaa !6
  %128 = fadd contract float %123, %127
  %129 = add nsw i32 %105, %50
  %130 = sext i32 %129 to i64
  %131 = getelementptr inbounds float, ptr %0, i64 %130
  %132 = load float, ptr %131, align 4, !tbaa !6
  %133 = fadd contract float %128, %132
  %134 = add nsw i32 %57, %98
  %135 = sext i32 %134 to i64
  %136 = getelementptr inbounds float, ptr %0, i64 %135
  %137 = load float, ptr %136, align 4, !tbaa !6
  %138 = fadd contract float %133, %137
  %139 = add nsw i32 %64, %93
  %140 = sext i32 %139 to i64
  %141 = getelementptr inbounds float, ptr %0, i64 %140
  %142 = load float, ptr %141, align 4, !tbaa !6
  %143 = fadd contract float %138, %142
  %144 = add nsw i32 %112, %45
  %145 = sext i32 %144 to i64
  %146 = getelementptr inbounds float, ptr %0, i64 %145
  %147 = load float, ptr %146, align 4, !tbaa !6
  %148 = fadd contract float %143, %147
  %149 = add nsw i32 %112, %50
  %150 = sext i32 %149 to i64
  %151 = getelementptr inbounds float, ptr %0, i64 %150
  %152 = load float, ptr %151, align 4, !tbaa !6
  %153 = fadd contract float %148, %152
  %154 = add nsw i32 %64, %98
  %155 = sext i32 %154 to i64
  %156 = getelementptr inbounds float, ptr %0, i64 %155
  %157 = load float, ptr %156, align 4, !tbaa !6
  %158 = fadd contract float %153, %157
  %159 = fmul contract float %158, %6
  %160 = fadd contract float %119, %159
  %161 = add nsw i32 %105, %93
  %162 = sext i32 %161 to i64
  %163 = getelementptr inbounds float, ptr %0, i64 %162
  %164 = load float, ptr %163, align 4, !tbaa !6
  %165 = add nsw i32 %105, %98
  %166 = sext i32 %165 to i64
  %167 = getelementptr inbounds float, ptr %0, i64 %166
  %168 = load float, ptr %167, align 4, !tbaa !6
  %169 = fadd contract float %164, %168
  %170 = add nsw i32 %112, %93
  %171 = sext i32 %170 to i64
  %172 = getelementptr inbounds float, ptr %0, i64 %171
  %173 = load float, ptr %172, align 4, !tbaa !6
  %174 = fadd contract float %169, %173
  %175 = add nsw i32 %112, %98
  %176 = sext i32 %175 to i64
  %177 = getelementptr inbounds float, ptr %0, i64 %176
  %178 = load float, ptr %177, align 4, !tbaa !6
  %179 = fadd contract float %174, %178
  %180 = fmul contract float %179, %7
  %181 = fadd contract float %160, %180
  %182 = fmul contract float %38, %181
  %183 = getelementptr inbounds float, ptr %1, i64 %41
  store float %182, ptr %183, align 4, !tbaa !6
  br label %184

184:                                              ; preds = %10, %22, %30
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

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0, !1}
!llvm.module.flags = !{!2, !3, !4}
!llvm.ident = !{!5}

!0 = !{ptr @gaussblur, !"kernel", i32 1}
!1 = !{ptr @gaussblur, !"maxntidx", i32 128}
!2 = !{i32 1, !"wchar_size", i32 4}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"clang version 19.1.7"}
!6 = !{!7, !7, i64 0}
!7 = !{!"float", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
