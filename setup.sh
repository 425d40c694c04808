#!/usr/bin/env bash
# Installs what is needed and missing: packages of the distribution (Debian 12, Ubuntu 24.04), Rust, and from PyPI NVIDIA's
# compilers and the solver Bitwuzla into target/toolchain. Nothing is touched that is already there; what could not be installed
# is named, one line each. Fails only if the project can't be built without it.
#
# usage: setup.sh [FOR]
#   demo      the command, and ptxas: neither LLVM nor tools of the tests
#   build     all programs
#   tests     all programs, and what `make test` calls: compilers, one more version of LLVM, solver, browser
#   packages  all programs, what makes packages of them, all versions of LLVM
#   all       tests and packages (default)
set -uo pipefail
cd "$(dirname "$0")"

PURPOSE=${1:-all}
case $PURPOSE in demo | build | tests | packages | all) ;; *)
  echo "setup: unknown purpose '$PURPOSE' (demo, build, tests, packages, all)" >&2
  exit 2
  ;;
esac
is_for() { [[ $PURPOSE == all || " $* " == *" $PURPOSE "* ]]; }

TOOLCHAIN=${PTXASW_TOOLCHAIN:-target/toolchain}
RUST_MINIMUM=1.90
# nvcc, cicc, ptxas and the disassemblers for sm_75 and later; the committed
# PTX was made by this version. The -cu12 wheel has ptxas for sm_50 and later.
CUDA=13.5
WHEELS=("nvidia-cuda-nvcc==$CUDA.*" "nvidia-nvvm==$CUDA.*" "nvidia-cuda-crt==$CUDA.*"
  "nvidia-cuda-runtime==$CUDA.*" "nvidia-cuda-cccl==13.*"
  "nvidia-cuda-nvdisasm==$CUDA.*" "nvidia-cuda-cuobjdump==$CUDA.*"
  "nvidia-cuda-nvcc-cu12==12.9.*")
# The two assemblers and the disassembler of them.
ASSEMBLERS=("nvidia-cuda-nvcc==$CUDA.*" "nvidia-cuda-nvdisasm==$CUDA.*" "nvidia-cuda-nvcc-cu12==12.9.*")
# What clang needs as a CUDA 12 toolkit, and builders and compilers that the drop-in assembler is tested with. Triton is the
# largest: 286 MB from PyPI, 1 GB on disk.
HOOKS=("nvidia-cuda-runtime-cu12==12.9.*" "nvidia-cuda-cccl-cu12==12.9.*" "nvidia-curand-cu12==10.3.*"
  "triton==3.9.*" "cmake==4.*" "ninja==1.*")
# What makes the Python wheel, and whose PTX the wheel's tests rewrite.
MAKERS=("maturin==1.16.*" "numba==0.68.*" "numba-cuda==0.30.*" "cupy-cuda13x==14.*" "nvidia-cuda-nvrtc==$CUDA.*")
# The second solver, which replays certificates besides Z3.
SOLVER=bitwuzla==0.9.1
# What makes Debian packages, built by cargo.
PACKER=3.8.0
# The version of LLVM besides 19 that `make test` tests: the oldest that is supported.
OTHER_LLVM=15

export PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
fatal=0

say() { echo "setup: $*"; }
have() { command -v "$1" > /dev/null 2>&1; }
missing() { say "could not install $*"; }
required() {
  missing "$*"
  fatal=1
}

# --- packages of the distribution -------------------------------------------

can_apt() { [[ $(id -u) == 0 ]] && have apt-get; }

apt_updated=0
apt_update() {
  [[ $apt_updated == 1 ]] || apt-get update -qq > "$log" 2>&1
  apt_updated=1
}

apt_install() { # PACKAGE...
  can_apt || return 1
  apt_update
  say "installing $*"
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" > "$log" 2>&1
}

z3_present() { pkg-config --exists z3 > /dev/null 2>&1; }
# The library to link with, its headers, and the program that says where they are.
llvm_present() { llvm-config-19 --link-shared --libs > /dev/null 2>&1 && [[ -d $(llvm-config-19 --includedir)/llvm-c ]]; }

needs_llvm() { [[ $PURPOSE != demo ]] && ! llvm_present; }

