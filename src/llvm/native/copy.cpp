// Blocks that stand in a function twice, and values that more than one place defines.

#include "llvm-c/Core.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include <cstddef>

using namespace llvm;

namespace {
// Which way a copy goes on at a branch; the same numbers in Rust.
enum Stay : unsigned { Taken, Next, Either };

// A branch of a copy at which lanes may part.
struct Leave {
  LLVMValueRef branch;
  Stay stay;
};

class Copy {
  Function &function;
  SmallVector<BasicBlock *, 16> originals, copies;
  ValueToValueMapTy map;
  DenseMap<const Instruction *, Stay> leaves;
  DenseMap<const MDNode *, MDNode *> loops;

public:
  Copy(Function &function, ArrayRef<LLVMBasicBlockRef> blocks, ArrayRef<Leave> leaves) : function(function) {
    for (LLVMBasicBlockRef block : blocks)
      originals.push_back(unwrap(block));
    for (const Leave &leave : leaves)
      this->leaves[cast<Instruction>(unwrap(leave.branch))] = leave.stay;
  }

  // Doubles the blocks. No edge leads to the copies yet.
  void clone() {
    for (BasicBlock *block : originals) {
      BasicBlock *copy = CloneBasicBlock(block, map, "", &function);
      copy->moveBefore(originals.front());
      map[block] = copy;
      copies.push_back(copy);
      for (PHINode &phi : copy->phis())
        for (unsigned count = phi.getNumIncomingValues(); count > 0; --count)
          phi.removeIncomingValue(count - 1, false);
    }
    remapInstructionsInBlocks(copies, map);
    // What does not overlap within one iteration of the original does not within one of the copy: nothing is said of both.
    SmallVector<MDNode *, 4> scopes;
    identifyNoAliasScopesToClone(originals, scopes);
    cloneAndAdaptNoAliasScopes(scopes, copies, function.getContext(), "copy");
    for (auto [original, copy] : zip(originals, copies))
      finish(copy, original);
  }

  // The block by which the copy is entered: with the branch that ends `slow`, or at the copy of `first`.
  BasicBlock *enter(BasicBlock *slow, BasicBlock *first, bool tested) {
    Instruction *branch = slow->getTerminator();
    BasicBlock *fast = BasicBlock::Create(function.getContext(), "", &function, slow);
    auto known = leaves.find(branch);
    if (first || tested) {
      BasicBlock *way = first ? first : branch->getSuccessor(known->second == Taken ? 0 : 1);
      IRBuilder<> code(fast);
      code.SetCurrentDebugLocation(branch->getDebugLoc());
      code.CreateBr(edge(fast, slow, way, true));
    } else {
      branch->clone()->insertInto(fast, fast->end());
      finish(fast, slow);
    }
    return fast;
  }

  // What is defined in copied blocks comes from where control comes from.
  void join() {
    SmallPtrSet<BasicBlock *, 4> ends;
    for (BasicBlock *block : originals)
      for (BasicBlock *next : successors(block))
        if (!map.count(next))
          ends.insert(next);
    BasicBlock *end = ends.size() == 1 ? *ends.begin() : nullptr;
    for (BasicBlock *block : originals)
      for (Instruction &original : *block)
        if (!original.getType()->isVoidTy())
          join(original, cast<Instruction>(mapped(&original)), end);
  }

  template <typename Note> void tell(Note note) {
    for (auto [original, copy] : zip(originals, copies)) {
      for (Instruction &instruction : *original)
        if (!instruction.isTerminator())
          note(&instruction, mapped(&instruction));
      note(original->getTerminator(), copy->getTerminator());
    }
  }

private:
  Value *mapped(Value *value) {
    Value *found = map.lookup(value);
    return found ? found : value;
  }

  // An edge from new code in place of the one from `old` to `to`, into the copy if that `stays`. Returns its end, where
  // phis take what the old edge brings.
  BasicBlock *edge(BasicBlock *from, BasicBlock *old, BasicBlock *to, bool stays) {
    for (PHINode &phi : to->phis()) {
      Value *value = mapped(phi.getIncomingValueForBlock(old));
      cast<PHINode>(stays ? mapped(&phi) : &phi)->addIncoming(value, from);
    }
    return stays ? cast<BasicBlock>(mapped(to)) : to;
  }

  // Leads the terminator at the end of `copy`, which is that of `original`, to where it belongs.
  void finish(BasicBlock *copy, BasicBlock *original) {
    Instruction *end = copy->getTerminator(), *old = original->getTerminator();
    if (MDNode *loop = old->getMetadata(LLVMContext::MD_loop))
      end->setMetadata(LLVMContext::MD_loop, another(loop));
    auto leave = leaves.find(old);
    if (leave != leaves.end())
      return vote(copy, original, leave->second);
    for (unsigned index = 0; index < old->getNumSuccessors(); ++index)
      end->setSuccessor(index, edge(copy, original, old->getSuccessor(index), true));
  }

