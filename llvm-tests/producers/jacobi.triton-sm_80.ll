; differs: Triton's loads are inline assembly, which may do anything in IR
; launch: grid=2,7 block=128 args=f32[1050],f32[1050]:zero,0.5f,0.25f,0.125f,150,7,u8[1],u8[1]

target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: nounwind
define ptx_kernel void @jacobi(ptr addrspace(1) %0, ptr addrspace(1) %1, float %2, float %3, float %4, i32 %5, i32 %6, ptr addrspace(1) nofree readnone nocapture %7, ptr addrspace(1) nofree readnone nocapture %8) local_unnamed_addr #0 {
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %11 = shl i32 %10, 7
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %13 = and i32 %12, 127
  %14 = or disjoint i32 %11, %13
  %15 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %16 = icmp sgt i32 %14, 0
  %17 = add i32 %5, -1
  %18 = icmp slt i32 %14, %17
  %19 = and i1 %16, %18
  %20 = icmp ne i32 %15, 0
  %21 = and i1 %20, %19
  %22 = add i32 %6, -1
  %23 = icmp slt i32 %15, %22
  %24 = and i1 %23, %21
  %25 = mul i32 %5, %15
  %26 = sext i32 %25 to i64
  %27 = getelementptr [4 x i8], ptr addrspace(1) %0, i64 %26
  %28 = sext i32 %14 to i64
  %29 = getelementptr [4 x i8], ptr addrspace(1) %27, i64 %28
  %30 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09@$2 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l,b"(ptr addrspace(1) %29, i1 %24) #2
  %31 = bitcast i32 %30 to float
  %32 = getelementptr i8, ptr addrspace(1) %29, i64 -4
  %33 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09@$2 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l,b"(ptr addrspace(1) %32, i1 %24) #2
  %34 = bitcast i32 %33 to float
  %35 = sub i32 0, %5
  %36 = sext i32 %35 to i64
  %37 = getelementptr [4 x i8], ptr addrspace(1) %29, i64 %36
  %38 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09@$2 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l,b"(ptr addrspace(1) %37, i1 %24) #2
  %39 = bitcast i32 %38 to float
  %40 = fadd float %34, %39
  %41 = getelementptr i8, ptr addrspace(1) %29, i64 4
  %42 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09@$2 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l,b"(ptr addrspace(1) %41, i1 %24) #2
  %43 = bitcast i32 %42 to float
  %44 = fadd float %40, %43
  %45 = sext i32 %5 to i64
  %46 = getelementptr [4 x i8], ptr addrspace(1) %29, i64 %45
  %47 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09@$2 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l,b"(ptr addrspace(1) %46, i1 %24) #2
  %48 = bitcast i32 %47 to float
  %49 = fadd float %44, %48
  %50 = getelementptr i8, ptr addrspace(1) %37, i64 -4
  %51 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09@$2 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l,b"(ptr addrspace(1) %50, i1 %24) #2
  %52 = bitcast i32 %51 to float
  %53 = getelementptr i8, ptr addrspace(1) %46, i64 -4
  %54 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09@$2 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l,b"(ptr addrspace(1) %53, i1 %24) #2
  %55 = bitcast i32 %54 to float
  %56 = fadd float %52, %55
  %57 = getelementptr i8, ptr addrspace(1) %37, i64 4
  %58 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09@$2 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l,b"(ptr addrspace(1) %57, i1 %24) #2
  %59 = bitcast i32 %58 to float
  %60 = fadd float %56, %59
  %61 = getelementptr i8, ptr addrspace(1) %46, i64 4
  %62 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09@$2 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l,b"(ptr addrspace(1) %61, i1 %24) #2
  %63 = bitcast i32 %62 to float
  %64 = fadd float %60, %63
  %65 = getelementptr [4 x i8], ptr addrspace(1) %1, i64 %26
  %66 = getelementptr [4 x i8], ptr addrspace(1) %65, i64 %28
  %67 = fmul float %2, %31
  %68 = fmul float %3, %49
  %69 = fadd float %67, %68
  %70 = fmul float %4, %64
  %71 = fadd float %69, %70
  %72 = bitcast float %71 to i32
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %72, ptr addrspace(1) %66, i1 %24) #2
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
