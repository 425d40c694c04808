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
  %21 = icmp slt i32 %19, 1
  br i1 %21, label %120, label %22

22:                                               ; preds = %14
  %23 = add nsw i32 %12, -1
  %24 = icmp slt i32 %19, %23
  %25 = icmp ne i32 %20, 0
  %26 = and i1 %25, %24
  %27 = add nsw i32 %13, -1
  %28 = icmp slt i32 %20, %27
  %29 = select i1 %26, i1 %28, i1 false
  br i1 %29, label %30, label %120

30:                                               ; preds = %22
  %31 = mul nsw i32 %20, %12
  %32 = add nsw i32 %31, %19
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds float, ptr %6, i64 %33
  %35 = load float, ptr %34, align 4, !tbaa !6
  %36 = getelementptr inbounds float, ptr %0, i64 %33
  %37 = load float, ptr %36, align 4, !tbaa !6
  %38 = getelementptr inbounds float, ptr %4, i64 %33
  %39 = load float, ptr %38, align 4, !tbaa !6
  %40 = fmul contract float %37, %39
  %41 = getelementptr inbounds float, ptr %1, i64 %33
  %42 = load float, ptr %41, align 4, !tbaa !6
  %43 = add nuw nsw i32 %20, 1
  %44 = mul nsw i32 %43, %12
  %45 = add nsw i32 %44, %19
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds float, ptr %6, i64 %46
  %48 = load float, ptr %47, align 4, !tbaa !6
  %49 = fsub contract float %48, %35
  %50 = fmul contract float %42, %49
  %51 = fadd contract float %40, %50
  %52 = getelementptr inbounds float, ptr %5, i64 %33
  %53 = load float, ptr %52, align 4, !tbaa !6
  %54 = fmul contract float %37, %53
  %55 = add nuw nsw i32 %19, 1
  %56 = add nsw i32 %55, %31
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds float, ptr %6, i64 %57
  %59 = load float, ptr %58, align 4, !tbaa !6
  %60 = fsub contract float %35, %59
  %61 = fmul contract float %42, %60
  %62 = fadd contract float %54, %61
  %63 = add nsw i32 %20, -1
  %64 = mul nsw i32 %63, %12
  %65 = add nsw i32 %64, %19
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds float, ptr %0, i64 %66
  %68 = load float, ptr %67, align 4, !tbaa !6
  %69 = getelementptr inbounds float, ptr %4, i64 %66
  %70 = load float, ptr %69, align 4, !tbaa !6
  %71 = fmul contract float %68, %70
  %72 = getelementptr inbounds float, ptr %1, i64 %66
  %73 = load float, ptr %72, align 4, !tbaa !6
  %74 = getelementptr inbounds float, ptr %6, i64 %66
  %75 = load float, ptr %74, align 4, !tbaa !6
  %76 = fsub contract float %35, %75
  %77 = fmul contract float %73, %76
  %78 = fadd contract float %71, %77
  %79 = add nsw i32 %19, -1
  %80 = add nsw i32 %79, %31
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds float, ptr %0, i64 %81
  %83 = load float, ptr %82, align 4, !tbaa !6
  %84 = getelementptr inbounds float, ptr %5, i64 %81
  %85 = load float, ptr %84, align 4, !tbaa !6
  %86 = fmul contract float %83, %85
  %87 = getelementptr inbounds float, ptr %1, i64 %81
  %88 = load float, ptr %87, align 4, !tbaa !6
  %89 = getelementptr inbounds float, ptr %6, i64 %81
  %90 = load float, ptr %89, align 4, !tbaa !6
  %91 = fsub contract float %90, %35
  %92 = fmul contract float %88, %91
  %93 = fadd contract float %86, %92
  %94 = getelementptr inbounds float, ptr %8, i64 %33
  store float %51, ptr %94, align 4, !tbaa !6
  %95 = getelementptr inbounds float, ptr %9, i64 %33
  store float %62, ptr %95, align 4, !tbaa !6
  %96 = getelementptr inbounds float, ptr %2, i64 %33
  %97 = load float, ptr %96, align 4, !tbaa !6
  %98 = fmul contract float %35, %97
  %99 = getelementptr inbounds float, ptr %3, i64 %33
  %100 = load float, ptr %99, align 4, !tbaa !6
  %101 = fsub contract float %51, %78
  %102 = fadd contract float %101, %93
  %103 = fsub contract float %102, %62
  %104 = fmul contract float %100, %103
  %105 = fadd contract float %98, %104
  %106 = getelementptr inbounds float, ptr %10, i64 %33
  store float %105, ptr %106, align 4, !tbaa !6
  %107 = getelementptr inbounds float, ptr %7, i64 %33
  %108 = load float, ptr %107, align 4, !tbaa !6
  %109 = fmul contract float %51, %51
  %110 = fmul contract float %62, %62
  %111 = fadd contract float %109, %110
  %112 = fmul contract float %111, 5.000000e-01
  %113 = fadd contract float %112, %108
  %114 = addrspacecast ptr %34 to ptr addrspace(1)
  %115 = ptrtoint ptr addrspace(1) %114 to i64
  %116 = tail call contract noundef float asm "ld.global.nc.f32 $0, [$1];", "=f,l"(i64 %115) #2, !srcloc !10
  %117 = fmul contract float %105, %116
  %118 = fadd contract float %113, %117
  %119 = getelementptr inbounds float, ptr %11, i64 %33
  store float %118, ptr %119, align 4, !tbaa !6
  br label %120

120:                                              ; preds = %14, %22, %30
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
!10 = !{i64 546}
