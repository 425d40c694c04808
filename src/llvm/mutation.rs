//! Faults on purpose: each [`Mutation`] breaks one thing in the writer of patches, in the very place where the right behaviour
//! is. Its tests break them one by one and show that the judge reports every one.
//!
//! The switch exists in unit tests only. Elsewhere [`active`] is `false` at compile time, and nothing is left of its uses.

macro_rules! mutations {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// One way to break the writer.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Mutation {
            $($(#[$doc])* $name,)*
        }

        #[cfg(test)]
        impl Mutation {
            /// All of them.
            pub(crate) const ALL: &[Mutation] = &[$(Mutation::$name),*];
        }
    };
}

mutations! {
    // ---- arithmetic -------------------------------------------------------------------------------------------------
    /// A quotient by zero is what the hardware makes of a quotient by one.
    ZeroDivisorUnguarded,
    /// A shift by too much is LLVM's poison.
    LongShiftUnguarded,
    /// The operands of a difference are swapped.
    OperandsSwapped,
    /// The upper half of a signed product is that of an unsigned one.
    SignLost,
    /// A narrow number is extended by zeros.
    ExtensionSignLost,
    /// Subnormal numbers are not flushed.
    FlushDropped,
    /// The greater for the smaller number.
    ExtremesSwapped,
    /// An unordered comparison is false of a NaN.
    UnorderedDropped,
    // ---- steps ------------------------------------------------------------------------------------------------------
    /// A guarded instruction is always executed.
    GuardDropped,
    /// A guarded instruction is executed where its predicate is false.
    GuardInverted,
    /// The sides of a decision change places.
    SidesSwapped,
    /// A decision's result is that of the other side.
    MergeOfOtherSide,
    /// The offset of an access is dropped.
    OffsetDropped,
    /// The elements of a vector are stored in reverse order.
    ElementsReversed,
    // ---- places and values ------------------------------------------------------------------------------------------
    /// Steps after a statement are written in front of it.
    PlaceTooEarly,
    /// A step reads what a value is redirected to.
    RedirectedRead,
    /// Another scalar of a vector is replaced.
    WrongScalar,
    /// Uses are not redirected.
    RedirectDropped,
    /// A removed statement stays.
    RemovalDropped,
    /// A moved statement stays where it was.
    RelocationDropped,
    /// A variable is not set.
    SetDropped,
    /// Variables are one.
    VariablesMixed,
    // ---- guarded loads ----------------------------------------------------------------------------------------------
    /// A guarded load is executed where its condition is false.
    LoadGuardInverted,
    /// A guarded load gives 0 where it is not executed.
    ChosenDropped,
    /// What a guarded load promises of its value is believed of what is chosen instead.
    LoadPromiseKept,
    /// What a load promises of a value is believed of it in other lanes.
    HandedPromiseKept,
    /// Products and sums stay in different blocks.
    ArithmeticTorn,
    /// A product that is read on both sides of a cut is on one of them only.
    ProductElsewhere,
    // ---- clones -----------------------------------------------------------------------------------------------------
    /// A clone is entered where its condition is false.
    EntryInverted,
    /// A clone never leaves at an exit.
    ExitIgnored,
    /// A clone leaves where it should stay.
    ExitInverted,
    /// An edit of the clone is one of the original.
    EditOfOriginal,
    /// A settled branch of a clone takes the other edge.
    SettledOtherWay,
    /// The clones of a chain go back to the original.
    BackEdgeToOriginal,
    /// A product of one iteration counts as one of the block in which another iteration has its sum.
    HomesOfAllIterations,
    /// After a clone values are those of the original.
    CloneValuesForgotten,
}

#[cfg(test)]
pub(crate) use switch::{active, with};

/// Outside of tests nothing is broken on purpose.
#[cfg(not(test))]
pub(crate) const fn active(_: Mutation) -> bool {
    false
}

// As in the library: `cfg(test)` of one package is not seen by another, so the switch cannot be shared.
#[cfg(test)]
mod switch {
    use super::Mutation;
    use std::cell::Cell;

    thread_local! {
        static ACTIVE: Cell<Option<Mutation>> = const { Cell::new(None) };
    }

    /// Whether the writer is broken this way, on this thread.
    pub(crate) fn active(mutation: Mutation) -> bool {
        ACTIVE.get() == Some(mutation)
    }

    /// What `work` gives with the writer broken; it must not leave this thread.
    pub(crate) fn with<T>(mutation: Mutation, work: impl FnOnce() -> T) -> T {
        /// Mends the writer even if `work` panics.
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
