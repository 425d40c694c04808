; ModuleID = 'whispering.cu'
source_filename = "whispering.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent mustprogress norecurse nounwind memory(argmem: readwrite)
define dso_local void @whispering(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef readonly %3, ptr noalias nocapture noundef readonly %4, ptr noalias nocapture noundef readonly %5, ptr noalias noundef %6, ptr noalias nocapture noundef readonly %7, ptr noalias nocapture noundef writeonly %8, ptr noalias nocapture noundef writeonly %9, ptr noalias nocapture noundef writeonly %10, ptr noalias nocapture noundef writeonly %11, i32 noundef %12, i32 noundef %13) local_unnamed_addr #0 {
  %15 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %16 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %17 = mul i32 %15, %16
  %18 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %19 = add i32 %17, %18
  %20 = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %21 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %22 = mul nuw nsw i32 %20, %21
  %23 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %24 = add nuw nsw i32 %22, %23
  %25 = icmp slt i32 %19, 1
  br i1 %25, label %124, label %26

26:                                               ; preds = %14
  %27 = add nsw i32 %12, -1
  %28 = icmp slt i32 %19, %27
  %29 = icmp ne i32 %24, 0
  %30 = and i1 %29, %28
  %31 = add nsw i32 %13, -1
  %32 = icmp slt i32 %24, %31
  %33 = select i1 %30, i1 %32, i1 false
  br i1 %33, label %34, label %124

34:                                               ; preds = %26
  %35 = mul nsw i32 %24, %12
  %36 = add nsw i32 %35, %19
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds float, ptr %6, i64 %37
  %39 = load float, ptr %38, align 4, !tbaa !6
  %40 = getelementptr inbounds float, ptr %0, i64 %37
  %41 = load float, ptr %40, align 4, !tbaa !6
  %42 = getelementptr inbounds float, ptr %4, i64 %37
  %43 = load float, ptr %42, align 4, !tbaa !6
  %44 = fmul contract float %41, %43
  %45 = getelementptr inbounds float, ptr %1, i64 %37
  %46 = load float, ptr %45, align 4, !tbaa !6
  %47 = add nuw nsw i32 %24, 1
  %48 = mul nsw i32 %47, %12
  %49 = add nsw i32 %48, %19
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds float, ptr %6, i64 %50
  %52 = load float, ptr %51, align 4, !tbaa !6
  %53 = fsub contract float %52, %39
  %54 = fmul contract float %46, %53
  %55 = fadd contract float %44, %54
  %56 = getelementptr inbounds float, ptr %5, i64 %37
  %57 = load float, ptr %56, align 4, !tbaa !6
  %58 = fmul contract float %41, %57
  %59 = add nuw nsw i32 %19, 1
  %60 = add nsw i32 %59, %35
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds float, ptr %6, i64 %61
  %63 = load float, ptr %62, align 4, !tbaa !6
  %64 = fsub contract float %39, %63
  %65 = fmul contract float %46, %64
  %66 = fadd contract float %58, %65
  %67 = add nsw i32 %24, -1
  %68 = mul nsw i32 %67, %12
  %69 = add nsw i32 %68, %19
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds float, ptr %0, i64 %70
  %72 = load float, ptr %71, align 4, !tbaa !6
  %73 = getelementptr inbounds float, ptr %4, i64 %70
  %74 = load float, ptr %73, align 4, !tbaa !6
  %75 = fmul contract float %72, %74
  %76 = getelementptr inbounds float, ptr %1, i64 %70
  %77 = load float, ptr %76, align 4, !tbaa !6
  %78 = getelementptr inbounds float, ptr %6, i64 %70
  %79 = load float, ptr %78, align 4, !tbaa !6
  %80 = fsub contract float %39, %79
  %81 = fmul contract float %77, %80
  %82 = fadd contract float %75, %81
  %83 = add nsw i32 %19, -1
  %84 = add nsw i32 %83, %35
  %85 = sext i32 %84 to i64
  %86 = getelementptr inbounds float, ptr %0, i64 %85
  %87 = load float, ptr %86, align 4, !tbaa !6
  %88 = getelementptr inbounds float, ptr %5, i64 %85
  %89 = load float, ptr %88, align 4, !tbaa !6
  %90 = fmul contract float %87, %89
  %91 = getelementptr inbounds float, ptr %1, i64 %85
  %92 = load float, ptr %91, align 4, !tbaa !6
  %93 = getelementptr inbounds float, ptr %6, i64 %85
  %94 = load float, ptr %93, align 4, !tbaa !6
  %95 = fsub contract float %94, %39
  %96 = fmul contract float %92, %95
  %97 = fadd contract float %90, %96
  %98 = getelementptr inbounds float, ptr %8, i64 %37
  store float %55, ptr %98, align 4, !tbaa !6
  %99 = getelementptr inbounds float, ptr %9, i64 %37
  store float %66, ptr %99, align 4, !tbaa !6
  %100 = getelementptr inbounds float, ptr %2, i64 %37
  %101 = load float, ptr %100, align 4, !tbaa !6
  %102 = fmul contract float %39, %101
  %103 = getelementptr inbounds float, ptr %3, i64 %37
  %104 = load float, ptr %103, align 4, !tbaa !6
  %105 = fsub contract float %55, %82
  %106 = fadd contract float %105, %97
  %107 = fsub contract float %106, %66
  %108 = fmul contract float %104, %107
  %109 = fadd contract float %102, %108
  %110 = getelementptr inbounds float, ptr %10, i64 %37
  store float %109, ptr %110, align 4, !tbaa !6
  %111 = getelementptr inbounds float, ptr %7, i64 %37
  %112 = load float, ptr %111, align 4, !tbaa !6
  %113 = fmul contract float %55, %55
  %114 = fmul contract float %66, %66
  %115 = fadd contract float %113, %114
  %116 = fmul contract float %115, 5.000000e-01
  %117 = fadd contract float %116, %112
  %118 = addrspacecast ptr %38 to ptr addrspace(1)
  %119 = ptrtoint ptr addrspace(1) %118 to i64
  %120 = tail call contract noundef float asm "ld.global.nc.f32 $0, [$1];", "=f,l"(i64 %119) #2, !srcloc !10
  %121 = fmul contract float %109, %120
  %122 = fadd contract float %117, %121
  %123 = getelementptr inbounds float, ptr %11, i64 %37
  store float %122, ptr %123, align 4, !tbaa !6
  br label %124

124:                                              ; preds = %14, %26, %34
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

attributes #0 = { convergent mustprogress norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nounwind memory(none) }

!nvvm.annotations = !{!0, !1}
!llvm.module.flags = !{!2, !3, !4}
!llvm.ident = !{!5}

!0 = !{ptr @whispering, !"kernel", i32 1}
!1 = !{ptr @whispering, !"maxntidx", i32 128}
!2 = !{i32 1, !"wchar_size", i32 4}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"clang version 19.1.7"}
!6 = !{!7, !7, i64 0}
!7 = !{!"float", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
!10 = !{i64 1184}
