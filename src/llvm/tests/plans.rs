//! Plans made by hand, carried out in IR; what LLVM's code generator makes of both is run and compared.

use inkwell::context::Context;
use inkwell::module::Module as IrModule;
use ptxasw::executor::Schedule;
use ptxasw::executor::launch::parse_line;
use ptxasw::ir::function::{BlockId, Function, InstId, Value};
use ptxasw::ir::lanes::LaneMap;
use ptxasw::ir::opcode::Opcode;
use ptxasw::ir::patch::{Point, completed_elements, verify};
use ptxasw::passes::shuffle;
use ptxasw::passes::shuffle::lower::Variant;
use ptxasw::passes::shuffle::plan::{Check, Part, Plan, Region, Shuffle, Source, Wrapping};
use ptxasw::verify::{self, Module, NamedLaunch, Verdict};
use ptxasw_llvm::carry_out::patch_target;
use ptxasw_llvm::lower::{self, Lowered};
use ptxasw_llvm::outputs::{self, Kind};
use ptxasw_llvm::view::View;
use ptxasw_llvm::{kernels, read, write};

/// A row of three, each element stored by itself, in a cell of the thread's own. Rows of threads read rows of data.
const ROW: &str = r#"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %tidy = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %ntidy = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %first = mul i32 %ctaid, %ntidy
  %row = add i32 %first, %tidy
  %before = mul i32 %row, %ntid
  %thread = add i32 %before, %tid
  %inside = icmp ult i32 %thread, %n
  br i1 %inside, label %body, label %exit

body:
  %pitch = add i32 %ntid, 3
  %start = mul i32 %row, %pitch
  %index = add i32 %start, %tid
  %i = sext i32 %index to i64
  %p0 = getelementptr inbounds TYPE, ptr %in, i64 %i
  %p1 = getelementptr inbounds TYPE, ptr %p0, i64 1
  %p2 = getelementptr inbounds TYPE, ptr %p0, i64 2
  %mid = load TYPE, ptr %p1, align SIZE
  %left = load TYPE, ptr %p0, align SIZE
  %right = load TYPE, ptr %p2, align SIZE
  %cell = mul i32 %thread, 3
  %c = sext i32 %cell to i64
  %o0 = getelementptr inbounds TYPE, ptr %out, i64 %c
  %o1 = getelementptr inbounds TYPE, ptr %o0, i64 1
  %o2 = getelementptr inbounds TYPE, ptr %o0, i64 2
  store TYPE %left, ptr %o0, align SIZE
  store TYPE %mid, ptr %o1, align SIZE
  store TYPE %right, ptr %o2, align SIZE
  br label %exit

exit:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" }
"#;

/// Types, their bytes in memory, and an element of the same size.
const TYPES: &[(&str, u32, &str, u32)] = &[
    ("float", 4, "f32", 1),
    ("double", 8, "f64", 1),
    ("i64", 8, "u64", 1),
    ("i32", 4, "u32", 1),
    ("i16", 2, "u16", 1),
    ("i8", 1, "u8", 1),
    ("half", 2, "u16", 1),
    ("bfloat", 2, "u16", 1),
    ("<2 x float>", 8, "f32", 2),
    ("<4 x float>", 16, "f32", 4),
    ("<2 x double>", 16, "f64", 2),
    ("<2 x i64>", 16, "u64", 2),
    ("<4 x i32>", 16, "u32", 4),
    ("<2 x half>", 4, "u16", 2),
    ("<4 x half>", 8, "u16", 4),
    ("<4 x i8>", 4, "u8", 4),
    ("<2 x i8>", 2, "u8", 2),
    ("<2 x i16>", 4, "u16", 2),
    ("<4 x i16>", 8, "u16", 4),
];

fn region(before: u32, wrapping: Wrapping) -> Region {
    Region {
        before,
        at: Point::Start(BlockId(0)),
        wrapping,
        whole_rows: false,
        down: true,
        up: true,
        group: None,
        checks: Vec::new(),
        copy: None,
        mask: None,
    }
}

fn source(statement: u32) -> Source {
    Source {
        statement,
        inst: InstId(0),
        elements: Vec::new(),
        region: 0,
        copy: false,
        carried: None,
        checks: Vec::new(),
        halo: None,
        within: None,
        vote: false,
    }
}

