#!/usr/bin/env bash
# The long tests: what `make test` samples is tried at length. One command with a seed and a budget; CONTRIBUTING.md says
# what each step looks for.
#
# usage: run.sh [STEP...]
#   SEED    the first seed of everything random (1)
#   BUDGET  how much is tried: 1 takes about an hour on two cores, and the random steps grow with it
set -uo pipefail
cd "$(dirname "$0")/../.."

SEED=${SEED:-1}
BUDGET=${BUDGET:-1}
steps=("$@")
[[ ${#steps[@]} -gt 0 ]] || steps=(random mutants patches schemes mutations sizes packages versions corpus sccache)
# An optimised build with the checks of a debug build: more is tried in the same time.
export CARGO_PROFILE_DEV_OPT_LEVEL=2 CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/soak
export PTXASW_SOAK=1

# Random kernels, as PTX and some as LLVM IR: rewritten under random options, executed before and after, compared.
random() {
  PTXASW_RANDOM=$((20000 * BUDGET)) PTXASW_RANDOM_SEED=$SEED cargo test --quiet --test suite --test llvm-suite random:: -- --nocapture
}

# Broken modules: rewritten or refused, never a panic.
mutants() {
  PTXASW_MUTANTS=$((60000 * BUDGET)) PTXASW_MUTANTS_SEED=$SEED cargo test --quiet --test suite mutants:: -- --nocapture
}

# Random patches that change nothing of what kernels compute: written, assembled, executed before and after, compared.
patches() {
  PTXASW_PATCHES=$((20 * BUDGET)) PTXASW_PATCHES_SEED=$SEED cargo test --quiet --test suite patches:: -- --nocapture
}

# All schemes under all schedules, for each module of the file tests, for hand-written kernels, and for LLVM IR.
schemes() {
  cargo test --quiet --test suite wrappings:: && cargo test --quiet --test golden --test llvm-golden -- --skip operations:: --skip passes::
}

# Every way to break the tool, under all adversaries, and every certificate by both solvers.
mutations() {
  cargo test --quiet --lib --test suite mutation && cargo test --quiet --test suite certificates::
}

# What `make test` tries in smaller sizes: large and long inputs, machine code of all targets, more kernels.
sizes() {
  cargo test --quiet --test suite -- growth:: hostile:: saturate::expressions sass:: report::a_page &&
    cargo test --quiet --test llvm-suite -- large:: write:: profit::
}

# The archive, the wheel and the Debian packages, installed. They have all programs, of which the test builds one.
packages() {
  cargo build --quiet || return
  cargo test --quiet --test suite packages:: -- --include-ignored
}

# All versions of LLVM that are here.
versions() {
  src/llvm/tests/versions.sh
}

# Some thousand modules of real compilers: parsed, rewritten, assembled, executed before and after.
corpus() {
  [[ -d target/corpus ]] || make corpus || return
  cargo build --quiet --release --target-dir target || return
  target/release/ptxasw corpus target/corpus --verify --profit always
}

# Compiler caches, local and distributed.
sccache() {
  SEED=$SEED tests/soak/sccache.sh
}

failed=()
for step in "${steps[@]}"; do
  if [[ $(type -t "$step") != function ]]; then
    echo "soak: no step \`$step\` (random, mutants, patches, schemes, mutations, sizes, packages, versions, corpus, sccache)" >&2
    exit 2
  fi
done
for step in "${steps[@]}"; do
  echo "== soak: $step (SEED=$SEED BUDGET=$BUDGET)"
  SECONDS=0
  "$step" || failed+=("$step")
  echo "== soak: $step took $SECONDS s"
done
[[ ${#failed[@]} == 0 ]] || { echo "soak: failed: ${failed[*]}" >&2; exit 1; }
echo "soak: all steps passed"
