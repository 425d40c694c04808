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
;   %p = getelementptr inbounds <2 x half>, ptr %in, i64 %wide
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
;   %x = load <2 x half>, ptr %p, align 4
;   %11 = extractelement <2 x half> %x, i32 0
;   %12 = bitcast half %11 to i16
;   %13 = extractelement <2 x half> %x, i32 1
;   %14 = bitcast half %13 to i16
;   %15 = insertelement <2 x i16> poison, i16 %12, i32 0
;   %16 = insertelement <2 x i16> %15, i16 %14, i32 1
;   %17 = bitcast <2 x i16> %16 to i32
;   %q = getelementptr inbounds i8, ptr %p, i64 4
;   %18 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %0, i32 %17, i32 1, i32 %10) #4
;   %19 = extractvalue { i32, i1 } %18, 0
;   %20 = extractvalue { i32, i1 } %18, 1
;   %21 = lshr i32 %19, 0
;   %22 = trunc i32 %21 to i16
;   %23 = lshr i32 %19, 16
;   %24 = trunc i32 %23 to i16
;   %25 = freeze i1 %20
;   %26 = bitcast i16 %22 to half
;   %27 = insertelement <2 x half> poison, half %26, i32 0
;   %28 = bitcast i16 %24 to half
;   %29 = insertelement <2 x half> %27, half %28, i32 1
;   br i1 %25, label %32, label %30
;
; 30:                                               ; preds = %body
;   %31 = load <2 x half>, ptr %q, align 4
;   br label %32
;
; 32:                                               ; preds = %body, %30
;   %y = phi <2 x half> [ %29, %body ], [ %31, %30 ]
;   %z = fadd <2 x half> %x, %y
;   %o = getelementptr inbounds <2 x half>, ptr %out, i64 %wide
;   %33 = freeze <2 x half> %z
;   store <2 x half> %33, ptr %o, align 4
;   br label %exit
;
; exit:                                             ; preds = %32, %entry
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
