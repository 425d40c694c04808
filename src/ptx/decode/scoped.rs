//! A symbol table of nested scopes: constant time to look up, linear in all to open and close.

use crate::ast::Span;
use rustc_hash::FxHashMap;

/// What a name stands for in the innermost scope that has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound<T> {
    /// What it stands for.
    pub value: T,
    /// Number of scopes around the declaring one.
    pub level: u32,
    /// Where it is declared.
    pub span: Span,
}

/// The table. A scope's end undoes its declarations one by one.
#[derive(Debug)]
pub(super) struct Scoped<'a, T> {
    bound: FxHashMap<&'a [u8], Bound<T>>,
    undo: Vec<(&'a [u8], Option<Bound<T>>)>,
    marks: Vec<usize>,
}

impl<'a, T: Copy> Scoped<'a, T> {
    /// An empty outermost scope.
    pub fn new() -> Self {
        Scoped {
            bound: FxHashMap::default(),
            undo: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// Number of scopes around the current one.
    pub fn level(&self) -> u32 {
        self.marks.len() as u32
    }

    /// Begins an inner scope.
    pub fn open(&mut self) {
        self.marks.push(self.undo.len());
    }

    /// Ends it; nothing happens in the outermost.
    pub fn close(&mut self) {
        let Some(mark) = self.marks.pop() else {
            return;
        };
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some((name, Some(outer))) => self.bound.insert(name, outer),
                Some((name, None)) => self.bound.remove(name),
                None => None,
            };
        }
    }

    /// Declares a name in the current scope; the span of the other declaration if the scope has it already.
    pub fn declare(&mut self, name: &'a [u8], value: T, span: Span) -> Result<(), Span> {
        let level = self.level();
        if let Some(other) = self.bound.get(name)
            && other.level == level
        {
            return Err(other.span);
        }
        let bound = Bound { value, level, span };
        let outer = self.bound.insert(name, bound);
        self.undo.push((name, outer));
        Ok(())
    }

    /// The innermost declaration.
    pub fn get(&self, name: &[u8]) -> Option<&Bound<T>> {
        self.bound.get(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes() {
        let mut table = Scoped::new();
        let value = |table: &Scoped<i32>, name: &[u8]| table.get(name).map(|b| b.value);
        assert_eq!(table.declare(b"a", 1, Span::new(1, 2)), Ok(()));
        assert_eq!(
            table.declare(b"a", 2, Span::new(3, 4)),
            Err(Span::new(1, 2))
        );
        table.open();
        assert_eq!(table.declare(b"a", 3, Span::new(5, 6)), Ok(()));
        assert_eq!(table.declare(b"b", 4, Span::new(7, 8)), Ok(()));
        assert_eq!(value(&table, b"a"), Some(3));
        table.close();
        assert_eq!(value(&table, b"a"), Some(1));
        assert_eq!(value(&table, b"b"), None);
        table.close();
        assert_eq!(value(&table, b"a"), Some(1));
    }
}
