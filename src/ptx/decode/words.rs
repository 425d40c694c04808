//! Words of opcodes that no instruction has: misspellings, or instructions of a later version of PTX.
//!
//! The tables are what the `ptxas` of CUDA 12.9 and 13.5 take as the name of an instruction, or as a modifier of some
//! instruction; which modifiers belong together is not looked at.

use crate::ast::{Function, Module, Span, StatementKind};
use rustc_hash::FxHashSet;
use std::sync::LazyLock;
use strsim::jaro_winkler;

/// Words that are no closer than this are not taken for what was meant.
const CLOSE: f64 = 0.85;
/// What barriers report is numbered.
const REPORT: &str = "mbarrier::report::";

/// Names of instructions.
const INSTRUCTIONS: &str = "
    abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra brev brkpt brx call cctl
    cctlu clmad clusterlaunchcontrol clz cnot copysign cos cp createpolicy cvt cvta discard div dp2a dp4a elect ex2 exit
    fabric fence fma fns getctarank griddepcontrol isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max
    mbarrier membar min mma mov movmatrix mul mul24 multimem nanosleep neg not or pmevent popc prefetch prefetchu prmt rcp
    red redux rem ret rsqrt sad selp set setmaxnreg setp shf shfl shl shr sin slct spcompress spdecompress sqrt st
    stackrestore stacksave stmatrix sub subc suld suq sured sust szext tanh tcgen05 tensormap testp tex tld4 trace trap
    txq vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4 vmad vmax vmax2 vmax4 vmin vmin2 vmin4 vote vset vset2
    vset4 vshl vshr vsub vsub2 vsub4 wgmma wmma xor";
