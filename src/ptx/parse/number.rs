//! Literals (PTX ISA, "Constants").

use super::constant::Constant;

/// The value of a literal, which begins with a digit or a point; `None` where it is malformed.
pub(super) fn number(text: &[u8]) -> Option<Constant> {
    let (&first, rest) = text.split_first()?;
    if rest.is_empty() {
        return first.is_ascii_digit().then(|| Constant::Integer {
            bits: u64::from(first - b'0'),
            unsigned: false,
        });
    }
    if first != b'0' {
        return decimal(text);
    }
    match rest[0] {
        b'x' | b'X' => integer(&rest[1..], 16),
        b'b' | b'B' => integer(&rest[1..], 2),
        b'f' | b'F' => exact(&rest[1..], 32),
        b'd' | b'D' => exact(&rest[1..], 64),
        b'0'..=b'9' if rest.iter().all(|b| !matches!(b, b'.' | b'e' | b'E')) => integer(rest, 8),
        _ => decimal(text),
    }
}

fn decimal(text: &[u8]) -> Option<Constant> {
    if text.iter().any(|b| matches!(b, b'.' | b'e' | b'E')) {
        let value: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
        return Some(Constant::Float {
            bits: value.to_bits(),
            width: 64,
        });
    }
    integer(text, 10)
}

/// Digits and an optional `U`. Without it the literal is signed where it fits. Too large a value wraps, as in `ptxas`.
fn integer(digits: &[u8], radix: u32) -> Option<Constant> {
    let (digits, suffix) = match digits {
        [digits @ .., b'U' | b'u'] => (digits, true),
        _ => (digits, false),
    };
    if digits.is_empty() {
        return None;
    }
    let mut bits: u64 = 0;
    for &b in digits {
        let digit = char::from(b).to_digit(radix)?;
        bits = bits
            .wrapping_mul(u64::from(radix))
            .wrapping_add(u64::from(digit));
    }
    Some(Constant::Integer {
        bits,
        unsigned: suffix || i64::try_from(bits).is_err(),
    })
}

/// The hexadecimal digits of `0f` (8) and `0d` (16).
fn exact(digits: &[u8], width: u8) -> Option<Constant> {
    if digits.len() != usize::from(width / 4) {
        return None;
    }
    let mut bits = 0;
    for &b in digits {
        bits = bits << 4 | u64::from(char::from(b).to_digit(16)?);
    }
    Some(Constant::Float { bits, width })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<u64> {
        match number(text.as_bytes())? {
            Constant::Integer { bits, .. } => Some(bits),
            Constant::Float { .. } => None,
        }
    }

    fn float(text: &str) -> Option<(u64, u8)> {
        match number(text.as_bytes())? {
            Constant::Float { bits, width } => Some((bits, width)),
            Constant::Integer { .. } => None,
        }
    }

    #[test]
    fn integers() {
        assert_eq!(value("0"), Some(0));
        assert_eq!(value("9"), Some(9));
        assert_eq!(value("42U"), Some(42));
        assert_eq!(value("0U"), Some(0));
        assert_eq!(value("0x1FFu"), Some(0x1ff));
        assert_eq!(value("0XfF"), Some(255));
        assert_eq!(value("0b101"), Some(5));
        assert_eq!(value("017"), Some(15));
        assert_eq!(value("18446744073709551615"), Some(u64::MAX));
        assert_eq!(value("18446744073709551617"), Some(1));
        for bad in ["0x", "0b2", "08", "12ab", "1UU", "0xG", "U"] {
            assert!(number(bad.as_bytes()).is_none(), "{bad}");
        }
    }

    #[test]
    fn floats() {
        assert_eq!(float("0f3F800000"), Some((0x3f80_0000, 32)));
        assert_eq!(
            float("0D3ff0000000000000"),
            Some((0x3ff0_0000_0000_0000, 64))
        );
        assert_eq!(float("1.5"), Some((1.5f64.to_bits(), 64)));
        assert_eq!(float("0.25"), Some((0.25f64.to_bits(), 64)));
        assert_eq!(float("1."), Some((1f64.to_bits(), 64)));
        assert_eq!(float(".5"), Some((0.5f64.to_bits(), 64)));
        assert_eq!(float("1e3"), Some((1e3f64.to_bits(), 64)));
        assert_eq!(float("1.0E-3"), Some((1e-3f64.to_bits(), 64)));
        assert_eq!(float("00.5"), Some((0.5f64.to_bits(), 64)));
        for bad in [
            "0f3F80000",
            "0f3F8000000",
            "0d00",
            "1e",
            "1.2.3",
            "0fxxxxxxxx",
        ] {
            assert!(number(bad.as_bytes()).is_none(), "{bad}");
        }
    }
}
