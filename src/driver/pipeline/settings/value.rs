//! Values of settings: read in one way, whether an argument has them, a variable, a file or a command.

use crate::pipeline::limit::Limit;
use ptxasw_base::kernel_filter::Selection;
use ptxasw_base::named::{Named, named, nearest, suggestion};
use ptxasw_ir::fast_math::FastMath;
use ptxasw_passes::Passes;
use ptxasw_passes::memory::Loads;
use ptxasw_passes::saturate::{Cost, Extraction};
use ptxasw_passes::shuffle::plan::Wrapping;
use ptxasw_passes::shuffle::profit::Profit;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

/// No scheme by name.
const AUTO: &str = "auto";

/// Why a text is not a value of a setting.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadValue(String);

/// What a setting holds.
pub trait Value {
    /// The names that it takes, each with what it means; none where it takes other texts.
    fn names(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    /// Becomes what a text says. A list of a text, separated by commas, is added to what is there.
    ///
    /// # Errors
    /// The text does not fit.
    fn read(&mut self, text: &str) -> Result<(), BadValue>;

    /// The text that reads as this value; none where nothing is chosen.
    fn text(&self) -> Option<String>;
}

/// What may be taken for granted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assumption {
    /// 32-bit index arithmetic does not wrap.
    NoWrap,
    /// What different pointer parameters point to does not overlap.
    NoAlias,
    /// A permission for all operations on floating-point numbers.
    Arithmetic(FastMath),
}

impl Assumption {
    /// What it permits with operations on floating-point numbers.
    pub fn permission(self) -> FastMath {
        match self {
            Assumption::Arithmetic(permission) => permission,
            _ => FastMath::NONE,
        }
    }
}

named!(Assumption {
    "nowrap" = Assumption::NoWrap, "32-bit index arithmetic does not wrap";
    "noalias" = Assumption::NoAlias, "What different pointer parameters point to does not overlap, nor does it with variables of the module";
    "contract" = Assumption::Arithmetic(FastMath::CONTRACT), "A product and a sum of floating-point numbers may be rounded once, as one `fma`";
    "reassoc" = Assumption::Arithmetic(FastMath::REASSOC), "Products of floating-point numbers may be computed in another order; with `nsz` sums, too";
    "nsz" = Assumption::Arithmetic(FastMath::NSZ), "The sign of a floating-point zero does not matter";
    "arcp" = Assumption::Arithmetic(FastMath::ARCP), "A quotient of floating-point numbers may be a product with the reciprocal of its divisor";
    "nnan" = Assumption::Arithmetic(FastMath::NNAN), "No operand and no result is a NaN: where one is, results are any numbers";
    "ninf" = Assumption::Arithmetic(FastMath::NINF), "No operand and no result is infinite: where one is, results are any numbers";
});

/// A state space that is covered besides global and constant memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// `.shared`.
    Shared,
}

named!(Space {
    "shared" = Space::Shared, "`.shared`: loads from shared memory cost little; covering them pays where they limit the kernel";
});

/// A target that has a number: `sm_90a`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetName(pub String);

impl FromStr for TargetName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = target_number(text);
        number.ok_or("expected a target such as `sm_80`")?;
        Ok(TargetName(text.to_owned()))
    }
}

/// The number of a target, as 90 of `sm_90a`.
pub fn target_number(target: &str) -> Option<u32> {
    let digits = target.strip_prefix("sm_")?;
    let feature = |letter: char| letter.is_ascii_lowercase();
    digits.strip_suffix(feature).unwrap_or(digits).parse().ok()
}

/// What a text says; an error in its own words.
fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, BadValue> {
    text.parse().map_err(BadValue::of)
}

/// A number.
///
/// # Errors
/// The text is no number, or above `most`.
pub fn number<N: FromStr + PartialOrd + Display>(text: &str, most: N) -> Result<N, BadValue> {
    let parsed = text.parse().ok().filter(|number| *number <= most);
    parsed.ok_or_else(|| BadValue(format!("expected a number of at most {most}, not `{text}`")))
}

impl BadValue {
    /// By another error.
    pub fn of(error: impl Display) -> Self {
        BadValue(error.to_string())
    }

    fn choice(text: &str, names: &[&str]) -> Self {
        let similar = suggestion(nearest(text, names));
        BadValue(format!(
            "expected one of {}, not `{text}`{similar}",
            names.join(", ")
        ))
    }
}

