; ptxasw: opt --profit always
; The thread's own value is taken behind the end of a copy, from the sources of both.
; launch: k grid=1 block=64 args=u32[600]@8,u32[300],50,4000000000
; launch: k grid=1 block=64 args=u32[600]@8,u32[300],64,4000000000
; launch: k grid=1 block=48 args=u32[600]@8,u32[300],48,7
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define ptx_kernel void @k(ptr noalias readonly %a, ptr noalias %o, i32 %n, i32 %m) {
e:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p0 = getelementptr i32, ptr %a, i64 %w
  %c = icmp slt i32 %t, %n
  br i1 %c, label %b, label %j
b:
  %v0 = load i32, ptr %p0
  %p1 = getelementptr i32, ptr %p0, i64 1
  %v1 = load i32, ptr %p1
  %s0 = mul i32 %v0, %v1
  %c2 = icmp ult i32 %v1, %m
  br i1 %c2, label %b2, label %j
b2:
  %v3 = load i32, ptr %p0
  %v4 = add i32 %v3, 7
  %v5 = add i32 %v3, 5
  %s1 = mul i32 %v3, %v4
  %s2 = add i32 %s1, %v5
  br label %j
j:
  %r = phi i32 [ 0, %e ], [ %s0, %b ], [ %s2, %b2 ]
  %po = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %po
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
; ; Function Attrs: convergent
; define ptx_kernel void @k(ptr noalias readonly %a, ptr noalias %o, i32 %n, i32 %m) #1 {
; e:
;   call void asm sideeffect "// ptxasw 1: shuffle", ""() #3
;   %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %w = zext i32 %t to i64
;   %p0 = getelementptr i32, ptr %a, i64 %w
;   %c = icmp slt i32 %t, %n
;   %0 = call i32 @llvm.nvvm.activemask() #4
;   %1 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %0, i1 %c) #4
;   %2 = icmp eq i32 %1, -1
;   %3 = freeze i1 %2
;   br i1 %3, label %b1, label %4, !ptxasw.fallback !0
;
; 4:                                                ; preds = %e
;   br i1 %c, label %b, label %j
;
; b:                                                ; preds = %4
;   %v0 = load i32, ptr %p0, align 4
;   %p1 = getelementptr i32, ptr %p0, i64 1
;   %v1 = load i32, ptr %p1, align 4
;   %s0 = mul i32 %v0, %v1
;   %c2 = icmp ult i32 %v1, %m
;   br i1 %c2, label %b2, label %j
;
; b2:                                               ; preds = %21, %b
;   %5 = phi i32 [ %v02, %21 ], [ %v0, %b ]
;   %v4 = add i32 %5, 7
;   %v5 = add i32 %5, 5
;   %s1 = mul i32 %5, %v4
;   %s2 = add i32 %s1, %v5
;   br label %j
;
; j:                                                ; preds = %21, %b2, %b, %4
;   %6 = phi i32 [ %s05, %21 ], [ %s2, %b2 ], [ 0, %4 ], [ %s0, %b ]
;   %po = getelementptr i32, ptr %o, i64 %w
;   store i32 %6, ptr %po, align 4
;   ret void
;
; b1:                                               ; preds = %e
;   %7 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %8 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %9 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %10 = sub i32 %7, %8
;   %11 = add i32 %10, %9
;   %12 = add i32 %11, -1
;   %13 = icmp slt i32 %12, 31
;   %14 = select i1 %13, i32 %12, i32 31
;   %v02 = load i32, ptr %p0, align 4
;   %p13 = getelementptr i32, ptr %p0, i64 1
;   %15 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v02, i32 1, i32 %14) #4
;   %16 = extractvalue { i32, i1 } %15, 0
;   %17 = extractvalue { i32, i1 } %15, 1
;   %18 = freeze i1 %17
;   br i1 %18, label %21, label %19
;
; 19:                                               ; preds = %b1
;   %20 = load i32, ptr %p13, align 4
;   br label %21
;
; 21:                                               ; preds = %b1, %19
;   %v14 = phi i32 [ %16, %b1 ], [ %20, %19 ]
;   %s05 = mul i32 %v02, %v14
;   %c26 = icmp ult i32 %v14, %m
;   br i1 %c26, label %b2, label %j
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
; attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #1 = { convergent "ptxasw"="1: shuffle" }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn memory(inaccessiblemem: readwrite) }
; attributes #4 = { nounwind willreturn }
;
; !0 = !{}
