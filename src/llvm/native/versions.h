// What versions of LLVM (15 to 23) name differently, or lack. Everything else in this folder is the same for all of them.

#pragma once

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Operator.h"
#include <optional>
#if LLVM_VERSION_MAJOR >= 17
#include "llvm/IR/AttributeMask.h"
#else
#include "llvm/IR/Attributes.h"
#endif
#if LLVM_VERSION_MAJOR >= 16
#include "llvm/Support/ModRef.h"
#endif
#if LLVM_VERSION_MAJOR >= 20
#include "llvm/IR/CmpPredicate.h"
#endif

namespace versions {
using namespace llvm;

// Where an instruction is inserted. A block that is inserted into is not empty.
#if LLVM_VERSION_MAJOR >= 19
inline BasicBlock::iterator at(BasicBlock::iterator place) { return place; }
#else
inline Instruction *at(BasicBlock::iterator place) { return &*place; }
#endif

// Moves an instruction in front of another one.
inline void moveBefore(Instruction &moved, Instruction &place) {
  moved.moveBefore(*place.getParent(), place.getIterator());
}

// The predicate type of `m_ICmp`.
#if LLVM_VERSION_MAJOR >= 20
using Predicate = CmpPredicate;
#else
using Predicate = CmpInst::Predicate;
#endif

// Drops flags, metadata and attributes of the result by which an instruction may be poison where its operands are not.
inline void dropPoisonGenerating(Instruction &instruction) {
#if LLVM_VERSION_MAJOR >= 19
  instruction.dropPoisonGeneratingAnnotations();
#else
  instruction.dropPoisonGeneratingFlags();
  if (isa<FPMathOperator>(instruction)) {
    instruction.setHasNoNaNs(false);
    instruction.setHasNoInfs(false);
  }
  for (unsigned kind : {LLVMContext::MD_range, LLVMContext::MD_nonnull, LLVMContext::MD_align})
    instruction.setMetadata(kind, nullptr);
  if (auto *call = dyn_cast<CallBase>(&instruction))
    for (auto kind : {Attribute::NonNull, Attribute::Alignment})
      call->removeRetAttr(kind);
#endif
}

// Drops what makes an instruction undefined behaviour for some operands or results, and metadata that may.
inline void dropUBImplying(Instruction &instruction) {
#if LLVM_VERSION_MAJOR >= 18
  instruction.dropUBImplyingAttrsAndMetadata();
#else
  unsigned kept[] = {LLVMContext::MD_annotation};
#if LLVM_VERSION_MAJOR == 17
  instruction.dropUBImplyingAttrsAndUnknownMetadata(kept);
#else
  instruction.dropUndefImplyingAttrsAndUnknownMetadata(kept);
#endif
#endif
}

// What the attribute `range` says, which LLVM 19 was the first to have.
template <typename Owner> std::optional<ConstantRange> rangeAttribute(const Owner &owner) {
#if LLVM_VERSION_MAJOR >= 19
  return owner.getRange();
#else
  (void)owner;
  return std::nullopt;
#endif
}

// A call touches only what no pointer leads to.
inline void setInaccessibleMemoryOnly(CallBase &call) {
#if LLVM_VERSION_MAJOR >= 16
  call.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
#else
  call.addFnAttr(Attribute::InaccessibleMemOnly);
#endif
}

// A function or call touches what no pointer leads to, too.
template <typename Callable> void addInaccessibleMemory(Callable &callable) {
#if LLVM_VERSION_MAJOR >= 16
  MemoryEffects effects = callable.getMemoryEffects() | MemoryEffects::inaccessibleMemOnly();
  if (effects != callable.getMemoryEffects())
    callable.setMemoryEffects(effects);
#else
  // It may touch all memory then.
  for (auto kind : {Attribute::ReadNone, Attribute::ReadOnly, Attribute::WriteOnly, Attribute::ArgMemOnly})
    callable.removeFnAttr(kind);
#endif
}
} // namespace versions
