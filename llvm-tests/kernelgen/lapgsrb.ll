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
  br i1 %25, label %212, label %26

26:                                               ; preds = %9
  %27 = add nsw i32 %6, -2
  %28 = icmp sge i32 %14, %27
  %29 = icmp ult i32 %19, 2
  %30 = or i1 %29, %28
  br i1 %30, label %212, label %31

31:                                               ; preds = %26
  %32 = add nsw i32 %7, -2
  %33 = icmp slt i32 %19, %32
  %34 = icmp ugt i32 %24, 1
  %35 = and i1 %34, %33
  %36 = add nsw i32 %8, -2
  %37 = icmp slt i32 %24, %36
  %38 = select i1 %35, i1 %37, i1 false
  br i1 %38, label %39, label %212

39:                                               ; preds = %31
  %40 = mul nsw i32 %24, %7
  %41 = add nsw i32 %40, %19
  %42 = mul nsw i32 %41, %6
  %43 = add nsw i32 %42, %14
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds float, ptr %0, i64 %44
  %46 = load float, ptr %45, align 4, !tbaa !6
  %47 = fmul contract float %46, %2
  %48 = add nsw i32 %14, -1
  %49 = add nsw i32 %42, %48
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds float, ptr %0, i64 %50
  %52 = load float, ptr %51, align 4, !tbaa !6
  %53 = add nuw nsw i32 %14, 1
  %54 = add nsw i32 %42, %53
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds float, ptr %0, i64 %55
  %57 = load float, ptr %56, align 4, !tbaa !6
  %58 = fadd contract float %52, %57
  %59 = add nsw i32 %19, -1
  %60 = add nsw i32 %40, %59
  %61 = mul nsw i32 %60, %6
  %62 = add nsw i32 %61, %14
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds float, ptr %0, i64 %63
  %65 = load float, ptr %64, align 4, !tbaa !6
  %66 = fadd contract float %58, %65
  %67 = add nuw nsw i32 %19, 1
  %68 = add nsw i32 %40, %67
  %69 = mul nsw i32 %68, %6
  %70 = add nsw i32 %69, %14
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds float, ptr %0, i64 %71
  %73 = load float, ptr %72, align 4, !tbaa !6
  %74 = fadd contract float %66, %73
  %75 = add nsw i32 %24, -1
  %76 = mul nsw i32 %75, %7
  %77 = add nsw i32 %76, %19
  %78 = mul nsw i32 %77, %6
  %79 = add nsw i32 %78, %14
  %80 = sext i32 %79 to i64
  %81 = getelementptr inbounds float, ptr %0, i64 %80
  %82 = load float, ptr %81, align 4, !tbaa !6
  %83 = fadd contract float %74, %82
  %84 = add nuw nsw i32 %24, 1
  %85 = mul nsw i32 %84, %7
  %86 = add nsw i32 %85, %19
  %87 = mul nsw i32 %86, %6
  %88 = add nsw i32 %87, %14
  %89 = sext i32 %88 to i64
  %90 = getelementptr inbounds float, ptr %0, i64 %89
  %91 = load float, ptr %90, align 4, !tbaa !6
  %92 = fadd contract float %83, %91
  %93 = fmul contract float %92, %3
  %94 = fadd contract float %47, %93
  %95 = add nsw i32 %61, %48
  %96 = sext i32 %95 to i64
  %97 = getelementptr inbounds float, ptr %0, i64 %96
  %98 = load float, ptr %97, align 4, !tbaa !6
  %99 = add nsw i32 %61, %53
  %100 = sext i32 %99 to i64
  %101 = getelementptr inbounds float, ptr %0, i64 %100
  %102 = load float, ptr %101, align 4, !tbaa !6
  %103 = fadd contract float %98, %102
  %104 = add nsw i32 %69, %48
  %105 = sext i32 %104 to i64
  %106 = getelementptr inbounds float, ptr %0, i64 %105
  %107 = load float, ptr %106, align 4, !tbaa !6
  %108 = fadd contract float %103, %107
  %109 = add nsw i32 %69, %53
  %110 = sext i32 %109 to i64
  %111 = getelementptr inbounds float, ptr %0, i64 %110
  %112 = load float, ptr %111, align 4, !tbaa !6
  %113 = fadd contract float %108, %112
  %114 = add nsw i32 %78, %48
  %115 = sext i32 %114 to i64
  %116 = getelementptr inbounds float, ptr %0, i64 %115
  %117 = load float, ptr %116, align 4, !tbaa !6
  %118 = fadd contract float %113, %117
  %119 = add nsw i32 %78, %53
  %120 = sext i32 %119 to i64
  %121 = getelementptr inbounds float, ptr %0, i64 %120
  %122 = load float, ptr %121, align 4, !tbaa !6
  %123 = fadd contract float %118, %122
  %124 = add nsw i32 %87, %48
  %125 = sext i32 %124 to i64
  %126 = getelementptr inbounds float, ptr %0, i64 %125
  %127 = load float, ptr %126, align 4, !tbaa !6
  %128 = fadd contract float %123, %127
  %129 = add nsw i32 %87, %53
  %130 = sext i32 %129 to i64
  %131 = getelementptr inbounds float, ptr %0, i64 %130
  %132 = load float, ptr %131, align 4, !tbaa !6
  %133 = fadd contract float %128, %132
  %134 = add nsw i32 %76, %59
  %135 = mul nsw i32 %134, %6
  %136 = add nsw i32 %135, %14
  %137 = sext i32 %136 to i64
  %138 = getelementptr inbounds float, ptr %0, i64 %137
  %139 = load float, ptr %138, align 4, !tbaa !6
  %140 = fadd contract float %133, %139
  %141 = add nsw i32 %76, %67
  %142 = mul nsw i32 %141, %6
  %143 = add nsw i32 %142, %14
  %144 = sext i32 %143 to i64
  %145 = getelementptr inbounds float, ptr %0, i64 %144
  %146 = load float, ptr %145, align 4, !tbaa !6
  %147 = fadd contract float %140, %146
  %148 = add nsw i32 %85, %59
  %149 = mul nsw i32 %148, %6
  %150 = add nsw i32 %149, %14
  %151 = sext i32 %150 to i64
  %152 = getelementptr inbounds float, ptr %0, i64 %151
  %153 = load float, ptr %152, align 4, !tbaa !6
  %154 = fadd contract float %147, %153
  %155 = add nsw i32 %85, %67
  %156 = mul nsw i32 %155, %6
  %157 = add nsw i32 %156, %14
  %158 = sext i32 %157 to i64
  %159 = getelementptr inbounds float, ptr %0, i64 %158
  %160 = load float, ptr %159, align 4, !tbaa !6
  %161 = fadd contract float %154, %160
  %162 = fmul contract float %161, %4
  %163 = fadd contract float %94, %162
  %164 = add nsw i32 %14, -2
  %165 = add nsw i32 %164, %42
  %166 = sext i32 %165 to i64
  %167 = getelementptr inbounds float, ptr %0, i64 %166
  %168 = load float, ptr %167, align 4, !tbaa !6
  %169 = add nuw nsw i32 %14, 2
  %170 = add nsw i32 %169, %42
  %171 = sext i32 %170 to i64
  %172 = getelementptr inbounds float, ptr %0, i64 %171
  %173 = load float, ptr %172, align 4, !tbaa !6
  %174 = fadd contract float %168, %173
  %175 = add nsw i32 %19, -2
  %176 = add nsw i32 %175, %40
  %177 = mul nsw i32 %176, %6
  %178 = add nsw i32 %177, %14
  %179 = sext i32 %178 to i64
  %180 = getelementptr inbounds float, ptr %0, i64 %179
  %181 = load float, ptr %180, align 4, !tbaa !6
  %182 = fadd contract float %174, %181
  %183 = add nuw nsw i32 %19, 2
  %184 = add nsw i32 %183, %40
  %185 = mul nsw i32 %184, %6
  %186 = add nsw i32 %185, %14
  %187 = sext i32 %186 to i64
  %188 = getelementptr inbounds float, ptr %0, i64 %187
  %189 = load float, ptr %188, align 4, !tbaa !6
  %190 = fadd contract float %182, %189
  %191 = add nsw i32 %24, -2
  %192 = mul nsw i32 %191, %7
  %193 = add nsw i32 %192, %19
  %194 = mul nsw i32 %193, %6
  %195 = add nsw i32 %194, %14
  %196 = sext i32 %195 to i64
  %197 = getelementptr inbounds float, ptr %0, i64 %196
  %198 = load float, ptr %197, align 4, !tbaa !6
  %199 = fadd contract float %190, %198
  %200 = add nuw nsw i32 %24, 2
  %201 = mul nsw i32 %200, %7
  %202 = add nsw i32 %201, %19
  %203 = mul nsw i32 %202, %6
  %204 = add nsw i32 %203, %14
  %205 = sext i32 %204 to i64
  %206 = getelementptr inbounds float, ptr %0, i64 %205
  %207 = load float, ptr %206, align 4, !tbaa !6
  %208 = fadd contract float %199, %207
  %209 = fmul contract float %208, %5
  %210 = fadd contract float %163, %209
  %211 = getelementptr inbounds float, ptr %1, i64 %44
  store float %210, ptr %211, align 4, !tbaa !6
  br label %212

212:                                              ; preds = %9, %26, %31, %39
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
