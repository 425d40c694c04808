//! Patches written into PTX: the text is as meant, `ptxas`'s grammar is kept (it is read again), and the executor finds what the
//! patch says.

mod attacks;
mod chains;
mod clones;
mod guarded;
#[cfg(debug_assertions)]
mod mutated;
mod spelled;
mod statements;
mod values;

use ptxasw::ir::function::{BlockId, Function, InstId, Value};
use ptxasw::ir::opcode::Opcode;
use ptxasw::ir::patch::{
    Cursor, Insertion, Location, Patch, Point, Positions, Redirect, Ref, Removal, verify,
};
use ptxasw::ptx::decode::decode;
use ptxasw::ptx::lower::lower;
use ptxasw::ptx::text::edit::apply;
use ptxasw::ptx::write::{Signature, Stem, View, WriteError, together, write};
use ptxasw::verify::{self, Reason, Verdict, verify_kernel};

pub(super) const HEADER: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// A kernel with a pointer to results and one to inputs, and what every thread does first.
pub(super) fn kernel(body: &str) -> String {
    format!(
        "{HEADER}.visible .entry k(\n\t.param .u64 out,\n\t.param .u64 in,\n\t.param .u32 n\n)\n{{\n\
         \t.reg .pred %p<8>;\n\t.reg .b16 %h<8>;\n\t.reg .b32 %r<32>;\n\t.reg .f32 %f<16>;\n\t.reg .b64 %rd<16>;\n\n\
         \tld.param.u64 %rd1, [out];\n\tld.param.u64 %rd2, [in];\n\tld.param.u32 %r1, [n];\n\
         \tcvta.to.global.u64 %rd3, %rd1;\n\tcvta.to.global.u64 %rd4, %rd2;\n\tmov.u32 %r2, %tid.x;\n\
         \tmul.wide.u32 %rd5, %r2, 16;\n\tadd.s64 %rd6, %rd3, %rd5;\n\tadd.s64 %rd7, %rd4, %rd5;\n{body}}}\n"
    )
}

/// The text with a patch of its only function carried out.
pub(super) fn written(
    text: &str,
    patch: impl FnOnce(&Function) -> Patch,
) -> Result<String, WriteError> {
    let stem = Stem::Pass;
    signed(text, Signature { stem, mark: None }, patch)
}

/// The text of a body that shows who made it.
pub(super) fn signed(
    text: &str,
    signature: Signature,
    patch: impl FnOnce(&Function) -> Patch,
) -> Result<String, WriteError> {
    let module = ptxasw::ptx::parse(text.as_bytes()).expect("the text is PTX");
    let form = decode(&module).expect("the text has a meaning");
    let lowered = lower(&form, &form.functions[0]).expect("the function is lowered");
    let patch = patch(&lowered.function);
    let verified = match verify(&lowered.function, &patch) {
        Ok(verified) => verified,
        Err(error) => panic!("{error}\n{}", lowered.function),
    };
    let view = View::new(&module, &form.functions[0], &lowered);
    let written = write(&view, &verified, signature)?;
    let edits = together(&module, [&written]);
    let text = apply(text.as_bytes(), &edits).expect("the edits fit");
    Ok(String::from_utf8(text).unwrap())
}

fn read(text: &str) -> verify::Module<'_> {
    match verify::Module::read(text.as_bytes()) {
        Ok(module) => module,
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// What the judge says of a rewritten kernel.
pub(super) fn verdict(before: &str, after: &str) -> Verdict {
    let (before, after) = (read(before), read(after));
    let kernel = |module: &verify::Module| module.kernel("k").is_some();
    assert!(kernel(&before) && kernel(&after));
    let options = verify::Options {
        jobs: 1,
        steps: 1 << 18,
        ..verify::Options::default()
    };
    let (before, after) = (before.kernel("k").unwrap(), after.kernel("k").unwrap());
    match verify_kernel(before, after, &options).verdict {
        // A copy may be entered under a condition that never holds.
        Verdict::CouldNotRun(Reason::Unreached) => Verdict::Equal,
        found => found,
    }
}

/// The rewritten text, which does what the original does and is another one.
pub(super) fn same(text: &str, patch: impl FnOnce(&Function) -> Patch) -> String {
    let after = written(text, patch).expect("the patch is written");
    assert_ne!(text, after);
    let found = verdict(text, &after);
    assert!(matches!(found, Verdict::Equal), "{found:?}\n{after}");
    after
}

/// The n-th instruction of the function with a property.
pub(super) fn find(function: &Function, number: usize, fits: impl Fn(&Opcode) -> bool) -> InstId {
    let ids = function
        .blocks
        .iter()
        .flat_map(|block| block.insts.iter().copied());
    let mut found = ids.filter(|&id| fits(&function.inst(id).opcode));
    found.nth(number).expect("there is such an instruction")
}

/// A weak load that is no parameter's.
pub(super) fn is_load(opcode: &Opcode) -> bool {
    use ptxasw::ir::types::Space;
    matches!(opcode, Opcode::Load(access) if access.space != Space::ParamEntry)
}

pub(super) fn is_store(opcode: &Opcode) -> bool {
    matches!(opcode, Opcode::Store(_))
}

pub(super) fn result(function: &Function, id: InstId) -> Value {
    function.inst(id).results[0]
}

/// After the statement of an instruction.
pub(super) fn after_statement(function: &Function, id: InstId) -> Point {
    let positions = Positions::new(function);
    Point::After(*positions.statement(id).unwrap().last().unwrap())
}

/// The value that a statement leaves in its only register.
pub(super) fn completed(function: &Function, id: InstId) -> Value {
    let positions = Positions::new(function);
    let last = *positions.statement(id).unwrap().last().unwrap();
    *function.inst(last).results.last().unwrap()
}

pub(super) fn redirect(value: Value, to: Ref) -> Redirect {
    Redirect {
        clone: None,
        value,
        to,
    }
}

pub(super) fn removal(inst: InstId) -> Removal {
    Removal { clone: None, inst }
}

#[test]
fn an_empty_patch_changes_no_byte() {
    let text = kernel("\tst.global.u32 [%rd6], %r2;\n\tret;\n");
    assert_eq!(written(&text, |_| Patch::default()).unwrap(), text);
}
