//! What is read from files that others wrote, launches apart: `cargo fuzz run plan`. The index of a folder of certificates, a
//! certificate, a record of `ptxasw corpus`, figures of a build. Each is read or refused.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ptxasw::{
    certificate::index::Index, certificates::script::Script, corpus::Record, report::stats::Figures,
};

fuzz_target!(|text: &[u8]| {
    if let Ok(index) = serde_json::from_slice::<Index>(text) {
        for kernel in &index.kernels {
            for shuffle in &kernel.shuffles {
                shuffle.open_condition();
            }
        }
        index.files().count();
    }
    if let Ok(record) = serde_json::from_slice::<Record>(text) {
        let mut sum = record.figures.clone();
        sum.add(&record.figures);
        sum.table();
        record.complaints();
    }
    if let Ok(figures) = serde_json::from_slice::<Figures>(text) {
        let mut sum = figures.clone();
        sum.add(&figures);
        sum.table();
    }
    if let Ok(script) = Script::read(text) {
        // What was understood is understood again; declarations may have moved to the front.
        let again = Script::read(format!("{}( check-sat )\n", script.whole()).as_bytes());
        assert!(again.is_ok(), "{again:?}");
    }
});
