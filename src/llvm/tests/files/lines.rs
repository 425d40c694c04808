//! Lines of a module as LLVM prints it, among those of the file that it was read from.

/// The line of the file that has what a line of the printed module has; none if that is no instruction.
///
/// # Errors
/// LLVM prints the instructions on more or fewer lines.
pub fn in_file(printed: &str, file: &str) -> Result<impl Fn(u32) -> Option<u32> + use<>, String> {
    let (printed, file) = (instructions(printed), instructions(file));
    match printed.len() == file.len() {
        true => Ok(move |line| {
            let place = printed.binary_search(&line).ok()?;
            Some(file[place])
        }),
        false => Err("LLVM prints the file's instructions on other lines".into()),
    }
}

/// The lines of a text of LLVM IR that hold a part of an instruction.
fn instructions(text: &str) -> Vec<u32> {
    let mut inside = false;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.split(';').next().unwrap_or_default().trim_end();
        match () {
            () if code.starts_with("define") => inside = true,
            () if code == "}" => inside = false,
            () if inside && code.starts_with([' ', '\t']) && !code.trim().is_empty() => {
                found.push(number);
            }
            () => {}
        }
    }
    found
}
