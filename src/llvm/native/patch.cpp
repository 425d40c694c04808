// What the writer of patches needs that LLVM's C interface does not have: blocks that are cut in two and cloned, values that
// live in stack slots meanwhile, loads that fewer threads execute, and promises that no longer hold.

#include "versions.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include <cstddef>

using namespace llvm;

// Cuts a block in two in front of an instruction; returns the second half.
extern "C" LLVMBasicBlockRef ptxasw_split_before(LLVMValueRef instruction) {
  auto *first = cast<Instruction>(unwrap(instruction));
  return wrap(first->getParent()->splitBasicBlock(first));
}

// Predecessors store what a phi takes in a slot; returns the load of it that replaces the phi. The phi is left over, in no block.
extern "C" LLVMValueRef ptxasw_demote_phi(LLVMValueRef given, LLVMValueRef slot) {
  auto *phi = cast<PHINode>(unwrap(given));
  for (unsigned index = 0; index < phi->getNumIncomingValues(); ++index)
    IRBuilder<>(phi->getIncomingBlock(index)->getTerminator()).CreateStore(phi->getIncomingValue(index), unwrap(slot));
  BasicBlock *block = phi->getParent();
  auto *load = new LoadInst(phi->getType(), unwrap(slot), "", versions::at(block->getFirstInsertionPt()));
  load->setDebugLoc(phi->getDebugLoc());
  load->takeName(phi);
  phi->replaceAllUsesWith(load);
  phi->removeFromParent();
  phi->dropAllReferences();
  return wrap(load);
}

// All uses of a value read a slot instead.
extern "C" void ptxasw_read_slot(LLVMValueRef given, LLVMValueRef slot) {
  Value *value = unwrap(given);
  SmallVector<Use *, 16> uses;
  for (Use &use : value->uses())
    uses.push_back(&use);
  // A phi takes one value from a predecessor, by however many edges.
  DenseMap<std::pair<Instruction *, BasicBlock *>, Value *> taken;
  for (Use *use : uses) {
    auto *user = cast<Instruction>(use->getUser());
    auto load = [&](Instruction *place) { return IRBuilder<>(place).CreateLoad(value->getType(), unwrap(slot)); };
    if (auto *phi = dyn_cast<PHINode>(user)) {
      BasicBlock *from = phi->getIncomingBlock(*use);
      Value *&loaded = taken[{user, from}];
      if (!loaded)
        loaded = load(from->getTerminator());
      use->set(loaded);
    } else {
      use->set(load(user));
    }
  }
}

// In sink.cpp: what was in one block is in another one now.
void ptxasw_move_homes(ArrayRef<BasicBlock *> blocks);

// Clones blocks without phis. No edge leads to the clones but from each other. `note` is called with each original and its
// clone. With `later` they are another iteration of the loop that they are in.
extern "C" void ptxasw_clone(const LLVMBasicBlockRef *blocks, size_t count, bool later, void *known,
                             void (*note)(void *, LLVMValueRef, LLVMValueRef)) {
  ValueToValueMapTy map;
  SmallVector<BasicBlock *, 16> originals, clones;
  for (size_t index = 0; index < count; ++index)
    originals.push_back(unwrap(blocks[index]));
  if (originals.empty())
    return;
  Function *function = originals.front()->getParent();
  for (BasicBlock *original : originals) {
    BasicBlock *clone = CloneBasicBlock(original, map, "", function);
    map[original] = clone;
    clones.push_back(clone);
  }
  remapInstructionsInBlocks(clones, map);
  // What does not overlap within one iteration of the original does not within one of the clone: no claim covers both.
  SmallVector<MDNode *, 4> scopes;
  identifyNoAliasScopesToClone(originals, scopes);
  cloneAndAdaptNoAliasScopes(scopes, clones, function->getContext(), "clone");
  // The loop of the clone is another loop.
  DenseMap<MDNode *, MDNode *> loops;
  for (BasicBlock *clone : clones) {
    MDNode *loop = clone->getTerminator()->getMetadata(LLVMContext::MD_loop);
    if (!loop)
      continue;
    MDNode *&own = loops[loop];
    if (!own) {
      SmallVector<Metadata *, 4> operands(loop->op_begin(), loop->op_end());
      own = MDNode::getDistinct(function->getContext(), operands);
      own->replaceOperandWith(0, own);
    }
    clone->getTerminator()->setMetadata(LLVMContext::MD_loop, own);
  }
  if (later)
    ptxasw_move_homes(clones);
  for (auto [original, clone] : zip(originals, clones)) {
    note(known, wrap(static_cast<Value *>(original)), wrap(static_cast<Value *>(clone)));
    for (auto [one, other] : zip(*original, *clone))
      note(known, wrap(&one), wrap(&other));
  }
}

