; How threads end: a trap aborts the grid, inline assembly may end the thread alone, and what is undefined is not reached.
; ptxasw: dump

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(i32 %x) {
entry:
  %a = icmp eq i32 %x, 0
  br i1 %a, label %abort, label %next

abort:
  call void @llvm.trap()
  unreachable

next:
  %b = icmp eq i32 %x, 1
  br i1 %b, label %leave, label %more

leave:
  call void asm sideeffect "exit;", ""()
  unreachable

more:
  %c = icmp eq i32 %x, 2
  br i1 %c, label %never, label %end

never:
  unreachable

end:
  call void @llvm.trap()
  ret void
}
declare void @llvm.trap()
; expect:
; kernel k(x: b32) {
; block0:
;     v1: b32 = load.paramentry.b32 &x ; 0
;     v3: pred, v4: pred = compare.eq.u32 v1, 0 ; 1
;     branch v3, block1, block2 ; 2
; block1:
;     trap ; 4
; block2:
;     v6: pred, v7: pred = compare.eq.u32 v1, 1 ; 5
;     branch v6, block3, block4 ; 6
; block3:
;     opaque.writes.waits.exits.convergent.polls.reads ; 7
;     exit ; 8
; block4:
;     v9: pred, v10: pred = compare.eq.u32 v1, 2 ; 9
;     branch v9, block5, block6 ; 10
; block5:
;     trap ; 11
; block6:
;     opaque.writes.waits.exits.convergent.polls.reads ; 12
;     return ; 13
; }