fn shuffle(destination: u32, lanes: LaneMap, bytes: u8) -> Shuffle {
    Shuffle {
        destination,
        inst: InstId(0),
        elements: Vec::new(),
        parts: vec![Part {
            source: 0,
            byte: 0,
            at: 0,
            bytes,
        }],
        lanes,
        upward: false,
        checks: Vec::new(),
        within: None,
        conditions: Default::default(),
        certificate: None,
    }
}

/// The PTX of a module, after a plan for its function was made and carried out.
fn generated(
    text: &str,
    variant: Variant,
    plan: impl FnOnce(&dyn Fn(&str) -> u32) -> Plan,
) -> String {
    let context = Context::create();
    let module = read::read(&context, text.as_bytes(), "a.ll").unwrap();
    carry_out(&module, variant, plan);
    module.verify().unwrap();
    String::from_utf8(outputs::write(&module, Kind::Ptx, None).unwrap()).unwrap()
}

/// Makes a plan for the only function of a module, and carries it out.
fn carry_out(module: &IrModule, variant: Variant, plan: impl FnOnce(&dyn Fn(&str) -> u32) -> Plan) {
    let view = View::new(module);
    let lowered = lower::lower(view, &kernels::functions(view)[0]);
    let numbering = &lowered.numbering;
    let names = numbering.by_name();
    let statement = |name: &str| numbering.statement(names[name]).unwrap();
    let plan = bound(plan(&statement), &lowered);
    let function = &lowered.function;
    let patch = shuffle::lower::lower(function, &plan, patch_target(None), variant).unwrap();
    write::write(view, &lowered, &verify(function, &patch).unwrap()).unwrap();
}

/// A plan with what its statements and names are in the function.
fn bound(mut plan: Plan, lowered: &Lowered) -> Plan {
    let function = &lowered.function;
    for source in &mut plan.sources {
        (source.inst, source.elements) = load(function, source.statement);
        source.checks.iter_mut().for_each(|one| value(one, lowered));
    }
    for shuffle in &mut plan.shuffles {
        (shuffle.inst, shuffle.elements) = load(function, shuffle.destination);
        shuffle
            .checks
            .iter_mut()
            .for_each(|one| value(one, lowered));
    }
    for region in &mut plan.regions {
        let mut all = function.blocks.iter().flat_map(|block| &block.insts);
        let first = all.find(|&&id| function.inst(id).origin >= region.before);
        region.at = Point::Before(*first.unwrap());
        region.checks.iter_mut().for_each(|one| value(one, lowered));
    }
    plan
}

fn load(function: &Function, statement: u32) -> (InstId, Vec<Option<Value>>) {
    let mut ids = (0..function.insts.len() as u32).map(InstId);
    let found = ids.find(|&id| {
        let inst = function.inst(id);
        inst.origin == statement && matches!(inst.opcode, Opcode::Load(_))
    });
    let load = found.unwrap();
    let elements = completed_elements(function, load).into_iter();
    (load, elements.map(Some).collect())
}

fn value(check: &mut Check, lowered: &Lowered) {
    let named = |name: &str| {
        let held = lowered.held.iter().position(|held| {
            held.is_some_and(|held| lowered.numbering.name_of(held) == Some(name))
        });
        Value(held.unwrap() as u32)
    };
    check.values = (named(&check.register), check.minus.as_deref().map(named));
}

fn assert_equal(what: &str, original: &str, rewritten: &str, launches: &[String]) {
    let before = Module::read(original.as_bytes()).unwrap();
    let after = Module::read(rewritten.as_bytes()).unwrap();
    for line in launches {
        let launch = parse_line(line).unwrap().instantiate().unwrap();
        let schedules = [
            Schedule::Lockstep,
            Schedule::Independent { seed: 1 },
            Schedule::Independent { seed: 2 },
        ];
        let options = verify::Options {
            launches: vec![NamedLaunch {
                name: line.clone(),
                kernel: None,
                launch,
            }],
            schedules: schedules.to_vec(),
            jobs: 1,
            ..Default::default()
        };
        let report = verify::verify_kernel(
            before.kernel("k").unwrap(),
            after.kernel("k").unwrap(),
            &options,
        );
        assert!(
            matches!(report.verdict, Verdict::Equal) && report.compared() == schedules.len(),
            "{what}: {line}: {report:?}\n{rewritten}"
        );
    }
}

