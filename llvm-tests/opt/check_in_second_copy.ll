; ptxasw: opt --profit always
; A check in a second copy reads a sum that the first computes.
; launch: k grid=2 block=64 args=u32[600]@8,u32[300],200,3
; launch: k grid=2 block=48 args=u32[600]@8,u32[300],71,5
; launch: k grid=1 block=33,3 args=u32[600]@8,u32[300],99,2
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
define ptx_kernel void @k(ptr noalias readonly %a, ptr noalias %o, i32 %n, i32 %m) {
e:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nt = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %nc = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %st = mul i32 %nt, %nc
  %bb = mul i32 %b, %nt
  %i = add i32 %bb, %t
  %c = icmp slt i32 %i, %n
  br i1 %c, label %l, label %x
l:
  %k = phi i32 [ %i, %e ], [ %kn, %l ]
  %s = phi i32 [ 0, %e ], [ %sn, %l ]
  %z = add i32 %i, %m
  %z1 = add i32 %z, 1
  %zz = add i32 %m, 1
  %kx = zext i32 %k to i64
  %p0 = getelementptr i32, ptr %a, i64 %kx
  %v0 = load i32, ptr %p0
  %p1 = getelementptr i32, ptr %p0, i64 1
  %v1 = load i32, ptr %p1
  %p2 = getelementptr i32, ptr %p0, i64 2
  %v2 = load i32, ptr %p2
  %q0 = mul i32 %v0, %v1
  %q1 = add i32 %q0, %v2
  %sn = add i32 %s, %q1
  %kn = add i32 %k, %st
  %d = icmp slt i32 %kn, %n
  br i1 %d, label %l, label %after
after:
  %c2 = icmp slt i32 %i, %m
  br i1 %c2, label %l2, label %y
l2:
  %j = phi i32 [ 0, %after ], [ %jn, %l2 ]
  %s2 = phi i32 [ %sn, %after ], [ %s2n, %l2 ]
  %zj = add i32 %z, %j
  %zs = sext i32 %zj to i64
  %g0 = getelementptr i32, ptr %a, i64 %zs
  %w0 = load i32, ptr %g0
  %g1 = getelementptr i32, ptr %g0, i64 1
  %w1 = load i32, ptr %g1
  %zzs = sext i32 %z to i64
  %g2 = getelementptr i32, ptr %a, i64 %zzs
  %w2 = load i32, ptr %g2
  %g3 = getelementptr i32, ptr %g2, i64 1
  %w3 = load i32, ptr %g3
  %r0 = mul i32 %w0, %w1
  %r1 = mul i32 %w2, %w3
  %r2 = xor i32 %r0, %r1
  %s2n = add i32 %s2, %r2
  %jn = add i32 %j, 1
  %ij = add i32 %i, %jn
  %d2 = icmp slt i32 %ij, 50
  br i1 %d2, label %l2, label %y
y:
  %r = phi i32 [ %sn, %after ], [ %s2n, %l2 ]
  %iz = zext i32 %i to i64
  %po = getelementptr i32, ptr %o, i64 %iz
  store i32 %r, ptr %po
  ret void
x:
  ret void
}
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #0
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #0
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #0
;
; ; Function Attrs: convergent
; define ptx_kernel void @k(ptr noalias readonly %a, ptr noalias %o, i32 %n, i32 %m) #1 {
; e:
;   %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %nt = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %nc = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
;   %st = mul i32 %nt, %nc
;   %bb = mul i32 %b, %nt
;   %i = add i32 %bb, %t
;   %c = icmp slt i32 %i, %n
;   %0 = call i32 @llvm.nvvm.activemask() #3
;   %1 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %0, i1 %c) #3
;   %2 = icmp eq i32 %1, -1
;   br i1 %2, label %3, label %12
;
; 3:                                                ; preds = %e
;   %4 = call i32 @llvm.nvvm.read.ptx.sreg.laneid() #3
;   %5 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3
;   %6 = sub i32 %4, %5
;   %7 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3
;   %8 = add i32 %6, %7
;   %9 = add i32 %8, -1
;   %10 = icmp slt i32 %9, 31
;   %11 = select i1 %10, i32 %9, i32 31
;   br label %l1
;
; 12:                                               ; preds = %e
;   br i1 %c, label %l, label %x
;
; l1:                                               ; preds = %3, %30
;   %k2 = phi i32 [ %kn17, %30 ], [ %i, %3 ]
;   %s3 = phi i32 [ %sn16, %30 ], [ 0, %3 ]
;   %kx7 = zext i32 %k2 to i64
;   %p08 = getelementptr i32, ptr %a, i64 %kx7
;   %v09 = load i32, ptr %p08, align 4
;   %13 = freeze i32 %k2
;   %14 = add i32 %13, -31
;   %15 = icmp ule i32 %14, -63
;   %16 = select i1 %15, i32 %11, i32 %4
;   %p110 = getelementptr i32, ptr %p08, i64 1
;   %17 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v09, i32 1, i32 %16) #3
;   %18 = extractvalue { i32, i1 } %17, 0
;   %19 = extractvalue { i32, i1 } %17, 1
;   %20 = xor i1 %19, true
;   br i1 %20, label %21, label %23
;
; 21:                                               ; preds = %l1
;   %22 = load i32, ptr %p110, align 4
;   br label %23
;
; 23:                                               ; preds = %l1, %21
;   %v111 = phi i32 [ %18, %l1 ], [ %22, %21 ]
;   %p212 = getelementptr i32, ptr %p08, i64 2
;   %24 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v09, i32 2, i32 %16) #3
;   %25 = extractvalue { i32, i1 } %24, 0
;   %26 = extractvalue { i32, i1 } %24, 1
;   %27 = xor i1 %26, true
;   br i1 %27, label %28, label %30
;
; 28:                                               ; preds = %23
;   %29 = load i32, ptr %p212, align 4
;   br label %30
;
; 30:                                               ; preds = %23, %28
;   %v213 = phi i32 [ %25, %23 ], [ %29, %28 ]
;   %z4 = add i32 %i, %m
;   %z15 = add i32 %z4, 1
;   %zz6 = add i32 %m, 1
;   %q014 = mul i32 %v09, %v111
;   %q115 = add i32 %q014, %v213
;   %sn16 = add i32 %s3, %q115
;   %kn17 = add i32 %k2, %st
;   %d18 = icmp slt i32 %kn17, %n
;   %31 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %d18) #3
;   br i1 %31, label %l1, label %32
;
; 32:                                               ; preds = %30
;   br i1 %d18, label %l, label %after
;
; l:                                                ; preds = %32, %l, %12
;   %k = phi i32 [ %i, %12 ], [ %kn, %l ], [ %kn17, %32 ]
;   %s = phi i32 [ 0, %12 ], [ %sn, %l ], [ %sn16, %32 ]
;   %z = add i32 %i, %m
;   %z1 = add i32 %z, 1
;   %zz = add i32 %m, 1
;   %kx = zext i32 %k to i64
;   %p0 = getelementptr i32, ptr %a, i64 %kx
;   %v0 = load i32, ptr %p0, align 4
;   %p1 = getelementptr i32, ptr %p0, i64 1
;   %v1 = load i32, ptr %p1, align 4
;   %p2 = getelementptr i32, ptr %p0, i64 2
;   %v2 = load i32, ptr %p2, align 4
;   %q0 = mul i32 %v0, %v1
;   %q1 = add i32 %q0, %v2
;   %sn = add i32 %s, %q1
;   %kn = add i32 %k, %st
;   %d = icmp slt i32 %kn, %n
;   br i1 %d, label %l, label %after
;
; after:                                            ; preds = %32, %l
;   %sn20 = phi i32 [ %sn16, %32 ], [ %sn, %l ]
;   %z19 = phi i32 [ %z4, %32 ], [ %z, %l ]
;   %c2 = icmp slt i32 %i, %m
;   %33 = call i32 @llvm.nvvm.activemask() #3
;   %34 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %33, i1 %c2) #3
;   %35 = icmp eq i32 %34, -1
;   br i1 %35, label %36, label %49
;
; 36:                                               ; preds = %after
;   %37 = call i32 @llvm.nvvm.read.ptx.sreg.laneid() #3
;   %38 = freeze i32 %z19
;   %39 = add i32 %38, 2147483617
;   %40 = icmp ule i32 %39, -63
;   %41 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3
;   %42 = sub i32 %37, %41
;   %43 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3
;   %44 = add i32 %42, %43
;   %45 = add i32 %44, -1
;   %46 = icmp slt i32 %45, 31
;   %47 = select i1 %46, i32 %45, i32 31
;   %48 = select i1 %40, i32 %47, i32 %37
;   br label %l221
;
; 49:                                               ; preds = %after
;   br i1 %c2, label %l2, label %y
;
; l221:                                             ; preds = %36, %67
;   %j22 = phi i32 [ %jn39, %67 ], [ 0, %36 ]
;   %s223 = phi i32 [ %s2n38, %67 ], [ %sn20, %36 ]
;   %zj24 = add i32 %z19, %j22
;   %zs25 = sext i32 %zj24 to i64
;   %g026 = getelementptr i32, ptr %a, i64 %zs25
;   %w027 = load i32, ptr %g026, align 4
;   %50 = freeze i32 %zj24
;   %51 = add i32 %50, 2147483617
;   %52 = icmp ule i32 %51, -63
;   %53 = select i1 %52, i32 %48, i32 %37
;   %g128 = getelementptr i32, ptr %g026, i64 1
;   %54 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %w027, i32 1, i32 %53) #3
;   %55 = extractvalue { i32, i1 } %54, 0
;   %56 = extractvalue { i32, i1 } %54, 1
;   %57 = xor i1 %56, true
;   br i1 %57, label %58, label %60
;
; 58:                                               ; preds = %l221
;   %59 = load i32, ptr %g128, align 4
;   br label %60
;
; 60:                                               ; preds = %l221, %58
;   %w129 = phi i32 [ %55, %l221 ], [ %59, %58 ]
;   %zzs30 = sext i32 %z19 to i64
;   %g231 = getelementptr i32, ptr %a, i64 %zzs30
;   %w232 = load i32, ptr %g231, align 4
;   %g333 = getelementptr i32, ptr %g231, i64 1
;   %61 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %w232, i32 1, i32 %48) #3
;   %62 = extractvalue { i32, i1 } %61, 0
;   %63 = extractvalue { i32, i1 } %61, 1
;   %64 = xor i1 %63, true
;   br i1 %64, label %65, label %67
;
; 65:                                               ; preds = %60
;   %66 = load i32, ptr %g333, align 4
;   br label %67
;
; 67:                                               ; preds = %60, %65
;   %w334 = phi i32 [ %62, %60 ], [ %66, %65 ]
;   %r035 = mul i32 %w027, %w129
;   %r136 = mul i32 %w232, %w334
;   %r237 = xor i32 %r035, %r136
;   %s2n38 = add i32 %s223, %r237
;   %jn39 = add i32 %j22, 1
;   %ij40 = add i32 %i, %jn39
;   %d241 = icmp slt i32 %ij40, 50
;   %68 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %d241) #3
;   br i1 %68, label %l221, label %69
;
; 69:                                               ; preds = %67
;   br i1 %d241, label %l2, label %y
;
; l2:                                               ; preds = %69, %l2, %49
;   %j = phi i32 [ 0, %49 ], [ %jn, %l2 ], [ %jn39, %69 ]
;   %s2 = phi i32 [ %sn20, %49 ], [ %s2n, %l2 ], [ %s2n38, %69 ]
;   %zj = add i32 %z19, %j
;   %zs = sext i32 %zj to i64
;   %g0 = getelementptr i32, ptr %a, i64 %zs
;   %w0 = load i32, ptr %g0, align 4
;   %g1 = getelementptr i32, ptr %g0, i64 1
;   %w1 = load i32, ptr %g1, align 4
;   %zzs = sext i32 %z19 to i64
;   %g2 = getelementptr i32, ptr %a, i64 %zzs
;   %w2 = load i32, ptr %g2, align 4
;   %g3 = getelementptr i32, ptr %g2, i64 1
;   %w3 = load i32, ptr %g3, align 4
;   %r0 = mul i32 %w0, %w1
;   %r1 = mul i32 %w2, %w3
;   %r2 = xor i32 %r0, %r1
;   %s2n = add i32 %s2, %r2
;   %jn = add i32 %j, 1
;   %ij = add i32 %i, %jn
;   %d2 = icmp slt i32 %ij, 50
;   br i1 %d2, label %l2, label %y
;
; y:                                                ; preds = %69, %l2, %49
;   %r = phi i32 [ %sn20, %49 ], [ %s2n, %l2 ], [ %s2n38, %69 ]
;   %iz = zext i32 %i to i64
;   %po = getelementptr i32, ptr %o, i64 %iz
;   store i32 %r, ptr %po, align 4
;   ret void
;
; x:                                                ; preds = %12
;   ret void
; }
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.activemask() #2
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #2
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i1 @llvm.nvvm.vote.all.sync(i32, i1) #2
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.laneid() #0
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32) #2
;
; attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #1 = { convergent }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn }
