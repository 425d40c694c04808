; Types in types, each twice in the next one: an index of the last one's is found without counting its scalars one by one.
; ptxasw: remarks
; launch: row grid=2 block=128 args=f32[400],f32[256]:zero
; launch: row grid=2 block=48 args=f32[400],f32[256]:zero
; launch: row grid=1 block=16,4 args=f32[400],f32[256]:zero

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%a0 = type { float, float }
%b0 = type {}
%a1 = type { %a0, %a0 }
%a2 = type { %a1, %a1 }
%a3 = type { %a2, %a2 }
%a4 = type { %a3, %a3 }
%a5 = type { %a4, %a4 }
%a6 = type { %a5, %a5 }
%a7 = type { %a6, %a6 }
%a8 = type { %a7, %a7 }
%a9 = type { %a8, %a8 }
%a10 = type { %a9, %a9 }
%a11 = type { %a10, %a10 }
%a12 = type { %a11, %a11 }
%a13 = type { %a12, %a12 }
%a14 = type { %a13, %a13 }
%a15 = type { %a14, %a14 }
%a16 = type { %a15, %a15 }
%a17 = type { %a16, %a16 }
%a18 = type { %a17, %a17 }
%a19 = type { %a18, %a18 }
%a20 = type { %a19, %a19 }
%a21 = type { %a20, %a20 }
%a22 = type { %a21, %a21 }
%a23 = type { %a22, %a22 }
%a24 = type { %a23, %a23 }
%a25 = type { %a24, %a24 }
%a26 = type { %a25, %a25 }
%a27 = type { %a26, %a26 }
%a28 = type { %a27, %a27 }
%a29 = type { %a28, %a28 }
%a30 = type { %a29, %a29 }
%a31 = type { %a30, %a30 }
%a32 = type { %a31, %a31 }
%a33 = type { %a32, %a32 }
%a34 = type { %a33, %a33 }
%a35 = type { %a34, %a34 }
%a36 = type { %a35, %a35 }
%a37 = type { %a36, %a36 }
%a38 = type { %a37, %a37 }
%a39 = type { %a38, %a38 }
%a40 = type { %a39, %a39 }
%b1 = type { %b0, %b0 }
%b2 = type { %b1, %b1 }
%b3 = type { %b2, %b2 }
%b4 = type { %b3, %b3 }
%b5 = type { %b4, %b4 }
%b6 = type { %b5, %b5 }
%b7 = type { %b6, %b6 }
%b8 = type { %b7, %b7 }
%b9 = type { %b8, %b8 }
%b10 = type { %b9, %b9 }
%b11 = type { %b10, %b10 }
%b12 = type { %b11, %b11 }
%b13 = type { %b12, %b12 }
%b14 = type { %b13, %b13 }
%b15 = type { %b14, %b14 }
%b16 = type { %b15, %b15 }
%b17 = type { %b16, %b16 }
%b18 = type { %b17, %b17 }
%b19 = type { %b18, %b18 }
%b20 = type { %b19, %b19 }
%b21 = type { %b20, %b20 }
%b22 = type { %b21, %b21 }
%b23 = type { %b22, %b22 }
%b24 = type { %b23, %b23 }
%b25 = type { %b24, %b24 }
%b26 = type { %b25, %b25 }
%b27 = type { %b26, %b26 }
%b28 = type { %b27, %b27 }
%b29 = type { %b28, %b28 }
%b30 = type { %b29, %b29 }
%b31 = type { %b30, %b30 }
%b32 = type { %b31, %b31 }
%b33 = type { %b32, %b32 }
%b34 = type { %b33, %b33 }
%b35 = type { %b34, %b34 }
%b36 = type { %b35, %b35 }
%b37 = type { %b36, %b36 }
%b38 = type { %b37, %b37 }
%b39 = type { %b38, %b38 }
%b40 = type { %b39, %b39 }

define ptx_kernel void @row(ptr noalias readonly %in, ptr noalias %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %block, %size
  %i = add i32 %first, %tid
  %wide = zext i32 %i to i64
  %p = getelementptr %a40, ptr %in, i64 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0
  %q = getelementptr %b40, ptr %p, i64 %wide, i32 1
  %r = getelementptr float, ptr %q, i64 %wide
  %s = getelementptr %a0, ptr %r, i64 0, i32 1
  %x = load float, ptr %r, align 4 ; mask: F, 1 check | kept: C1-no-source, source
  %y = load float, ptr %s, align 4 ; covered: N=+1 from @104, F
  %z = fmul float %x, %y
  %tidy = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %line = mul i32 %tidy, %size
  %cell = add i32 %line, %i
  %place = zext i32 %cell to i64
  %o = getelementptr inbounds float, ptr %out, i64 %place
  store float %z, ptr %o, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
