//! Tests of the parser: one for each form that is met in the wild.

use super::super::ast::*;
use super::parse;

/// The module of a text that must parse.
fn module(text: &str) -> Module<'_> {
    match parse(text.as_bytes()) {
        Ok(module) => module,
        Err(error) => panic!("{error} at {:?} in {text}", error.span),
    }
}

#[test]
fn a_kernel() {
    let text = ".version 8.5\n.target sm_90a\n.address_size 64\n\n.visible .entry k(\n\t.param .u64 p\n)\n{\n\
                \t.reg .b64 %rd<3>;\n\tld.param.u64 %rd1, [p+8];\n$L_1:\n\t@%p1 bra $L_1;\n\tret;\n}\n";
    let m = module(text);
    assert_eq!(m.items.len(), 4);
    let Some(Item::Function(f)) = m.items.last() else {
        panic!("{:?}", m.items)
    };
    assert!(f.entry && f.linkage.0 == Linkage::VISIBLE);
    assert_eq!(m.str(f.name), "k");
    let statements: Vec<_> = f
        .body
        .iter()
        .flat_map(|b| &b.statements)
        .map(|s| m.str(s.span))
        .collect();
    assert_eq!(
        statements,
        [
            ".reg .b64 %rd<3>;",
            "ld.param.u64 %rd1, [p+8];",
            "$L_1:",
            "@%p1 bra $L_1;",
            "ret;"
        ]
    );
}
