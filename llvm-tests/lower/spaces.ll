; Address spaces, and generic pointers that were made from objects in them.
; ptxasw: dump

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%pair = type { i32, i64 }
@tile = internal addrspace(3) global [32 x float] undef, align 4
@dynamic = external addrspace(3) global [0 x float], align 4
@table = internal addrspace(4) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 4
@counter = addrspace(1) global i32 0, align 4
@plain = global i32 0, align 4

define ptx_kernel void @k(ptr %generic, ptr addrspace(1) %global, ptr addrspace(3) %shared, i32 %i) {
  %room = alloca [4 x i32], align 4
  %1 = load i32, ptr %generic, align 4
  %2 = load i32, ptr addrspace(1) %global, align 4
  %3 = load i32, ptr addrspace(3) %shared, align 4
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds [32 x float], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 0, i64 %wide
  %4 = load float, ptr %p, align 4
  %5 = load float, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 8), align 4
  %6 = load float, ptr addrspace(3) @dynamic, align 4
  %q = getelementptr inbounds [4 x i32], ptr addrspace(4) @table, i64 0, i64 %wide
  %7 = load i32, ptr addrspace(4) %q, align 4
  %8 = load i32, ptr addrspacecast (ptr addrspace(1) @counter to ptr), align 4
  %9 = load i32, ptr @plain, align 4
  %r = getelementptr inbounds [4 x i32], ptr %room, i64 0, i64 %wide
  store i32 %9, ptr %r, align 4
  %10 = load i32, ptr %r, align 4
  %cast = addrspacecast ptr %generic to ptr addrspace(1)
  %11 = load i32, ptr addrspace(1) %cast, align 4
  %12 = icmp eq i32 %i, 0
  %either = select i1 %12, ptr %room, ptr %generic
  %13 = load i32, ptr %either, align 4
  %number = ptrtoint ptr %generic to i64
  %sum = add i64 %number, 16
  %made = inttoptr i64 %sum to ptr
  %14 = load i32, ptr %made, align 4
  %field = getelementptr %pair, ptr %generic, i64 2, i32 1
  %15 = load i64, ptr %field, align 8
  %16 = load i32, ptr addrspace(1) %global, align 4, !invariant.load !0
  ret void
}
!0 = !{}
; expect:
; kernel k(generic: b64 ptr, global: b64 ptr.global, shared: b64 ptr.shared, i: b32) {
;     variable local %room
;     variable shared tile
;     variable shared dynamic dynamic
;     variable const table
;     variable global counter
;     variable global plain
; block0:
;     v1: b64 = load.paramentry.b64 &generic ; 0
;     v3: b64 = load.paramentry.b64 &global ; 0
;     v5: b64 = load.paramentry.b64 &shared ; 0
;     v7: b32 = load.paramentry.b32 &i ; 0
;     v9: b64 = togeneric.local.64 &%room ; 1
;     v10: b32 = load.global.b32 v1 ; 2
;     v11: b32 = load.global.b32 v3 ; 3
;     v12: b32 = load.shared.b32 v5 ; 4
;     v13: b64 = extend.32.64.signed v7 ; 5
;     v16: b64 nsw = mul.low.64.signed v13, 4 ; 6
;     v17: b64 = add.64 &tile, v16 ; 6
;     v18: b64 = togeneric.shared.64 &tile ; 0
;     v19: b64 = add.64 v18, v16 ; 6
;     v20: b32 = load.shared.f32 v17 ; 7
;     v22: b32 = load.shared.f32 &tile+8 ; 8
;     v24: b32 = load.shared.f32 &dynamic ; 9
;     v26: b64 = add.64 &table, v16 ; 10
;     v27: b64 = add.64 &table, v16 ; 10
;     v28: b32 = load.const.b32 v26 ; 11
;     v30: b32 = load.global.b32 &counter ; 12
;     v32: b32 = load.global.b32 &plain ; 13
;     v33: b64 = add.64 &%room, v16 ; 14
;     v34: b64 = add.64 v9, v16 ; 14
;     store.local.b32 v33, v32 ; 15
;     v35: b32 = load.local.b32 v33 ; 16
;     v36: b64 = fromgeneric.global.64 v1 ; 17
;     v37: b32 = load.global.b32 v36 ; 18
;     v39: pred, v40: pred = compare.eq.u32 v7, 0 ; 19
;     v41: b64 = select.64 v9, v1, v39 ; 20
;     v42: b32 = load.generic.b32 v41 ; 21
;     v43: b64 = copy.64 v1 ; 22
;     v45: b64 = add.64 v43, 16 ; 23
;     v46: b64 = copy.64 v45 ; 24
;     v47: b32 = load.generic.b32 v46 ; 25
;     v49: b64 = add.64 v1, 40 ; 26
;     v50: b64 = load.global.b64 v49 ; 27
;     v51: b32 = load.global.nc.b32 v3 ; 28
;     return ; 29
; }
