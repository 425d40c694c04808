//! An entry of the table of reasons.

use super::{ConditionName, c1, c2, c3, c4, c5, c6, limit, profit};

/// What a kernel was written in: reports name what would lift a refusal in its terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// CUDA C++, or what reads like it.
    #[default]
    Cuda,
    /// OpenACC or OpenMP, in C, C++ or Fortran.
    OpenAcc,
    /// Triton's Python.
    Triton,
}

/// Why a load stays a load, or a kernel is left alone.
#[derive(Debug)]
pub struct Reason {
    /// A name for remarks, tests and `ptxasw explain CODE`: `C3-store`. It does not change from version to version.
    pub code: &'static str,
    /// The condition that fails.
    pub condition: ConditionName,
    /// What is wrong, as a sentence without a full stop; a number or a name replaces `{}`.
    pub text: &'static str,
    /// What would lift it in CUDA C++, and in all languages that say nothing of their own; may be empty.
    pub cuda: &'static str,
    /// What would lift it in OpenACC and OpenMP, where that differs.
    pub openacc: &'static str,
    /// What would lift it in Triton, where that differs.
    pub triton: &'static str,
    /// An option of ptxasw that lifts it; may be empty.
    pub option: &'static str,
    /// Why that is so, in a few sentences.
    pub about: &'static str,
    /// Lines of CUDA C++ with a load that stays for this reason.
    pub example: &'static str,
}

impl Reason {
    /// An entry of a condition with nothing filled in.
    pub(super) const fn of(condition: ConditionName) -> Self {
        Reason {
            code: "",
            condition,
            text: "",
            cuda: "",
            openacc: "",
            triton: "",
            option: "",
            about: "",
            example: "",
        }
    }

    /// What would lift it, in the words of a language.
    pub fn lift(&self, language: Language) -> Option<String> {
        let own = match language {
            Language::Cuda => "",
            Language::OpenAcc => self.openacc,
            Language::Triton => self.triton,
        };
        let source = if own.is_empty() { self.cuda } else { own };
        match (source, self.option) {
            ("", "") => None,
            ("", option) => Some(option.to_string()),
            (source, "") => Some(source.to_string()),
            (source, option) => Some(format!("{source}, or {option}")),
        }
    }
}

/// All entries, in the order of the conditions.
pub fn all() -> impl Iterator<Item = &'static Reason> {
    [
        c1::ALL,
        c2::ALL,
        c3::ALL,
        c4::ALL,
        c5::ALL,
        c6::ALL,
        limit::ALL,
        profit::ALL,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// The entry of a code, in any case of letters.
pub fn by_code(code: &str) -> Option<&'static Reason> {
    all().find(|reason| reason.code.eq_ignore_ascii_case(code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const FILES: [&str; 8] = [
        include_str!("c1.rs"),
        include_str!("c2.rs"),
        include_str!("c3.rs"),
        include_str!("c4.rs"),
        include_str!("c5.rs"),
        include_str!("c6.rs"),
        include_str!("limit.rs"),
        include_str!("profit.rs"),
    ];

    #[test]
    fn every_entry_is_listed_once() {
        let defined: usize = FILES
            .iter()
            .map(|file| file.matches("pub static ").count())
            .sum();
        let codes: BTreeSet<&str> = all().map(|reason| reason.code).collect();
        assert_eq!((codes.len(), all().count()), (defined, defined));
    }

    #[test]
    fn every_entry_is_whole() {
        for reason in all() {
            let prefix = format!("{}-", reason.condition.name());
            assert!(reason.code.starts_with(&prefix), "{}", reason.code);
            assert!(!reason.text.ends_with('.'), "{}", reason.code);
            assert!(reason.about.ends_with('.'), "{}", reason.code);
            assert!(!reason.example.is_empty(), "{}", reason.code);
        }
    }
}
