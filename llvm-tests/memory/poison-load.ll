; Two halves are read together that were read apart. Where an element of the array is stored that is poison (`nsw`), the number as a whole would be poison in whoever reads
; the other half: what is stored is frozen.
; ptxasw: opt --passes +memory --loads proofs
; launch: poison_load grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @poison_load(ptr addrspace(1) align 16 %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, 64
  %i = add i32 %base, %tid
  %wide = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %wide
  %p2 = getelementptr i8, ptr addrspace(1) %p, i64 2
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %low = load i16, ptr addrspace(1) %p ; memory: widened: 2 loads become one of 4 bytes, with @20
  %high = load i16, ptr addrspace(1) %p2 ; memory: widened: 2 loads become one of 4 bytes, with @19
  %sum = add nsw i16 %low, %high
  store i16 %sum, ptr addrspace(1) %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; define ptx_kernel void @poison_load(ptr addrspace(1) align 16 %in, ptr addrspace(1) %out, i32 %n) #0 {
; entry:
;   call void asm sideeffect "// ptxasw 1: loops memory(loads=proofs) shuffle", ""() #2
;   %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %base = mul i32 %ctaid, 64
;   %i = add i32 %base, %tid
;   %wide = zext i32 %i to i64
;   %p = getelementptr i32, ptr addrspace(1) %in, i64 %wide
;   %p2 = getelementptr i8, ptr addrspace(1) %p, i64 2
;   %q = getelementptr i32, ptr addrspace(1) %out, i64 %wide
;   %0 = load i32, ptr addrspace(1) %p, align 4
;   %1 = trunc i32 %0 to i16
;   %2 = lshr i32 %0, 16
;   %3 = select i1 true, i32 %2, i32 0
;   %4 = trunc i32 %3 to i16
;   %sum = add nsw i16 %1, %4
;   %5 = freeze i16 %sum
;   store i16 %5, ptr addrspace(1) %q, align 2
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
