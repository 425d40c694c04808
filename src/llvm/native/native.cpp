// What only LLVM's C++ interface has: all of a module's text, cutting a block in two, the registration of a pass.

#include "versions.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

// In Rust: rewrites a module; says whether anything was changed.
extern "C" bool ptxasw_rewrite(LLVMModuleRef module);

// Prints a module for `take`. The text of LLVM's C interface ends at its first NUL, and the name of an attribute may have one.
extern "C" void ptxasw_print(LLVMModuleRef module, void (*take)(void *, const char *, size_t), void *context) {
  std::string text;
  raw_string_ostream stream(text);
  unwrap(module)->print(stream, nullptr);
  stream.flush();
  take(context, text.data(), text.size());
}

// As plugin.rs has it.
static_assert(LLVM_PLUGIN_API_VERSION == (LLVM_VERSION_MAJOR >= 22 ? 2 : 1) &&
              sizeof(PassPluginLibraryInfo) == (LLVM_VERSION_MAJOR >= 22 ? 5 : 4) * sizeof(void *));

namespace {
struct Stage : PassInfoMixin<Stage> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    return ptxasw_rewrite(wrap(&module)) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};
} // namespace

// After all of the optimiser's own passes, and under the name `ptxasw` for opt.
extern "C" void ptxasw_register(PassBuilder *builder) {
  builder->registerOptimizerLastEPCallback([](ModulePassManager &passes, OptimizationLevel level, auto...) {
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

// Moves an instruction; debug records stay where they are.
extern "C" void ptxasw_move_before(LLVMValueRef moved, LLVMValueRef place) {
  versions::moveBefore(*cast<Instruction>(unwrap(moved)), *cast<Instruction>(unwrap(place)));
}

// Fails the compilation, with a message.
extern "C" void ptxasw_fail(LLVMModuleRef module, const char *message) {
  unwrap(module)->getContext().emitError(message);
}

// The least and the greatest number that an integer may be, by `!range` of a load or call, or `range` of a parameter or call.
extern "C" bool ptxasw_promised_range(LLVMValueRef given, uint64_t *low, uint64_t *high) {
  auto *value = unwrap(given);
  if (!value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 64)
    return false;
  std::optional<ConstantRange> range;
  if (auto *argument = dyn_cast<Argument>(value))
    range = versions::rangeAttribute(*argument);
  else if (auto *call = dyn_cast<CallBase>(value))
    range = versions::rangeAttribute(*call);
  if (auto *instruction = dyn_cast<Instruction>(value); instruction && !range)
    if (MDNode *node = instruction->getMetadata(LLVMContext::MD_range))
      range = getConstantRangeFromMetadata(*node);
  if (!range || range->isFullSet() || range->isEmptySet())
    return false;
  *low = range->getLower().getZExtValue();
  *high = (range->getUpper() - 1).getZExtValue();
  return true;
}

// What `llvm.assume` says of integers at the start of a function, which every thread that runs it comes to.
extern "C" void ptxasw_assumed_ranges(LLVMValueRef function,
                                      void (*found)(void *, LLVMValueRef, LLVMValueRef, uint64_t, uint64_t), void *context) {
  using namespace PatternMatch;
  MapVector<Value *, std::pair<ConstantRange, Instruction *>> ranges;
  for (Instruction &instruction : cast<Function>(unwrap(function))->getEntryBlock()) {
    versions::Predicate predicate;
    Value *value;
    const APInt *limit, *offset;
    if (auto *assume = dyn_cast<AssumeInst>(&instruction);
        assume && match(assume->getArgOperand(0), m_ICmp(predicate, m_Value(value), m_APInt(limit)))) {
      ConstantRange range = ConstantRange::makeExactICmpRegion(predicate, *limit);
      if (Value *inner; match(value, m_Add(m_Value(inner), m_APInt(offset)))) {
        value = inner;
        range = range.subtract(*offset);
      }
      auto [known, added] = ranges.insert({value, {range, assume}});
      if (!added)
        known->second.first = known->second.first.intersectWith(range);
    }
    if (!isGuaranteedToTransferExecutionToSuccessor(&instruction))
      break;
  }
  for (auto &[value, known] : ranges) {
    auto &[range, assume] = known;
    bool narrow = value->getType()->isIntegerTy() && value->getType()->getIntegerBitWidth() <= 64;
    if (narrow && !range.isFullSet() && !range.isEmptySet())
      found(context, wrap(value), wrap(assume), range.getLower().getZExtValue(), (range.getUpper() - 1).getZExtValue());
  }
}

namespace {
// What shuffles and votes do: they touch what no pointer leads to, and lanes wait for each other.
template <typename Callable> void talk(Callable &callable) {
  versions::addInaccessibleMemory(callable);
  callable.removeFnAttr(Attribute::NoSync);
  callable.setConvergent();
}
} // namespace

// The function that holds an instruction talks to other lanes now, and so do those that call it.
extern "C" void ptxasw_talks(LLVMValueRef inside) {
  SmallVector<Function *, 4> work{cast<Instruction>(unwrap(inside))->getFunction()};
  SmallPtrSet<Function *, 4> seen;
  while (!work.empty()) {
    Function *function = work.pop_back_val();
    // What a call says of itself is looked at, even where the function says the same already.
    if (!seen.insert(function).second)
      continue;
    talk(*function);
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == function) {
        talk(*call);
        work.push_back(call->getFunction());
      }
  }
}
