//! The options of `ptxas`, each with what follows it (12.9 and 13.5, probed: the help text alone is incomplete), and those
//! that no help lists but compilers pass.

/// What follows an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// Nothing; `-opt=value` is an error.
    Flag,
    /// One value, as `-opt VALUE` or `-opt=VALUE`.
    Value,
}

/// One option of `ptxas`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PtxasOption {
    /// With two dashes: `--gpu-name`.
    pub long: &'static str,
    /// With one dash: `-arch`.
    pub short: &'static str,
    /// What follows it.
    pub arity: Arity,
    /// What it means for us.
    pub meaning: Meaning,
}

/// What an option means for a stage in front of the assembler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// The output's path.
    Output,
    /// The target: `sm_80`, or `compute_80`, which only checks.
    Target,
    /// `-O0` to `-O4`.
    Level,
    /// A module as a string.
    InputAsString,
    /// A file with more options.
    OptionsFile,
    /// The machine code is to be as the text says, or the text's facts are overridden: the input is left alone.
    LeaveAlone,
    /// Reads or writes a file other than inputs and output, or puts something into the output that depends on the run.
    Aside,
    /// Prints something and ends.
    Asks,
    /// Prints the version and ends.
    Version,
    /// Nothing.
    Other,
}

const fn flag(long: &'static str, short: &'static str) -> PtxasOption {
    means(long, short, Arity::Flag, Meaning::Other)
}

const fn value(long: &'static str, short: &'static str) -> PtxasOption {
    means(long, short, Arity::Value, Meaning::Other)
}

const fn means(
    long: &'static str,
    short: &'static str,
    arity: Arity,
    meaning: Meaning,
) -> PtxasOption {
    PtxasOption {
        long,
        short,
        arity,
        meaning,
    }
}

/// All options.
pub const OPTIONS: &[PtxasOption] = &[
    value("--Ofast-compile", "-Ofc"),
    value(
        "--allow-expensive-optimizations",
        "-allow-expensive-optimizations",
    ),
    means(
        "--apply-controls",
        "-apply-controls",
        Arity::Value,
        Meaning::Aside,
    ),
    // Instruments the code for a debugging tool.
    means(
        "--compile-as-tools-patch",
        "-astoolspatch",
        Arity::Flag,
        Meaning::LeaveAlone,
    ),
    flag("--compile-only", "-c"),
    flag("--compiler-annotations", "-annotate"),
    value("--def-load-cache", "-dlcm"),
    value("--def-store-cache", "-dscm"),
    means("--device-debug", "-g", Arity::Flag, Meaning::LeaveAlone),
    value("--device-function-maxrregcount", "-func-maxrregcount"),
    value("--device-stack-protector", "-device-stack-protector"),
    flag("--disable-optimizer-constants", "-disable-optimizer-consts"),
    flag("--disable-warnings", "-w"),
    flag("--dont-merge-basicblocks", "-no-bb-merge"),
    value("--enable-func-clone-sc", "-enable-func-clone-sc"),
    value("--entry", "-e"),
    flag("--extensible-whole-program", "-ewp"),
    // With the two options on traces below: `nvcc -fdevice-time-trace`.
    means(
        "--fdevice-time-trace",
        "-fdevice-time-trace",
        Arity::Value,
        Meaning::Aside,
    ),
    value("--fmad", "-fmad"),
    value("--force-load-cache", "-flcm"),
    value("--force-store-cache", "-fscm"),
    means(
        "--ftrace-phase-after",
        "-ftrace-phase-after",
        Arity::Value,
        Meaning::Aside,
    ),
    flag("--g-tensor-memory-access-check", "-g-tmem-access-check"),
    flag("--generate-line-info", "-lineinfo"),
    flag("--gno-fabric-access-check", "-gno-fabric-access-check"),
    flag("--gno-tensor-memory-access-check", "-gno-tmem-access-check"),
    means("--gpu-name", "-arch", Arity::Value, Meaning::Target),
    means("--help", "-h", Arity::Flag, Meaning::Asks),
    means(
        "--input-as-string",
        "-ias",
        Arity::Value,
        Meaning::InputAsString,
    ),
    flag("--jobserver", "-jobserver"),
    // A barrier then counts warps, not threads: another machine than the one that the proofs speak of.
    means(
        "--legacy-bar-warp-wide-behavior",
        "-legacy-bar-warp-wide-behavior",
        Arity::Flag,
        Meaning::LeaveAlone,
    ),
    means("--list-arch", "-arch-ls", Arity::Flag, Meaning::Asks),
    means("--list-version", "-version-ls", Arity::Flag, Meaning::Asks),
    value("--machine", "-m"),
    flag(
        "--make-errors-visible-at-exit",
        "-make-errors-visible-at-exit",
    ),
    value("--maxntid", "-maxntid"),
    value("--maxrregcount", "-maxrregcount"),
    value("--minnctapersm", "-minnctapersm"),
    means("--opt-level", "-O", Arity::Value, Meaning::Level),
    flag("--optimize-float-atomics", "-opt-fp-atomics"),
    means(
        "--options-file",
        "-optf",
        Arity::Value,
        Meaning::OptionsFile,
    ),
    means("--output-file", "-o", Arity::Value, Meaning::Output),
    // `.maxntid` is no longer a fact.
    means(
        "--override-directive-values",
        "-override-directive-values",
        Arity::Flag,
        Meaning::LeaveAlone,
    ),
    value("--position-independent-code", "-pic"),
    flag("--preserve-relocs", "-preserve-relocs"),
    // Triton 3.7 and later.
    value("--regAllocOptLevel", "-regAllocOptLevel"),
    value("--register-usage-level", "-regUsageLevel"),
    flag("--return-at-end", "-ret-end"),
    // Checks every access for a debugging tool.
    means("--sanitize", "-sanitize", Arity::Value, Meaning::LeaveAlone),
    flag("--sp-bounds-check", "-sp-bounds-check"),
    value("--split-compile", "-split-compile"),
    flag(
        "--suppress-async-bulk-multicast-advisory-warning",
        "-suppress-async-bulk-multicast-advisory-warning",
    ),
    flag("--suppress-debug-info", "-suppress-debug-info"),
    flag(
        "--suppress-double-demote-warning",
        "-suppress-double-demote-warning",
    ),
    flag(
        "--suppress-position-independent-code-warning",
        "-suppress-position-independent-code-warning",
    ),
    flag(
        "--suppress-sparse-mma-advisory-info",
        "-suppress-sparse-mma-advisory-info",
    ),
    flag(
        "--suppress-stack-size-warning",
        "-suppress-stack-size-warning",
    ),
    means(
        "--use-trace-pid",
        "-use-trace-pid",
        Arity::Value,
        Meaning::Aside,
    ),
    flag("--verbose", "-v"),
    flag("--verbose2", "-v2"),
    means("--version", "-V", Arity::Flag, Meaning::Version),
    flag("--warn-on-double-precision-use", "-warn-double-usage"),
    flag("--warn-on-local-memory-usage", "-warn-lmem-usage"),
    flag("--warn-on-spills", "-warn-spills"),
    flag("--warning-as-error", "-Werror"),
];

/// The option that a name with its dashes stands for.
pub fn find(name: &str) -> Option<&'static PtxasOption> {
    OPTIONS
        .iter()
        .find(|option| option.long == name || option.short == name)
}
