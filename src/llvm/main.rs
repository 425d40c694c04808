//! The program `ptxasw-llvm`, to which `ptxasw` hands LLVM IR.

use std::process::ExitCode;

fn main() -> ExitCode {
    ptxasw::support::malloc::prepare();
    ptxasw_llvm::cli::main()
}
