// Slots on the stack become values.
//
// LLVM's own `PromoteMemToReg` looks, for each slot, at all blocks that those with its stores dominate. A patch with many clones,
// one after the other, has a few slots for each of them, and the work grows with the square of their number. Here the frontier
// of a block's dominance is computed once for all slots, and one walk over the dominator tree gives every load its value.

#include "versions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/DominanceFrontier.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <optional>
#include <vector>

using namespace llvm;

namespace {
class Promotion {
public:
  Promotion(Function &function, ArrayRef<AllocaInst *> slots) : function(function), slots(slots), tree(function) {}

  void run() {
    frontier.analyze(tree);
    for (size_t number = 0; number < slots.size(); ++number)
      numbers[slots[number]] = number;
    place();
    rename();
    prune();
    simplify();
    for (AllocaInst *slot : slots)
      slot->eraseFromParent();
  }

private:
  Function &function;
  ArrayRef<AllocaInst *> slots;
  DominatorTree tree;
  DominanceFrontier frontier;
  DenseMap<const Value *, size_t> numbers;
  // The phis, in the order of their blocks, with the numbers of their slots.
  std::vector<PHINode *> phis;
  DenseMap<const PHINode *, size_t> slotOf;
  DenseMap<const BasicBlock *, SmallVector<PHINode *, 4>> placed;

  // The number of the slot that an instruction loads or stores.
  std::optional<size_t> slot(const Value *pointer) const {
    auto found = numbers.find(pointer);
    return found == numbers.end() ? std::nullopt : std::optional<size_t>(found->second);
  }

  // Phis where paths from different stores meet. A slot that each block stores to before it reads it needs none.
  void place() {
    std::vector<SmallVector<BasicBlock *, 4>> stores(slots.size());
    std::vector<bool> carried(slots.size());
    for (BasicBlock &block : function) {
      for (Instruction &instruction : block) {
        if (auto *store = dyn_cast<StoreInst>(&instruction)) {
          if (auto number = slot(store->getPointerOperand()))
            if (stores[*number].empty() || stores[*number].back() != &block)
              stores[*number].push_back(&block);
        } else if (auto *load = dyn_cast<LoadInst>(&instruction)) {
          if (auto number = slot(load->getPointerOperand()))
            if (stores[*number].empty() || stores[*number].back() != &block)
              carried[*number] = true;
        }
      }
    }
    for (size_t number = 0; number < slots.size(); ++number)
      if (carried[number])
        place(number, stores[number]);
    // Older versions of LLVM keep a frontier as a set of pointers, whose order differs from run to run.
    for (BasicBlock &block : function)
      for (PHINode *phi : placed[&block])
        phis.push_back(phi);
  }

  void place(size_t number, SmallVector<BasicBlock *, 4> work) {
    SmallPtrSet<BasicBlock *, 8> met;
    while (!work.empty()) {
      auto found = frontier.find(work.pop_back_val());
      if (found == frontier.end())
        continue;
      for (BasicBlock *join : found->second) {
        if (!met.insert(join).second)
          continue;
        Type *type = slots[number]->getAllocatedType();
        auto *phi = PHINode::Create(type, pred_size(join), slots[number]->getName(), versions::at(join->begin()));
        slotOf[phi] = number;
        placed[join].push_back(phi);
        work.push_back(join);
      }
    }
  }

  // What a slot held before a block, to be held again after all blocks that it dominates.
  struct DomTreeFrame {
    DomTreeNode *node;
    size_t mark;
    decltype(tree.getRootNode()->begin()) next;
  };

  // Every load gets what the slot holds, every phi what it holds at the end of each predecessor.
  void rename() {
    std::vector<Value *> held;
    for (AllocaInst *slot : slots)
      held.push_back(UndefValue::get(slot->getAllocatedType()));
    std::vector<std::pair<size_t, Value *>> before;
    std::vector<DomTreeFrame> path;
    auto enter = [&](DomTreeNode *node) {
      path.push_back({node, before.size(), node->begin()});
      block(*node->getBlock(), held, before);
    };
    enter(tree.getRootNode());
    while (!path.empty()) {
      DomTreeFrame &last = path.back();
      if (last.next != last.node->end()) {
        enter(*last.next++);
        continue;
      }
      for (size_t mark = last.mark; before.size() > mark; before.pop_back())
        held[before.back().first] = before.back().second;
      path.pop_back();
    }
  }

  void block(BasicBlock &block, std::vector<Value *> &held, std::vector<std::pair<size_t, Value *>> &before) {
    auto hold = [&](size_t number, Value *value) {
      before.push_back({number, held[number]});
      held[number] = value;
    };
    for (PHINode *phi : placed[&block])
      hold(slotOf[phi], phi);
    for (Instruction &instruction : make_early_inc_range(block)) {
      if (auto *store = dyn_cast<StoreInst>(&instruction)) {
        if (auto number = slot(store->getPointerOperand())) {
          hold(*number, store->getValueOperand());
          store->eraseFromParent();
        }
      } else if (auto *load = dyn_cast<LoadInst>(&instruction)) {
        if (auto number = slot(load->getPointerOperand())) {
          load->replaceAllUsesWith(held[*number]);
          load->eraseFromParent();
        }
      }
    }
    for (BasicBlock *next : successors(&block)) {
      auto found = placed.find(next);
      if (found != placed.end())
        for (PHINode *phi : found->second)
          phi->addIncoming(held[slotOf[phi]], &block);
    }
  }

  // Phis that only phis of this kind read go.
  void prune() {
    SmallPtrSet<PHINode *, 16> read;
    SmallVector<PHINode *, 16> work;
    auto own = [&](const Value *value) {
      auto *phi = dyn_cast<PHINode>(value);
      return phi && slotOf.count(phi);
    };
    for (PHINode *phi : phis)
      if (any_of(phi->users(), [&](User *user) { return !own(user); }) && read.insert(phi).second)
        work.push_back(phi);
    while (!work.empty())
      for (Value *value : work.pop_back_val()->incoming_values())
        if (own(value) && read.insert(cast<PHINode>(value)).second)
          work.push_back(cast<PHINode>(value));
    std::vector<PHINode *> left;
    for (PHINode *phi : phis)
      if (read.count(phi))
        left.push_back(phi);
      else
        phi->replaceAllUsesWith(PoisonValue::get(phi->getType()));
    for (PHINode *phi : phis)
      if (!read.count(phi))
        phi->eraseFromParent();
    phis = std::move(left);
  }

  // Phis of one value are that value.
  void simplify() {
    SimplifyQuery query(function.getParent()->getDataLayout(), nullptr, &tree);
    for (bool changed = true; changed;) {
      changed = false;
      std::vector<PHINode *> left;
      for (PHINode *phi : phis) {
        Value *value = simplifyInstruction(phi, query);
        if (!value) {
          left.push_back(phi);
          continue;
        }
        phi->replaceAllUsesWith(value);
        phi->eraseFromParent();
        changed = true;
      }
      phis = std::move(left);
    }
  }
};
} // namespace

// Replaces loads and stores of slots, of which nothing else is known to anybody. Every block is reachable.
void ptxasw_promote(Function &function, ArrayRef<AllocaInst *> slots) {
  if (!slots.empty())
    Promotion(function, slots).run();
}
