//! What is emitted, byte for byte, for every wrapping, direction, check and variant, and that ptxas takes it.
//!
//! `PTXASW_BLESS=1` writes the files anew.

use crate::wrappings::kernels::{
    self, EDGES, K1, K1C, K2, K4, K5, K7, K8, K9, Kernel, LEFT, Options, RIGHT, Subject, THREE,
    check,
};
use crate::wrappings::ptxas;
use ptxasw::passes::shuffle::lower::Variant;
use ptxasw::passes::shuffle::plan::Wrapping;
use std::path::Path;

const WRAPPINGS: [(&str, Wrapping); 6] = [
    ("full", Wrapping::Full),
    ("row", Wrapping::Row),
    ("any-row", Wrapping::AnyRow),
    ("whole-rows", Wrapping::WholeRows),
    ("paper", Wrapping::Paper),
    ("halo", Wrapping::Halo),
];

fn emitted(kernel: &Kernel, text: &[u8], options: &Options, variant: Variant) -> Vec<u8> {
    let subject = Subject::new(text);
    let plan = kernels::plan(&subject, kernel, options);
    subject.with(&plan, variant).unwrap()
}

/// Compares each text with its golden file and assembles it.
fn compare(cases: &[(String, Vec<u8>)]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrappings/golden");
    for (name, text) in cases {
        let file = folder.join(name);
        if std::env::var_os("PTXASW_BLESS").is_some() {
            std::fs::write(&file, text).unwrap();
        }
        let expected = std::fs::read(&file).unwrap_or_default();
        let (text, expected) = (
            String::from_utf8_lossy(text),
            String::from_utf8_lossy(&expected),
        );
        assert!(text == expected, "{name} differs:\n{text}");
    }
    ptxas::assemble(cases);
}

fn case(name: &str, kernel: &Kernel, options: &Options, variant: Variant) -> (String, Vec<u8>) {
    (
        format!("{name}.ptx"),
        emitted(kernel, kernel.text.as_bytes(), options, variant),
    )
}

#[test]
fn every_wrapping_in_both_directions() {
    let cases = WRAPPINGS
        .map(|(name, wrapping)| case(name, &THREE, &Options::new(wrapping), Variant::Normal));
    compare(&cases);
}

#[test]
fn only_what_a_direction_needs() {
    let cases = WRAPPINGS.map(|(name, wrapping)| {
        let options = Options::new(wrapping);
        [("right", RIGHT), ("left", LEFT)].map(|(side, kernel)| {
            case(
                &format!("{name}-{side}"),
                &kernel,
                &options,
                Variant::Normal,
            )
        })
    });
    compare(cases.as_flattened());
}

#[test]
fn checks_of_a_region_and_of_a_source() {
    let cases = WRAPPINGS.map(|(name, wrapping)| {
        let options = Options {
            checks: vec![
                check("%r1", 32, 0, i32::MAX as u64),
                check("%rd4", 64, -4096, u64::MAX - 1),
            ],
            source_checks: vec![check("%r5", 32, 16, 0x7fff_fff0)],
            ..Options::new(wrapping)
        };
        case(&format!("{name}-checks"), &THREE, &options, Variant::Normal)
    });
    compare(&cases);
}

#[test]
fn whole_rows_are_free_in_a_full_warp() {
    let plain = Options {
        whole_rows: true,
        ..Options::new(Wrapping::Full)
    };
    let checked = Options {
        checks: vec![check("%r1", 32, 0, i32::MAX as u64)],
        ..plain.clone()
    };
    compare(&[
        case("full-whole-rows", &THREE, &plain, Variant::Normal),
        case("full-whole-rows-checks", &THREE, &checked, Variant::Normal),
    ]);
}

#[test]
fn values_of_other_widths() {
    let kernels = [
        ("double", K4),
        ("byte", K5),
        ("pair", K8),
        ("predicated", K9),
    ];
    let cases = kernels.map(|(name, kernel)| {
        let variants = [
            ("normal", Variant::Normal),
            ("no-load", Variant::NoLoad),
            ("no-corner", Variant::NoCorner),
        ];
        let plain = Options {
            vote: name == "predicated",
            ..Options::new(Wrapping::Row)
        };
        let through = Options { ..plain.clone() };
        let mut cases = variants
            .map(|(label, variant)| case(&format!("{name}-{label}"), &kernel, &plain, variant))
            .to_vec();
        cases.push(case(
            &format!("{name}-through"),
            &kernel,
            &through,
            Variant::Normal,
        ));
        cases
    });
    compare(&cases.concat());
}

#[test]
fn measuring_variants() {
    let cases = [("row", Wrapping::Row), ("paper", Wrapping::Paper)].map(|(name, wrapping)| {
        let options = Options::new(wrapping);
        [
            ("no-load", Variant::NoLoad),
            ("no-corner", Variant::NoCorner),
        ]
        .map(|(label, variant)| case(&format!("{name}-{label}"), &THREE, &options, variant))
    });
    compare(cases.as_flattened());
}

#[test]
fn unusual_layout() {
    let options = Options {
        ..Options::new(Wrapping::Row)
    };
    compare(&[case("edges", &EDGES, &options, Variant::Normal)]);
}

/// The golden file with other line ends is what the text with other line ends gives.
#[test]
fn line_ends_are_those_of_the_text() {
    let crlf = |text: &str| text.replace('\n', "\r\n").into_bytes();
    for kernel in [THREE, EDGES] {
        let options = Options::new(Wrapping::Row);
        let lf = String::from_utf8(emitted(
            &kernel,
            kernel.text.as_bytes(),
            &options,
            Variant::Normal,
        ))
        .unwrap();
        assert_eq!(
            emitted(&kernel, &crlf(kernel.text), &options, Variant::Normal),
            crlf(&lf)
        );
    }
}

#[test]
fn nothing_planned_changes_nothing() {
    let subject = Subject::new(EDGES.text.as_bytes());
    let mut plan = kernels::plan(&subject, &EDGES, &Options::new(Wrapping::Row));
    plan.shuffles.clear();
    let text = subject.with(&plan, Variant::Normal).unwrap();
    assert_eq!(text, EDGES.text.as_bytes());
}

/// No golden files: execution shows what these compute.
#[test]
fn every_kernel_assembles() {
    let mut cases = Vec::new();
    for kernel in [K1, K1C, K2, K7] {
        for (name, wrapping) in WRAPPINGS {
            let name = format!("{}-{name}", kernel.name);
            cases.push(case(
                &name,
                &kernel,
                &Options::new(wrapping),
                Variant::Normal,
            ));
        }
    }
    ptxas::assemble(&cases);
}