  // Puts a vote in front of a branch: all lanes go the same way, or all go on where the original leads.
  void vote(BasicBlock *copy, BasicBlock *original, Stay stay) {
    auto *end = cast<BranchInst>(copy->getTerminator());
    auto *old = cast<BranchInst>(original->getTerminator());
    BasicBlock *out = branch(copy, end);
    out->getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
    for (unsigned index : {0, 1})
      out->getTerminator()->setSuccessor(index, edge(out, original, old->getSuccessor(index), false));
    BasicBlock *on;
    if (stay == Either) {
      on = branch(copy, end);
      for (unsigned index : {0, 1})
        on->getTerminator()->setSuccessor(index, edge(on, original, old->getSuccessor(index), true));
    } else {
      on = edge(copy, original, old->getSuccessor(stay == Taken ? 0 : 1), true);
    }
    IRBuilder<> code(end);
    Value *stays = stay == Next ? code.CreateNot(end->getCondition()) : end->getCondition();
    Intrinsic::ID kind = stay == Either ? Intrinsic::nvvm_vote_uni_sync : Intrinsic::nvvm_vote_all_sync;
    CallInst *call = code.CreateIntrinsic(kind, {}, {code.getInt32(-1), stays});
    call->addFnAttr(Attribute::NoUnwind);
    call->addFnAttr(Attribute::WillReturn);
    end->setMetadata(LLVMContext::MD_prof, nullptr);
    if (stay == Either)
      end->setMetadata(LLVMContext::MD_loop, nullptr);
    end->setCondition(call);
    end->setSuccessor(0, on);
    end->setSuccessor(1, out);
  }

  // A block behind `copy` with the branch that ends it.
  BasicBlock *branch(BasicBlock *copy, BranchInst *end) {
    BasicBlock *block = BasicBlock::Create(function.getContext(), "", &function, copy->getNextNode());
    end->clone()->insertInto(block, block->end());
    return block;
  }

  // What is said of a loop, of another loop.
  MDNode *another(MDNode *loop) {
    MDNode *&made = loops[loop];
    if (!made) {
      SmallVector<Metadata *, 4> operands(loop->op_begin(), loop->op_end());
      made = MDNode::getDistinct(function.getContext(), operands);
      if (!operands.empty() && operands[0] == loop)
        made->replaceOperandWith(0, made);
    }
    return made;
  }

  // All ways out of both lead to `end`, if there is one: what is read behind it is joined there, and no way to it is walked.
  void join(Instruction &original, Instruction *copy, BasicBlock *end) {
    SSAUpdater updater;
    updater.Initialize(original.getType(), original.getName());
    updater.AddAvailableValue(original.getParent(), &original);
    updater.AddAvailableValue(copy->getParent(), copy);
    SmallVector<Use *, 8> elsewhere, behind;
    for (Use &use : original.uses()) {
      auto *user = cast<Instruction>(use.getUser());
      auto *phi = dyn_cast<PHINode>(user);
      BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
      if (block != original.getParent())
        (end && !map.count(block) ? behind : elsewhere).push_back(&use);
    }
    for (Use *use : elsewhere)
      updater.RewriteUse(*use);
    if (!behind.empty()) {
      Value *joined = updater.GetValueInMiddleOfBlock(end);
      for (Use *use : behind)
        use->set(joined);
    }
    updater.UpdateDebugValues(&original);
  }
};
} // namespace

// Doubles blocks for whole warps, which enter the copy in front of the branch `before` where `whole` holds: with that branch
// (of which all lanes are known to go the way that stays if it is `tested`), or at `first`. `note` is told what is the copy
// of what. Returns the end of the block by which the copy is entered.
extern "C" LLVMValueRef ptxasw_copy(LLVMValueRef before, LLVMValueRef whole, bool tested, LLVMBasicBlockRef first,
                                    const LLVMBasicBlockRef *blocks, size_t block_count, const Leave *leaves,
                                    size_t leave_count, void *known,
                                    void (*note)(void *, LLVMValueRef, LLVMValueRef)) {
  auto *branch = cast<Instruction>(unwrap(before));
  BasicBlock *above = branch->getParent();
  BasicBlock *slow = above->splitBasicBlock(branch);
  Copy copy(*above->getParent(), ArrayRef(blocks, block_count), ArrayRef(leaves, leave_count));
  copy.clone();
  BasicBlock *fast = copy.enter(slow, first ? unwrap(first) : nullptr, tested);
  auto *test = BranchInst::Create(fast, slow, unwrap(whole));
  test->setDebugLoc(branch->getDebugLoc());
  ReplaceInstWithInst(above->getTerminator(), test);
  copy.join();
  copy.tell([&](Value *original, Value *copied) { note(known, wrap(original), wrap(copied)); });
  return wrap(fast->getTerminator());
}

// What a variable holds in the middle of blocks, that other blocks set to values at their ends.
extern "C" void ptxasw_reaching(const LLVMBasicBlockRef *blocks, const LLVMValueRef *values, size_t count,
                                const LLVMBasicBlockRef *asked, LLVMValueRef *answers, size_t asked_count) {
  SSAUpdater updater;
  updater.Initialize(unwrap(values[0])->getType(), "");
  for (size_t index = 0; index < count; ++index)
    updater.AddAvailableValue(unwrap(blocks[index]), unwrap(values[index]));
  for (size_t index = 0; index < asked_count; ++index)
    answers[index] = wrap(updater.GetValueInMiddleOfBlock(unwrap(asked[index])));
}