/// Modifiers of some instruction, without their dot.
const MODIFIERS: &str = "
    128x128b 128x256b 16x128b 16x256b 16x32bx2 16x64b 1d 2d 32x128b 32x32b 3d 4d 4x256b 5d 64x128b L1 L1::32B
    L1::evict_first L1::evict_last L1::evict_normal L1::evict_unchanged L1::no_allocate L2 L2::128B L2::256B L2::64B
    L2::cache_hint L2::evict_first L2::evict_last L2::evict_normal L2::evict_unchanged L2::no_allocate NaN a a1d a2d a2dms
    abs acc::f32 acq_rel acquire acube add addr_mode_0 addr_mode_1 addr_mode_2 alias aligned all alloc alloc_class_large
    alloc_large alloc_same alloc_small and any approx array_size arrive arrive_drop ashift async async::generic b b1 b1024
    b128 b16 b2 b32 b4 b4e b4x16_p64 b64 b6x16_p32 b8 b8x16 ballot base bf16 bf16x2 bfly block16 block32 block_scale
    box_dim bulk bulk_group c ca cas cc cg channel_data_type channel_order check_layout clamp cluster col
    collector::a::discard collector::a::fill collector::a::lastuse collector::a::use collector::b0::discard
    collector::b0::fill collector::b0::lastuse collector::b0::use collector::b1::discard collector::b1::fill
    collector::b1::lastuse collector::b1::use collector::b2::discard collector::b2::fill collector::b2::lastuse
    collector::b2::use collector::b3::discard collector::b3::fill collector::b3::lastuse collector::b3::use commit
    commit_group complete_tx cond const counted::bytes cp cp_fenceproxy cp_mask cs cta cta_group::1 cta_group::2 cube cv
    cvt d dealloc dec depth dis down e2m1 e2m1x2 e2m1x4 e2m3 e2m3x2 e2m3x4 e3m2 e3m2x2 e3m2x4 e4m3 e4m3x2 e4m3x4 e5m2
    e5m2x2 e5m2x4 ecl ecr element_stride elemtype en eq equ evict_first evict_last evict_normal evict_unchanged exch
    exclusive expect_tx f16 f16x2 f32 f32x2 f4e f64 fabric::fabric fabric::generic fence fence::after_thread_sync
    fence::before_thread_sync fill_mode filter_mode finite force_unnormalized_coords fractional ftz full g ge
    generic::fabric get_first_ctaid get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z geu gl global global_address
    global_dim global_stride gpu grad gt gtu height hi hs idx ignore_oob im2col im2col::w im2col::w::128 im2col_no_offs
    inc infinite init interleave_layout inv inval invall is_canceled kind::f16 kind::f8f6f4 kind::i8 kind::mxf4
    kind::mxf4nvf4 kind::mxf8f6f4 kind::tf32 l launch_dependents layout::v0 layout::v1 ld ld_reduce le leu level lo load
    local ls lt ltu lu mark mask matrix::A matrix::D matrix::scaleA matrix::scaleB matrix::sparseMetadata max maxabs
    mbarrier mbarrier::arrive::one mbarrier::complete_tx::16B mbarrier::complete_tx::bytes mbarrier::meet_tx::bytes
    mbarrier_init memory_layout min mma mma_async mmio multicast multicast::cluster multicast::cluster::32b
    multicast::cluster::all multimem nan nc ne negA negB neu noComplete no_allocate no_membermask_overlap noftz noinc
    normal normalized_coords notanumber num num_mipmap_levels num_samples number oob op_restrict::fetching or
    override::global_address override::global_dim override::global_dim_stride p pack pack::16b param param::entry
    param::func parity pending_count phase_type::conditional phase_type::primary po popc pred prefetch proxy
    proxy::readonly pzo query query_cancel r range rank rc16 rc8 read red reduce relaxed release relinquish_alloc_permit
    relu replace rm rmi rn rna rni row rp rpi rs rz rzi s16 s16x2 s2 s2f6x2 s32 s4 s64 s8 s8x4 safeadd samplerref sat
    satfinite sc scale_vec::1X scale_vec::2X scale_vec::4X scratch shared shared::cluster shared::cta shift shiftamt shr15
    shr7 sp sp::ordered_metadata spcompress st store submit subnormal surfref swizzle_atomicity swizzle_mode sync
    sync_restrict::proxy::async sync_restrict::read sync_restrict::reads sync_restrict::shared::cluster
    sync_restrict::shared::cluster::read sync_restrict::shared::cta sync_restrict::shared::read::mma::a sys tensor
    tensormap tensormap::generic test_wait tex texref tf32 thread tile tile::gather4 tile::scatter4 to trans transA transB
    trap try_atom try_cancel try_get try_pullred try_put try_red try_wait u16 u16x2 u2 u32 u4 u64 u8 u8x4 ue4m3 ue5m3x2
    ue8m0 ue8m0x2 uni unpack::16b up v2 v4 v8 valid_addr volatile wait wait::ld wait::st wait_all wait_group warp
    warpx2::01_23 warpx2::02_13 warpx4 wb weak wide width wrap ws wt x1 x128 x16 x2 x32 x4 x64 x8 xor xorsign zero";

static NAMES: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| INSTRUCTIONS.split_whitespace().collect());
static WORDS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| MODIFIERS.split_whitespace().collect());

/// A word that no instruction has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWord {
    /// The word in the text, without the dot of a modifier.
    pub span: Span,
    /// What is unknown, and the known word that is nearest if one is near.
    pub message: String,
}

/// The first unknown word of each opcode of a function; of opcodes that are spelled alike, of the first one.
pub fn unknown_words<'m>(
    module: &'m Module,
    function: &'m Function,
) -> impl Iterator<Item = UnknownWord> + 'm {
    let mut seen = FxHashSet::default();
    let statements = function.body.iter().flat_map(|body| &body.statements);
    statements.filter_map(move |statement| match &statement.kind {
        StatementKind::Instruction(instruction) => {
            let text = module.str(instruction.opcode);
            match seen.insert(text) {
                true => unknown(text, instruction.opcode.start),
                false => None,
            }
        }
        _ => None,
    })
}

