; differs: Triton's loads are inline assembly, which may do anything in IR
; launch: grid=3 block=128 args=f32[300],f32[5],f32[300]:zero,300,u8[1],u8[1]

target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: nounwind
define ptx_kernel void @conv1d(ptr addrspace(1) %0, ptr addrspace(1) %1, ptr addrspace(1) %2, i32 %3, ptr addrspace(1) nofree readnone nocapture %4, ptr addrspace(1) nofree readnone nocapture %5) local_unnamed_addr #0 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = shl i32 %7, 7
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = and i32 %9, 127
  %11 = or disjoint i32 %8, %10
  %12 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %1) #3
  %13 = icmp slt i32 %11, %3
  %14 = sext i32 %11 to i64
  %15 = getelementptr [4 x i8], ptr addrspace(1) %0, i64 %14
  %16 = tail call i32 asm sideeffect "mov.u32 $0, $1;\0A\09@$3 ld.global.b32 { $0 }, [ $2 + 0 ];", "=r,r,l,b"(i32 0, ptr addrspace(1) %15, i1 %13) #3
  %17 = getelementptr i8, ptr addrspace(1) %1, i64 4
  %18 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %17) #3
  %19 = add i32 %11, 1
  %20 = icmp slt i32 %19, %3
  %21 = getelementptr i8, ptr addrspace(1) %15, i64 4
  %22 = tail call i32 asm sideeffect "mov.u32 $0, $1;\0A\09@$3 ld.global.b32 { $0 }, [ $2 + 0 ];", "=r,r,l,b"(i32 0, ptr addrspace(1) %21, i1 %20) #3
  %23 = getelementptr i8, ptr addrspace(1) %1, i64 8
  %24 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %23) #3
  %25 = add i32 %11, 2
  %26 = icmp slt i32 %25, %3
  %27 = getelementptr i8, ptr addrspace(1) %15, i64 8
  %28 = tail call i32 asm sideeffect "mov.u32 $0, $1;\0A\09@$3 ld.global.b32 { $0 }, [ $2 + 0 ];", "=r,r,l,b"(i32 0, ptr addrspace(1) %27, i1 %26) #3
  %29 = getelementptr i8, ptr addrspace(1) %1, i64 12
  %30 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %29) #3
  %31 = add i32 %11, 3
  %32 = icmp slt i32 %31, %3
  %33 = getelementptr i8, ptr addrspace(1) %15, i64 12
  %34 = tail call i32 asm sideeffect "mov.u32 $0, $1;\0A\09@$3 ld.global.b32 { $0 }, [ $2 + 0 ];", "=r,r,l,b"(i32 0, ptr addrspace(1) %33, i1 %32) #3
  %35 = insertelement <4 x i32> poison, i32 %12, i64 0
  %36 = insertelement <4 x i32> %35, i32 %18, i64 1
  %37 = insertelement <4 x i32> %36, i32 %24, i64 2
  %38 = insertelement <4 x i32> %37, i32 %30, i64 3
  %39 = bitcast <4 x i32> %38 to <4 x float>
  %40 = insertelement <4 x i32> poison, i32 %16, i64 0
  %41 = insertelement <4 x i32> %40, i32 %22, i64 1
  %42 = insertelement <4 x i32> %41, i32 %28, i64 2
  %43 = insertelement <4 x i32> %42, i32 %34, i64 3
  %44 = bitcast <4 x i32> %43 to <4 x float>
  %45 = fmul <4 x float> %39, %44
  %46 = extractelement <4 x float> %45, i64 3
  %47 = getelementptr i8, ptr addrspace(1) %1, i64 16
  %48 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %47) #3
  %49 = bitcast i32 %48 to float
  %50 = add i32 %11, 4
  %51 = icmp slt i32 %50, %3
  %52 = getelementptr i8, ptr addrspace(1) %15, i64 16
  %53 = tail call i32 asm sideeffect "mov.u32 $0, $1;\0A\09@$3 ld.global.b32 { $0 }, [ $2 + 0 ];", "=r,r,l,b"(i32 0, ptr addrspace(1) %52, i1 %51) #3
  %54 = bitcast i32 %53 to float
  %55 = fmul float %49, %54
  %56 = shufflevector <4 x float> %45, <4 x float> <float poison, float 0.000000e+00, float poison, float poison>, <4 x i32> <i32 0, i32 5, i32 1, i32 2>
  %57 = tail call float @llvm.vector.reduce.fadd.v4f32(float -0.000000e+00, <4 x float> %56)
  %op.rdx = fadd float %57, %46
  %op.rdx1 = fadd float %op.rdx, %55
  %58 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %14
  %59 = bitcast float %op.rdx1 to i32
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %59, ptr addrspace(1) %58, i1 %13) #3
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.vector.reduce.fadd.v4f32(float, <4 x float>) #2

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nounwind }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
