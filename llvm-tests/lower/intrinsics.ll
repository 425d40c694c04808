; Integer intrinsics that have an operation here, and some that have none.
; ptxasw: dump

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @f(ptr %p, i32 %x, i32 %y, i64 %z, i16 %h) {
  %a = call i32 @llvm.smax.i32(i32 %x, i32 %y)
  %b = call i32 @llvm.abs.i32(i32 %x, i1 true)
  %c = call i64 @llvm.ctpop.i64(i64 %z)
  %d = call i32 @llvm.cttz.i32(i32 %x, i1 false)
  %e = call i32 @llvm.fshl.i32(i32 %x, i32 %y, i32 %x)
  %f = call i32 @llvm.bswap.i32(i32 %x)
  %g = call i16 @llvm.umin.i16(i16 %h, i16 3)
  %h2 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %x, i32 %y)
  %i = call float @llvm.fma.f32(float 1.0, float 2.0, float 3.0)
  %j = call double @llvm.sqrt.f64(double 2.0)
  %k = call i32 @llvm.expect.i32(i32 %x, i32 1)
  ret void
}
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.abs.i32(i32, i1)
declare i64 @llvm.ctpop.i64(i64)
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.bswap.i32(i32)
declare i16 @llvm.umin.i16(i16, i16)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare float @llvm.fma.f32(float, float, float)
declare double @llvm.sqrt.f64(double)
declare i32 @llvm.expect.i32(i32, i32)
; expect:
; function f() {
;     callers may write
; block0:
;     v0: b64 = opaque ; 0
;     v1: b32 = opaque ; 0
;     v2: b32 = opaque ; 0
;     v3: b64 = opaque ; 0
;     v4: b16 = opaque ; 0
;     v5: b32 = max.32.signed v1, v2 ; 1
;     v7: b32 = abs.32 v1 ; 2
;     v8: b32 = popc.64 v3 ; 3
;     v9: b64 = extend.32.64 v8 ; 3
;     v11: b32 = brev.32 v1 ; 4
;     v12: b32 = clz.32 v11 ; 4
;     v13: b32 = funnel.left.wrap v2, v1, v1 ; 5
;     v14: b32 = opaque ; 6
;     v16: b16 = opaque ; 7
;     v17: b32 = add.32 v1, v2 ; 8
;     v19: pred, v20: pred = compare.lt.s32 v2, 0 ; 8
;     v21: pred, v22: pred = compare.lt.s32 v17, v1 ; 8
;     v23: pred = xor.1 v19, v21 ; 8
;     v27: b32 = float.fma.f32.contractible 0x3f800000, 0x40000000, 0x40400000 ; 9
;     v29: b64 = opaque ; 10
;     v30: b32 = copy.32 v1 ; 11
;     return ; 12
; }