/// The first unknown word of the function that is an item of a module.
pub fn unknown_word(module: &Module, item: u32) -> Option<UnknownWord> {
    unknown_words(module, module.function(item)?).next()
}

fn unknown(opcode: &str, start: u32) -> Option<UnknownWord> {
    let mut at = 0;
    for (number, part) in opcode.split('.').enumerate() {
        let word = part.trim();
        let is_known = match number {
            0 => NAMES.contains(word),
            _ => is_modifier(word),
        };
        if !is_known {
            let blanks = part.len() - part.trim_start().len();
            let first = start + (at + blanks) as u32;
            return Some(UnknownWord {
                span: Span::new(first, first + word.len() as u32),
                message: message(opcode, number, word),
            });
        }
        at += part.len() + 1;
    }
    None
}

fn is_modifier(word: &str) -> bool {
    // `const[3]`: a bank.
    let word = word.split('[').next().unwrap_or_default();
    WORDS.contains(word) || word.starts_with(REPORT) || is_shape(word)
}

/// `m16n8k32` and the like.
fn is_shape(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some((rows, rest)) = word.strip_prefix('m').and_then(|rest| rest.split_once('n')) else {
        return false;
    };
    let (columns, inner) = rest.split_once('k').unwrap_or((rest, "1"));
    digits(rows) && digits(columns) && digits(inner)
}

/// The Jaro-Winkler similarity, from 0 to 1; 1 where two adjacent letters are swapped, which it underrates in short words (`.f23`).
fn closeness(known: &str, word: &str) -> f64 {
    let swapped = known.len() == word.len() && strsim::osa_distance(known, word) == 1;
    let swapped = swapped && strsim::hamming(known, word) == Ok(2);
    match swapped {
        true => 1.0,
        false => jaro_winkler(known, word),
    }
}

fn message(opcode: &str, number: usize, word: &str) -> String {
    let similar = |words: &FxHashSet<&'static str>, dot: &str| {
        let near = words.iter().map(|known| (closeness(known, word), *known));
        let near = near.filter(|(closeness, _)| *closeness > CLOSE);
        // Of words that are as near, the first one: a set has no order.
        let near = near.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1)));
        near.map_or_else(String::new, |(_, known)| {
            format!("; did you mean `{dot}{known}`?")
        })
    };
    match number {
        0 => format!("unknown instruction `{word}`{}", similar(&NAMES, "")),
        _ => {
            let name = opcode.split('.').next().unwrap_or_default().trim();
            format!(
                "unknown modifier `.{word}` of `{name}`{}",
                similar(&WORDS, ".")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(opcode: &str) -> Option<String> {
        unknown(opcode, 0).map(|word| word.message)
    }

    #[test]
    fn misspelled_words_have_a_suggestion() {
        for (opcode, words) in [
            (
                "ld.globl.u32",
                "unknown modifier `.globl` of `ld`; did you mean `.global`?",
            ),
            (
                "ldd.global.u32",
                "unknown instruction `ldd`; did you mean `ld`?",
            ),
            (
                "mov .f23",
                "unknown modifier `.f23` of `mov`; did you mean `.f32`?",
            ),
            ("xyzzy.u32", "unknown instruction `xyzzy`"),
            ("st.global.v3qq.f32", "unknown modifier `.v3qq` of `st`"),
            ("add.", "unknown modifier `.` of `add`"),
        ] {
            assert_eq!(said(opcode).as_deref(), Some(words));
        }
    }

    #[test]
    fn known_words_in_any_order() {
        for opcode in [
            "ld.global.nc.v4.f32",
            "ld.f32.global",
            "mov .u32",
            "cvta.to.global.u64",
            "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16",
            "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32.satfinite",
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes",
            "tcgen05.ld.sync.aligned.32x32b.x8.b32",
        ] {
            assert_eq!(said(opcode), None);
        }
    }

    #[test]
    fn the_span_is_that_of_the_word() {
        let word = unknown("ld .globl .u32", 10).unwrap();
        assert_eq!(word.span, Span::new(14, 19));
    }
}
