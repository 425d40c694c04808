//! Words as a shell takes them.

use std::borrow::Cow;

/// A word, in quotes where a shell would take it for something else.
pub fn word(text: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(&byte);
    match !text.is_empty() && text.bytes().all(plain) {
        true => text.into(),
        false => format!("'{}'", text.replace('\'', "'\\''")).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn what_a_shell_would_change_is_quoted() {
        assert_eq!(word("a/b-1.ptx"), "a/b-1.ptx");
        for (text, quoted) in [
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", "'it'\\''s'"),
            ("!x", "'!x'"),
        ] {
            assert_eq!(word(text), quoted);
        }
    }
}
