; Generic pointers lead where they were made from, through phis and selects; what is unknown stays generic.
; ptxasw: dump

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [32 x float] undef, align 4
@table = internal addrspace(1) constant [4 x float] zeroinitializer, align 4

define ptx_kernel void @k(ptr noalias readonly %fixed, ptr %a, ptr %b, i32 %n, i1 %c) {
entry:
  %room = alloca float, align 4
  %start = getelementptr float, ptr %fixed, i64 4
  br label %loop

loop:
  %p = phi ptr [ %start, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %x = load float, ptr %p, align 4
  %next = getelementptr float, ptr %p, i64 32
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %end

end:
  %either = select i1 %c, ptr %a, ptr %b
  %y = load float, ptr %either, align 4
  %mixed = select i1 %c, ptr %fixed, ptr %b
  %z = load float, ptr %mixed, align 4
  %local = select i1 %c, ptr %room, ptr null
  store float %x, ptr %local, align 4
  %shared = select i1 %c, ptr addrspacecast (ptr addrspace(3) @tile to ptr), ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 8)
  store float %y, ptr %shared, align 4
  %both = select i1 %c, ptr %a, ptr %room
  store float %z, ptr %both, align 4
  %loaded = load ptr, ptr %a, align 8
  %w = load float, ptr %loaded, align 4
  %q = getelementptr float, ptr addrspacecast (ptr addrspace(1) @table to ptr), i32 %n
  %v = load float, ptr %q, align 4
  %number = ptrtoint ptr %a to i64
  %made = inttoptr i64 %number to ptr
  %u = load float, ptr %made, align 4
  %t = load volatile float, ptr %fixed, align 4
  ret void
}
; expect:
; kernel k(fixed: b64 ptr noalias, a: b64 ptr, b: b64 ptr, n: b32, c: b8) {
;     variable local %room
;     variable shared tile
;     variable global table
; block0:
;     v1: b64 = load.paramentry.b64 &fixed ; 0
;     v3: b64 = load.paramentry.b64 &a ; 0
;     v5: b64 = load.paramentry.b64 &b ; 0
;     v7: b32 = load.paramentry.b32 &n ; 0
;     v9: b8 = load.paramentry.b8 &c ; 0
;     v10: b16 = extend.8.16 v9 ; 0
;     v13: b16 = and.16 v10, 1 ; 0
;     v14: pred, v15: pred = compare.ne.u16 v13, 0 ; 0
;     v17: b64 = togeneric.local.64 &%room ; 1
;     v19: b64 = add.64 v1, 16 ; 2
;     v37: b64 = togeneric.shared.64 &tile ; 0
;     v38: b64 = togeneric.shared.64 &tile ; 0
;     v40: b64 = add.64 v38, 8 ; 0
;     v47: b64 = extend.32.64.signed v7 ; 0
;     v49: b64 = mul.low.64.signed v47, 4 ; 0
;     v51: b64 = togeneric.global.64 &table ; 0
;     jump block1(v19, 0) ; 3
; block1(v20: b64, v21: b32):
;     v22: b32 = load.global.nc.f32 v20 ; 6
;     v24: b64 = add.64 v20, 128 ; 7
;     v26: b32 = add.32 v21, 1 ; 8
;     v27: pred, v28: pred = compare.lt.s32 v26, v7 ; 9
;     branch v27, block1(v24, v26), block2 ; 10
; block2:
;     v29: b64 = select.64 v3, v5, v14 ; 11
;     v30: b32 = load.global.f32 v29 ; 12
;     v31: b64 = select.64 v1, v5, v14 ; 13
;     v32: b32 = load.global.f32 v31 ; 14
;     v34: b64 = select.64 v17, 0, v14 ; 15
;     v35: b64 = fromgeneric.local.64 v34 ; 16
;     store.local.f32 v35, v22 ; 16
;     v41: b64 = select.64 v37, v40, v14 ; 17
;     v42: b64 = fromgeneric.shared.64 v41 ; 18
;     store.shared.f32 v42, v30 ; 18
;     v43: b64 = select.64 v3, v17, v14 ; 19
;     store.generic.f32 v43, v32 ; 20
;     v44: b64 = load.global.b64 v3 ; 21
;     v45: b32 = load.generic.f32 v44 ; 22
;     v50: b64 = add.64 &table, v49 ; 23
;     v52: b64 = add.64 v51, v49 ; 23
;     v53: b32 = load.global.nc.f32 v50 ; 24
;     v54: b64 = copy.64 v3 ; 25
;     v55: b64 = copy.64 v54 ; 26
;     v56: b32 = load.generic.f32 v55 ; 27
;     v57: b32 = load.global.volatile.f32 v1 ; 28
;     return ; 29
; }
