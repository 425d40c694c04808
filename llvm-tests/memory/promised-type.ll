; The loads have different types for TBAA: the first has the type that is common to both.
; ptxasw: opt --passes +memory --loads proofs
; launch: promised_type grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @promised_type(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
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
  %a = load i32, ptr addrspace(1) %p, !tbaa !0 ; memory: kept: nothing before has loaded or stored these bytes
  %b = load float, ptr addrspace(1) %p, !tbaa !1 ; memory: removed, same as the load @20
  %c = bitcast float %b to i32
  %d = add i32 %c, 5
  store i32 %a, ptr addrspace(1) %q
  %end = getelementptr i8, ptr addrspace(1) %q, i64 1024
  store i32 %d, ptr addrspace(1) %end
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

!0 = !{!2, !2, i64 0}
!1 = !{!3, !3, i64 0}
!2 = !{!"int", !4, i64 0}
!3 = !{!"float", !4, i64 0}
!4 = !{!"omnipotent char", !5, i64 0}
!5 = !{!"root"}
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; define ptx_kernel void @promised_type(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) #0 {
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
;   %a = load i32, ptr addrspace(1) %p, align 4, !tbaa !0
;   %0 = bitcast i32 %a to float
;   %c = bitcast float %0 to i32
;   %d = add i32 %c, 5
;   store i32 %a, ptr addrspace(1) %q, align 4
;   %end = getelementptr i8, ptr addrspace(1) %q, i64 1024
;   store i32 %d, ptr addrspace(1) %end, align 4
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
;
; !0 = !{!1, !1, i64 0}
; !1 = !{!"omnipotent char", !2, i64 0}
; !2 = !{!"root"}
