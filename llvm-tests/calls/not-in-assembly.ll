; Assembly names the function: somebody may call it there, behind a store.
; ptxasw: remarks

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@table = addrspace(1) global [4096 x float] zeroinitializer, align 4

define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %s = call float @sum()
  %r = getelementptr inbounds float, ptr %out, i64 %i
  store float %s, ptr %r, align 4
  ret void
}

define internal float @sum() noinline {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr inbounds float, ptr addrspace(1) @table, i64 %i
  %a = load float, ptr addrspace(1) %p, align 4 ; kept: C1-no-source
  %q = getelementptr inbounds float, ptr addrspace(1) %p, i64 1
  %b = load float, ptr addrspace(1) %q, align 4 ; kept: C3-caller
  %s = fsub float %b, %a
  ret float %s
}

; Nobody calls this here.
define void @elsewhere(ptr %p) {
  store float 1.0, ptr %p, align 4
  call void asm sideeffect "// sum", ""()
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