fn launches(shapes: &[&str], element: &str, each: u32) -> Vec<String> {
    let launch = |shape: &&str| {
        let count = 2048 * each;
        format!("grid=3 block={shape} args={element}[{count}]:zero,{element}[{count}],370")
    };
    shapes.iter().map(launch).collect()
}

const WHOLE: &[&str] = &["128", "64,2"];
const ANY: &[&str] = &["128", "64,2", "48", "16,8", "8,8,2", "100", "7"];

fn three(statement: &dyn Fn(&str) -> u32, wrapping: Wrapping, bytes: u8) -> Plan {
    Plan {
        regions: vec![region(statement("%mid"), wrapping)],
        sources: vec![source(statement("%mid"))],
        shuffles: vec![
            shuffle(statement("%left"), LaneMap::Shift(-1), bytes),
            shuffle(statement("%right"), LaneMap::Shift(1), bytes),
        ],
        ..Plan::default()
    }
}

fn times(ptx: &str, what: &str) -> usize {
    ptx.matches(what).count()
}

#[test]
fn every_wrapping_gives_what_the_original_gives() {
    let original = text("float", 4);
    let before = generated(&original, Variant::Normal, |_| Plan::default());
    for (wrapping, shapes) in [
        (Wrapping::Row, ANY),
        (Wrapping::AnyRow, ANY),
        (Wrapping::WholeRows, WHOLE),
        (Wrapping::Paper, ANY),
    ] {
        let after = generated(&original, Variant::Normal, |statement| {
            three(statement, wrapping, 4)
        });
        assert_eq!(times(&after, "shfl.sync"), 2, "{after}");
        assert_eq!(times(&after, "activemask"), 1, "{after}");
        let shapes: Vec<&str> = shapes.to_vec();
        assert_equal(
            &format!("{wrapping:?}"),
            &before,
            &after,
            &launches(&shapes, "f32", 1),
        );
    }
}

fn text(ty: &str, size: u32) -> String {
    ROW.replace("TYPE", ty).replace("SIZE", &size.to_string())
}

#[test]
fn values_of_every_type_travel() {
    for &(ty, size, element, each) in TYPES {
        let original = text(ty, size);
        let before = generated(&original, Variant::Normal, |_| Plan::default());
        let after = generated(&original, Variant::Normal, |statement| {
            three(statement, Wrapping::AnyRow, size as u8)
        });
        let words = size.div_ceil(4) as usize;
        assert_eq!(times(&after, "shfl.sync"), 2 * words, "{ty}\n{after}");
        assert_equal(
            ty,
            &before,
            &after,
            &launches(&["64", "48", "16,8"], element, each),
        );
    }
}

#[test]
fn a_check_that_fails_makes_corners_of_all_lanes() {
    let original = text("float", 4);
    let before = generated(&original, Variant::Normal, |_| Plan::default());
    for (limit, minus) in [(400, None), (0, None), (5, Some("%thread"))] {
        for (region, source, shuffle) in [
            (true, false, false),
            (false, true, false),
            (false, false, true),
        ] {
            for wrapping in [Wrapping::Row, Wrapping::AnyRow, Wrapping::Paper] {
                let after = generated(&original, Variant::Normal, |statement| {
                    let mut plan = three(statement, wrapping, 4);
                    let check = Check {
                        register: "%index".into(),
                        minus: minus.map(Into::into),
                        values: (Value(0), None),
                        width: 32,
                        offset: 2,
                        limit,
                        uniform: false,
                        meaning: String::new(),
                    };
                    let of = |there: bool| there.then(|| check.clone()).into_iter().collect();
                    plan.regions[0].checks = of(region);
                    plan.sources[0].checks = of(source);
                    plan.shuffles[0].checks = of(shuffle);
                    plan
                });
                assert_equal(
                    "checks",
                    &before,
                    &after,
                    &launches(&["128", "16,8"], "f32", 1),
                );
            }
        }
    }
}

#[test]
fn a_source_forgets_its_range() {
    let original = text("i32", 4)
        .replace(
            "ptr %p1, align 4",
            "ptr %p1, align 4, !range !0, !noundef !1",
        )
        .replace("ptr %p2, align 4", "ptr %p2, align 4, !range !0")
        + "!0 = !{i32 0, i32 100}\n!1 = !{}\n";
    let context = Context::create();
    let module = read::read(&context, original.as_bytes(), "a.ll").unwrap();
    carry_out(&module, Variant::Normal, |statement| {
        three(statement, Wrapping::Row, 4)
    });
    module.verify().unwrap();
    let text = module.print_to_string().to_string();
    let line = |what: &str| {
        text.lines()
            .find(|line| line.contains(what))
            .unwrap()
            .to_owned()
    };
    // That it is defined stays: the original, too, is undefined where it is not.
    let source = line("ptr %p1, align 4");
    assert!(source.contains("!noundef"), "{text}");
    assert!(!source.contains("!range"), "{text}");
}

