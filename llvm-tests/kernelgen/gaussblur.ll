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
  %17 = icmp slt i32 %15, 2
  br i1 %17, label %180, label %18

18:                                               ; preds = %10
  %19 = add nsw i32 %8, -2
  %20 = icmp slt i32 %15, %19
  %21 = icmp ugt i32 %16, 1
  %22 = and i1 %21, %20
  %23 = add nsw i32 %9, -2
  %24 = icmp slt i32 %16, %23
  %25 = select i1 %22, i1 %24, i1 false
  br i1 %25, label %26, label %180

26:                                               ; preds = %18
  %27 = fadd contract float %3, %4
  %28 = fadd contract float %27, %5
  %29 = fadd contract float %28, %7
  %30 = fmul contract float %29, 4.000000e+00
  %31 = fadd contract float %30, %2
  %32 = fmul contract float %6, 8.000000e+00
  %33 = fadd contract float %32, %31
  %34 = fdiv contract float 1.000000e+00, %33
  %35 = mul nsw i32 %16, %8
  %36 = add nsw i32 %35, %15
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds float, ptr %0, i64 %37
  %39 = load float, ptr %38, align 4, !tbaa !6
  %40 = fmul contract float %39, %2
  %41 = add nsw i32 %15, -1
  %42 = add nsw i32 %35, %41
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds float, ptr %0, i64 %43
  %45 = load float, ptr %44, align 4, !tbaa !6
  %46 = add nuw nsw i32 %15, 1
  %47 = add nsw i32 %35, %46
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds float, ptr %0, i64 %48
  %50 = load float, ptr %49, align 4, !tbaa !6
  %51 = fadd contract float %45, %50
  %52 = add nsw i32 %16, -1
  %53 = mul nsw i32 %52, %8
  %54 = add nsw i32 %53, %15
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds float, ptr %0, i64 %55
  %57 = load float, ptr %56, align 4, !tbaa !6
  %58 = fadd contract float %51, %57
  %59 = add nuw nsw i32 %16, 1
  %60 = mul nsw i32 %59, %8
  %61 = add nsw i32 %60, %15
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds float, ptr %0, i64 %62
  %64 = load float, ptr %63, align 4, !tbaa !6
  %65 = fadd contract float %58, %64
  %66 = fmul contract float %65, %3
  %67 = fadd contract float %40, %66
  %68 = add nsw i32 %53, %41
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds float, ptr %0, i64 %69
  %71 = load float, ptr %70, align 4, !tbaa !6
  %72 = add nsw i32 %53, %46
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds float, ptr %0, i64 %73
  %75 = load float, ptr %74, align 4, !tbaa !6
  %76 = fadd contract float %71, %75
  %77 = add nsw i32 %60, %41
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds float, ptr %0, i64 %78
  %80 = load float, ptr %79, align 4, !tbaa !6
  %81 = fadd contract float %76, %80
  %82 = add nsw i32 %60, %46
  %83 = sext i32 %82 to i64
  %84 = getelementptr inbounds float, ptr %0, i64 %83
  %85 = load float, ptr %84, align 4, !tbaa !6
  %86 = fadd contract float %81, %85
  %87 = fmul contract float %86, %4
  %88 = fadd contract float %67, %87
  %89 = add nsw i32 %15, -2
  %90 = add nsw i32 %35, %89
  %91 = sext i32 %90 to i64
  %92 = getelementptr inbounds float, ptr %0, i64 %91
  %93 = load float, ptr %92, align 4, !tbaa !6
  %94 = add nuw nsw i32 %15, 2
  %95 = add nsw i32 %35, %94
  %96 = sext i32 %95 to i64
  %97 = getelementptr inbounds float, ptr %0, i64 %96
  %98 = load float, ptr %97, align 4, !tbaa !6
  %99 = fadd contract float %93, %98
  %100 = add nsw i32 %16, -2
  %101 = mul nsw i32 %100, %8
  %102 = add nsw i32 %101, %15
  %103 = sext i32 %102 to i64
  %104 = getelementptr inbounds float, ptr %0, i64 %103
  %105 = load float, ptr %104, align 4, !tbaa !6
  %106 = fadd contract float %99, %105
  %107 = add nuw nsw i32 %16, 2
  %108 = mul nsw i32 %107, %8
  %109 = add nsw i32 %108, %15
  %110 = sext i32 %109 to i64
  %111 = getelementptr inbounds float, ptr %0, i64 %110
  %112 = load float, ptr %111, align 4, !tbaa !6
  %113 = fadd contract float %106, %112
  %114 = fmul contract float %113, %5
  %115 = fadd contract float %88, %114
  %116 = add nsw i32 %53, %89
  %117 = sext i32 %116 to i64
  %118 = getelementptr inbounds float, ptr %0, i64 %117
  %119 = load float, ptr %118, align 4, !tbaa !6
  %120 = add nsw i32 %101, %41
  %121 = sext i32 %120 to i64
  %122 = getelementptr inbounds float, ptr %0, i64 %121
  %123 = load float, ptr %122, align 4, !tbaa !6
  %124 = fadd contract float %119, %123
  %125 = add nsw i32 %101, %46
  %126 = sext i32 %125 to i64
  %127 = getelementptr inbounds float, ptr %0, i64 %126
  %128 = load float, ptr %127, align 4, !tbaa !6
  %129 = fadd contract float %124, %128
  %130 = add nsw i32 %53, %94
  %131 = sext i32 %130 to i64
  %132 = getelementptr inbounds float, ptr %0, i64 %131
  %133 = load float, ptr %132, align 4, !tbaa !6
  %134 = fadd contract float %129, %133
  %135 = add nsw i32 %60, %89
  %136 = sext i32 %135 to i64
  %137 = getelementptr inbounds float, ptr %0, i64 %136
  %138 = load float, ptr %137, align 4, !tbaa !6
  %139 = fadd contract float %134, %138
  %140 = add nsw i32 %108, %41
  %141 = sext i32 %140 to i64
  %142 = getelementptr inbounds float, ptr %0, i64 %141
  %143 = load float, ptr %142, align 4, !tbaa !6
  %144 = fadd contract float %139, %143
  %145 = add nsw i32 %108, %46
  %146 = sext i32 %145 to i64
  %147 = getelementptr inbounds float, ptr %0, i64 %146
  %148 = load float, ptr %147, align 4, !tbaa !6
  %149 = fadd contract float %144, %148
  %150 = add nsw i32 %60, %94
  %151 = sext i32 %150 to i64
  %152 = getelementptr inbounds float, ptr %0, i64 %151
  %153 = load float, ptr %152, align 4, !tbaa !6
  %154 = fadd contract float %149, %153
  %155 = fmul contract float %154, %6
  %156 = fadd contract float %115, %155
  %157 = add nsw i32 %101, %89
  %158 = sext i32 %157 to i64
  %159 = getelementptr inbounds float, ptr %0, i64 %158
  %160 = load float, ptr %159, align 4, !tbaa !6
  %161 = add nsw i32 %101, %94
  %162 = sext i32 %161 to i64
  %163 = getelementptr inbounds float, ptr %0, i64 %162
  %164 = load float, ptr %163, align 4, !tbaa !6
  %165 = fadd contract float %160, %164
  %166 = add nsw i32 %108, %89
  %167 = sext i32 %166 to i64
  %168 = getelementptr inbounds float, ptr %0, i64 %167
  %169 = load float, ptr %168, align 4, !tbaa !6
  %170 = fadd contract float %165, %169
  %171 = add nsw i32 %108, %94
  %172 = sext i32 %171 to i64
  %173 = getelementptr inbounds float, ptr %0, i64 %172
  %174 = load float, ptr %173, align 4, !tbaa !6
  %175 = fadd contract float %170, %174
  %176 = fmul contract float %175, %7
  %177 = fadd contract float %156, %176
  %178 = fmul contract float %34, %177
  %179 = getelementptr inbounds float, ptr %1, i64 %37
  store float %178, ptr %179, align 4, !tbaa !6
  br label %180

180:                                              ; preds = %10, %18, %26
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