fn by_name<T: Named>(text: &str) -> Result<T, BadValue> {
    let names = || T::NAMES.iter().map(|(name, ..)| *name);
    T::named(text).ok_or_else(|| BadValue::choice(text, &names().collect::<Vec<_>>()))
}

fn names<T: Named>() -> Vec<(&'static str, &'static str)> {
    let names = T::NAMES.iter();
    names.map(|(name, _, what)| (*name, *what)).collect()
}

/// Several words as one text; none if there are none.
fn list(words: impl IntoIterator<Item = impl ToString>) -> Option<String> {
    let words: Vec<String> = words.into_iter().map(|word| word.to_string()).collect();
    (!words.is_empty()).then(|| words.join(","))
}

macro_rules! chosen {
    ($($type:ty),*) => {$(
        impl Value for $type {
            fn names(&self) -> Vec<(&'static str, &'static str)> {
                names::<$type>()
            }

            fn read(&mut self, text: &str) -> Result<(), BadValue> {
                *self = by_name(text)?;
                Ok(())
            }

            fn text(&self) -> Option<String> {
                Some(self.name().to_owned())
            }
        }
    )*};
}

chosen!(Cost, Extraction, Loads, Profit);

/// A scheme, or the best one.
impl Value for Option<Wrapping> {
    fn names(&self) -> Vec<(&'static str, &'static str)> {
        let auto = "The best one for what is known of the member mask and of rows";
        [vec![(AUTO, auto)], names::<Wrapping>()].concat()
    }

    fn read(&mut self, text: &str) -> Result<(), BadValue> {
        let names: Vec<&str> = self.names().iter().map(|(name, _)| *name).collect();
        *self = match text.eq_ignore_ascii_case(AUTO) {
            true => None,
            false => Some(Wrapping::named(text).ok_or_else(|| BadValue::choice(text, &names))?),
        };
        Ok(())
    }

    fn text(&self) -> Option<String> {
        Some(self.map_or(AUTO, Wrapping::name).to_owned())
    }
}

impl<T: Named> Value for Vec<T> {
    fn names(&self) -> Vec<(&'static str, &'static str)> {
        names::<T>()
    }

    fn read(&mut self, text: &str) -> Result<(), BadValue> {
        for one in text.split(',') {
            self.push(by_name(one)?);
        }
        Ok(())
    }

    fn text(&self) -> Option<String> {
        let held = T::NAMES.iter().filter(|(_, one, _)| self.contains(one));
        list(held.map(|(name, ..)| name))
    }
}

/// A switch.
impl Value for bool {
    fn read(&mut self, text: &str) -> Result<(), BadValue> {
        *self = match text {
            "1" | "on" | "true" | "yes" => true,
            "0" | "off" | "false" | "no" => false,
            _ => return Err(BadValue::choice(text, &["0", "1"])),
        };
        Ok(())
    }

    fn text(&self) -> Option<String> {
        Some(u8::from(*self).to_string())
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Value for $number {
            fn read(&mut self, text: &str) -> Result<(), BadValue> {
                *self = number(text, <$number>::MAX)?;
                Ok(())
            }

            fn text(&self) -> Option<String> {
                Some(self.to_string())
            }
        }

        impl Value for Option<$number> {
            fn read(&mut self, text: &str) -> Result<(), BadValue> {
                *self = Some(number(text, <$number>::MAX)?);
                Ok(())
            }

            fn text(&self) -> Option<String> {
                self.map(|number| number.to_string())
            }
        }
    )*};
}

numbers!(u8, u32, u64, usize);

macro_rules! optional {
    ($($value:ty: $text:expr),*) => {$(
        impl Value for Option<$value> {
            fn read(&mut self, text: &str) -> Result<(), BadValue> {
                *self = Some(parsed(text)?);
                Ok(())
            }

            fn text(&self) -> Option<String> {
                self.as_ref().map($text)
            }
        }
    )*};
}

optional!(
    Limit: Limit::to_string,
    PathBuf: |path| path.display().to_string(),
    TargetName: |target| target.0.clone()
);

impl Value for Passes {
    fn read(&mut self, text: &str) -> Result<(), BadValue> {
        *self = parsed(text)?;
        Ok(())
    }

    fn text(&self) -> Option<String> {
        list(self.names())
    }
}

/// Globs of kernels' names.
impl Value for Selection {
    fn read(&mut self, text: &str) -> Result<(), BadValue> {
        text.split(',').try_for_each(|one| {
            let added = self.add(one);
            added.map_err(|error| BadValue(format!("`{one}`: {error}")))
        })
    }

    fn text(&self) -> Option<String> {
        list(self.globs())
    }
}