#[test]
fn a_plan_without_shuffles_changes_nothing() {
    let original = text("float", 4);
    let context = Context::create();
    let module = read::read(&context, original.as_bytes(), "a.ll").unwrap();
    let before = module.write_bitcode_to_memory().as_slice().to_vec();
    carry_out(&module, Variant::Normal, |_| Plan::default());
    assert_eq!(before, module.write_bitcode_to_memory().as_slice());
}

#[test]
fn the_own_lane_needs_neither_shuffle_nor_load() {
    let original = text("float", 4).replace("ptr %p0, i64 2\n  %mid", "ptr %p0, i64 1\n  %mid");
    let before = generated(&original, Variant::Normal, |_| Plan::default());
    let after = generated(&original, Variant::Normal, |statement| {
        let mut plan = three(statement, Wrapping::Row, 4);
        plan.shuffles[1].lanes = LaneMap::OWN;
        plan
    });
    assert_eq!(times(&after, "shfl.sync"), 1, "{after}");
    assert_equal("own", &before, &after, &launches(ANY, "f32", 1));
}

#[test]
fn measuring_variants_are_wrong_on_purpose() {
    let original = text("float", 4);
    let row = |variant| {
        generated(&original, variant, |statement| {
            three(statement, Wrapping::Row, 4)
        })
    };
    let counts = |text: &str| (times(text, "shfl.sync"), times(text, "ld.global"));
    assert_eq!(counts(&row(Variant::Normal)), (2, 3));
    assert_eq!(counts(&row(Variant::NoCorner)), (2, 1));
    assert_eq!(counts(&row(Variant::NoLoad)), (0, 1));
}

#[test]
fn a_value_of_two_sources_takes_both_their_conditions() {
    // `%left` and `%mid` of one lane are the halves of `%right` of the lane before.
    let original = text("i32", 4).replace(
        "%right = load i32, ptr %p2, align 4",
        "%pair = load <2 x i32>, ptr %q, align 4\n  %right = extractelement <2 x i32> %pair, i32 1\n  %other = extractelement <2 x i32> %pair, i32 0",
    );
    let original = original
        .replace(
            "%p2 = getelementptr inbounds i32, ptr %p0, i64 2",
            "%q = getelementptr inbounds i32, ptr %p0, i64 1",
        )
        .replace(
            "store i32 %mid, ptr %o1",
            "%sum = add i32 %mid, %other\n  store i32 %sum, ptr %o1",
        );
    let before = generated(&original, Variant::Normal, |_| Plan::default());
    let after = generated(&original, Variant::Normal, |statement| {
        let mut plan = three(statement, Wrapping::AnyRow, 4);
        plan.sources.push(source(statement("%left")));
        plan.shuffles = vec![shuffle(statement("%pair"), LaneMap::Shift(1), 4)];
        plan.shuffles[0].parts = vec![
            Part {
                source: 1,
                byte: 0,
                at: 0,
                bytes: 4,
            },
            Part {
                source: 0,
                byte: 0,
                at: 4,
                bytes: 4,
            },
        ];
        plan.sources[1].checks = vec![Check {
            register: "%index".into(),
            minus: None,
            values: (Value(0), None),
            width: 32,
            offset: 0,
            limit: 300,
            uniform: false,
            meaning: String::new(),
        }];
        plan
    });
    assert_eq!(times(&after, "shfl.sync"), 2, "{after}");
    assert_equal("pair", &before, &after, &launches(ANY, "u32", 1));
}

#[test]
#[should_panic(expected = "Different")]
fn the_comparison_sees_a_wrong_distance() {
    let original = text("float", 4);
    let before = generated(&original, Variant::Normal, |_| Plan::default());
    let after = generated(&original, Variant::Normal, |statement| {
        let mut plan = three(statement, Wrapping::Row, 4);
        plan.shuffles[1].lanes = LaneMap::Shift(2);
        plan
    });
    assert_equal("distance", &before, &after, &launches(ANY, "f32", 1));
}
