// What only LLVM's C++ interface has: cutting a block in two, and the registration of a pass.

#include "llvm-c/Core.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

// In Rust: rewrites a module; says whether anything was changed.
extern "C" bool ptxasw_rewrite(LLVMModuleRef module);

// Moves a load into a block of its own, which lanes pass where `covered` is false. Its users take `value` from the others.
extern "C" void ptxasw_guard_load(LLVMValueRef load, LLVMValueRef covered, LLVMValueRef value) {
  auto *moved = cast<Instruction>(unwrap(load));
  BasicBlock *head = moved->getParent();
  Value *corner = IRBuilder<>(moved).CreateNot(unwrap(covered));
  Instruction *end = SplitBlockAndInsertIfThen(corner, moved->getIterator(), false);
  BasicBlock *tail = moved->getParent();
  moved->moveBefore(end);
  auto *joined = PHINode::Create(moved->getType(), 2, "", tail->begin());
  joined->takeName(moved);
  joined->setDebugLoc(moved->getDebugLoc());
  moved->replaceAllUsesWith(joined);
  joined->addIncoming(unwrap(value), head);
  joined->addIncoming(moved, end->getParent());
}

namespace {
struct Stage : PassInfoMixin<Stage> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    return ptxasw_rewrite(wrap(&module)) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};
} // namespace

// Behind all of the optimiser's own passes, and under the name `ptxasw` for opt.
extern "C" void ptxasw_register(PassBuilder *builder) {
  builder->registerOptimizerLastEPCallback([](ModulePassManager &passes, OptimizationLevel level) {
    if (level != OptimizationLevel::O0)
      passes.addPass(Stage());
  });
  builder->registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        if (name != "ptxasw")
          return false;
        passes.addPass(Stage());
        return true;
      });
}

// Drops what can make the result of an instruction poison.
extern "C" void ptxasw_drop_flags(LLVMValueRef instruction) {
  cast<Instruction>(unwrap(instruction))->dropPoisonGeneratingAnnotations();
}

// Moves an instruction; debug records stay where they are.
extern "C" void ptxasw_move_before(LLVMValueRef moved, LLVMValueRef place) {
  cast<Instruction>(unwrap(moved))->moveBefore(cast<Instruction>(unwrap(place)));
}
