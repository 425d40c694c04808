; ptxasw: opt --profit always
; Functions that shuffle, and those that call them, are convergent; they wait for other lanes, and touch more than memory.
; launch: k grid=2 block=64 args=u32[300],100
; launch: k grid=2 block=48 args=u32[300],96
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
@g = addrspace(1) constant [96 x i32] [i32 1, i32 11, i32 35, i32 73, i32 125, i32 191, i32 271, i32 365, i32 473, i32 595, i32 731, i32 881, i32 36, i32 214, i32 406, i32 612, i32 832, i32 57, i32 305, i32 567, i32 843, i32 124, i32 428, i32 746, i32 69, i32 415, i32 775, i32 140, i32 528, i32 930, i32 337, i32 767, i32 202, i32 660, i32 123, i32 609, i32 100, i32 614, i32 133, i32 675, i32 222, i32 792, i32 367, i32 965, i32 568, i32 185, i32 825, i32 470, i32 129, i32 811, i32 498, i32 199, i32 923, i32 652, i32 395, i32 152, i32 932, i32 717, i32 516, i32 329, i32 156, i32 1006, i32 861, i32 730, i32 613, i32 510, i32 421, i32 346, i32 285, i32 238, i32 205, i32 186, i32 181, i32 190, i32 213, i32 250, i32 301, i32 366, i32 445, i32 538, i32 645, i32 766, i32 901, i32 41, i32 204, i32 381, i32 572, i32 777, i32 996, i32 220, i32 467, i32 728, i32 1003, i32 283, i32 586, i32 903]
define internal i32 @f(i32 %m) noinline memory(read) nosync nounwind willreturn {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p0 = getelementptr i32, ptr addrspace(1) @g, i64 %w
  %v0 = load i32, ptr addrspace(1) %p0, !invariant.load !0
  %p1 = getelementptr i32, ptr addrspace(1) %p0, i64 1
  %v1 = load i32, ptr addrspace(1) %p1, !invariant.load !0
  %r = mul i32 %v0, %v1
  %r2 = add i32 %r, %m
  ret i32 %r2
}
define ptx_kernel void @k(ptr noalias %o, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 @f(i32 1)
  %c = icmp slt i32 %t, %n
  br i1 %c, label %a, label %b
a:
  %po = getelementptr i32, ptr %o, i32 %t
  store i32 %x, ptr %po
  br label %b
b:
  ret void
}
!0 = !{}
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; @g = addrspace(1) constant [96 x i32] [i32 1, i32 11, i32 35, i32 73, i32 125, i32 191, i32 271, i32 365, i32 473, i32 595, i32 731, i32 881, i32 36, i32 214, i32 406, i32 612, i32 832, i32 57, i32 305, i32 567, i32 843, i32 124, i32 428, i32 746, i32 69, i32 415, i32 775, i32 140, i32 528, i32 930, i32 337, i32 767, i32 202, i32 660, i32 123, i32 609, i32 100, i32 614, i32 133, i32 675, i32 222, i32 792, i32 367, i32 965, i32 568, i32 185, i32 825, i32 470, i32 129, i32 811, i32 498, i32 199, i32 923, i32 652, i32 395, i32 152, i32 932, i32 717, i32 516, i32 329, i32 156, i32 1006, i32 861, i32 730, i32 613, i32 510, i32 421, i32 346, i32 285, i32 238, i32 205, i32 186, i32 181, i32 190, i32 213, i32 250, i32 301, i32 366, i32 445, i32 538, i32 645, i32 766, i32 901, i32 41, i32 204, i32 381, i32 572, i32 777, i32 996, i32 220, i32 467, i32 728, i32 1003, i32 283, i32 586, i32 903]
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
; ; Function Attrs: convergent noinline nounwind willreturn memory(read, inaccessiblemem: readwrite)
; define internal i32 @f(i32 %m) #1 {
;   %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %w = zext i32 %t to i64
;   %p0 = getelementptr i32, ptr addrspace(1) @g, i64 %w
;   %1 = call i32 @llvm.nvvm.activemask() #4
;   %2 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %3 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %4 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %5 = sub i32 %2, %3
;   %6 = add i32 %5, %4
;   %7 = add i32 %6, -1
;   %8 = icmp eq i32 %1, -1
;   %9 = select i1 %8, i32 %7, i32 %2
;   %10 = icmp slt i32 %9, 31
;   %11 = select i1 %10, i32 %9, i32 31
;   %v0 = load i32, ptr addrspace(1) %p0, align 4, !invariant.load !0
;   %p1 = getelementptr i32, ptr addrspace(1) %p0, i64 1
;   %12 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %1, i32 %v0, i32 1, i32 %11) #4
;   %13 = extractvalue { i32, i1 } %12, 0
;   %14 = extractvalue { i32, i1 } %12, 1
;   %15 = freeze i1 %14
;   br i1 %15, label %18, label %16
;
; 16:                                               ; preds = %0
;   %17 = load i32, ptr addrspace(1) %p1, align 4, !invariant.load !0
;   br label %18
;
; 18:                                               ; preds = %0, %16
;   %v1 = phi i32 [ %13, %0 ], [ %17, %16 ]
;   %r = mul i32 %v0, %v1
;   %r2 = add i32 %r, %m
;   ret i32 %r2
; }
;
; ; Function Attrs: convergent
; define ptx_kernel void @k(ptr noalias %o, i32 %n) #2 {
;   %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %x = call i32 @f(i32 1) #2
;   %c = icmp slt i32 %t, %n
;   br i1 %c, label %a, label %b
;
; a:                                                ; preds = %0
;   %po = getelementptr i32, ptr %o, i32 %t
;   store i32 %x, ptr %po, align 4
;   br label %b
;
; b:                                                ; preds = %a, %0
;   ret void
; }
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.activemask() #3
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.laneid() #0
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32) #3
;
; attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #1 = { convergent noinline nounwind willreturn memory(read, inaccessiblemem: readwrite) "ptxasw"="1: shuffle" }
; attributes #2 = { convergent }
; attributes #3 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #4 = { nounwind willreturn }
;
; !0 = !{}
