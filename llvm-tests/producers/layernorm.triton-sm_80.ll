; differs: Triton's loads are inline assembly, which may do anything in IR
; launch: grid=3 block=128 shared=128 args=f32[600],f32[600]:zero,f32[200],f32[200],200,0.001f,u8[1],u8[1]

target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@global_smem = external local_unnamed_addr addrspace(3) global [0 x i8], align 16
@.str = private unnamed_addr constant [11 x i8] c"__CUDA_FTZ\00", align 1
@.str.2 = private unnamed_addr constant [17 x i8] c"__CUDA_PREC_SQRT\00", align 1

; Function Attrs: nounwind
define ptx_kernel void @layernorm(ptr addrspace(1) %0, ptr addrspace(1) %1, ptr addrspace(1) %2, ptr addrspace(1) %3, i32 %4, float %5, ptr addrspace(1) nofree readnone nocapture %6, ptr addrspace(1) nofree readnone nocapture %7) local_unnamed_addr #0 {
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %10 = mul i32 %4, %9
  %11 = sext i32 %10 to i64
  %12 = getelementptr [4 x i8], ptr addrspace(1) %0, i64 %11
  %13 = getelementptr [4 x i8], ptr addrspace(1) %1, i64 %11
  %14 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %15 = and i32 %14, 127
  %16 = icmp sgt i32 %4, 0
  br i1 %16, label %.lr.ph, label %._crit_edge

.lr.ph:                                           ; preds = %8, %.lr.ph
  %17 = phi float [ %28, %.lr.ph ], [ 0.000000e+00, %8 ]
  %18 = phi float [ %26, %.lr.ph ], [ 0.000000e+00, %8 ]
  %19 = phi i32 [ %29, %.lr.ph ], [ 0, %8 ]
  %20 = or disjoint i32 %19, %15
  %21 = icmp slt i32 %20, %4
  %22 = sext i32 %20 to i64
  %23 = getelementptr [4 x i8], ptr addrspace(1) %12, i64 %22
  %24 = tail call i32 asm sideeffect "mov.u32 $0, $1;\0A\09@$3 ld.global.b32 { $0 }, [ $2 + 0 ];", "=r,r,l,b"(i32 0, ptr addrspace(1) %23, i1 %21) #6
  %25 = bitcast i32 %24 to float
  %26 = fadd float %18, %25
  %27 = fmul float %25, %25
  %28 = fadd float %17, %27
  %29 = add i32 %19, 128
  %30 = icmp slt i32 %29, %4
  br i1 %30, label %.lr.ph, label %._crit_edge

._crit_edge:                                      ; preds = %.lr.ph, %8
  %.lcssa3 = phi float [ 0.000000e+00, %8 ], [ %26, %.lr.ph ]
  %.lcssa = phi float [ 0.000000e+00, %8 ], [ %28, %.lr.ph ]
  %31 = bitcast float %.lcssa3 to i32
  %32 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %31, i32 16, i32 31)
  %33 = bitcast i32 %32 to float
  %34 = fadd float %.lcssa3, %33
  %35 = bitcast float %34 to i32
  %36 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %35, i32 8, i32 31)
  %37 = bitcast i32 %36 to float
  %38 = fadd float %34, %37
  %39 = bitcast float %38 to i32
  %40 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %39, i32 4, i32 31)
  %41 = bitcast i32 %40 to float
  %42 = fadd float %38, %41
  %43 = bitcast float %42 to i32
  %44 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %43, i32 2, i32 31)
  %45 = bitcast i32 %44 to float
  %46 = fadd float %42, %45
  %47 = bitcast float %46 to i32
  %48 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %47, i32 1, i32 31)
  %49 = bitcast i32 %48 to float
  %50 = fadd float %46, %49
  %51 = lshr i32 %14, 3
  %52 = and i32 %51, 12
  %53 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %52
  store float %50, ptr addrspace(3) %53, align 4
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %54 = shl nuw nsw i32 %14, 2
  %55 = and i32 %54, 12
  %56 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %55
  %57 = load i32, ptr addrspace(3) %56, align 4
  %58 = bitcast i32 %57 to float
  %59 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %57, i32 2, i32 31)
  %60 = bitcast i32 %59 to float
  %61 = fadd float %58, %60
  %62 = bitcast float %61 to i32
  %63 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %62, i32 1, i32 31)
  %64 = bitcast i32 %63 to float
  %65 = fadd float %61, %64
  %66 = sitofp i32 %4 to float
  %67 = tail call float @llvm.nvvm.div.full(float %65, float %66)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %68 = bitcast float %.lcssa to i32
  %69 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %68, i32 16, i32 31)
  %70 = bitcast i32 %69 to float
  %71 = fadd float %.lcssa, %70
  %72 = bitcast float %71 to i32
  %73 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %72, i32 8, i32 31)
  %74 = bitcast i32 %73 to float
  %75 = fadd float %71, %74
  %76 = bitcast float %75 to i32
  %77 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %76, i32 4, i32 31)
  %78 = bitcast i32 %77 to float
  %79 = fadd float %75, %78
  %80 = bitcast float %79 to i32
  %81 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %80, i32 2, i32 31)
  %82 = bitcast i32 %81 to float
  %83 = fadd float %79, %82
  %84 = bitcast float %83 to i32
  %85 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %84, i32 1, i32 31)
  %86 = bitcast i32 %85 to float
  %87 = fadd float %83, %86
  store float %87, ptr addrspace(3) %53, align 4
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %88 = load i32, ptr addrspace(3) %56, align 4
  %89 = bitcast i32 %88 to float
  %90 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %88, i32 2, i32 31)
  %91 = bitcast i32 %90 to float
  %92 = fadd float %89, %91
  %93 = bitcast float %92 to i32
  %94 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %93, i32 1, i32 31)
  %95 = bitcast i32 %94 to float
  %96 = fadd float %92, %95
  %97 = tail call float @llvm.nvvm.div.full(float %96, float %66)
  %98 = fmul float %67, %67
  %99 = fsub float %97, %98
  %100 = fadd float %5, %99
  %101 = tail call i32 @__nvvm_reflect(ptr nonnull @.str) #6
  %.not.i = icmp eq i32 %101, 0
  %102 = tail call i32 @__nvvm_reflect(ptr nonnull @.str.2) #6
  %.not1.i = icmp eq i32 %102, 0
  br i1 %.not.i, label %108, label %103

