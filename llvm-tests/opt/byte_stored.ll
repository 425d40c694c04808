; What bytes are exchanged of may be poison in part: what a function that a kernel may call stores is frozen, as are its own stores.
; ptxasw: opt
; launch: row grid=3 block=128 args=u8[520]:zero,u8[520],300
; launch: row grid=3 block=48 args=u8[520]:zero,u8[520],140
; launch: row grid=3 block=64,2 args=u8[520]:zero,u8[520],190
; launch: row grid=3 block=16,8 args=u8[520]:zero,u8[520],48

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %exit

body:
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds i8, ptr %in, i64 %wide
  %x = load i8, ptr %p, align 1
  %q = getelementptr inbounds i8, ptr %p, i64 1
  %y = load i8, ptr %q, align 1
  %z = add i8 %x, %y
  %o = getelementptr inbounds i8, ptr %out, i64 %wide
  store i8 %z, ptr %o, align 1
  br label %exit

exit:
  ret void
}

define void @stores(ptr %p, i32 %v) {
  %w = add nsw i32 %v, 1
  store i32 %w, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; ; Function Attrs: convergent
; define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) #0 {
; entry:
;   call void asm sideeffect "// ptxasw 1: shuffle", ""() #3
;   %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %base = mul i32 %ctaid, %ntid
;   %i = add i32 %base, %tid
;   %inside = icmp slt i32 %i, %n
;   br i1 %inside, label %body, label %exit
;
; body:                                             ; preds = %entry
;   %wide = sext i32 %i to i64
;   %p = getelementptr inbounds i8, ptr %in, i64 %wide
;   %0 = call i32 @llvm.nvvm.activemask() #4
;   %1 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %3 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %4 = sub i32 %1, %2
;   %5 = add i32 %4, %3
;   %6 = add i32 %5, -1
;   %7 = icmp eq i32 %0, -1
;   %8 = select i1 %7, i32 %6, i32 %1
;   %9 = icmp slt i32 %8, 31
;   %10 = select i1 %9, i32 %8, i32 31
;   %x = load i8, ptr %p, align 1
;   %11 = freeze i8 %x
;   %12 = zext i8 %11 to i32
;   %q = getelementptr inbounds i8, ptr %p, i64 1
;   %13 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %0, i32 %12, i32 1, i32 %10) #4
;   %14 = extractvalue { i32, i1 } %13, 0
;   %15 = extractvalue { i32, i1 } %13, 1
;   %16 = trunc i32 %14 to i8
;   %17 = freeze i1 %15
;   br i1 %17, label %20, label %18
;
; 18:                                               ; preds = %body
;   %19 = load i8, ptr %q, align 1
;   br label %20
;
; 20:                                               ; preds = %body, %18
;   %y = phi i8 [ %16, %body ], [ %19, %18 ]
;   %z = add i8 %x, %y
;   %o = getelementptr inbounds i8, ptr %out, i64 %wide
;   %21 = freeze i8 %z
;   store i8 %21, ptr %o, align 1
;   br label %exit
;
; exit:                                             ; preds = %20, %entry
;   ret void
; }
;
; define void @stores(ptr %p, i32 %v) {
;   %w = add nsw i32 %v, 1
;   %1 = freeze i32 %w
;   store i32 %1, ptr %p, align 4
;   ret void
; }
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.activemask() #2
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.laneid() #1
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32) #2
;
; attributes #0 = { convergent "ptxasw"="1: shuffle" }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn memory(inaccessiblemem: readwrite) }
; attributes #4 = { nounwind willreturn }
