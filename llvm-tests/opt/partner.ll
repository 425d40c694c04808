; A partner's value, by the exclusive or of lanes.
; ptxasw: opt
; launch: partner grid=3 block=128 args=f32[520]:zero,f32[520]
; launch: partner grid=3 block=48 args=f32[520]:zero,f32[520]
; launch: partner grid=3 block=64,2 args=f32[520]:zero,f32[520]

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @partner(ptr noalias %out, ptr noalias readonly %in) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %in, i64 %wide
  %x = load float, ptr %p, align 4
  %other = xor i32 %tid, 1
  %j = add i32 %base, %other
  %jw = sext i32 %j to i64
  %q = getelementptr inbounds float, ptr %in, i64 %jw
  %y = load float, ptr %q, align 4
  %z = fsub float %x, %y
  %o = getelementptr inbounds float, ptr %out, i64 %wide
  store float %z, ptr %o, align 4
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
; define ptx_kernel void @partner(ptr noalias %out, ptr noalias readonly %in) #0 {
; entry:
;   call void asm sideeffect "// ptxasw 1: shuffle", ""() #3
;   %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %base = mul i32 %ctaid, %ntid
;   %i = add i32 %base, %tid
;   %wide = sext i32 %i to i64
;   %p = getelementptr inbounds float, ptr %in, i64 %wide
;   %0 = call i32 @llvm.nvvm.activemask() #4
;   %1 = icmp eq i32 %0, -1
;   %2 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %3 = and i32 %2, 1
;   %4 = icmp eq i32 %3, 0
;   %5 = and i1 %4, %1
;   %x = load float, ptr %p, align 4
;   %other = xor i32 %tid, 1
;   %j = add i32 %base, %other
;   %jw = sext i32 %j to i64
;   %q = getelementptr inbounds float, ptr %in, i64 %jw
;   %6 = bitcast float %x to i32
;   %7 = call { i32, i1 } @llvm.nvvm.shfl.sync.bfly.i32p(i32 %0, i32 %6, i32 1, i32 31) #4
;   %8 = extractvalue { i32, i1 } %7, 0
;   %9 = freeze i1 %5
;   %10 = bitcast i32 %8 to float
;   br i1 %9, label %13, label %11
;
; 11:                                               ; preds = %entry
;   %12 = load float, ptr %q, align 4
;   br label %13
;
; 13:                                               ; preds = %entry, %11
;   %y = phi float [ %10, %entry ], [ %12, %11 ]
;   %z = fsub float %x, %y
;   %o = getelementptr inbounds float, ptr %out, i64 %wide
;   store float %z, ptr %o, align 4
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
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare { i32, i1 } @llvm.nvvm.shfl.sync.bfly.i32p(i32, i32, i32, i32) #2
;
; attributes #0 = { convergent "ptxasw"="1: shuffle" }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn memory(inaccessiblemem: readwrite) }
; attributes #4 = { nounwind willreturn }
