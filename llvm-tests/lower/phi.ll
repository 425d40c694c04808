; Phis take the values from before the block; two of them change places.
; ptxasw: dump

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @f(i32 %n, ptr %p) {
entry:
  br label %loop

loop:
  %a = phi i32 [ 0, %entry ], [ %b, %loop ]
  %b = phi i32 [ 1, %entry ], [ %a, %loop ]
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %u = phi i32 [ poison, %entry ], [ %a, %loop ]
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  store i32 %a, ptr %p
  ret void
}
; expect:
; function f() {
;     callers may write
; block0:
;     v0: b32 = opaque ; 0
;     v1: b64 = opaque ; 0
;     jump block1(0, 1, 0, undefined.v11) ; 1
; block1(v2: b32, v3: b32, v4: b32, v5: b32):
;     v7: b32 nsw nuw = add.32 v4, 1 ; 6
;     v8: pred, v9: pred = compare.lt.s32 v7, v0 ; 7
;     branch v8, block1(v3, v2, v7, v2), block2 ; 8
; block2:
;     store.generic.b32 v1, v2 ; 9
;     return ; 10
; }
