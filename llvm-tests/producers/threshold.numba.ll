; launch: grid=3,3 block=32,4 args=0,0,700,1,u8[700],10,70,70,1,0,0,700,1,u8[700]:zero,10,70,70,1

target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZN08NumbaEnv8__main__9thresholdB2v4B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIhLi2E1C7mutable7alignedE5ArrayIhLi2E1C7mutable7alignedE = common local_unnamed_addr global ptr null
@llvm.used = appending global [1 x ptr] [ptr @_ZN8__main__9thresholdB2v4B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIhLi2E1C7mutable7alignedE5ArrayIhLi2E1C7mutable7alignedE], section "llvm.metadata"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define void @_ZN8__main__9thresholdB2v4B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIhLi2E1C7mutable7alignedE5ArrayIhLi2E1C7mutable7alignedE(ptr nocapture readnone %src.0, ptr nocapture readnone %src.1, i64 %src.2, i64 %src.3, ptr nocapture readonly %src.4, i64 %src.5.0, i64 %src.5.1, i64 %src.6.0, i64 %src.6.1, ptr nocapture readnone %dst.0, ptr nocapture readnone %dst.1, i64 %dst.2, i64 %dst.3, ptr nocapture writeonly %dst.4, i64 %dst.5.0, i64 %dst.5.1, i64 %dst.6.0, i64 %dst.6.1) #0 {
entry:
  %.34 = tail call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %.35 = zext nneg i32 %.34 to i64
  %.36 = tail call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %.37 = zext nneg i32 %.36 to i64
  %.38 = tail call range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %.39 = zext nneg i32 %.38 to i64
  %.40 = mul nuw nsw i64 %.37, %.39
  %.41 = add nuw nsw i64 %.40, %.35
  %.42 = tail call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %.44 = tail call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %.46 = tail call range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %narrow = mul nuw nsw i32 %.44, %.46
  %narrow311 = add nuw nsw i32 %narrow, %.42
  %.49 = zext nneg i32 %narrow311 to i64
  %.81.not = icmp ne i64 %.41, 0
  %.94 = add nsw i64 %src.5.1, -1
  %.98 = icmp slt i64 %.41, %.94
  %or.cond.not314.not316 = select i1 %.81.not, i1 %.98, i1 false
  %.128.not = icmp ne i32 %narrow311, 0
  %or.cond312.not315 = select i1 %or.cond.not314.not316, i1 %.128.not, i1 false
  %.141 = add nsw i64 %src.5.0, -1
  %.145 = icmp sgt i64 %.141, %.49
  %or.cond313 = select i1 %or.cond312.not315, i1 %.145, i1 false
  br i1 %or.cond313, label %B142, label %common.ret

common.ret:                                       ; preds = %entry, %B142
  ret void

B142:                                             ; preds = %entry
  %.219 = mul i64 %.49, %src.5.1
  %0 = getelementptr i8, ptr %src.4, i64 %.219
  %1 = getelementptr i8, ptr %0, i64 %.41
  %.223 = getelementptr i8, ptr %1, i64 -1
  %.224 = load i8, ptr %.223, align 1
  %.276 = getelementptr i8, ptr %1, i64 1
  %.277 = load i8, ptr %.276, align 1
  %.278 = zext i8 %.224 to i64
  %.279 = zext i8 %.277 to i64
  %.280 = add nuw nsw i64 %.279, %.278
  %.282 = add nsw i64 %.49, -1
  %.328 = mul i64 %.282, %src.5.1
  %2 = getelementptr i8, ptr %src.4, i64 %.328
  %.332 = getelementptr i8, ptr %2, i64 %.41
  %.333 = load i8, ptr %.332, align 1
  %.334 = zext i8 %.333 to i64
  %.335 = add nuw nsw i64 %.280, %.334
  %.337 = add nuw nsw i64 %.49, 1
  %.383 = mul i64 %.337, %src.5.1
  %3 = getelementptr i8, ptr %src.4, i64 %.383
  %.387 = getelementptr i8, ptr %3, i64 %.41
  %.388 = load i8, ptr %.387, align 1
  %.389 = zext i8 %.388 to i64
  %.390 = add nuw nsw i64 %.335, %.389
  %.442 = load i8, ptr %1, align 1
  %.445 = zext i8 %.442 to i64
  %.446 = shl nuw nsw i64 %.445, 2
  %.447 = uitofp nneg i64 %.446 to double
  %.448 = uitofp nneg i64 %.390 to double
  %.449 = fcmp ogt double %.447, %.448
  %. = sext i1 %.449 to i8
  %.517 = mul i64 %.49, %dst.5.1
  %4 = getelementptr i8, ptr %dst.4, i64 %.517
  %.521 = getelementptr i8, ptr %4, i64 %.41
  store i8 %., ptr %.521, align 1
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
!1 = !{ptr @_ZN8__main__9thresholdB2v4B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIhLi2E1C7mutable7alignedE5ArrayIhLi2E1C7mutable7alignedE, !"kernel", i32 1}
