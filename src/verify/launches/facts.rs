//! The facts of a flow-insensitive analysis: each is joined over all values that a register ever holds.

/// A set of fields, by number.
pub(super) type Fields = u128;
/// A set of variables: those of the function, above those of the module.
pub(super) type Variables = u64;
/// Variables of each kind that are distinguished; later ones share a bit.
pub(super) const MAX_VARIABLES: u32 = 32;
/// In place of a field's number: the address of a variable.
pub(super) const VARIABLE: u8 = u8::MAX;

/// The lattice of constant propagation: bottom, a constant, top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Known<T> {
    /// No value yet.
    #[default]
    Nothing,
    /// Always this one.
    One(T),
    /// Several, or one that is not known.
    Several,
}

impl<T: Copy + PartialEq> Known<T> {
    /// The value, if there is one alone.
    pub(super) fn one(self) -> Option<T> {
        match self {
            Known::One(value) => Some(value),
            _ => None,
        }
    }

    /// What `change` makes of the value; none where it makes nothing.
    pub(super) fn and_then(self, change: impl FnOnce(T) -> Option<T>) -> Self {
        match self {
            Known::One(value) => change(value).map_or(Known::Several, Known::One),
            other => other,
        }
    }

    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Known::Nothing, known) | (known, Known::Nothing) => known,
            (one, other) if one == other => one,
            _ => Known::Several,
        }
    }
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fact {
    /// Axes of the thread's index that it depends on, a bit each.
    pub(super) axes: u8,
    /// Scalars of the parameters that it depends on.
    pub(super) fields: Fields,
    /// Of these, factors of an index: what they give is not scaled any more.
    pub(super) factors: Fields,
    /// Pointers through which it was loaded.
    pub(super) loaded: Fields,
    /// Variables whose addresses it is made of.
    pub(super) variables: Variables,
    /// The pointer that it is made of: a field, or [`VARIABLE`].
    pub(super) base: Option<u8>,
    /// Bytes from there.
    pub(super) offset: Known<i64>,
    /// It is `%tid` of this axis.
    pub(super) thread: Known<u8>,
    /// It is this constant.
    pub(super) constant: Known<u64>,
}

impl Fact {
    /// A value of which nothing is known.
    pub(super) fn unknown() -> Self {
        Fact {
            offset: Known::Several,
            thread: Known::Several,
            constant: Known::Several,
            ..Fact::default()
        }
    }

    /// All that either value depends on; it is none of the two.
    pub(super) fn mix(self, other: Fact) -> Fact {
        Fact {
            axes: self.axes | other.axes,
            fields: self.fields | other.fields,
            loaded: self.loaded | other.loaded,
            variables: self.variables | other.variables,
            ..Fact::unknown()
        }
    }

    /// What holds both values at different times.
    pub(super) fn join(self, other: Fact) -> Fact {
        Fact {
            factors: self.factors | other.factors,
            base: self.base.or(other.base),
            // What is no address is passed over: it may come from a place that is not followed.
            offset: match (self.base, other.base) {
                (Some(_), None) => self.offset,
                (None, Some(_)) => other.offset,
                _ => self.offset.join(other.offset),
            },
            thread: self.thread.join(other.thread),
            constant: self.constant.join(other.constant),
            ..self.mix(other)
        }
    }
}

/// The address of a variable and so many bytes; `first` is the place of its kind in [`Variables`].
pub(super) fn variable(number: u32, first: u32, offset: i64) -> Fact {
    Fact {
        base: Some(VARIABLE),
        offset: Known::One(offset),
        variables: 1 << (first + number.min(MAX_VARIABLES - 1)),
        ..Fact::unknown()
    }
}

/// Variables of a set; all, where it is not known which.
pub(super) fn places(variables: Variables) -> impl Iterator<Item = usize> {
    let any = variables == 0;
    (0..2 * MAX_VARIABLES as usize).filter(move |place| any || variables >> place & 1 != 0)
}