// In promote.cpp and sink.cpp.
void ptxasw_promote(Function &function, ArrayRef<AllocaInst *> slots);
void ptxasw_sink(Function &function, ArrayRef<BasicBlock *> joins);

// Turns slots into values, removes blocks that nothing leads to, and joins blocks that were cut. `joins` are those after
// conditions that were put in the middle of a block.
extern "C" void ptxasw_finish(LLVMValueRef given, const LLVMValueRef *slots, size_t slot_count,
                              const LLVMBasicBlockRef *cut, size_t cut_count, const LLVMBasicBlockRef *joins,
                              size_t join_count) {
  auto *function = cast<Function>(unwrap(given));
  SmallVector<WeakVH, 16> halves, after;
  for (size_t index = 0; index < cut_count; ++index)
    halves.emplace_back(unwrap(cut[index]));
  for (size_t index = 0; index < join_count; ++index)
    after.emplace_back(unwrap(joins[index]));
  EliminateUnreachableBlocks(*function);
  SmallVector<AllocaInst *, 16> promoted;
  for (size_t index = 0; index < slot_count; ++index)
    promoted.push_back(cast<AllocaInst>(unwrap(slots[index])));
  ptxasw_promote(*function, promoted);
  // Of an operation with several results some may be unread.
  for (WeakVH &half : halves)
    if (half)
      for (Instruction &instruction : make_early_inc_range(reverse(*cast<BasicBlock>(half))))
        if (isInstructionTriviallyDead(&instruction))
          instruction.eraseFromParent();
  for (WeakVH &half : halves)
    if (half)
      MergeBlockIntoPredecessor(cast<BasicBlock>(half));
  SmallVector<BasicBlock *, 16> left;
  for (WeakVH &join : after)
    if (join)
      left.push_back(cast<BasicBlock>(join));
  ptxasw_sink(*function, left);
}

// Drops the promises of values, and of what they are computed from, by which they may be poison where their bits are read now.
// What is undefined behaviour in the original if it is poison keeps them. Of values that other lanes get (`handed`) loops may
// carry what a load has promised.
extern "C" void ptxasw_forget_promises(const LLVMValueRef *values, size_t count, bool handed) {
  SmallVector<Value *, 16> work;
  for (size_t index = 0; index < count; ++index)
    work.push_back(unwrap(values[index]));
  SmallPtrSet<Value *, 16> seen;
  while (!work.empty()) {
    auto *instruction = dyn_cast<Instruction>(work.pop_back_val());
    if (!instruction || !seen.insert(instruction).second || programUndefinedIfPoison(instruction))
      continue;
    versions::dropPoisonGenerating(*instruction);
    if ((handed || !isa<PHINode>(instruction)) && !instruction->mayReadOrWriteMemory())
      for (Value *operand : instruction->operands())
        work.push_back(operand);
  }
}

// Drops what a load says of its value, not of the memory that it reads.
extern "C" void ptxasw_forget_value(LLVMValueRef given) {
  auto *load = cast<Instruction>(unwrap(given));
  versions::dropPoisonGenerating(*load);
  for (unsigned kind : {LLVMContext::MD_noundef, LLVMContext::MD_dereferenceable, LLVMContext::MD_dereferenceable_or_null})
    load->setMetadata(kind, nullptr);
  if (auto *call = dyn_cast<CallBase>(load))
    call->removeRetAttrs(AttributeFuncs::getUBImplyingAttributes());
}

// Moves a load into a block of its own, to which threads come where `condition` is true (`negated`: false). All that read its
// value get `otherwise` from the others. Returns what they get, at the start of the block after it.
extern "C" LLVMValueRef ptxasw_guard(LLVMValueRef given, LLVMValueRef condition, bool negated, LLVMValueRef otherwise) {
  auto *load = cast<Instruction>(unwrap(given));
  BasicBlock *head = load->getParent();
  Instruction *end = SplitBlockAndInsertIfThen(unwrap(condition), versions::at(load->getIterator()), false);
  if (negated)
    cast<BranchInst>(head->getTerminator())->swapSuccessors();
  BasicBlock *join = load->getParent();
  versions::moveBefore(*load, *end);
  auto *joined = PHINode::Create(load->getType(), 2, "", versions::at(join->begin()));
  joined->takeName(load);
  joined->setDebugLoc(load->getDebugLoc());
  load->replaceAllUsesWith(joined);
  joined->addIncoming(unwrap(otherwise), head);
  joined->addIncoming(load, end->getParent());
  return wrap(static_cast<Value *>(joined));
}

