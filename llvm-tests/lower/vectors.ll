; Vectors and structs are taken apart; of 3 elements, loads are not known, stores are.
; ptxasw: dump

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @f(ptr %p, <4 x float> %v, {i32, [2 x i16]} %s, i32 %i) {
  %a = load <4 x float>, ptr %p, align 16
  %b = fadd <4 x float> %a, %v
  %c = shufflevector <4 x float> %b, <4 x float> %v, <2 x i32> <i32 5, i32 0>
  store <2 x float> %c, ptr %p, align 8
  %d = extractelement <4 x float> %b, i64 2
  %e = insertelement <4 x float> zeroinitializer, float %d, i64 1
  store <4 x float> %e, ptr %p, align 16
  %g = extractelement <4 x float> %b, i32 %i
  store float %g, ptr %p, align 4
  %h = load <3 x float>, ptr %p, align 16
  store <3 x float> %h, ptr %p, align 4
  %j = extractvalue {i32, [2 x i16]} %s, 1, 1
  store i16 %j, ptr %p, align 2
  %k = insertvalue {i32, [2 x i16]} %s, i16 7, 1, 0
  store {i32, [2 x i16]} %k, ptr %p, align 4
  %l = bitcast i32 %i to <2 x i16>
  %m = add <2 x i16> %l, <i16 1, i16 -1>
  %n = bitcast <2 x i16> %m to i32
  store i32 %n, ptr %p, align 4
  %o = load {i32, i32}, ptr %p, align 4
  ret void
}
; expect:
; function f() {
;     callers may write
; block0:
;     v0: b64 = opaque ; 0
;     v1: b32 = opaque ; 0
;     v2: b32 = opaque ; 0
;     v3: b32 = opaque ; 0
;     v4: b32 = opaque ; 0
;     v5: b32 = opaque ; 0
;     v6: b16 = opaque ; 0
;     v7: b16 = opaque ; 0
;     v8: b32 = opaque ; 0
;     v9: b32, v10: b32, v11: b32, v12: b32 = load.generic.v4.f32 v0 ; 1
;     v13: b32 = float.add.f32.contractible v9, v1 ; 2
;     v14: b32 = float.add.f32.contractible v10, v2 ; 2
;     v15: b32 = float.add.f32.contractible v11, v3 ; 2
;     v16: b32 = float.add.f32.contractible v12, v4 ; 2
;     v17: b32 = copy.32 v2 ; 3
;     v18: b32 = copy.32 v13 ; 3
;     store.generic.v2.f32 v0, v17, v18 ; 4
;     v19: b32 = copy.32 v15 ; 5
;     store.generic.v4.f32 v0, 0, v19, 0, 0 ; 7
;     v21: b32 = opaque ; 8
;     store.generic.f32 v0, v21 ; 9
;     v22: b32, v23: b32, v24: b32 = load.generic.v3.f32 v0 ; 10
;     store.generic.v3.f32 v0, v22, v23, v24 ; 11
;     v25: b16 = copy.16 v7 ; 12
;     store.generic.b16 v0, v25 ; 13
;     store.generic.b32 v0, v5 ; 15
;     store.generic.b16[+4] v0, 7 ; 15
;     store.generic.b16[+6] v0, v7 ; 15
;     v27: b16, v28: b16 = unpack.2.16 v8 ; 16
;     v31: b16 = add.16 v27, 1 ; 17
;     v32: b16 = add.16 v28, 0xffff ; 17
;     v33: b32 = pack.2.16 v31, v32 ; 18
;     store.generic.b32 v0, v33 ; 19
;     v34: b32, v35: b32 = opaque.reads ; 20
;     return ; 21
; }
