//! The command line where users go wrong: inputs that hold nothing, or something else, names that match nothing, Ctrl-C, a
//! reader that goes away.

mod again;
mod colour;
mod faults;
mod inputs;
mod json;
mod manual;
mod misspelled;
mod outputs;
mod passes;
mod sandbox;
mod selection;
mod settings;
mod signals;
mod snapshots;
mod targets;
mod texts;
