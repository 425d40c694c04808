//! Chooses one candidate for each kernel from machine code: rewritten with all options, with a lower level of the memory pass, without the
//! passes over its arithmetic, or the original.
//!
//! 1. The rewritten module is assembled, which a build does anyway. Few registers end it here.
//! 2. The originals of kernels with more registers are assembled ([`Lab`]), and the same kernels without their arithmetic. If these are all
//!    kernels, it is the module as it came, whose output is used if all is reverted.
//! 3. For kernels that lose occupancy or spill, all lower levels that differ are assembled at once; the highest that does not lose is
//!    chosen.
//! 4. The module with all choices is assembled, if it is another one, and judged by the same rules.
//!
//! That is at most four runs of the assembler, and a fifth where the last verdict differs from the trial's. Kernels that cannot be
//! separated from their module are assembled with it, and only the highest and the lowest level is tried.
//!
//! Trials leave out the fallback of run-time tests: a kernel is estimated to need the larger of the original's registers and those
//! of the fast path.

mod levels;

use super::arithmetic::losing;
use super::door::{Choice, Door, Purpose, Rewritten};
use super::lab::{Code, Codes, Lab, Variant};
use super::launch::Blocks;
use super::registers::{self, ByName, Judged, Original};
use super::worth::{may_pay, pays};
use super::{REJECTED, REVERTED};
use crate::pipeline::ssa::{Reversions, Reverted};
use levels::Lost;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How often a final verdict may differ from the trial before all kernels are reverted.
const AFTER_TRIALS: usize = 1;

/// The error where the original cannot be assembled.
const ORIGINAL: &str = "`ptxas` does not take the original";

/// Chooses a candidate for each kernel. `first` is the module rewritten with all options.
pub fn choose<D: Door>(door: &mut D, first: Rewritten) -> Choice<D::Made> {
    if first.changed.is_empty() {
        return Choice::of(None);
    }
    let (made, code) = match door.assembled(&first.texts, Purpose::Output) {
        Ok(assembled) => assembled,
        Err(error) => return rejected(door, &first, error),
    };
    let is_open = !registers::harmless(&code.resources) || !first.arithmetic.is_empty();
    if !is_open {
        return Choice::of(Some(made));
    }
    let mut case = Case::new(first);
    match case.decide(door, &code) {
        Err(why) => Choice {
            unknown: Some(why),
            ..Choice::of(Some(made))
        },
        Ok(()) if case.back.is_empty() => Choice {
            accepted: case.accepted,
            ..Choice::of(Some(made))
        },
        Ok(()) => case.settle(door),
    }
}

/// The rewritten module does not assemble. If the original does not either, the rewriting is not the reason.
fn rejected<D: Door>(door: &mut D, first: &Rewritten, error: String) -> Choice<D::Made> {
    let original = door.original();
    let original = original.and_then(|texts| door.assembled(&texts, Purpose::Compared));
    let mut choice = Choice::of(None);
    match original {
        Err(error) => choice.unknown = Some(format!("{ORIGINAL}: {error}")),
        Ok(_) => {
            let all = first.changed.iter();
            let all = all.map(|(name, _)| (name.clone(), Reverted::new(REJECTED)));
            choice.back.out = all.collect();
            choice.rejected = Some(error);
        }
    }
    choice
}

/// A module for which the first run of the assembler does not suffice.
struct Case<Made> {
    first: Rewritten,
    back: Reversions,
    accepted: Vec<(String, String)>,
    before: Original,
    original: Code,
    /// The output of the assembler for the original, where it was assembled as a whole.
    came: Option<Made>,
    /// The fast path of the chosen candidate, by kernel.
    fast: FxHashMap<String, Rc<Code>>,
}

impl<Made> Case<Made> {
    fn new(first: Rewritten) -> Self {
        let before = Original {
            resources: ByName::default(),
            blocks: Blocks::default(),
            independent: first.independent.clone(),
        };
        Case {
            first,
            back: Reversions::default(),
            accepted: Vec::new(),
            before,
            original: Code::default(),
            came: None,
            fast: FxHashMap::default(),
        }
    }

    /// Whether nothing but kernels was changed.
    fn are_kernels(&self) -> bool {
        self.first.changed.iter().all(|(_, is_kernel)| *is_kernel)
    }

