//! What the changes of a kernel rest on.

use super::data::{Claim, Count, Evidence};
use super::subject::{One, Reader};
use indexmap::IndexMap;
use ptxasw_driver::Judged;
use ptxasw_driver::report::explain;
use ptxasw_passes::shuffle::Search;
use ptxasw_passes::shuffle::refusal::ConditionName;
use ptxasw_verify::Verdict;

/// Claims with the lines that they are about; what decided them; what was compared.
pub fn of(one: &One, reader: &Reader) -> Evidence {
    let mut claims: IndexMap<(String, String, String), Vec<u32>> = IndexMap::new();
    for report in one.passes() {
        for claim in &report.claims {
            let what = match claim.condition {
                Some(condition) => named(condition),
                None => "the change keeps every result".to_owned(),
            };
            let key = (report.pass.to_owned(), what, claim.evidence.clone());
            claims.entry(key).or_default().push(claim.site.place.line);
        }
    }
    let claims = claims.into_iter().map(|((pass, what, how), mut lines)| {
        lines.sort_unstable();
        lines.dedup();
        Claim {
            pass,
            what,
            how,
            lines,
        }
    });
    // Passes over the SSA IR and shuffles are compared one after the other.
    let judged = reader.subject.judged.iter();
    let judged = judged.filter(|judged| judged.report.kernel == one.name);
    let judged: Vec<String> = judged.map(compared).collect();
    Evidence {
        claims: claims.collect(),
        questions: one.now().map_or_else(Vec::new, questions),
        compared: (!judged.is_empty()).then(|| judged.join("; then ")),
    }
}

/// `C1, same bytes`.
fn named(condition: &str) -> String {
    let mut all = ConditionName::ALL.into_iter();
    let found = all.find(|one| one.name() == condition);
    let title = found.map_or("", explain::condition_title);
    format!("{condition}, {title}")
}

/// By what pairs of loads were decided; those that never occurred are left out.
fn questions(search: &Search) -> Vec<Count> {
    let proofs = search.proofs;
    let solver = search.questions.solver;
    let counts = [
        ("proved by algebra", proofs.algebra),
        ("proved by ranges", proofs.ranges),
        ("proved with a check at run time", proofs.checks),
        ("proved by Z3", proofs.solver),
        ("refuted by a few values", search.questions.by_values),
        ("refuted by Z3", solver.refuted),
        ("left open by Z3", solver.unknown),
    ];
    let counts = counts.into_iter().filter(|(_, count)| *count > 0);
    counts
        .map(|(name, count)| Count {
            name: name.to_owned(),
            count,
        })
        .collect()
}

fn compared(judged: &Judged) -> String {
    let runs = judged.report.compared();
    let what = match &judged.report.verdict {
        Verdict::Equal => "equal to the original, bit for bit",
        Verdict::Different(_) => "other results than the original, which is kept",
        Verdict::UndefinedBehaviour(_) => "undefined behaviour of its own: the original is kept",
        Verdict::CouldNotRun(_) => "could not be run",
    };
    format!("{what}; {runs} pairs of runs on the CPU were equal")
}
