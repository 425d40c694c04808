; ptxasw: opt --profit always --wrapping halo
; Nine points on both sides of the source: one more load serves all corner lanes, in a copy for whole warps of whole rows.
; launch: k1c grid=2 block=128 args=f32[280]@8,f32[256],200
; launch: k1c grid=2 block=128 args=f32[280]@8,f32[256],256
; launch: k1c grid=2 block=48 args=f32[120]@8,f32[96],71
; launch: k1c grid=2 block=16,8 args=f32[60]@8,f32[256],32
; launch: k1c grid=1 block=8,8,4 args=f32[60]@8,f32[256],7
; launch: k1c grid=2 block=33,3 args=f32[100]@8,f32[198],60
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @k1c(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul i32 %4, %5
  %7 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add i32 %6, %7
  %9 = icmp slt i32 %8, %2
  br i1 %9, label %10, label %59

10:                                               ; preds = %3
  %11 = sext i32 %8 to i64
  %12 = getelementptr inbounds float, ptr %0, i64 %11
  %13 = load float, ptr %12, align 4, !tbaa !5
  %14 = fmul contract float %13, 5.000000e-01
  %15 = getelementptr i8, ptr %12, i64 -16
  %16 = load float, ptr %15, align 4, !tbaa !5
  %17 = fmul contract float %16, 6.250000e-01
  %18 = fadd contract float %14, %17
  %19 = getelementptr i8, ptr %12, i64 -12
  %20 = load float, ptr %19, align 4, !tbaa !5
  %21 = fmul contract float %20, 7.500000e-01
  %22 = fadd contract float %18, %21
  %23 = getelementptr i8, ptr %12, i64 -8
  %24 = load float, ptr %23, align 4, !tbaa !5
  %25 = fmul contract float %24, 8.750000e-01
  %26 = fadd contract float %22, %25
  %27 = getelementptr i8, ptr %12, i64 -4
  %28 = load float, ptr %27, align 4, !tbaa !5
  %29 = fmul contract float %28, 1.500000e+00
  %30 = fadd contract float %26, %29
  %31 = getelementptr i8, ptr %12, i64 4
  %32 = load float, ptr %31, align 4, !tbaa !5
  %33 = fmul contract float %32, 1.125000e+00
  %34 = fadd contract float %30, %33
  %35 = getelementptr i8, ptr %12, i64 8
  %36 = load float, ptr %35, align 4, !tbaa !5
  %37 = fmul contract float %36, 1.250000e+00
  %38 = fadd contract float %34, %37
  %39 = getelementptr i8, ptr %12, i64 12
  %40 = load float, ptr %39, align 4, !tbaa !5
  %41 = fmul contract float %40, 1.375000e+00
  %42 = fadd contract float %38, %41
  %43 = getelementptr i8, ptr %12, i64 16
  %44 = load float, ptr %43, align 4, !tbaa !5
  %45 = fmul contract float %44, 1.750000e+00
  %46 = fadd contract float %42, %45
  %47 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %48 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %49 = mul i32 %4, %48
  %50 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %51 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %52 = add i32 %49, %50
  %53 = mul i32 %52, %47
  %54 = add i32 %53, %51
  %55 = mul i32 %54, %5
  %56 = add i32 %55, %7
  %57 = zext i32 %56 to i64
  %58 = getelementptr inbounds float, ptr %1, i64 %57
  store float %46, ptr %58, align 4, !tbaa !5
  br label %59

59:                                               ; preds = %3, %10
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.z() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0}
!llvm.module.flags = !{!1, !2, !3}
!llvm.ident = !{!4}

!0 = !{ptr @k1c, !"kernel", i32 1}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{!"clang version 19.1.7"}
!5 = !{!6, !6, i64 0}
!6 = !{!"float", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C++ TBAA"}
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; ; Function Attrs: convergent mustprogress nofree norecurse nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
; define dso_local void @k1c(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1, i32 noundef %2) local_unnamed_addr #0 {
;   call void asm sideeffect "// ptxasw 1: shuffle", ""() #3
;   %4 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %5 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %6 = mul i32 %4, %5
;   %7 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %8 = add i32 %6, %7
;   %9 = icmp slt i32 %8, %2
;   %10 = call i32 @llvm.nvvm.activemask() #4
;   %11 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %12 = and i32 %11, 31
;   %13 = icmp eq i32 %12, 0
;   %14 = and i1 %9, %13
;   %15 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %10, i1 %14) #4
;   %16 = icmp eq i32 %15, -1
;   %17 = freeze i1 %16
;   br i1 %17, label %69, label %18, !ptxasw.fallback !5
;
; 18:                                               ; preds = %3
;   br i1 %9, label %19, label %68
;
; 19:                                               ; preds = %18
;   %20 = sext i32 %8 to i64
;   %21 = getelementptr inbounds float, ptr %0, i64 %20
;   %22 = load float, ptr %21, align 4, !tbaa !6
;   %23 = fmul contract float %22, 5.000000e-01
;   %24 = getelementptr i8, ptr %21, i64 -16
;   %25 = load float, ptr %24, align 4, !tbaa !6
;   %26 = fmul contract float %25, 6.250000e-01
;   %27 = fadd contract float %23, %26
;   %28 = getelementptr i8, ptr %21, i64 -12
;   %29 = load float, ptr %28, align 4, !tbaa !6
;   %30 = fmul contract float %29, 7.500000e-01
;   %31 = fadd contract float %27, %30
;   %32 = getelementptr i8, ptr %21, i64 -8
;   %33 = load float, ptr %32, align 4, !tbaa !6
;   %34 = fmul contract float %33, 8.750000e-01
;   %35 = fadd contract float %31, %34
;   %36 = getelementptr i8, ptr %21, i64 -4
;   %37 = load float, ptr %36, align 4, !tbaa !6
;   %38 = fmul contract float %37, 1.500000e+00
;   %39 = fadd contract float %35, %38
;   %40 = getelementptr i8, ptr %21, i64 4
;   %41 = load float, ptr %40, align 4, !tbaa !6
;   %42 = fmul contract float %41, 1.125000e+00
;   %43 = fadd contract float %39, %42
;   %44 = getelementptr i8, ptr %21, i64 8
;   %45 = load float, ptr %44, align 4, !tbaa !6
;   %46 = fmul contract float %45, 1.250000e+00
;   %47 = fadd contract float %43, %46
;   %48 = getelementptr i8, ptr %21, i64 12
;   %49 = load float, ptr %48, align 4, !tbaa !6
;   %50 = fmul contract float %49, 1.375000e+00
;   %51 = fadd contract float %47, %50
;   %52 = getelementptr i8, ptr %21, i64 16
;   %53 = load float, ptr %52, align 4, !tbaa !6
;   %54 = fmul contract float %53, 1.750000e+00
;   %55 = fadd contract float %51, %54
;   %56 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
;   %57 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %58 = mul i32 %4, %57
;   %59 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
;   %60 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
;   %61 = add i32 %58, %59
;   %62 = mul i32 %61, %56
;   %63 = add i32 %62, %60
;   %64 = mul i32 %63, %5
;   %65 = add i32 %64, %7
;   %66 = zext i32 %65 to i64
;   %67 = getelementptr inbounds float, ptr %1, i64 %66
;   store float %55, ptr %67, align 4, !tbaa !6
;   br label %68
;
; 68:                                               ; preds = %85, %19, %18
;   ret void
;
; 69:                                               ; preds = %3
;   %70 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %71 = sext i32 %8 to i64
;   %72 = getelementptr inbounds float, ptr %0, i64 %71
;   %73 = load float, ptr %72, align 4, !tbaa !6
;   %74 = add i32 %70, 4
;   %75 = and i32 %74, 31
;   %76 = icmp ult i32 %75, 8
;   %77 = icmp ult i32 %70, 4
;   %78 = select i1 %77, i64 128, i64 -128
;   %79 = ptrtoint ptr %72 to i64
;   %80 = add i64 %78, %79
;   %81 = freeze i1 %76
;   br i1 %81, label %82, label %85
;
; 82:                                               ; preds = %69
;   %83 = inttoptr i64 %80 to ptr addrspace(1)
;   %84 = load i32, ptr addrspace(1) %83, align 4, !invariant.load !5
;   br label %85
;
; 85:                                               ; preds = %82, %69
;   %86 = phi i32 [ %84, %82 ], [ poison, %69 ]
;   %87 = shl i32 -2, %70
;   %88 = icmp ult i32 %70, 32
;   %89 = select i1 %88, i32 %87, i32 0
;   %90 = sub i32 32, %70
;   %91 = shl i32 -1, %90
;   %92 = icmp ult i32 %90, 32
;   %93 = select i1 %92, i32 %91, i32 0
;   %94 = fmul contract float %73, 5.000000e-01
;   %95 = and i32 %93, 16
;   %96 = icmp eq i32 %95, 0
;   %97 = xor i1 %96, true
;   %98 = bitcast float %73 to i32
;   %99 = select i1 %97, i32 %86, i32 %98
;   %100 = add i32 %70, -4
;   %101 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %99, i32 %100, i32 31) #4
;   %102 = extractvalue { i32, i1 } %101, 0
;   %103 = bitcast i32 %102 to float
;   %104 = fmul contract float %103, 6.250000e-01
;   %105 = fadd contract float %94, %104
;   %106 = and i32 %93, 8
;   %107 = icmp eq i32 %106, 0
;   %108 = xor i1 %107, true
;   %109 = bitcast float %73 to i32
;   %110 = select i1 %108, i32 %86, i32 %109
;   %111 = add i32 %70, -3
;   %112 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %110, i32 %111, i32 31) #4
;   %113 = extractvalue { i32, i1 } %112, 0
;   %114 = bitcast i32 %113 to float
;   %115 = fmul contract float %114, 7.500000e-01
;   %116 = fadd contract float %105, %115
;   %117 = and i32 %93, 4
;   %118 = icmp eq i32 %117, 0
;   %119 = xor i1 %118, true
;   %120 = bitcast float %73 to i32
;   %121 = select i1 %119, i32 %86, i32 %120
;   %122 = add i32 %70, -2
;   %123 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %121, i32 %122, i32 31) #4
;   %124 = extractvalue { i32, i1 } %123, 0
;   %125 = bitcast i32 %124 to float
;   %126 = fmul contract float %125, 8.750000e-01
;   %127 = fadd contract float %116, %126
;   %128 = and i32 %93, 2
;   %129 = icmp eq i32 %128, 0
;   %130 = xor i1 %129, true
;   %131 = bitcast float %73 to i32
;   %132 = select i1 %130, i32 %86, i32 %131
;   %133 = add i32 %70, -1
;   %134 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %132, i32 %133, i32 31) #4
;   %135 = extractvalue { i32, i1 } %134, 0
;   %136 = bitcast i32 %135 to float
;   %137 = fmul contract float %136, 1.500000e+00
;   %138 = fadd contract float %127, %137
;   %139 = and i32 %89, 2
;   %140 = icmp eq i32 %139, 0
;   %141 = xor i1 %140, true
;   %142 = bitcast float %73 to i32
;   %143 = select i1 %141, i32 %86, i32 %142
;   %144 = add i32 %70, 1
;   %145 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %143, i32 %144, i32 31) #4
;   %146 = extractvalue { i32, i1 } %145, 0
;   %147 = bitcast i32 %146 to float
;   %148 = fmul contract float %147, 1.125000e+00
;   %149 = fadd contract float %138, %148
;   %150 = and i32 %89, 4
;   %151 = icmp eq i32 %150, 0
;   %152 = xor i1 %151, true
;   %153 = bitcast float %73 to i32
;   %154 = select i1 %152, i32 %86, i32 %153
;   %155 = add i32 %70, 2
;   %156 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %154, i32 %155, i32 31) #4
;   %157 = extractvalue { i32, i1 } %156, 0
;   %158 = bitcast i32 %157 to float
;   %159 = fmul contract float %158, 1.250000e+00
;   %160 = fadd contract float %149, %159
;   %161 = and i32 %89, 8
;   %162 = icmp eq i32 %161, 0
;   %163 = xor i1 %162, true
;   %164 = bitcast float %73 to i32
;   %165 = select i1 %163, i32 %86, i32 %164
;   %166 = add i32 %70, 3
;   %167 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %165, i32 %166, i32 31) #4
;   %168 = extractvalue { i32, i1 } %167, 0
;   %169 = bitcast i32 %168 to float
;   %170 = fmul contract float %169, 1.375000e+00
;   %171 = fadd contract float %160, %170
;   %172 = and i32 %89, 16
;   %173 = icmp eq i32 %172, 0
;   %174 = xor i1 %173, true
;   %175 = bitcast float %73 to i32
;   %176 = select i1 %174, i32 %86, i32 %175
;   %177 = add i32 %70, 4
;   %178 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %176, i32 %177, i32 31) #4
;   %179 = extractvalue { i32, i1 } %178, 0
;   %180 = bitcast i32 %179 to float
;   %181 = fmul contract float %180, 1.750000e+00
;   %182 = fadd contract float %171, %181
;   %183 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
;   %184 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %185 = mul i32 %4, %184
;   %186 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
;   %187 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
;   %188 = add i32 %185, %186
;   %189 = mul i32 %188, %183
;   %190 = add i32 %189, %187
;   %191 = mul i32 %190, %5
;   %192 = add i32 %191, %7
;   %193 = zext i32 %192 to i64
;   %194 = getelementptr inbounds float, ptr %1, i64 %193
;   store float %182, ptr %194, align 4, !tbaa !6
;   br label %68
; }
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.z() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.activemask() #2
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #2
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.laneid() #1
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32, i32, i32, i32) #2
;
; attributes #0 = { convergent mustprogress nofree norecurse nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "ptxasw"="1: shuffle" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn memory(inaccessiblemem: readwrite) }
; attributes #4 = { nounwind willreturn }
;
; !nvvm.annotations = !{!0}
; !llvm.module.flags = !{!1, !2, !3}
; !llvm.ident = !{!4}
;
; !0 = !{ptr @k1c, !"kernel", i32 1}
; !1 = !{i32 1, !"wchar_size", i32 4}
; !2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
; !3 = !{i32 7, !"frame-pointer", i32 2}
; !4 = !{!"clang version 19.1.7"}
; !5 = !{}
; !6 = !{!7, !7, i64 0}
; !7 = !{!"float", !8, i64 0}
; !8 = !{!"omnipotent char", !9, i64 0}
; !9 = !{!"Simple C++ TBAA"}
