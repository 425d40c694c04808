; The word that was loaded as a `half` is loaded as a `bfloat` and as an integer, through an address that only this program
; knows to be the same. LLVM has no direct conversion: the bits go through a pair.
; ptxasw: opt
; launch: row grid=3 block=128 args=f32[520]:zero,u16[520],300
; launch: row grid=3 block=48 args=f32[520]:zero,u16[520],140
; launch: row grid=3 block=64,2 args=f32[520]:zero,u16[520],190
; launch: row grid=3 block=16,8 args=f32[520]:zero,u16[520],48

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) "target-features"="+ptx73" {
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
  %k = and i32 %i, 511
  %k1 = add i32 %k, 1
  %next = zext i32 %k1 to i64
  %p = getelementptr half, ptr %in, i64 %next
  %h = load half, ptr %p, align 2
  %x = fpext half %h to float
  %this = zext i32 %k to i64
  %r = getelementptr half, ptr %in, i64 %this
  %q = getelementptr i8, ptr %r, i64 2
  %b = load bfloat, ptr %q, align 2
  %y = fpext bfloat %b to float
  %c = load i16, ptr %q, align 2
  %d = bitcast i16 %c to bfloat
  %e = fpext bfloat %d to float
  %f = fadd float %y, %e
  %z = fadd float %x, %f
  %o = getelementptr inbounds float, ptr %out, i64 %wide
  store float %z, ptr %o, align 4
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
; define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) #0 {
; entry:
;   call void asm sideeffect "// ptxasw 1: shuffle", ""() #2
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
;   %k = and i32 %i, 511
;   %k1 = add i32 %k, 1
;   %next = zext i32 %k1 to i64
;   %p = getelementptr half, ptr %in, i64 %next
;   %h = load half, ptr %p, align 2
;   %x = fpext half %h to float
;   %this = zext i32 %k to i64
;   %r = getelementptr half, ptr %in, i64 %this
;   %q = getelementptr i8, ptr %r, i64 2
;   %0 = insertelement <2 x half> poison, half %h, i32 0
;   %1 = bitcast <2 x half> %0 to <2 x bfloat>
;   %2 = extractelement <2 x bfloat> %1, i32 0
;   %y = fpext bfloat %2 to float
;   %3 = insertelement <2 x half> poison, half %h, i32 0
;   %4 = bitcast <2 x half> %3 to <2 x i16>
;   %5 = extractelement <2 x i16> %4, i32 0
;   %d = bitcast i16 %5 to bfloat
;   %e = fpext bfloat %d to float
;   %f = fadd float %y, %e
;   %z = fadd float %x, %f
;   %o = getelementptr inbounds float, ptr %out, i64 %wide
;   store float %z, ptr %o, align 4
;   br label %exit
;
; exit:                                             ; preds = %body, %entry
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
; attributes #0 = { "ptxasw"="1: shuffle" "target-features"="+ptx73" }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { nounwind willreturn memory(inaccessiblemem: readwrite) }
