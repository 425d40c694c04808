//! Runs of the tools on one module.

use crate::modules::Module;
use crate::process::{Cost, median, run};
use ptxasw::toolchain::{Arch, Assembler};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use tempfile::TempDir;

/// Rounds of runs of a module, in turn.
const ROUNDS: usize = 3;

/// How a module is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// `ptxasw opt` without machine code: analysis and writing.
    Analysis,
    /// `ptxasw opt`.
    Opt,
    /// The drop-in, which remembers nothing.
    DropIn,
    /// The drop-in that has built the module before.
    Again,
}

pub const WAYS: [Way; 4] = [Way::Analysis, Way::Opt, Way::DropIn, Way::Again];

/// What is run, and where it writes.
pub struct Tools {
    /// This build's, or the one that `BENCH_PROGRAM` names.
    program: PathBuf,
    ptxas: PathBuf,
    folder: TempDir,
}

impl Tools {
    /// # Errors
    /// There is no `ptxas`.
    pub fn new() -> anyhow::Result<Self> {
        let ptxas = Assembler::find(Arch::new(80))?.path().to_owned();
        let folder = tempfile::tempdir()?;
        let program = std::env::var_os("BENCH_PROGRAM");
        let program = program.unwrap_or_else(|| env!("CARGO_BIN_EXE_ptxasw").into());
        let program = PathBuf::from(program);
        symlink(&program, folder.path().join("ptxas"))?;
        // Each run of the assembler leaves a line.
        let counting = folder.path().join("counting");
        let script = format!(
            "#!/bin/sh\necho >> {}/runs\nexec {} \"$@\"\n",
            folder.path().display(),
            ptxas.display()
        );
        fs::write(&counting, script)?;
        fs::set_permissions(&counting, fs::Permissions::from_mode(0o755))?;
        Ok(Tools {
            program,
            ptxas,
            folder,
        })
    }

    fn output(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The assembler alone.
    pub fn plain(&self, module: &Module) -> Command {
        self.assembler(&self.ptxas, module, "plain")
    }

    fn assembler(&self, program: &Path, module: &Module, output: &str) -> Command {
        let mut command = Command::new(program);
        command.arg(format!("-arch={}", module.target));
        command.arg(&module.path).arg("-o").arg(self.output(output));
        command
    }

    /// A build of a module, by an assembler.
    fn built(&self, way: Way, module: &Module, ptxas: &Path) -> Command {
        let mut command = match way {
            Way::Analysis | Way::Opt => {
                let mut command = Command::new(&self.program);
                command.args(["opt", "-q"]);
                command.args((way == Way::Analysis).then_some("--no-register-check"));
                command.arg(&module.path).arg("-o").arg(self.output("text"));
                command
            }
            Way::DropIn | Way::Again => self.assembler(&self.output("ptxas"), module, "ours"),
        };
        command.env("PTXASW_PTXAS", ptxas);
        command.env("XDG_CACHE_HOME", self.output("cache"));
        match way {
            Way::Again => command.env_remove("PTXASW_NO_CACHE"),
            _ => command.env("PTXASW_NO_CACHE", "1"),
        };
        command
    }
}

/// What a module's builds cost.
pub struct Times {
    /// Of the assembler alone: the median.
    pub plain: Cost,
    /// In the order of [`WAYS`], as ratios to the assembler of the same round, the median: wall time, processor time.
    pub ratios: [(f64, f64); WAYS.len()],
    /// The machine code differs.
    pub is_changed: bool,
}

/// Builds a module in all ways, in turn.
pub fn measured(tools: &Tools, module: &Module) -> Times {
    let _ = fs::remove_dir_all(tools.output("cache"));
    // What is there afterwards fills the cache.
    run(&mut tools.built(Way::Again, module, &tools.ptxas));
    let rounds: [Vec<Cost>; 1 + WAYS.len()] = {
        let mut rounds: [Vec<Cost>; 1 + WAYS.len()] = Default::default();
        for _ in 0..ROUNDS {
            rounds[0].push(run(&mut tools.plain(module)));
            for (round, way) in rounds[1..].iter_mut().zip(WAYS) {
                round.push(run(&mut tools.built(way, module, &tools.ptxas)));
            }
        }
        rounds
    };
    let [plain, ways @ ..] = &rounds;
    let middle = |of: fn(&Cost) -> f64, costs: &[Cost]| {
        median(
            costs
                .iter()
                .zip(plain)
                .map(|(one, plain)| of(one) / of(plain))
                .collect(),
        )
    };
    let wall = |cost: &Cost| cost.wall.as_secs_f64();
    // One that is measured as none at all has used some.
    let processor = |cost: &Cost| cost.processor.as_secs_f64().max(1e-3);
    let ours = fs::read(tools.output("ours")).expect("machine code");
    let mut sorted = plain.clone();
    sorted.sort_by_key(|cost| cost.wall);
    Times {
        plain: sorted[ROUNDS / 2],
        ratios: ways
            .each_ref()
            .map(|costs| (middle(wall, costs), middle(processor, costs))),
        is_changed: ours != fs::read(tools.output("plain")).expect("machine code"),
    }
}

/// How often the assembler runs for a module: by `opt`, by the drop-in.
pub fn counted(tools: &Tools, module: &Module) -> [usize; 2] {
    [Way::Opt, Way::DropIn].map(|way| {
        let runs = tools.output("runs");
        let _ = fs::remove_file(&runs);
        run(&mut tools.built(way, module, &tools.output("counting")));
        fs::read(&runs).map_or(0, |lines| lines.len())
    })
}

/// Seconds that all modules take, so many at a time: the assembler alone, the drop-in.
pub fn makespan(tools: &Tools, modules: &[Module], jobs: usize) -> [f64; 2] {
    [None, Some(Way::DropIn)].map(|way| {
        let next = AtomicUsize::new(0);
        let start = Instant::now();
        std::thread::scope(|scope| {
            for job in 0..jobs {
                let next = &next;
                scope.spawn(move || {
                    while let Some(module) = modules.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let program = match way {
                            None => tools.ptxas.clone(),
                            Some(_) => tools.output("ptxas"),
                        };
                        let mut command = tools.assembler(&program, module, &format!("job{job}"));
                        command
                            .env("PTXASW_PTXAS", &tools.ptxas)
                            .env("PTXASW_NO_CACHE", "1");
                        run(&mut command);
                    }
                });
            }
        });
        start.elapsed().as_secs_f64()
    })
}
