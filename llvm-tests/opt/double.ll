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
;   %x = load double, ptr %p, align 8
;   %11 = bitcast double %x to i64
;   %12 = trunc i64 %11 to i32
;   %13 = lshr i64 %11, 32
;   %14 = trunc i64 %13 to i32
;   %q = getelementptr inbounds i8, ptr %p, i64 8
;   %15 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %0, i32 %12, i32 1, i32 %10) #3
;   %16 = extractvalue { i32, i1 } %15, 0
;   %17 = extractvalue { i32, i1 } %15, 1
;   %18 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %0, i32 %14, i32 1, i32 %10) #3
;   %19 = call double @llvm.nvvm.lohi.i2d(i32 %16, i32 %18) #3
;   %20 = xor i1 %17, true
;   br i1 %20, label %21, label %23
;
; 21:                                               ; preds = %body
;   %22 = load double, ptr %q, align 8
;   br label %23
;
; 23:                                               ; preds = %body, %21
;   %y = phi double [ %19, %body ], [ %22, %21 ]
;   %z = fadd double %x, %y
;   %o = getelementptr inbounds double, ptr %out, i64 %wide
;   store double %z, ptr %o, align 8
;   br label %exit
;
; exit:                                             ; preds = %23, %entry
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
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32) #2
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare double @llvm.nvvm.lohi.i2d(i32, i32) #1
;
; attributes #0 = { convergent }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn }
