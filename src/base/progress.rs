//! A bar on the terminal for work that is long.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// Shorter work has no bar.
const LONG: Duration = Duration::from_secs(1);

/// How far some work is. Copies speak of the same work.
#[derive(Clone, Debug)]
pub struct Progress(ProgressBar);

impl Default for Progress {
    fn default() -> Self {
        Progress::hidden()
    }
}

impl Progress {
    /// Nobody wants to know.
    pub fn hidden() -> Self {
        Progress(ProgressBar::with_draw_target(
            None,
            ProgressDrawTarget::hidden(),
        ))
    }

    /// A bar on standard error if that is a terminal. The number of steps is set by [`Self::expect`].
    pub fn bar() -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}");
        let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let later = bar.downgrade();
        std::thread::spawn(move || {
            std::thread::sleep(LONG);
            if let Some(bar) = later.upgrade().filter(|bar| !bar.is_finished()) {
                bar.set_draw_target(ProgressDrawTarget::stderr());
            }
        });
        Progress(bar)
    }

    /// So many more steps.
    pub fn expect(&self, steps: usize) {
        self.0.inc_length(steps as u64);
    }

    /// So many steps are done, or not needed any more.
    pub fn done(&self, steps: usize) {
        self.0.inc(steps as u64);
    }

    /// The work is at its end: the bar goes.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
