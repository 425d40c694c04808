; launch: grid=2 block=128 args=0,0,1000,8,f64[1000],1000,8,0,0,1000,8,f64[1000]:zero,1000,8,1000

target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZN08NumbaEnv8__main__6conv1dB2v2B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedEi = common local_unnamed_addr global ptr null
@llvm.used = appending global [1 x ptr] [ptr @_ZN8__main__6conv1dB2v2B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedEi], section "llvm.metadata"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @_ZN8__main__6conv1dB2v2B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedEi(ptr nocapture readnone %src.0, ptr nocapture readnone %src.1, i64 %src.2, i64 %src.3, ptr nocapture readonly %src.4, i64 %src.5.0, i64 %src.6.0, ptr nocapture readnone %dst.0, ptr nocapture readnone %dst.1, i64 %dst.2, i64 %dst.3, ptr nocapture writeonly %dst.4, i64 %dst.5.0, i64 %dst.6.0, i32 %n) #0 {
entry:
  %.27 = tail call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %.28 = zext nneg i32 %.27 to i64
  %.29 = tail call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %.30 = zext nneg i32 %.29 to i64
  %.31 = tail call range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %.32 = zext nneg i32 %.31 to i64
  %.33 = mul nuw nsw i64 %.30, %.32
  %.34 = add nuw nsw i64 %.33, %.28
  %.35 = add nuw nsw i64 %.34, 1
  %.36 = sext i32 %n to i64
  %.40 = tail call range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %.42 = zext nneg i32 %.40 to i64
  %.43 = mul nuw nsw i64 %.30, %.42
  %reass.sub = sub nsw i64 %.36, %.34
  %.81 = icmp slt i64 %reass.sub, 3
  br i1 %.81, label %B0.endif.endif, label %B0.endif.else

B124:                                             ; preds = %B124.prol.loopexit, %B124
  %.70.0104 = phi i64 [ %.128.1, %B124 ], [ %.70.0104.unr, %B124.prol.loopexit ]
  %.67.0103 = phi i64 [ %.132.1, %B124 ], [ %.67.0103.unr, %B124.prol.loopexit ]
  %.132 = add i64 %.67.0103, %.43
  %.177.inv = icmp sgt i64 %.67.0103, 0
  %.178 = select i1 %.177.inv, i64 0, i64 %src.5.0
  %0 = getelementptr double, ptr %src.4, i64 %.67.0103
  %1 = getelementptr i8, ptr %0, i64 -8
  %.192 = getelementptr double, ptr %1, i64 %.178
  %.193 = load double, ptr %.192, align 8
  %.194 = fmul double %.193, 2.500000e-01
  %.208 = icmp slt i64 %.67.0103, 0
  %.209 = select i1 %.208, i64 %src.5.0, i64 0
  %.223 = getelementptr double, ptr %0, i64 %.209
  %.224 = load double, ptr %.223, align 8
  %.225 = fmul double %.224, 5.000000e-01
  %.226 = fadd double %.194, %.225
  %.241 = icmp slt i64 %.67.0103, -1
  %.242 = select i1 %.241, i64 %src.5.0, i64 0
  %2 = getelementptr i8, ptr %0, i64 8
  %.256 = getelementptr double, ptr %2, i64 %.242
  %.257 = load double, ptr %.256, align 8
  %.258 = fmul double %.257, 2.500000e-01
  %.259 = fadd double %.226, %.258
  %.274 = select i1 %.208, i64 %dst.5.0, i64 0
  %3 = getelementptr double, ptr %dst.4, i64 %.67.0103
  %.288 = getelementptr double, ptr %3, i64 %.274
  store double %.259, ptr %.288, align 8
  %.128.1 = add nsw i64 %.70.0104, -2
  %.132.1 = add i64 %.132, %.43
  %.177.inv.1 = icmp sgt i64 %.132, 0
  %.178.1 = select i1 %.177.inv.1, i64 0, i64 %src.5.0
  %4 = getelementptr double, ptr %src.4, i64 %.132
  %5 = getelementptr i8, ptr %4, i64 -8
  %.192.1 = getelementptr double, ptr %5, i64 %.178.1
  %.193.1 = load double, ptr %.192.1, align 8
  %.194.1 = fmul double %.193.1, 2.500000e-01
  %.208.1 = icmp slt i64 %.132, 0
  %.209.1 = select i1 %.208.1, i64 %src.5.0, i64 0
  %.223.1 = getelementptr double, ptr %4, i64 %.209.1
  %.224.1 = load double, ptr %.223.1, align 8
  %.225.1 = fmul double %.224.1, 5.000000e-01
  %.226.1 = fadd double %.194.1, %.225.1
  %.241.1 = icmp slt i64 %.132, -1
  %.242.1 = select i1 %.241.1, i64 %src.5.0, i64 0
  %6 = getelementptr i8, ptr %4, i64 8
  %.256.1 = getelementptr double, ptr %6, i64 %.242.1
  %.257.1 = load double, ptr %.256.1, align 8
  %.258.1 = fmul double %.257.1, 2.500000e-01
  %.259.1 = fadd double %.226.1, %.258.1
  %.274.1 = select i1 %.208.1, i64 %dst.5.0, i64 0
  %7 = getelementptr double, ptr %dst.4, i64 %.132
  %.288.1 = getelementptr double, ptr %7, i64 %.274.1
  store double %.259.1, ptr %.288.1, align 8
  %8 = add i64 %.70.0104, -3
  %.119.1 = icmp ult i64 %8, -2
  br i1 %.119.1, label %B124, label %B216

