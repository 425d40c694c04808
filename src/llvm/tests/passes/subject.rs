//! One file, and what the passes make of it.

use crate::files::assemble;
use crate::files::case::Case;
use crate::files::compare::{Rewritten, all_equal, all_equal_by_themselves};
use crate::passes::pass::{Double, Tested};
use inkwell::context::Context;
use ptxasw::Options;
use ptxasw::executor::Schedule;
use ptxasw::passes::Pass;
use ptxasw::passes::memory::{Loads, Memory};
use ptxasw::passes::saturate::Saturate;
use ptxasw::passes::scalar::{Division, Scalar};
use ptxasw::pipeline::ssa::{self, Report};
use ptxasw::toolchain::Arch;
use ptxasw::verify::{self, KernelReport, LaunchReport, NamedLaunch, Verdict};
use ptxasw_llvm::{outputs, read};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// What modules of LLVM IR are compiled for.
const ARCH: &str = "sm_80";

/// How many places each pass has rewritten.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sites {
    pub memory: usize,
    pub scalar: usize,
    pub division: usize,
    pub saturate: usize,
    pub double: usize,
    pub tested: usize,
}

/// A file with a meaning.
pub struct Subject {
    pub case: Case,
    is_ir: bool,
    passed: OnceLock<Result<Passed, String>>,
}

/// What the passes make of a file, as PTX.
struct Passed {
    sites: Sites,
    /// The original and the new text, if that is another.
    texts: Option<(Vec<u8>, Rewritten)>,
}

impl Subject {
    /// Reads a file below a folder; none if its module has no meaning.
    pub fn load(folder: &Path, path: &Path) -> Result<Option<Self>, String> {
        let case = Case::load(folder, path)?;
        let subject = Subject {
            is_ir: path.extension().is_some_and(|extension| extension == "ll"),
            case,
            passed: OnceLock::new(),
        };
        Ok(Some(subject).filter(|one| one.case.mode.is_module()))
    }

    fn passed(&self) -> Result<&Passed, String> {
        let passed = self.passed.get_or_init(|| match self.is_ir {
            true => of_ir(&self.case),
            false => of_ptx(&self.case),
        });
        passed.as_ref().map_err(Clone::clone)
    }

    /// How many places were rewritten.
    pub fn sites(&self) -> Result<Sites, String> {
        self.passed().map(|passed| passed.sites)
    }

    /// The new text, if anything was rewritten.
    pub fn text(&self) -> Result<Option<&[u8]>, String> {
        let texts = self.passed()?.texts.as_ref();
        Ok(texts.map(|(_, new)| &*new.text))
    }

    /// What the new text is assembled for.
    pub fn target(&self) -> Result<Arch, String> {
        match self.is_ir {
            true => ARCH.parse().map_err(|_| "no such target".to_owned()),
            false => assemble::target(self.case.text.as_bytes()),
        }
    }

    /// The new text leaves memory as the original does: under the launches of the file, or under such as are made up.
    pub fn equal(&self) -> Result<(), String> {
        let Some((original, new)) = &self.passed()?.texts else {
            return Ok(());
        };
        if self.case.launches.is_empty() {
            return all_equal_by_themselves(original, &[new]);
        }
        let equal = all_equal(&self.case, original, std::slice::from_ref(new));
        // Where lanes of the original race, or come to no end under some schedule, nothing else differs.
        equal.or_else(|error| match self.as_far_as_defined(original, &new.text) {
            Ok(true) => Ok(()),
            Ok(false) => Err(error),
            Err(error) => Err(error),
        })
    }

