; The lower half may be poison (`nsw`). In one number with the upper half it must not make that poison as well: it is frozen.
; ptxasw: opt --passes +memory --loads proofs
; launch: poison_part grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @poison_part(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, 64
  %i = add i32 %base, %tid
  %wide = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %wide
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 2
  %x = load i32, ptr addrspace(1) %p
  %low = trunc i32 %x to i16
  %upper = lshr i32 %x, 16
  %high = trunc i32 %upper to i16
  %sum = add nsw i16 %low, 1
  store i16 %sum, ptr addrspace(1) %q, align 4
  store i16 %high, ptr addrspace(1) %q2
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
