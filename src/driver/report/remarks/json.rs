//! One JSON object on each line.

use super::collect::Remark;

/// Appends a remark.
pub fn write(out: &mut Vec<u8>, remark: &Remark) {
    // Strings and numbers always serialise.
    if serde_json::to_writer(&mut *out, remark).is_ok() {
        out.push(b'\n');
    }
}
