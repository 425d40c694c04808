//! Queries as self-contained SMT-LIB 2 text, which is both what Z3 is asked and the certificate that any other solver
//! can check: the query holds if the text is unsatisfiable.
//!
//! The text depends on the structure of the query's terms only, not on what else is in the arena. Every compound term is
//! one definition, operands first: a `let` around the one assertion in queries to Z3, which expands a `define-fun` at each
//! use; a `define-fun` after a comment in certificates. The declarations are the symbols and what the reading abstracts:
//! products and quotients of non-constants ([`Reading::Abstract`]), and applications of uninterpreted functions; a function that occurs
//! only once needs no congruence and is a constant.

use super::operations::{binary, fold, literal, multiple, unary};
use super::query::{Query, Reading};
use crate::term::{Binary, Facts, FunctionId, Node, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// Characters of a comment that says what a declared name stands for.
const MAX_COMMENT: usize = 160;

/// The text of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// SMT-LIB 2, up to `(check-sat)`: unsatisfiable if and only if the query holds in this reading.
    pub smt: String,
    /// The symbols that occur, with their names and widths in the text.
    pub symbols: Vec<(SymbolId, String, u8)>,
    /// Whether anything was abstracted beyond uninterpreted functions.
    pub abstracted: bool,
    /// Some of it is wider than [`WIDEST_SPELLED`].
    pub wide: bool,
    /// Number of `assert` commands.
    pub assertions: usize,
}

/// Bits of products and quotients that a solver may be asked to go through: beyond them it takes seconds, and mostly for
/// nothing.
pub const WIDEST_SPELLED: u8 = 32;

/// Which part of a query is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The hypotheses and the negated goal.
    Claim,
    /// The hypotheses alone: satisfiable unless they contradict each other.
    Hypotheses,
}

/// Prints a query.
pub fn print(terms: &Terms, query: &Query, reading: Reading, part: Part) -> Text {
    let mut printer = Printer::new(terms, reading);
    let mut roots = query.hypotheses.clone();
    roots.sort_unstable();
    roots.dedup();
    let hypotheses = roots.len();
    if part == Part::Claim {
        roots.push(query.goal);
    }
    printer.bindings = Some(Bindings::default());
    printer.define_all(&roots);
    let mut claim = String::from("(and true");
    for (position, root) in roots.iter().enumerate() {
        let (comment, value) = if position < hypotheses {
            ("", "#b1")
        } else {
            ("; the goal, negated\n", "#b0")
        };
        let name = printer.name(*root);
        let _ = write!(claim, "\n{comment}(= {name} {value})");
    }
    claim.push(')');
    let Bindings { text, count } = printer.bindings.take().unwrap_or_default();
    printer.assert(&format!("{text}{claim}{}", ")".repeat(count)));
    printer.finish(query, reading, part)
}

/// `let`s that are not closed yet.
#[derive(Default)]
struct Bindings {
    text: String,
    count: usize,
}

/// Writes terms as definitions, operands first.
pub(super) struct Printer<'a> {
    terms: &'a Terms,
    reading: Reading,
    /// What a term is in the program, if that is known.
    notes: Option<&'a dyn Fn(TermId) -> Option<String>>,
    pub(super) body: String,
    /// Definitions, where they are not functions in the body.
    bindings: Option<Bindings>,
    names: FxHashMap<TermId, String>,
    used: FxHashSet<String>,
    symbols: Vec<(SymbolId, String, u8)>,
    applications: FxHashMap<FunctionId, u32>,
    /// By function, widths of the arguments and of the result.
    functions: FxHashMap<(FunctionId, Vec<u8>, u8), String>,
    abstracted: bool,
    wide: bool,
    /// Abstracted terms of which something is known, and asserted.
    pub(super) known: Vec<TermId>,
    /// Abstracted terms of which nothing is asserted.
    pub(super) unasserted: FxHashSet<TermId>,
    assertions: usize,
}

