# make demo     set up and build the command alone, show what it does by default for sm_90: a kernel that changes and one that stays
# make demo-pascal  the same for shuffles: sm_60, where they are the default, and sm_80, where they are asked for
# make test     set up, then every check: format, lints, docs, tests
# make soak     what `make test` samples, at length: SEED (1), BUDGET (1, about an hour), STEPS (all); see CONTRIBUTING.md
# make fuzz     cargo-fuzz targets, SECONDS_EACH (60) seconds each
# make miri     Miri on the edit list and on the arena of terms (nightly, with the component miri)
# make deny     cargo-deny: advisories, licences, duplicates and sources of all crates (CHECKS="licenses bans sources" without GitHub)
# make bench    timings of every stage beside those of ptxas; machine code of every wrapping
# make corpus   PTX of many producers from sources of ours, into target/corpus (minutes)
# make bench-gpu  times of rewritten kernels on a GPU
# make kernels  regenerate the committed PTX and LLVM IR from our CUDA C
# make release  the programs in target/dist, without debug information, which lies beside them (PROGRAM.debug)
# make packages an archive, the Python wheel and the Debian packages of the release programs, into target/packages; for other versions of LLVM, too: VERSIONS="15 16"
# make llvm     the part that reads LLVM IR for another version (VERSION=16) beside the programs of `make release`
# make aarch64  the same for 64-bit Arm (Grace), cross-compiled, with TESTS ("golden verify") run under qemu-user
# make bless    renew the expectations of the file tests

SHELL := /bin/bash
export PATH := $(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin
export PTXASW_TOOLCHAIN ?= $(CURDIR)/target/toolchain
export RUSTDOCFLAGS ?= -Dwarnings

.PHONY: demo demo-pascal release packages llvm aarch64 test soak fuzz miri deny bench bench-gpu corpus kernels bless setup setup-%

setup:
	@./setup.sh

# What one purpose needs: demo, build, tests, packages.
setup-%:
	@./setup.sh $*

demo: setup-demo
	@cargo build --profile demo --bin ptxasw --quiet
	@ptx-tests/demo.sh

demo-pascal: setup-demo
	@cargo build --profile demo --bin ptxasw --quiet
	@ptx-tests/demo.sh pascal

# Debuggers and profilers find PROGRAM.debug by the link that the program keeps. Cargo's own file of a program stays as it is: the
# next call splits it again.
release: setup-build
	cargo build --profile dist
	@cd target/dist && for program in ptxasw ptxasw-llvm; do \
	  objcopy --only-keep-debug $$program $$program.debug && \
	  objcopy --strip-all --add-gnu-debuglink=$$program.debug $$program $$program.split && \
	  mv $$program.split $$program && ls -sh $$program || exit 1; \
	done

packages: setup-packages
	for version in $(VERSIONS); do src/llvm/version.sh $$version || exit 1; done
	$(MAKE) release
	PACKAGE_LLVM="$(VERSIONS)" src/archive/archive.sh target/dist target/packages
	src/python/wheel.sh target/dist target/packages
	PACKAGE_LLVM="$(VERSIONS)" src/debian/package.sh target/dist target/packages

llvm: setup-packages
	src/llvm/version.sh $(VERSION)

aarch64: setup-packages
	tests/packages/aarch64.sh target/packages $(TESTS)

# Fuzz targets are linted without libFuzzer, which would be compiled otherwise. With examples, what is documented needs the same
# crates as what is tested.
test: setup-tests
	cargo fmt --all --check
	CUSTOM_LIBFUZZER_PATH=/dev/null cargo clippy --workspace --all-targets --quiet -- -D warnings
	cargo clippy --quiet -p ptxasw --no-default-features -- -D warnings
	cargo doc --no-deps --quiet --lib --bins --examples
	tests/run.sh
	src/llvm/tests/versions.sh 15

soak: setup
	SEED=$(or $(SEED),1) BUDGET=$(or $(BUDGET),1) tests/soak/run.sh $(STEPS)

fuzz: setup-tests
	fuzz/run.sh $(TARGETS)

# Z3 can't run there, and larger tests take hours. Proptest looks for its folder.
miri: export MIRIFLAGS = -Zmiri-disable-isolation
miri: export PROPTEST_CASES = 2
miri:
	cargo +nightly miri test --target-dir target/miri --lib -p ptxasw-emulator -p ptxasw-ptx -- text::edit term::

deny:
	@cargo deny --version >/dev/null 2>&1 || cargo install --locked cargo-deny
	cargo deny check $(CHECKS)

bench: setup-tests
	cargo bench

bench-gpu:
	benches/gpu/run.sh

corpus: setup
	benches/corpus/generate.py

kernels: setup-tests
	ptx-tests/generate.sh

bless: setup-tests
	export PTXASW_BLESS=1; cargo test --no-fail-fast --test golden --test llvm-golden; \
	  cargo test --no-fail-fast --test suite --test llvm-suite -- command:: dropin::arguments memory::decided verify:: wrappings::golden
