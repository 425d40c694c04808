//! One launch on a GPU: the original, the rewritten modules, their results and times.

use super::arguments;
use super::buffers::{self, Buffers, Difference, Kept};
use super::device::{Description, Gpu};
use super::driver::{Context, Module};
use super::error::GpuError;
use super::helpers::Helpers;
use super::program::{CompiledBy, Compiler, Program, Resources, resources};
use super::timing::{self, Counts, Ready, Timing};
use super::variables::{Variable, held, variables};
use ptxasw_executor::Schedule;
use ptxasw_executor::launch::LaunchSpec;
use ptxasw_ptx::decode::form;
use serde::Serialize;
use std::time::Duration;

/// Most threads of a launch that the executor is asked to run.
const SMALL: u64 = 1 << 20;

/// How launches are run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Who makes machine code.
    pub compiler: Compiler,
    /// Whether results are compared.
    pub compared: bool,
    /// Whether kernels are timed.
    pub timed: bool,
    /// How often for that.
    pub counts: Counts,
    /// Whether the original's result is compared with that of the executor.
    pub executor: bool,
    /// How long a kernel may run.
    pub limit: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            compiler: Compiler::Auto,
            compared: true,
            timed: true,
            counts: Counts::default(),
            executor: false,
            limit: Duration::from_secs(60),
        }
    }
}

/// What a launch showed.
#[derive(Clone, Debug, Serialize)]
pub struct LaunchReport {
    /// The original.
    pub original: Subject,
    /// The rewritten modules, in their order.
    pub rewritten: Vec<Subject>,
    /// Why there are no times although they were asked for.
    pub not_timed: Option<String>,
    /// What the executor reports about the original's result, if it was asked.
    pub executor: Option<String>,
    /// A kernel still runs: the process should end by [`super::exit_now`].
    pub hangs: bool,
}

/// What a launch showed of one module.
#[derive(Clone, Debug, Serialize)]
pub struct Subject {
    /// The module's label.
    pub label: String,
    /// Its result.
    pub verdict: Verdict,
    /// Who made its machine code; none if it was not loaded.
    pub compiled_by: Option<CompiledBy>,
    /// What the kernel needs; none if it was not loaded.
    pub resources: Option<Resources>,
    /// Its times.
    pub timing: Option<Timing>,
}

/// A module's result compared with the original's.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It was not compared: the original itself, or a measuring variant.
    NotCompared,
    /// Every byte is the same.
    Equal,
    /// It is another.
    Different(Difference),
    /// It could not be loaded or launched, or failed while it ran.
    Failed(String),
    /// It was not run, since the device was lost before.
    NotRun(String),
}

/// Runs a launch.
///
/// After a fault of a rewritten module the others run again in a new context.
///
/// # Errors
/// The original cannot be run: the launch shows nothing about the others.
pub fn run(
    gpu: &mut Gpu,
    original: &Program,
    rewritten: &[Program],
    spec: &LaunchSpec,
    options: &Options,
) -> Result<LaunchReport, GpuError> {
    let mut failed: Vec<Option<Subject>> = vec![None; rewritten.len()];
    let mut last = None;
    loop {
        let left: Vec<&Program> = (rewritten.iter().zip(&failed))
            .filter_map(|(program, failed)| failed.is_none().then_some(program))
            .collect();
        let attempt = match attempt(gpu, original, &left, spec, options) {
            Ok(attempt) => attempt,
            Err(error) => match last {
                // The original ran before: the device does not recover from the fault.
                Some(report) => return Ok(merge(report, failed, rewritten, &error)),
                None => return Err(error),
            },
        };
        let Some((index, error)) = attempt.lost else {
            return Ok(with_failed(attempt.report, failed));
        };
        let mut open = failed.iter_mut().filter(|failed| failed.is_none());
        if let Some(place) = open.nth(index) {
            *place = attempt.report.rewritten.last().cloned();
        }
        if error.hangs() {
            return Ok(merge(attempt.report, failed, rewritten, &error));
        }
        last = Some(attempt.report);
    }
}

/// Puts those that failed in their places between those that did not.
fn with_failed(mut report: LaunchReport, failed: Vec<Option<Subject>>) -> LaunchReport {
    let mut others = std::mem::take(&mut report.rewritten).into_iter();
    report.rewritten = failed
        .into_iter()
        .filter_map(|failed| failed.or_else(|| others.next()))
        .collect();
    report
}

/// The device is lost: what did not fail was not run.
fn merge(
    mut report: LaunchReport,
    failed: Vec<Option<Subject>>,
    rewritten: &[Program],
    error: &GpuError,
) -> LaunchReport {
    report.hangs = error.hangs();
    let not_run = |program: &Program| Subject {
        label: program.label.clone(),
        verdict: Verdict::NotRun(format!("the device is lost: {error}")),
        compiled_by: None,
        resources: None,
        timing: None,
    };
    report.rewritten = (failed.into_iter().zip(rewritten))
        .map(|(failed, program)| failed.unwrap_or_else(|| not_run(program)))
        .collect();
    report
}