impl<'a> Printer<'a> {
    pub(super) fn new(terms: &'a Terms, reading: Reading) -> Self {
        Printer {
            terms,
            reading,
            notes: None,
            body: String::new(),
            bindings: None,
            names: FxHashMap::default(),
            used: FxHashSet::default(),
            symbols: Vec::new(),
            applications: FxHashMap::default(),
            functions: FxHashMap::default(),
            abstracted: false,
            wide: false,
            known: Vec::new(),
            unasserted: FxHashSet::default(),
            assertions: 0,
        }
    }

    /// A printer that comments on terms.
    pub(super) fn with_notes(
        terms: &'a Terms,
        reading: Reading,
        notes: &'a dyn Fn(TermId) -> Option<String>,
    ) -> Self {
        Printer {
            notes: Some(notes),
            ..Printer::new(terms, reading)
        }
    }

    /// Declares or defines all that `roots` are made of.
    pub(super) fn define_all(&mut self, roots: &[TermId]) {
        self.count_applications(roots);
        for t in self.walk(roots) {
            self.define(t);
        }
    }

    /// Costly arithmetic that the reading leaves open.
    pub(super) fn left_open(&self, t: TermId) -> bool {
        self.reading == Reading::Abstract
            && match *self.terms.node(t) {
                Node::Product(_) => true,
                Node::Binary(
                    Binary::UDiv
                    | Binary::URem
                    | Binary::SDiv
                    | Binary::SRem
                    | Binary::UMulHigh
                    | Binary::SMulHigh,
                    a,
                    b,
                ) => {
                    self.terms.as_const(a).is_none() && self.terms.as_const(b).is_none()
                        || self.terms.may_divide_by_zero(t)
                }
                _ => false,
            }
    }

    /// Whether `t` is declared, not defined from its operands.
    fn is_leaf(&self, t: TermId) -> bool {
        match self.terms.node(t) {
            Node::Uninterpreted { function, args } => {
                args.is_empty() || self.applications.get(function) == Some(&1)
            }
            _ => self.left_open(t),
        }
    }

    /// What has to be printed, operands first.
    pub(super) fn walk(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen: FxHashSet<TermId> = roots.iter().copied().collect();
        let mut pending: Vec<TermId> = seen.iter().copied().collect();
        while let Some(t) = pending.pop() {
            if self.is_leaf(t) {
                continue;
            }
            self.terms.node(t).for_each_operand(|operand| {
                if seen.insert(operand) {
                    pending.push(operand);
                }
            });
        }
        let mut order: Vec<TermId> = seen.into_iter().collect();
        order.sort_unstable();
        order
    }

    fn count_applications(&mut self, roots: &[TermId]) {
        let mut applications: FxHashMap<FunctionId, u32> = FxHashMap::default();
        for t in self.walk(roots) {
            if let Node::Uninterpreted { function, .. } = self.terms.node(t) {
                *applications.entry(*function).or_default() += 1;
            }
        }
        self.applications = applications;
    }

    /// The name or literal of a term that was defined.
    pub(super) fn name(&self, t: TermId) -> &str {
        self.names.get(&t).map_or("#b0", String::as_str)
    }

    pub(super) fn assert(&mut self, claim: &str) {
        self.assertions += 1;
        let _ = writeln!(self.body, "(assert {claim})");
    }

    /// Declares or defines a term whose operands have names.
    fn define(&mut self, t: TermId) {
        let width = self.terms.width(t);
        self.note(t);
        let name = match self.terms.node(t) {
            Node::Const(bits) => literal(width, *bits),
            Node::Symbol(id) => self.declare_symbol(*id),
            _ if self.is_leaf(t) => self.declare_atom(t),
            node => {
                let expression = self.expression(width, node);
                let name = format!("?t{}", self.names.len());
                let _ = match &mut self.bindings {
                    Some(Bindings { text, count }) => {
                        *count += 1;
                        writeln!(text, "(let (({name} {expression}))")
                    }
                    None => writeln!(
                        self.body,
                        "(define-fun {name} () (_ BitVec {width}) {expression})"
                    ),
                };
                name
            }
        };
        self.names.insert(t, name);
    }

