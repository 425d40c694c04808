; Pointers of shared memory with 32 bits.
; ptxasw: dump

target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [32 x float] undef, align 4

define ptx_kernel void @k(ptr addrspace(3) %s, i32 %i) {
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %a = load float, ptr addrspace(3) %p, align 4
  %q = addrspacecast ptr addrspace(3) %s to ptr
  %b = load float, ptr %q, align 4
  %n = ptrtoint ptr addrspace(3) %s to i32
  ret void
}
; expect:
; kernel k(s: b32 ptr.shared, i: b32) {
;     variable shared tile
; block0:
;     v1: b32 = load.paramentry.b32 &s ; 0
;     v3: b32 = load.paramentry.b32 &i ; 0
;     v6: b32 = mul.low.32.signed v3, 4 ; 1
;     v7: b32 = add.32 &tile, v6 ; 1
;     v8: b32 = add.32 &tile, v6 ; 1
;     v9: b32 = load.shared.f32 v7 ; 2
;     v10: b64 = extend.32.64 v1 ; 3
;     v11: b64 = togeneric.shared.64 v10 ; 3
;     v12: b32 = load.shared.f32 v1 ; 4
;     v13: b32 = copy.32 v1 ; 5
;     return ; 6
; }
