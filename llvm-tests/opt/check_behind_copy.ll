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
;   %3 = freeze i1 %2
;   br i1 %3, label %42, label %4
;
; 4:                                                ; preds = %e
;   br i1 %c, label %l, label %x
;
; l:                                                ; preds = %5, %4
;   %.019 = phi i32 [ %.024, %5 ], [ 0, %4 ]
;   %.0 = phi i32 [ %.025, %5 ], [ %i, %4 ]
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
;   %sn = add i32 %.019, %q1
;   %kn = add i32 %.0, %st
;   %d = icmp slt i32 %kn, %n
;   br label %5
;
; 5:                                                ; preds = %68, %l
;   %.026 = phi i1 [ %d18, %68 ], [ %d, %l ]
;   %.025 = phi i32 [ %kn17, %68 ], [ %kn, %l ]
;   %.024 = phi i32 [ %sn16, %68 ], [ %sn, %l ]
;   %.023 = phi i32 [ %zz6, %68 ], [ %zz, %l ]
;   %.021 = phi i32 [ %z4, %68 ], [ %z, %l ]
;   br i1 %.026, label %l, label %after
;
; after:                                            ; preds = %5
;   %zs = sext i32 %.021 to i64
;   %g0 = getelementptr i32, ptr %a, i64 %zs
;   %6 = call i32 @llvm.nvvm.activemask() #3
;   %7 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %8 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %9 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %10 = sub i32 %7, %8
;   %11 = add i32 %10, %9
;   %12 = add i32 %11, -1
;   %13 = icmp eq i32 %6, -1
;   %14 = add i32 %.021, 2147483617
;   %15 = icmp ult i32 -63, %14
;   %16 = xor i1 %15, true
;   %17 = and i1 %16, %13
;   %18 = select i1 %17, i32 %12, i32 %7
;   %19 = icmp slt i32 %18, 31
;   %20 = select i1 %19, i32 %18, i32 31
;   %w0 = load i32, ptr %g0, align 4
;   %g1 = getelementptr i32, ptr %g0, i64 1
;   %21 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %6, i32 %w0, i32 1, i32 %20) #3
;   %22 = extractvalue { i32, i1 } %21, 0
;   %23 = extractvalue { i32, i1 } %21, 1
;   %24 = freeze i1 %23
;   br i1 %24, label %27, label %25
;
; 25:                                               ; preds = %after
;   %26 = load i32, ptr %g1, align 4
;   br label %27
;
; 27:                                               ; preds = %after, %25
;   %w1 = phi i32 [ %22, %after ], [ %26, %25 ]
;   %g2 = getelementptr i32, ptr %g0, i64 2
;   %28 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %6, i32 %w0, i32 2, i32 %20) #3
;   %29 = extractvalue { i32, i1 } %28, 0
;   %30 = extractvalue { i32, i1 } %28, 1
;   %31 = freeze i1 %30
;   br i1 %31, label %34, label %32
;
; 32:                                               ; preds = %27
;   %33 = load i32, ptr %g2, align 4
;   br label %34
;
; 34:                                               ; preds = %27, %32
;   %w2 = phi i32 [ %29, %27 ], [ %33, %32 ]
;   %zv = add i32 %.023, %i
;   %zv2 = sext i32 %zv to i64
;   %g3 = getelementptr i32, ptr %a, i64 %zv2
;   %35 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %6, i32 %w0, i32 1, i32 %20) #3
;   %36 = extractvalue { i32, i1 } %35, 0
;   %37 = extractvalue { i32, i1 } %35, 1
;   %38 = freeze i1 %37
;   br i1 %38, label %41, label %39
;
; 39:                                               ; preds = %34
;   %40 = load i32, ptr %g3, align 4
;   br label %41
;
; 41:                                               ; preds = %34, %39
;   %w3 = phi i32 [ %36, %34 ], [ %40, %39 ]
;   %r0 = mul i32 %w0, %w1
;   %r1 = mul i32 %r0, %w2
;   %r2 = add i32 %r1, %.024
;   %r3 = xor i32 %r2, %w3
;   %iz = zext i32 %i to i64
;   %po = getelementptr i32, ptr %o, i64 %iz
;   store i32 %r3, ptr %po, align 4
;   ret void
;
; x:                                                ; preds = %4
;   ret void
;
; 42:                                               ; preds = %e
;   %43 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %44 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %45 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %46 = sub i32 %43, %44
;   %47 = add i32 %46, %45
;   %48 = add i32 %47, -1
;   %49 = icmp slt i32 %48, 31
;   %50 = select i1 %49, i32 %48, i32 31
;   br label %l1
;
; l1:                                               ; preds = %71, %42
;   %.120 = phi i32 [ 0, %42 ], [ %sn16, %71 ]
;   %.1 = phi i32 [ %i, %42 ], [ %kn17, %71 ]
;   %z4 = add i32 %i, %m
;   %z15 = add i32 %z4, 1
;   %kx7 = zext i32 %.1 to i64
;   %p08 = getelementptr i32, ptr %a, i64 %kx7
;   %v09 = load i32, ptr %p08, align 4
;   %51 = add i32 %.1, -31
;   %52 = icmp ult i32 -63, %51
;   %53 = xor i1 %52, true
;   %54 = select i1 %53, i32 %50, i32 %43
;   %p110 = getelementptr i32, ptr %p08, i64 1
;   %55 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v09, i32 1, i32 %54) #3
;   %56 = extractvalue { i32, i1 } %55, 0
;   %57 = extractvalue { i32, i1 } %55, 1
;   %58 = freeze i1 %57
;   br i1 %58, label %61, label %59
;
; 59:                                               ; preds = %l1
;   %60 = load i32, ptr %p110, align 4
;   br label %61
;
; 61:                                               ; preds = %l1, %59
;   %v111 = phi i32 [ %56, %l1 ], [ %60, %59 ]
;   %p212 = getelementptr i32, ptr %p08, i64 2
;   %62 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v09, i32 2, i32 %54) #3
;   %63 = extractvalue { i32, i1 } %62, 0
;   %64 = extractvalue { i32, i1 } %62, 1
;   %65 = freeze i1 %64
;   br i1 %65, label %68, label %66
;
; 66:                                               ; preds = %61
;   %67 = load i32, ptr %p212, align 4
;   br label %68
;
; 68:                                               ; preds = %61, %66
;   %v213 = phi i32 [ %63, %61 ], [ %67, %66 ]
;   %zz6 = add i32 %m, 1
;   %q014 = mul i32 %v09, %v111
;   %q115 = add i32 %q014, %v213
;   %sn16 = add i32 %.120, %q115
;   %kn17 = add i32 %.1, %st
;   %d18 = icmp slt i32 %kn17, %n
;   %69 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %d18) #3
;   %70 = freeze i1 %69
;   br i1 %70, label %71, label %5
;
; 71:                                               ; preds = %68
;   br label %l1
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
