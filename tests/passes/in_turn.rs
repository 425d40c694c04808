//! The driver of the passes: what it refuses, what it reports, and what it leaves to the shuffles.

use ptxasw::driver::{self, Comparison, Wanted};
use ptxasw::ir::function::InstId;
use ptxasw::ir::op::Op;
use ptxasw::ir::opcode::Opcode;
use ptxasw::ir::patch::Removal;
use ptxasw::ir::text as ir_text;
use ptxasw::passes::shuffle::Shuffle;
use ptxasw::passes::shuffle::profit::Profit;
use ptxasw::passes::{self, Claim, Fate, replace};
use ptxasw::passes::{Pass, Rewrite, Session};
use ptxasw::pipeline::ssa::{Passed, Refused, Report, Reverted, run};
use ptxasw::pipeline::{Error, Module, Options};
use ptxasw::ptx::decode::form;
use ptxasw::verify;

const STENCIL: &str = include_str!("../../ptx-tests/mutations/stencil.ptx");

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

/// Sums are negated differences from nothing: two instructions, and the same value.
static SUMS: Test = Test("sums", |session| {
    let mut rewrite = replace(session, "a difference", |sum, at| match *sum.opcode {
        Opcode::Op(Op::Add { width }) => {
            let (one, other) = (sum.read(0)?, sum.read(1)?);
            let negated = at.single(Op::Neg { width }, &[other]);
            Some(at.single(Op::Sub { width }, &[one, negated]))
        }
        _ => None,
    });
    rewrite.claims.extend(
        rewrite
            .remarks
            .iter()
            .map(|remark| Claim::new(remark.at, "two's complement")),
    );
    rewrite
});

