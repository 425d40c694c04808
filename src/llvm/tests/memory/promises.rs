//! What a load promises of its value and of other accesses, after the pass (L of the contract).

use crate::memory::{passed, text_of};

/// The only load that is left of a file, as LLVM prints it.
fn load_left(name: &str) -> String {
    let passed = passed(&text_of(name));
    let [before, after] = &passed.texts;
    let loads = |text: &str| {
        let loads = text.lines().filter(|line| line.contains("= load "));
        loads.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(loads(before).len(), 2, "{name}");
    let left = loads(after);
    assert_eq!(left.len(), 1, "{name}\n{after}");
    left[0].clone()
}

#[test]
fn what_only_the_first_load_promises_goes() {
    let cases: [(&str, &[&str]); 3] = [
        ("promised-range", &["!range"]),
        ("promised-nonnull", &["!nonnull", "!align"]),
        ("promised-scope", &["!noalias"]),
    ];
    for (name, promises) in cases {
        let load = load_left(name);
        for promise in promises {
            assert!(text_of(name).contains(promise), "{name}: {promise}");
            assert!(!load.contains(promise), "{name}: {load}");
        }
    }
}

#[test]
fn what_both_promise_stays() {
    assert!(load_left("kept-scope").contains("!noalias"));
    assert!(load_left("invariant").contains("!invariant.load"));
}

/// Integers and floats are both characters.
#[test]
fn types_become_what_is_common() {
    let passed = passed(&text_of("promised-type"));
    let [_, after] = &passed.texts;
    let load = load_left("promised-type");
    let (_, node) = load.split_once("!tbaa !").expect("it has a type");
    let line = |start: &str| after.lines().find(|line| line.starts_with(start));
    let tag = line(&format!("!{node} = ")).expect("the node");
    let (_, ty) = tag.split_once("!{!").expect("its type");
    let ty = ty.split_once(',').expect("its type").0;
    let ty = line(&format!("!{ty} = ")).expect("the type");
    assert!(ty.contains("\"omnipotent char\""), "{load}\n{tag}\n{ty}");
}
