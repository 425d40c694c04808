//! What is known of instructions that are not modelled: what they may do to memory and to other threads, and which of their
//! operands they write. An instruction that the PTX ISA names ends no thread, but for those made for it; one that it does not
//! name may do anything.

use super::modifiers::Spelling;
use super::shape::{Shape, Written};
use ptxasw_ir::opcode::Effects;

/// What an instruction that is not modelled comes to.
pub(super) fn opaque(s: &Spelling) -> Shape {
    if is_nop(s) {
        return Shape::Nop;
    }
    let (effects, written) = computes(s)
        .or_else(|| together(s))
        .or_else(|| accesses(s))
        .or_else(|| asynchronous(s))
        .unwrap_or((Effects::ALL, Written::Any));
    Shape::Opaque {
        effects,
        written,
        carry: s.has("cc"),
    }
}

/// Waits for other lanes and must not be moved, but leaves memory alone.
const CONVERGENT: Effects = Effects {
    waits: true,
    convergent: true,
    ..Effects::NONE
};

/// Writes or orders memory, and waits for nobody.
const WRITES: Effects = Effects {
    writes: true,
    ..Effects::NONE
};

/// As [`WRITES`], and sees what other threads do meanwhile.
const READS_AND_WRITES: Effects = Effects {
    polls: true,
    ..WRITES
};

/// Writes or orders memory and waits for other threads: all but to end one.
const WAITS_AND_WRITES: Effects = Effects {
    exits: false,
    ..Effects::ALL
};

type Known = Option<(Effects, Written)>;

fn is_nop(s: &Spelling) -> bool {
    match s.base {
        "prefetch" | "prefetchu" | "applypriority" | "nanosleep" | "pmevent" => true,
        "griddepcontrol" => s.has("launch_dependents"),
        "cp" => s.has("bulk") && s.has("prefetch"),
        _ => false,
    }
}

/// What computes from its operands alone, whatever the modifiers.
fn computes(s: &Spelling) -> Known {
    let computes = match s.base {
        "add" | "sub" | "mul" | "mad" | "fma" | "mul24" | "mad24" | "sad" | "div" | "rem"
        | "abs" | "neg" | "min" | "max" | "popc" | "clz" | "brev" | "bfind" | "fns" | "bfe"
        | "bfi" | "szext" | "bmsk" | "dp4a" | "dp2a" | "addc" | "subc" | "madc" | "testp"
        | "copysign" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh"
        | "set" | "setp" | "selp" | "slct" | "and" | "or" | "xor" | "not" | "cnot" | "lop3"
        | "shf" | "shl" | "shr" | "prmt" | "mov" | "isspacep" | "cvta" | "cvt" | "createpolicy"
        | "mapa" | "getctarank" | "istypep" => true,
        // Video instructions, scalar and SIMD.
        "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax" | "vshl" | "vshr" | "vmad" | "vset"
        | "vadd2" | "vsub2" | "vavrg2" | "vabsdiff2" | "vmin2" | "vmax2" | "vset2" | "vadd4"
        | "vsub4" | "vavrg4" | "vabsdiff4" | "vmin4" | "vmax4" | "vset4" => true,
        // Reads memory that no `ld` is compared with.
        "tex" | "tld4" | "txq" | "suld" | "suq" => true,
        // Takes a count or an answer out of a register.
        "mbarrier" => s.has("pending_count"),
        "clusterlaunchcontrol" => s.has("query_cancel"),
        _ => false,
    };
    computes.then_some((Effects::NONE, Written::First))
}

/// What the lanes of a warp, or more threads, do together.
fn together(s: &Spelling) -> Known {
    Some(match s.base {
        // Memory is read at most.
        "mma" | "ldmatrix" | "movmatrix" => (CONVERGENT, Written::First),
        "wmma" if !s.has("store") => (CONVERGENT, Written::First),
        "shfl" | "vote" | "match" | "redux" | "activemask" | "elect" => {
            (CONVERGENT, Written::First)
        }
        "alloca" | "stacksave" => (CONVERGENT, Written::First),
        "setmaxnreg" => (CONVERGENT, Written::None),
        "bar" | "barrier" | "stmatrix" | "wmma" | "wgmma" => (WAITS_AND_WRITES, Written::First),
        // Tensor memory is handed out by turns, and its copies and products signal through barriers in memory.
        "tcgen05" => (WAITS_AND_WRITES, Written::Any),
        "tensormap" if s.has("sync") => (WAITS_AND_WRITES, Written::First),
        // For the grids before this one, which may wait for others in turn.
        "griddepcontrol" => (WAITS_AND_WRITES, Written::None),
        _ => return None,
    })
}

/// What accesses or orders memory, and goes on at once.
fn accesses(s: &Spelling) -> Known {
    Some(match s.base {
        "st" | "sust" | "sured" | "tensormap" => (WRITES, Written::First),
        "ld" | "ldu" | "atom" | "red" | "multimem" => (READS_AND_WRITES, Written::First),
        "fence" | "membar" | "discard" | "stackrestore" => (WRITES, Written::None),
        // Whoever resumes or ends the thread may have done anything.
        "brkpt" | "exit" | "ret" | "trap" => (Effects::ALL, Written::None),
        _ => return None,
    })
}

/// Copies and what they signal by. That a thread waits for copies of its own is no wait for another thread.
fn asynchronous(s: &Spelling) -> Known {
    Some(match s.base {
        // A number of groups.
        "cp" if s.has("wait_group") => (READS_AND_WRITES, Written::None),
        "cp" | "clusterlaunchcontrol" => (READS_AND_WRITES, Written::First),
        // Until other threads or copies have arrived.
        "mbarrier" if s.has("try_wait") => (WAITS_AND_WRITES, Written::First),
        "mbarrier" => (READS_AND_WRITES, Written::First),
        _ => return None,
    })
}
