; A struct that is only read stays where kernel parameters are.
; ptxasw: dump

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%box = type { i32, [4 x float], ptr }

define ptx_kernel void @k(ptr byval(%box) align 8 %b, i32 %i) {
  %first = load i32, ptr %b, align 8
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds %box, ptr %b, i64 0, i32 1, i64 %wide
  %x = load float, ptr %p, align 4
  %q = getelementptr inbounds %box, ptr %b, i64 0, i32 2
  %y = load ptr, ptr %q, align 8
  %z = load float, ptr %y, align 4
  ret void
}
; expect:
; kernel k(b: b8 in 32 bytes, i: b32) {
; block0:
;     v1: b64 = togeneric.paramentry.64 &b ; 0
;     v3: b32 = load.paramentry.b32 &i ; 0
;     v4: b32 = load.paramentry.b32 &b ; 1
;     v5: b64 = extend.32.64.signed v3 ; 2
;     v7: b64 nsw = mul.low.64.signed v5, 4 ; 3
;     v8: b64 = add.64 &b, v7 ; 3
;     v9: b64 = add.64 v8, 4 ; 3
;     v10: b64 = add.64 v1, v7 ; 3
;     v11: b64 = add.64 v10, 4 ; 3
;     v12: b32 = load.paramentry.f32 v9 ; 4
;     v15: b64 = add.64 v1, 24 ; 5
;     v16: b64 = load.paramentry.b64 &b+24 ; 6
;     v17: b32 = load.generic.f32 v16 ; 7
;     return ; 8
; }
