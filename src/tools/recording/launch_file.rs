//! Converts a recorded launch into an entry of a launch file.

use super::is_name;
use super::lines::{Launch, Launched, Pointer};
use ptxasw_ptx::decode::form::Module;
use serde_json::{Value, json};

/// The entry for a kernel; the error is the reason for the user.
pub fn launch(kernel: &Launched, module: &Module) -> Result<Value, String> {
    let launch = match &kernel.launch {
        Some(launch) => launch,
        None => {
            return Err("no launch could be written down: all were made within graphs".to_owned());
        }
    };
    if let Some(reason) = &launch.missing {
        return Err(reason.clone());
    }
    let mut functions = module.functions.iter();
    let function = functions.find(|f| f.entry && f.defined && *f.name == *kernel.name);
    let function = function.ok_or("its PTX has no such kernel")?;
    if !launch.buffers.iter().all(|buffer| is_name(&buffer.file)) {
        return Err("a buffer is outside the record".to_owned());
    }
    let bytes = digits(&launch.parameters).ok_or("its parameters cannot be read")?;
    let mut arguments = Vec::new();
    let mut offset = 0_u64;
    for parameter in &function.parameters {
        let place = offset.checked_next_multiple_of(u64::from(parameter.align.max(1)));
        let ends = place.and_then(|start| Some((start, start.checked_add(parameter.bytes)?)));
        let own = ends.and_then(|(start, end)| {
            let own = bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)?;
            Some((start, end, own))
        });
        let (start, end, own) =
            own.ok_or("it was launched with fewer parameters than its PTX has")?;
        arguments.push(argument(launch, start, own));
        offset = end;
    }
    let buffers = launch.buffers.iter().enumerate().map(|(number, buffer)| {
        json!({ "name": name(number), "buffer": "u8", "count": buffer.bytes, "file": buffer.file })
    });
    Ok(json!({
        "kernel": kernel.name,
        "grid": launch.grid,
        "block": launch.block,
        "shared": launch.shared,
        "buffers": buffers.collect::<Vec<_>>(),
        "args": arguments,
    }))
}

fn name(number: usize) -> String {
    format!("b{number}")
}

fn pointer(launch: &Launch, pointer: Pointer) -> Option<Value> {
    let mut buffers = launch.buffers.iter();
    let number = buffers.position(|buffer| buffer.start == pointer.start)?;
    Some(json!({ "pointer": name(number), "offset": pointer.at }))
}

/// The argument for a parameter with these bytes at `offset`.
fn argument(launch: &Launch, offset: u64, bytes: &[u8]) -> Value {
    let end = offset + bytes.len() as u64;
    let ends = |one: &Pointer| one.offset.checked_add(8);
    let inside = |one: &&Pointer| one.offset >= offset && ends(one).is_some_and(|at| at <= end);
    let mut fields = Vec::new();
    let mut at = 0;
    for one in launch.pointers.iter().filter(inside) {
        let start = (one.offset - offset) as usize;
        let (Some(field), true) = (pointer(launch, *one), start >= at) else {
            continue;
        };
        if start == 0 && bytes.len() == 8 {
            return field;
        }
        fields.extend((start > at).then(|| json!({ "u8": bytes[at..start] })));
        fields.push(field);
        at = start + 8;
    }
    if !fields.is_empty() {
        fields.extend((at < bytes.len()).then(|| json!({ "u8": bytes[at..] })));
        return json!({ "struct": fields });
    }
    if let [1 | 2 | 4 | 8] = [bytes.len()] {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let element = format!("u{}", 8 * bytes.len());
        return json!({ element: u64::from_le_bytes(word) });
    }
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    json!({ "bytes": text })
}

/// Decodes hexadecimal; none if the text is malformed.
fn digits(text: &str) -> Option<Vec<u8>> {
    let byte = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    (0..text.len()).step_by(2).map(byte).collect()
}
