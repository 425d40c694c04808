//! What each wrapping costs in machine code: `cargo bench --bench wrappings` (part of `make bench`; times don't count, so
//! that `--profile dev` does as well). What it prints is committed in `benches/README.md`.

mod code;
mod design;
#[path = "../../tests/listing/mod.rs"]
#[allow(dead_code, unused_imports)]
mod listing;
mod profit;
mod table;

const INTRODUCTION: &str = "## Wrappings

Printed by `cargo bench --bench wrappings`: kernels of `ptx-tests/wrappings/src`, rewritten by `ptxasw opt --wrapping W --profit always`, assembled by the real `ptxas` (12.9 for sm_70, 13.5
for sm_80 and sm_90), read back by `nvdisasm`. SASS: instructions on the hot path, in brackets those of the whole kernel. LDG/SHFL/VOTE: of the hot path, for sm_80.

The *hot path* is what a full warp goes through whose threads all lie inside of the field. Such a warp stays together, passes every guard, and in some of its lanes needs every corner load. It is
read off the control flow of the machine code: (1) branches for warps whose lanes are not together (`BRA.DIV`) are not taken, exits under a predicate neither; (2) of the ways that are left it
is the one with the most `SHFL`, then the most `LDG`, then the most instructions; (3) where a loop loads or shuffles, and none inside of it does, it is one iteration, of the loop that is first by the same
order; else it is the way from the start to an exit. Predicated instructions count in full (`tests/listing/hot.rs`).

*Added* is what a wrapping adds to the original's hot path on sm_70/sm_80/sm_90, *design* what the templates added when they were designed, by hand, on kernels of the same shapes; `!` marks where
ours would add more. `-`: the tool does not wrap that way; reasons are below the table. F31 and full are told `.reqntid 128` (their original, too).

Where masks are tracked (k3 and k6 under R, F) shuffles stand side by side behind their source for targets below sm_90: `ptxas` writes each shuffle in code that it takes for divergent as a branch of its own, and shuffles in a row
as one. On sm_90 they stand at their destinations, which is cheaper there. Outside of loops a block reads its own mask.

Behind a guard `halo` reads the mask under the guard itself: one vote tells that all lanes are there and passed it. Where lanes meet again behind the copy that costs more than it saves. It is
a copy that whole warps of whole rows run: neither corner loads nor clamps are left in it. Where there is none (k1f; barriers, bodies of some thousand statements) it keeps every destination's load, for warps that are not whole.

Checks of uniform values cost nothing in R, F and copies: in k2 `nvcc` writes `xor -4` for `-nx - 4`, which is another number for one value of `nx`; the sign of `nx` is tested by the very instruction that tests the mask.
";

const PROFIT: &str = "## Profit

Printed by the same command: KernelGen for sm_80 (nvcc), and what `--wrapping F` makes of it. Proved: what `--profit always` emits. Hot path as above, of the original, under `always` and under F; registers in the
same order. The bound of 25 % is a test (`tests/profit.rs`), for sm_90 and clang's PTX, too. Declined is what would exceed it, or what has not enough shuffles for a set-up; no time was measured.
";

fn main() {
    println!("{INTRODUCTION}\n{}", table::table());
    println!("{PROFIT}\n{}", profit::table());
}
