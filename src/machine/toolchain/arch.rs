//! GPU architectures as they are named in `.target` and by `-arch`.

use std::fmt;
use std::str::FromStr;

use super::ToolchainError;

/// A GPU architecture: `sm_80`, `sm_90a`, `sm_100f`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Arch {
    /// Compute capability times ten.
    pub number: u16,
    /// `a` (architecture-specific) or `f` (family-specific) features.
    pub suffix: Option<char>,
}

/// Compute capabilities, times ten, that GPUs have or had, by the PTX ISA up to 9.5 (`.target`).
const KNOWN: [u16; 32] = [
    10, 11, 12, 13, 20, 21, 30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89,
    90, 100, 101, 103, 107, 110, 120, 121,
];

impl Arch {
    /// The oldest architecture that a `ptxas` of CUDA 13 knows.
    pub const OLDEST_OF_CUDA_13: Arch = Arch::new(75);
    /// The oldest architecture that a `ptxas` of CUDA 12 knows.
    pub const OLDEST_OF_CUDA_12: Arch = Arch::new(50);

    /// The architecture of that number, without a suffix.
    pub const fn new(number: u16) -> Self {
        Arch {
            number,
            suffix: None,
        }
    }

    /// Whether some GPU has that number.
    pub fn is_known(self) -> bool {
        KNOWN.contains(&self.number)
    }

    /// The latest known target that is not later than this one.
    pub fn nearest_known(self) -> Option<Arch> {
        let known = KNOWN.iter().rev().find(|&&known| known <= self.number);
        known.map(|&known| Arch::new(known))
    }

    /// Whether code for this target may be assembled for `other`: any later
    /// architecture, but only the very same one for `a`, and the same family
    /// for `f` (PTX ISA, `.target`).
    pub fn runs_on(self, other: Arch) -> bool {
        match self.suffix {
            None => other.number >= self.number,
            Some('f') => other.number / 10 == self.number / 10 && other.number >= self.number,
            Some(_) => other == self,
        }
    }

    /// The architecture to assemble a module of this `.target` for: itself, or
    /// the oldest one that assemblers still know.
    pub fn assembled_as(self) -> Arch {
        if self.number < Self::OLDEST_OF_CUDA_12.number {
            Self::OLDEST_OF_CUDA_12
        } else {
            self
        }
    }

    /// The architecture of the first `.target` directive of a module's text.
    /// Reads the text only, so that it works on modules that do not parse.
    pub fn of_module(ptx: &str) -> Option<Arch> {
        ptx.lines()
            .filter_map(|line| line.trim_start().strip_prefix(".target"))
            .flat_map(|rest| rest.split([',', ' ', '\t', '/']))
            .find_map(|word| word.trim().parse().ok())
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}", self.number)?;
        match self.suffix {
            Some(letter) => write!(f, "{letter}"),
            None => Ok(()),
        }
    }
}

impl FromStr for Arch {
    type Err = ToolchainError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || ToolchainError::UnknownArch(text.to_owned());
        let rest = text.strip_prefix("sm_").ok_or_else(unknown)?;
        let digits = rest.trim_end_matches(['a', 'f']);
        let mut letters = rest.get(digits.len()..).unwrap_or_default().chars();
        let arch = Arch {
            number: digits.parse().map_err(|_| unknown())?,
            suffix: letters.next(),
        };
        match letters.next() {
            None => Ok(arch),
            Some(_) => Err(unknown()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arch(text: &str) -> Arch {
        text.parse().unwrap()
    }

    #[test]
    fn names_round_trip() {
        for name in ["sm_20", "sm_80", "sm_90a", "sm_100f", "sm_120"] {
            assert_eq!(arch(name).to_string(), name);
        }
        for name in ["", "80", "sm_", "sm_x", "sm_90aa", "compute_80", "sm_-1"] {
            assert!(name.parse::<Arch>().is_err(), "{name}");
        }
    }

    #[test]
    fn targets_are_known_by_their_number() {
        for (name, known, nearest) in [
            ("sm_80", true, Some("sm_80")),
            ("sm_121a", true, Some("sm_121")),
            ("sm_85", false, Some("sm_80")),
            ("sm_999", false, Some("sm_121")),
            ("sm_9", false, None),
        ] {
            assert_eq!(arch(name).is_known(), known, "{name}");
            assert_eq!(arch(name).nearest_known(), nearest.map(arch), "{name}");
        }
        assert!(KNOWN.is_sorted());
    }

    #[test]
    fn suffixes_bind_to_an_architecture_or_a_family() {
        assert!(arch("sm_80").runs_on(arch("sm_100")));
        assert!(!arch("sm_90").runs_on(arch("sm_80")));
        assert!(!arch("sm_90a").runs_on(arch("sm_100")));
        assert!(!arch("sm_90a").runs_on(arch("sm_90")));
        assert!(arch("sm_90a").runs_on(arch("sm_90a")));
        assert!(arch("sm_100f").runs_on(arch("sm_103")));
        assert!(!arch("sm_100f").runs_on(arch("sm_120")));
    }

    #[test]
    fn the_target_is_read_from_the_text() {
        assert_eq!(
            Arch::of_module(".version 7.0\n.target sm_75, debug\n"),
            Some(arch("sm_75"))
        );
        assert_eq!(
            Arch::of_module(".target  texmode_unified,sm_20"),
            Some(arch("sm_20"))
        );
        assert_eq!(Arch::of_module(".version 7.0"), None);
    }
}
