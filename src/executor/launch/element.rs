//! The types that elements of buffers, scalars and fields of structures have.

use half::{bf16, f16};
use std::fmt;

/// A type of C that a kernel can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Element {
    /// One byte, 0 or 1.
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    Bf16,
    F32,
    F64,
}

/// All types, with their names.
const NAMES: [(&str, Element); 13] = [
    ("bool", Element::Bool),
    ("i8", Element::I8),
    ("u8", Element::U8),
    ("i16", Element::I16),
    ("u16", Element::U16),
    ("i32", Element::I32),
    ("u32", Element::U32),
    ("i64", Element::I64),
    ("u64", Element::U64),
    ("f16", Element::F16),
    ("bf16", Element::Bf16),
    ("f32", Element::F32),
    ("f64", Element::F64),
];

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(_, element)| element == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

impl Element {
    /// The type of a name such as `f32` or `u8`.
    pub fn from_name(name: &str) -> Option<Element> {
        let known = NAMES.iter().find(|(known, _)| *known == name);
        known.map(|&(_, element)| element)
    }

    /// The names of all types.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|&(name, _)| name)
    }

    /// The unsigned integer of so many bytes, or of the next size that there is.
    pub fn unsigned(bytes: u8) -> Element {
        match bytes {
            0 | 1 => Element::U8,
            2 => Element::U16,
            3 | 4 => Element::U32,
            _ => Element::U64,
        }
    }

    /// Size in bytes: 1, 2, 4 or 8; its alignment as well.
    pub fn bytes(self) -> u8 {
        match self {
            Element::Bool | Element::I8 | Element::U8 => 1,
            Element::I16 | Element::U16 | Element::F16 | Element::Bf16 => 2,
            Element::I32 | Element::U32 | Element::F32 => 4,
            Element::I64 | Element::U64 | Element::F64 => 8,
        }
    }

    /// A floating-point type.
    pub fn is_float(self) -> bool {
        matches!(
            self,
            Element::F16 | Element::Bf16 | Element::F32 | Element::F64
        )
    }

    /// An integer type with a sign.
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            Element::I8 | Element::I16 | Element::I32 | Element::I64
        )
    }

    /// Bits that are not of this type cleared.
    pub(super) fn cut(self, bits: u64) -> u64 {
        bits & (u64::MAX >> (64 - 8 * u32::from(self.bytes())))
    }

    /// The value of an integer type.
    pub(super) fn integer(self, bits: u64) -> i128 {
        let unused = 64 - 8 * u32::from(self.bytes());
        match self.is_signed() {
            true => i128::from((bits << unused) as i64 >> unused),
            false => i128::from(self.cut(bits)),
        }
    }

    /// The value of a floating-point type.
    pub(super) fn real(self, bits: u64) -> f64 {
        match self {
            Element::F16 => f16::from_bits(bits as u16).to_f64(),
            Element::Bf16 => bf16::from_bits(bits as u16).to_f64(),
            Element::F32 => f64::from(f32::from_bits(bits as u32)),
            Element::F64 => f64::from_bits(bits),
            _ => self.integer(bits) as f64,
        }
    }

    /// The bits of a number, rounded to this type.
    pub fn from_real(self, value: f64) -> u64 {
        match self {
            Element::F16 => u64::from(f16::from_f64(value).to_bits()),
            Element::Bf16 => u64::from(bf16::from_f64(value).to_bits()),
            Element::F32 => u64::from((value as f32).to_bits()),
            Element::F64 => value.to_bits(),
            _ => self.cut(value as i128 as u64),
        }
    }

    /// The bits of a number as a user writes it.
    ///
    /// Integers are decimal or begin with `0x`, `0o` or `0b`. A hexadecimal number is taken as bits: `0xffffffff` is -1
    /// for `i32`, and `0x7fc00001` a NaN for `f32`. Floats may be `nan`, `inf`, `-inf`.
    ///
    /// # Errors
    /// What is wrong, as the end of a sentence that begins with the number.
    pub fn parse_value(self, text: &str) -> Result<u64, String> {
        if self == Element::Bool {
            return match text {
                "true" | "1" => Ok(1),
                "false" | "0" => Ok(0),
                _ => Err("is neither `true` nor `false`".to_owned()),
            };
        }
        if let Some(bits) = based(text) {
            return match bits.filter(|&bits| self.cut(bits) == bits) {
                Some(bits) => Ok(bits),
                None => Err(format!("does not fit {self}")),
            };
        }
        match self.is_float() {
            true => self.parse_real(text),
            false => self.parse_integer(text),
        }
    }

    fn parse_real(self, text: &str) -> Result<u64, String> {
        let no_number = |_| "is no number".to_owned();
        Ok(match self {
            Element::F32 => u64::from(text.parse::<f32>().map_err(no_number)?.to_bits()),
            _ => self.from_real(text.parse().map_err(no_number)?),
        })
    }

    fn parse_integer(self, text: &str) -> Result<u64, String> {
        let value: i128 = text.parse().map_err(|_| "is not an integer".to_owned())?;
        let bits = self.cut(value as u64);
        match self.integer(bits) == value {
            true => Ok(bits),
            false => Err(format!("does not fit {self}")),
        }
    }

    /// The value as a user would write it: the shortest text that reads back as the same number.
    pub fn format(self, bits: u64) -> String {
        match self {
            Element::Bool => match self.cut(bits) {
                0 => "false".to_owned(),
                1 => "true".to_owned(),
                other => other.to_string(),
            },
            Element::F16 | Element::Bf16 | Element::F32 => format!("{:?}", self.real(bits) as f32),
            Element::F64 => format!("{:?}", f64::from_bits(bits)),
            _ => self.integer(bits).to_string(),
        }
    }
}

