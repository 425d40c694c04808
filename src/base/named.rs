//! Values that users choose by name.

/// A type whose values have names, in options, variables, files and reports.
pub trait Named: Copy + PartialEq + 'static {
    /// Each value with its name and what it means, in the order in which help shows them.
    const NAMES: &'static [(&'static str, Self, &'static str)];

    /// The name of a value; empty where it has none.
    fn name(self) -> &'static str {
        let found = Self::NAMES.iter().find(|(_, one, _)| *one == self);
        found.map_or("", |(name, ..)| name)
    }

    /// The value of a name, in capitals or not.
    fn named(text: &str) -> Option<Self> {
        let mut all = Self::NAMES.iter();
        let found = all.find(|(name, ..)| name.eq_ignore_ascii_case(text));
        found.map(|&(_, one, _)| one)
    }
}

/// Gives the values of a type their names: `named!(Answer { "yes" = Answer::Yes, "what it means"; })`.
#[macro_export]
macro_rules! named {
    ($type:ty { $($name:literal = $value:expr, $what:literal;)* }) => {
        impl $crate::named::Named for $type {
            const NAMES: &'static [(&'static str, Self, &'static str)] =
                &[$(($name, $value, $what)),*];
        }
    };
}

pub use named;

/// Names that are closer than this are taken for what was meant.
const CLOSE: f64 = 0.85;

/// The name that was most likely meant, if one is close.
pub fn nearest<N: AsRef<str>>(given: &str, names: impl IntoIterator<Item = N>) -> Option<N> {
    let names = names.into_iter();
    let near = names.map(|name| (strsim::jaro_winkler(given, name.as_ref()), name));
    let near = near.filter(|(similarity, _)| *similarity > CLOSE);
    near.max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, name)| name)
}

/// What an error adds where a name was most likely meant.
pub fn suggestion(similar: Option<impl AsRef<str>>) -> String {
    similar.map_or_else(String::new, |name| {
        format!(", did you mean `{}`?", name.as_ref())
    })
}
