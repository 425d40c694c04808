; differs: Triton's loads are inline assembly, which may do anything in IR
; launch: grid=3 block=128 args=f16[300],f32[3],f32[300]:zero,300,u8[1],u8[1]

target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: nounwind
define ptx_kernel void @conv1d(ptr addrspace(1) %0, ptr addrspace(1) %1, ptr addrspace(1) %2, i32 %3, ptr addrspace(1) nofree readnone nocapture %4, ptr addrspace(1) nofree readnone nocapture %5) local_unnamed_addr #0 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = shl i32 %7, 7
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = and i32 %9, 127
  %11 = or disjoint i32 %8, %10
  %12 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %1) #2
  %13 = bitcast i32 %12 to float
  %14 = icmp slt i32 %11, %3
  %15 = sext i32 %11 to i64
  %16 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %15
  %17 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %16, i1 %14) #2
  %18 = bitcast i16 %17 to half
  %19 = fpext half %18 to float
  %20 = fmul float %13, %19
  %21 = fadd float %20, 0.000000e+00
  %22 = getelementptr i8, ptr addrspace(1) %1, i64 4
  %23 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %22) #2
  %24 = bitcast i32 %23 to float
  %25 = add i32 %11, 1
  %26 = icmp slt i32 %25, %3
  %27 = getelementptr i8, ptr addrspace(1) %16, i64 2
  %28 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %27, i1 %26) #2
  %29 = bitcast i16 %28 to half
  %30 = fpext half %29 to float
  %31 = fmul float %24, %30
  %32 = fadd float %21, %31
  %33 = getelementptr i8, ptr addrspace(1) %1, i64 8
  %34 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %33) #2
  %35 = bitcast i32 %34 to float
  %36 = add i32 %11, 2
  %37 = icmp slt i32 %36, %3
  %38 = getelementptr i8, ptr addrspace(1) %16, i64 4
  %39 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %38, i1 %37) #2
  %40 = bitcast i16 %39 to half
  %41 = fpext half %40 to float
  %42 = fmul float %35, %41
  %43 = fadd float %32, %42
  %44 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %15
  %45 = bitcast float %43 to i32
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %45, ptr addrspace(1) %44, i1 %14) #2
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