103:                                              ; preds = %._crit_edge
  br i1 %.not1.i, label %106, label %104

104:                                              ; preds = %103
  %105 = tail call float @llvm.nvvm.sqrt.rn.ftz.f(float %100) #6
  br label %__nv_sqrtf.exit

106:                                              ; preds = %103
  %107 = tail call float @llvm.nvvm.sqrt.approx.ftz.f(float %100) #6
  br label %__nv_sqrtf.exit

108:                                              ; preds = %._crit_edge
  br i1 %.not1.i, label %111, label %109

109:                                              ; preds = %108
  %110 = tail call float @llvm.nvvm.sqrt.rn.f(float %100) #6
  br label %__nv_sqrtf.exit

111:                                              ; preds = %108
  %112 = tail call float @llvm.nvvm.sqrt.approx.f(float %100) #6
  br label %__nv_sqrtf.exit

__nv_sqrtf.exit:                                  ; preds = %104, %106, %109, %111
  %.0.i = phi float [ %105, %104 ], [ %107, %106 ], [ %110, %109 ], [ %112, %111 ]
  %113 = tail call float @llvm.nvvm.div.full(float 1.000000e+00, float %.0.i)
  br i1 %16, label %.lr.ph5, label %._crit_edge6

.lr.ph5:                                          ; preds = %__nv_sqrtf.exit, %.lr.ph5
  %114 = phi i32 [ %133, %.lr.ph5 ], [ 0, %__nv_sqrtf.exit ]
  %115 = or disjoint i32 %114, %15
  %116 = icmp slt i32 %115, %4
  %117 = sext i32 %115 to i64
  %118 = getelementptr [4 x i8], ptr addrspace(1) %12, i64 %117
  %119 = tail call i32 asm sideeffect "mov.u32 $0, $1;\0A\09@$3 ld.global.b32 { $0 }, [ $2 + 0 ];", "=r,r,l,b"(i32 0, ptr addrspace(1) %118, i1 %116) #6
  %120 = bitcast i32 %119 to float
  %121 = fsub float %120, %67
  %122 = fmul float %113, %121
  %123 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %117
  %124 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09@$2 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l,b"(ptr addrspace(1) %123, i1 %116) #6
  %125 = bitcast i32 %124 to float
  %126 = fmul float %122, %125
  %127 = getelementptr [4 x i8], ptr addrspace(1) %3, i64 %117
  %128 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09@$2 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l,b"(ptr addrspace(1) %127, i1 %116) #6
  %129 = bitcast i32 %128 to float
  %130 = fadd float %126, %129
  %131 = getelementptr [4 x i8], ptr addrspace(1) %13, i64 %117
  %132 = bitcast float %130 to i32
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %132, ptr addrspace(1) %131, i1 %116) #6
  %133 = add i32 %114, 128
  %134 = icmp slt i32 %133, %4
  br i1 %134, label %.lr.ph5, label %._crit_edge6

._crit_edge6:                                     ; preds = %.lr.ph5, %__nv_sqrtf.exit
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) #2

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(none)
declare float @llvm.nvvm.div.full(float, float) #4

declare i32 @__nvvm_reflect(ptr) local_unnamed_addr #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(none)
declare float @llvm.nvvm.sqrt.rn.ftz.f(float) #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(none)
declare float @llvm.nvvm.sqrt.approx.ftz.f(float) #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(none)
declare float @llvm.nvvm.sqrt.rn.f(float) #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(none)
declare float @llvm.nvvm.sqrt.approx.f(float) #4

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { mustprogress nocallback nofree nosync nounwind willreturn memory(none) }
attributes #5 = { "disable-tail-calls"="false" "frame-pointer"="all" "less-precise-fpmad"="false" "no-infs-fp-math"="false" "no-nans-fp-math"="false" "stack-protector-buffer-size"="8" "unsafe-fp-math"="false" "use-soft-float"="false" }
attributes #6 = { nounwind }

!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}
!nvvmir.version = !{!3}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
!2 = !{!"clang version 3.8.0 (tags/RELEASE_380/final)"}
!3 = !{i32 2, i32 0}