B216:                                             ; preds = %B124.prol.loopexit, %B124, %B0.endif.endif
  ret void

B0.endif.else:                                    ; preds = %entry
  %.80 = add nsw i64 %reass.sub, -2
  %.80.frozen = freeze i64 %.80
  %.96101 = udiv i64 %.80.frozen, %.43
  %9 = mul i64 %.96101, %.43
  %.92100.decomposed = sub i64 %.80.frozen, %9
  %.95 = icmp ne i64 %.92100.decomposed, 0
  %.97 = zext i1 %.95 to i64
  %.98 = add nuw nsw i64 %.96101, %.97
  br label %B0.endif.endif

B0.endif.endif:                                   ; preds = %entry, %B0.endif.else
  %storemerge = phi i64 [ %.98, %B0.endif.else ], [ 0, %entry ]
  %.119102.not = icmp eq i64 %storemerge, 0
  br i1 %.119102.not, label %B216, label %B124.preheader

B124.preheader:                                   ; preds = %B0.endif.endif
  %xtraiter = and i64 %storemerge, 1
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B124.prol.loopexit, label %B124.prol

B124.prol:                                        ; preds = %B124.preheader
  %.128.prol = add nsw i64 %storemerge, -1
  %.132.prol = add nuw nsw i64 %.35, %.43
  %10 = getelementptr double, ptr %src.4, i64 %.35
  %11 = getelementptr i8, ptr %10, i64 -8
  %.193.prol = load double, ptr %11, align 8
  %.194.prol = fmul double %.193.prol, 2.500000e-01
  %.224.prol = load double, ptr %10, align 8
  %.225.prol = fmul double %.224.prol, 5.000000e-01
  %.226.prol = fadd double %.194.prol, %.225.prol
  %12 = getelementptr i8, ptr %10, i64 8
  %.257.prol = load double, ptr %12, align 8
  %.258.prol = fmul double %.257.prol, 2.500000e-01
  %.259.prol = fadd double %.226.prol, %.258.prol
  %13 = getelementptr double, ptr %dst.4, i64 %.35
  store double %.259.prol, ptr %13, align 8
  br label %B124.prol.loopexit

B124.prol.loopexit:                               ; preds = %B124.prol, %B124.preheader
  %.70.0104.unr = phi i64 [ %storemerge, %B124.preheader ], [ %.128.prol, %B124.prol ]
  %.67.0103.unr = phi i64 [ %.35, %B124.preheader ], [ %.132.prol, %B124.prol ]
  %14 = icmp eq i64 %storemerge, 1
  br i1 %14, label %B216, label %B124
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvmir.version = !{!0}
!nvvm.annotations = !{!1}

!0 = !{i32 2, i32 0, i32 3, i32 2}
!1 = !{ptr @_ZN8__main__6conv1dB2v2B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedEi, !"kernel", i32 1}
