//! Promises of the producer that addresses rest on.

use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{Function, Granted, InstId, Value, ValueDef};
use ptxasw_ir::patch::Text;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Values that are followed from one address.
const MAX_VALUES: usize = 256;

/// The words for a promise not to wrap, and for each kind of the others.
const NO_WRAP: &str = "no overflow";
const RANGE: &str = "in range";
const DISJOINT: &str = "no bits in common";

/// The promises that take part in the addresses of some accesses, in words: the places of their instructions.
pub(in crate::shuffle) fn words(
    function: &Function,
    analyses: &Analyses,
    text: &dyn Text,
    accesses: &[InstId],
) -> Vec<String> {
    let mut found: BTreeSet<(&str, u32)> = BTreeSet::new();
    for &access in accesses {
        let mut seen: FxHashSet<Value> = FxHashSet::default();
        let mut work: Vec<Value> = function
            .inst(access)
            .args
            .first()
            .copied()
            .into_iter()
            .collect();
        while let Some(value) = work.pop() {
            if seen.len() >= MAX_VALUES || !seen.insert(value) {
                continue;
            }
            let promises = function.promises(value);
            let others = promises.granted;
            let others = others.map(|(granted, origin)| (named(granted), origin));
            let wraps = promises.widened.map(|origin| (NO_WRAP, origin));
            found.extend(others.into_iter().chain(wraps));
            operands(function, analyses, value, &mut work);
        }
    }
    [NO_WRAP, RANGE, DISJOINT]
        .iter()
        .filter_map(|&what| {
            let of_it = found.iter().filter(|(one, _)| *one == what);
            let lines: BTreeSet<u32> = of_it.map(|&(_, origin)| text.place(origin).line).collect();
            sentence(what, lines)
        })
        .collect()
}

fn named(granted: Granted) -> &'static str {
    match granted {
        Granted::Range => RANGE,
        Granted::Disjoint => DISJOINT,
    }
}

/// No line is that of a parameter.
fn sentence(what: &str, lines: BTreeSet<u32>) -> Option<String> {
    let of_parameter = lines.contains(&0).then(|| "of a parameter".to_string());
    let lines: Vec<String> = lines
        .into_iter()
        .filter(|&line| line != 0)
        .map(|line| line.to_string())
        .collect();
    let at = (!lines.is_empty()).then(|| format!("at line {}", lines.join(", ")));
    let places: Vec<String> = of_parameter.into_iter().chain(at).collect();
    (!places.is_empty()).then(|| format!("{what}: promised {}", places.join(" and ")))
}

/// Adds what a value is made of.
fn operands(function: &Function, analyses: &Analyses, value: Value, work: &mut Vec<Value>) {
    match function.value(value).def {
        ValueDef::Result(inst, _) => work.extend(&function.inst(inst).args),
        ValueDef::Parameter(block, index) => {
            for from in analyses.cfg.predecessors(block) {
                let terminator = &function.block(from).terminator;
                let targets = analyses.cfg.targets_between(from, block);
                let targets = targets.filter_map(|number| terminator.target(number));
                work.extend(targets.filter_map(|target| target.args.get(usize::from(index))));
            }
        }
        _ => {}
    }
}