    /// A comment line in front of a definition.
    fn note(&mut self, t: TermId) {
        if let Some(note) = self.notes.and_then(|notes| notes(t)) {
            let _ = writeln!(self.body, "; {}", comment(&note));
        }
    }

    fn declare_symbol(&mut self, id: SymbolId) -> String {
        let symbol = self.terms.symbol_data(id);
        let name = self.fresh_name(&symbol.name);
        let quoted = quoted(&name);
        let (width, range) = (symbol.width, symbol.unsigned_range);
        self.declare(&quoted, width);
        for claim in in_range(&quoted, width, range.0, range.1) {
            self.assert(&claim);
        }
        self.symbols.push((id, name, width));
        quoted
    }

    fn declare_atom(&mut self, t: TermId) -> String {
        let width = self.terms.width(t);
        let name = format!("?a{}", self.names.len());
        let meaning = comment(&self.terms.display(t).to_string());
        let _ = writeln!(self.body, "; {name} stands for {meaning}");
        self.declare(&name, width);
        if self.left_open(t) {
            self.abstracted = true;
            self.wide |= width > WIDEST_SPELLED;
            if self.unasserted.contains(&t) {
                return name;
            }
            let known = known(&name, width, self.terms.facts(t));
            if !known.is_empty() {
                self.known.push(t);
            }
            for claim in &known {
                self.assert(claim);
            }
        }
        name
    }

    fn declare(&mut self, name: &str, width: u8) {
        let _ = writeln!(self.body, "(declare-const {name} (_ BitVec {width}))");
    }

    fn expression(&mut self, width: u8, node: &Node) -> String {
        match node {
            Node::Affine { constant, terms } => {
                let constant = (*constant != 0).then(|| literal(width, *constant));
                let summands = terms
                    .iter()
                    .map(|&(atom, coefficient)| multiple(width, coefficient, self.name(atom)));
                fold("bvadd", summands.chain(constant)).unwrap_or_default()
            }
            Node::Product(factors) => {
                let factors = factors.iter().map(|&factor| self.name(factor).to_owned());
                fold("bvmul", factors).unwrap_or_default()
            }
            Node::Unary(op, a) => unary(*op, width, self.terms.width(*a), self.name(*a)),
            Node::Binary(op, a, b) => {
                binary(*op, self.terms.width(*a), self.name(*a), self.name(*b))
            }
            Node::Ite(condition, a, b) => format!(
                "(ite (= {} #b1) {} {})",
                self.name(*condition),
                self.name(*a),
                self.name(*b)
            ),
            Node::Uninterpreted { function, args } => self.application(width, *function, args),
            // Named before, in `define`.
            Node::Const(bits) => literal(width, *bits),
            Node::Symbol(_) => String::new(),
        }
    }

    fn application(&mut self, width: u8, function: FunctionId, args: &[TermId]) -> String {
        let widths: Vec<u8> = args.iter().map(|&arg| self.terms.width(arg)).collect();
        let next = self.functions.len();
        let key = (function, widths, width);
        let name = match self.functions.get(&key) {
            Some(name) => name.clone(),
            None => {
                let name = format!("?f{next}");
                let comment = comment(&self.terms.function_data(function).to_string());
                let sorts: Vec<String> = key
                    .1
                    .iter()
                    .map(|bits| format!("(_ BitVec {bits})"))
                    .collect();
                let _ = writeln!(
                    self.body,
                    "; {name} stands for {comment}\n(declare-fun {name} ({}) (_ BitVec {width}))",
                    sorts.join(" ")
                );
                self.functions.insert(key, name.clone());
                name
            }
        };
        let args: Vec<&str> = args.iter().map(|&arg| self.name(arg)).collect();
        format!("({name} {})", args.join(" "))
    }

