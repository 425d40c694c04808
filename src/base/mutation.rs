//! Faults on purpose: each [`Mutation`] breaks one thing that a rewriting depends on, in the very place of the right behaviour.
//! A mutation check breaks them one by one and shows that every one is reported; each section names the file that has its
//! cases.
//!
//! The switch exists in unit tests, and in builds with debug assertions, where programs of tests use it: `cfg(test)` of one
//! crate is not seen by another. Elsewhere `active` is `false` at compile time, and nothing is left of its uses.

macro_rules! mutations {
    ($($(#[$about:meta])* $section:ident { $($(#[$doc:meta])* $name:ident,)* })*) => {
        /// One way to break the tool.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Mutation {
            $($($(#[$doc])* $name,)*)*
        }

        $(
            $(#[$about])*
            #[cfg(any(test, debug_assertions))]
            pub const $section: &[Mutation] = &[$(Mutation::$name),*];
        )*
    };
}

mutations! {
    /// Rewritings by shuffles: `tests/mutations.rs`.
    SHUFFLES {
        // ---- one shuffle --------------------------------------------------------------------------------------------
        /// The distance of a shuffle is one lane too many.
        DeltaOffByOne,
        /// `up` for `down`, clamps included.
        WrongDirection,
        /// Corner lanes do not load.
        NoCornerLoad,
        /// The covered lanes load, the corner lanes do not.
        CornerInverted,
        /// A predicated load gives its value from all lanes.
        PredicatedSource,
        /// The low half of a 32-bit load is taken for all of it.
        WidthMismatch,
        /// A narrow value is extended as the source has it, not as the destination asks.
        SignOfSource,
        /// The halves of a 64-bit value change places.
        PartSwapped,
        /// Of several sources under different clamps only the first one's predicate counts.
        OnePredicateOfParts,
        /// Nobody asks whether all lanes of the mask execute a predicated source.
        VoteOfGuardDropped,
        /// Bytes that a load does not define are handed on.
        UndefinedBytes,
        // ---- the set-up ---------------------------------------------------------------------------------------------
        /// `%tid.x rem 32` for `%laneid`.
        LaneOfTid,
        /// Member mask -1 after divergent branches.
        FullMask,
        /// Whether the whole warp is here is not asked.
        MaskNotTested,
        /// The ends of the row are not looked for.
        RowCheckDropped,
        /// Rows need not be whole groups of lanes for an exclusive or, or for a fixed lane.
        RowGroupsUnchecked,
        /// A halo load reads one lane too many.
        HaloReadsBeyond,
        /// The copy of a halo is entered though a check of its region fails.
        HaloChecksDropped,
        /// The block's size, not its rows', decides about row checks.
        FullInNarrowRows,
        /// `activemask` in the innermost loop.
        MaskInLoop,
        /// `activemask` one loop level further in than is sound.
        MaskInOuterLoop,
        /// The set-up is placed after a source of its region.
        SetUpTooLate,
        // ---- checks at run time -------------------------------------------------------------------------------------
        /// Checks against wraps are not made.
        WrapCheckDropped,
        /// The check of the distance of two addresses is not made.
        DistanceCheckDropped,
        /// 32-bit indices never wrap.
        WrapIgnored,
        /// What is computed of uniform values alone never wraps.
        UniformWrapIgnored,
        /// A choice between addresses is taken for the arm that moves with the lanes.
        ClampIgnored,
        /// What is extended by zeros is taken not to be negative.
        SignIgnored,
        /// Choices with arms a fixed distance apart are taken to have the same outcome.
        ChoicesTakenAlike,
        /// Rows of a division never end.
        RowEndIgnored,
        /// Divisors are taken not to be 0.
        ZeroDivisorIgnored,
        /// Remainders by 0 of instructions and of quotients are taken for the same.
        RemaindersMixed,
        /// A row is taken to be reached by equal steps from lane to lane.
        RowStepIgnored,
        /// A subtraction takes the carry of an addition for its borrow.
        FlagsMixed,
        /// Of the position and length of a 64-bit field the lower byte counts.
        FieldsWrap,
        /// `neg` flips the sign of a NaN.
        NanKeepsSign,
        /// Where the solver knows better it is not believed.
        SolverIgnored,
        // ---- what lies between source and destination ---------------------------------------------------------------
        /// Stores change nothing.
        StoresIgnored,
        /// Barriers order nothing.
        BarriersIgnored,
        /// Atomic operations change nothing.
        AtomicsIgnored,
        /// Fences, loads that acquire and atomic operations order nothing.
        OrderingIgnored,
        /// Called functions change nothing.
        CallsIgnored,
        /// What different parameters point to never overlaps.
        AliasIgnored,
        /// A store of another iteration has the address of this one.
        IterationsAlike,
        /// A store writes one byte.
        StoreWidthIgnored,
        /// The sum of products that is the distance of two addresses never wraps.
        DistanceNeverWraps,
        /// Arrays in dynamic shared memory lie beside each other.
        DynamicSharedDistinct,
        /// The thread's own store before the source does not count.
        OwnStoreBeforeSource,
        /// What orders memory for some lanes before the source orders it for all.
        PartialAcquire,
        // ---- instances and lanes ------------------------------------------------------------------------------------
        /// The source need not be executed before the destination.
        SourceNotDominating,
        /// The source comes after the destination: its value is that of the iteration before.
        PreviousIteration,
        /// What a loop carries into an iteration is taken for what the iteration loads.
        CarriedNotStepped,
        /// What a loop carries into its first iteration is taken for what it carries into all others.
        CarriedEntryUnchecked,
        /// Nothing happens to what a loop carries between the load and the next iteration.
        CarriedNeverKilled,
        /// Lanes that exited are still taken to be there.
        MaskBeforeExits,
        /// Lanes may be united across what waits for other lanes.
        WaitsIgnored,
        /// A call never ends a thread.
        ExitingCallsIgnored,
        /// Parameters of a callee are the same in all lanes if those of one call are.
        OneCallForAll,
        /// A function does no more than its own instructions: what it calls does not count.
        CalleesForgotten,
        /// An atomic operation in a called function leaves memory alone.
        AtomicEffectsForgotten,
        /// A call that may wait or end the thread can be in a copy for whole warps.
        ExitingCallsCopied,
        /// There is no vote on the path that lanes take to a join in a copy.
        WaysNotVoted,
        /// Loops that another copy votes on count as left in lockstep.
        OtherPartsInStep,
        /// Volatile loads of one address give all lanes the same.
        VolatileUniform,
        /// Atomic operations on one address give all lanes the same.
        AtomicUniform,
        /// Loads of one address give all lanes the same, whatever is stored between.
        UniformAcrossStores,
        /// Lanes leave a loop together.
        LoopExitsUniform,
        /// `%laneid` is the same in all lanes.
        LaneIdUniform,
        /// All paths to a join come with the value of one.
        OnePathToJoin,
        /// What a back edge tests is taken to hold when a loop is entered, too.
        HeaderFactOfBackEdge,
        /// A generic pointer points to global memory.
        GenericIsGlobal,
        // ---- tracked masks ------------------------------------------------------------------------------------------
        /// No ballot is placed in front of a back edge: lanes that left the loop stay in its mask.
        BackEdgeBallotDropped,
        /// The ballot at a branch is that of the lanes that take the other edge.
        MaskOfOtherArm,
        // ---- copies for whole warps ---------------------------------------------------------------------------------
        /// Nobody asks whether the whole warp is there before it enters a copy.
        EntryNotTested,
        /// A copy is entered though a number is negative that its shuffles need not to be.
        EntrySignNotTested,
        /// A copy is not left where lanes diverge.
        LeaveNotVoted,
        /// A copy is left only where all lanes want to.
        LeaveByOneStays,
        /// In a copy all lanes are in the same iteration of every loop, voted on or not.
        IterationsAssumedEqual,
    }
    /// What the memory pass proves: `tests/passes/memory/mutated.rs`.
    MEMORY {
        /// A guarded access serves loads under any other predicate.
        GuardIgnored,
        /// Loads are replaced across barriers, fences, atomics and calls.
        StopCrossed,
        /// A narrow load of a signed type is extended by zeros.
        SignOfLoadLost,
        /// A store goes although a load between reads it.
        DeadStoreIsRead,
        /// A store that writes a part of the bytes counts as one that writes others.
        OverlapOfPartIgnored,
        /// A load is served by what is older than the last store of its bytes.
        StaleForward,
        /// A store that overwrites a part of another makes it dead.
        CoverOfPart,
        /// What a store skips counts as written.
        SkippedWritten,
        /// The test at the kernel's entry is true whatever it finds.
        CheckIgnored,
        /// Accesses are tested to differ in their first bytes.
        CheckOfOneByte,
        /// Sums of the test at the entry may wrap.
        ReachUnchecked,
        /// Nothing tests whether the address of a wide access is aligned.
        AlignmentIgnored,
        /// A wide access has bytes that no access of its group has.
        GapFilled,
        /// Accesses are merged over a store that may hit their bytes.
        WidenedOverStore,
        /// The last iteration of a loop is not part of what its accesses may touch.
        HullShort,
        /// Nothing tests whether a loop's variable wraps, or steps over its bound.
        HullWraps,
        /// Nothing tests whether a loop's variable steps towards its bound.
        HullStepSign,
        /// Where one iteration makes a single step it is bounded as if it made several.
        HullOfSeveral,
        /// A back edge that makes several steps is taken to have asked for each of them.
        StepsUnasked,
    }
    /// What batches of iterations rest on: `tests/passes/loops/mutated.rs`.
    LOOPS {
        /// The last iteration of a batch is not asked whether it runs.
        BatchTooLong,
        /// Of several exits of a loop the first alone is asked for.
        ExitForgotten,
        /// What goes round in a loop is taken to be the same in all iterations of a batch.
        IterationNotCounted,
        /// An iteration of a batch gets what the one before it loads.
        LoadsOfOtherIteration,
        /// Loads of all iterations are executed first although the loop stores.
        LoopStoresIgnored,
        /// A load that some iterations leave out is executed in all of a batch.
        ConditionalLoadFirst,
        /// What a loop loads may decide how long it runs.
        LoadedExitBatched,
    }
    /// What scalar optimization proves: `tests/passes/straight/mutated.rs`.
    SCALAR {
        /// Values of blocks that do not dominate a place serve there.
        ScalarOutOfScope,
        /// The constant that a value is apart from an earlier one is lost.
        ScalarConstantDropped,
        /// A stride is subtracted where it is to be added.
        ScalarStrideNegated,
    }
    /// The function that a patch makes of another: `src/ir/patch/tests/mutated.rs`.
    PATCHES {
        /// At a join all paths come with the value of the first.
        JoinOfOnePath,
        /// A step reads what a value is redirected to.
        StepReadsRedirected,
        /// Instructions go on reading a redirected value.
        RedirectDropped,
        /// What is read in place of a value in the original is read in clones as well.
        RedirectOfOriginal,
        /// A removed statement is executed.
        RemovedExecuted,
        /// A volatile store goes.
        VolatileRemoved,
        /// The guard of a copied instruction is dropped.
        CopyUnguarded,
        /// An inserted instruction is executed where its guard is false.
        StepGuardInverted,
        /// After a decision the value of the side that was not taken is read.
        MergedSwapped,
        /// The insertions at a place change their order.
        InsertionsReversed,
        /// Of several variables that are set at a place the first is not.
        SetDropped,
        /// Of several sets at a place the first counts.
        SetsReversed,
        /// A clone is entered where its condition is false.
        EnteredWhereFalse,
        /// A clone is not left.
        ExitNeverTaken,
        /// A clone always goes on in itself, or never does.
        ExitInverted,
        /// All branches in a clone lead to the original.
        BranchLeavesClone,
        /// The clones of a chain go back to the original.
        ChainBroken,
        /// Nobody asks whether the lanes of a block agree on a clone of what they do together.
        UniformityUnchecked,
        /// Nobody asks whether some lanes come past a clone to what they do together.
        PassersByUnchecked,
        /// Nobody asks whether what is read in place of a value is there where that is defined.
        NotThereUnchecked,
        /// A value is redirected that its own statement goes on with.
        InsideUnchecked,
        /// What a guarded load gives is read where it is not executed, and the other way round.
        ChosenSwapped,
        /// Nobody asks whether a condition implies the guard that it replaces.
        LostGuardUnchecked,
        /// A branch of a clone that has one edge has the other one.
        OtherEdgeSettled,
    }
    /// From operations back to PTX: `tests/spelling/mutated.rs`.
    SPELLING {
        /// Integers have no sign.
        SignLost,
        /// The upper half of a product for the lower one.
        HighForLow,
        /// The lower half of a product for all of it.
        WideLost,
        /// `le` for `lt`.
        BoundIncluded,
        /// `lt` for `ltu`.
        UnorderedLost,
        /// `or` for `and`, where a comparison takes in another predicate.
        LogicMixed,
        /// Positions beyond the last bit are clamped.
        ClampForWrap,
        /// A funnel shift has the other direction.
        FunnelInverted,
        /// A shift to the right brings in zeros.
        ShiftUnsigned,
        /// A result toward zero is rounded to the nearest.
        RoundingLost,
        /// Subnormal numbers are not flushed.
        FtzLost,
        /// A result is not brought into the range from 0 to 1.
        SaturationLost,
        /// A predicate is extended as 1, signed or not.
        PredicateUnsigned,
        /// A conversion goes from its result's type to its operand's.
        ConversionInverted,
        /// The table of `lop3` has its rows in the opposite order.
        TableReversed,
        /// The two results of a comparison change places.
        PredicatesSwapped,
        /// The first two operands change places.
        OperandsSwapped,
    }
    /// What the register guard compares: `src/driver/guard/registers.rs`.
    GUARD {
        /// A stack frame may grow.
        LargerFrameIgnored,
        /// Registers may be spilled into a frame that is no larger.
        NewSpillIgnored,
        /// A block that could be launched before need not fit.
        LargestBlockIgnored,
        /// Fewer warps may fit on a multiprocessor.
        LostWarpsIgnored,
        /// What the text says of the sizes of blocks does not count.
        BlockSizeIgnored,
        /// Warps may be lost where a block may wait for another.
        WaitingIgnored,
    }
    /// A patch as edits of PTX: `tests/writer/mutated.rs`.
    WRITER {
        /// The guard of a step is dropped.
        GuardDropped,
        /// A step is executed where its guard is true, though it has to be false.
        NegationLost,
        /// The sides of a decision change places.
        ArmsSwapped,
        /// Both sides of a decision hand over what the first one has.
        MergedOfFirst,
        /// The first set at a place is dropped.
        VariableNotSet,
        /// No copy is taken after a definition.
        CopyNotTaken,
        /// A redirected value is read in its old register.
        RedirectedReadDirectly,
        /// The old register of a redirected value keeps its value.
        OldRegisterKept,
        /// What is read in place of a value in a clone is read in the original, too.
        RedirectedEverywhere,
        /// A removed statement stays.
        RemovedLeft,
        /// A moved statement is executed in its old place, too.
        MovedLeft,
        /// What a register holds where the guard of a moved statement is false is lost.
        OldValueLost,
        /// An operation without a register is not computed for the step that reads it.
        NotComputedAnew,
        /// What a clone changes of an instruction is changed in the original.
        AmendedOriginal,
        /// The upper bits of a register that holds a byte count.
        ByteNotCut,
        /// The offset of an access is lost.
        OffsetLost,
        /// A select of predicates has its operands swapped.
        PredicateChoiceSwapped,
        /// A clone is entered where its condition is false.
        CloneEnteredInverted,
        /// The branches of a clone lead to the original.
        CloneBranchesOut,
        /// A clone of a chain goes on in the one after the next.
        ChainCopySkipped,
        /// A clone does not branch to where it goes on.
        CloneFallsThrough,
        /// A clone goes on in itself where it is to be left.
        CloneExitInverted,
        /// The table of a clone's branch leads to the original.
        TableOfOriginal,
        /// One half of a register of 128 bits is taken for the other.
        OtherHalf,
        /// Of two labels the one further up is taken for a block that has none.
        LabelFurtherUp,
        /// A clone's names are those of the scope around it.
        ScopeLost,
        /// All threads execute a guarded load.
        LoadUnguarded,
        /// A guarded load is executed where its condition is false.
        LoadGuardInverted,
        /// Where a guarded load is not executed its register keeps what it held.
        ChosenLost,
        /// What is chosen in place of a load counts for those, too, that its own guard keeps away.
        ChosenForAll,
        /// What is chosen in place of a load is put over its address.
        AddressOverwritten,
        /// A branch of which a clone has one edge is decided there.
        SettledDecided,
        /// A branch of which a clone has one edge takes the other edge.
        SettledOtherWay,
        /// A result is computed in a register of the text though it is read after what overwrites that.
        CoalescedThoughRead,
    }
}

#[cfg(any(test, debug_assertions))]
pub use switch::active;
#[cfg(any(test, debug_assertions))]
pub use switch::with;

/// Outside of tests nothing is broken on purpose.
#[cfg(not(any(test, debug_assertions)))]
pub const fn active(_: Mutation) -> bool {
    false
}

#[cfg(any(test, debug_assertions))]
mod switch {
    use super::Mutation;
    use std::cell::Cell;

    thread_local! {
        static ACTIVE: Cell<Option<Mutation>> = const { Cell::new(None) };
    }

    /// Whether the tool is broken this way, on this thread.
    pub fn active(mutation: Mutation) -> bool {
        ACTIVE.get() == Some(mutation)
    }

    /// What `work` gives with the tool broken; it must not leave this thread.
    pub fn with<T>(mutation: Mutation, work: impl FnOnce() -> T) -> T {
        /// Mends the tool even if `work` panics.
        struct Mend;
        impl Drop for Mend {
            fn drop(&mut self) {
                ACTIVE.set(None);
            }
        }
        ACTIVE.set(Some(mutation));
        let _mend = Mend;
        work()
    }
}
