; ModuleID = 'lapgsrb.cu'
source_filename = "lapgsrb.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @lapgsrb(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1, float noundef %2, float noundef %3, float noundef %4, float noundef %5, i32 noundef %6, i32 noundef %7, i32 noundef %8) local_unnamed_addr #0 {
  %10 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %11 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %12 = mul i32 %10, %11
  %13 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %14 = add i32 %12, %13
  %15 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %16 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %17 = icmp slt i32 %14, 2
  br i1 %17, label %204, label %18

18:                                               ; preds = %9
  %19 = add nsw i32 %6, -2
  %20 = icmp sge i32 %14, %19
  %21 = icmp ult i32 %15, 2
  %22 = or i1 %21, %20
  br i1 %22, label %204, label %23

23:                                               ; preds = %18
  %24 = add nsw i32 %7, -2
  %25 = icmp slt i32 %15, %24
  %26 = icmp ugt i32 %16, 1
  %27 = and i1 %26, %25
  %28 = add nsw i32 %8, -2
  %29 = icmp slt i32 %16, %28
  %30 = select i1 %27, i1 %29, i1 false
  br i1 %30, label %31, label %204

31:                                               ; preds = %23
  %32 = mul nsw i32 %16, %7
  %33 = add nsw i32 %32, %15
  %34 = mul nsw i32 %33, %6
  %35 = add nsw i32 %34, %14
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds float, ptr %0, i64 %36
  %38 = load float, ptr %37, align 4, !tbaa !6
  %39 = fmul contract float %38, %2
  %40 = add nsw i32 %14, -1
  %41 = add nsw i32 %34, %40
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds float, ptr %0, i64 %42
  %44 = load float, ptr %43, align 4, !tbaa !6
  %45 = add nuw nsw i32 %14, 1
  %46 = add nsw i32 %34, %45
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds float, ptr %0, i64 %47
  %49 = load float, ptr %48, align 4, !tbaa !6
  %50 = fadd contract float %44, %49
  %51 = add nsw i32 %15, -1
  %52 = add nsw i32 %32, %51
  %53 = mul nsw i32 %52, %6
  %54 = add nsw i32 %53, %14
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds float, ptr %0, i64 %55
  %57 = load float, ptr %56, align 4, !tbaa !6
  %58 = fadd contract float %50, %57
  %59 = add nuw nsw i32 %15, 1
  %60 = add nsw i32 %32, %59
  %61 = mul nsw i32 %60, %6
  %62 = add nsw i32 %61, %14
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds float, ptr %0, i64 %63
  %65 = load float, ptr %64, align 4, !tbaa !6
  %66 = fadd contract float %58, %65
  %67 = add nsw i32 %16, -1
  %68 = mul nsw i32 %67, %7
  %69 = add nsw i32 %68, %15
  %70 = mul nsw i32 %69, %6
  %71 = add nsw i32 %70, %14
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds float, ptr %0, i64 %72
  %74 = load float, ptr %73, align 4, !tbaa !6
  %75 = fadd contract float %66, %74
  %76 = add nuw nsw i32 %16, 1
  %77 = mul nsw i32 %76, %7
  %78 = add nsw i32 %77, %15
  %79 = mul nsw i32 %78, %6
  %80 = add nsw i32 %79, %14
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds float, ptr %0, i64 %81
  %83 = load float, ptr %82, align 4, !tbaa !6
  %84 = fadd contract float %75, %83
  %85 = fmul contract float %84, %3
  %86 = fadd contract float %39, %85
  %87 = add nsw i32 %53, %40
  %88 = sext i32 %87 to i64
  %89 = getelementptr inbounds float, ptr %0, i64 %88
  %90 = load float, ptr %89, align 4, !tbaa !6
  %91 = add nsw i32 %53, %45
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds float, ptr %0, i64 %92
  %94 = load float, ptr %93, align 4, !tbaa !6
  %95 = fadd contract float %90, %94
  %96 = add nsw i32 %61, %40
  %97 = sext i32 %96 to i64
  %98 = getelementptr inbounds float, ptr %0, i64 %97
  %99 = load float, ptr %98, align 4, !tbaa !6
  %100 = fadd contract float %95, %99
  %101 = add nsw i32 %61, %45
  %102 = sext i32 %101 to i64
  %103 = getelementptr inbounds float, ptr %0, i64 %102
  %104 = load float, ptr %103, align 4, !tbaa !6
  %105 = fadd contract float %100, %104
  %106 = add nsw i32 %70, %40
  %107 = sext i32 %106 to i64
  %108 = getelementptr inbounds float, ptr %0, i64 %107
  %109 = load float, ptr %108, align 4, !tbaa !6
  %110 = fadd contract float %105, %109
  %111 = add nsw i32 %70, %45
  %112 = sext i32 %111 to i64
  %113 = getelementptr inbounds float, ptr %0, i64 %112
  %114 = load float, ptr %113, align 4, !tbaa !6
  %115 = fadd contract float %110, %114
  %116 = add nsw i32 %79, %40
  %117 = sext i32 %116 to i64
  %118 = getelementptr inbounds float, ptr %0, i64 %117
  %119 = load float, ptr %118, align 4, !tbaa !6
  %120 = fadd contract float %115, %119
  %121 = add nsw i32 %79, %45
  %122 = sext i32 %121 to i64
  %123 = getelementptr inbounds float, ptr %0, i64 %122
  %124 = load float, ptr %123, align 4, !tbaa !6
  %125 = fadd contract float %120, %124
  %126 = add nsw i32 %68, %51
  %127 = mul nsw i32 %126, %6
  %128 = add nsw i32 %127, %14
  %129 = sext i32 %128 to i64
  %130 = getelementptr inbounds float, ptr %0, i64 %129
  %131 = load float, ptr %130, align 4, !tbaa !6
  %132 = fadd contract float %125, %131
  %133 = add nsw i32 %68, %59
  %134 = mul nsw i32 %133, %6
  %135 = add nsw i32 %134, %14
  %136 = sext i32 %135 to i64
  %137 = getelementptr inbounds float, ptr %0, i64 %136
  %138 = load float, ptr %137, align 4, !tbaa !6
  %139 = fadd contract float %132, %138
  %140 = add nsw i32 %77, %51
  %141 = mul nsw i32 %140, %6
  %142 = add nsw i32 %141, %14
  %143 = sext i32 %142 to i64
  %144 = getelementptr inbounds float, ptr %0, i64 %143
  %145 = load float, ptr %144, align 4, !tbaa !6
  %146 = fadd contract float %139, %145
  %147 = add nsw i32 %77, %59
  %148 = mul nsw i32 %147, %6
  %149 = add nsw i32 %148, %14
  %150 = sext i32 %149 to i64
  %151 = getelementptr inbounds float, ptr %0, i64 %150
  %152 = load float, ptr %151, align 4, !tbaa !6
  %153 = fadd contract float %146, %152
  %154 = fmul contract float %153, %4
  %155 = fadd contract float %86, %154
  %156 = add nsw i32 %14, -2
  %157 = add nsw i32 %156, %34
  %158 = sext i32 %157 to i64
  %159 = getelementptr inbounds float, ptr %0, i64 %158
  %160 = load float, ptr %159, align 4, !tbaa !6
  %161 = add nuw nsw i32 %14, 2
  %162 = add nsw i32 %161, %34
  %163 = sext i32 %162 to i64
  %164 = getelementptr inbounds float, ptr %0, i64 %163
  %165 = load float, ptr %164, align 4, !tbaa !6
  %166 = fadd contract float %160, %165
  %167 = add nsw i32 %15, -2
  %168 = add nsw i32 %167, %32
  %169 = mul nsw i32 %168, %6
  %170 = add nsw i32 %169, %14
  %171 = sext i32 %170 to i64
  %172 = getelementptr inbounds float, ptr %0, i64 %171
  %173 = load float, ptr %172, align 4, !tbaa !6
  %174 = fadd contract float %166, %173
  %175 = add nuw nsw i32 %15, 2
  %176 = add nsw i32 %175, %32
  %177 = mul nsw i32 %176, %6
  %178 = add nsw i32 %177, %14
  %179 = sext i32 %178 to i64
  %180 = getelementptr inbounds float, ptr %0, i64 %179
  %181 = load float, ptr %180, align 4, !tbaa !6
  %182 = fadd contract float %174, %181
  %183 = add nsw i32 %16, -2
  %184 = mul nsw i32 %183, %7
  %185 = add nsw i32 %184, %15
  %186 = mul nsw i32 %185, %6
  %187 = add nsw i32 %186, %14
  %188 = sext i32 %187 to i64
  %189 = getelementptr inbounds float, ptr %0, i64 %188
  %190 = load float, ptr %189, align 4, !tbaa !6
  %191 = fadd contract float %182, %190
  %192 = add nuw nsw i32 %16, 2
  %193 = mul nsw i32 %192, %7
  %194 = add nsw i32 %193, %15
  %195 = mul nsw i32 %194, %6
  %196 = add nsw i32 %195, %14
  %197 = sext i32 %196 to i64
  %198 = getelementptr inbounds float, ptr %0, i64 %197
  %199 = load float, ptr %198, align 4, !tbaa !6
  %200 = fadd contract float %191, %199
  %201 = fmul contract float %200, %5
  %202 = fadd contract float %155, %201
  %203 = getelementptr inbounds float, ptr %1, i64 %36
  store float %202, ptr %203, align 4, !tbaa !6
  br label %204

204:                                              ; preds = %9, %18, %23, %31
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

!0 = !{ptr @lapgsrb, !"kernel", i32 1}
!1 = !{ptr @lapgsrb, !"maxntidx", i32 128}
!2 = !{i32 1, !"wchar_size", i32 4}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"clang version 19.1.7"}
!6 = !{!7, !7, i64 0}
!7 = !{!"float", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
