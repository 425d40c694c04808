//! The meaning of each [`crate::ir::op::Op`], once, over any [`domain::Domain`].

pub mod domain;
