//! Equality saturation (Matsumura et al., "ACC Saturator", 2024, sections 4 to 6): all ways to compute the values of a region that
//! the rules know, in one e-graph, of which the cheapest is chosen.
//!
//! Conditionals, loops and accesses stay where they are. A region is what is pure between them: its leaves are loads, block
//! parameters, parameters of the function, special registers; its roots are what anything else reads. Without permission of the
//! operations' author every result is the same to the last bit.
//!
//! | file | what |
//! | --- | --- |
//! | `options` | limits, cost, permissions |
//! | `language` | nodes of an e-graph: operations of the IR |
//! | `facts` | what is known of a class: its width, and the number that it is |
//! | `table` | the rules, as data |
//! | `flavour` | the types at which rules are used |
//! | `rules` | rules as rewritings of an e-graph |
//! | `statements`, `region` | parts of the function as e-graphs |
//! | `grow` | rules are applied until nothing new comes, or a limit is reached |
//! | `cost`, `extract`, `share`, `exact` | which node of each class is computed: greedily, then by what is shared; or by an integer program |
//! | `elaborate` | the choice as a patch |

mod cost;
mod elaborate;
mod exact;
mod extract;
mod facts;
mod flavour;
mod grow;
mod language;
mod options;
mod region;
mod rules;
mod share;
mod statements;
mod table;
#[cfg(test)]
mod tests;

pub use cost::Cost;
pub use options::{Extraction, Permissions, SaturationOptions};

use self::elaborate::{Chosen, Elaborated, Elaboration, Unavailable};
use self::region::regions;
use self::statements::statements;
use super::{Pass, Rewrite, Session};
use std::fmt::Write as _;

/// The pass `saturate`: equality saturation of the pure values of a function.
#[derive(Clone, Copy, Debug)]
pub struct Saturate;

impl Pass for Saturate {
    fn name(&self) -> &'static str {
        "saturate"
    }

    fn is_arithmetic(&self) -> bool {
        true
    }

    fn run(&self, session: &Session) -> Rewrite {
        // egg notes how long its steps take. Nobody reads that, and to calibrate its clock takes longer than a small kernel.
        let (still, _) = quanta::Clock::mock();
        quanta::with_clock(&still, || saturate(session, &[]))
    }
}

/// Visits of a function, after which what cannot be computed as chosen is given up for whole regions.
const VISITS: usize = 12;

/// Saturates a function by all rules but those that are left out.
fn saturate(session: &Session, left_out: &[&str]) -> Rewrite {
    let options = session.saturation;
    let permissions = Permissions {
        exact: options.exact,
        assumed: options.assumed,
        unmarked_contract: session.target.contracts,
    };
    let statements = statements(session);
    let mut regions = regions(session.function, &statements, &permissions);
    let mut chosen = grow::choose(&mut regions, &options, left_out);
    let mut visits = 0;
    loop {
        visits += 1;
        let visit = Elaboration::new(session, &statements, &regions, &chosen, options.cost);
        match visit.run() {
            Err(Unavailable { region, class }) => {
                chosen[region].plain |= visits > VISITS;
                chosen[region].forced.insert(class);
            }
            Ok(out) if leave_out(session, &mut chosen, &out) => {}
            Ok(out) if !give_up(&mut chosen, &out) => return rewrite(&chosen, out),
            Ok(_) => {}
        }
        if visits > 2 * VISITS {
            chosen.iter_mut().for_each(|one| one.plain = true);
        }
    }
}

/// Lets regions be whose new form is as dear as the old one; whether there are any.
fn give_up(chosen: &mut [Chosen], out: &Elaborated) -> bool {
    let mut any = false;
    for (one, [gone, come]) in chosen.iter_mut().zip(&out.balance) {
        if *come > 0 && come >= gone && !one.plain {
            (one.plain, any) = (true, true);
        }
    }
    any
}

/// Lets regions be of which a limit leaves out a part: their statements rest on each other. Whether there are any.
fn leave_out(session: &Session, chosen: &mut [Chosen], out: &Elaborated) -> bool {
    let mut any = false;
    for (region, remark) in &out.remarks {
        let one = &mut chosen[*region];
        if !session.may_change(remark.at) && !one.untouched {
            (one.untouched, any) = (true, true);
        }
    }
    any
}

/// The rewriting. The first remark of each region reports the size of its e-graph and the cost before and after.
fn rewrite(chosen: &[Chosen], mut out: Elaborated) -> Rewrite {
    for (region, one) in chosen.iter().enumerate() {
        let first = out.remarks.iter_mut().find(|(of, _)| *of == region);
        if let (Some((_, remark)), false) = (first, one.plain) {
            let [gone, come] = out.balance[region];
            let _ = write!(
                remark.what.to_mut(),
                "; {}, cost {gone} -> {come}",
                one.growth
            );
        }
    }
    Rewrite {
        patch: out.patch,
        remarks: out.remarks.into_iter().map(|(_, remark)| remark).collect(),
        ..Rewrite::default()
    }
}
