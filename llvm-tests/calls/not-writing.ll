; A function that writes somewhere inside of what it calls.
; ptxasw: remarks

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr inbounds float, ptr %in, i64 %i
  %a = load float, ptr %p, align 4 ; kept: C1-no-source
  %c = call float @callee(float %a)
  %q = getelementptr inbounds float, ptr %p, i64 1
  %b = load float, ptr %q, align 4 ; kept: C3-call @12
  %s = fadd float %c, %b
  %r = getelementptr inbounds float, ptr %out, i64 %i
  store float %s, ptr %r, align 4
  ret void
}

@log = addrspace(1) global float 0.0

define internal void @inner(float %x) noinline {
  store float %x, ptr addrspace(1) @log
  ret void
}

define internal float @callee(float %x) noinline {
  call void @inner(float %x)
  ret float %x
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
