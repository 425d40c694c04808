//! Changes of texts that leave many valid ones valid: of lines, words, numbers, guards; statements that are put in. What the
//! bytes mean is not known here, only [`Language`]'s words; any bytes will do.

use crate::words::Language;
use fastrand::Rng;
use std::ops::Range;

/// Changes of one text, at most.
const MOST_CHANGES: usize = 4;
/// Lines that are moved or doubled together, at most.
const MOST_LINES: usize = 4;
/// Numbers at which something changes.
const NUMBERS: [&str; 24] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "4",
    "-4",
    "8",
    "-8",
    "12",
    "16",
    "31",
    "32",
    "33",
    "64",
    "128",
    "1024",
    "2147483647",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "0f7fc00000",
    "99999999999999999999999",
];

/// Changes `data[..size]` in place to a text of at most `most` bytes, and gives its size. The same seed changes it in the same
/// way.
pub fn mutate(language: &Language, data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    let mut random = Rng::with_seed(seed.into());
    let mut text = data[..size].to_vec();
    for _ in 0..=random.usize(..MOST_CHANGES) {
        change(language, &mut text, &mut random);
    }
    let size = text.len().min(most).min(data.len());
    data[..size].copy_from_slice(&text[..size]);
    size
}

/// One change.
fn change(language: &Language, text: &mut Vec<u8>, random: &mut Rng) {
    match random.usize(..100) {
        0..10 => remove_lines(text, random),
        10..20 => repeat_lines(text, random),
        20..38 => put_in(language, text, random),
        38..46 => guard(language, text, random),
        46..49 => choose_head(language, text, random),
        49..63 => change_number(text, random),
        63..81 => change_to_another_of_the_text(text, random),
        _ => change_to_one_of_the_family(language, text, random),
    }
}

/// Lines are gone.
fn remove_lines(text: &mut Vec<u8>, random: &mut Rng) {
    let some = lines(text, 1 + random.usize(..2), random);
    text.drain(some);
}

/// Lines are doubled or moved, most often near by.
fn repeat_lines(text: &mut Vec<u8>, random: &mut Rng) {
    let some = lines(text, 1 + random.usize(..MOST_LINES), random);
    let copy = text[some.clone()].to_vec();
    let mut start = some.start;
    if random.usize(..100) < 50 {
        text.drain(some);
    }
    if random.usize(..100) < 30 {
        start = random.usize(..text.len() + 1);
    }
    let mut to = line_start(text, start.min(text.len()));
    for _ in 0..random.usize(..6) {
        to = next_line(text, to);
    }
    text.splice(to..to, copy);
}

/// A statement of the language, with words of the text.
fn put_in(language: &Language, text: &mut Vec<u8>, random: &mut Rng) {
    let statement = random.choice(language.statements);
    let Some(mut statement) = statement.and_then(|statement| filled(statement, text, random))
    else {
        return;
    };
    statement.push('\n');
    let at = random.usize(..text.len() + 1);
    let to = line_start(text, at);
    text.splice(to..to, statement.into_bytes());
}

/// A guard in front of a line is gone, or there is one.
fn guard(language: &Language, text: &mut Vec<u8>, random: &mut Rng) {
    let line = lines(text, 1, random);
    let blank = |byte: &&u8| byte.is_ascii_whitespace();
    let start = line.start + text[line.clone()].iter().take_while(blank).count();
    if text.get(start) == Some(&b'@') {
        let word = text[start..].iter().take_while(|byte| !blank(byte)).count();
        text.drain(start..start + word);
        return;
    }
    let guard = random.choice(language.guards);
    if let Some(guard) = guard.and_then(|guard| filled(guard, text, random)) {
        text.splice(start..start, guard.into_bytes());
    }
}

/// The first line chooses another way.
fn choose_head(language: &Language, text: &mut Vec<u8>, random: &mut Rng) {
    let Some(head) = random.choice(language.heads) else {
        return;
    };
    let old = match text.starts_with(language.head.as_bytes()) {
        true => next_line(text, 0),
        false => 0,
    };
    text.splice(0..old, format!("{head}\n").into_bytes());
}

