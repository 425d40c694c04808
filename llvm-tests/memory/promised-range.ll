; The first load promises that the number is not zero, and is read as any number: the promise goes. (twin: not-range)
; ptxasw: opt --passes +memory --loads proofs
; launch: promised_range grid=2 block=64 args=u32[512]:zero,u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @promised_range(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, 64
  %i = add i32 %base, %tid
  %wide = zext i32 %i to i64
  %row = mul i64 %wide, 16
  %own = and i64 %row, 1023
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %own
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %big = icmp ugt i32 %tid, 20
  %a = load i32, ptr addrspace(1) %p, !range !0 ; memory: kept: nothing before has loaded or stored these bytes
  %b = load i32, ptr addrspace(1) %p ; memory: removed, same as the load @20
  %d = icmp eq i32 %b, 0
  %e = zext i1 %d to i32
  store i32 %a, ptr addrspace(1) %q
  %end = getelementptr i8, ptr addrspace(1) %q, i64 1024
  store i32 %e, ptr addrspace(1) %end
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

!0 = !{i32 1, i32 0}
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; define ptx_kernel void @promised_range(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) #0 {
; entry:
;   call void asm sideeffect "// ptxasw 1: loops memory(loads=proofs) shuffle", ""() #2
;   %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %base = mul i32 %ctaid, 64
;   %i = add i32 %base, %tid
;   %wide = zext i32 %i to i64
;   %row = mul i64 %wide, 16
;   %own = and i64 %row, 1023
;   %p = getelementptr i8, ptr addrspace(1) %in, i64 %own
;   %q = getelementptr i32, ptr addrspace(1) %out, i64 %wide
;   %big = icmp ugt i32 %tid, 20
;   %a = load i32, ptr addrspace(1) %p, align 4
;   %d = icmp eq i32 %a, 0
;   %e = zext i1 %d to i32
;   store i32 %a, ptr addrspace(1) %q, align 4
;   %end = getelementptr i8, ptr addrspace(1) %q, i64 1024
;   store i32 %e, ptr addrspace(1) %end, align 4
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