/// A number with a prefix for its base; the inner value is none if it is broken or has more than 64 bits.
fn based(text: &str) -> Option<Option<u64>> {
    let (radix, digits) = match text.get(..2)? {
        "0x" | "0X" => (16, &text[2..]),
        "0o" => (8, &text[2..]),
        "0b" => (2, &text[2..]),
        _ => return None,
    };
    Some(
        u64::from_str_radix(digits, radix)
            .ok()
            .filter(|_| !digits.starts_with('+')),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sizes() {
        for (name, element) in NAMES {
            assert_eq!(Element::from_name(name), Some(element));
            assert_eq!(element.to_string(), name);
            let digits: String = name.chars().filter(char::is_ascii_digit).collect();
            let bits = digits.parse().unwrap_or(8);
            assert_eq!(u32::from(element.bytes()) * 8, bits, "{name}");
        }
        assert_eq!(Element::from_name("f99"), None);
    }

    #[test]
    fn integers() {
        for (element, text, bits) in [
            (Element::I8, "-128", 0x80),
            (Element::I8, "0xff", 0xff),
            (Element::U16, "65535", 0xffff),
            (Element::I32, "-1", 0xffff_ffff),
            (Element::I64, "-9223372036854775808", 1 << 63),
            (Element::U64, "18446744073709551615", u64::MAX),
            (Element::U8, "0b101", 5),
            (Element::U8, "0o17", 15),
            (Element::Bool, "true", 1),
        ] {
            assert_eq!(element.parse_value(text), Ok(bits), "{element} {text}");
        }
        for (element, text) in [
            (Element::I8, "128"),
            (Element::I8, "0x100"),
            (Element::U8, "-1"),
            (Element::U64, "18446744073709551616"),
            (Element::U64, "0x10000000000000000"),
            (Element::I32, "1.5"),
            (Element::I32, ""),
            (Element::I32, "0x"),
            (Element::I32, "0x+1"),
            (Element::Bool, "2"),
        ] {
            assert!(element.parse_value(text).is_err(), "{element} {text}");
        }
    }

    #[test]
    fn floats() {
        for (element, text, bits) in [
            (Element::F16, "1", 0x3c00),
            (Element::Bf16, "-2.0", 0xc000),
            (Element::F32, "0.1", 0x3dcc_cccd),
            (Element::F32, "0x7fc00001", 0x7fc0_0001),
            (Element::F32, "-inf", 0xff80_0000),
            (Element::F64, "1e300", 1e300f64.to_bits()),
        ] {
            assert_eq!(element.parse_value(text), Ok(bits), "{element} {text}");
        }
        let nan = Element::F32.parse_value("nan").unwrap();
        assert!(f32::from_bits(nan as u32).is_nan());
        for text in ["", "1.5x", "0x100000000", "one"] {
            assert!(Element::F32.parse_value(text).is_err(), "{text}");
        }
    }

    #[test]
    fn formatted_values_read_back() {
        for (element, bits) in [
            (Element::I16, 0x8000),
            (Element::U64, u64::MAX),
            (Element::F16, 0x3555),
            (Element::Bf16, 0x3eab),
            (Element::F32, 0x3dcc_cccd),
            (Element::F64, 0x3fb9_9999_9999_999a),
            (Element::Bool, 1),
        ] {
            assert_eq!(element.parse_value(&element.format(bits)), Ok(bits));
        }
        assert_eq!(Element::Bool.format(7), "7");
        assert_eq!(Element::I8.format(0xff), "-1");
    }
}
