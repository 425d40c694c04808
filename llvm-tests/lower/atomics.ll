; Atomic accesses; an exchange may fail for no reason.
; ptxasw: dump

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p, ptr %q, i32 %x, float %y) {
  %a = atomicrmw add ptr addrspace(1) %p, i32 %x seq_cst
  %b = atomicrmw umax ptr %q, i32 %x monotonic
  %c = atomicrmw fadd ptr addrspace(1) %p, float %y monotonic
  %d = atomicrmw nand ptr %q, i32 %x monotonic
  %e = cmpxchg ptr %q, i32 %x, i32 7 acq_rel monotonic
  %f = extractvalue { i32, i1 } %e, 1
  %g = load atomic i32, ptr %q acquire, align 4
  store atomic i32 %x, ptr %q release, align 4
  %h = load volatile i32, ptr %q, align 4
  fence syncscope("block") acquire
  ret void
}
; expect:
; kernel k(p: b64 ptr.global, q: b64 ptr, x: b32, y: f32) {
; block0:
;     v1: b64 = load.paramentry.b64 &p ; 0
;     v3: b64 = load.paramentry.b64 &q ; 0
;     v5: b32 = load.paramentry.b32 &x ; 0
;     v7: b32 = load.paramentry.f32 &y ; 0
;     v8: b32 = atomic.add.u32.global.seqcst.system.0 v1, v5 ; 1
;     v9: b32 = atomic.max.u32.global.relaxed.system.0 v3, v5 ; 2
;     v10: b32 = atomic.add.f32.global.relaxed.system.0 v1, v7 ; 3
;     v11: b32 = opaque.writes.polls ; 4
;     v13: b32 = atomic.compareexchange.b32.global.acqrel.system.0 v3, v5, 7 ; 5
;     v14: pred = opaque ; 5
;     v15: pred = copy.1 v14 ; 6
;     v16: b32 = load.global.acquire.b32 v3 ; 7
;     store.global.release.b32 v3, v5 ; 8
;     v17: b32 = load.global.volatile.b32 v3 ; 9
;     fence.seqcst.system ; 10
;     return ; 11
; }
