; The same a hundred times: every step is written with all before it, and the solver is not asked about so much.
; ptxasw: explain
; launch: chosen grid=2 block=128 args=f32[400]:zero,f32[400],200

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @chosen(ptr noalias %out, ptr noalias readonly %in, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  %below = icmp ult i32 %i, %n
  %above = icmp sge i32 %i, 0
  %inside = and i1 %below, %above
  br i1 %inside, label %body, label %exit

body:
  %c0 = icmp slt i32 %i, 0
  %a0 = add i32 %i, 1
  %s0 = select i1 %c0, i32 %a0, i32 %i
  %c1 = icmp slt i32 %s0, 0
  %a1 = add i32 %s0, 2
  %s1 = select i1 %c1, i32 %a1, i32 %s0
  %c2 = icmp slt i32 %s1, 0
  %a2 = add i32 %s1, 3
  %s2 = select i1 %c2, i32 %a2, i32 %s1
  %c3 = icmp slt i32 %s2, 0
  %a3 = add i32 %s2, 4
  %s3 = select i1 %c3, i32 %a3, i32 %s2
  %c4 = icmp slt i32 %s3, 0
  %a4 = add i32 %s3, 5
  %s4 = select i1 %c4, i32 %a4, i32 %s3
  %c5 = icmp slt i32 %s4, 0
  %a5 = add i32 %s4, 6
  %s5 = select i1 %c5, i32 %a5, i32 %s4
  %c6 = icmp slt i32 %s5, 0
  %a6 = add i32 %s5, 7
  %s6 = select i1 %c6, i32 %a6, i32 %s5
  %c7 = icmp slt i32 %s6, 0
  %a7 = add i32 %s6, 8
  %s7 = select i1 %c7, i32 %a7, i32 %s6
  %c8 = icmp slt i32 %s7, 0
  %a8 = add i32 %s7, 9
  %s8 = select i1 %c8, i32 %a8, i32 %s7
  %c9 = icmp slt i32 %s8, 0
  %a9 = add i32 %s8, 10
  %s9 = select i1 %c9, i32 %a9, i32 %s8
  %c10 = icmp slt i32 %s9, 0
  %a10 = add i32 %s9, 11
  %s10 = select i1 %c10, i32 %a10, i32 %s9
  %c11 = icmp slt i32 %s10, 0
  %a11 = add i32 %s10, 12
  %s11 = select i1 %c11, i32 %a11, i32 %s10
  %c12 = icmp slt i32 %s11, 0
  %a12 = add i32 %s11, 13
  %s12 = select i1 %c12, i32 %a12, i32 %s11
  %c13 = icmp slt i32 %s12, 0
  %a13 = add i32 %s12, 14
  %s13 = select i1 %c13, i32 %a13, i32 %s12
  %c14 = icmp slt i32 %s13, 0
  %a14 = add i32 %s13, 15
  %s14 = select i1 %c14, i32 %a14, i32 %s13
  %c15 = icmp slt i32 %s14, 0
  %a15 = add i32 %s14, 16
  %s15 = select i1 %c15, i32 %a15, i32 %s14
  %c16 = icmp slt i32 %s15, 0
  %a16 = add i32 %s15, 17
  %s16 = select i1 %c16, i32 %a16, i32 %s15
  %c17 = icmp slt i32 %s16, 0
  %a17 = add i32 %s16, 18
  %s17 = select i1 %c17, i32 %a17, i32 %s16
  %c18 = icmp slt i32 %s17, 0
  %a18 = add i32 %s17, 19
  %s18 = select i1 %c18, i32 %a18, i32 %s17
  %c19 = icmp slt i32 %s18, 0
  %a19 = add i32 %s18, 20
  %s19 = select i1 %c19, i32 %a19, i32 %s18
  %c20 = icmp slt i32 %s19, 0
  %a20 = add i32 %s19, 21
  %s20 = select i1 %c20, i32 %a20, i32 %s19
  %c21 = icmp slt i32 %s20, 0
  %a21 = add i32 %s20, 22
  %s21 = select i1 %c21, i32 %a21, i32 %s20
  %c22 = icmp slt i32 %s21, 0
  %a22 = add i32 %s21, 23
  %s22 = select i1 %c22, i32 %a22, i32 %s21
  %c23 = icmp slt i32 %s22, 0
  %a23 = add i32 %s22, 24
  %s23 = select i1 %c23, i32 %a23, i32 %s22
  %c24 = icmp slt i32 %s23, 0
  %a24 = add i32 %s23, 25
  %s24 = select i1 %c24, i32 %a24, i32 %s23
  %c25 = icmp slt i32 %s24, 0
  %a25 = add i32 %s24, 26
  %s25 = select i1 %c25, i32 %a25, i32 %s24
  %c26 = icmp slt i32 %s25, 0
  %a26 = add i32 %s25, 27
  %s26 = select i1 %c26, i32 %a26, i32 %s25
  %c27 = icmp slt i32 %s26, 0
  %a27 = add i32 %s26, 28
  %s27 = select i1 %c27, i32 %a27, i32 %s26
  %c28 = icmp slt i32 %s27, 0
  %a28 = add i32 %s27, 29
  %s28 = select i1 %c28, i32 %a28, i32 %s27
  %c29 = icmp slt i32 %s28, 0
  %a29 = add i32 %s28, 30
  %s29 = select i1 %c29, i32 %a29, i32 %s28
  %c30 = icmp slt i32 %s29, 0
  %a30 = add i32 %s29, 31
  %s30 = select i1 %c30, i32 %a30, i32 %s29
  %c31 = icmp slt i32 %s30, 0
  %a31 = add i32 %s30, 32
  %s31 = select i1 %c31, i32 %a31, i32 %s30
  %c32 = icmp slt i32 %s31, 0
  %a32 = add i32 %s31, 33
  %s32 = select i1 %c32, i32 %a32, i32 %s31
  %c33 = icmp slt i32 %s32, 0
  %a33 = add i32 %s32, 34
  %s33 = select i1 %c33, i32 %a33, i32 %s32
  %c34 = icmp slt i32 %s33, 0
  %a34 = add i32 %s33, 35
  %s34 = select i1 %c34, i32 %a34, i32 %s33
  %c35 = icmp slt i32 %s34, 0
  %a35 = add i32 %s34, 36
  %s35 = select i1 %c35, i32 %a35, i32 %s34
  %c36 = icmp slt i32 %s35, 0
  %a36 = add i32 %s35, 37
  %s36 = select i1 %c36, i32 %a36, i32 %s35
  %c37 = icmp slt i32 %s36, 0
  %a37 = add i32 %s36, 38
  %s37 = select i1 %c37, i32 %a37, i32 %s36
  %c38 = icmp slt i32 %s37, 0
  %a38 = add i32 %s37, 39
  %s38 = select i1 %c38, i32 %a38, i32 %s37
  %c39 = icmp slt i32 %s38, 0
  %a39 = add i32 %s38, 40
  %s39 = select i1 %c39, i32 %a39, i32 %s38
  %c40 = icmp slt i32 %s39, 0
  %a40 = add i32 %s39, 41
  %s40 = select i1 %c40, i32 %a40, i32 %s39
  %c41 = icmp slt i32 %s40, 0
  %a41 = add i32 %s40, 42
  %s41 = select i1 %c41, i32 %a41, i32 %s40
  %c42 = icmp slt i32 %s41, 0
  %a42 = add i32 %s41, 43
  %s42 = select i1 %c42, i32 %a42, i32 %s41
  %c43 = icmp slt i32 %s42, 0
  %a43 = add i32 %s42, 44
  %s43 = select i1 %c43, i32 %a43, i32 %s42
  %c44 = icmp slt i32 %s43, 0
  %a44 = add i32 %s43, 45
  %s44 = select i1 %c44, i32 %a44, i32 %s43
  %c45 = icmp slt i32 %s44, 0
  %a45 = add i32 %s44, 46
  %s45 = select i1 %c45, i32 %a45, i32 %s44
  %c46 = icmp slt i32 %s45, 0
  %a46 = add i32 %s45, 47
  %s46 = select i1 %c46, i32 %a46, i32 %s45
  %c47 = icmp slt i32 %s46, 0
  %a47 = add i32 %s46, 48
  %s47 = select i1 %c47, i32 %a47, i32 %s46
  %c48 = icmp slt i32 %s47, 0
  %a48 = add i32 %s47, 49
  %s48 = select i1 %c48, i32 %a48, i32 %s47
  %c49 = icmp slt i32 %s48, 0
  %a49 = add i32 %s48, 50
  %s49 = select i1 %c49, i32 %a49, i32 %s48
  %c50 = icmp slt i32 %s49, 0
  %a50 = add i32 %s49, 51
  %s50 = select i1 %c50, i32 %a50, i32 %s49
  %c51 = icmp slt i32 %s50, 0
  %a51 = add i32 %s50, 52
  %s51 = select i1 %c51, i32 %a51, i32 %s50
  %c52 = icmp slt i32 %s51, 0
  %a52 = add i32 %s51, 53
  %s52 = select i1 %c52, i32 %a52, i32 %s51
  %c53 = icmp slt i32 %s52, 0
  %a53 = add i32 %s52, 54
  %s53 = select i1 %c53, i32 %a53, i32 %s52
  %c54 = icmp slt i32 %s53, 0
  %a54 = add i32 %s53, 55
  %s54 = select i1 %c54, i32 %a54, i32 %s53
  %c55 = icmp slt i32 %s54, 0
  %a55 = add i32 %s54, 56
  %s55 = select i1 %c55, i32 %a55, i32 %s54
  %c56 = icmp slt i32 %s55, 0
  %a56 = add i32 %s55, 57
  %s56 = select i1 %c56, i32 %a56, i32 %s55
  %c57 = icmp slt i32 %s56, 0
  %a57 = add i32 %s56, 58
  %s57 = select i1 %c57, i32 %a57, i32 %s56
  %c58 = icmp slt i32 %s57, 0
  %a58 = add i32 %s57, 59
  %s58 = select i1 %c58, i32 %a58, i32 %s57
  %c59 = icmp slt i32 %s58, 0
  %a59 = add i32 %s58, 60
  %s59 = select i1 %c59, i32 %a59, i32 %s58
  %c60 = icmp slt i32 %s59, 0
  %a60 = add i32 %s59, 61
  %s60 = select i1 %c60, i32 %a60, i32 %s59
  %c61 = icmp slt i32 %s60, 0
  %a61 = add i32 %s60, 62
  %s61 = select i1 %c61, i32 %a61, i32 %s60
  %c62 = icmp slt i32 %s61, 0
  %a62 = add i32 %s61, 63
  %s62 = select i1 %c62, i32 %a62, i32 %s61
  %c63 = icmp slt i32 %s62, 0
  %a63 = add i32 %s62, 64
  %s63 = select i1 %c63, i32 %a63, i32 %s62
  %c64 = icmp slt i32 %s63, 0
  %a64 = add i32 %s63, 65
  %s64 = select i1 %c64, i32 %a64, i32 %s63
  %c65 = icmp slt i32 %s64, 0
  %a65 = add i32 %s64, 66
  %s65 = select i1 %c65, i32 %a65, i32 %s64
  %c66 = icmp slt i32 %s65, 0
  %a66 = add i32 %s65, 67
  %s66 = select i1 %c66, i32 %a66, i32 %s65
  %c67 = icmp slt i32 %s66, 0
  %a67 = add i32 %s66, 68
  %s67 = select i1 %c67, i32 %a67, i32 %s66
  %c68 = icmp slt i32 %s67, 0
  %a68 = add i32 %s67, 69
  %s68 = select i1 %c68, i32 %a68, i32 %s67
  %c69 = icmp slt i32 %s68, 0
  %a69 = add i32 %s68, 70
  %s69 = select i1 %c69, i32 %a69, i32 %s68
  %c70 = icmp slt i32 %s69, 0
  %a70 = add i32 %s69, 71
  %s70 = select i1 %c70, i32 %a70, i32 %s69
  %c71 = icmp slt i32 %s70, 0
  %a71 = add i32 %s70, 72
  %s71 = select i1 %c71, i32 %a71, i32 %s70
  %c72 = icmp slt i32 %s71, 0
  %a72 = add i32 %s71, 73
  %s72 = select i1 %c72, i32 %a72, i32 %s71
  %c73 = icmp slt i32 %s72, 0
  %a73 = add i32 %s72, 74
  %s73 = select i1 %c73, i32 %a73, i32 %s72
  %c74 = icmp slt i32 %s73, 0
  %a74 = add i32 %s73, 75
  %s74 = select i1 %c74, i32 %a74, i32 %s73
  %c75 = icmp slt i32 %s74, 0
  %a75 = add i32 %s74, 76
  %s75 = select i1 %c75, i32 %a75, i32 %s74
  %c76 = icmp slt i32 %s75, 0
  %a76 = add i32 %s75, 77
  %s76 = select i1 %c76, i32 %a76, i32 %s75
  %c77 = icmp slt i32 %s76, 0
  %a77 = add i32 %s76, 78
  %s77 = select i1 %c77, i32 %a77, i32 %s76
  %c78 = icmp slt i32 %s77, 0
  %a78 = add i32 %s77, 79
  %s78 = select i1 %c78, i32 %a78, i32 %s77
  %c79 = icmp slt i32 %s78, 0
  %a79 = add i32 %s78, 80
  %s79 = select i1 %c79, i32 %a79, i32 %s78
  %c80 = icmp slt i32 %s79, 0
  %a80 = add i32 %s79, 81
  %s80 = select i1 %c80, i32 %a80, i32 %s79
  %c81 = icmp slt i32 %s80, 0
  %a81 = add i32 %s80, 82
  %s81 = select i1 %c81, i32 %a81, i32 %s80
  %c82 = icmp slt i32 %s81, 0
  %a82 = add i32 %s81, 83
  %s82 = select i1 %c82, i32 %a82, i32 %s81
  %c83 = icmp slt i32 %s82, 0
  %a83 = add i32 %s82, 84
  %s83 = select i1 %c83, i32 %a83, i32 %s82
  %c84 = icmp slt i32 %s83, 0
  %a84 = add i32 %s83, 85
  %s84 = select i1 %c84, i32 %a84, i32 %s83
  %c85 = icmp slt i32 %s84, 0
  %a85 = add i32 %s84, 86
  %s85 = select i1 %c85, i32 %a85, i32 %s84
  %c86 = icmp slt i32 %s85, 0
  %a86 = add i32 %s85, 87
  %s86 = select i1 %c86, i32 %a86, i32 %s85
  %c87 = icmp slt i32 %s86, 0
  %a87 = add i32 %s86, 88
  %s87 = select i1 %c87, i32 %a87, i32 %s86
  %c88 = icmp slt i32 %s87, 0
  %a88 = add i32 %s87, 89
  %s88 = select i1 %c88, i32 %a88, i32 %s87
  %c89 = icmp slt i32 %s88, 0
  %a89 = add i32 %s88, 90
  %s89 = select i1 %c89, i32 %a89, i32 %s88
  %c90 = icmp slt i32 %s89, 0
  %a90 = add i32 %s89, 91
  %s90 = select i1 %c90, i32 %a90, i32 %s89
  %c91 = icmp slt i32 %s90, 0
  %a91 = add i32 %s90, 92
  %s91 = select i1 %c91, i32 %a91, i32 %s90
  %c92 = icmp slt i32 %s91, 0
  %a92 = add i32 %s91, 93
  %s92 = select i1 %c92, i32 %a92, i32 %s91
  %c93 = icmp slt i32 %s92, 0
  %a93 = add i32 %s92, 94
  %s93 = select i1 %c93, i32 %a93, i32 %s92
  %c94 = icmp slt i32 %s93, 0
  %a94 = add i32 %s93, 95
  %s94 = select i1 %c94, i32 %a94, i32 %s93
  %c95 = icmp slt i32 %s94, 0
  %a95 = add i32 %s94, 96
  %s95 = select i1 %c95, i32 %a95, i32 %s94
  %c96 = icmp slt i32 %s95, 0
  %a96 = add i32 %s95, 97
  %s96 = select i1 %c96, i32 %a96, i32 %s95
  %c97 = icmp slt i32 %s96, 0
  %a97 = add i32 %s96, 98
  %s97 = select i1 %c97, i32 %a97, i32 %s96
  %c98 = icmp slt i32 %s97, 0
  %a98 = add i32 %s97, 99
  %s98 = select i1 %c98, i32 %a98, i32 %s97
  %c99 = icmp slt i32 %s98, 0
  %a99 = add i32 %s98, 100
  %s99 = select i1 %c99, i32 %a99, i32 %s98
  %wide = sext i32 %s99 to i64
  %p = getelementptr float, ptr %in, i64 %wide
  %l = load float, ptr %p, align 4
  %q = getelementptr i8, ptr %p, i64 4
  %r = load float, ptr %q, align 4
  %d = fsub float %l, %r
  %j = sext i32 %i to i64
  %o = getelementptr float, ptr %out, i64 %j
  store float %d, ptr %o, align 4
  br label %exit

exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; expect:
; kernel `chosen`: 0 of 2 loads become shuffles
;
; note: kept (C1): no earlier load reads these bytes in a lane at most 31 away
;    --> <stdin>:321:3
;     |
; 321 |   %l = load float, ptr %p, align 4
;     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ stays a load
;
; note: kept (C1): the addresses are too large for the solver
;    --> <stdin>:323:3
;     |
; 321 |   %l = load float, ptr %p, align 4
;     |   -------------------------------- source
; 322 |   %q = getelementptr i8, ptr %p, i64 4
; 323 |   %r = load float, ptr %q, align 4
;     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ stays a load
;     |
;     = note: would be lifted by: `--solver-gates`
;
; assumed: the kernel is free of data races, as CUDA C++ demands
