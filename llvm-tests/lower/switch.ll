; A switch is a tree of comparisons; phis behind it take what its block has.
; ptxasw: dump

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @f(i8 %x, ptr %p) {
entry:
  switch i8 %x, label %end [
    i8 -1, label %one
    i8 0, label %one
    i8 7, label %end
    i8 100, label %two
    i8 3, label %end
  ]

one:
  br label %end

two:
  unreachable

end:
  %v = phi i32 [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 2, %one ]
  store i32 %v, ptr %p
  ret void
}
; expect:
; function f() {
;     callers may write
; block0:
;     v0: b8 = opaque ; 0
;     v1: b64 = opaque ; 0
;     v4: b16 = extend.8.16 v0 ; 1
;     v6: pred, v7: pred = compare.lt.u16 v4, 7 ; 1
;     branch v6, block4, block7 ; 1
; block1:
;     jump block3(2) ; 2
; block2:
;     trap ; 3
; block3(v2: b32):
;     store.generic.b32 v1, v2 ; 5
;     return ; 6
; block4:
;     v9: b16 = extend.8.16 v0 ; 1
;     v11: pred, v12: pred = compare.lt.u16 v9, 3 ; 1
;     branch v11, block5, block6 ; 1
; block5:
;     v14: b16 = extend.8.16 v0 ; 1
;     v16: pred, v17: pred = compare.eq.u16 v14, 0 ; 1
;     branch v16, block1, block3(1) ; 1
; block6:
;     v19: b16 = extend.8.16 v0 ; 1
;     v20: pred, v21: pred = compare.eq.u16 v19, 3 ; 1
;     branch v20, block3(1), block3(1) ; 1
; block7:
;     v23: b16 = extend.8.16 v0 ; 1
;     v25: pred, v26: pred = compare.lt.u16 v23, 100 ; 1
;     branch v25, block8, block9 ; 1
; block8:
;     v27: b16 = extend.8.16 v0 ; 1
;     v28: pred, v29: pred = compare.eq.u16 v27, 7 ; 1
;     branch v28, block3(1), block3(1) ; 1
; block9:
;     v31: b16 = extend.8.16 v0 ; 1
;     v33: pred, v34: pred = compare.lt.u16 v31, 255 ; 1
;     branch v33, block10, block11 ; 1
; block10:
;     v35: b16 = extend.8.16 v0 ; 1
;     v36: pred, v37: pred = compare.eq.u16 v35, 100 ; 1
;     branch v36, block2, block3(1) ; 1
; block11:
;     v38: b16 = extend.8.16 v0 ; 1
;     v39: pred, v40: pred = compare.eq.u16 v38, 255 ; 1
;     branch v39, block1, block3(1) ; 1
; }
