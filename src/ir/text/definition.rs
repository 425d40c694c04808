//! What a line defines: values, parameters, shapes.

use super::line::{Line, Parsed};
use super::words::read;
use crate::fast_math::FastMath;
use crate::function::{Granted, Param, Promises};

/// A value's name, width and promises.
pub(super) struct Definition {
    pub number: u32,
    pub width: u8,
    pub promises: Promises,
}

/// `v12:` and what follows.
pub(super) fn is_definition(text: &str) -> bool {
    let digits = text.strip_prefix('v').and_then(|rest| rest.split_once(':'));
    digits.is_some_and(|(digits, _)| digits.parse::<u32>().is_ok())
}

pub(super) fn definition(cursor: &mut Line) -> Parsed<Definition> {
    cursor.expect("v")?;
    let number = cursor.number()?;
    let width = cursor.width()?;
    let mut promises = Promises::default();
    loop {
        if cursor.take("nsw") {
            promises.no_wrap.signed = true;
        } else if cursor.take("nuw") {
            promises.no_wrap.unsigned = true;
        } else if let Some(one) = permission(cursor) {
            promises.fast_math = promises.fast_math.or(one);
        } else if cursor.take("promised") {
            promises.widened = Some(cursor.in_parentheses()?);
        } else if cursor.take("range") {
            promises.granted = Some((Granted::Range, cursor.in_parentheses()?));
        } else if cursor.take("disjoint") {
            promises.granted = Some((Granted::Disjoint, cursor.in_parentheses()?));
        } else {
            return Ok(Definition {
                number,
                width,
                promises,
            });
        }
    }
}

/// The next permission of an operation on floating-point numbers.
fn permission(cursor: &mut Line) -> Option<FastMath> {
    let mut all = FastMath::NAMES.into_iter();
    all.find_map(|(name, one)| cursor.take(name).then_some(one))
}

pub(super) fn param(cursor: &mut Line, entry: bool) -> Parsed<Param> {
    let name = cursor.name()?.into();
    cursor.expect(":")?;
    let ty = cursor.ty()?;
    let mut param = Param {
        name,
        ty,
        bytes: u64::from(ty.bits / 8),
        pointer: None,
        pointee_align: 1,
        points_to_global: entry,
        no_alias: false,
    };
    if cursor.take("in ") {
        param.bytes = cursor.number()?;
        cursor.expect("bytes")?;
    }
    if cursor.take("ptr.") {
        let space = read(&[cursor.plain()]).map_err(|error| error.to_string())?;
        param.pointer = Some(Some(space));
    } else if cursor.take("ptr") {
        param.pointer = Some(None);
    }
    if cursor.take("align ") {
        param.pointee_align = cursor.number()?;
    }
    match entry {
        true => param.points_to_global = !cursor.take("anywhere"),
        false => param.points_to_global = cursor.take("global"),
    }
    param.no_alias = cursor.take("noalias");
    Ok(param)
}

pub(super) fn shape(cursor: &mut Line) -> Parsed<[u32; 3]> {
    let x = cursor.number()?;
    cursor.expect(",")?;
    let y = cursor.number()?;
    cursor.expect(",")?;
    Ok([x, y, cursor.number()?])
}
