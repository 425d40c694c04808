; Two numbers of 16 bits are one word.
; ptxasw: opt
; launch: row grid=3 block=128 args=u16[1040]:zero,u16[1040],300
; launch: row grid=3 block=48 args=u16[1040]:zero,u16[1040],140
; launch: row grid=3 block=64,2 args=u16[1040]:zero,u16[1040],190
; launch: row grid=3 block=16,8 args=u16[1040]:zero,u16[1040],48

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
  %p = getelementptr inbounds <2 x half>, ptr %in, i64 %wide
  %x = load <2 x half>, ptr %p, align 4
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %y = load <2 x half>, ptr %q, align 4
  %z = fadd <2 x half> %x, %y
  %o = getelementptr inbounds <2 x half>, ptr %out, i64 %wide
  store <2 x half> %z, ptr %o, align 4
  br label %exit

exit:
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
;   %p = getelementptr inbounds <2 x half>, ptr %in, i64 %wide
;   %0 = call i32 @llvm.nvvm.activemask() #3
;   %1 = call i32 @llvm.nvvm.read.ptx.sreg.laneid() #3
;   %2 = icmp eq i32 %0, -1
;   %3 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3
;   %4 = sub i32 %1, %3
;   %5 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3
;   %6 = add i32 %4, %5
;   %7 = add i32 %6, -1
;   %8 = icmp slt i32 %7, 31
;   %9 = select i1 %8, i32 %7, i32 31
;   %10 = select i1 %2, i32 %9, i32 %1
;   %x = load <2 x half>, ptr %p, align 4
;   %11 = bitcast <2 x half> %x to i32
;   %q = getelementptr inbounds i8, ptr %p, i64 4
;   %12 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %0, i32 %11, i32 1, i32 %10) #3
;   %13 = extractvalue { i32, i1 } %12, 0
;   %14 = extractvalue { i32, i1 } %12, 1
;   %15 = trunc i32 %13 to i16
;   %16 = bitcast i16 %15 to half
;   %17 = insertelement <2 x half> poison, half %16, i32 0
;   %18 = lshr i32 %13, 16
;   %19 = trunc i32 %18 to i16
;   %20 = bitcast i16 %19 to half
;   %21 = insertelement <2 x half> %17, half %20, i32 1
;   %22 = xor i1 %14, true
;   br i1 %22, label %23, label %25
;
; 23:                                               ; preds = %body
;   %24 = load <2 x half>, ptr %q, align 4
;   br label %25
;
; 25:                                               ; preds = %body, %23
;   %y = phi <2 x half> [ %21, %body ], [ %24, %23 ]
;   %z = fadd <2 x half> %x, %y
;   %o = getelementptr inbounds <2 x half>, ptr %out, i64 %wide
;   store <2 x half> %z, ptr %o, align 4
;   br label %exit
;
; exit:                                             ; preds = %25, %entry
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
; attributes #0 = { convergent }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn }
