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
;   call void asm sideeffect "// ptxasw 1: shuffle", ""() #3
;   %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %nt = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %nc = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
;   %st = mul i32 %nt, %nc
;   %bb = mul i32 %b, %nt
;   %i = add i32 %bb, %t
;   %c = icmp slt i32 %i, %n
;   %0 = call i32 @llvm.nvvm.activemask() #4
;   %1 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %0, i1 %c) #4
;   %2 = icmp eq i32 %1, -1
;   %3 = freeze i1 %2
;   br i1 %3, label %24, label %4, !ptxasw.fallback !0
;
; 4:                                                ; preds = %e
;   br i1 %c, label %l, label %x
;
; l:                                                ; preds = %7, %4
;   %5 = phi i32 [ %10, %7 ], [ 0, %4 ]
;   %6 = phi i32 [ %9, %7 ], [ %i, %4 ]
;   %z = add i32 %i, %m
;   %z1 = add i32 %z, 1
;   %zz = add i32 %m, 1
;   %kx = zext i32 %6 to i64
;   %p0 = getelementptr i32, ptr %a, i64 %kx
;   %v0 = load i32, ptr %p0, align 4
;   %p1 = getelementptr i32, ptr %p0, i64 1
;   %v1 = load i32, ptr %p1, align 4
;   %p2 = getelementptr i32, ptr %p0, i64 2
;   %v2 = load i32, ptr %p2, align 4
;   %q0 = mul i32 %v0, %v1
;   %q1 = add i32 %q0, %v2
;   %sn = add i32 %5, %q1
;   %kn = add i32 %6, %st
;   %d = icmp slt i32 %kn, %n
;   br label %7
;
; 7:                                                ; preds = %52, %l
;   %8 = phi i1 [ %d19, %52 ], [ %d, %l ]
;   %9 = phi i32 [ %kn18, %52 ], [ %kn, %l ]
;   %10 = phi i32 [ %sn17, %52 ], [ %sn, %l ]
;   %11 = phi i32 [ %z5, %52 ], [ %z, %l ]
;   br i1 %8, label %l, label %after
;
; after:                                            ; preds = %7
;   %c2 = icmp slt i32 %i, %m
;   %12 = call i32 @llvm.nvvm.activemask() #4
;   %13 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %12, i1 %c2) #4
;   %14 = icmp eq i32 %13, -1
;   %15 = freeze i1 %14
;   br i1 %15, label %56, label %16, !ptxasw.fallback !0
;
; 16:                                               ; preds = %after
;   br i1 %c2, label %l2, label %y
;
; l2:                                               ; preds = %19, %16
;   %17 = phi i32 [ %22, %19 ], [ %10, %16 ]
;   %18 = phi i32 [ %21, %19 ], [ 0, %16 ]
;   %zj = add i32 %11, %18
;   %zs = sext i32 %zj to i64
;   %g0 = getelementptr i32, ptr %a, i64 %zs
;   %w0 = load i32, ptr %g0, align 4
;   %g1 = getelementptr i32, ptr %g0, i64 1
;   %w1 = load i32, ptr %g1, align 4
;   %zzs = sext i32 %11 to i64
;   %g2 = getelementptr i32, ptr %a, i64 %zzs
;   %w2 = load i32, ptr %g2, align 4
;   %g3 = getelementptr i32, ptr %g2, i64 1
;   %w3 = load i32, ptr %g3, align 4
;   %r0 = mul i32 %w0, %w1
;   %r1 = mul i32 %w2, %w3
;   %r2 = xor i32 %r0, %r1
;   %s2n = add i32 %17, %r2
;   %jn = add i32 %18, 1
;   %ij = add i32 %i, %jn
;   %d2 = icmp slt i32 %ij, 50
;   br label %19
;
; 19:                                               ; preds = %88, %l2
;   %20 = phi i1 [ %d240, %88 ], [ %d2, %l2 ]
;   %21 = phi i32 [ %jn38, %88 ], [ %jn, %l2 ]
;   %22 = phi i32 [ %s2n37, %88 ], [ %s2n, %l2 ]
;   br i1 %20, label %l2, label %y
;
; y:                                                ; preds = %19, %16
;   %23 = phi i32 [ %22, %19 ], [ %10, %16 ]
;   %iz = zext i32 %i to i64
;   %po = getelementptr i32, ptr %o, i64 %iz
;   store i32 %23, ptr %po, align 4
;   ret void
;
; x:                                                ; preds = %4
;   ret void
;
; 24:                                               ; preds = %e
;   %25 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %26 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %27 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %28 = sub i32 %25, %26
;   %29 = add i32 %28, %27
;   %30 = add i32 %29, -1
;   %31 = icmp slt i32 %30, 31
;   %32 = select i1 %31, i32 %30, i32 31
;   br label %l1
;
; l1:                                               ; preds = %55, %24
;   %33 = phi i32 [ 0, %24 ], [ %sn17, %55 ]
;   %34 = phi i32 [ %i, %24 ], [ %kn18, %55 ]
;   %kx8 = zext i32 %34 to i64
;   %p09 = getelementptr i32, ptr %a, i64 %kx8
;   %v010 = load i32, ptr %p09, align 4
;   %35 = add i32 %34, -31
;   %36 = icmp ult i32 -63, %35
;   %37 = xor i1 %36, true
;   %38 = select i1 %37, i32 %32, i32 %25
;   %p111 = getelementptr i32, ptr %p09, i64 1
;   %39 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v010, i32 1, i32 %38) #4
;   %40 = extractvalue { i32, i1 } %39, 0
;   %41 = extractvalue { i32, i1 } %39, 1
;   %42 = freeze i1 %41
;   br i1 %42, label %45, label %43
;
; 43:                                               ; preds = %l1
;   %44 = load i32, ptr %p111, align 4
;   br label %45
;
; 45:                                               ; preds = %l1, %43
;   %v112 = phi i32 [ %40, %l1 ], [ %44, %43 ]
;   %p213 = getelementptr i32, ptr %p09, i64 2
;   %46 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v010, i32 2, i32 %38) #4
;   %47 = extractvalue { i32, i1 } %46, 0
;   %48 = extractvalue { i32, i1 } %46, 1
;   %49 = freeze i1 %48
;   br i1 %49, label %52, label %50
;
; 50:                                               ; preds = %45
;   %51 = load i32, ptr %p213, align 4
;   br label %52
;
; 52:                                               ; preds = %45, %50
;   %v214 = phi i32 [ %47, %45 ], [ %51, %50 ]
;   %z5 = add i32 %i, %m
;   %q015 = mul i32 %v010, %v112
;   %q116 = add i32 %q015, %v214
;   %sn17 = add i32 %33, %q116
;   %kn18 = add i32 %34, %st
;   %d19 = icmp slt i32 %kn18, %n
;   %53 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %d19) #4
;   %54 = freeze i1 %53
;   br i1 %54, label %55, label %7
;
; 55:                                               ; preds = %52
;   br label %l1
;
; 56:                                               ; preds = %after
;   %57 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %58 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %59 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %60 = sub i32 %57, %58
;   %61 = add i32 %60, %59
;   %62 = add i32 %61, -1
;   %63 = add i32 %11, 2147483617
;   %64 = icmp ult i32 -63, %63
;   %65 = xor i1 %64, true
;   %66 = select i1 %65, i32 %62, i32 %57
;   %67 = icmp slt i32 %66, 31
;   %68 = select i1 %67, i32 %66, i32 31
;   br label %l220
;
; l220:                                             ; preds = %91, %56
;   %69 = phi i32 [ %10, %56 ], [ %s2n37, %91 ]
;   %70 = phi i32 [ 0, %56 ], [ %jn38, %91 ]
;   %zj23 = add i32 %11, %70
;   %zs24 = sext i32 %zj23 to i64
;   %g025 = getelementptr i32, ptr %a, i64 %zs24
;   %w026 = load i32, ptr %g025, align 4
;   %71 = add i32 %zj23, 2147483617
;   %72 = icmp ult i32 -63, %71
;   %73 = xor i1 %72, true
;   %74 = select i1 %73, i32 %68, i32 %57
;   %g127 = getelementptr i32, ptr %g025, i64 1
;   %75 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %w026, i32 1, i32 %74) #4
;   %76 = extractvalue { i32, i1 } %75, 0
;   %77 = extractvalue { i32, i1 } %75, 1
;   %78 = freeze i1 %77
;   br i1 %78, label %81, label %79
;
; 79:                                               ; preds = %l220
;   %80 = load i32, ptr %g127, align 4
;   br label %81
;
; 81:                                               ; preds = %l220, %79
;   %w128 = phi i32 [ %76, %l220 ], [ %80, %79 ]
;   %zzs29 = sext i32 %11 to i64
;   %g230 = getelementptr i32, ptr %a, i64 %zzs29
;   %w231 = load i32, ptr %g230, align 4
;   %g332 = getelementptr i32, ptr %g230, i64 1
;   %82 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %w231, i32 1, i32 %68) #4
;   %83 = extractvalue { i32, i1 } %82, 0
;   %84 = extractvalue { i32, i1 } %82, 1
;   %85 = freeze i1 %84
;   br i1 %85, label %88, label %86
;
; 86:                                               ; preds = %81
;   %87 = load i32, ptr %g332, align 4
;   br label %88
;
; 88:                                               ; preds = %81, %86
;   %w333 = phi i32 [ %83, %81 ], [ %87, %86 ]
;   %r034 = mul i32 %w026, %w128
;   %r135 = mul i32 %w231, %w333
;   %r236 = xor i32 %r034, %r135
;   %s2n37 = add i32 %69, %r236
;   %jn38 = add i32 %70, 1
;   %ij39 = add i32 %i, %jn38
;   %d240 = icmp slt i32 %ij39, 50
;   %89 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %d240) #4
;   %90 = freeze i1 %89
;   br i1 %90, label %91, label %19
;
; 91:                                               ; preds = %88
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
; attributes #1 = { convergent "ptxasw"="1: shuffle" }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn memory(inaccessiblemem: readwrite) }
; attributes #4 = { nounwind willreturn }
;
; !0 = !{}
