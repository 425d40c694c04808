//! Lines for people. A reader that has gone away is no failure: `ptxasw stats DIR | head -1` ends well.

/// As `eprintln!`, whether or not anybody reads standard error.
#[macro_export]
macro_rules! say {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}

/// As `print!`, whether or not anybody reads standard output.
#[macro_export]
macro_rules! tell {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(std::io::stdout(), $($words)*);
    }};
}
