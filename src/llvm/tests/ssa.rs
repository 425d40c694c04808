//! The driver of the passes on LLVM IR: what it refuses, what it reports, what goes back.

use inkwell::context::Context;
use inkwell::module::Module;
use ptxasw::Options;
use ptxasw::driver::{Comparison, Wanted};
use ptxasw::ir::function::InstId;
use ptxasw::ir::op::Op;
use ptxasw::ir::opcode::Opcode;
use ptxasw::ir::patch::Removal;
use ptxasw::ir::text;
use ptxasw::passes::saturate::Saturate;
use ptxasw::passes::scalar::Division;
use ptxasw::passes::{Pass, Rewrite, Session, replace};
use ptxasw::pipeline::FrontEnd;
use ptxasw::pipeline::ssa::Report;
use ptxasw::ptx::decode::form;
use ptxasw::verify;
use ptxasw_llvm::outputs::{self, Kind};
use ptxasw_llvm::read::read;
use ptxasw_llvm::stage::{Done, Extras, decided, rewrite_with};

const MODULE: &str = r#"target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p, i32 %x) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = mul i32 %t, %x
  %b = add i32 %a, %x
  %to = getelementptr i32, ptr addrspace(1) %p, i32 %t
  store i32 %b, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @right(ptr addrspace(1) %p, i32 %x) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = add i32 %t, %x
  %to = getelementptr i32, ptr addrspace(1) %p, i32 %t
  store i32 %b, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_80" }
"#;

/// A pass that is a function.
struct Test(&'static str, fn(&Session) -> Rewrite);

impl Pass for Test {
    fn name(&self) -> &'static str {
        self.0
    }

    fn run(&self, session: &Session) -> Rewrite {
        (self.1)(session)
    }
}

/// Sums are differences from negated operands.
static SUMS: Test = Test("sums", |session| {
    replace(session, "a difference", |sum, at| match *sum.opcode {
        Opcode::Op(Op::Add { width }) => {
            let (one, other) = (sum.read(0)?, sum.read(1)?);
            let negated = at.single(Op::Neg { width }, &[other]);
            Some(at.single(Op::Sub { width }, &[one, negated]))
        }
        _ => None,
    })
});

/// Products are sums, which is wrong.
static WRONG: Test = Test("wrong", |session| {
    replace(session, "a sum", |product, at| match *product.opcode {
        Opcode::Op(Op::Mul { width, .. }) => {
            Some(at.single(Op::Add { width }, &[product.read(0)?, product.read(1)?]))
        }
        _ => None,
    })
});

/// Names an instruction that no function has.
static REFUSED: Test = Test("refused", |_| {
    let mut rewrite = Rewrite::default();
    rewrite.patch.remove.push(Removal {
        clone: None,
        inst: InstId(u32::MAX),
    });
    rewrite
});

fn module(context: &Context) -> Module<'_> {
    read(context, MODULE.as_bytes(), "module").expect("a module")
}

fn lines(passed: &Done) -> Vec<String> {
    passed.passes.iter().flat_map(Report::lines).collect()
}

#[test]
fn a_refused_patch_leaves_the_module() {
    let context = Context::create();
    let module = module(&context);
    let before = module.print_to_string();
    let passed = rewrite_with(
        &module,
        &Options::of_passes(&[&REFUSED]),
        &Extras::default(),
    )
    .expect("no fault of the driver");
    assert_eq!(module.print_to_string(), before);
    let refusals: Vec<String> = passed.passes.iter().filter_map(Report::refusal).collect();
    assert_eq!(refusals.len(), 2);
    assert_eq!(
        refusals[0],
        "k: refused changes nothing: internal error: there is no i4294967295"
    );
}

#[test]
fn a_pass_reads_what_the_one_before_left() {
    let context = Context::create();
    let module = module(&context);
    let mut options = Options::of_passes(&[&WRONG, &SUMS]);
    options.print_after = Some("wrong");
    options.kernels.leave_out("right");
    let passed = rewrite_with(&module, &options, &Extras::default()).expect("passes");
    // LLVM prints two lines in front of the triple. What a pass wrote has the line that it replaced.
    assert_eq!(
        lines(&passed),
        [
            "k: line 7: wrong: a sum",
            "k: line 7: sums: a difference",
            "k: line 8: sums: a difference",
        ]
    );
    let printed = text::parse(&passed.printed).expect("one function");
    let is_product = |opcode: &Opcode| matches!(opcode, Opcode::Op(Op::Mul { width: 32, .. }));
    assert!(!printed.insts.iter().any(|inst| is_product(&inst.opcode)));
    let text = module.print_to_string().to_string();
    assert!(
        !text.contains("mul ") && text.matches("sub i32").count() >= 2,
        "{text}"
    );
}

/// The second pass reads a module with more lines than the input.
#[test]
fn lines_are_those_of_the_input() {
    let product = "  %a = mul i32 %t, %x\n";
    let text = MODULE
        .replace(product, "")
        .replace("add i32 %a", "add i32 %t");
    let text = text
        .replace("  %to =", "  %a = mul i32 %b, %x\n  %to =")
        .replace("i32 %b, ptr", "i32 %a, ptr");
    let context = Context::create();
    let module = read(&context, text.as_bytes(), "module").expect("a module");
    let input = module.print_to_string().to_string();
    let options = Options::of_passes(&[&SUMS, &WRONG]);
    let (decided, passed) = decided(&module, &options, &Extras::default()).expect("passes");
    decided.commit(&[]).expect("written");
    let text = module.print_to_string().to_string();
    assert!(text.lines().count() > input.lines().count());
    let at = |text: &str, word: &str| {
        let lines = (1..)
            .zip(text.lines())
            .filter(|(_, line)| line.contains(word));
        lines.map(|(line, _)| line).collect::<Vec<u32>>()
    };
    let of_pass = |pass: &str| {
        let reports = passed.passes.iter().filter(|one| one.pass == pass);
        let remarks = reports.flat_map(|report| &report.remarks);
        remarks.map(|one| one.place.line).collect::<Vec<u32>>()
    };
    assert_eq!(of_pass("sums"), at(&input, " add "));
    assert_eq!(of_pass("wrong"), at(&input, " mul "));
    let origins = decided.origins().expect("it is changed");
    assert_eq!(decided.input_text().text, input);
    for word in ["= call i32", " store", " ret void", "= getelementptr"] {
        let now = text.match_indices(word).map(|(place, _)| place as u32 + 1);
        let back = now.map(|place| decided.input_line(origins.before(place)));
        let back: Vec<u32> = back.collect();
        assert_eq!(back, at(&input, word), "{word}\n{text}");
    }
}

/// A wrong pass changes one of two kernels: the right pass, too, runs without it.
#[test]
fn what_is_not_equal_goes_back() {
    let context = Context::create();
    let module = module(&context);
    let how = verify::Options {
        jobs: 1,
        steps: 1 << 18,
        ..Default::default()
    };
    let how = |_: &form::Module| Ok(how.clone());
    let extras = Extras {
        wanted: Wanted {
            comparison: Some(Comparison {
                strict: false,
                options: &how,
            }),
            registers: None,
        },
        ..Extras::default()
    };
    let options = Options::of_passes(&[&WRONG, &SUMS]);
    let done = rewrite_with(&module, &options, &extras).expect("rewritten");
    assert!(done.is_rewritten());
    let kept: Vec<bool> = done.found.judged.iter().map(|one| one.kept).collect();
    assert_eq!(kept, [false, true]);
    let changed = done.passes.iter().filter(|report| report.changed);
    let changed: Vec<&str> = changed.map(|report| &*report.function).collect();
    assert_eq!(changed, ["right"]);
    let text = module.print_to_string().to_string();
    assert!(text.contains("%a = mul i32 %t, %x"), "{text}");
}

/// `llc` tests by itself whether operands fit into 32 bits.
#[test]
fn divisions_are_left_to_llc() {
    let text = "target triple = \"nvptx64-nvidia-cuda\"
define ptx_kernel void @k(ptr addrspace(1) %p, i64 %x, i64 %y) {
  %q = udiv i64 %x, %y
  store i64 %q, ptr addrspace(1) %p
  ret void
}
";
    let context = Context::create();
    let module = read(&context, text.as_bytes(), "k.ll").expect("it reads");
    let passed = rewrite_with(
        &module,
        &Options::of_passes(&[&Division]),
        &Extras::default(),
    )
    .expect("it runs");
    assert!(passed.passes.iter().all(|report| !report.changed));
    let ptx = outputs::write(&module, Kind::Ptx, Some("sm_80")).expect("llc takes it");
    let ptx = String::from_utf8(ptx).expect("it is text");
    assert!(ptx.contains("div.u32") && ptx.contains("div.u64"), "{ptx}");
}

/// `sext(i + 1)` is `sext(i) + 1` by the promise not to wrap, which is worth nothing where `i` is the greatest number: there the sum
/// of 64 bits is not read from it. The same of a sum that is written as an `or` of what has no bit in common.
#[test]
fn promises_make_no_values_equal() {
    let text = "target triple = \"nvptx64-nvidia-cuda\"
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %i, i32 %j, i1 %c) {
  %n = add nsw i32 %i, 1
  %promised = sext i32 %n to i64
  %disjoint = or disjoint i32 %i, %j
  br i1 %c, label %there, label %end
there:
  store i64 %promised, ptr addrspace(1) %p
  store i32 %disjoint, ptr addrspace(1) %q
  br label %end
end:
  %wide = sext i32 %i to i64
  %sum = add i64 %wide, 1
  %plain = add i32 %i, %j
  %next = getelementptr i64, ptr addrspace(1) %p, i64 1
  %after = getelementptr i64, ptr addrspace(1) %q, i64 1
  store i64 %sum, ptr addrspace(1) %next
  store i32 %plain, ptr addrspace(1) %after
  ret void
}
";
    let context = Context::create();
    let module = read(&context, text.as_bytes(), "k.ll").expect("it reads");
    rewrite_with(
        &module,
        &Options::of_passes(&[&Saturate]),
        &Extras::default(),
    )
    .expect("it runs");
    let text = module.print_to_string().to_string();
    assert!(text.contains("store i64 %sum,"), "{text}");
    assert!(text.contains("store i32 %plain,"), "{text}");
}