    /// A name for a symbol that nothing else in the text has.
    fn fresh_name(&mut self, name: &str) -> String {
        let mut name: String = name
            .chars()
            .map(|c| match c {
                '|' | '\\' | '?' => '_',
                c if c.is_ascii_graphic() => c,
                _ => '_',
            })
            .collect();
        if is_reserved(&name) || self.used.contains(&name) {
            let _ = write!(name, "!{}", self.symbols.len());
        }
        while !self.used.insert(name.clone()) {
            name.push('!');
        }
        name
    }

    /// The logic that the text needs.
    pub(super) fn logic(&self) -> &'static str {
        if self.functions.is_empty() {
            "QF_BV"
        } else {
            "QF_UFBV"
        }
    }

    fn finish(self, query: &Query, reading: Reading, part: Part) -> Text {
        let logic = self.logic();
        let name: String = query.name.chars().filter(|c| !c.is_control()).collect();
        let (subject, status) = match part {
            Part::Claim => ("holds if this is unsatisfiable", "unsat"),
            Part::Hypotheses => ("is not vacuous if this is satisfiable", "sat"),
        };
        let reading = match reading {
            Reading::Abstract if self.abstracted => "; products and quotients are abstracted\n",
            _ => "",
        };
        let smt = format!(
            "; {name}\n; the claim {subject}\n{reading}(set-logic {logic})\n(set-info :status {status})\n{}(check-sat)\n",
            self.body
        );
        Text {
            smt,
            symbols: self.symbols,
            abstracted: self.abstracted,
            wide: self.wide,
            assertions: self.assertions,
        }
    }
}

/// Text in a form that is valid in a comment line.
pub(super) fn comment(text: &str) -> String {
    let mut line: String = text
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| c.is_ascii() && !c.is_ascii_control())
        .collect();
    line.truncate(MAX_COMMENT);
    line
}

/// The claims that bound a name; none where its width does.
fn in_range(name: &str, width: u8, least: u64, greatest: u64) -> Vec<String> {
    let mut claims = Vec::new();
    if least > 0 {
        claims.push(format!("(bvule {} {name})", literal(width, least)));
    }
    if greatest < u64::MAX >> (64 - u32::from(width)) {
        claims.push(format!("(bvule {name} {})", literal(width, greatest)));
    }
    claims
}

/// What is known of a term by this name, whatever the values of the symbols.
pub(super) fn known(name: &str, width: u8, facts: &Facts) -> Vec<String> {
    let mut claims = in_range(name, width, facts.umin, facts.umax);
    let known = facts.zeros | facts.ones;
    if known != 0 {
        let (known, ones) = (literal(width, known), literal(width, facts.ones));
        claims.push(format!("(= (bvand {name} {known}) {ones})"));
    }
    let limit = Facts::unknown(width);
    if facts.smin > limit.smin {
        let least = literal(width, facts.smin as u64 & limit.umax);
        claims.push(format!("(bvsle {least} {name})"));
    }
    if facts.smax < limit.smax {
        let greatest = literal(width, facts.smax as u64 & limit.umax);
        claims.push(format!("(bvsle {name} {greatest})"));
    }
    claims
}

/// Names that mean something in SMT-LIB or to a solver; all bit-vector functions start with `bv`.
pub fn is_reserved(name: &str) -> bool {
    const RESERVED: [&str; 34] = [
        "and",
        "or",
        "xor",
        "not",
        "true",
        "false",
        "ite",
        "if",
        "let",
        "distinct",
        "concat",
        "extract",
        "select",
        "store",
        "repeat",
        "zero_extend",
        "sign_extend",
        "rotate_left",
        "rotate_right",
        "forall",
        "exists",
        "match",
        "par",
        "as",
        "_",
        "!",
        "implies",
        "iff",
        "abs",
        "div",
        "mod",
        "rem",
        "int2bv",
        "assert",
    ];
    name.is_empty() || name.starts_with("bv") || RESERVED.contains(&name)
}

/// A name as a symbol of SMT-LIB.
fn quoted(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>./".contains(c);
    if name.chars().all(simple)
        && !name.starts_with(|c: char| c.is_ascii_digit() || c == '@' || c == '.')
    {
        name.to_owned()
    } else {
        format!("|{name}|")
    }
}
