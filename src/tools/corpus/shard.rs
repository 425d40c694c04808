//! A part of a tree, so that a scheduler runs the parts on many machines.

use std::fmt;
use std::str::FromStr;

/// Part `number` of `of`, from 1: every `of`-th file, so that neighbours, which often take equally long, are in different parts.
///
/// The parts of a tree are disjoint, and together they are the tree. Records of all parts, one after the other, are those of the
/// whole tree ([`Store`](super::Store)).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// Whether the file with this index, from 0, belongs to it.
    pub fn takes(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }
}

/// A text is no part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a part and how many there are, such as `3/16`")]
pub struct BadShard;

impl FromStr for Shard {
    type Err = BadShard;

    fn from_str(text: &str) -> Result<Self, BadShard> {
        let (number, of) = text.split_once('/').ok_or(BadShard)?;
        let [number, of] = [number, of].map(|one| one.parse().map_err(|_| BadShard));
        let shard = Shard {
            number: number?,
            of: of?,
        };
        match 1 <= shard.number && shard.number <= shard.of {
            true => Ok(shard),
            false => Err(BadShard),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole() {
        for of in 1..6 {
            let shards = (1..=of).map(|number| format!("{number}/{of}").parse::<Shard>().unwrap());
            let shards: Vec<Shard> = shards.collect();
            for index in 0..20 {
                let taken = shards.iter().filter(|shard| shard.takes(index));
                assert_eq!(taken.count(), 1);
            }
        }
    }

    #[test]
    fn what_is_no_part() {
        for text in ["", "3", "0/4", "5/4", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert_eq!(text.parse::<Shard>(), Err(BadShard), "{text}");
        }
    }
}
