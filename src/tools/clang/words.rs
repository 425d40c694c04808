//! Arguments of the compiler proper (`clang -cc1`): which steps make PTX, and the same step cut in two.

use super::steps::CompilerCommand;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Languages of a device step.
const LANGUAGES: &[&str] = &["cuda", "cuda-cpp-output", "ir"];

/// Whether a step compiles for an NVIDIA device, with optimisation, and ends in PTX.
pub fn is_device(step: &CompilerCommand) -> bool {
    let words = &step.words;
    let has = |word: &str| words.iter().any(|one| one == word);
    let triple = value(words, "-triple")
        .unwrap_or_default()
        .as_encoded_bytes();
    let language = value(words, "-x").unwrap_or_default();
    words.get(1).is_some_and(|word| word == "-cc1")
        && triple.starts_with(b"nvptx64")
        && has("-S")
        && LANGUAGES.iter().any(|one| language == *one)
        && value(words, "-o").is_some()
        && optimized(words)
}

/// Whether the compiler optimises: a debug build, and `-O0`, are not ours to change.
fn optimized(words: &[OsString]) -> bool {
    level(words).is_some_and(|level| level != "-O0")
}

fn is_level(word: &&OsString) -> bool {
    word.as_encoded_bytes().starts_with(b"-O")
}

/// The value of the last such option.
pub fn value<'w>(words: &'w [OsString], option: &str) -> Option<&'w OsStr> {
    let at = words.iter().rposition(|word| word == option)?;
    words.get(at + 1).map(OsString::as_os_str)
}

/// Sets the value of an option, in either form: `--output-file FILE`, `-o FILE`.
pub fn set_value(words: &mut [OsString], option: &str, value: &OsStr) -> bool {
    let at = words.iter().rposition(|word| word == option);
    match at.and_then(|at| words.get_mut(at + 1)) {
        Some(old) => {
            *old = value.to_os_string();
            true
        }
        None => false,
    }
}

/// The step as far as bitcode, after all of the compiler's optimisation.
pub fn to_bitcode(step: &CompilerCommand, bitcode: &OsStr) -> Option<CompilerCommand> {
    let mut words = step.words.clone();
    let at = words.iter().rposition(|word| word == "-S")?;
    words[at] = "-emit-llvm-bc".into();
    set_value(&mut words, "-o", bitcode).then_some(CompilerCommand { words })
}

/// The rest of the step, from optimised bitcode on. The compiler itself would not do: for IR it forgets what CUDA's language
/// implies for its code generator. LLVM's own driver has options for that.
pub fn from_bitcode(
    step: &CompilerCommand,
    llc: &Path,
    bitcode: &OsStr,
    output: &OsStr,
) -> Option<CompilerCommand> {
    let words = &step.words;
    let mut generator = vec![llc.into(), level(words)?.into(), contraction(words).into()];
    let target = value(words, "-target-cpu")?;
    generator.push(joined("-mcpu=", target));
    let mut features = OsString::new();
    for feature in values(words, "-target-feature") {
        features.push(if features.is_empty() { "" } else { "," });
        features.push(feature);
    }
    if !features.is_empty() {
        generator.push(joined("-mattr=", &features));
    }
    if let Some(debugger) = words
        .iter()
        .find_map(|word| word.to_str()?.strip_prefix("-debugger-tuning="))
    {
        generator.push(format!("-debugger-tune={debugger}").into());
    }
    // Comments, which LLVM's own driver writes unless it is told not to.
    let verbose = |word: &&OsString| *word == "-fno-verbose-asm";
    generator.extend(
        words
            .iter()
            .find(verbose)
            .map(|_| "-asm-verbose=false".into()),
    );
    // Names of blocks appear in comments.
    let anonymous = words.iter().filter(|word| *word == "-discard-value-names");
    generator.extend(anonymous.take(1).cloned());
    generator.extend(values(words, "-mllvm").map(OsStr::to_os_string));
    generator.extend([bitcode.into(), "-o".into(), output.into()]);
    Some(CompilerCommand { words: generator })
}

