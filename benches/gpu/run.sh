#!/bin/sh
# Times KernelGen at the paper's sizes on a GPU: the original, every wrapping that gives a text of its own, the measuring
# variants. Writes a Markdown table and all figures as JSON to OUT. Needs the built command, ptxas and this repository; the
# largest kernel needs 48 GiB on the device, one that does not fit is left out with a message.
#
#   OUT=FOLDER      target/bench-gpu
#   ARCH=sm_90      which of the committed modules: sm_80, sm_90, clang
#   COMPILER=driver who makes machine code: ptxas -O3 for the GPU's architecture, driver, auto
#   DEVICE=1        number of the GPU
set -eu
cd "$(dirname "$0")/../.."
out=${OUT:-target/bench-gpu}
arch=${ARCH:-sm_80}
ptxasw=${PTXASW:-target/release/ptxasw}

if [ ! -x "$ptxasw" ]; then
  cargo build --release --quiet
fi
modules=
for launch in benches/gpu/*.toml; do
  modules="$modules ptx-tests/kernelgen/$(basename "$launch" .toml).$arch.ptx"
done
mkdir -p "$out"
# Not in a pipe: the exit code tells whether results differ.
code=0
# shellcheck disable=SC2086
"$ptxasw" time $modules --launch benches/gpu --compiler "${COMPILER:-ptxas}" --device "${DEVICE:-0}" \
  --markdown --json="$out/kernelgen.$arch.json" > "$out/kernelgen.$arch.md" || code=$?
cat "$out/kernelgen.$arch.md"
exit $code
