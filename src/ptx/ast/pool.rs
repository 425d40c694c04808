//! Lists of a module's nodes: ranges of pools.

/// A range of a [`Pool`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// Place of the first element in its [`Pool`].
    start: u32,
    /// Number of elements.
    pub len: u32,
}

impl List {
    /// Of the pool's part with this number the elements from `start` to, not including, `end`.
    pub(crate) fn of_part(part: u32, start: usize, end: usize) -> List {
        List {
            start: (part << INDEX_BITS) | start as u32,
            len: (end - start) as u32,
        }
    }
}

/// Low bits of an element's place, which are its index in its part, where there are several parts: [`Pool`].
const INDEX_BITS: u32 = 26;
/// Parts of a pool at most.
pub(crate) const MAX_PARTS: usize = 1 << (u32::BITS - INDEX_BITS);
/// Elements of a part at most, where there are several.
pub(crate) const MAX_ELEMENTS: usize = 1 << INDEX_BITS;

/// The elements of all lists of one kind. Parts of the text that were read at once have parts of their own here; if there is
/// only one, it can be as large as there are places.
#[derive(Debug)]
pub struct Pool<T> {
    parts: Vec<Vec<T>>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool::new(Vec::new())
    }
}

impl<T> Pool<T> {
    /// Of its parts: [`MAX_PARTS`] at most, and if there are several, less than [`MAX_ELEMENTS`] elements in each.
    pub(crate) fn new(parts: Vec<Vec<T>>) -> Self {
        Pool { parts }
    }

    /// The elements of a list.
    #[inline]
    pub fn get(&self, list: List) -> &[T] {
        let (part, start) = match &*self.parts {
            [only] => (only, list.start as usize),
            parts => (
                &parts[(list.start >> INDEX_BITS) as usize],
                list.start as usize & (MAX_ELEMENTS - 1),
            ),
        };
        &part[start..start + list.len as usize]
    }

    /// All elements of all lists.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.parts.iter().flatten()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.parts.iter_mut().flatten()
    }

    /// How many parts there are.
    pub(crate) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The last part, to which more is added until [`Pool::put_last`] has it back.
    pub(crate) fn take_last(&mut self) -> Vec<T> {
        self.parts
            .last_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// The new last part, which begins as the old one.
    pub(crate) fn put_last(&mut self, part: Vec<T>) {
        if let Some(last) = self.parts.last_mut() {
            *last = part;
        }
    }
}