/// The code generator's level.
fn level(words: &[OsString]) -> Option<&'static str> {
    let level = words.iter().rev().find(is_level)?;
    Some(match level.to_str()? {
        "-O0" => "-O0",
        "-O1" => "-O1",
        "-O" | "-O2" | "-Os" | "-Oz" => "-O2",
        "-O3" | "-O4" | "-Ofast" => "-O3",
        _ => return None,
    })
}

/// Whether products and sums are fused: they are, unless an option forbids it. For IR nothing is implied.
fn contraction(words: &[OsString]) -> &'static str {
    let mode = words
        .iter()
        .rev()
        .find_map(|word| word.to_str()?.strip_prefix("-ffp-contract="));
    let cuda = value(words, "-x").is_some_and(|language| language != "ir");
    match mode {
        _ if !cuda => "-fp-contract=on",
        None | Some("fast" | "fast-honor-pragmas") => "-fp-contract=fast",
        Some(_) => "-fp-contract=on",
    }
}

fn joined(option: &str, value: &OsStr) -> OsString {
    let mut word = OsString::from(option);
    word.push(value);
    word
}

/// The values of all such options, in order.
pub fn values<'w>(words: &'w [OsString], option: &'w str) -> impl Iterator<Item = &'w OsStr> {
    let pairs = words.windows(2).filter(move |pair| pair[0] == option);
    pairs.map(|pair| pair[1].as_os_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(text: &str) -> CompilerCommand {
        CompilerCommand {
            words: text.split(' ').map(OsString::from).collect(),
        }
    }

    #[test]
    fn a_step_is_cut_in_two() {
        let step = step(
            "clang -cc1 -triple nvptx64-nvidia-cuda -S -target-cpu sm_80 -target-feature +ptx85 -mllvm -a=1 -O2 -Os -o a.s -x cuda a.cu",
        );
        assert!(is_device(&step));
        let first = to_bitcode(&step, OsStr::new("a.bc")).unwrap();
        let expected = self::step(
            "clang -cc1 -triple nvptx64-nvidia-cuda -emit-llvm-bc -target-cpu sm_80 -target-feature +ptx85 -mllvm -a=1 -O2 -Os -o a.bc -x cuda a.cu",
        );
        assert_eq!(first, expected);
        let second = from_bitcode(
            &step,
            Path::new("llc"),
            OsStr::new("b.bc"),
            OsStr::new("a.s"),
        );
        let expected =
            self::step("llc -O2 -fp-contract=fast -mcpu=sm_80 -mattr=+ptx85 -a=1 b.bc -o a.s");
        assert_eq!(second.unwrap(), expected);
        // clang 15 and 16 have no comments in their PTX.
        let plain = self::step("clang -cc1 -fno-verbose-asm -O2 -target-cpu sm_80");
        let files = ["b.bc", "a.s"].map(OsStr::new);
        let second = from_bitcode(&plain, Path::new("llc"), files[0], files[1]).unwrap();
        assert!(second.words.contains(&"-asm-verbose=false".into()));
    }

    #[test]
    fn fusion_is_as_the_compiler_has_it() {
        let mode = |words: &str| contraction(&step(words).words);
        assert_eq!(mode("-x cuda"), "-fp-contract=fast");
        assert_eq!(
            mode("-ffp-contract=fast -ffp-contract=off -x cuda"),
            "-fp-contract=on"
        );
        assert_eq!(mode("-x ir"), "-fp-contract=on");
    }

    #[test]
    fn only_optimised_device_steps_are_ours() {
        for other in [
            "clang -cc1 -triple nvptx64-nvidia-cuda -S -O0 -o a.s -x cuda a.cu",
            "clang -cc1 -triple nvptx64-nvidia-cuda -S -o a.s -x cuda a.cu",
            "clang -cc1 -triple nvptx64-nvidia-cuda -E -O2 -o a.cui -x cuda a.cu",
            "clang -cc1 -triple x86_64-pc-linux-gnu -S -O2 -o a.s -x cuda a.cu",
            "ld -S -o a.s a.o",
        ] {
            assert!(!is_device(&step(other)), "{other}");
        }
    }
}
