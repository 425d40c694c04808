//! Versions of the PTX ISA, as `.version` names them.

use std::fmt;
use std::str::FromStr;

/// A version of the PTX ISA: 8.5.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct IsaVersion {
    /// 8 of 8.5.
    pub major: u16,
    /// 5 of 8.5.
    pub minor: u16,
}

/// The last minor version of each major one that there is, by what the `ptxas` of CUDA 13.5 takes.
const LAST: [IsaVersion; 9] = [
    IsaVersion::new(1, 5),
    IsaVersion::new(2, 3),
    IsaVersion::new(3, 2),
    IsaVersion::new(4, 3),
    IsaVersion::new(5, 1),
    IsaVersion::new(6, 5),
    IsaVersion::new(7, 8),
    IsaVersion::new(8, 8),
    IsaVersion::NEWEST,
];

impl IsaVersion {
    /// The newest one that this program has heard of.
    pub const NEWEST: IsaVersion = IsaVersion::new(9, 5);

    /// The version of these numbers.
    pub const fn new(major: u16, minor: u16) -> Self {
        IsaVersion { major, minor }
    }

    /// Whether there is such a version, as far as this program has heard.
    pub fn is_known(self) -> bool {
        let mut last = LAST.iter();
        last.any(|last| last.major == self.major && self.minor <= last.minor)
    }
}

impl fmt::Display for IsaVersion {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The text is not of the form `8.5`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoIsaVersion;

impl FromStr for IsaVersion {
    type Err = NoIsaVersion;

    fn from_str(text: &str) -> Result<Self, NoIsaVersion> {
        let (major, minor) = text.split_once('.').ok_or(NoIsaVersion)?;
        let number = |text: &str| text.parse().map_err(|_| NoIsaVersion);
        Ok(IsaVersion::new(number(major)?, number(minor)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_known() {
        for (text, known) in [
            ("1.0", true),
            ("6.5", true),
            ("6.6", false),
            ("9.5", true),
            ("9.6", false),
            ("99.9", false),
            ("0.0", false),
        ] {
            let version: IsaVersion = text.parse().unwrap();
            assert_eq!((version.is_known(), &*version.to_string()), (known, text));
        }
        for text in ["", "8", "8.", ".5", "8.0.1", "abc", "-1.0"] {
            assert_eq!(text.parse::<IsaVersion>(), Err(NoIsaVersion), "{text}");
        }
    }
}
