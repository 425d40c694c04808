//! CUDA 13's `fatbinary` names images in other words than clang does.

use super::steps::CompilerCommand;
use std::ffi::OsString;
use std::process::Command;

/// The step in words that its program knows.
pub fn translated(step: CompilerCommand) -> CompilerCommand {
    let old = |word: &OsString| image(word).is_some();
    if !step.words.iter().any(old) || !is_new(&step) {
        return step;
    }
    let words = step.words.into_iter();
    CompilerCommand {
        words: words.map(|word| image(&word).unwrap_or(word)).collect(),
    }
}

/// Whether the program knows `--image3` and no longer `--image`. One that says nothing is taken as clang takes it.
fn is_new(step: &CompilerCommand) -> bool {
    let Some(program) = step.words.first() else {
        return false;
    };
    let Ok(output) = Command::new(program).arg("--help").output() else {
        return false;
    };
    let help = String::from_utf8_lossy(&output.stdout);
    help.contains("-image3 ") && !help.contains("-image ")
}

/// `--image=profile=sm_80,file=F` as `--image3=kind=elf,sm=80,file=F`.
fn image(word: &OsString) -> Option<OsString> {
    let rest = word.to_str()?.strip_prefix("--image=profile=")?;
    let (profile, file) = rest.split_once(',')?;
    let (kind, number) = match (
        profile.strip_prefix("sm_"),
        profile.strip_prefix("compute_"),
    ) {
        (Some(number), _) => ("elf", number),
        (_, Some(number)) => ("ptx", number),
        _ => return None,
    };
    Some(format!("--image3=kind={kind},sm={number},{file}").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_named_anew() {
        let new = |word: &str| image(&word.into());
        assert_eq!(
            new("--image=profile=sm_90a,file=a b.o").unwrap(),
            "--image3=kind=elf,sm=90a,file=a b.o"
        );
        assert_eq!(
            new("--image=profile=compute_80,file=a,b.s").unwrap(),
            "--image3=kind=ptx,sm=80,file=a,b.s"
        );
        assert!(new("--image3=kind=elf,sm=80,file=a").is_none() && new("--create").is_none());
    }
}
