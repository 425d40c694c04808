; Special registers, barriers, and what lanes tell each other.
; ptxasw: dump

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %p, i32 %x, i1 %c, i32 %mask) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  %clock = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  %a = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %x, i32 1, i32 31)
  %b = call { i32, i1 } @llvm.nvvm.shfl.sync.bfly.i32p(i32 %mask, i32 %x, i32 1, i32 31)
  %d = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %c)
  %e = call i1 @llvm.nvvm.vote.all.sync(i32 %mask, i1 %c)
  %f = call i32 @llvm.nvvm.match.any.sync.i32(i32 %mask, i32 %x)
  %g = call { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32 %mask, i64 5)
  %h = call i32 @llvm.nvvm.redux.sync.umin(i32 %x, i32 %mask)
  call void @llvm.nvvm.barrier0()
  %i = call i32 @llvm.nvvm.barrier0.popc(i32 %x)
  call void @llvm.nvvm.bar.warp.sync(i32 %mask)
  call void @llvm.nvvm.membar.gl()
  %j = call float @llvm.nvvm.ldg.global.f.f32.p1(ptr addrspace(1) null, i32 4)
  %k = call i32 @llvm.nvvm.mulhi.ui(i32 %x, i32 %x)
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()
declare i32 @llvm.nvvm.read.ptx.sreg.clock()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare { i32, i1 } @llvm.nvvm.shfl.sync.bfly.i32p(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32, i64)
declare i32 @llvm.nvvm.redux.sync.umin(i32, i32)
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.barrier0.popc(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.membar.gl()
declare float @llvm.nvvm.ldg.global.f.f32.p1(ptr addrspace(1), i32)
declare i32 @llvm.nvvm.mulhi.ui(i32, i32)
; expect:
; kernel k(p: b64 ptr, x: b32, c: b8, mask: b32) {
; block0:
;     v1: b64 = load.paramentry.b64 &p ; 0
;     v3: b32 = load.paramentry.b32 &x ; 0
;     v5: b8 = load.paramentry.b8 &c ; 0
;     v6: b16 = extend.8.16 v5 ; 0
;     v9: b16 = and.16 v6, 1 ; 0
;     v10: pred, v11: pred = compare.ne.u16 v9, 0 ; 0
;     v13: b32 = load.paramentry.b32 &mask ; 0
;     v15: b32 = copy.32 %laneid ; 1
;     v17: b32 = copy.32 32 ; 2
;     v18: b32 = opaque.polls ; 3
;     v21: b32, v22: pred = shuffle.down.sync v3, 1, 31, v13 ; 4
;     v23: b32, v24: pred = shuffle.butterfly.sync v3, 1, 31, v13 ; 5
;     v25: b32 = vote.ballot.sync v10, v13 ; 6
;     v26: pred = vote.all.sync v10, v13 ; 7
;     v27: b32 = match.32 v3, v13 ; 8
;     v29: b32, v30: pred = match.all.64 5:b64, v13 ; 9
;     v31: b32 = redux.min.u32 v3, v13 ; 10
;     barrier.sync.aligned 0 ; 11
;     v33: pred, v34: pred = compare.ne.u32 v3, 0 ; 12
;     v35: b32 = barrier.reduce.popc.aligned 0, v33 ; 12
;     barrier.warp v13 ; 13
;     fence.seqcst.device ; 14
;     v37: b32 = load.global.nc.f32 0 ; 15
;     v38: b32 = mul.high.32 v3, v3 ; 16
;     return ; 17
; }
