; launch: grid=3 block=128 args=u8[16],1000,f32[1000]:zero,f32[1000]

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
@__omp_offloading_conv1d_l4_dynamic_environment = weak_odr protected global %struct.DynamicEnvironmentTy zeroinitializer
@__omp_offloading_conv1d_l4_kernel_environment = weak_odr protected local_unnamed_addr constant %struct.KernelEnvironmentTy { %struct.ConfigurationEnvironmentTy { i8 0, i8 0, i8 2, i32 1, i32 128, i32 0, i32 0, i32 0, i32 0 }, ptr @1, ptr @__omp_offloading_conv1d_l4_dynamic_environment }
@__omp_rtl_device_memory_pool = weak protected global %struct.DeviceMemoryPoolTy zeroinitializer, align 8
@__omp_rtl_device_memory_pool_tracker = weak protected global %struct.DeviceMemoryPoolTrackingTy zeroinitializer, align 8
@__omp_rtl_device_environment = weak protected addrspace(4) global %struct.DeviceEnvironmentTy undef, align 8
@llvm.used = appending global [3 x ptr] [ptr addrspacecast (ptr addrspace(4) @__omp_rtl_device_environment to ptr), ptr @__omp_rtl_device_memory_pool, ptr @__omp_rtl_device_memory_pool_tracker], section "llvm.metadata"

; Function Attrs: alwaysinline convergent norecurse nounwind
define weak_odr protected void @__omp_offloading_conv1d_l4(ptr noalias noundef %0, i64 noundef %1, ptr noundef %2, ptr noundef %3) local_unnamed_addr #0 {
  %5 = add nsw i64 %1, -4
  %6 = add nsw i64 %1, -5
  %7 = icmp sgt i64 %1, 4
  br i1 %7, label %8, label %55

8:                                                ; preds = %4
  %9 = tail call range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #5, !range !11
  %10 = tail call range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #6, !range !12
  %11 = icmp ult i32 %9, %10
  tail call void @llvm.assume(i1 noundef %11) #7
  %12 = zext nneg i32 %9 to i64
  %13 = shl nuw nsw i64 %12, 7
  %14 = zext nneg i32 %10 to i64
  %15 = shl nuw nsw i64 %14, 7
  %16 = icmp ult i64 %13, %5
  br i1 %16, label %17, label %55

17:                                               ; preds = %8
  %18 = or disjoint i64 %13, 127
  %19 = tail call i64 @llvm.umin.i64(i64 %18, i64 %6)
  %20 = tail call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #5, !range !13
  %21 = zext nneg i32 %20 to i64
  %22 = tail call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #6, !range !14
  %23 = zext nneg i32 %22 to i64
  br label %24

24:                                               ; preds = %17, %50
  %25 = phi i64 [ %19, %17 ], [ %53, %50 ]
  %26 = phi i64 [ %13, %17 ], [ %51, %50 ]
  tail call void @llvm.nvvm.barrier0() #8
  tail call void @llvm.nvvm.barrier0() #8
  %27 = add nuw nsw i64 %26, %21
  %28 = icmp ugt i64 %27, %25
  br i1 %28, label %50, label %29

29:                                               ; preds = %24, %29
  %30 = phi i64 [ %48, %29 ], [ %27, %24 ]
  %31 = add nuw nsw i64 %30, 2
  %32 = getelementptr inbounds float, ptr %3, i64 %30
  %33 = load float, ptr %32, align 4, !tbaa !15
  %34 = getelementptr i8, ptr %32, i64 16
  %35 = load float, ptr %34, align 4, !tbaa !15
  %36 = fadd float %33, %35
  %37 = getelementptr i8, ptr %32, i64 4
  %38 = load float, ptr %37, align 4, !tbaa !15
  %39 = getelementptr i8, ptr %32, i64 12
  %40 = load float, ptr %39, align 4, !tbaa !15
  %41 = fadd float %38, %40
  %42 = fmul float %41, 0x3FC99999A0000000
  %43 = tail call float @llvm.fmuladd.f32(float %36, float 0x3FB99999A0000000, float %42) #9
  %44 = getelementptr inbounds float, ptr %3, i64 %31
  %45 = load float, ptr %44, align 4, !tbaa !15
  %46 = tail call float @llvm.fmuladd.f32(float %45, float 0x3FD99999A0000000, float %43) #9
  %47 = getelementptr inbounds float, ptr %2, i64 %31
  store float %46, ptr %47, align 4, !tbaa !15
  %48 = add nuw nsw i64 %30, %23
  %49 = icmp ugt i64 %48, %25
  br i1 %49, label %50, label %29

50:                                               ; preds = %29, %24
  tail call void @llvm.nvvm.barrier0() #8
  tail call void @llvm.nvvm.barrier0() #8
  %51 = add nuw nsw i64 %26, %15
  %52 = add nsw i64 %25, %15
  %53 = tail call i64 @llvm.smin.i64(i64 %52, i64 %6)
  %54 = icmp slt i64 %51, %5
  br i1 %54, label %24, label %55

55:                                               ; preds = %50, %8, %4
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

!0 = !{ptr @__omp_offloading_conv1d_l4, !"maxntidx", i32 128}
!1 = !{ptr @__omp_offloading_conv1d_l4, !"kernel", i32 1}
!2 = !{i32 0, i32 65024, i32 12100399, !"conv1d", i32 4, i32 0, i32 0}
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
!15 = !{!16, !16, i64 0}
!16 = !{!"float", !17, i64 0}
!17 = !{!"omnipotent char", !18, i64 0}
!18 = !{!"Simple C/C++ TBAA"}