    /// Fills in what is reverted. `code` is the machine code of the module rewritten with all options.
    fn decide<D: Door<Made = Made>>(&mut self, door: &mut D, code: &Code) -> Result<(), String> {
        let texts = door.original()?;
        texts.iter().for_each(|text| self.before.blocks.add(text));
        let tree = match &*texts {
            [text] if self.are_kernels() && door.takes_other_entries() => {
                ptxasw_ptx::parse(text).ok()
            }
            _ => None,
        };
        let lab = Lab::new(&texts, tree.as_ref());
        let mut after = self.compare(door, &lab, code)?;
        let (lost, open) = self.lost(door.target(), &after);
        let names: FxHashSet<&String> = lost.iter().map(|(name, _)| name).collect();
        after.retain(|name, _| names.contains(name));
        let back = self.functions_back(&lost);
        // If none is changed, the rewriting is not the reason.
        if !back.is_empty() {
            let lost = Lost {
                resources: &after,
                open: &open,
                functions: &back,
            };
            self.step_down(door, &lab, &lost);
        }
        Ok(())
    }

    /// The changed functions to revert where these kernels lost: the kernels, and all device functions, which they may call.
    fn functions_back(&self, lost: &[(String, String)]) -> Vec<(String, bool)> {
        match lost {
            [] => Vec::new(),
            _ => {
                let lost: FxHashSet<&String> = lost.iter().map(|(name, _)| name).collect();
                let changed = self.first.changed.iter();
                let back = changed.filter(|(name, is_kernel)| !is_kernel || lost.contains(name));
                back.cloned().collect()
            }
        }
    }

    /// Assembles the originals, and kernels without their arithmetic. The result has the resources of the better of the two.
    fn compare<D: Door<Made = Made>>(
        &mut self,
        door: &mut D,
        lab: &Lab,
        code: &Code,
    ) -> Result<ByName, String> {
        let arithmetic = self.first.arithmetic.iter().map(|(name, _)| name.clone());
        let arithmetic: FxHashSet<String> = arithmetic.collect();
        let plain = match arithmetic.is_empty() {
            true => None,
            // A failure leaves the arithmetic in place.
            false => {
                let mut plain = of_arithmetic(&arithmetic);
                self.keep_only(lab, |name| arithmetic.contains(name), &mut plain);
                door.rewritten(&plain, Purpose::Compared).ok()
            }
        };
        let is_open = |name: &&String| {
            let resources = code.resources.get(*name);
            arithmetic.contains(*name) || resources.is_some_and(|one| !registers::is_harmless(one))
        };
        let changed = self.first.changed.iter().map(|(name, _)| name);
        let kernels: Vec<&str> = match lab.is_one_run() {
            true => changed.filter(is_open).map(|one| &**one).collect(),
            false => code
                .resources
                .keys()
                .filter(is_open)
                .map(|one| &**one)
                .collect(),
        };
        let variants = plain.iter().map(|module| Variant {
            module,
            kernels: arithmetic.iter().map(|one| (&**one, true)).collect(),
        });
        let codes = match plain.is_none() && lab.is_whole(&kernels) {
            true => door.as_they_came().map(|(made, code)| {
                self.came = made;
                Codes::of_original(code, lab.is_one_run().then_some(&kernels))
            }),
            false => lab.codes(door, &kernels, &variants.collect::<Vec<_>>()),
        };
        let codes = codes.map_err(|error| format!("{ORIGINAL}: {error}"))?;
        let mut after = code.resources.clone();
        if let Some(plain) = codes.variant(0) {
            let back = losing(&self.first.arithmetic, &codes.kernels(0), code.kernels());
            match lab.is_one_run() {
                true => {
                    for (name, _) in &back {
                        let plain = codes.of(0, name).map(|(resources, _)| resources);
                        let plain = plain.or_else(|| codes.original.resources.get(name).copied());
                        after.extend(plain.map(|one| (name.clone(), one)));
                    }
                }
                // The callers of these functions change as well.
                false if !back.is_empty() => after.clone_from(&plain.resources),
                false => {}
            }
            self.back.arithmetic = back.into_iter().collect();
        }
        self.before.resources = codes.original.resources.clone();
        self.original = codes.original;
        Ok(after)
    }

    /// Reverts all others where only some kernels of a module will be part of a trial.
    fn keep_only(&self, lab: &Lab, is_tried: impl Fn(&str) -> bool, back: &mut Reversions) {
        let others = self.first.changed.iter().map(|(name, _)| name);
        let others = others.filter(|name| lab.is_one_run() && !is_tried(name));
        let out = others.map(|name| (name.clone(), Reverted::new(REVERTED)));
        back.out.extend(out);
    }

    /// Which of some kernels lose. `fast` is the machine code of their fast paths.
    fn judged(&self, target: u32, after: &ByName, fast: Option<&Code>) -> Judged {
        let pays = |kernel: &str, warps| {
            let fast = fast.or_else(|| self.fast.get(kernel).map(|code| &**code))?;
            pays(self.original.kernels(), fast.kernels(), kernel, warps)
        };
        registers::compared(target, &self.before, after, pays)
    }

    /// Which of some kernels lose at the first level, and which of these may stay if their fast paths are faster with fewer warps.
    fn lost(&self, target: u32, after: &ByName) -> (Vec<(String, String)>, Vec<String>) {
        let mut open = Vec::new();
        let may_pay = |kernel: &str, warps| {
            if may_pay(self.original.kernels(), kernel, warps) {
                open.push(kernel.to_owned());
            }
            None
        };
        let lost = registers::compared(target, &self.before, after, may_pay).lost;
        (lost, open)
    }

    /// Assembles the chosen candidates and judges them: kernels that lose are reverted.
    fn settle<D: Door<Made = Made>>(mut self, door: &mut D) -> Choice<D::Made> {
        let mut choice = Choice::of(None);
        let mut rounds = 0..AFTER_TRIALS;
        loop {
            let (made, lost) = match self.settled(door) {
                Ok(settled) => settled,
                Err(error) => {
                    choice.rejected = Some(error);
                    self.all_out(REJECTED);
                    break;
                }
            };
            let back = self.functions_back(&lost);
            // If none is changed, the rewriting is not the reason.
            if back.is_empty() {
                choice.made = made;
                break;
            }
            if rounds.next().is_none() {
                self.all_out(REVERTED);
                break;
            }
            self.all_of(&lost, &back);
        }
        Choice {
            back: self.back,
            accepted: self.accepted,
            ..choice
        }
    }

    /// Reverts kernels that lost, and functions with them.
    fn all_of(&mut self, lost: &[(String, String)], back: &[(String, bool)]) {
        let reason = REVERTED;
        for (name, why) in lost {
            let why = why.clone();
            self.back.out.insert(name.clone(), Reverted { reason, why });
        }
        let first = lost
            .first()
            .map(|(kernel, why)| format!("kernel `{kernel}`: {why}"));
        for (name, _) in back {
            let why = first.clone().unwrap_or_default();
            let out = self.back.out.entry(name.clone());
            out.or_insert(Reverted { reason, why });
        }
    }

    /// Reverts all functions.
    fn all_out(&mut self, reason: &'static str) {
        let all = self.first.changed.iter();
        let all = all.map(|(name, _)| (name.clone(), Reverted::new(reason)));
        self.back.out = all.collect();
        self.accepted.clear();
    }

    /// The chosen candidates assembled, and the kernels that lose.
    fn settled<D: Door<Made = Made>>(&mut self, door: &mut D) -> Result<Settled<D::Made>, String> {
        let module = door.rewritten(&self.back, Purpose::Output)?;
        if module.changed.is_empty() {
            self.accepted.clear();
            return Ok((self.came.take(), Vec::new()));
        }
        let (made, code) = door.assembled(&module.texts, Purpose::Output)?;
        let judged = self.judged(door.target(), &code.resources, None);
        self.accepted = judged.accepted;
        Ok((Some(made), judged.lost))
    }
}

/// What was assembled, and which kernels lose in it and how.
type Settled<Made> = (Option<Made>, Vec<(String, String)>);

/// Functions keep their arithmetic.
fn of_arithmetic(functions: &FxHashSet<String>) -> Reversions {
    let functions = functions.iter();
    let arithmetic = functions.map(|name| (name.clone(), Reverted::new(REVERTED)));
    Reversions {
        arithmetic: arithmetic.collect(),
        ..Reversions::default()
    }
}
