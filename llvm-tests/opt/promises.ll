; The source promises nothing any more: where a lane breaks a promise, another lane has the value, whose own load promised nothing. The corner load keeps what it promised.
; ptxasw: opt
; launch: row grid=3 block=128 args=u32[520]:zero,u32[520],300
; launch: row grid=3 block=48 args=u32[520]:zero,u32[520],140
; launch: row grid=3 block=64,2 args=u32[520]:zero,u32[520],190
; launch: row grid=3 block=16,8 args=u32[520]:zero,u32[520],48

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
  %p = getelementptr inbounds i32, ptr %in, i64 %wide
  %x = load i32, ptr %p, align 4, !range !0, !noundef !1
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %y = load i32, ptr %q, align 4, !noundef !1
  %z = add i32 %x, %y
  %o = getelementptr inbounds i32, ptr %out, i64 %wide
  store i32 %z, ptr %o, align 4
  br label %exit

exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

!0 = !{i32 0, i32 -1}
!1 = !{}
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
;   %p = getelementptr inbounds i32, ptr %in, i64 %wide
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
;   %x = load i32, ptr %p, align 4, !noundef !0
;   %q = getelementptr inbounds i8, ptr %p, i64 4
;   %11 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %0, i32 %x, i32 1, i32 %10) #4
;   %12 = extractvalue { i32, i1 } %11, 0
;   %13 = extractvalue { i32, i1 } %11, 1
;   %14 = freeze i1 %13
;   br i1 %14, label %17, label %15
;
; 15:                                               ; preds = %body
;   %16 = load i32, ptr %q, align 4
;   br label %17
;
; 17:                                               ; preds = %body, %15
;   %y = phi i32 [ %12, %body ], [ %16, %15 ]
;   %z = add i32 %x, %y
;   %o = getelementptr inbounds i32, ptr %out, i64 %wide
;   store i32 %z, ptr %o, align 4
;   br label %exit
;
; exit:                                             ; preds = %17, %entry
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
;
; !0 = !{}
