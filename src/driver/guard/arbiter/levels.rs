//! Lower levels of the memory pass for kernels that lose at the first one.

use super::Case;
use crate::guard::REVERTED;
use crate::guard::door::{Door, Purpose};
use crate::guard::lab::{Code, Codes, Lab, Variant};
use crate::guard::registers::ByName;
use crate::pipeline::ssa::Reverted;
use ptxasw_machine::toolchain::cubin::Resources;
use ptxasw_passes::memory::Loads;
use std::rc::Rc;

impl<Made> Case<Made> {
    /// Tries the levels of the memory pass that differ for kernels that lost, and chooses the highest that does not lose.
    pub(super) fn step_down<D: Door>(&mut self, door: &mut D, lab: &Lab, lost: &Lost) {
        let back = lost.functions;
        let most = back.iter().map(|(name, _)| levels(door.loads(name)));
        let most = most.max().unwrap_or_default();
        let steps: Vec<usize> = match lab.is_one_run() {
            true => (0..most).collect(),
            // Each takes a run of the assembler.
            false => [0, most.saturating_sub(1)][..most.min(2)].to_vec(),
        };
        let mut kernels: Vec<(&String, &Resources)> = lost.resources.iter().collect();
        kernels.sort_by_key(|(name, _)| *name);
        // If a trial fails, the originals are chosen.
        let (steps, codes) = match self.tried(door, lab, &steps, lost) {
            Ok(codes) => (steps, codes),
            Err(_) => (Vec::new(), Codes::default()),
        };
        for (kernel, first) in kernels {
            let is_changed = back.iter().any(|(name, _)| name == kernel);
            let levels = match is_changed {
                true => levels(door.loads(kernel)).max(1),
                false => most.max(1),
            };
            let is_tried = |step| {
                // Else each is a module with all kernels in it.
                !lab.is_one_run() || step == 0 || self.is_tried(door, lab, lost, (kernel, step))
            };
            let tried = Tried {
                is_tried: steps.iter().map(|&step| is_tried(step)).collect(),
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
        lost: &Lost,
    ) -> Result<Codes, String> {
        let mut modules = Vec::new();
        for &step in steps {
            let is_tried = |name: &str| self.is_tried(door, lab, lost, (name, step));
            let mut tried = self.back.clone();
            self.keep_only(lab, |name| lost.resources.contains_key(name), &mut tried);
            let mut levels = Vec::new();
            for (name, _) in lost.functions {
                match is_tried(name) {
                    true => levels.push((name.clone(), vec![Reverted::new(REVERTED); step])),
                    false => _ = tried.out.insert(name.clone(), Reverted::new(REVERTED)),
                }
            }
            let is_empty = levels.is_empty();
            tried.levels.extend(levels);
            modules.push(match is_empty {
                true => self.first.unchanged(),
                false => door.rewritten(&tried, Purpose::TestsHold)?,
            });
        }
        let variants = modules.iter().zip(steps).map(|(module, step)| Variant {
            module,
            kernels: lost.tried(*step),
        });
        lab.codes(door, &[], &variants.collect::<Vec<_>>())
    }

    /// Whether a function takes part in the trial of a level so many steps down. A lower level does if it differs from the first. The first
    /// does if fewer warps may pay, or if the text of a lower one may turn out to be its own.
    fn is_tried<D: Door>(
        &self,
        door: &D,
        lab: &Lab,
        lost: &Lost,
        (name, step): (&str, usize),
    ) -> bool {
        let loads = door.loads(name);
        let levels = levels(loads);
        if !lab.is_one_run() {
            return step < levels && (step > 0 || !lost.open.is_empty());
        }
        let least = self.first.least.get(name).copied().unwrap_or(Loads::Off);
        let differs = |step: &usize| *step < levels && loads.below(*step) < least;
        let mut lower = (1..levels).filter(differs);
        match step {
            0 => lost.is_open(name) || lower.any(|step| loads.below(step) > Loads::Proofs),
            _ => lower.any(|one| one == step),
        }
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
}

/// Kernels that lost at the first level.
pub(super) struct Lost<'l> {
    /// Their resources.
    pub(super) resources: &'l ByName,
    /// Those of them that may stay with fewer warps.
    pub(super) open: &'l [String],
    /// The changed functions that may be the reason, each with whether it is a kernel.
    pub(super) functions: &'l [(String, bool)],
}

impl Lost<'_> {
    /// Whether a kernel may stay with fewer warps.
    fn is_open(&self, kernel: &str) -> bool {
        self.open.iter().any(|one| one == kernel)
    }

    /// The kernels of a trial so many levels down, and whether each is assembled: at the first level it has lost already, and its fast path
    /// is of interest only where fewer warps may pay.
    fn tried(&self, step: usize) -> Vec<(&str, bool)> {
        let names = self.resources.keys().map(|name| &**name);
        let is_part = |name: &str| step > 0 || self.is_open(name);
        let mut tried: Vec<(&str, bool)> = names.map(|name| (name, is_part(name))).collect();
        tried.sort_unstable();
        tried
    }
}

/// What was tried with a kernel that lost.
struct Tried<'c> {
    /// Levels further down, in order; the first is none, if there is any.
    steps: Vec<usize>,
    /// Which of these took part in the trial.
    is_tried: Vec<bool>,
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
            _ if self.codes.is_known(number, kernel) || !self.is_tried[number] => None,
            (_, code) => code.map(|(fast, code)| (fast.or_more(original), Some(code))),
        }
    }
}

/// Levels of the memory pass at which it does something, from this one down.
fn levels(loads: Loads) -> usize {
    let steps = 0..;
    steps
        .take_while(|&steps| loads.below(steps) != Loads::Off)
        .count()
}