/// What was done in one context.
struct Attempt {
    report: LaunchReport,
    /// The rewritten module that faulted, the last of the report: the context is lost.
    lost: Option<(usize, GpuError)>,
}

fn attempt(
    gpu: &mut Gpu,
    original: &Program,
    rewritten: &[&Program],
    spec: &LaunchSpec,
    options: &Options,
) -> Result<Attempt, GpuError> {
    let device = gpu.description().clone();
    let context = gpu.driver.context(gpu.device)?;
    let runner = Runner {
        context: &context,
        device: &device,
        spec,
        options,
        helpers: match buffers::large(spec) {
            true => Some(Helpers::load(&context)?),
            false => None,
        },
        kernel: &kernel(original, spec)?.name,
    };
    let (module, compiled_by) = original.load(&context, &device, options.compiler)?;
    let work = Buffers::allocate(&context, spec)
        .map_err(|error| buffers::no_room(error, &context, spec))?;
    let mut variables = variables(original, &module)?;
    let resources = runner.once(original, &module, &work)?;
    for variable in &mut variables {
        variable.bytes = held(variable, &module)?;
    }
    let executor = match options.executor {
        true => Some(runner.executor(original, &work)?),
        false => None,
    };
    let (kept, work) = match options.compared && rewritten.iter().any(|program| program.compared) {
        true => {
            let (kept, work) = work.keep(&context, spec)?;
            (Some(kept), work)
        }
        false => (None, work),
    };
    let mut report = LaunchReport {
        original: Subject {
            label: original.label.clone(),
            verdict: Verdict::NotCompared,
            compiled_by: Some(compiled_by),
            resources: Some(resources),
            timing: None,
        },
        rewritten: Vec::new(),
        not_timed: None,
        executor,
        hangs: false,
    };
    let mut loaded = vec![Some(module)];
    for (index, &program) in rewritten.iter().enumerate() {
        let kept = kept.as_ref().filter(|_| program.compared);
        let (subject, module, error) = runner.subject(program, kept, &variables, &work);
        report.rewritten.push(subject);
        loaded.push(module);
        if let Some(error) = error {
            let lost = Some((index, error));
            return Ok(Attempt { report, lost });
        }
    }
    drop(kept);
    if options.timed {
        let programs: Vec<&Program> = [original]
            .into_iter()
            .chain(rewritten.iter().copied())
            .collect();
        runner.time(&programs, &loaded, &work, &mut report);
    }
    let lost = None;
    Ok(Attempt { report, lost })
}

/// Whether the executor runs a launch in a few seconds, if its kernel is ordinary.
pub fn small(spec: &LaunchSpec) -> bool {
    let sizes = spec.grid.iter().chain(&spec.block).map(|&n| u64::from(n));
    !buffers::large(spec) && sizes.fold(1, u64::saturating_mul) <= SMALL
}

/// The kernel that the launch names, in the original.
fn kernel<'p>(program: &'p Program, spec: &LaunchSpec) -> Result<&'p form::Function, GpuError> {
    spec.function(&program.module)
        .map_err(|error| GpuError::Launch(error.to_string()))
}

/// A context and what is run in it.
struct Runner<'r, 'c> {
    context: &'c Context<'c>,
    device: &'r Description,
    spec: &'r LaunchSpec,
    options: &'r Options,
    helpers: Option<Helpers<'c>>,
    kernel: &'r str,
}

