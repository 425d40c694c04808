; Values of 64 bits are exchanged by their halves.
; ptxasw: opt
; launch: row grid=3 block=128 args=f64[520]:zero,f64[520],300
; launch: row grid=3 block=48 args=f64[520]:zero,f64[520],140
; launch: row grid=3 block=64,2 args=f64[520]:zero,f64[520],190
; launch: row grid=3 block=16,8 args=f64[520]:zero,f64[520],48

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
  %p = getelementptr inbounds double, ptr %in, i64 %wide
  %x = load double, ptr %p, align 8
  %q = getelementptr inbounds i8, ptr %p, i64 8
  %y = load double, ptr %q, align 8
  %z = fadd double %x, %y
  %o = getelementptr inbounds double, ptr %out, i64 %wide
  store double %z, ptr %o, align 8
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
;   %p = getelementptr inbounds double, ptr %in, i64 %wide
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
;   %x = load double, ptr %p, align 8
;   %11 = bitcast double %x to i64
;   %12 = lshr i64 %11, 0
;   %13 = trunc i64 %12 to i32
;   %14 = lshr i64 %11, 32
;   %15 = trunc i64 %14 to i32
;   %q = getelementptr inbounds i8, ptr %p, i64 8
;   %16 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %0, i32 %13, i32 1, i32 %10) #4
;   %17 = extractvalue { i32, i1 } %16, 0
;   %18 = extractvalue { i32, i1 } %16, 1
;   %19 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %0, i32 %15, i32 1, i32 %10) #4
;   %20 = extractvalue { i32, i1 } %19, 0
;   %21 = call double @llvm.nvvm.lohi.i2d(i32 %17, i32 %20)
;   %22 = bitcast double %21 to i64
;   %23 = freeze i1 %18
;   %24 = bitcast i64 %22 to double
;   br i1 %23, label %27, label %25
;
; 25:                                               ; preds = %body
;   %26 = load double, ptr %q, align 8
;   br label %27
;
; 27:                                               ; preds = %body, %25
;   %y = phi double [ %24, %body ], [ %26, %25 ]
;   %z = fadd double %x, %y
;   %o = getelementptr inbounds double, ptr %out, i64 %wide
;   %28 = freeze double %z
;   store double %28, ptr %o, align 8
;   br label %exit
;
; exit:                                             ; preds = %27, %entry
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
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare double @llvm.nvvm.lohi.i2d(i32, i32) #1
;
; attributes #0 = { convergent "ptxasw"="1: shuffle" }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn memory(inaccessiblemem: readwrite) }
; attributes #4 = { nounwind willreturn }
