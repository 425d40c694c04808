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
;   %3 = freeze i1 %2
;   br i1 %3, label %12, label %4
;
; 4:                                                ; preds = %e
;   br i1 %c, label %l, label %x
;
; l:                                                ; preds = %5, %4
;   %.041 = phi i32 [ %.049, %5 ], [ 0, %4 ]
;   %.0 = phi i32 [ %.050, %5 ], [ %i, %4 ]
;   %z = add i32 %i, %m
;   %z1 = add i32 %z, 1
;   %zz = add i32 %m, 1
;   %kx = zext i32 %.0 to i64
;   %p0 = getelementptr i32, ptr %a, i64 %kx
;   %v0 = load i32, ptr %p0, align 4
;   %p1 = getelementptr i32, ptr %p0, i64 1
;   %v1 = load i32, ptr %p1, align 4
;   %p2 = getelementptr i32, ptr %p0, i64 2
;   %v2 = load i32, ptr %p2, align 4
;   %q0 = mul i32 %v0, %v1
;   %q1 = add i32 %q0, %v2
;   %sn = add i32 %.041, %q1
;   %kn = add i32 %.0, %st
;   %d = icmp slt i32 %kn, %n
;   br label %5
;
; 5:                                                ; preds = %38, %l
;   %.051 = phi i1 [ %d19, %38 ], [ %d, %l ]
;   %.050 = phi i32 [ %kn18, %38 ], [ %kn, %l ]
;   %.049 = phi i32 [ %sn17, %38 ], [ %sn, %l ]
;   %.048 = phi i32 [ %z5, %38 ], [ %z, %l ]
;   br i1 %.051, label %l, label %after
;
; after:                                            ; preds = %5
;   %c2 = icmp slt i32 %i, %m
;   %6 = call i32 @llvm.nvvm.activemask() #3
;   %7 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %6, i1 %c2) #3
;   %8 = icmp eq i32 %7, -1
;   %9 = freeze i1 %8
;   br i1 %9, label %42, label %10
;
; 10:                                               ; preds = %after
;   br i1 %c2, label %l2, label %y
;
; l2:                                               ; preds = %11, %10
;   %.045 = phi i32 [ %.052, %11 ], [ %.049, %10 ]
;   %.043 = phi i32 [ %.053, %11 ], [ 0, %10 ]
;   %zj = add i32 %.048, %.043
;   %zs = sext i32 %zj to i64
;   %g0 = getelementptr i32, ptr %a, i64 %zs
;   %w0 = load i32, ptr %g0, align 4
;   %g1 = getelementptr i32, ptr %g0, i64 1
;   %w1 = load i32, ptr %g1, align 4
;   %zzs = sext i32 %.048 to i64
;   %g2 = getelementptr i32, ptr %a, i64 %zzs
;   %w2 = load i32, ptr %g2, align 4
;   %g3 = getelementptr i32, ptr %g2, i64 1
;   %w3 = load i32, ptr %g3, align 4
;   %r0 = mul i32 %w0, %w1
;   %r1 = mul i32 %w2, %w3
;   %r2 = xor i32 %r0, %r1
;   %s2n = add i32 %.045, %r2
;   %jn = add i32 %.043, 1
;   %ij = add i32 %i, %jn
;   %d2 = icmp slt i32 %ij, 50
;   br label %11
;
; 11:                                               ; preds = %72, %l2
;   %.054 = phi i1 [ %d240, %72 ], [ %d2, %l2 ]
;   %.053 = phi i32 [ %jn38, %72 ], [ %jn, %l2 ]
;   %.052 = phi i32 [ %s2n37, %72 ], [ %s2n, %l2 ]
;   br i1 %.054, label %l2, label %y
;
; y:                                                ; preds = %11, %10
;   %.047 = phi i32 [ %.052, %11 ], [ %.049, %10 ]
;   %iz = zext i32 %i to i64
;   %po = getelementptr i32, ptr %o, i64 %iz
;   store i32 %.047, ptr %po, align 4
;   ret void
;
; x:                                                ; preds = %4
;   ret void
;
; 12:                                               ; preds = %e
;   %13 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %14 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %15 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %16 = sub i32 %13, %14
;   %17 = add i32 %16, %15
;   %18 = add i32 %17, -1
;   %19 = icmp slt i32 %18, 31
;   %20 = select i1 %19, i32 %18, i32 31
;   br label %l1
;
; l1:                                               ; preds = %41, %12
;   %.142 = phi i32 [ 0, %12 ], [ %sn17, %41 ]
;   %.1 = phi i32 [ %i, %12 ], [ %kn18, %41 ]
;   %kx8 = zext i32 %.1 to i64
;   %p09 = getelementptr i32, ptr %a, i64 %kx8
;   %v010 = load i32, ptr %p09, align 4
;   %21 = add i32 %.1, -31
;   %22 = icmp ult i32 -63, %21
;   %23 = xor i1 %22, true
;   %24 = select i1 %23, i32 %20, i32 %13
;   %p111 = getelementptr i32, ptr %p09, i64 1
;   %25 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v010, i32 1, i32 %24) #3
;   %26 = extractvalue { i32, i1 } %25, 0
;   %27 = extractvalue { i32, i1 } %25, 1
;   %28 = freeze i1 %27
;   br i1 %28, label %31, label %29
;
; 29:                                               ; preds = %l1
;   %30 = load i32, ptr %p111, align 4
;   br label %31
;
; 31:                                               ; preds = %l1, %29
;   %v112 = phi i32 [ %26, %l1 ], [ %30, %29 ]
;   %p213 = getelementptr i32, ptr %p09, i64 2
;   %32 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v010, i32 2, i32 %24) #3
;   %33 = extractvalue { i32, i1 } %32, 0
;   %34 = extractvalue { i32, i1 } %32, 1
;   %35 = freeze i1 %34
;   br i1 %35, label %38, label %36
;
; 36:                                               ; preds = %31
;   %37 = load i32, ptr %p213, align 4
;   br label %38
;
; 38:                                               ; preds = %31, %36
;   %v214 = phi i32 [ %33, %31 ], [ %37, %36 ]
;   %z5 = add i32 %i, %m
;   %q015 = mul i32 %v010, %v112
;   %q116 = add i32 %q015, %v214
;   %sn17 = add i32 %.142, %q116
;   %kn18 = add i32 %.1, %st
;   %d19 = icmp slt i32 %kn18, %n
;   %39 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %d19) #3
;   %40 = freeze i1 %39
;   br i1 %40, label %41, label %5
;
; 41:                                               ; preds = %38
;   br label %l1
;
; 42:                                               ; preds = %after
;   %43 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %44 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %45 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %46 = sub i32 %43, %44
;   %47 = add i32 %46, %45
;   %48 = add i32 %47, -1
;   %49 = add i32 %.048, 2147483617
;   %50 = icmp ult i32 -63, %49
;   %51 = xor i1 %50, true
;   %52 = select i1 %51, i32 %48, i32 %43
;   %53 = icmp slt i32 %52, 31
;   %54 = select i1 %53, i32 %52, i32 31
;   br label %l220
;
; l220:                                             ; preds = %75, %42
;   %.146 = phi i32 [ %.049, %42 ], [ %s2n37, %75 ]
;   %.144 = phi i32 [ 0, %42 ], [ %jn38, %75 ]
;   %zj23 = add i32 %.048, %.144
;   %zs24 = sext i32 %zj23 to i64
;   %g025 = getelementptr i32, ptr %a, i64 %zs24
;   %w026 = load i32, ptr %g025, align 4
;   %55 = add i32 %zj23, 2147483617
;   %56 = icmp ult i32 -63, %55
;   %57 = xor i1 %56, true
;   %58 = select i1 %57, i32 %54, i32 %43
;   %g127 = getelementptr i32, ptr %g025, i64 1
;   %59 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %w026, i32 1, i32 %58) #3
;   %60 = extractvalue { i32, i1 } %59, 0
;   %61 = extractvalue { i32, i1 } %59, 1
;   %62 = freeze i1 %61
;   br i1 %62, label %65, label %63
;
; 63:                                               ; preds = %l220
;   %64 = load i32, ptr %g127, align 4
;   br label %65
;
; 65:                                               ; preds = %l220, %63
;   %w128 = phi i32 [ %60, %l220 ], [ %64, %63 ]
;   %zzs29 = sext i32 %.048 to i64
;   %g230 = getelementptr i32, ptr %a, i64 %zzs29
;   %w231 = load i32, ptr %g230, align 4
;   %g332 = getelementptr i32, ptr %g230, i64 1
;   %66 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %w231, i32 1, i32 %54) #3
;   %67 = extractvalue { i32, i1 } %66, 0
;   %68 = extractvalue { i32, i1 } %66, 1
;   %69 = freeze i1 %68
;   br i1 %69, label %72, label %70
;
; 70:                                               ; preds = %65
;   %71 = load i32, ptr %g332, align 4
;   br label %72
;
; 72:                                               ; preds = %65, %70
;   %w333 = phi i32 [ %67, %65 ], [ %71, %70 ]
;   %r034 = mul i32 %w026, %w128
;   %r135 = mul i32 %w231, %w333
;   %r236 = xor i32 %r034, %r135
;   %s2n37 = add i32 %.146, %r236
;   %jn38 = add i32 %.144, 1
;   %ij39 = add i32 %i, %jn38
;   %d240 = icmp slt i32 %ij39, 50
;   %73 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %d240) #3
;   %74 = freeze i1 %73
;   br i1 %74, label %75, label %11
;
; 75:                                               ; preds = %72
;   br label %l220
; }
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.activemask() #2
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #2
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.laneid() #0
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32) #2
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i1 @llvm.nvvm.vote.all.sync(i32, i1) #2
;
; attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #1 = { convergent }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn }
