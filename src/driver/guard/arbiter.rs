//! Chooses one candidate for each kernel from machine code: rewritten with all options, with a lower level of the memory pass, without the
//! passes over its arithmetic, or the original.
//!
//! 1. The rewritten module is assembled, which a build does anyway. Few registers end it here.
//! 2. The originals of kernels with more registers are assembled ([`Lab`]), and the same kernels without their arithmetic.
//! 3. For kernels that lose occupancy or spill, all lower levels are assembled at once; the highest that does not lose is chosen.
//! 4. The module with all choices is assembled, if it is another one, and judged by the same rules.
//!
//! That is at most four runs of the assembler, and a fifth where the last verdict differs from the trial's. Kernels that cannot be
//! separated from their module are assembled with it, and only the highest and the lowest level is tried.
//!
//! Trials leave out the fallback of run-time tests: a kernel is estimated to need the larger of the original's registers and those
//! of the fast path.

use super::arithmetic::losing;
use super::door::{Choice, Door, Purpose, Rewritten};
use super::lab::{Code, Codes, Lab, Variant};
use super::launch::Blocks;
use super::registers::{self, ByName, Judged, Original};
use super::worth::pays;
use super::{REJECTED, REVERTED};
use crate::pipeline::ssa::{Reversions, Reverted};
use ptxasw_machine::toolchain::cubin::Resources;
use ptxasw_passes::memory::Loads;
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
struct Case {
    first: Rewritten,
    back: Reversions,
    accepted: Vec<(String, String)>,
    before: Original,
    original: Code,
    /// The fast path of the chosen candidate, by kernel.
    fast: FxHashMap<String, Rc<Code>>,
}

impl Case {
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
            fast: FxHashMap::default(),
        }
    }

    /// Whether nothing but kernels was changed.
    fn are_kernels(&self) -> bool {
        self.first.changed.iter().all(|(_, is_kernel)| *is_kernel)
    }

    /// Fills in what is reverted. `code` is the machine code of the module rewritten with all options.
    fn decide<D: Door>(&mut self, door: &mut D, code: &Code) -> Result<(), String> {
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
        // Whether a lower occupancy pays needs the fast path, which is assembled later.
        let judged = self.judged(door.target(), &after, None);
        let lost: FxHashSet<&String> = judged.lost.iter().map(|(name, _)| name).collect();
        after.retain(|name, _| lost.contains(name));
        let back = self.functions_back(&judged.lost);
        // If none is changed, the rewriting is not the reason.
        if !back.is_empty() {
            self.step_down(door, &lab, &after, &back);
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
    fn compare<D: Door>(&mut self, door: &mut D, lab: &Lab, code: &Code) -> Result<ByName, String> {
        let arithmetic = self.first.arithmetic.iter().map(|(name, _)| name.clone());
        let arithmetic: FxHashSet<String> = arithmetic.collect();
        let plain = match arithmetic.is_empty() {
            true => None,
            // A failure leaves the arithmetic in place.
            false => door
                .rewritten(&of_arithmetic(&arithmetic), Purpose::Compared)
                .ok(),
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
            kernels: arithmetic.iter().map(|one| &**one).collect(),
        });
        let codes = lab.codes(door, &kernels, &variants.collect::<Vec<_>>());
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

    /// Which of some kernels lose. `fast` is the machine code of their fast paths.
    fn judged(&self, target: u32, after: &ByName, fast: Option<&Code>) -> Judged {
        let pays = |kernel: &str, warps| {
            let fast = fast.or_else(|| self.fast.get(kernel).map(|code| &**code))?;
            pays(self.original.kernels(), fast.kernels(), kernel, warps)
        };
        registers::compared(target, &self.before, after, pays)
    }

    /// Tries all levels of the memory pass for kernels that lost, and chooses the highest that does not lose. `lost` has their resources
    /// at the first level, `back` the changed functions that may be the reason.
    fn step_down<D: Door>(
        &mut self,
        door: &mut D,
        lab: &Lab,
        lost: &ByName,
        back: &[(String, bool)],
    ) {
        let most = back.iter().map(|(name, _)| levels(door.loads(name)));
        let most = most.max().unwrap_or_default();
        let steps: Vec<usize> = match lab.is_one_run() {
            true => (0..most).collect(),
            // Each takes a run of the assembler.
            false => [0, most.saturating_sub(1)][..most.min(2)].to_vec(),
        };
        let mut kernels: Vec<(&String, &Resources)> = lost.iter().collect();
        kernels.sort_by_key(|(name, _)| *name);
        let names: Vec<&str> = kernels.iter().map(|(name, _)| &***name).collect();
        // If a trial fails, the originals are chosen.
        let (steps, codes) = match self.tried(door, lab, &steps, back, &names) {
            Ok(codes) => (steps, codes),
            Err(_) => (Vec::new(), Codes::default()),
        };
        for (kernel, first) in kernels {
            let is_changed = back.iter().any(|(name, _)| name == kernel);
            let levels = match is_changed {
                true => levels(door.loads(kernel)).max(1),
                false => most.max(1),
            };
            let tried = Tried {
                steps: steps
                    .iter()
                    .copied()
                    .filter(|&step| step < levels)
                    .collect(),
                codes: &codes,
                first: *first,
            };
            self.choose(door.target(), kernel, &tried);
        }
        self.take_back_functions(door, back);
    }

    /// The fast paths of kernels, so many levels down.
    fn tried<D: Door>(
        &self,
        door: &mut D,
        lab: &Lab,
        steps: &[usize],
        back: &[(String, bool)],
        kernels: &[&str],
    ) -> Result<Codes, String> {
        let mut modules = Vec::new();
        for &step in steps {
            let mut tried = self.back.clone();
            for (name, _) in back {
                match step < levels(door.loads(name)) {
                    true => {
                        let why = vec![Reverted::new(REVERTED); step];
                        tried.levels.insert(name.clone(), why);
                    }
                    false => {
                        tried.out.insert(name.clone(), Reverted::new(REVERTED));
                    }
                }
            }
            modules.push(door.rewritten(&tried, Purpose::TestsHold)?);
        }
        let variants = modules.iter().map(|module| Variant {
            module,
            kernels: kernels.to_vec(),
        });
        lab.codes(door, &[], &variants.collect::<Vec<_>>())
    }

    /// Chooses a level for a kernel that lost at the first one.
    fn choose(&mut self, target: u32, kernel: &str, trial: &Tried) {
        let Some(original) = self.before.resources.get(kernel).copied() else {
            return;
        };
        let mut tried: Vec<Reverted> = Vec::new();
        for number in 0..trial.steps.len().max(1) {
            let step = trial.steps.get(number).copied().unwrap_or_default();
            let Some((after, fast)) = trial.resources(number, kernel, original) else {
                continue;
            };
            let after = ByName::from_iter([(kernel.to_owned(), after)]);
            let judged = self.judged(target, &after, fast.map(|code| &**code));
            let Some((_, why)) = judged.lost.into_iter().next() else {
                let fast = fast.map(|code| (kernel.to_owned(), Rc::clone(code)));
                self.fast.extend(fast);
                self.accepted.extend(judged.accepted);
                if let Some(last) = tried.last().cloned() {
                    tried.resize(step, last);
                    self.back.levels.insert(kernel.to_owned(), tried);
                }
                return;
            };
            let why = Reverted {
                reason: REVERTED,
                why,
            };
            let last = tried.last().unwrap_or(&why).clone();
            tried.resize(step, last);
            tried.push(why);
        }
        if let Some(last) = tried.pop() {
            self.back.out.insert(kernel.to_owned(), last);
            if !tried.is_empty() {
                self.back.levels.insert(kernel.to_owned(), tried);
            }
        }
    }

    /// Device functions get the lowest level that was chosen for a kernel.
    fn take_back_functions<D: Door>(&mut self, door: &D, back: &[(String, bool)]) {
        let called = back.iter().filter(|(_, is_kernel)| !is_kernel);
        let furthest = self.back.levels.iter().max_by_key(|(_, tried)| tried.len());
        let furthest = furthest.map(|(kernel, tried)| (kernel.clone(), tried.clone()));
        let out = self
            .back
            .out
            .first()
            .map(|(kernel, why)| (kernel.clone(), why.clone()));
        let of = |kernel: &str, why: &Reverted| Reverted {
            why: format!("kernel `{kernel}`: {}", why.why),
            ..why.clone()
        };
        for (name, _) in called {
            let left = levels(door.loads(name));
            match (&out, &furthest) {
                (Some((kernel, why)), _) => {
                    self.back.out.insert(name.clone(), of(kernel, why));
                }
                (None, Some((kernel, tried))) if tried.len() >= left => {
                    let why = tried.last().map(|why| of(kernel, why));
                    self.back.out.extend(why.map(|why| (name.clone(), why)));
                }
                (None, Some((kernel, tried))) => {
                    let tried = tried.iter().map(|why| of(kernel, why)).collect();
                    self.back.levels.insert(name.clone(), tried);
                }
                (None, None) => {}
            }
        }
    }

    /// Assembles the chosen candidates and judges them: kernels that lose are reverted.
    fn settle<D: Door>(mut self, door: &mut D) -> Choice<D::Made> {
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
    fn settled<D: Door>(&mut self, door: &mut D) -> Result<Settled<D::Made>, String> {
        let module = door.rewritten(&self.back, Purpose::Output)?;
        if module.changed.is_empty() {
            self.accepted.clear();
            return Ok((None, Vec::new()));
        }
        let (made, code) = door.assembled(&module.texts, Purpose::Output)?;
        let judged = self.judged(door.target(), &code.resources, None);
        self.accepted = judged.accepted;
        Ok((Some(made), judged.lost))
    }
}

/// What was tried with a kernel that lost.
struct Tried<'c> {
    /// Levels further down, in order; the first is none, if there is any.
    steps: Vec<usize>,
    /// The fast paths at these.
    codes: &'c Codes,
    /// The resources at the first.
    first: Resources,
}

impl Tried<'_> {
    /// The resources of a kernel at a level and its fast path, if they are known.
    fn resources(
        &self,
        number: usize,
        kernel: &str,
        original: Resources,
    ) -> Option<(Resources, Option<&Rc<Code>>)> {
        let code = self.codes.of(number, kernel);
        let fast = code.map(|(_, code)| code);
        match (number, code) {
            (0, _) => Some((self.first, fast)),
            // An equal fast path is assumed to lose again.
            _ if self.codes.is_known(number, kernel) => None,
            (_, code) => code.map(|(fast, code)| (fast.or_more(original), Some(code))),
        }
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

/// Levels of the memory pass at which it does something, from this one down.
fn levels(loads: Loads) -> usize {
    let steps = 0..;
    steps
        .take_while(|&steps| loads.below(steps) != Loads::Off)
        .count()
}
