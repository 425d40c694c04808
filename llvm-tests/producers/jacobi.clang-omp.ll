; launch: grid=3 block=128 args=u8[16],7,150,f32[1050]:zero,0x3f000000,f32[1050],0x3e800000,0x3e000000

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.ident_t = type { i32, i32, i32, i32, ptr }
%struct.DynamicEnvironmentTy = type { i16 }
%struct.KernelEnvironmentTy = type { %struct.ConfigurationEnvironmentTy, ptr, ptr }
%struct.ConfigurationEnvironmentTy = type { i8, i8, i8, i32, i32, i32, i32, i32, i32 }
%struct.DeviceMemoryPoolTy = type { ptr, i64 }
%struct.DeviceMemoryPoolTrackingTy = type { i64, i64, i64, i64 }
%struct.DeviceEnvironmentTy = type { i32, i32, i32, i32, i64, i64, i64, i64 }

@0 = private unnamed_addr constant [23 x i8] c";unknown;unknown;0;0;;\00", align 1
@1 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 22, ptr @0 }, align 8
@__omp_offloading_jacobi_l6_dynamic_environment = weak_odr protected global %struct.DynamicEnvironmentTy zeroinitializer
@__omp_offloading_jacobi_l6_kernel_environment = weak_odr protected local_unnamed_addr constant %struct.KernelEnvironmentTy { %struct.ConfigurationEnvironmentTy { i8 0, i8 0, i8 2, i32 1, i32 128, i32 0, i32 0, i32 0, i32 0 }, ptr @1, ptr @__omp_offloading_jacobi_l6_dynamic_environment }
@__omp_rtl_device_memory_pool = weak protected global %struct.DeviceMemoryPoolTy zeroinitializer, align 8
@__omp_rtl_device_memory_pool_tracker = weak protected global %struct.DeviceMemoryPoolTrackingTy zeroinitializer, align 8
@__omp_rtl_device_environment = weak protected addrspace(4) global %struct.DeviceEnvironmentTy undef, align 8
@llvm.used = appending global [3 x ptr] [ptr addrspacecast (ptr addrspace(4) @__omp_rtl_device_environment to ptr), ptr @__omp_rtl_device_memory_pool, ptr @__omp_rtl_device_memory_pool_tracker], section "llvm.metadata"

; Function Attrs: alwaysinline convergent norecurse nounwind
define weak_odr protected void @__omp_offloading_jacobi_l6(ptr noalias noundef %0, i64 noundef %1, i64 noundef %2, ptr noundef %3, i64 noundef %4, ptr noundef %5, i64 noundef %6, i64 noundef %7) local_unnamed_addr #0 {
  %9 = trunc i64 %1 to i32
  %10 = trunc i64 %2 to i32
  %11 = shl i64 %1, 32
  %12 = add i64 %11, -8589934592
  %13 = ashr exact i64 %12, 32
  %14 = shl i64 %2, 32
  %15 = add i64 %14, -8589934592
  %16 = ashr exact i64 %15, 32
  %17 = mul nsw i64 %16, %13
  %18 = add nsw i64 %17, -1
  %19 = icmp sgt i32 %9, 2
  %20 = icmp sgt i32 %10, 2
  %21 = and i1 %19, %20
  br i1 %21, label %22, label %109

22:                                               ; preds = %8
  %23 = tail call range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #5, !range !11
  %24 = tail call range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #6, !range !12
  %25 = icmp ult i32 %23, %24
  tail call void @llvm.assume(i1 noundef %25) #7
  %26 = zext nneg i32 %23 to i64
  %27 = shl nuw nsw i64 %26, 7
  %28 = zext nneg i32 %24 to i64
  %29 = shl nuw nsw i64 %28, 7
  %30 = icmp slt i64 %27, %17
  br i1 %30, label %31, label %109

31:                                               ; preds = %22
  %32 = or disjoint i64 %27, 127
  %33 = tail call i64 @llvm.umin.i64(i64 %32, i64 %18)
  %34 = trunc i64 %4 to i32
  %35 = bitcast i32 %34 to float
  %36 = trunc i64 %6 to i32
  %37 = bitcast i32 %36 to float
  %38 = trunc i64 %7 to i32
  %39 = bitcast i32 %38 to float
  %40 = tail call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #5, !range !13
  %41 = zext nneg i32 %40 to i64
  %42 = tail call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #6, !range !14
  %43 = zext nneg i32 %42 to i64
  br label %44

44:                                               ; preds = %31, %104
  %45 = phi i64 [ %33, %31 ], [ %107, %104 ]
  %46 = phi i64 [ %27, %31 ], [ %105, %104 ]
  tail call void @llvm.nvvm.barrier0() #8, !llvm.access.group !15
  tail call void @llvm.nvvm.barrier0() #8, !llvm.access.group !15
  %47 = add nuw nsw i64 %46, %41
  %48 = icmp ugt i64 %47, %45
  br i1 %48, label %104, label %49

