//! Cases that are assembled together, each with what the wrappings make of it.

use crate::files::assemble::{self, Text};
use crate::files::compare::soak;
use crate::files::rewrite::Subject;
use crate::files::tools::Tools;
use ptxasw::toolchain::{Arch, is_part};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Cases of a batch.
const SIZE: usize = 12;
/// Architectures that rewritten modules are assembled for besides their own: batches take turns, but in a soak test.
const LATER: [Arch; 3] = [Arch::new(80), Arch::new(90), Arch::new(100)];

/// Cases of one target. Whoever asks first for the verdict on one of them assembles all.
pub struct Batch {
    arch: Arch,
    number: usize,
    subjects: Vec<Arc<Subject>>,
    failures: OnceLock<BTreeMap<String, String>>,
}

/// Cases, each with the batch that it is in.
pub type Placed = Vec<(Arc<Subject>, Arc<Batch>)>;

/// Batches of all cases, and of each case which it is in, so ordered that neighbours are of different batches: tests that run
/// at the same time do not wait for each other.
pub fn batches(subjects: &[Arc<Subject>]) -> Result<Placed, String> {
    let mut groups: BTreeMap<(Arch, bool), Vec<Arc<Subject>>> = BTreeMap::new();
    for subject in subjects {
        let text = subject.case.text.as_bytes();
        let arch =
            assemble::target(text).map_err(|error| format!("{}: {error}", subject.case.name))?;
        let group = groups.entry((arch, is_part(text)));
        group.or_default().push(Arc::clone(subject));
    }
    let mut placed = Vec::new();
    for ((arch, _), subjects) in groups {
        for (number, chunk) in subjects.chunks(SIZE).enumerate() {
            let batch = Arc::new(Batch {
                arch,
                number,
                subjects: chunk.to_vec(),
                failures: OnceLock::new(),
            });
            let members = chunk.iter().enumerate();
            placed.extend(members.map(|(place, one)| (place, Arc::clone(one), Arc::clone(&batch))));
        }
    }
    placed.sort_by_key(|(place, ..)| *place);
    Ok(placed
        .into_iter()
        .map(|(_, one, batch)| (one, batch))
        .collect())
}

impl Batch {
    /// The assembler accepts a case of the batch, and all that the wrappings make of it.
    pub fn accepts(&self, tools: &Tools, subject: &Subject) -> Result<(), String> {
        let failures = self.failures.get_or_init(|| self.assemble(tools));
        let failure = failures.get(&subject.case.name).cloned();
        failure.map_or(Ok(()), Err)
    }

    /// What is refused, by the name of its case.
    fn assemble(&self, tools: &Tools) -> BTreeMap<String, String> {
        let mut failures = BTreeMap::new();
        let later = LATER
            .into_iter()
            .filter(|&arch| self.arch.runs_on(arch) && arch != self.arch);
        let later: Vec<Arch> = later.collect();
        let turn = self.number % later.len().max(1);
        let later = later.into_iter().enumerate();
        let later = later.filter(|(place, _)| soak() || *place == turn);
        let own = std::iter::once((self.arch, true));
        for (arch, all) in own.chain(later.map(|(_, arch)| (arch, false))) {
            let (owners, texts) = self.texts(all, &mut failures);
            let refused = match tools.assembler(arch) {
                Some(assembler) => assemble::refused(assembler, arch, &texts),
                None => vec![(0, format!("no ptxas for {arch}"))],
            };
            for (number, error) in refused {
                failures.insert(owners[number].to_owned(), error);
            }
        }
        failures
    }

    /// The cases and all their rewritings, or the first rewriting of each.
    fn texts(
        &self,
        all: bool,
        failures: &mut BTreeMap<String, String>,
    ) -> (Vec<&str>, Vec<Text<'_>>) {
        let (mut owners, mut texts) = (Vec::new(), Vec::new());
        for subject in &self.subjects {
            let name = &subject.case.name;
            let mut add = |what: String, bytes| {
                owners.push(name.as_str());
                texts.push(Text {
                    name: format!("{name}{what}"),
                    bytes,
                });
            };
            if all {
                add(String::new(), subject.case.text.as_bytes());
            }
            let most = if all { usize::MAX } else { 1 };
            match subject.rewritings() {
                Ok(found) => {
                    for one in found.iter().take(most) {
                        add(format!(" by {:?}", one.wrapping), &one.text);
                    }
                }
                Err(error) => {
                    failures.insert(name.clone(), error);
                }
            }
        }
        (owners, texts)
    }
}
