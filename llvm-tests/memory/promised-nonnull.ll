; The first load promises that a pointer is not null, and its alignment, the second nothing: the promises go.
; ptxasw: opt --passes +memory --loads proofs
; launch: promised_nonnull grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @promised_nonnull(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
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
  %q8 = getelementptr i8, ptr addrspace(1) %q, i64 256
  %a = load ptr, ptr addrspace(1) %p, !nonnull !0, !align !1 ; memory: kept: nothing before has loaded or stored these bytes
  %b = load ptr, ptr addrspace(1) %p ; memory: removed, same as the load @21
  %c = icmp eq ptr %b, null
  %e = zext i1 %c to i32
  store i32 %e, ptr addrspace(1) %q8
  %f = ptrtoint ptr %a to i64
  %g = trunc i64 %f to i32
  %end = getelementptr i8, ptr addrspace(1) %q, i64 1024
  store i32 %g, ptr addrspace(1) %end
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

!0 = !{}
!1 = !{i64 16}
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; define ptx_kernel void @promised_nonnull(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) #0 {
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
;   %q8 = getelementptr i8, ptr addrspace(1) %q, i64 256
;   %a = load ptr, ptr addrspace(1) %p, align 8
;   %c = icmp eq ptr %a, null
;   %e = zext i1 %c to i32
;   store i32 %e, ptr addrspace(1) %q8, align 4
;   %f = ptrtoint ptr %a to i64
;   %g = trunc i64 %f to i32
;   %end = getelementptr i8, ptr addrspace(1) %q, i64 1024
;   store i32 %g, ptr addrspace(1) %end, align 4
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
