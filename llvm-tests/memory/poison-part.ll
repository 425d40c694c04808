; The lower half may be poison (`nsw`). In one number with the upper half it must not make that poison as well: it is frozen.
; ptxasw: opt --passes +memory --loads proofs
; launch: poison_part grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @poison_part(ptr addrspace(1) %in, ptr addrspace(1) align 16 %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, 64
  %i = add i32 %base, %tid
  %wide = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %wide
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 2
  %x = load i32, ptr addrspace(1) %p ; memory: kept: nothing before has loaded or stored these bytes
  %low = trunc i32 %x to i16
  %upper = lshr i32 %x, 16
  %high = trunc i32 %upper to i16
  %sum = add nsw i16 %low, 1
  store i16 %sum, ptr addrspace(1) %q, align 4 ; memory: widened: 2 stores become one of 4 bytes, with @24
  store i16 %high, ptr addrspace(1) %q2 ; memory: widened: 2 stores become one of 4 bytes, with @23
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; define ptx_kernel void @poison_part(ptr addrspace(1) %in, ptr addrspace(1) align 16 %out, i32 %n) #0 {
; entry:
;   call void asm sideeffect "// ptxasw 1: loops memory(loads=proofs) shuffle", ""() #2
;   %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %base = mul i32 %ctaid, 64
;   %i = add i32 %base, %tid
;   %wide = zext i32 %i to i64
;   %p = getelementptr i32, ptr addrspace(1) %in, i64 %wide
;   %q = getelementptr i32, ptr addrspace(1) %out, i64 %wide
;   %q2 = getelementptr i8, ptr addrspace(1) %q, i64 2
;   %x = load i32, ptr addrspace(1) %p, align 4
;   %low = trunc i32 %x to i16
;   %upper = lshr i32 %x, 16
;   %high = trunc i32 %upper to i16
;   %sum = add i16 %low, 1
;   %0 = freeze i16 %sum
;   %1 = zext i16 %0 to i32
;   %2 = freeze i16 %high
;   %3 = zext i16 %2 to i32
;   %4 = shl i32 %3, 16
;   %5 = select i1 true, i32 %4, i32 0
;   %6 = or i32 %1, %5
;   %7 = getelementptr i8, ptr addrspace(1) %q2, i64 -2
;   store i32 %6, ptr addrspace(1) %7, align 4
;   ret void
; }
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
;
; attributes #0 = { "ptxasw"="1: loops memory(loads=proofs) shuffle" }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { nounwind willreturn memory(inaccessiblemem: readwrite) }
