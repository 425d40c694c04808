//! Operations as words: `mul.wide.32.signed`, both ways.
//!
//! A variant's name, then its fields in their order: a field that is true by its own name, one that is false not at all, an
//! optional one after the word `with`. The words are those of the `Debug` form; they are read by serde, which knows the
//! fields. So an operation that is added needs nothing here.

use serde::de::value::StrDeserializer;
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::fmt::{self, Debug, Display, Formatter};

/// In front of an optional field that is there.
const WITH: &str = "with";

/// The words of an operation, joined by dots.
pub(super) struct Words<'a, T>(pub(super) &'a T);

impl<T: Debug> Display for Words<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = format!("{:?}", self.0);
        let separators = |c: char| matches!(c, ' ' | ',' | '(' | ')' | '}');
        let mut dot = "";
        // A field that is `true` is printed as its name.
        let mut field = None;
        for word in text.split(separators).filter(|word| !word.is_empty()) {
            if let Some(name) = word.strip_suffix(':') {
                field = Some(name);
                continue;
            }
            let word = match (field.take(), word) {
                // The brace after the name of a variant or of a structure.
                (_, "{" | "false" | "None") => continue,
                (Some(name), "true") => name,
                (Some(_), "Some") => WITH,
                (Some(_), structure) if is_structure(&text, structure) => continue,
                (_, word) => word,
            };
            write!(f, "{dot}{}", word.to_ascii_lowercase())?;
            dot = ".";
        }
        Ok(())
    }
}

/// Whether a word is the name of a structure in a field: only its fields count.
fn is_structure(text: &str, word: &str) -> bool {
    text.contains(&format!(": {word} {{"))
}

/// What is wrong with the words of an operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WordError(String);

impl de::Error for WordError {
    fn custom<T: Display>(message: T) -> Self {
        WordError(message.to_string())
    }
}

/// The operation of all these words.
///
/// # Errors
/// It is none, or some words are left.
pub(super) fn read<'a, T: Deserialize<'a>>(words: &'a [&'a str]) -> Result<T, WordError> {
    let mut reader = Reader { words, field: None };
    let value = T::deserialize(&mut reader)?;
    match reader.words.first() {
        None => Ok(value),
        Some(word) => Err(WordError(format!("unexpected `{word}`"))),
    }
}

/// Reads words from the left.
struct Reader<'a> {
    words: &'a [&'a str],
    /// The field whose value is read.
    field: Option<&'static str>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<&'a str, WordError> {
        let (first, rest) = self
            .words
            .split_first()
            .ok_or_else(|| WordError("a word is missing".into()))?;
        self.words = rest;
        Ok(first)
    }

    /// Takes the next word if it is this one.
    fn take(&mut self, word: &str) -> bool {
        let found = self.words.first() == Some(&word);
        if found {
            self.words = &self.words[1..];
        }
        found
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = WordError;

    /// A number, or a word.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WordError> {
        let word = self.next()?;
        match word.parse::<i64>() {
            Ok(number) => visitor.visit_i64(number),
            Err(_) => visitor.visit_borrowed_str(word),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WordError> {
        let field = self.field.unwrap_or_default();
        visitor.visit_bool(self.take(field))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WordError> {
        match self.take(WITH) {
            true => visitor.visit_some(self),
            false => visitor.visit_none(),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WordError> {
        let word = self.next()?;
        let found = variants.iter().find(|name| name.eq_ignore_ascii_case(word));
        let name = found.ok_or_else(|| WordError(format!("unknown word `{word}`")))?;
        visitor.visit_enum(Variant { reader: self, name })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WordError> {
        let fields = fields.iter();
        visitor.visit_map(Fields {
            reader: self,
            fields,
        })
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map identifier ignored_any
    }
}

struct Variant<'r, 'a> {
    reader: &'r mut Reader<'a>,
    name: &'static str,
}

impl<'a> EnumAccess<'a> for Variant<'_, 'a> {
    type Error = WordError;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Result<(T::Value, Self), WordError> {
        let name: StrDeserializer<WordError> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'a> VariantAccess<'a> for Variant<'_, 'a> {
    type Error = WordError;

    fn unit_variant(self) -> Result<(), WordError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Result<T::Value, WordError> {
        seed.deserialize(self.reader)
    }

    fn tuple_variant<V: Visitor<'a>>(self, left: usize, visitor: V) -> Result<V::Value, WordError> {
        let reader = self.reader;
        visitor.visit_seq(Items { reader, left })
    }

    fn struct_variant<V: Visitor<'a>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WordError> {
        self.reader.deserialize_struct(self.name, fields, visitor)
    }
}

/// The fields of a structure, all of them in their order.
struct Fields<'r, 'a> {
    reader: &'r mut Reader<'a>,
    fields: std::slice::Iter<'static, &'static str>,
}

impl<'a> MapAccess<'a> for Fields<'_, 'a> {
    type Error = WordError;

    fn next_key_seed<K: DeserializeSeed<'a>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, WordError> {
        let Some(&field) = self.fields.next() else {
            return Ok(None);
        };
        self.reader.field = Some(field);
        let name: StrDeserializer<WordError> = field.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> Result<V::Value, WordError> {
        seed.deserialize(&mut *self.reader)
    }
}

struct Items<'r, 'a> {
    reader: &'r mut Reader<'a>,
    left: usize,
}

impl<'a> SeqAccess<'a> for Items<'_, 'a> {
    type Error = WordError;

    fn next_element_seed<T: DeserializeSeed<'a>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, WordError> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(&mut *self.reader).map(Some)
    }
}