/// Products are sums, which is wrong.
static WRONG: Test = Test("wrong", |session| {
    replace(session, "a sum", |product, at| match *product.opcode {
        Opcode::Op(Op::Mul { width, .. }) if product.width == width => {
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

static PANICS: Test = Test("panics", |session| panic!("in {}", session.function.name));

/// Needs PTX 6.2.
static MASKS: Test = Test("masks", |session| {
    let mut first = true;
    replace(session, "a mask", |one, at| {
        let wanted = first && one.width == 32;
        first &= !wanted;
        wanted.then(|| at.inst(Opcode::ActiveMask, &[], &[32], None)[0].into())
    })
});

fn options(passes: &[&'static dyn Pass]) -> Options {
    Options {
        jobs: 1,
        keep_going: true,
        ..Options::of_passes(passes)
    }
}

fn run_on_stencil(passes: &[&'static dyn Pass]) -> Passed<Module<'static>> {
    run(STENCIL.as_bytes(), &options(passes)).expect("a module")
}

/// What several passes did to it: places that were changed stay, and say why.
#[test]
fn a_function_that_goes_back_is_as_the_input_has_it() {
    let passes: [&'static dyn Pass; 2] = [&SUMS, &WRONG];
    let passed = run_on_stencil(&passes);
    assert!(passed.changed().count() == 2 && passed.module.origins().is_some());
    let done = |passed: &Passed<Module>| {
        let remarks = passed.reports.iter().flat_map(|one| &one.remarks);
        remarks.filter(|one| one.fate.is_done()).count()
    };
    let places = done(&passed);
    let back = Reverted {
        reason: "it is too large",
        why: "4 bytes instead of 3".to_owned(),
    };
    let (input, options) = (STENCIL.as_bytes(), options(&passes));
    let kept = passed.reverted(&[("k".to_owned(), back)], &options);
    let kept = kept.expect("a module");
    assert!(kept.text() == input && kept.module.origins().is_none());
    assert!(done(&kept) == 0 && kept.changed().next().is_none());
    let lines = kept.reports.iter().flat_map(Report::lines);
    let lines = lines.filter(|line| line.ends_with(": kept: 4 bytes instead of 3"));
    assert_eq!(lines.count(), places);
    assert!(kept.reports.iter().all(|one| one.claims.is_empty()));
    let reasons = kept.reports.iter().filter_map(Report::reverted);
    let reasons: Vec<&str> = reasons.map(|one| one.reason).collect();
    assert_eq!(reasons, ["it is too large"; 2]);
    // What went back before stays where it is.
    let other = ("other".to_owned(), Reverted::new("no reason"));
    let again = kept.reverted(&[other], &options);
    assert!(again.expect("a module").text() == input);
}

#[test]
fn what_goes_wrong_changes_nothing_and_is_reported() {
    let passed = run_on_stencil(&[&REFUSED, &PANICS]);
    assert!(passed.text() == STENCIL.as_bytes() && passed.module.origins().is_none());
    let refusals: Vec<String> = passed.reports.iter().filter_map(Report::refusal).collect();
    assert_eq!(
        refusals,
        [
            "k: refused changes nothing: internal error: there is no i4294967295",
            "k: panics changes nothing: internal error: in k",
        ]
    );
    assert!(passed.reports.iter().all(|report| report.fault().is_some()));
}

/// The second pass reads a text with more lines than the input.
#[test]
fn remarks_have_lines_of_the_input() {
    let passed = run_on_stencil(&[&SUMS, &WRONG]);
    let text = String::from_utf8_lossy(passed.text());
    assert!(text.lines().count() > STENCIL.lines().count());
    let mut seen = Vec::new();
    for report in &passed.reports {
        for site in report.claims.iter().map(|claim| &claim.site) {
            let line = STENCIL.lines().nth(site.place.line as usize - 1);
            assert_eq!(line.expect("a line").trim(), site.text, "{}", report.pass);
        }
        let places = report.remarks.iter().map(|one| one.place);
        seen.extend(places.map(|place| (report.pass, place.line)));
    }
    let of = |pass| seen.iter().filter(|one| one.0 == pass).count();
    assert_eq!((of("sums"), of("wrong")), (3, 1));
    let origins = passed.module.origins().expect("it is changed");
    let store = text.find("st.global").expect("a store");
    let before = STENCIL.find("st.global").expect("a store");
    assert_eq!(origins.before(store as u32) as usize, before);
}

/// Remarks on the product and the last sum, each with the other: the one is done, the other stays.
static NAMES: Test = Test("names", |session| {
    let insts = session.function.insts.iter().zip(0..);
    let with = |is: fn(&Opcode) -> bool| {
        let found = insts.clone().filter(|(inst, _)| is(&inst.opcode));
        found.map(|(_, id)| InstId(id)).last().expect("one")
    };
    let store = with(|opcode| matches!(opcode, Opcode::Store(_)));
    let load = with(|opcode| matches!(opcode, Opcode::Load(_)));
    let done = passes::Remark {
        with: Some(store),
        ..passes::Remark::new(load, Fate::Removed, "removed, same as")
    };
    let kept = passes::Remark {
        with: Some(load),
        lift: Some("`__restrict__`"),
        ..passes::Remark::new(store, Fate::Kept, "in the way is")
    };
    Rewrite {
        remarks: vec![done, kept],
        ..Rewrite::default()
    }
});

#[test]
fn remarks_name_both_statements_by_lines_of_the_input() {
    let passed = run_on_stencil(&[&SUMS, &NAMES]);
    let report = passed.reports.iter().find(|one| one.pass == "names");
    let mut report = report.expect("remarks").clone();
    let at = |word: &str| {
        let last = (1..)
            .zip(STENCIL.lines())
            .filter(|(_, line)| line.contains(word))
            .last();
        last.expect("a line").0
    };
    let (load, store) = (at("ld.global"), at("st.global"));
    let lines: Vec<String> = report.lines().collect();
    assert_eq!(
        lines,
        [
            format!("k: line {load}: names: removed, same as @{store}"),
            format!(
                "k: line {store}: names: kept: in the way is @{load}; lifted by: `__restrict__`"
            ),
        ]
    );
    report.refuse(Refused::Text("no".to_owned()));
    assert_eq!(report.lines().count(), 1);
}

#[test]
fn the_ir_after_a_pass_is_printed() {
    let mut options = options(&[&SUMS, &WRONG]);
    options.print_after = Some("sums");
    let printed = run(STENCIL.as_bytes(), &options).expect("a module").printed;
    let function = ir_text::parse(&printed).expect("a function");
    let is = |op| move |inst: &&ptxasw::ir::function::Inst| inst.opcode == Opcode::Op(op);
    let count = |op| function.insts.iter().filter(is(op)).count();
    assert_eq!(count(Op::Neg { width: 64 }), 3);
    options.kernels.leave_out("k");
    let passed = run(STENCIL.as_bytes(), &options).expect("a module");
    assert_eq!((&*passed.printed, passed.reports.len()), ("", 0));
}

#[test]
fn a_version_that_is_too_old_is_raised_on_request() {
    let old = STENCIL.replace(".version 8.3", ".version 6.0");
    let mut options = options(&[&MASKS]);
    let passed = run(old.as_bytes(), &options).expect("a module");
    let [report] = &passed.reports[..] else {
        panic!("{:?}", passed.reports);
    };
    let refused = "it needs PTX 6.2 (`--raise-version`)".to_owned();
    assert_eq!(report.refused, Some(Refused::Text(refused)));
    assert!(report.fault().is_none() && passed.module.origins().is_none());
    options.raise_version = true;
    let passed = run(old.as_bytes(), &options).expect("a module");
    let text = String::from_utf8_lossy(passed.text());
    assert!(text.contains(".version 6.2") && text.contains("activemask"));
}

/// Names of the passes' registers are not those by which the shuffles know what they have rewritten.
#[test]
fn shuffles_are_found_in_what_the_passes_left() {
    let mut options = options(&[&SUMS]);
    options.passes.list.push(&Shuffle);
    options.synthesis.profit = Profit::Always;
    let output = ptxasw::optimize(STENCIL.as_bytes(), &options).expect("a module");
    assert!(output.shuffles() > 0 && output.passes.iter().any(|report| report.changed));
    let original = verify::Module::read(STENCIL.as_bytes()).expect("a module");
    let rewritten = verify::Module::read(&output.text).expect("a module");
    let how = verify::Options {
        jobs: 1,
        steps: 1 << 18,
        ..Default::default()
    };
    let reports = verify::verify(&original, &rewritten, &how).expect("compared");
    assert!(
        reports
            .iter()
            .all(|report| report.verdict == verify::Verdict::Equal),
        "{reports:?}"
    );
}

#[test]
fn a_module_without_the_shuffles_says_so() {
    let mut options = Options::default();
    options.passes.leave_out(|name| name == "shuffle");
    let output = ptxasw::optimize(STENCIL.as_bytes(), &options).expect("a module");
    assert_eq!(output.text, STENCIL.as_bytes());
    let skipped = output
        .searches()
        .map(|search| search.skipped.as_ref().map(|one| one.text()));
    assert_eq!(
        skipped.collect::<Vec<_>>(),
        [Some("the pass `shuffle` does not run".into())]
    );
}

/// Of two kernels a wrong pass changes one.
#[test]
fn what_is_not_equal_after_the_passes_goes_back() {
    let kernel = &STENCIL[STENCIL.find(".visible").expect("a kernel")..];
    let right = kernel
        .replace("entry k(", "entry right(")
        .replace("mul.lo", "add");
    let text = format!("{STENCIL}{right}");
    let options = options(&[&WRONG, &SUMS]);
    let passed = run(text.as_bytes(), &options).expect("a module");
    let names: Vec<&str> = passed.changed().collect();
    assert_eq!(names, ["k", "k", "right"]);
    let how = verify::Options {
        jobs: 1,
        steps: 1 << 18,
        ..Default::default()
    };
    let how = |_: &form::Module| Ok(how.clone());
    let wanted = Wanted {
        comparison: Some(Comparison {
            strict: false,
            options: &how,
        }),
        registers: None,
    };
    let module = Module::read(text.as_bytes(), 1).expect("a module");
    let (passed, found) = driver::run(module, &options, &wanted).expect("compared");
    let kept: Vec<bool> = found.judged.iter().map(|one| one.kept).collect();
    assert_eq!(kept, [false, true]);
    assert_eq!(passed.changed().collect::<Vec<_>>(), ["right"]);
    assert!(passed.text().starts_with(STENCIL.as_bytes()));
}

/// The passes change the other function only if nothing is wrong: errors have places in the text as it came.
#[test]
fn an_error_of_a_function_that_no_pass_reads_has_its_place_in_the_input() {
    let text = format!("{STENCIL}.visible .entry bad()\n{{\n\tmov.u32 %nodecl, 1;\n\tret;\n}}\n");
    let mut options = options(&[&SUMS]);
    options.kernels.add("!bad").expect("a pattern");
    let errors = match run(text.as_bytes(), &options) {
        Err(Error::Decode(errors)) => errors.0,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("no error"),
    };
    let places: Vec<usize> = errors.iter().map(|one| one.span.start as usize).collect();
    assert_eq!(places, [text.find("%nodecl").expect("it is there")]);
}
