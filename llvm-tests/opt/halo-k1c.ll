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
;   %4 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %5 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %6 = mul i32 %4, %5
;   %7 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %8 = add i32 %6, %7
;   %9 = icmp slt i32 %8, %2
;   %10 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %11 = and i32 %10, 31
;   %12 = icmp eq i32 %11, 0
;   %13 = and i1 %9, %12
;   %14 = freeze i1 %13
;   br i1 %14, label %15, label %17
;
; 15:                                               ; preds = %3
;   %16 = call i32 @llvm.nvvm.activemask() #3
;   br label %17
;
; 17:                                               ; preds = %15, %3
;   %18 = phi i32 [ %16, %15 ], [ poison, %3 ]
;   %19 = icmp eq i32 %18, -1
;   %20 = and i1 %19, %13
;   %21 = freeze i1 %20
;   br i1 %21, label %73, label %22
;
; 22:                                               ; preds = %17
;   br i1 %9, label %23, label %72
;
; 23:                                               ; preds = %22
;   %24 = sext i32 %8 to i64
;   %25 = getelementptr inbounds float, ptr %0, i64 %24
;   %26 = load float, ptr %25, align 4, !tbaa !5
;   %27 = fmul contract float %26, 5.000000e-01
;   %28 = getelementptr i8, ptr %25, i64 -16
;   %29 = load float, ptr %28, align 4, !tbaa !5
;   %30 = fmul contract float %29, 6.250000e-01
;   %31 = fadd contract float %27, %30
;   %32 = getelementptr i8, ptr %25, i64 -12
;   %33 = load float, ptr %32, align 4, !tbaa !5
;   %34 = fmul contract float %33, 7.500000e-01
;   %35 = fadd contract float %31, %34
;   %36 = getelementptr i8, ptr %25, i64 -8
;   %37 = load float, ptr %36, align 4, !tbaa !5
;   %38 = fmul contract float %37, 8.750000e-01
;   %39 = fadd contract float %35, %38
;   %40 = getelementptr i8, ptr %25, i64 -4
;   %41 = load float, ptr %40, align 4, !tbaa !5
;   %42 = fmul contract float %41, 1.500000e+00
;   %43 = fadd contract float %39, %42
;   %44 = getelementptr i8, ptr %25, i64 4
;   %45 = load float, ptr %44, align 4, !tbaa !5
;   %46 = fmul contract float %45, 1.125000e+00
;   %47 = fadd contract float %43, %46
;   %48 = getelementptr i8, ptr %25, i64 8
;   %49 = load float, ptr %48, align 4, !tbaa !5
;   %50 = fmul contract float %49, 1.250000e+00
;   %51 = fadd contract float %47, %50
;   %52 = getelementptr i8, ptr %25, i64 12
;   %53 = load float, ptr %52, align 4, !tbaa !5
;   %54 = fmul contract float %53, 1.375000e+00
;   %55 = fadd contract float %51, %54
;   %56 = getelementptr i8, ptr %25, i64 16
;   %57 = load float, ptr %56, align 4, !tbaa !5
;   %58 = fmul contract float %57, 1.750000e+00
;   %59 = fadd contract float %55, %58
;   %60 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
;   %61 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %62 = mul i32 %4, %61
;   %63 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
;   %64 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
;   %65 = add i32 %62, %63
;   %66 = mul i32 %65, %60
;   %67 = add i32 %66, %64
;   %68 = mul i32 %67, %5
;   %69 = add i32 %68, %7
;   %70 = zext i32 %69 to i64
;   %71 = getelementptr inbounds float, ptr %1, i64 %70
;   store float %59, ptr %71, align 4, !tbaa !5
;   br label %72
;
; 72:                                               ; preds = %89, %23, %22
;   ret void
;
; 73:                                               ; preds = %17
;   %74 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %75 = sext i32 %8 to i64
;   %76 = getelementptr inbounds float, ptr %0, i64 %75
;   %77 = load float, ptr %76, align 4, !tbaa !5
;   %78 = add i32 %74, 4
;   %79 = and i32 %78, 31
;   %80 = icmp ult i32 %79, 8
;   %81 = icmp ult i32 %74, 4
;   %82 = select i1 %81, i64 128, i64 -128
;   %83 = ptrtoint ptr %76 to i64
;   %84 = add i64 %82, %83
;   %85 = freeze i1 %80
;   br i1 %85, label %86, label %89
;
; 86:                                               ; preds = %73
;   %87 = inttoptr i64 %84 to ptr addrspace(1)
;   %88 = load i32, ptr addrspace(1) %87, align 4, !invariant.load !9
;   br label %89
;
; 89:                                               ; preds = %86, %73
;   %90 = phi i32 [ %88, %86 ], [ poison, %73 ]
;   %91 = shl i32 -2, %74
;   %92 = icmp ult i32 %74, 32
;   %93 = select i1 %92, i32 %91, i32 0
;   %94 = sub i32 32, %74
;   %95 = shl i32 -1, %94
;   %96 = icmp ult i32 %94, 32
;   %97 = select i1 %96, i32 %95, i32 0
;   %98 = fmul contract float %77, 5.000000e-01
;   %99 = and i32 %97, 16
;   %100 = icmp eq i32 %99, 0
;   %101 = xor i1 %100, true
;   %102 = bitcast float %77 to i32
;   %103 = select i1 %101, i32 %90, i32 %102
;   %104 = add i32 %74, -4
;   %105 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %103, i32 %104, i32 31) #3
;   %106 = extractvalue { i32, i1 } %105, 0
;   %107 = bitcast i32 %106 to float
;   %108 = fmul contract float %107, 6.250000e-01
;   %109 = fadd contract float %98, %108
;   %110 = and i32 %97, 8
;   %111 = icmp eq i32 %110, 0
;   %112 = xor i1 %111, true
;   %113 = bitcast float %77 to i32
;   %114 = select i1 %112, i32 %90, i32 %113
;   %115 = add i32 %74, -3
;   %116 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %114, i32 %115, i32 31) #3
;   %117 = extractvalue { i32, i1 } %116, 0
;   %118 = bitcast i32 %117 to float
;   %119 = fmul contract float %118, 7.500000e-01
;   %120 = fadd contract float %109, %119
;   %121 = and i32 %97, 4
;   %122 = icmp eq i32 %121, 0
;   %123 = xor i1 %122, true
;   %124 = bitcast float %77 to i32
;   %125 = select i1 %123, i32 %90, i32 %124
;   %126 = add i32 %74, -2
;   %127 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %125, i32 %126, i32 31) #3
;   %128 = extractvalue { i32, i1 } %127, 0
;   %129 = bitcast i32 %128 to float
;   %130 = fmul contract float %129, 8.750000e-01
;   %131 = fadd contract float %120, %130
;   %132 = and i32 %97, 2
;   %133 = icmp eq i32 %132, 0
;   %134 = xor i1 %133, true
;   %135 = bitcast float %77 to i32
;   %136 = select i1 %134, i32 %90, i32 %135
;   %137 = add i32 %74, -1
;   %138 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %136, i32 %137, i32 31) #3
;   %139 = extractvalue { i32, i1 } %138, 0
;   %140 = bitcast i32 %139 to float
;   %141 = fmul contract float %140, 1.500000e+00
;   %142 = fadd contract float %131, %141
;   %143 = and i32 %93, 2
;   %144 = icmp eq i32 %143, 0
;   %145 = xor i1 %144, true
;   %146 = bitcast float %77 to i32
;   %147 = select i1 %145, i32 %90, i32 %146
;   %148 = add i32 %74, 1
;   %149 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %147, i32 %148, i32 31) #3
;   %150 = extractvalue { i32, i1 } %149, 0
;   %151 = bitcast i32 %150 to float
;   %152 = fmul contract float %151, 1.125000e+00
;   %153 = fadd contract float %142, %152
;   %154 = and i32 %93, 4
;   %155 = icmp eq i32 %154, 0
;   %156 = xor i1 %155, true
;   %157 = bitcast float %77 to i32
;   %158 = select i1 %156, i32 %90, i32 %157
;   %159 = add i32 %74, 2
;   %160 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %158, i32 %159, i32 31) #3
;   %161 = extractvalue { i32, i1 } %160, 0
;   %162 = bitcast i32 %161 to float
;   %163 = fmul contract float %162, 1.250000e+00
;   %164 = fadd contract float %153, %163
;   %165 = and i32 %93, 8
;   %166 = icmp eq i32 %165, 0
;   %167 = xor i1 %166, true
;   %168 = bitcast float %77 to i32
;   %169 = select i1 %167, i32 %90, i32 %168
;   %170 = add i32 %74, 3
;   %171 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %169, i32 %170, i32 31) #3
;   %172 = extractvalue { i32, i1 } %171, 0
;   %173 = bitcast i32 %172 to float
;   %174 = fmul contract float %173, 1.375000e+00
;   %175 = fadd contract float %164, %174
;   %176 = and i32 %93, 16
;   %177 = icmp eq i32 %176, 0
;   %178 = xor i1 %177, true
;   %179 = bitcast float %77 to i32
;   %180 = select i1 %178, i32 %90, i32 %179
;   %181 = add i32 %74, 4
;   %182 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %180, i32 %181, i32 31) #3
;   %183 = extractvalue { i32, i1 } %182, 0
;   %184 = bitcast i32 %183 to float
;   %185 = fmul contract float %184, 1.750000e+00
;   %186 = fadd contract float %175, %185
;   %187 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
;   %188 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %189 = mul i32 %4, %188
;   %190 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
;   %191 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
;   %192 = add i32 %189, %190
;   %193 = mul i32 %192, %187
;   %194 = add i32 %193, %191
;   %195 = mul i32 %194, %5
;   %196 = add i32 %195, %7
;   %197 = zext i32 %196 to i64
;   %198 = getelementptr inbounds float, ptr %1, i64 %197
;   store float %186, ptr %198, align 4, !tbaa !5
;   br label %72
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
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.laneid() #1
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32, i32, i32, i32) #2
;
; attributes #0 = { convergent mustprogress nofree norecurse nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn }
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
; !5 = !{!6, !6, i64 0}
; !6 = !{!"float", !7, i64 0}
; !7 = !{!"omnipotent char", !8, i64 0}
; !8 = !{!"Simple C++ TBAA"}
; !9 = !{}
