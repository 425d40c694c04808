; launch: grid=3,3 block=32,4 args=0,0,700,4,f32[700],10,70,280,4,0,0,700,4,f32[700]:zero,10,70,280,4,0.5f,0.25f,0.125f
; launch: grid=5,2 block=16,8 args=0,0,700,4,f32[700],10,70,280,4,0,0,700,4,f32[700]:zero,10,70,280,4,0.5f,0.25f,0.125f

target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZN08NumbaEnv8__main__6jacobiB2v1B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIfLi2E1C7mutable7alignedE5ArrayIfLi2E1C7mutable7alignedEfff = common local_unnamed_addr global ptr null
@llvm.used = appending global [1 x ptr] [ptr @_ZN8__main__6jacobiB2v1B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIfLi2E1C7mutable7alignedE5ArrayIfLi2E1C7mutable7alignedEfff], section "llvm.metadata"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define void @_ZN8__main__6jacobiB2v1B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIfLi2E1C7mutable7alignedE5ArrayIfLi2E1C7mutable7alignedEfff(ptr nocapture readnone %w0.0, ptr nocapture readnone %w0.1, i64 %w0.2, i64 %w0.3, ptr nocapture readonly %w0.4, i64 %w0.5.0, i64 %w0.5.1, i64 %w0.6.0, i64 %w0.6.1, ptr nocapture readnone %w1.0, ptr nocapture readnone %w1.1, i64 %w1.2, i64 %w1.3, ptr nocapture writeonly %w1.4, i64 %w1.5.0, i64 %w1.5.1, i64 %w1.6.0, i64 %w1.6.1, float %c0, float %c1, float %c2) #0 {
entry:
  %.43 = tail call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %.44 = zext nneg i32 %.43 to i64
  %.45 = tail call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %.46 = zext nneg i32 %.45 to i64
  %.47 = tail call range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %.48 = zext nneg i32 %.47 to i64
  %.49 = mul nuw nsw i64 %.46, %.48
  %.50 = add nuw nsw i64 %.49, %.44
  %.51 = tail call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %.53 = tail call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %.55 = tail call range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %narrow = mul nuw nsw i32 %.53, %.55
  %narrow392 = add nuw nsw i32 %narrow, %.51
  %.58 = zext nneg i32 %narrow392 to i64
  %.90.not = icmp ne i64 %.50, 0
  %.103 = add nsw i64 %w0.5.1, -1
  %.107 = icmp slt i64 %.50, %.103
  %or.cond.not395.not397 = select i1 %.90.not, i1 %.107, i1 false
  %.143.not = icmp ne i32 %narrow392, 0
  %or.cond393.not396 = select i1 %or.cond.not395.not397, i1 %.143.not, i1 false
  %.156 = add nsw i64 %w0.5.0, -1
  %.160 = icmp sgt i64 %.156, %.58
  %or.cond394 = select i1 %or.cond393.not396, i1 %.160, i1 false
  br i1 %or.cond394, label %B142, label %common.ret

common.ret:                                       ; preds = %entry, %B142
  ret void

B142:                                             ; preds = %entry
  %.239 = mul i64 %.58, %w0.5.1
  %0 = getelementptr float, ptr %w0.4, i64 %.239
  %.243 = getelementptr float, ptr %0, i64 %.50
  %.244 = load float, ptr %.243, align 4
  %.246 = fmul float %.244, %c0
  %.250 = add nsw i64 %.50, -1
  %.300 = getelementptr float, ptr %0, i64 %.250
  %.301 = load float, ptr %.300, align 4
  %.303 = add nsw i64 %.58, -1
  %.349 = mul i64 %.303, %w0.5.1
  %1 = getelementptr float, ptr %w0.4, i64 %.349
  %.353 = getelementptr float, ptr %1, i64 %.50
  %.354 = load float, ptr %.353, align 4
  %.355 = fadd float %.301, %.354
  %.357 = add nuw nsw i64 %.50, 1
  %.407 = getelementptr float, ptr %0, i64 %.357
  %.408 = load float, ptr %.407, align 4
  %.409 = fadd float %.355, %.408
  %.411 = add nuw nsw i64 %.58, 1
  %.457 = mul i64 %.411, %w0.5.1
  %2 = getelementptr float, ptr %w0.4, i64 %.457
  %.461 = getelementptr float, ptr %2, i64 %.50
  %.462 = load float, ptr %.461, align 4
  %.463 = fadd float %.409, %.462
  %.465 = fmul float %.463, %c1
  %.468 = fadd float %.246, %.465
  %.521 = getelementptr float, ptr %1, i64 %.250
  %.522 = load float, ptr %.521, align 4
  %.575 = getelementptr float, ptr %2, i64 %.250
  %.576 = load float, ptr %.575, align 4
  %.577 = fadd float %.522, %.576
  %.630 = getelementptr float, ptr %1, i64 %.357
  %.631 = load float, ptr %.630, align 4
  %.632 = fadd float %.577, %.631
  %.685 = getelementptr float, ptr %2, i64 %.357
  %.686 = load float, ptr %.685, align 4
  %.689 = fadd float %.632, %.686
  %.691 = fmul float %.689, %c2
  %.694 = fadd float %.468, %.691
  %.745 = mul i64 %.58, %w1.5.1
  %3 = getelementptr float, ptr %w1.4, i64 %.745
  %.749 = getelementptr float, ptr %3, i64 %.50
  store float %.694, ptr %.749, align 4
  br label %common.ret
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvmir.version = !{!0}
!nvvm.annotations = !{!1}

!0 = !{i32 2, i32 0, i32 3, i32 2}
!1 = !{ptr @_ZN8__main__6jacobiB2v1B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIfLi2E1C7mutable7alignedE5ArrayIfLi2E1C7mutable7alignedEfff, !"kernel", i32 1}
