//! Tests of the integer and bit operations against Rust's own integers and the PTX ISA's texts.

mod checked;
