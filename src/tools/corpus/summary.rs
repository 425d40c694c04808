//! All records in one table.

use super::{Assembly, Record};
use ptxasw_base::table::{Table, row};
use ptxasw_driver::report::stats::Figures;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Files that are named as the slowest.
const SLOWEST: usize = 5;

/// What the files of one folder came to.
#[derive(Debug, Default, Serialize)]
pub struct Folder {
    /// Files.
    pub files: u64,
    /// Kernels and device functions with loads.
    pub kernels: u64,
    /// Loads of the input.
    pub loads: u64,
    /// Those that are executed no more.
    pub gone: u64,
    /// Kernels that gave the same before and after.
    pub equal: u64,
    /// What is wrong with us.
    pub complaints: u64,
    /// Of all rewritings.
    pub milliseconds: f64,
    /// Of `ptxas` with all originals.
    pub assembler_milliseconds: f64,
}

/// What a whole tree came to.
#[derive(Debug, Default, Serialize)]
pub struct Summary {
    /// Files.
    pub files: u64,
    /// Of all of them.
    pub bytes: u64,
    /// Files that are PTX to us.
    pub parsed: u64,
    /// Of these, those that come out as they went in where no shuffle is allowed.
    pub identical: u64,
    /// Files whose text was changed.
    pub rewritten: u64,
    /// Originals that went to the assembler.
    pub assembled: u64,
    /// Originals that it takes.
    pub accepted: u64,
    /// Of these, files that ptxasw reads as PTX.
    pub accepted_and_parsed: u64,
    /// Rewritten texts that went to the assembler, of originals that it takes.
    pub outputs_assembled: u64,
    /// Rewritten texts that it takes.
    pub outputs_accepted: u64,
    /// Kernels that gave the same before and after.
    pub equal: u64,
    /// Kernels that did not.
    pub different: u64,
    /// Kernels that could not be executed.
    pub not_run: u64,
    /// Kernels, loads, reasons; the time of all rewritings.
    pub figures: Figures,
    /// Of `ptxas` with all originals.
    pub assembler_milliseconds: f64,
    /// The files that took longest to rewrite, and how long.
    pub slowest: Vec<(String, f64)>,
    /// By the folder right below the tree's root, if not all files lie in the root.
    pub folders: BTreeMap<String, Folder>,
    /// What is wrong with us, by file.
    pub complaints: Vec<(String, String)>,
}

impl Summary {
    /// Sums up, in the order of the records.
    pub fn of(records: &[Record]) -> Self {
        let mut sum = Summary::default();
        for record in records {
            sum.add(record);
        }
        let times = records
            .iter()
            .map(|one| (one.path.clone(), one.figures.milliseconds));
        sum.slowest = times.collect();
        sum.slowest.sort_by(|one, other| other.1.total_cmp(&one.1));
        sum.slowest.truncate(SLOWEST);
        sum
    }

    fn add(&mut self, record: &Record) {
        let accepted = record.original == Assembly::Accepted;
        let parsed = record.error.is_none() && record.fault.is_none();
        self.files += 1;
        self.bytes += record.bytes;
        self.parsed += u64::from(parsed);
        self.identical += u64::from(parsed && record.identical);
        self.rewritten += u64::from(record.rewritten);
        self.assembled += u64::from(record.original != Assembly::NotAsked);
        self.accepted += u64::from(accepted);
        self.accepted_and_parsed += u64::from(accepted && parsed);
        self.outputs_assembled += u64::from(accepted && record.output != Assembly::NotAsked);
        self.outputs_accepted += u64::from(accepted && record.output == Assembly::Accepted);
        self.equal += record.equal;
        self.different += record.different.len() as u64;
        self.not_run += record.not_run;
        self.figures.add(&record.figures);
        self.assembler_milliseconds += record.assembler_milliseconds;
        let complaints = record.complaints();
        if let Some((folder, _)) = record.path.split_once('/') {
            let folder = self.folders.entry(folder.to_owned()).or_default();
            folder.files += 1;
            folder.kernels += record.figures.kernels;
            folder.loads += record.figures.fates.all_loads();
            folder.gone += record.figures.fates.gone();
            folder.equal += record.equal;
            folder.complaints += complaints.len() as u64;
            folder.milliseconds += record.figures.milliseconds;
            folder.assembler_milliseconds += record.assembler_milliseconds;
        }
        let complaints = complaints.into_iter();
        self.complaints
            .extend(complaints.map(|what| (record.path.clone(), what)));
    }

    fn write_folders(&self, out: &mut String) {
        let words = "folder  files  kernels  loads  gone  equal  wrong  ms  ptxas ms";
        let mut table = Table::headed("<>>>>>>>>", words);
        for (name, folder) in &self.folders {
            table.row(row!(
                name,
                folder.files,
                folder.kernels,
                folder.loads,
                folder.gone,
                folder.equal,
                folder.complaints,
                format!("{:.1}", folder.milliseconds),
                format!("{:.1}", folder.assembler_milliseconds)
            ));
        }
        let _ = write!(out, "\n{table}");
    }

    /// For people to read.
    pub fn table(&self) -> String {
        let mut table = Table::new("<>");
        let mut share = |name: &str, part: u64, whole: u64| {
            table.row(row!(name, format!("{part} of {whole}")));
        };
        share("files that ptxasw reads as PTX", self.parsed, self.files);
        share(
            "  as they were without a shuffle",
            self.identical,
            self.parsed,
        );
        share("  rewritten", self.rewritten, self.parsed);
        if self.assembled > 0 {
            share("originals that ptxas takes", self.accepted, self.assembled);
            share(
                "  that ptxasw reads as PTX",
                self.accepted_and_parsed,
                self.accepted,
            );
            share(
                "  whose rewritten text it takes",
                self.outputs_accepted,
                self.outputs_assembled,
            );
        }
        let executed = self.equal + self.different + self.not_run;
        if executed > 0 {
            share(
                "kernels that were run before and after",
                self.equal + self.different,
                executed,
            );
            share(
                "  with equal results",
                self.equal,
                self.equal + self.different,
            );
        }
        let mut figures = self.figures.table();
        if self.assembled > 0 {
            let (ours, theirs) = (self.figures.milliseconds, self.assembler_milliseconds);
            figures.row(row!(
                "milliseconds of ptxas",
                format!("{theirs:.1}"),
                format!("({:.2} of it by ptxasw)", ours / theirs)
            ));
        }
        let mut out = format!("{table}\n{figures}");
        if !self.folders.is_empty() {
            self.write_folders(&mut out);
        }
        let mut slowest = Table::new("    ><");
        for (path, milliseconds) in &self.slowest {
            slowest.row(row!(format!("{milliseconds:.1}"), path));
        }
        let _ = write!(out, "\nslowest, in milliseconds\n{slowest}");
        for (path, what) in &self.complaints {
            let _ = writeln!(out, "\n{path}: {what}");
        }
        out
    }
}
