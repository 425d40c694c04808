; Generic accesses at numbers that `ptrtoint` makes of pointers to shared and constant memory: `addrspacecast` is left out, they fault. They stay. The branch is not taken here. (twin: converted)
; launch: not_converted grid=2 block=64 args=u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@words = internal addrspace(3) global [64 x i32] undef, align 4
@others = internal addrspace(3) global [64 x i32] undef, align 4
@table = internal addrspace(4) constant [4 x i32] [i32 3, i32 5, i32 7, i32 9], align 4

define ptx_kernel void @not_converted(ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, 64
  %i = add i32 %base, %tid
  %wide = zext i32 %i to i64
  %lane = zext i32 %tid to i64
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %mine = getelementptr [64 x i32], ptr addrspace(3) @words, i64 0, i64 %lane
  store i32 %tid, ptr addrspace(3) %mine
  %few = icmp ult i32 %n, 1000
  br i1 %few, label %end, label %wrong

wrong:
  %number = ptrtoint ptr addrspace(3) @others to i64
  %bytes = shl i64 %lane, 2
  %sum = add i64 %number, %bytes
  %p = inttoptr i64 %sum to ptr
  store i32 %i, ptr %p ; memory: kept: generic access through an address of shared memory that was not converted by cvta; lifted by: convert the address by `cvta` (`addrspacecast` in LLVM IR), or name the state space in the access
  %b = load i32, ptr %p ; memory: kept: generic access through an address of shared memory that was not converted by cvta; lifted by: convert the address by `cvta` (`addrspacecast` in LLVM IR), or name the state space in the access
  %low = and i64 %lane, 3
  %entry.t = getelementptr [4 x i32], ptr addrspace(4) @table, i64 0, i64 %low
  %c.number = ptrtoint ptr addrspace(4) %entry.t to i64
  %c.p = inttoptr i64 %c.number to ptr
  %c = load i32, ptr %c.p ; memory: kept: generic access through an address of constant memory that was not converted by cvta; lifted by: convert the address by `cvta` (`addrspacecast` in LLVM IR), or name the state space in the access
  %bc = add i32 %b, %c
  br label %end

end:
  %add = phi i32 [ 0, %entry ], [ %bc, %wrong ]
  %a = load i32, ptr addrspace(3) %mine ; memory: kept: an access lies between whose address was not converted by cvta @36
  %ab = add i32 %a, %add
  store i32 %ab, ptr addrspace(1) %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
