; launch: grid=8 block=128 args=0,0,1000,4,f32[1000],1000,4,0,0,1000,4,f32[1000]:zero,1000,4,1000

target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZN08NumbaEnv8__main__4tileB2v3B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIfLi1E1C7mutable7alignedE5ArrayIfLi1E1C7mutable7alignedEi = common local_unnamed_addr global ptr null
@_cudapy_smem_1 = local_unnamed_addr addrspace(3) global [130 x float] undef, align 4
@llvm.used = appending global [1 x ptr] [ptr @_ZN8__main__4tileB2v3B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIfLi1E1C7mutable7alignedE5ArrayIfLi1E1C7mutable7alignedEi], section "llvm.metadata"

; Function Attrs: norecurse nounwind
define void @_ZN8__main__4tileB2v3B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIfLi1E1C7mutable7alignedE5ArrayIfLi1E1C7mutable7alignedEi(ptr nocapture readnone %src.0, ptr nocapture readnone %src.1, i64 %src.2, i64 %src.3, ptr nocapture readonly %src.4, i64 %src.5.0, i64 %src.6.0, ptr nocapture readnone %dst.0, ptr nocapture readnone %dst.1, i64 %dst.2, i64 %dst.3, ptr nocapture writeonly %dst.4, i64 %dst.5.0, i64 %dst.6.0, i32 %n) #0 {
entry:
  %.57 = tail call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %.58 = zext nneg i32 %.57 to i64
  %.59 = tail call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %.60 = zext nneg i32 %.59 to i64
  %.61 = tail call range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %.62 = zext nneg i32 %.61 to i64
  %.63 = mul nuw nsw i64 %.60, %.62
  %.64 = add nuw nsw i64 %.63, %.58
  %.80 = sext i32 %n to i64
  %.81 = icmp slt i64 %.64, %.80
  br i1 %.81, label %B164, label %B192

B164:                                             ; preds = %entry
  %0 = getelementptr float, ptr addrspacecast (ptr addrspace(3) @_cudapy_smem_1 to ptr), i64 %.58
  %.151 = getelementptr i8, ptr %0, i64 4
  %.118 = getelementptr float, ptr %src.4, i64 %.64
  %.119 = load float, ptr %.118, align 4
  store float %.119, ptr %.151, align 4
  br label %B192

B192:                                             ; preds = %B164, %entry
  %.158 = icmp ne i32 %.57, 0
  %.167.not = icmp eq i64 %.64, 0
  %or.cond = or i1 %.158, %.167.not
  br i1 %or.cond, label %B244, label %B216

B216:                                             ; preds = %B192
  %1 = getelementptr float, ptr %src.4, i64 %.64
  %.205 = getelementptr i8, ptr %1, i64 -4
  %.206 = load float, ptr %.205, align 4
  store float %.206, ptr addrspacecast (ptr addrspace(3) @_cudapy_smem_1 to ptr), align 4
  br label %B244

B244:                                             ; preds = %B216, %B192
  %.244 = icmp eq i32 %.57, 127
  br i1 %.244, label %B256, label %B302

B256:                                             ; preds = %B244
  %.253 = add nuw nsw i64 %.64, 1
  %.256 = icmp slt i64 %.253, %.80
  br i1 %.256, label %B274, label %B302

B274:                                             ; preds = %B256
  %.294 = getelementptr float, ptr %src.4, i64 %.253
  %.295 = load float, ptr %.294, align 4
  store float %.295, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @_cudapy_smem_1 to ptr), i64 516), align 4
  br label %B302

B302:                                             ; preds = %B274, %B256, %B244
  tail call void @llvm.nvvm.barrier0()
  %.337.not = icmp ne i64 %.64, 0
  %.351 = add nsw i64 %.80, -1
  %.355 = icmp slt i64 %.64, %.351
  %or.cond246 = select i1 %.337.not, i1 %.355, i1 false
  br i1 %or.cond246, label %B372, label %common.ret

B372:                                             ; preds = %B302
  %.412 = getelementptr float, ptr addrspacecast (ptr addrspace(3) @_cudapy_smem_1 to ptr), i64 %.58
  %.413 = load float, ptr %.412, align 4
  %.445 = getelementptr i8, ptr %.412, i64 4
  %.446 = load float, ptr %.445, align 4
  %.447 = fadd float %.413, %.446
  %.481 = getelementptr i8, ptr %.412, i64 8
  %.482 = load float, ptr %.481, align 4
  %.485 = fadd float %.447, %.482
  %.515 = getelementptr float, ptr %dst.4, i64 %.64
  store float %.485, ptr %.515, align 4
  br label %common.ret

common.ret:                                       ; preds = %B302, %B372
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier0() #2

attributes #0 = { norecurse nounwind }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }

!nvvmir.version = !{!0}
!nvvm.annotations = !{!1}

!0 = !{i32 2, i32 0, i32 3, i32 2}
!1 = !{ptr @_ZN8__main__4tileB2v3B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIfLi1E1C7mutable7alignedE5ArrayIfLi1E1C7mutable7alignedEi, !"kernel", i32 1}
