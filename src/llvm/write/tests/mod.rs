//! Patches of `.ll` texts are carried out, `llc` makes PTX of the module, and the warp executor runs it.

mod cases;
mod chains;
mod guarded;
mod lines;
mod mutations;
mod operations;
#[path = "../../../ptx/spell/tests/ops.rs"]
mod ops;
mod refusals;
mod regions;
mod settled;
mod values;

use super::written;
use crate::kernels;
use crate::lower::{Lowered, lower};
use crate::outputs::{self, Kind};
use crate::read::read;
use crate::view::{Val, View};
use inkwell::context::Context;
use ptxasw::executor::{Buffer, Launch, Schedule, run};
use ptxasw::ir::function::{BlockId, InstId, Value};
use ptxasw::ir::patch::{Patch, verify};
use ptxasw::ptx::{self, decode::decode};

const HEADER: &str = r#"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)
@buffer = addrspace(3) global [64 x i32] undef, align 4
attributes #0 = { "target-cpu"="sm_90" "target-features"="+ptx85" }
"#;

/// A kernel's text with all that a module needs.
pub(super) fn module(kernel: &str) -> String {
    // LLVM 15 knows no later ones.
    let header = match cfg!(feature = "llvm15") {
        true => HEADER.replace("sm_90", "sm_86").replace("ptx85", "ptx75"),
        false => HEADER.to_owned(),
    };
    header + kernel
}

/// The values and places of a function by LLVM's names.
pub(super) struct Names<'a, 'm>(pub &'a Lowered<'m>);

impl<'m> Names<'_, 'm> {
    fn llvm(&self, name: &str) -> Val<'m> {
        self.0.numbering.by_name()[name]
    }

    /// A scalar of a value.
    pub fn scalar(&self, name: &str, scalar: u32) -> Value {
        let wanted = Some((self.llvm(name), scalar));
        let found = self.0.scalars.iter().position(|one| *one == wanted);
        Value(found.expect("a scalar") as u32)
    }

    /// A value that is one scalar.
    pub fn value(&self, name: &str) -> Value {
        self.scalar(name, 0)
    }

    /// The last instruction of a statement.
    pub fn inst_of(&self, statement: u32) -> InstId {
        let insts = self.0.function.insts.iter();
        let found = insts
            .enumerate()
            .rfind(|(_, inst)| inst.origin == statement);
        InstId(found.expect("an instruction").0 as u32)
    }

    pub fn inst(&self, name: &str) -> InstId {
        self.inst_of(
            self.0
                .numbering
                .statement(self.llvm(name))
                .expect("a statement"),
        )
    }

    /// The n-th store of the text.
    pub fn store(&self, number: usize) -> InstId {
        let store = inkwell::llvm_sys::LLVMOpcode::LLVMStore;
        let statements = (1..).map_while(|one| Some((one, self.0.numbering.instruction(one)?)));
        let mut stores = statements.filter(|(_, instruction)| instruction.opcode() == store);
        self.inst_of(stores.nth(number).expect("a store").0)
    }

    pub fn block(&self, name: &str) -> BlockId {
        let parts = self.0.numbering.parts();
        let part = parts.iter().position(|part| part.block.name() == name);
        let part = part.map(|part| part as u32);
        let found = self.0.parts.iter().position(|one| *one == part);
        BlockId(found.expect("a block") as u32)
    }
}

/// Makes a patch of a function.
pub(super) type Make<'a> = &'a dyn Fn(&Names) -> Patch;

/// What a module is written as after a patch is carried out; or where that fails.
pub(super) fn patched(text: &str, make: Make, kind: Kind) -> Result<String, String> {
    let context = Context::create();
    let module = read(&context, text.as_bytes(), "a.ll").expect("valid");
    let before = module.print_to_string().to_string();
    let view = View::new(&module);
    let lowered = lower(view, &kernels::functions(view)[0]);
    let patch = make(&Names(&lowered));
    let verified = verify(&lowered.function, &patch)
        .unwrap_or_else(|error| panic!("{error}\n{}", lowered.function));
    let written = written(&module, &[(0, &verified)]);
    assert_eq!(
        module.print_to_string().to_string(),
        before,
        "the original stays"
    );
    let written = written.map_err(|error| error.to_string())?;
    let text = outputs::write(&written, kind, None).map_err(|error| error.to_string())?;
    Ok(String::from_utf8(text).expect("text"))
}

/// Runs a kernel whose first parameter is where it writes words, and whose second is where it reads them; what it wrote.
pub(super) fn execute(
    ptx: &str,
    threads: u32,
    input: &[u8],
    bytes: usize,
) -> Result<Vec<u8>, String> {
    let tree = ptx::parse(ptx.as_bytes()).map_err(|error| format!("{error:?}"))?;
    let module = decode(&tree).map_err(|error| format!("{error:?}"))?;
    let buffer = |bytes: Vec<u8>| Buffer {
        bytes,
        initialised: true,
        element: 4,
    };
    let launch = Launch::new([1; 3], [threads, 1, 1])
        .with_buffer(buffer(vec![0; bytes]))
        .with_buffer(buffer(input.to_vec()));
    let outcome = run(&module, &module.functions[0], &launch, Schedule::Lockstep);
    let outcome = outcome.map_err(|error| format!("{error:?}"))?;
    Ok(outcome.buffers[0].bytes.clone())
}

const LIMITS: [u64; 8] = [
    0,
    u64::MAX,
    1 << 63,
    1 << 31,
    0x8000_0000_8000_0000,
    0x7FFF_FFFF_7FFF_FFFF,
    32,
    64,
];

/// Random bits, among them small numbers and such with many equal bits.
pub(super) fn random(seed: u64, count: usize) -> Vec<u64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    };
    let mut value = || {
        let (bits, kind) = (next(), next() >> 60);
        match kind {
            0 => bits % 70,
            1 => (bits % 70).wrapping_neg(),
            2 => 1 << (bits % 64),
            3 => (1u64 << (bits % 64)).wrapping_sub(1),
            // Floats of moderate size.
            4 | 5 => bits & 0x000F_FFFF_007F_FFFF | 0x3FF0_0000_3F80_0000,
            // Subnormal and special ones.
            6 => bits & 0x800F_FFFF_807F_FFFF,
            8 => LIMITS[bits as usize % LIMITS.len()],
            7 => 0x7FF0_0000_7F80_0000 | (bits & 0x8000_0001_8000_0001),
            _ => bits,
        }
    };
    (0..count).map(|_| value()).collect()
}
