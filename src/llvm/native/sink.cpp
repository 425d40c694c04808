// Arithmetic that stays together where a patch cuts blocks.
//
// LLVM's code generator looks at one block at a time: a product and a sum in two blocks become no fused operation, which costs
// an instruction and gives other bits than the original has. So arithmetic moves down to its users, and a product that is read
// on both sides of a cut is there on both.

#include "versions.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <algorithm>

using namespace llvm;

namespace {
// Whether an instruction only computes, so that it may be executed later, too.
bool isPure(const Instruction &instruction) {
  if (auto *call = dyn_cast<CallBase>(&instruction)) {
    // What lanes do together stays where it is.
    return isa<IntrinsicInst>(call) && call->doesNotAccessMemory() && call->doesNotThrow() && call->willReturn() &&
           !call->isConvergent() && !call->getType()->isTokenTy();
  }
  return !isa<PHINode>(instruction) && !isa<AllocaInst>(instruction) && !instruction.isTerminator() &&
         !instruction.isEHPad() && !instruction.mayReadOrWriteMemory();
}

// A block that was cut, as a row of blocks, each of which follows a condition at the end of the one before.
struct Row {
  SmallVector<BasicBlock *, 8> blocks;
  // The first instruction after the phis of each, in front of which the next one is put that moves there.
  SmallVector<Instruction *, 8> fronts;
};

// The last block of a row in which all that read an instruction still find it.
size_t latest(const Row &row, size_t origin, const Instruction &instruction, const DominatorTree &tree) {
  size_t found = row.blocks.size() - 1;
  for (const Use &use : instruction.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    auto *phi = dyn_cast<PHINode>(user);
    const BasicBlock *reader = phi ? phi->getIncomingBlock(use) : user->getParent();
    // Each block dominates the next one: what it dominates becomes less.
    auto first = row.blocks.begin() + origin + 1, last = row.blocks.begin() + found + 1;
    auto beyond = std::partition_point(first, last, [&](BasicBlock *block) { return tree.dominates(block, reader); });
    found = beyond - row.blocks.begin() - 1;
    if (found == origin)
      break;
  }
  return found;
}

void sinkIn(Row &row, const DominatorTree &tree) {
  for (BasicBlock *block : row.blocks)
    row.fronts.push_back(&*block->getFirstInsertionPt());
  // Users come before what they read.
  for (size_t origin = row.blocks.size() - 1; origin-- > 0;)
    for (Instruction &instruction : make_early_inc_range(reverse(*row.blocks[origin]))) {
      if (instruction.use_empty() || !isPure(instruction))
        continue;
      size_t to = latest(row, origin, instruction, tree);
      if (to == origin)
        continue;
      if (row.fronts[origin] == &instruction)
        row.fronts[origin] = instruction.getNextNode();
      versions::moveBefore(instruction, *row.fronts[to]);
      row.fronts[to] = &instruction;
    }
}

// Moves arithmetic down over the conditions that now cut its block in pieces, as far as its users let it. `joins` are the
// blocks after conditions.
void sink(Function &function, ArrayRef<BasicBlock *> joins) {
  if (joins.empty())
    return;
  DominatorTree tree(function);
  // By the block that ends with the condition.
  DenseMap<BasicBlock *, BasicBlock *> next;
  SmallPtrSet<BasicBlock *, 16> follow;
  for (BasicBlock *join : joins)
    if (auto *node = tree.getNode(join); node && node->getIDom() && next.try_emplace(node->getIDom()->getBlock(), join).second)
      follow.insert(join);
  for (BasicBlock &block : function) {
    if (follow.contains(&block) || !next.count(&block))
      continue;
    Row row;
    for (BasicBlock *one = &block; one; one = next.lookup(one))
      row.blocks.push_back(one);
    sinkIn(row, tree);
  }
}

// The metadata that names the block of a product or sum before the patch.
constexpr const char *Origin = "ptxasw.home";

// Whether the code generator may fuse an operation with another one.
bool isFusible(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::FMul:
  case Instruction::FAdd:
  case Instruction::FSub:
    return instruction.hasAllowContract() || instruction.getFunction()->getFnAttribute("unsafe-fp-math").getValueAsBool();
  default:
    return false;
  }
}

// Sums that were in the block of a product, and no longer are, get a product of their own.
void repeat(Instruction &product) {
  MDNode *origin = product.getMetadata(Origin);
  SmallVector<Use *, 8> elsewhere;
  for (Use &use : product.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    bool sum = isFusible(*user) && user->getOpcode() != Instruction::FMul;
    if (sum && user->getParent() != product.getParent() && user->getMetadata(Origin) == origin)
      elsewhere.push_back(&use);
  }
  for (Use *use : elsewhere) {
    auto *user = cast<Instruction>(use->getUser());
    Instruction *own = product.clone();
    own->insertBefore(versions::at(user->getIterator()));
    // Else the code generator finds that both products are the same, and takes the one that is elsewhere.
    unsigned index = isGuaranteedNotToBeUndefOrPoison(own->getOperand(0)) ? 1 : 0;
    own->setOperand(index, IRBuilder<>(own).CreateFreeze(own->getOperand(index)));
    use->set(own);
  }
}
} // namespace

// Notes in which block the products and sums of a function are.
extern "C" void ptxasw_note_homes(LLVMValueRef given) {
  auto *function = cast<Function>(unwrap(given));
  for (BasicBlock &block : *function) {
    MDNode *origin = nullptr;
    for (Instruction &instruction : block)
      if (isFusible(instruction)) {
        if (!origin)
          origin = MDNode::getDistinct(function->getContext(), {});
        instruction.setMetadata(Origin, origin);
      }
  }
}

// Products of one iteration and sums of another were never in one block.
void ptxasw_move_homes(ArrayRef<BasicBlock *> blocks) {
  DenseMap<MDNode *, MDNode *> homes;
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block)
      if (MDNode *home = instruction.getMetadata(Origin)) {
        MDNode *&own = homes[home];
        if (!own)
          own = MDNode::getDistinct(block->getContext(), {});
        instruction.setMetadata(Origin, own);
      }
}

// Keeps together what was in one block, and forgets what was noted.
void ptxasw_sink(Function &function, ArrayRef<BasicBlock *> joins) {
  sink(function, joins);
  SmallVector<Instruction *, 16> noted;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      if (instruction.getMetadata(Origin))
        noted.push_back(&instruction);
  for (Instruction *one : noted)
    if (one->getOpcode() == Instruction::FMul)
      repeat(*one);
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      if (isFusible(instruction))
        instruction.setMetadata(Origin, nullptr);
}
