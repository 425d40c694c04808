; What is defined for certain is itself when it is frozen.
; ptxasw: dump

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %p, i32 %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = add i32 %t, 3
  %b = freeze i32 %a
  store i32 %b, ptr %p
  %c = add nsw i32 %t, 3
  %d = freeze i32 %c
  store i32 %d, ptr %p
  %e = freeze i32 %x
  store i32 %e, ptr %p
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; expect:
; kernel k(p: b64 ptr, x: b32) {
; block0:
;     v1: b64 = load.paramentry.b64 &p ; 0
;     v3: b32 = load.paramentry.b32 &x ; 0
;     v5: b32 = copy.32 %tid.x ; 1
;     v7: b32 = add.32 v5, 3 ; 2
;     v8: b32 = copy.32 v7 ; 3
;     store.global.b32 v1, v8 ; 4
;     v9: b32 nsw = add.32 v5, 3 ; 5
;     v10: b32 = opaque ; 6
;     store.global.b32 v1, v10 ; 7
;     v11: b32 = opaque ; 8
;     store.global.b32 v1, v11 ; 9
;     return ; 10
; }
