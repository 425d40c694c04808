; Constant expressions are computed where the function starts.
; ptxasw: dump

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@a = addrspace(1) global [8 x i32] zeroinitializer
@s = internal addrspace(3) global [8 x i32] undef

define ptx_kernel void @k(ptr %p, i1 %c) {
  %x = select i1 %c, i64 ptrtoint (ptr addrspace(1) getelementptr ([8 x i32], ptr addrspace(1) @a, i64 0, i64 3) to i64), i64 7
  store i64 %x, ptr %p
  store ptr addrspacecast (ptr addrspace(3) @s to ptr), ptr %p
  store i64 sub (i64 ptrtoint (ptr addrspace(1) @a to i64), i64 8), ptr %p
  store ptr @f, ptr %p
  store float 0x36A0000000000000, ptr %p
  store half 0xH3C00, ptr %p
  store <2 x i32> <i32 1, i32 undef>, ptr %p
  store { i32, float } { i32 5, float 1.5 }, ptr %p
  store ptr inttoptr (i64 4096 to ptr), ptr %p
  ret void
}

define void @f() {
  ret void
}
; expect:
; kernel k(p: b64 ptr, c: b8) {
;     variable global a
;     variable shared s
; block0:
;     v1: b64 = load.paramentry.b64 &p ; 0
;     v3: b8 = load.paramentry.b8 &c ; 0
;     v4: b16 = extend.8.16 v3 ; 0
;     v7: b16 = and.16 v4, 1 ; 0
;     v8: pred, v9: pred = compare.ne.u16 v7, 0 ; 0
;     v12: b64 = copy.64 &a+12 ; 0
;     v14: b64 = select.64 v12, 7, v8 ; 1
;     store.global.b64 v1, v14 ; 2
;     v16: b64 = togeneric.shared.64 &s ; 0
;     store.global.b64 v1, v16 ; 3
;     v17: b64 = copy.64 &a ; 0
;     v19: b64 = sub.64 v17, 8 ; 0
;     store.global.b64 v1, v19 ; 4
;     store.global.b64 v1, &function0 ; 5
;     store.global.f32 v1, 1 ; 6
;     store.global.f16 v1, 0x3c00 ; 7
;     store.global.v2.b32 v1, 1, undefined.v23 ; 8
;     store.global.b32 v1, 5 ; 9
;     store.global.f32[+4] v1, 0x3fc00000 ; 9
;     v27: b64 = copy.64 0x1000 ; 0
;     store.global.b64 v1, v27 ; 10
;     return ; 11
; }
; function f() {
;     callers may write
; block0:
;     return ; 1
; }
