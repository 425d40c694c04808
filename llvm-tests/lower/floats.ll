; Sums and products may be fused; quotients are not known; comparisons are.
; ptxasw: dump

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @f(ptr %p, float %x, float %y, double %d, half %h, i32 %i) #0 {
  %a = fadd float %x, %y
  %b = fmul contract float %a, %y
  %c = fdiv float %b, %x
  %e = fneg double %d
  %f = fcmp olt float %x, %y
  %g = fcmp une double %d, %e
  %h1 = fcmp true half %h, %h
  %j = fptosi float %x to i32
  %k = uitofp i32 %i to double
  %l = fptrunc double %d to float
  %m = fpext half %h to float
  %n = sitofp i8 1 to float
  ret void
}
attributes #0 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
; expect:
; function f() {
;     callers may write
; block0:
;     v0: b64 = opaque ; 0
;     v1: b32 = opaque ; 0
;     v2: b32 = opaque ; 0
;     v3: b64 = opaque ; 0
;     v4: b16 = opaque ; 0
;     v5: b32 = opaque ; 0
;     v6: b32 = float.add.f32.contractible.ftz v1, v2 ; 1
;     v7: b32 contract = float.mul.f32.contractible.ftz v6, v2 ; 2
;     v8: b32 = opaque ; 3
;     v9: b64 = float.neg.f64.nearest v3 ; 4
;     v10: pred, v11: pred = compare.lt.f32.ftz v1, v2 ; 5
;     v12: pred, v13: pred = compare.neu.f64 v3, v9 ; 6
;     v15: pred = copy.1 1 ; 7
;     v16: b32 = convert.f32.s32.zero.ftz v1 ; 8
;     v17: b64 = convert.u32.f64.nearest v5 ; 9
;     v18: b32 = convert.f64.f32.nearest.ftz v3 ; 10
;     v19: b32 = convert.f16.f32.nearest.ftz v4 ; 11
;     v21: b32 = opaque ; 12
;     return ; 13
; }