install_packages() {
  local packages=()
  have gcc || packages+=(gcc libc6-dev)
  have g++ || packages+=(g++)
  have make || packages+=(make)
  have pkg-config || packages+=(pkg-config)
  have python3 || packages+=(python3)
  z3_present || packages+=(libz3-dev)
  ! needs_llvm || packages+=(llvm-19-dev)
  [[ -e /etc/ssl/certs/ca-certificates.crt ]] || packages+=(ca-certificates)
  if [[ ${#packages[@]} -gt 0 ]]; then
    apt_install "${packages[@]}"
    have gcc && have g++ || required "gcc and g++ (apt install g++)"
    have pkg-config || required "pkg-config (apt install pkg-config)"
    z3_present || required "the Z3 library (apt install libz3-dev)"
    ! needs_llvm || required "LLVM 19 (apt install llvm-19-dev)"
    have python3 || missing "python3, which installs NVIDIA's compilers (apt install python3)"
  fi
  is_for tests || return 0
  # clang makes the committed clang PTX and LLVM IR; llvm-19 has llc and opt.
  packages=()
  have clang-19 || packages+=(clang-19)
  have llc-19 || packages+=(llvm-19)
  if [[ ${#packages[@]} -gt 0 ]]; then
    apt_install "${packages[@]}" || missing "${packages[*]} (apt install ${packages[*]}); only 'make kernels' needs it"
  fi
}

# What ends in an assembler besides CUDA's compilers, and a cache: for the tests of the drop-in.
install_build_tools() {
  local version packages=()
  have ccache || packages+=(ccache)
  # A folder in which a program finds nothing but what it names.
  have bwrap || packages+=(bubblewrap)
  # The recipe for many machines.
  have parallel || packages+=(parallel)
  # opt-viewer, which reads remarks.
  [[ -d /usr/lib/llvm-19/share/opt-viewer ]] || packages+=(llvm-19-tools)
  if ! compgen -G '/usr/lib/gcc/*/*/accel/nvptx-none/mkoffload' > /dev/null; then
    for version in 12 13 14; do
      can_apt && apt-cache show "gcc-$version-offload-nvptx" > /dev/null 2>&1 || continue
      packages+=("gcc-$version" "gcc-$version-offload-nvptx")
      break
    done
  fi
  [[ ${#packages[@]} == 0 ]] || apt_install "${packages[@]}" || missing "${packages[*]} (apt install ${packages[*]})"
}

# A system of its own, in which packages are installed.
install_package_tools() {
  local packages=()
  have mmdebstrap || packages+=(mmdebstrap)
  have dpkg-shlibdeps || packages+=(dpkg-dev)
  [[ ${#packages[@]} == 0 ]] || apt_install "${packages[@]}" || missing "${packages[*]} (apt install ${packages[*]})"
}

# Other versions of LLVM, for what is built for them: those that the distribution has.
install_other_llvm() {
  local version name packages
  for version in $(sed -n 's/^llvm\([0-9]*\) = .*/\1/p' src/llvm/Cargo.toml); do
    [[ $version != 19 ]] || continue
    is_for packages || [[ $version == "$OTHER_LLVM" ]] || continue
    packages=()
    [[ -d /usr/include/llvm-$version/llvm ]] || packages+=("llvm-$version-dev")
    have "llc-$version" || packages+=("llvm-$version")
    have "clang-$version" || packages+=("clang-$version")
    [[ ${#packages[@]} -gt 0 ]] && can_apt || continue
    compgen -G '/var/lib/apt/lists/*_Packages*' > /dev/null || apt_update
    for name in "${packages[@]}"; do
      apt-cache show "$name" > /dev/null 2>&1 || continue 2
    done
    apt_install "${packages[@]}" || missing "${packages[*]} (apt install ${packages[*]})"
  done
}

# The browser that pages of reports are seen in, and what drives it. Ubuntu has Chromium as a snap alone: there `CHROMIUM` names
# another one.
install_browser() {
  local tests=tests/report packages=()
  have node || packages+=(nodejs)
  have npm || packages+=(npm)
  have chromium || [[ -n ${CHROMIUM:-} ]] || packages+=(chromium fonts-dejavu-core)
  [[ ${#packages[@]} == 0 ]] || apt_install "${packages[@]}" || missing "${packages[*]} (apt install ${packages[*]})"
  cmp -s "$tests/package-lock.json" "$tests/node_modules/.lock" && return
  have npm || return
  say "installing playwright-core and axe-core (npm) into $tests"
  if npm ci --prefix "$tests" --no-audit --no-fund --ignore-scripts > "$log" 2>&1; then
    cp "$tests/package-lock.json" "$tests/node_modules/.lock"
  else
    missing "what drives the browser: $(tail -n 1 "$log")"
  fi
}

# --- Rust ---------------------------------------------------------------------

rust_present() {
  local version
  have cargo && have rustc && version=$(rustc --version 2> /dev/null | cut -d' ' -f2) &&
    [[ -n $version ]] &&
    [[ $(printf '%s\n' "$RUST_MINIMUM" "$version" | sort -V | head -1) == "$RUST_MINIMUM" ]]
}

# Debian 12 keeps a recent Rust for its browsers, Ubuntu 24.04 has rustup;
# elsewhere, or without root, rustup from its own site.
install_rust() {
  rust_present && return
  local triple
  if ! have rustup && can_apt; then
    apt_update
    if apt-cache show rustc-web > /dev/null 2>&1; then
      apt_install rustc-web cargo-web rustfmt-web rust-web-clippy
    elif apt-cache show rustup > /dev/null 2>&1; then
      apt_install rustup
    fi
    hash -r
    rust_present && return
  fi
  if ! have rustup && have python3; then
    triple=$(uname -m)-unknown-linux-gnu
    say "installing rustup"
    python3 - "https://static.rust-lang.org/rustup/dist/$triple/rustup-init" "$log.init" > "$log" 2>&1 << 'PY' &&
import sys, urllib.request
with urllib.request.urlopen(sys.argv[1], timeout=60) as page, open(sys.argv[2], "wb") as out:
    out.write(page.read())
PY
      chmod +x "$log.init" && "$log.init" -y -q --profile minimal --no-modify-path > "$log" 2>&1
    rm -f "$log.init"
    hash -r
  fi
  if have rustup && ! rust_present; then
    rustup -q toolchain install stable --profile minimal -c rustfmt -c clippy > "$log" 2>&1 &&
      rustup -q default stable > "$log" 2>&1
  fi
  rust_present || required "Rust: cargo >= $RUST_MINIMUM is needed (https://rustup.rs)"
}

rust_tools() {
  cargo fmt --version > /dev/null 2>&1 && cargo clippy --version > /dev/null 2>&1 && return
  have rustup && rustup -q component add rustfmt clippy > "$log" 2>&1 && return
  missing "rustfmt and clippy; 'make test' needs them"
}

# What makes Debian packages.
install_packer() {
  have cargo-deb || [[ -x target/tools/bin/cargo-deb ]] && return
  say "building cargo-deb into target/tools"
  cargo install --quiet --locked --root target/tools "cargo-deb@$PACKER" > "$log" 2>&1 ||
    missing "cargo-deb, which makes the Debian packages: $(tail -n 1 "$log")"
}

# --- NVIDIA's compilers from PyPI ---------------------------------------------

# A python that can make virtual environments, the distribution's own first.
make_venv() {
  local python
  for python in /usr/bin/python3 python3; do
    have "$python" && "$python" -m venv "$TOOLCHAIN" > "$log" 2>&1 && return
    rm -rf "$TOOLCHAIN"
  done
  return 1
}

# Without venv or ensurepip, any pip at hand fills a folder laid out the same way.
pip_into_folder() { # WHEEL...
  local python
  for python in python3 /usr/bin/python3; do
    have "$python" && "$python" -m pip --version > /dev/null 2>&1 || continue
    "$python" -m pip install -q --disable-pip-version-check \
      --target "$TOOLCHAIN/lib/python3/site-packages" "$@" > "$log" 2>&1 && return
  done
  return 1
}

install_wheels() {
  local stamp=$TOOLCHAIN/wheels.txt wheels=("${WHEELS[@]}")
  [[ -e $stamp && $(< "$stamp") == "${WHEELS[*]}" ]] && return
  if [[ $PURPOSE == demo ]]; then
    # Without the rest of the compiler, which they ask for.
    wheels=(--no-deps "${ASSEMBLERS[@]}")
    [[ -e $stamp && $(< "$stamp") == "${wheels[*]}" ]] && return
  fi
  have python3 || return
  say "installing NVIDIA's compilers (PyPI) into $TOOLCHAIN"
  rm -rf "$TOOLCHAIN"
  mkdir -p "$(dirname "$TOOLCHAIN")"
  if make_venv || { apt_install python3-venv && make_venv; }; then
    "$TOOLCHAIN/bin/python" -m pip install -q --disable-pip-version-check "${wheels[@]}" > "$log" 2>&1
  else
    pip_into_folder "${wheels[@]}"
  fi
  if [[ $? == 0 ]]; then
    echo "${wheels[*]}" > "$stamp"
  else
    missing "NVIDIA's wheels from PyPI: $(grep -m1 -i error "$log" || tail -n 1 "$log")"
    have ptxas || [[ -n ${CUDA_HOME:-} || -n ${PTXASW_PTXAS:-} ]] ||
      say "no ptxas: set CUDA_HOME or PTXASW_PTXAS, or install python3-venv"
  fi
}

# The site-packages folder of the wheels.
site_packages() { compgen -G "$TOOLCHAIN/lib/python3*/site-packages" | head -1; }

install_hooks() {
  local stamp=$TOOLCHAIN/hooks.txt
  [[ -e $stamp && $(< "$stamp") == "${HOOKS[*]}" ]] && return
  have python3 || return
  say "installing Triton, CMake, Ninja and CUDA 12's headers (PyPI) into $TOOLCHAIN"
  if [[ -x $TOOLCHAIN/bin/python ]]; then
    "$TOOLCHAIN/bin/python" -m pip install -q --disable-pip-version-check "${HOOKS[@]}" > "$log" 2>&1
  else
    pip_into_folder "${HOOKS[@]}"
  fi
  if [[ $? == 0 ]] && clang_home; then
    echo "${HOOKS[*]}" > "$stamp"
  else
    missing "the wheels that the drop-in is tested with: $(grep -m1 -i error "$log" || tail -n 1 "$log")"
  fi
}

install_makers() {
  local stamp=$TOOLCHAIN/makers.txt
  [[ -e $stamp && $(< "$stamp") == "${MAKERS[*]}" ]] && return
  [[ -x $TOOLCHAIN/bin/python ]] || return
  say "installing maturin, Numba and CuPy (PyPI) into $TOOLCHAIN"
  if "$TOOLCHAIN/bin/python" -m pip install -q --disable-pip-version-check "${MAKERS[@]}" > "$log" 2>&1; then
    echo "${MAKERS[*]}" > "$stamp"
  else
    missing "what the wheel is made and tested with: $(tail -n 1 "$log")"
  fi
}

# CUDA 12 as one folder, from its wheels, as clang wants it. They lack `fatbinary`: that of CUDA 13 is called, whose
# options have other names. They lack `nvcc`, too, which CMake asks where its toolkit is, even if clang is to compile.
clang_home() {
  local home=$TOOLCHAIN/cuda12 site part
  site=$(realpath "$(site_packages)") || return
  rm -rf "$home"
  mkdir -p "$home/bin" "$home/include" "$home/lib64" || return
  for part in cuda_runtime cuda_nvcc cuda_cccl curand; do
    cp -asf "$site/nvidia/$part/include/." "$home/include/" || return
  done
  ln -s "$site/nvidia/cuda_nvcc/nvvm" "$home/nvvm"
  ln -s "$site/nvidia/cuda_nvcc/bin/ptxas" "$home/bin/ptxas"
  ln -s "$site"/nvidia/cuda_runtime/lib/lib* "$home/lib64/"
  ln -s libcudart.so.12 "$home/lib64/libcudart.so"
  cat > "$home/bin/fatbinary" << EOF
#!/usr/bin/env bash
# clang names images as --image=profile=sm_80,file=F, fatbinary 13 as --image3=kind=elf,sm=80,file=F.
words=()
for word in "\$@"; do
  case \$word in
    --image=profile=sm_*,file=*) kind=elf rest=\${word#--image=profile=sm_} ;;
    --image=profile=compute_*,file=*) kind=ptx rest=\${word#--image=profile=compute_} ;;
    *) kind= ;;
  esac
  [[ -z \$kind ]] || word="--image3=kind=\$kind,sm=\${rest%%,*},file=\${rest#*,file=}"
  words+=("\$word")
done
exec "$site/nvidia/cu13/bin/fatbinary" "\${words[@]}"
EOF
  printf '#!/bin/sh\necho "#$ TOP=%s" >&2\n' "$(realpath "$home")" > "$home/bin/nvcc"
  chmod +x "$home/bin/fatbinary" "$home/bin/nvcc"
}

# Only a wheel that fits: building it from source needs too much.
install_solver() {
  local stamp=$TOOLCHAIN/solver.txt
  [[ -e $stamp && $(< "$stamp") == "$SOLVER" ]] && return
  have python3 || return
  say "installing $SOLVER (PyPI) into $TOOLCHAIN"
  mkdir -p "$TOOLCHAIN"
  if [[ -x $TOOLCHAIN/bin/python ]]; then
    "$TOOLCHAIN/bin/python" -m pip install -q --disable-pip-version-check \
      --only-binary :all: "$SOLVER" > "$log" 2>&1
  else
    pip_into_folder --only-binary :all: "$SOLVER"
  fi
  if [[ $? == 0 ]]; then
    echo "$SOLVER" > "$stamp"
  else
    missing "$SOLVER from PyPI, without which certificates are replayed by Z3 alone: $(grep -m1 -i error "$log" || tail -n 1 "$log")"
  fi
}

install_packages
is_for tests && install_build_tools
is_for packages && install_package_tools
is_for tests packages && install_other_llvm
is_for tests && install_browser
install_rust
is_for tests && rust_tools
is_for packages && install_packer
is_for demo tests packages && install_wheels
is_for tests && install_hooks
is_for packages && install_makers
is_for tests && install_solver
exit $fatal
