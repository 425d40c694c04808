//! Lines for people. A reader that has gone away is no failure: `ptxasw stats DIR | head -1` ends well.
//!
//! Texts are styled where a terminal may show them, and each stream takes the styles out that its reader does not want.

use anstream::ColorChoice;
use anstyle::{AnsiColor, Style};
use std::fmt::Arguments;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether texts have styles. The drop-in assembler never has: its lines are among those of a compiler.
static STYLED: AtomicBool = AtomicBool::new(false);

/// Makes the choice for this process: `auto` is for colour on terminals, unless `NO_COLOR` is set (no-color.org).
pub fn choose(choice: ColorChoice) {
    choice.write_global();
    let may_show = match choice {
        ColorChoice::Never => false,
        ColorChoice::Auto => io::stderr().is_terminal() || io::stdout().is_terminal(),
        ColorChoice::Always | ColorChoice::AlwaysAnsi => true,
    };
    STYLED.store(may_show, Ordering::Relaxed);
}

/// Whether texts get styles.
pub fn is_styled() -> bool {
    STYLED.load(Ordering::Relaxed)
}

/// What lines of the command begin with.
const PREFIXES: [(&str, Style); 4] = [
    ("ptxasw: error:", AnsiColor::BrightRed.on_default().bold()),
    ("ptxasw: warning:", AnsiColor::Yellow.on_default().bold()),
    ("ptxasw: note:", AnsiColor::BrightGreen.on_default().bold()),
    ("ptxasw:", Style::new().bold()),
];

/// Writes a line on standard error.
pub fn say(words: Arguments) {
    if !is_styled() {
        let _ = writeln!(io::stderr(), "{words}");
        return;
    }
    let text = words.to_string();
    let mut out = anstream::stderr().lock();
    let prefix = PREFIXES.iter().find(|(prefix, _)| text.starts_with(prefix));
    let _ = match prefix {
        Some((prefix, style)) => writeln!(out, "{style}{prefix}{style:#}{}", &text[prefix.len()..]),
        None => writeln!(out, "{text}"),
    };
}

/// Writes a text on standard output.
///
/// # Errors
/// What the system says.
pub fn print(text: &str) -> io::Result<()> {
    if !is_styled() {
        let mut out = io::stdout().lock();
        return out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

/// As `eprintln!`, whether or not anybody reads standard error.
#[macro_export]
macro_rules! say {
    ($($words:tt)*) => { $crate::console::say(format_args!($($words)*)) };
}

/// As `print!`, whether or not anybody reads standard output.
#[macro_export]
macro_rules! tell {
    ($($words:tt)*) => {{ let _ = $crate::console::print(&format!($($words)*)); }};
}
