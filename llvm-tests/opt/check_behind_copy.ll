; ptxasw: opt --profit always
; A check behind a copied loop reads a sum that the loop computes: the copy has one of its own.
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
  %zs = sext i32 %z to i64
  %g0 = getelementptr i32, ptr %a, i64 %zs
  %w0 = load i32, ptr %g0
  %z1s = sext i32 %z1 to i64
  %g1 = getelementptr i32, ptr %g0, i64 1
  %w1 = load i32, ptr %g1
  %z2 = add i32 %z, 2
  %z2s = sext i32 %z2 to i64
  %g2 = getelementptr i32, ptr %g0, i64 2
  %w2 = load i32, ptr %g2
  %zv = add i32 %zz, %i
  %zv2 = sext i32 %zv to i64
  %g3 = getelementptr i32, ptr %a, i64 %zv2
  %w3 = load i32, ptr %g3
  %r0 = mul i32 %w0, %w1
  %r1 = mul i32 %r0, %w2
  %r2 = add i32 %r1, %sn
  %r3 = xor i32 %r2, %w3
  %iz = zext i32 %i to i64
  %po = getelementptr i32, ptr %o, i64 %iz
  store i32 %r3, ptr %po
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
;   %sn22 = phi i32 [ %sn16, %32 ], [ %sn, %l ]
;   %zz21 = phi i32 [ %zz6, %32 ], [ %zz, %l ]
;   %z120 = phi i32 [ %z15, %32 ], [ %z1, %l ]
;   %z19 = phi i32 [ %z4, %32 ], [ %z, %l ]
;   %zs = sext i32 %z19 to i64
;   %g0 = getelementptr i32, ptr %a, i64 %zs
;   %33 = call i32 @llvm.nvvm.activemask() #3
;   %34 = call i32 @llvm.nvvm.read.ptx.sreg.laneid() #3
;   %35 = icmp eq i32 %33, -1
;   %36 = freeze i32 %z19
;   %37 = add i32 %36, 2147483617
;   %38 = icmp ule i32 %37, -63
;   %39 = and i1 %35, %38
;   %40 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3
;   %41 = sub i32 %34, %40
;   %42 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3
;   %43 = add i32 %41, %42
;   %44 = add i32 %43, -1
;   %45 = icmp slt i32 %44, 31
;   %46 = select i1 %45, i32 %44, i32 31
;   %47 = select i1 %39, i32 %46, i32 %34
;   %w0 = load i32, ptr %g0, align 4
;   %g1 = getelementptr i32, ptr %g0, i64 1
;   %48 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %33, i32 %w0, i32 1, i32 %47) #3
;   %49 = extractvalue { i32, i1 } %48, 0
;   %50 = extractvalue { i32, i1 } %48, 1
;   %51 = xor i1 %50, true
;   br i1 %51, label %52, label %54
;
; 52:                                               ; preds = %after
;   %53 = load i32, ptr %g1, align 4
;   br label %54
;
; 54:                                               ; preds = %after, %52
;   %w1 = phi i32 [ %49, %after ], [ %53, %52 ]
;   %g2 = getelementptr i32, ptr %g0, i64 2
;   %55 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %33, i32 %w0, i32 2, i32 %47) #3
;   %56 = extractvalue { i32, i1 } %55, 0
;   %57 = extractvalue { i32, i1 } %55, 1
;   %58 = xor i1 %57, true
;   br i1 %58, label %59, label %61
;
; 59:                                               ; preds = %54
;   %60 = load i32, ptr %g2, align 4
;   br label %61
;
; 61:                                               ; preds = %54, %59
;   %w2 = phi i32 [ %56, %54 ], [ %60, %59 ]
;   %zv = add i32 %zz21, %i
;   %zv2 = sext i32 %zv to i64
;   %g3 = getelementptr i32, ptr %a, i64 %zv2
;   %62 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %33, i32 %w0, i32 1, i32 %47) #3
;   %63 = extractvalue { i32, i1 } %62, 0
;   %64 = extractvalue { i32, i1 } %62, 1
;   %65 = xor i1 %64, true
;   br i1 %65, label %66, label %68
;
; 66:                                               ; preds = %61
;   %67 = load i32, ptr %g3, align 4
;   br label %68
;
; 68:                                               ; preds = %61, %66
;   %w3 = phi i32 [ %63, %61 ], [ %67, %66 ]
;   %z1s = sext i32 %z120 to i64
;   %z2 = add i32 %z19, 2
;   %z2s = sext i32 %z2 to i64
;   %r0 = mul i32 %w0, %w1
;   %r1 = mul i32 %r0, %w2
;   %r2 = add i32 %r1, %sn22
;   %r3 = xor i32 %r2, %w3
;   %iz = zext i32 %i to i64
;   %po = getelementptr i32, ptr %o, i64 %iz
;   store i32 %r3, ptr %po, align 4
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
