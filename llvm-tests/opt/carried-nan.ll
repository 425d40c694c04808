; The phi that carries a value promises that it is no NaN, the load that takes it does not. (twin: not-store)
; ptxasw: opt --profit always
; launch: row grid=1 block=32 args=f32[64]:zero,f32[64]:zero,f32[1024]:value=nan,4
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @row(ptr noalias %out, ptr noalias %out2, ptr noalias readonly %in, i32 %n) {
entry:
  %n64 = zext i32 %n to i64
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = sext i32 %tid to i64
  %p = getelementptr inbounds float, ptr %in, i64 %wide
  %x0 = load float, ptr %p
  %o = getelementptr inbounds float, ptr %out, i64 %wide
  %o2 = getelementptr inbounds float, ptr %out2, i64 %wide
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
  %acc = phi float [ 0.0, %entry ], [ %acc2, %loop ]
  %c = phi nnan float [ %x0, %entry ], [ %nx, %loop ]
  %k64 = add i64 %k, 0
  %off = mul i64 %k64, 64
  %pk = getelementptr float, ptr %p, i64 %off
  %pk1 = getelementptr float, ptr %pk, i64 64
  %nx = load float, ptr %pk1
  %y = load float, ptr %pk
  %nan = fcmp uno float %y, 0.0
  %s = select i1 %nan, float 5.0, float %y
  %acc2 = fadd float %acc, %s
  store float %c, ptr %o2
  %k1 = add i64 %k, 1
  %more = icmp slt i64 %k1, %n64
  br i1 %more, label %loop, label %done
done:
  store float %acc2, ptr %o
  ret void
}
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0
;
; define ptx_kernel void @row(ptr noalias %out, ptr noalias %out2, ptr noalias readonly %in, i32 %n) #1 {
; entry:
;   call void asm sideeffect "// ptxasw 1: shuffle", ""() #2
;   %n64 = zext i32 %n to i64
;   %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %wide = sext i32 %tid to i64
;   %p = getelementptr inbounds float, ptr %in, i64 %wide
;   %x0 = load float, ptr %p, align 4
;   %o = getelementptr inbounds float, ptr %out, i64 %wide
;   %o2 = getelementptr inbounds float, ptr %out2, i64 %wide
;   br label %loop
;
; loop:                                             ; preds = %loop, %entry
;   %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
;   %acc = phi float [ 0.000000e+00, %entry ], [ %acc2, %loop ]
;   %c = phi float [ %x0, %entry ], [ %nx, %loop ]
;   %k64 = add i64 %k, 0
;   %off = mul i64 %k64, 64
;   %pk = getelementptr float, ptr %p, i64 %off
;   %pk1 = getelementptr float, ptr %pk, i64 64
;   %nx = load float, ptr %pk1, align 4
;   %0 = bitcast float %c to i32
;   %1 = bitcast i32 %0 to float
;   %nan = fcmp uno float %1, 0.000000e+00
;   %s = select i1 %nan, float 5.000000e+00, float %1
;   %acc2 = fadd float %acc, %s
;   store float %c, ptr %o2, align 4
;   %k1 = add i64 %k, 1
;   %more = icmp slt i64 %k1, %n64
;   br i1 %more, label %loop, label %done
;
; done:                                             ; preds = %loop
;   store float %acc2, ptr %o, align 4
;   ret void
; }
;
; attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #1 = { "ptxasw"="1: shuffle" }
; attributes #2 = { nounwind willreturn memory(inaccessiblemem: readwrite) }