    /// Whether the original has a race or a deadlock, and all that is defined is equal.
    fn as_far_as_defined(&self, original: &[u8], new: &[u8]) -> Result<bool, String> {
        let read = |text| verify::Module::read(text).map_err(|error| error.to_string());
        let launches = self.case.launches.iter().map(|line| {
            Ok(NamedLaunch {
                name: "the launch of the file".to_owned(),
                kernel: line.kernel.clone(),
                launch: line.instantiate().map_err(|error| error.to_string())?,
            })
        });
        let options = verify::Options {
            launches: launches.collect::<Result<_, String>>()?,
            schedules: vec![Schedule::Lockstep, Schedule::Independent { seed: 1 }],
            jobs: 1,
            ..Default::default()
        };
        let reports = verify::verify(&read(original)?, &read(new)?, &options);
        let reports = reports.map_err(|error| error.to_string())?;
        let undefined = |launch: &LaunchReport| {
            launch.race.is_some() || !launch.racy.is_empty() || !launch.skipped.is_empty()
        };
        let mut launches = reports.iter().flat_map(|report| &report.launches);
        // Where all launches of the original race, nothing is defined.
        let equal = |report: &KernelReport| {
            matches!(report.verdict, Verdict::Equal | Verdict::CouldNotRun(_))
        };
        Ok(launches.any(undefined) && reports.iter().all(equal))
    }
}

/// All that the passes can do, whatever it costs.
fn options() -> Options {
    let mut options = Options {
        jobs: 1,
        ..Options::of_passes(&[&Memory, &Scalar, &Division, &Saturate, &Double, &Tested])
    };
    options.memory.loads = Loads::Always;
    options.saturation.exact = true;
    options
}

/// The places in reports of which none may be a refusal: a pass that asks first is never refused.
fn sites(reports: &[Report]) -> Result<Sites, String> {
    if let Some(refusal) = reports.iter().find_map(Report::refusal) {
        return Err(refusal);
    }
    let of = |pass: &dyn Pass| {
        let reports = reports.iter().filter(|report| report.pass == pass.name());
        let remarks = reports.flat_map(|report| &report.remarks);
        remarks.filter(|remark| remark.fate.is_done()).count()
    };
    Ok(Sites {
        memory: of(&Memory),
        scalar: of(&Scalar),
        division: of(&Division),
        saturate: of(&Saturate),
        double: of(&Double),
        tested: of(&Tested),
    })
}

fn rewritten(text: Vec<u8>) -> Rewritten {
    Rewritten {
        wrapping: None,
        text,
    }
}

fn of_ptx(case: &Case) -> Result<Passed, String> {
    let text = case.text.as_bytes();
    let passed = ssa::run(text, &options()).map_err(|error| error.to_string())?;
    let changed = passed.changed().next().is_some();
    Ok(Passed {
        sites: sites(&passed.reports)?,
        texts: changed.then(|| (text.to_vec(), rewritten(passed.text().to_vec()))),
    })
}

fn of_ir(case: &Case) -> Result<Passed, String> {
    let text = unfused(&case.text);
    let context = Context::create();
    let module = read::read(&context, text.as_bytes(), &case.name);
    let module = module.map_err(|error| error.to_string())?;
    let passed = ptxasw_llvm::stage::rewrite_with(
        &module,
        &options(),
        &ptxasw_llvm::stage::Extras::default(),
    )
    .map_err(|error| error.to_string())?;
    let sites = sites(&passed.passes)?;
    let changed = passed.passes.iter().any(|report| report.changed);
    // What LLVM's code generator does not take, it does not take afterwards.
    let original = changed.then(|| compiled(&text)).and_then(Result::ok);
    let texts = match original {
        Some(original) => {
            let new = compiled(&module.print_to_string().to_string())?;
            Some((original, rewritten(new)))
        }
        None => None,
    };
    Ok(Passed { sites, texts })
}

/// A module of which no products are fused with sums: which ones are, depends on the blocks that they are in.
fn unfused(text: &str) -> String {
    let text = text.replace(" contract ", " ").replace(" fast ", " ");
    text.replace(
        "\"unsafe-fp-math\"=\"true\"",
        "\"unsafe-fp-math\"=\"false\"",
    )
}

/// The PTX that LLVM's code generator makes of a module, with fusing switched off as far as options allow.
fn compiled(text: &str) -> Result<Vec<u8>, String> {
    let mut file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    let written = file.write_all(text.as_bytes());
    written.map_err(|error| error.to_string())?;
    let mut command = Command::new(outputs::generator());
    // Addresses of parameters need PTX 7.7.
    let options = ["-O3", "-fp-contract=off", "-mattr=+ptx78", "-o", "-"];
    let target = format!("-mcpu={ARCH}");
    let output = command.args(options).arg(target).arg(file.path()).output();
    let output = output.map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