impl<'c> Runner<'_, 'c> {
    /// Launches the program's kernel once on buffers that hold what the launch describes.
    fn once(
        &self,
        program: &Program,
        module: &Module<'c>,
        work: &Buffers<'c>,
    ) -> Result<Resources, GpuError> {
        let ready = self.ready(program, module, work)?;
        let resources = resources(ready.function, self.device, self.spec)?;
        work.fill(self.spec, self.helpers.as_ref())?;
        ready.launch()?;
        self.context.wait(self.options.limit)?;
        Ok(resources)
    }

    fn ready<'m>(
        &self,
        program: &Program,
        module: &'m Module<'c>,
        work: &Buffers<'c>,
    ) -> Result<Ready<'m>, GpuError> {
        let named = |f: &&form::Function| f.entry && f.defined && *f.name == *self.kernel;
        let function =
            program.module.functions.iter().find(named).ok_or_else(|| {
                GpuError::Launch(format!("the module has no kernel {}", self.kernel))
            })?;
        Ok(Ready {
            function: module.function(self.kernel)?,
            grid: self.spec.grid,
            block: self.spec.block,
            dynamic_shared: self.spec.dynamic_shared,
            parameters: arguments::block(function, self.spec, &work.addresses())?,
        })
    }

    /// Runs a rewritten module. The error is there if the context is lost by it.
    fn subject(
        &self,
        program: &Program,
        kept: Option<&Kept<'c>>,
        variables: &[Variable],
        work: &Buffers<'c>,
    ) -> (Subject, Option<Module<'c>>, Option<GpuError>) {
        let mut subject = Subject {
            label: program.label.clone(),
            verdict: Verdict::NotCompared,
            compiled_by: None,
            resources: None,
            timing: None,
        };
        let mut run = || -> Result<Module<'c>, GpuError> {
            let (module, compiled_by) =
                program.load(self.context, self.device, self.options.compiler)?;
            subject.compiled_by = Some(compiled_by);
            // Variables with addresses, before the kernel may write to them.
            let pointing = variables.iter().filter(|one| !one.addresses.is_empty());
            let fresh = pointing.map(|variable| held(variable, &module));
            let fresh = match kept {
                Some(_) => fresh.collect::<Result<Vec<_>, _>>()?,
                None => Vec::new(),
            };
            subject.resources = Some(self.once(program, &module, work)?);
            if let Some(kept) = kept {
                subject.verdict = match self.difference(&module, kept, variables, fresh, work)? {
                    Some(difference) => Verdict::Different(difference),
                    None => Verdict::Equal,
                };
            }
            Ok(module)
        };
        match run() {
            Ok(module) => (subject, Some(module), None),
            Err(error) => {
                subject.verdict = Verdict::Failed(error.to_string());
                let lost = GpuError::fault(&error).then_some(error);
                (subject, None, lost)
            }
        }
    }

    fn difference(
        &self,
        module: &Module,
        kept: &Kept,
        variables: &[Variable],
        fresh: Vec<Vec<u8>>,
        work: &Buffers,
    ) -> Result<Option<Difference>, GpuError> {
        if let Some(found) = work.compare(kept, self.spec, self.helpers.as_ref())? {
            return Ok(Some(found));
        }
        let mut fresh = fresh.into_iter();
        for variable in variables {
            let bytes = &variable.bytes;
            let mut after = held(variable, module)?;
            let before = match variable.addresses.is_empty() {
                true => Vec::new(),
                false => fresh.next().unwrap_or_default(),
            };
            // An address that neither kernel has written over.
            for (range, address) in &variable.addresses {
                let range = range.clone();
                if bytes[range.clone()] == **address
                    && before.get(range.clone()) == after.get(range.clone())
                {
                    after[range].copy_from_slice(address);
                }
            }
            if let Some(found) = buffers::difference(bytes, &after, variable.element) {
                let buffer = variable.name.clone();
                return Ok(Some(Difference { buffer, ..found }));
            }
        }
        Ok(None)
    }

    /// Compares the original's buffers with what the executor computes.
    fn executor(&self, program: &Program, work: &Buffers) -> Result<String, GpuError> {
        if !small(self.spec) {
            return Ok("the launch is too large for the executor".to_owned());
        }
        let function = kernel(program, self.spec)?;
        let launch = self.spec.instantiate();
        let launch = launch.map_err(|error| GpuError::Launch(error.to_string()))?;
        let outcome =
            match ptxasw_executor::run(&program.module, function, &launch, Schedule::Lockstep) {
                Ok(outcome) => outcome,
                Err(error) => return Ok(format!("the executor fails: {error}")),
            };
        let kept = Kept::Host(outcome.buffers.into_iter().map(|b| b.bytes).collect());
        Ok(match work.compare(&kept, self.spec, None)? {
            None => "the executor's result is the same".to_owned(),
            Some(found) => format!(
                "{}[{}] is {} by the executor and {} here ({} differ)",
                found.buffer, found.element, found.original, found.rewritten, found.count
            ),
        })
    }

    /// Times all that was loaded.
    fn time(
        &self,
        programs: &[&Program],
        loaded: &[Option<Module<'c>>],
        work: &Buffers<'c>,
        report: &mut LaunchReport,
    ) {
        let kernels = (programs.iter().zip(loaded))
            .filter_map(|(program, module)| {
                let module = module.as_ref()?;
                Some(self.ready(program, module, work))
            })
            .collect::<Result<Vec<_>, GpuError>>();
        let times = kernels.and_then(|kernels| {
            timing::time(
                self.context,
                &kernels,
                self.options.counts,
                self.options.limit,
            )
        });
        match times {
            Ok(times) => {
                let mut times = times.into_iter();
                let original = &mut report.original;
                let subjects = [original].into_iter().chain(&mut report.rewritten);
                for (subject, _) in subjects.zip(loaded).filter(|(_, module)| module.is_some()) {
                    subject.timing = times.next();
                }
            }
            Err(error) => {
                report.hangs = error.hangs();
                report.not_timed = Some(error.to_string());
            }
        }
    }
}