49:                                               ; preds = %44, %49
  %50 = phi i64 [ %102, %49 ], [ %47, %44 ]
  %51 = sdiv i64 %50, %16
  %52 = trunc i64 %51 to i32
  %53 = add i32 %52, 1
  %54 = mul nsw i64 %51, %16
  %55 = sub nsw i64 %50, %54
  %56 = trunc i64 %55 to i32
  %57 = add i32 %56, 1
  %58 = mul nsw i32 %53, %10
  %59 = add nsw i32 %57, %58
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds float, ptr %5, i64 %60
  %62 = load float, ptr %61, align 4, !tbaa !16, !llvm.access.group !20
  %63 = add i32 %58, %56
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds float, ptr %5, i64 %64
  %66 = load float, ptr %65, align 4, !tbaa !16, !llvm.access.group !20
  %67 = mul nsw i32 %52, %10
  %68 = add nsw i32 %57, %67
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds float, ptr %5, i64 %69
  %71 = load float, ptr %70, align 4, !tbaa !16, !llvm.access.group !20
  %72 = fadd float %66, %71
  %73 = getelementptr i8, ptr %61, i64 4
  %74 = load float, ptr %73, align 4, !tbaa !16, !llvm.access.group !20
  %75 = fadd float %72, %74
  %76 = add i32 %52, 2
  %77 = mul nsw i32 %76, %10
  %78 = add nsw i32 %57, %77
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds float, ptr %5, i64 %79
  %81 = load float, ptr %80, align 4, !tbaa !16, !llvm.access.group !20
  %82 = fadd float %75, %81
  %83 = fmul float %82, %37
  %84 = tail call float @llvm.fmuladd.f32(float %35, float %62, float %83) #9
  %85 = add i32 %67, %56
  %86 = sext i32 %85 to i64
  %87 = getelementptr inbounds float, ptr %5, i64 %86
  %88 = load float, ptr %87, align 4, !tbaa !16, !llvm.access.group !20
  %89 = add i32 %77, %56
  %90 = sext i32 %89 to i64
  %91 = getelementptr inbounds float, ptr %5, i64 %90
  %92 = load float, ptr %91, align 4, !tbaa !16, !llvm.access.group !20
  %93 = fadd float %88, %92
  %94 = getelementptr i8, ptr %70, i64 4
  %95 = load float, ptr %94, align 4, !tbaa !16, !llvm.access.group !20
  %96 = fadd float %93, %95
  %97 = getelementptr i8, ptr %80, i64 4
  %98 = load float, ptr %97, align 4, !tbaa !16, !llvm.access.group !20
  %99 = fadd float %96, %98
  %100 = tail call float @llvm.fmuladd.f32(float %39, float %99, float %84) #9
  %101 = getelementptr inbounds float, ptr %3, i64 %60
  store float %100, ptr %101, align 4, !tbaa !16, !llvm.access.group !20
  %102 = add nuw nsw i64 %50, %43
  %103 = icmp ugt i64 %102, %45
  br i1 %103, label %104, label %49, !llvm.loop !22

104:                                              ; preds = %49, %44
  tail call void @llvm.nvvm.barrier0() #8, !llvm.access.group !15
  tail call void @llvm.nvvm.barrier0() #8, !llvm.access.group !15
  %105 = add nuw nsw i64 %46, %29
  %106 = add nsw i64 %45, %29
  %107 = tail call i64 @llvm.smin.i64(i64 %106, i64 %18)
  %108 = icmp slt i64 %105, %17
  br i1 %108, label %44, label %109, !llvm.loop !25

109:                                              ; preds = %104, %22, %8
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #2

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier0() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #4

attributes #0 = { alwaysinline convergent norecurse nounwind "frame-pointer"="all" "kernel" "no-trapping-math"="true" "omp_target_thread_limit"="128" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+sm_80" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nofree nosync willreturn "llvm.assume"="ompx_no_call_asm" }
attributes #6 = { nosync "llvm.assume"="ompx_no_call_asm" }
attributes #7 = { memory(write) "llvm.assume"="ompx_no_call_asm" }
attributes #8 = { "llvm.assume"="ompx_aligned_barrier,ompx_no_call_asm" }
attributes #9 = { nosync }

!nvvm.annotations = !{!0, !1}
!omp_offload.info = !{!2}
!llvm.module.flags = !{!3, !4, !5, !6, !7, !8, !9}
!llvm.ident = !{!10, !10, !10, !10, !10, !10, !10, !10, !10, !10, !10, !10, !10, !10, !10}

!0 = !{ptr @__omp_offloading_jacobi_l6, !"maxntidx", i32 128}
!1 = !{ptr @__omp_offloading_jacobi_l6, !"kernel", i32 1}
!2 = !{i32 0, i32 65024, i32 12100404, !"jacobi", i32 6, i32 0, i32 0}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{i32 7, !"openmp", i32 51}
!5 = !{i32 7, !"openmp-device", i32 51}
!6 = !{i32 8, !"PIC Level", i32 2}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = !{i32 1, !"ThinLTO", i32 0}
!9 = !{i32 1, !"EnableSplitLTOUnit", i32 1}
!10 = !{!"clang version 19.1.7"}
!11 = !{i32 0, i32 2147483647}
!12 = !{i32 1, i32 -2147483648}
!13 = !{i32 0, i32 1024}
!14 = !{i32 1, i32 1025}
!15 = distinct !{}
!16 = !{!17, !17, i64 0}
!17 = !{!"float", !18, i64 0}
!18 = !{!"omnipotent char", !19, i64 0}
!19 = !{!"Simple C/C++ TBAA"}
!20 = !{!21, !15}
!21 = distinct !{}
!22 = distinct !{!22, !23, !24}
!23 = !{!"llvm.loop.parallel_accesses", !21}
!24 = !{!"llvm.loop.vectorize.enable", i1 true}
!25 = distinct !{!25, !26, !24}
!26 = !{!"llvm.loop.parallel_accesses", !15}
