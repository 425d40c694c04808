; Integers of more than 64 bits are not known; flags and odd widths are.
; ptxasw: dump

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @f(ptr %p, i24 %x, i128 %w, i1 %c, i64 %n) {
  %a = add nsw i24 %x, 5
  %b = ashr i24 %a, 3
  %d = sext i24 %b to i64
  store i64 %d, ptr %p, align 8
  %e = mul i128 %w, %w
  %f = lshr i128 %e, 64
  %g = trunc i128 %f to i64
  store i64 %g, ptr %p, align 8
  store i128 %e, ptr %p, align 16
  %h = load i128, ptr %p, align 16
  %i = load i1, ptr %p, align 1
  %j = xor i1 %i, %c
  store i1 %j, ptr %p, align 1
  %k = sext i1 %j to i32
  store i32 %k, ptr %p, align 4
  %l = shl nuw i64 %n, 3
  store i64 %l, ptr %p, align 8
  ret void
}
; expect:
; function f() {
;     callers may write
; block0:
;     v0: b64 = opaque ; 0
;     v1: b24 = opaque ; 0
;     v2: b128 = opaque ; 0
;     v3: pred = opaque ; 0
;     v4: b64 = opaque ; 0
;     v6: b32 = extend.24.32 v1 ; 1
;     v8: b32 = add.32 v6, 5 ; 1
;     v9: b24 = extend.32.24 v8 ; 1
;     v11: b32 = extend.24.32.signed v9 ; 2
;     v13: b32 = shr.32.signed v11, 3 ; 2
;     v14: b24 = extend.32.24 v13 ; 2
;     v15: b64 = extend.24.64.signed v14 ; 3
;     store.generic.b64 v0, v15 ; 4
;     v16: b128 = opaque ; 5
;     v17: b128 = opaque ; 0
;     v18: b128 = opaque ; 6
;     v19: b64 = opaque ; 7
;     store.generic.b64 v0, v19 ; 8
;     opaque.writes ; 9
;     v20: b128 = opaque.reads ; 10
;     v21: b8 = load.generic.b8 v0 ; 11
;     v22: b16 = extend.8.16 v21 ; 11
;     v25: b16 = and.16 v22, 1 ; 11
;     v26: pred, v27: pred = compare.ne.u16 v25, 0 ; 11
;     v28: pred = xor.1 v26, v3 ; 12
;     v31: b8 = select.8 1, 0, v28 ; 13
;     store.generic.b8 v0, v31 ; 13
;     v34: b32 = select.32 0xffffffff, 0, v28 ; 14
;     store.generic.b32 v0, v34 ; 15
;     v36: b64 nuw = shl.64 v4, 3 ; 16
;     store.generic.b64 v0, v36 ; 17
;     return ; 18
; }
