//! Tables for terminals: two blanks between columns, no frame, no blanks at the end of a line.

use std::fmt::{self, Display, Formatter};
pub use tabular::{Row, row};

/// Rows, of which each column is as wide as its widest cell, and lines between them.
pub struct Table(tabular::Table);

impl Table {
    /// An empty table. After the blanks that each row begins with, `sides` has a letter for each column: `<` for names, which are at
    /// the left, and `>` for numbers, at the right.
    pub fn new(sides: &str) -> Self {
        let (indent, sides) = sides.split_at(sides.len() - sides.trim_start().len());
        let columns: Vec<String> = sides.chars().map(|side| format!("{{:{side}}}")).collect();
        Table(tabular::Table::new(
            &(indent.to_owned() + &columns.join("  ")),
        ))
    }

    /// A table that begins with a row of words. Two blanks are between these, as in what is printed.
    pub fn headed(sides: &str, words: &str) -> Self {
        let mut table = Table::new(sides);
        table.row(Row::from_cells(words.split("  ")));
        table
    }

    /// Adds a row. Cells that it lacks are empty.
    pub fn row(&mut self, mut row: Row) {
        while row.len() < self.0.column_count() {
            row.add_cell("");
        }
        self.0.add_row(row);
    }

    /// Adds the lines of a text, which share no column with the rows.
    pub fn lines(&mut self, text: impl Display) {
        for line in text.to_string().lines() {
            self.0.add_heading(line);
        }
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let text = self.0.to_string();
        text.lines()
            .try_for_each(|line| writeln!(f, "{}", line.trim_end()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cells() {
        assert_eq!(Table::new("").to_string(), "");
        let mut table = Table::headed("  <><", "µs  at most");
        table.row(row!("k", 7));
        table.lines("a line that is longer than all\n");
        table.row(row!("kernel", 100.5, "cold"));
        let expected = "
  µs      at most
  k             7
a line that is longer than all
  kernel    100.5  cold
";
        assert_eq!("\n".to_owned() + &table.to_string(), expected);
    }
}
