; Three of four words: the vector is aligned as one of four.
; ptxasw: opt
; launch: row grid=3 block=128 args=f32[2080]:zero,f32[2080],300
; launch: row grid=3 block=48 args=f32[2080]:zero,f32[2080],140
; launch: row grid=3 block=64,2 args=f32[2080]:zero,f32[2080],190
; launch: row grid=3 block=16,8 args=f32[2080]:zero,f32[2080],48

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
  %p = getelementptr inbounds <3 x float>, ptr %in, i64 %wide
  %x = load <3 x float>, ptr %p, align 16
  %q = getelementptr inbounds i8, ptr %p, i64 16
  %y = load <3 x float>, ptr %q, align 16
  %z = fadd <3 x float> %x, %y
  %o = getelementptr inbounds <3 x float>, ptr %out, i64 %wide
  store <3 x float> %z, ptr %o, align 16
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
;   %p = getelementptr inbounds <3 x float>, ptr %in, i64 %wide
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
;   %x = load <3 x float>, ptr %p, align 16
;   %11 = extractelement <3 x float> %x, i32 0
;   %12 = bitcast float %11 to i32
;   %13 = extractelement <3 x float> %x, i32 1
;   %14 = bitcast float %13 to i32
;   %15 = extractelement <3 x float> %x, i32 2
;   %16 = bitcast float %15 to i32
;   %q = getelementptr inbounds i8, ptr %p, i64 16
;   %17 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %0, i32 %12, i32 1, i32 %10) #3
;   %18 = extractvalue { i32, i1 } %17, 0
;   %19 = extractvalue { i32, i1 } %17, 1
;   %20 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %0, i32 %14, i32 1, i32 %10) #3
;   %21 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %0, i32 %16, i32 1, i32 %10) #3
;   %22 = bitcast i32 %18 to float
;   %23 = insertelement <3 x float> poison, float %22, i32 0
;   %24 = bitcast i32 %20 to float
;   %25 = insertelement <3 x float> %23, float %24, i32 1
;   %26 = bitcast i32 %21 to float
;   %27 = insertelement <3 x float> %25, float %26, i32 2
;   %28 = xor i1 %19, true
;   br i1 %28, label %29, label %31
;
; 29:                                               ; preds = %body
;   %30 = load <3 x float>, ptr %q, align 16
;   br label %31
;
; 31:                                               ; preds = %body, %29
;   %y = phi <3 x float> [ %27, %body ], [ %30, %29 ]
;   %z = fadd <3 x float> %x, %y
;   %o = getelementptr inbounds <3 x float>, ptr %out, i64 %wide
;   store <3 x float> %z, ptr %o, align 16
;   br label %exit
;
; exit:                                             ; preds = %31, %entry
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
; attributes #0 = { convergent }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn }
