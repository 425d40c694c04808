; Vectors are exchanged word by word.
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
  %p = getelementptr inbounds <4 x float>, ptr %in, i64 %wide
  %x = load <4 x float>, ptr %p, align 16
  %q = getelementptr inbounds i8, ptr %p, i64 16
  %y = load <4 x float>, ptr %q, align 16
  %z = fadd <4 x float> %x, %y
  %o = getelementptr inbounds <4 x float>, ptr %out, i64 %wide
  store <4 x float> %z, ptr %o, align 16
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
;   %p = getelementptr inbounds <4 x float>, ptr %in, i64 %wide
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
;   %x = load <4 x float>, ptr %p, align 16
;   %q = getelementptr inbounds i8, ptr %p, i64 16
;   %11 = extractelement <4 x float> %x, i32 0
;   %12 = bitcast float %11 to i32
;   %13 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %0, i32 %12, i32 1, i32 %10) #4
;   %14 = extractvalue { i32, i1 } %13, 0
;   %15 = extractvalue { i32, i1 } %13, 1
;   %16 = extractelement <4 x float> %x, i32 1
;   %17 = bitcast float %16 to i32
;   %18 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %0, i32 %17, i32 1, i32 %10) #4
;   %19 = extractvalue { i32, i1 } %18, 0
;   %20 = extractelement <4 x float> %x, i32 2
;   %21 = bitcast float %20 to i32
;   %22 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %0, i32 %21, i32 1, i32 %10) #4
;   %23 = extractvalue { i32, i1 } %22, 0
;   %24 = extractelement <4 x float> %x, i32 3
;   %25 = bitcast float %24 to i32
;   %26 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %0, i32 %25, i32 1, i32 %10) #4
;   %27 = extractvalue { i32, i1 } %26, 0
;   %28 = freeze i1 %15
;   %29 = bitcast i32 %14 to float
;   %30 = insertelement <4 x float> poison, float %29, i32 0
;   %31 = bitcast i32 %19 to float
;   %32 = insertelement <4 x float> %30, float %31, i32 1
;   %33 = bitcast i32 %23 to float
;   %34 = insertelement <4 x float> %32, float %33, i32 2
;   %35 = bitcast i32 %27 to float
;   %36 = insertelement <4 x float> %34, float %35, i32 3
;   br i1 %28, label %39, label %37
;
; 37:                                               ; preds = %body
;   %38 = load <4 x float>, ptr %q, align 16
;   br label %39
;
; 39:                                               ; preds = %body, %37
;   %y = phi <4 x float> [ %36, %body ], [ %38, %37 ]
;   %z = fadd <4 x float> %x, %y
;   %o = getelementptr inbounds <4 x float>, ptr %out, i64 %wide
;   store <4 x float> %z, ptr %o, align 16
;   br label %exit
;
; exit:                                             ; preds = %39, %entry
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
