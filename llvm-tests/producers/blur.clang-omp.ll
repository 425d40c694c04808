; launch: grid=3 block=128 args=u8[16],7,150,u8[1050]:zero,u8[1050]

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
@__omp_offloading_blur_l4_dynamic_environment = weak_odr protected global %struct.DynamicEnvironmentTy zeroinitializer
@__omp_offloading_blur_l4_kernel_environment = weak_odr protected local_unnamed_addr constant %struct.KernelEnvironmentTy { %struct.ConfigurationEnvironmentTy { i8 0, i8 0, i8 3, i32 1, i32 128, i32 0, i32 0, i32 0, i32 0 }, ptr @1, ptr @__omp_offloading_blur_l4_dynamic_environment }
@__omp_rtl_device_memory_pool = weak protected global %struct.DeviceMemoryPoolTy zeroinitializer, align 8
@__omp_rtl_device_memory_pool_tracker = weak protected global %struct.DeviceMemoryPoolTrackingTy zeroinitializer, align 8
@__omp_rtl_device_environment = weak protected addrspace(4) global %struct.DeviceEnvironmentTy undef, align 8
@llvm.used = appending global [3 x ptr] [ptr addrspacecast (ptr addrspace(4) @__omp_rtl_device_environment to ptr), ptr @__omp_rtl_device_memory_pool, ptr @__omp_rtl_device_memory_pool_tracker], section "llvm.metadata"

; Function Attrs: alwaysinline convergent norecurse nounwind
define weak_odr protected void @__omp_offloading_blur_l4(ptr noalias noundef %0, i64 noundef %1, i64 noundef %2, ptr noundef %3, ptr noundef %4) local_unnamed_addr #0 {
  %6 = trunc i64 %1 to i32
  %7 = trunc i64 %2 to i32
  %8 = icmp sgt i32 %6, 2
  br i1 %8, label %9, label %189

9:                                                ; preds = %5
  %10 = add nsw i32 %6, -3
  %11 = tail call range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #5, !range !11
  %12 = tail call range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #6, !range !12
  %13 = icmp ult i32 %11, %12
  tail call void @llvm.assume(i1 noundef %13) #7
  %14 = add nsw i32 %6, -2
  %15 = udiv i32 %14, %12
  %16 = mul nsw i32 %15, %12
  %17 = sub nsw i32 %14, %16
  %18 = icmp sgt i32 %17, %11
  %19 = add nuw nsw i32 %15, 1
  %20 = mul nsw i32 %19, %11
  %21 = mul i32 %15, %11
  %22 = add i32 %17, %21
  %23 = select i1 %18, i32 %19, i32 %15
  %24 = select i1 %18, i32 %20, i32 %22
  %25 = add nsw i32 %23, -1
  %26 = add i32 %25, %24
  %27 = tail call i32 @llvm.smin.i32(i32 %26, i32 %10), !range !13
  %28 = icmp sgt i32 %24, %27
  br i1 %28, label %189, label %29

29:                                               ; preds = %9
  %30 = add nsw i32 %7, -3
  %31 = icmp slt i32 %7, 3
  %32 = tail call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #5, !range !14
  %33 = tail call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #6, !range !15
  %34 = tail call i32 @llvm.smin.i32(i32 %32, i32 %30)
  %35 = icmp ult i32 %30, %32
  %36 = xor i64 %2, -1
  %37 = shl i64 %36, 32
  %38 = ashr exact i64 %37, 32
  %39 = mul i64 %2, -4294967296
  %40 = ashr exact i64 %39, 32
  %41 = shl i64 %2, 32
  %42 = sub nsw i64 4294967296, %41
  %43 = ashr exact i64 %42, 32
  %44 = and i64 %2, 2147483647
  %45 = select i1 %31, i1 true, i1 %35
  %46 = tail call i32 @llvm.smin.i32(i32 %11, i32 %17)
  %47 = add i32 %46, %21
  %48 = add i32 %47, 1
  %49 = mul i32 %48, %7
  %50 = add i32 %32, %49
  %51 = add i32 %50, 1
  br label %52

52:                                               ; preds = %29, %186
  %53 = phi i32 [ 0, %29 ], [ %188, %186 ]
  %54 = phi i32 [ %24, %29 ], [ %56, %186 ]
  %55 = mul i32 %53, %7
  %56 = add i32 %54, 1
  tail call void @llvm.nvvm.barrier0() #8
  tail call void @llvm.nvvm.barrier0() #8
  br i1 %45, label %186, label %57

57:                                               ; preds = %52
  %58 = mul nsw i32 %56, %7
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds i8, ptr %3, i64 %59
  %61 = add i32 %55, %51
  br label %62

62:                                               ; preds = %57, %180
  %63 = phi i32 [ 0, %57 ], [ %185, %180 ]
  %64 = phi i32 [ %34, %57 ], [ %183, %180 ]
  %65 = phi i32 [ %32, %57 ], [ %181, %180 ]
  %66 = mul i32 %33, %63
  %67 = add i32 %32, %66
  %68 = tail call i32 @llvm.smax.i32(i32 %64, i32 %65)
  %69 = sub i32 %68, %67
  %70 = add i32 %69, 1
  %71 = icmp ult i32 %70, 4
  br i1 %71, label %133, label %72

72:                                               ; preds = %62
  %73 = mul i32 %33, %63
  %74 = mul i32 %33, %63
  %75 = add i32 %32, %74
  %76 = tail call i32 @llvm.smax.i32(i32 %64, i32 %65)
  %77 = sub i32 %76, %75
  %78 = add i32 %73, %61
  %79 = add i32 %78, %77
  %80 = icmp slt i32 %79, %78
  br i1 %80, label %133, label %81

81:                                               ; preds = %72
  %82 = and i32 %70, -4
  %83 = add i32 %65, %82
  br label %84

84:                                               ; preds = %84, %81
  %85 = phi i32 [ 0, %81 ], [ %129, %84 ]
  %86 = add i32 %65, %85
  %87 = add nuw nsw i32 %86, 1
  %88 = zext nneg i32 %87 to i64
  %89 = getelementptr inbounds i8, ptr %60, i64 %88
  %90 = getelementptr inbounds i8, ptr %89, i64 %38
  %91 = load <4 x i8>, ptr %90, align 1, !tbaa !16, !llvm.access.group !19
  %92 = zext <4 x i8> %91 to <4 x i16>
  %93 = getelementptr inbounds i8, ptr %89, i64 %40
  %94 = load <4 x i8>, ptr %93, align 1, !tbaa !16, !llvm.access.group !19
  %95 = zext <4 x i8> %94 to <4 x i16>
  %96 = add nuw nsw <4 x i16> %95, %92
  %97 = getelementptr inbounds i8, ptr %89, i64 %43
  %98 = load <4 x i8>, ptr %97, align 1, !tbaa !16, !llvm.access.group !19
  %99 = zext <4 x i8> %98 to <4 x i16>
  %100 = add nuw nsw <4 x i16> %96, %99
  %101 = getelementptr inbounds i8, ptr %89, i64 -1
  %102 = load <4 x i8>, ptr %101, align 1, !tbaa !16, !llvm.access.group !19
  %103 = zext <4 x i8> %102 to <4 x i16>
  %104 = add nuw nsw <4 x i16> %100, %103
  %105 = load <4 x i8>, ptr %89, align 1, !tbaa !16, !llvm.access.group !19
  %106 = zext <4 x i8> %105 to <4 x i16>
  %107 = add nuw nsw <4 x i16> %104, %106
  %108 = getelementptr inbounds i8, ptr %89, i64 1
  %109 = load <4 x i8>, ptr %108, align 1, !tbaa !16, !llvm.access.group !19
  %110 = zext <4 x i8> %109 to <4 x i16>
  %111 = add nuw nsw <4 x i16> %107, %110
  %112 = getelementptr i8, ptr %89, i64 %44
  %113 = getelementptr i8, ptr %112, i64 -1
  %114 = load <4 x i8>, ptr %113, align 1, !tbaa !16, !llvm.access.group !19
  %115 = zext <4 x i8> %114 to <4 x i16>
  %116 = add nuw nsw <4 x i16> %111, %115
  %117 = load <4 x i8>, ptr %112, align 1, !tbaa !16, !llvm.access.group !19
  %118 = zext <4 x i8> %117 to <4 x i16>
  %119 = add nuw nsw <4 x i16> %116, %118
  %120 = getelementptr i8, ptr %112, i64 1
  %121 = load <4 x i8>, ptr %120, align 1, !tbaa !16, !llvm.access.group !19
  %122 = zext <4 x i8> %121 to <4 x i16>
  %123 = add nuw nsw <4 x i16> %119, %122
  %124 = udiv <4 x i16> %123, <i16 9, i16 9, i16 9, i16 9>
  %125 = trunc <4 x i16> %124 to <4 x i8>
  %126 = add nsw i32 %87, %58
  %127 = sext i32 %126 to i64
  %128 = getelementptr inbounds i8, ptr %4, i64 %127
  store <4 x i8> %125, ptr %128, align 1, !tbaa !16, !llvm.access.group !19
  %129 = add nuw i32 %85, 4
  %130 = icmp eq i32 %129, %82
  br i1 %130, label %131, label %84, !llvm.loop !20

131:                                              ; preds = %84
  %132 = icmp eq i32 %70, %82
  br i1 %132, label %180, label %133

133:                                              ; preds = %131, %72, %62
  %134 = phi i32 [ %65, %72 ], [ %65, %62 ], [ %83, %131 ]
  br label %135

135:                                              ; preds = %133, %135
  %136 = phi i32 [ %137, %135 ], [ %134, %133 ]
  %137 = add nuw nsw i32 %136, 1
  %138 = zext nneg i32 %137 to i64
  %139 = getelementptr inbounds i8, ptr %60, i64 %138
  %140 = getelementptr inbounds i8, ptr %139, i64 %38
  %141 = load i8, ptr %140, align 1, !tbaa !16, !llvm.access.group !19
  %142 = zext i8 %141 to i16
  %143 = getelementptr inbounds i8, ptr %139, i64 %40
  %144 = load i8, ptr %143, align 1, !tbaa !16, !llvm.access.group !19
  %145 = zext i8 %144 to i16
  %146 = add nuw nsw i16 %145, %142
  %147 = getelementptr inbounds i8, ptr %139, i64 %43
  %148 = load i8, ptr %147, align 1, !tbaa !16, !llvm.access.group !19
  %149 = zext i8 %148 to i16
  %150 = add nuw nsw i16 %146, %149
  %151 = getelementptr inbounds i8, ptr %139, i64 -1
  %152 = load i8, ptr %151, align 1, !tbaa !16, !llvm.access.group !19
  %153 = zext i8 %152 to i16
  %154 = add nuw nsw i16 %150, %153
  %155 = load i8, ptr %139, align 1, !tbaa !16, !llvm.access.group !19
  %156 = zext i8 %155 to i16
  %157 = add nuw nsw i16 %154, %156
  %158 = getelementptr inbounds i8, ptr %139, i64 1
  %159 = load i8, ptr %158, align 1, !tbaa !16, !llvm.access.group !19
  %160 = zext i8 %159 to i16
  %161 = add nuw nsw i16 %157, %160
  %162 = getelementptr i8, ptr %139, i64 %44
  %163 = getelementptr i8, ptr %162, i64 -1
  %164 = load i8, ptr %163, align 1, !tbaa !16, !llvm.access.group !19
  %165 = zext i8 %164 to i16
  %166 = add nuw nsw i16 %161, %165
  %167 = load i8, ptr %162, align 1, !tbaa !16, !llvm.access.group !19
  %168 = zext i8 %167 to i16
  %169 = add nuw nsw i16 %166, %168
  %170 = getelementptr i8, ptr %162, i64 1
  %171 = load i8, ptr %170, align 1, !tbaa !16, !llvm.access.group !19
  %172 = zext i8 %171 to i16
  %173 = add nuw nsw i16 %169, %172
  %174 = udiv i16 %173, 9
  %175 = trunc nuw i16 %174 to i8
  %176 = add nsw i32 %137, %58
  %177 = sext i32 %176 to i64
  %178 = getelementptr inbounds i8, ptr %4, i64 %177
  store i8 %175, ptr %178, align 1, !tbaa !16, !llvm.access.group !19
  %179 = icmp slt i32 %136, %64
  br i1 %179, label %135, label %180, !llvm.loop !24

180:                                              ; preds = %135, %131
  %181 = add nuw nsw i32 %65, %33
  %182 = add nsw i32 %64, %33
  %183 = tail call i32 @llvm.smin.i32(i32 %182, i32 %30)
  %184 = icmp sgt i32 %181, %183
  %185 = add i32 %63, 1
  br i1 %184, label %186, label %62

186:                                              ; preds = %180, %52
  tail call void @llvm.nvvm.barrier0() #8
  tail call void @llvm.nvvm.barrier0() #8
  %187 = icmp eq i32 %54, %27
  %188 = add i32 %53, 1
  br i1 %187, label %189, label %52

189:                                              ; preds = %186, %9, %5
  ret void
}

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
declare i32 @llvm.smin.i32(i32, i32) #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #4

attributes #0 = { alwaysinline convergent norecurse nounwind "frame-pointer"="all" "kernel" "no-trapping-math"="true" "omp_target_thread_limit"="128" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+sm_80" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nofree nosync willreturn "llvm.assume"="ompx_no_call_asm" }
attributes #6 = { nosync "llvm.assume"="ompx_no_call_asm" }
attributes #7 = { memory(write) "llvm.assume"="ompx_no_call_asm" }
attributes #8 = { "llvm.assume"="ompx_aligned_barrier,ompx_no_call_asm" }

!nvvm.annotations = !{!0, !1}
!omp_offload.info = !{!2}
!llvm.module.flags = !{!3, !4, !5, !6, !7, !8, !9}
!llvm.ident = !{!10, !10, !10, !10, !10, !10, !10, !10, !10, !10, !10, !10, !10, !10, !10}

!0 = !{ptr @__omp_offloading_blur_l4, !"maxntidx", i32 128}
!1 = !{ptr @__omp_offloading_blur_l4, !"kernel", i32 1}
!2 = !{i32 0, i32 65024, i32 12100397, !"blur", i32 4, i32 0, i32 0}
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
!13 = !{i32 -2147483648, i32 2147483645}
!14 = !{i32 0, i32 1024}
!15 = !{i32 1, i32 1025}
!16 = !{!17, !17, i64 0}
!17 = !{!"omnipotent char", !18, i64 0}
!18 = !{!"Simple C/C++ TBAA"}
!19 = distinct !{}
!20 = distinct !{!20, !21, !22, !23}
!21 = !{!"llvm.loop.parallel_accesses", !19}
!22 = !{!"llvm.loop.isvectorized", i32 1}
!23 = !{!"llvm.loop.unroll.runtime.disable"}
!24 = distinct !{!24, !21, !22}
