//! Delta debugging: the least part of a text that still has a property (A. Zeller, R. Hildebrandt, "Simplifying and Isolating
//! Failure-Inducing Input", 2002).

use std::ops::Range;

/// Parts of a text that can be taken out, in order and apart from each other.
pub type Units = Vec<Range<usize>>;

/// Takes units out of a text as long as `holds` of what is left. The result is minimal in single units: no other one can be
/// taken out alone.
///
/// The parts of the text that are in no unit stay. Complements are tried at growing fineness (the paper's "reduce to
/// complement"): to look at subsets alone never pays where most units are needed by others.
///
/// # Errors
/// Those of `holds`.
pub fn reduce<E>(
    text: &[u8],
    units: &[Range<usize>],
    mut holds: impl FnMut(&[u8]) -> Result<bool, E>,
) -> Result<Vec<u8>, E> {
    let mut kept: Vec<usize> = (0..units.len()).collect();
    let mut size = kept.len().div_ceil(2);
    while size > 0 && !kept.is_empty() {
        let mut at = 0;
        let before = kept.len();
        // Later units use what earlier ones define, so that the last ones go first.
        while at < kept.len() {
            let end = kept.len() - at;
            let start = end.saturating_sub(size);
            let rest = [&kept[..start], &kept[end..]].concat();
            match holds(&without(text, units, &rest))? {
                true => kept = rest,
                false => at += end - start,
            }
        }
        // At the finest level until nothing goes any more.
        size = match size {
            1 if kept.len() < before => 1,
            _ => size / 2,
        };
    }
    Ok(without(text, units, &kept))
}

/// The text without the units that are not kept, and without lines that become blank by that.
fn without(text: &[u8], units: &[Range<usize>], kept: &[usize]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut from = 0;
    let mut kept = kept.iter().peekable();
    for (number, unit) in units.iter().enumerate() {
        if kept.next_if(|one| **one == number).is_some() {
            continue;
        }
        out.extend_from_slice(&text[from..unit.start]);
        from = unit.end;
        let line = out
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        if unit.end > unit.start && text[unit.end - 1] == b'\n' {
            continue;
        }
        let is_blank = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_whitespace);
        let end = memchr::memchr(b'\n', &text[from..]).map(|at| from + at);
        if let Some(end) = end.filter(|&end| is_blank(&out[line..]) && is_blank(&text[from..end])) {
            out.truncate(line);
            from = end + 1;
        }
    }
    out.extend_from_slice(&text[from..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::convert::Infallible;

    fn reduced(text: &str, holds: impl Fn(&str) -> bool) -> String {
        let words = text.split_inclusive('\n').scan(0, |at, line| {
            let start = *at;
            *at += line.len();
            Some(start..*at)
        });
        let units: Units = words.collect();
        let holds = |text: &[u8]| Ok::<_, Infallible>(holds(str::from_utf8(text).unwrap()));
        let Ok(bytes) = reduce(text.as_bytes(), &units, holds);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn what_is_needed_together_stays() {
        let text = "a\nb\nc\nd\ne\nf\ng\n";
        assert_eq!(
            reduced(text, |left| left.contains('b') && left.contains('f')),
            "b\nf\n"
        );
        assert_eq!(reduced(text, |_| true), "");
        assert_eq!(reduced(text, |left| left == text), text);
    }

    #[test]
    fn a_line_goes_with_its_last_statement() {
        let text = b"{\n\tadd;\tmul;\n\tsub; // why\n}\n";
        let out = without(text, &[3..7, 8..12, 14..18], &[2]);
        assert_eq!(str::from_utf8(&out), Ok("{\n\tsub; // why\n}\n"));
        let out = without(text, &[3..7, 8..12, 14..18], &[1]);
        assert_eq!(str::from_utf8(&out), Ok("{\n\t\tmul;\n\t // why\n}\n"));
    }

    proptest! {
        #[test]
        fn the_result_is_minimal(needed in prop::collection::btree_set(0usize..40, 0..8)) {
            let text: String = (0..40).map(|number| format!("<{number}>\n")).collect();
            let has_all = |left: &str| needed.iter().all(|one| left.contains(&format!("<{one}>")));
            let expected: String = needed.iter().map(|one| format!("<{one}>\n")).collect();
            prop_assert_eq!(reduced(&text, has_all), expected);
        }
    }
}
