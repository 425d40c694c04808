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
;   br i1 %3, label %49, label %4, !ptxasw.fallback !0
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
; 7:                                                ; preds = %77, %l
;   %8 = phi i1 [ %d18, %77 ], [ %d, %l ]
;   %9 = phi i32 [ %kn17, %77 ], [ %kn, %l ]
;   %10 = phi i32 [ %sn16, %77 ], [ %sn, %l ]
;   %11 = phi i32 [ %zz6, %77 ], [ %zz, %l ]
;   %12 = phi i32 [ %z4, %77 ], [ %z, %l ]
;   br i1 %8, label %l, label %after
;
; after:                                            ; preds = %7
;   %zs = sext i32 %12 to i64
;   %g0 = getelementptr i32, ptr %a, i64 %zs
;   %13 = call i32 @llvm.nvvm.activemask() #4
;   %14 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %15 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %16 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %17 = sub i32 %14, %15
;   %18 = add i32 %17, %16
;   %19 = add i32 %18, -1
;   %20 = icmp eq i32 %13, -1
;   %21 = add i32 %12, 2147483617
;   %22 = icmp ult i32 -63, %21
;   %23 = xor i1 %22, true
;   %24 = and i1 %23, %20
;   %25 = select i1 %24, i32 %19, i32 %14
;   %26 = icmp slt i32 %25, 31
;   %27 = select i1 %26, i32 %25, i32 31
;   %w0 = load i32, ptr %g0, align 4
;   %g1 = getelementptr i32, ptr %g0, i64 1
;   %28 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %13, i32 %w0, i32 1, i32 %27) #4
;   %29 = extractvalue { i32, i1 } %28, 0
;   %30 = extractvalue { i32, i1 } %28, 1
;   %31 = freeze i1 %30
;   br i1 %31, label %34, label %32
;
; 32:                                               ; preds = %after
;   %33 = load i32, ptr %g1, align 4
;   br label %34
;
; 34:                                               ; preds = %after, %32
;   %w1 = phi i32 [ %29, %after ], [ %33, %32 ]
;   %g2 = getelementptr i32, ptr %g0, i64 2
;   %35 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %13, i32 %w0, i32 2, i32 %27) #4
;   %36 = extractvalue { i32, i1 } %35, 0
;   %37 = extractvalue { i32, i1 } %35, 1
;   %38 = freeze i1 %37
;   br i1 %38, label %41, label %39
;
; 39:                                               ; preds = %34
;   %40 = load i32, ptr %g2, align 4
;   br label %41
;
; 41:                                               ; preds = %34, %39
;   %w2 = phi i32 [ %36, %34 ], [ %40, %39 ]
;   %zv = add i32 %11, %i
;   %zv2 = sext i32 %zv to i64
;   %g3 = getelementptr i32, ptr %a, i64 %zv2
;   %42 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %13, i32 %w0, i32 1, i32 %27) #4
;   %43 = extractvalue { i32, i1 } %42, 0
;   %44 = extractvalue { i32, i1 } %42, 1
;   %45 = freeze i1 %44
;   br i1 %45, label %48, label %46
;
; 46:                                               ; preds = %41
;   %47 = load i32, ptr %g3, align 4
;   br label %48
;
; 48:                                               ; preds = %41, %46
;   %w3 = phi i32 [ %43, %41 ], [ %47, %46 ]
;   %r0 = mul i32 %w0, %w1
;   %r1 = mul i32 %r0, %w2
;   %r2 = add i32 %r1, %10
;   %r3 = xor i32 %r2, %w3
;   %iz = zext i32 %i to i64
;   %po = getelementptr i32, ptr %o, i64 %iz
;   store i32 %r3, ptr %po, align 4
;   ret void
;
; x:                                                ; preds = %4
;   ret void
;
; 49:                                               ; preds = %e
;   %50 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %51 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %52 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %53 = sub i32 %50, %51
;   %54 = add i32 %53, %52
;   %55 = add i32 %54, -1
;   %56 = icmp slt i32 %55, 31
;   %57 = select i1 %56, i32 %55, i32 31
;   br label %l1
;
; l1:                                               ; preds = %80, %49
;   %58 = phi i32 [ 0, %49 ], [ %sn16, %80 ]
;   %59 = phi i32 [ %i, %49 ], [ %kn17, %80 ]
;   %z4 = add i32 %i, %m
;   %z15 = add i32 %z4, 1
;   %kx7 = zext i32 %59 to i64
;   %p08 = getelementptr i32, ptr %a, i64 %kx7
;   %v09 = load i32, ptr %p08, align 4
;   %60 = add i32 %59, -31
;   %61 = icmp ult i32 -63, %60
;   %62 = xor i1 %61, true
;   %63 = select i1 %62, i32 %57, i32 %50
;   %p110 = getelementptr i32, ptr %p08, i64 1
;   %64 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v09, i32 1, i32 %63) #4
;   %65 = extractvalue { i32, i1 } %64, 0
;   %66 = extractvalue { i32, i1 } %64, 1
;   %67 = freeze i1 %66
;   br i1 %67, label %70, label %68
;
; 68:                                               ; preds = %l1
;   %69 = load i32, ptr %p110, align 4
;   br label %70
;
; 70:                                               ; preds = %l1, %68
;   %v111 = phi i32 [ %65, %l1 ], [ %69, %68 ]
;   %p212 = getelementptr i32, ptr %p08, i64 2
;   %71 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v09, i32 2, i32 %63) #4
;   %72 = extractvalue { i32, i1 } %71, 0
;   %73 = extractvalue { i32, i1 } %71, 1
;   %74 = freeze i1 %73
;   br i1 %74, label %77, label %75
;
; 75:                                               ; preds = %70
;   %76 = load i32, ptr %p212, align 4
;   br label %77
;
; 77:                                               ; preds = %70, %75
;   %v213 = phi i32 [ %72, %70 ], [ %76, %75 ]
;   %zz6 = add i32 %m, 1
;   %q014 = mul i32 %v09, %v111
;   %q115 = add i32 %q014, %v213
;   %sn16 = add i32 %58, %q115
;   %kn17 = add i32 %59, %st
;   %d18 = icmp slt i32 %kn17, %n
;   %78 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %d18) #4
;   %79 = freeze i1 %78
;   br i1 %79, label %80, label %7
;
; 80:                                               ; preds = %77
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
; attributes #1 = { convergent "ptxasw"="1: shuffle" }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn memory(inaccessiblemem: readwrite) }
; attributes #4 = { nounwind willreturn }
;
; !0 = !{}