// A load gives its value for another one, which goes: of what it says about other accesses it keeps what both say, as LLVM's
// own passes have it (`combineMetadataForCSE` of a load that stays where it is). Without another one it keeps nothing.
extern "C" void ptxasw_share_load(LLVMValueRef given, LLVMValueRef served) {
  auto *load = dyn_cast<LoadInst>(unwrap(given));
  auto *other = served ? dyn_cast<LoadInst>(unwrap(served)) : nullptr;
  if (!load || load == other)
    return;
  auto own = [&](unsigned kind) { return load->getMetadata(kind); };
  auto its = [&](unsigned kind) { return other ? other->getMetadata(kind) : nullptr; };
  auto keep = [&](unsigned kind, MDNode *node) { load->setMetadata(kind, node); };
  using Context = LLVMContext;
  keep(Context::MD_tbaa, MDNode::getMostGenericTBAA(own(Context::MD_tbaa), its(Context::MD_tbaa)));
  keep(Context::MD_alias_scope,
       MDNode::getMostGenericAliasScope(own(Context::MD_alias_scope), its(Context::MD_alias_scope)));
  keep(Context::MD_noalias, MDNode::intersect(own(Context::MD_noalias), its(Context::MD_noalias)));
  keep(Context::MD_access_group, other ? intersectAccessGroups(load, other) : nullptr);
  constexpr unsigned parallel = Context::MD_mem_parallel_loop_access;
  keep(parallel, MDNode::intersect(own(parallel), its(parallel)));
}

// An operation on floating-point numbers gives its result for another one: it permits what both permit.
extern "C" void ptxasw_share_permissions(LLVMValueRef given, LLVMValueRef served) {
  auto *operation = dyn_cast<Instruction>(unwrap(given));
  if (!operation || !isa<FPMathOperator>(operation) || isa<LoadInst>(unwrap(served)))
    return;
  // What is no such operation permits nothing; a load gives what was stored.
  FastMathFlags both;
  if (auto *other = dyn_cast<FPMathOperator>(unwrap(served))) {
    both = operation->getFastMathFlags();
    both &= other->getFastMathFlags();
  }
  operation->copyFastMathFlags(both);
}

// Debuggers show another value in place of one that goes.
extern "C" void ptxasw_shown(LLVMValueRef gone, LLVMValueRef value) {
  if (unwrap(gone)->isUsedByMetadata())
    ValueAsMetadata::handleRAUW(unwrap(gone), unwrap(value));
}

// Drops metadata and flags that hold only at an instruction's old position: it is moved.
extern "C" void ptxasw_forget_place(LLVMValueRef given) {
  auto *instruction = cast<Instruction>(unwrap(given));
  versions::dropPoisonGenerating(*instruction);
  versions::dropUBImplying(*instruction);
}

// The lanes that are here together, as an instruction of inline assembly, for versions without the intrinsic. Both arms of a branch
// may begin with it: `nomerge` keeps it in each.
extern "C" LLVMValueRef ptxasw_active_mask(LLVMBuilderRef given) {
  IRBuilder<> *builder = unwrap(given);
  auto *type = FunctionType::get(builder->getInt32Ty(), false);
  CallInst *call = builder->CreateCall(type, InlineAsm::get(type, "activemask.b32 $0;", "=r", /*hasSideEffects=*/true));
  call->setConvergent();
  call->addFnAttr(Attribute::NoMerge);
  versions::setInaccessibleMemoryOnly(*call);
  return wrap(call);
}

// Whether assembly is a comment alone that begins with these words and a digit.
static bool isMark(const InlineAsm &assembly, StringRef words) {
  StringRef text = assembly.getAsmString();
  return text.take_front(words.size()) == words && text.size() > words.size() && isDigit(text[words.size()]) &&
         text.find('\n') == StringRef::npos && assembly.getConstraintString().empty();
}

// Puts a comment at the start of a function, in place of one that begins with the same two words: assembly that does nothing, which
// code generators keep.
extern "C" void ptxasw_comment(LLVMValueRef given, const char *start, size_t length) {
  auto *function = cast<Function>(unwrap(given));
  StringRef comment(start, length);
  StringRef words = comment.take_front(comment.find(' ', comment.find(' ') + 1) + 1);
  for (BasicBlock &block : *function)
    for (Instruction &one : make_early_inc_range(block))
      if (auto *call = dyn_cast<CallInst>(&one))
        if (auto *before = dyn_cast<InlineAsm>(call->getCalledOperand()))
          if (isMark(*before, words))
            call->eraseFromParent();
  BasicBlock &entry = function->getEntryBlock();
  Instruction *first = &entry.front();
  while (isa<AllocaInst>(first))
    first = first->getNextNode();
  IRBuilder<> builder(first);
  auto *type = FunctionType::get(builder.getVoidTy(), false);
  CallInst *call = builder.CreateCall(type, InlineAsm::get(type, comment, "", /*hasSideEffects=*/true));
  call->setDebugLoc(DebugLoc());
  call->setDoesNotThrow();
  call->addFnAttr(Attribute::WillReturn);
  versions::setInaccessibleMemoryOnly(*call);
}
