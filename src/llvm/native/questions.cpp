// Questions that LLVM's C interface answers only in later versions, or not for all values.

#include "versions.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

// Whether pointers have element types, as LLVM 15 and 16 read them by an option.
extern "C" bool ptxasw_has_typed_pointers(LLVMModuleRef module) {
#if LLVM_VERSION_MAJOR < 17
  return unwrap(module)->getContext().supportsTypedPointers();
#else
  (void)module;
  return false;
#endif
}

// `nuw` (1) and `nsw` (2).
extern "C" unsigned ptxasw_no_wrap(LLVMValueRef given) {
  auto *operation = dyn_cast<OverflowingBinaryOperator>(unwrap(given));
  return operation ? operation->hasNoUnsignedWrap() | operation->hasNoSignedWrap() << 1 : 0;
}

// `reassoc` (1), `nnan` (2), `ninf` (4), `nsz` (8), `arcp` (16) and `contract` (32).
extern "C" unsigned ptxasw_fast_math(LLVMValueRef given) {
  auto *operation = dyn_cast<FPMathOperator>(unwrap(given));
  if (!operation)
    return 0;
  FastMathFlags flags = operation->getFastMathFlags();
  return flags.allowReassoc() | flags.noNaNs() << 1 | flags.noInfs() << 2 | flags.noSignedZeros() << 3 |
         flags.allowReciprocal() << 4 | flags.allowContract() << 5;
}

// `disjoint`, which LLVM 18 was the first to have.
extern "C" bool ptxasw_is_disjoint(LLVMValueRef given) {
#if LLVM_VERSION_MAJOR >= 18
  auto *operation = dyn_cast<PossiblyDisjointInst>(unwrap(given));
  return operation && operation->isDisjoint();
#else
  (void)given;
  return false;
#endif
}

// `nneg`, which LLVM 18 was the first to have.
extern "C" bool ptxasw_is_not_negative(LLVMValueRef given) {
#if LLVM_VERSION_MAJOR >= 18
  auto *operation = dyn_cast<PossiblyNonNegInst>(unwrap(given));
  return operation && operation->hasNonNeg();
#else
  (void)given;
  return false;
#endif
}

// `samesign`, which LLVM 20 was the first to have.
extern "C" bool ptxasw_has_same_sign(LLVMValueRef given) {
#if LLVM_VERSION_MAJOR >= 20
  auto *comparison = dyn_cast<ICmpInst>(unwrap(given));
  return comparison && comparison->hasSameSign();
#else
  (void)given;
  return false;
#endif
}

extern "C" bool ptxasw_has_bundles(LLVMValueRef given) { return cast<CallBase>(unwrap(given))->hasOperandBundles(); }

// What `memory(...)` of a call and of what it calls leave, of all kinds of memory together: whether it may read (1), may write (2).
extern "C" unsigned ptxasw_memory_effects(LLVMValueRef given) {
  auto *call = cast<CallBase>(unwrap(given));
  bool reads = !call->onlyWritesMemory(), writes = !call->onlyReadsMemory();
  return reads | writes << 1;
}

// How LLVM IR spells the operation of an `atomicrmw`.
extern "C" void ptxasw_atomic_operation(LLVMValueRef given, void (*take)(void *, const char *, size_t), void *context) {
  StringRef name = AtomicRMWInst::getOperationName(cast<AtomicRMWInst>(unwrap(given))->getOperation());
  take(context, name.data(), name.size());
}

// Gives text, then constraints; says whether there are side effects.
extern "C" bool ptxasw_assembly(LLVMValueRef given, void (*take)(void *, const char *, size_t), void *context) {
  auto *assembly = cast<InlineAsm>(unwrap<Value>(given));
  for (StringRef text : {StringRef(assembly->getAsmString()), StringRef(assembly->getConstraintString())})
    take(context, text.data(), text.size());
  return assembly->hasSideEffects();
}

// Whether arithmetic on single precision flushes, which attributes say in different words.
extern "C" bool ptxasw_flushes(LLVMValueRef given) {
  auto *function = cast<Function>(unwrap(given));
  return function->getDenormalMode(APFloat::IEEEsingle()).Output == DenormalMode::PreserveSign;
}

// The constant of a case of a `switch`, which is an operand before LLVM 22.
extern "C" LLVMValueRef ptxasw_case_value(LLVMValueRef given, size_t index) {
  auto *instruction = cast<SwitchInst>(unwrap(given));
  return wrap(static_cast<Value *>((instruction->case_begin() + index)->getCaseValue()));
}

extern "C" uint64_t ptxasw_array_length(LLVMTypeRef given) { return cast<ArrayType>(unwrap(given))->getNumElements(); }

extern "C" void ptxasw_replace_node_operand(LLVMValueRef given, unsigned index, LLVMMetadataRef operand) {
  cast<MDNode>(cast<MetadataAsValue>(unwrap(given))->getMetadata())->replaceOperandWith(index, unwrap(operand));
}
