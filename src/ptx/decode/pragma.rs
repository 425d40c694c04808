//! Pragmas that change what an instruction means.

use crate::ast::{Directive, Module};

/// The mask of `.pragma "used_bytes_mask 0x.."`, decimal or hexadecimal: the bytes (bit 0 the first) of the load after it
/// that are used.
pub(crate) fn used_bytes(module: &Module, node: &Directive) -> Option<u64> {
    module.list(node.arguments).iter().find_map(|operand| {
        let text = module.str(operand.span()).trim_matches('"').trim();
        let mask = text.strip_prefix("used_bytes_mask")?;
        let mask = mask.trim_start_matches([' ', '\t', '=']);
        match mask.strip_prefix("0x").or_else(|| mask.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => mask.parse().ok(),
        }
    })
}
