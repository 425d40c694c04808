; A struct that is written to is a copy of the thread.
; ptxasw: dump

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%box = type { i32, [4 x float] }

define ptx_kernel void @k(ptr byval(%box) align 4 %b, i32 %i) {
  %first = load i32, ptr %b, align 4
  store i32 %i, ptr %b, align 4
  %second = load i32, ptr %b, align 4
  ret void
}
; expect:
; kernel k(b: b8 in 20 bytes, i: b32) {
;     variable local "copy of parameter 0"
; block0:
;     v1: b64 = togeneric.local.64 &"copy of parameter 0" ; 0
;     v3: b32 = load.paramentry.b32 &i ; 0
;     v4: b32 = load.local.b32 &"copy of parameter 0" ; 1
;     store.local.b32 &"copy of parameter 0", v3 ; 2
;     v5: b32 = load.local.b32 &"copy of parameter 0" ; 3
;     return ; 4
; }