/// A number becomes one a little beside it, or one of [`NUMBERS`].
fn change_number(text: &mut Vec<u8>, random: &mut Rng) {
    let all = words(text).filter(|word| text[word.start].is_ascii_digit());
    let Some(word) = choose(all, random) else {
        return;
    };
    let number = str::from_utf8(&text[word.clone()]).ok();
    let number = number.and_then(|number| number.parse::<i64>().ok());
    let new = match (number, random.usize(..8)) {
        (Some(n), 0) => n.wrapping_add(1).to_string(),
        (Some(n), 1) => n.wrapping_sub(1).to_string(),
        (Some(n), 2) => n.wrapping_add(4).to_string(),
        (Some(n), 3) => n.wrapping_sub(4).to_string(),
        (Some(n), 4) => n.wrapping_mul(2).to_string(),
        (Some(n), 5) => n.wrapping_neg().to_string(),
        _ => random.choice(NUMBERS).unwrap_or("0").to_owned(),
    };
    text.splice(word, new.into_bytes());
}

/// A word becomes another of the text: of its kind most often, such as a register of the same class.
fn change_to_another_of_the_text(text: &mut Vec<u8>, random: &mut Rng) {
    let Some(word) = choose(words(text), random) else {
        return;
    };
    let any = random.usize(..100) < 4;
    let kind = kind(&text[word.clone()]);
    let others = words(text).filter(|other| any || self::kind(&text[other.clone()]) == kind);
    if let Some(other) = choose(others, random) {
        let other = text[other].to_vec();
        text.splice(word, other);
    }
}

/// A word becomes another of its family.
fn change_to_one_of_the_family(language: &Language, text: &mut Vec<u8>, random: &mut Rng) {
    let family = |word: &Range<usize>| {
        let word = &text[word.clone()];
        let mut families = language.families.iter();
        families.find(|family| family.iter().any(|one| one.as_bytes() == word))
    };
    let Some(word) = choose(words(text).filter(|word| family(word).is_some()), random) else {
        return;
    };
    if let Some(new) = family(&word).and_then(|family| random.choice(*family)) {
        text.splice(word, new.bytes());
    }
}

/// A pattern of [`Language::statements`] with words of the text.
fn filled(pattern: &str, text: &[u8], random: &mut Rng) -> Option<String> {
    let mut filled = String::new();
    let mut rest = pattern;
    while let Some(start) = rest.find(['{']) {
        filled.push_str(&rest[..start]);
        rest = &rest[start + 1..];
        let end = rest
            .find('}')
            .filter(|&end| end > 0 && !rest.starts_with('{'));
        let Some(end) = end else {
            filled.push('{');
            continue;
        };
        let wanted = &rest[..end];
        if wanted == "N" {
            filled.push_str(random.choice(NUMBERS)?);
        } else {
            let fits = |word: &Range<usize>| kind(&text[word.clone()]) == kind(wanted.as_bytes());
            let word = choose(words(text).filter(fits), random)?;
            filled.push_str(str::from_utf8(&text[word]).ok()?);
        }
        rest = &rest[end + 1..];
    }
    filled.push_str(rest);
    Some(filled)
}

/// One of them.
fn choose<T>(all: impl Iterator<Item = T>, random: &mut Rng) -> Option<T> {
    let mut all: Vec<T> = all.collect();
    match all.is_empty() {
        true => None,
        false => Some(all.swap_remove(random.usize(..all.len()))),
    }
}

/// Words: each begins at a point, a percent or dollar sign, a letter or a digit.
fn words(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let inside = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
    let mut at = 0;
    std::iter::from_fn(move || {
        let first = |&byte: &u8| inside(byte) || byte == b'%' || byte == b'.';
        let start = at + text.get(at..)?.iter().position(first)?;
        let more = text[start + 1..].iter().take_while(|&&byte| inside(byte));
        at = start + 1 + more.count();
        Some(start..at)
    })
}

/// A word without its digits: words of one kind may stand for each other.
fn kind(word: &[u8]) -> Vec<u8> {
    let letters = word
        .iter()
        .filter(|byte| !byte.is_ascii_digit() && **byte != b'_');
    letters.copied().collect()
}

/// So many lines or fewer, with their ends.
fn lines(text: &[u8], count: usize, random: &mut Rng) -> Range<usize> {
    let start = line_start(text, random.usize(..text.len().max(1)));
    let mut end = start;
    for _ in 0..count {
        end = next_line(text, end);
    }
    start..end
}

fn line_start(text: &[u8], at: usize) -> usize {
    let end = text[..at].iter().rposition(|&byte| byte == b'\n');
    end.map_or(0, |end| end + 1)
}

fn next_line(text: &[u8], at: usize) -> usize {
    let end = text[at..].iter().position(|&byte| byte == b'\n');
    end.map_or(text.len(), |end| at + end + 1)
}
