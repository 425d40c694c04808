//! The syntax tree of a PTX module: lossless by byte spans, generic in its opcodes.
//!
//! Nothing here knows what an instruction means. Every node carries the span of the bytes it was read from, so that
//! an emitter edits the text and never prints the tree. Lists live in pools of the [`Module`] and nodes hold ranges
//! into them, which keeps a module small and its walk linear. Nested scopes are flat [`StatementKind::Open`] and
//! [`StatementKind::Close`] markers: no input can exhaust the stack.

mod pool;
mod shift;

pub use pool::{List, Pool};
pub(super) use pool::{MAX_ELEMENTS, MAX_PARTS};
pub use ptxasw_base::lines::Span;

use memchr::memchr_iter;
use std::borrow::Cow;
use std::sync::OnceLock;

/// A parsed text: one PTX module, or several in a row, as some tools concatenate them.
#[derive(Debug, Default)]
pub struct Module<'a> {
    /// The input, byte for byte.
    pub(super) text: Cow<'a, [u8]>,
    /// Directives, variables and functions in the order of the text.
    pub items: Vec<Item>,
    /// Pool of operands: instructions, vectors, addresses and directives hold ranges of it.
    pub operands: Pool<Operand>,
    /// Pool of initialiser elements.
    pub initialisers: Pool<Initialiser>,
    /// Offsets of the ends of all lines, once somebody asks for a line.
    line_ends: OnceLock<Vec<u32>>,
}

impl<'a> Module<'a> {
    /// Of a text and what was read of it.
    pub(super) fn new(
        text: &'a [u8],
        items: Vec<Item>,
        operands: Vec<Vec<Operand>>,
        initialisers: Vec<Vec<Initialiser>>,
    ) -> Self {
        Module {
            text: Cow::Borrowed(text),
            items,
            operands: Pool::new(operands),
            initialisers: Pool::new(initialisers),
            line_ends: OnceLock::new(),
        }
    }

    /// The text apart, and the tree without it.
    pub fn take_text(mut self) -> (Cow<'a, [u8]>, Module<'static>) {
        let text = std::mem::take(&mut self.text);
        (text, self.with_text(Cow::Borrowed(b"")))
    }

    /// The tree of another text, or of this one in another place.
    pub(super) fn with_text(self, text: Cow<'_, [u8]>) -> Module<'_> {
        Module {
            text,
            items: self.items,
            operands: self.operands,
            initialisers: self.initialisers,
            line_ends: OnceLock::new(),
        }
    }
}

impl Module<'_> {
    /// The input, byte for byte.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The bytes below `span` as text; bytes that are not UTF-8 (possible in comments and strings only) read as "".
    pub fn str(&self, span: Span) -> &str {
        self.text
            .get(span.range())
            .and_then(|b| std::str::from_utf8(b).ok())
            .unwrap_or("")
    }

    /// The line, from 1, of a byte.
    pub fn line(&self, offset: u32) -> u32 {
        let ends = self.line_ends.get_or_init(|| {
            let ends = memchr_iter(b'\n', &self.text);
            ends.map(|end| end as u32).collect()
        });
        ends.partition_point(|&end| end < offset) as u32 + 1
    }

    /// The function that is an item of the module.
    pub fn function(&self, item: u32) -> Option<&Function> {
        match self.items.get(item as usize) {
            Some(Item::Function(function)) => Some(function),
            _ => None,
        }
    }

    /// The text of a span, for output. Bytes of comments that are not UTF-8 become U+FFFD, where [`Module::str`] would give no text at all.
    pub fn copied(&self, span: Span) -> Cow<'_, str> {
        let bytes = self.text.get(span.range()).unwrap_or_default();
        String::from_utf8_lossy(bytes)
    }

    /// The operands of a list.
    pub fn list(&self, list: List) -> &[Operand] {
        self.operands.get(list)
    }

    /// The operands of an instruction.
    pub fn operands(&self, instruction: &Instruction) -> &[Operand] {
        self.list(instruction.operands)
    }
}

/// A top-level part of a module.
#[derive(Debug)]
pub enum Item {
    /// `.version`, `.target`, `.address_size`, `.file`, `.section`, `.pragma`, `.alias`, `.loc`, and any unknown one.
    Directive(Directive),
    /// A module-scope variable.
    Variable(Variable),
    /// A kernel or a device function.
    Function(Function),
}

impl Item {
    /// The bytes it was read from.
    pub fn span(&self) -> Span {
        match self {
            Item::Directive(directive) => directive.span,
            Item::Variable(variable) => variable.span,
            Item::Function(function) => function.span,
        }
    }
}

/// A directive that declares no variable and no function.
#[derive(Debug)]
pub struct Directive {
    /// From the directive's dot up to its last argument, including a `;` or a braced section body.
    pub span: Span,
    /// The name with its dot: `.version`, `.maxntid`, `.callprototype`, ...
    pub name: Span,
    /// The arguments as operands; words such as `sm_90` are [`Operand::Name`], strings [`Operand::String`]. The bodies of
    /// `.section` and of unknown braced directives are skipped, not parsed: they are inside `span` only. A parameter list
    /// (of `.callprototype`) is a flat [`Operand::Parenthesised`] of its words and numbers in order; each parameter begins
    /// with its state space: `.param`, `.align`, `8`, `.b8`, `_`, `16`.
    pub arguments: List,
}

/// Linkage words before a declaration, as bit flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Linkage(pub u8);

impl Linkage {
    /// `.visible`
    pub const VISIBLE: u8 = 1;
    /// `.extern`
    pub const EXTERN: u8 = 2;
    /// `.weak`
    pub const WEAK: u8 = 4;
    /// `.common`
    pub const COMMON: u8 = 8;
}

/// One declaration: `.reg .b32 %r<5>;`, `.shared .align 4 .b8 tile[64][64];`, a parameter of a function.
#[derive(Debug)]
pub struct Variable {
    /// The whole declaration, including its `;` where it has one.
    pub span: Span,
    /// `.visible`, `.extern`, `.weak`, `.common`.
    pub linkage: Linkage,
    /// The state space word: `.reg`, `.param`, `.global`, `.const`, `.shared`, `.local`, ...
    pub space: Span,
    /// `.align N`.
    pub align: Option<u32>,
    /// Elements of `.v2`/`.v4`/`.v8` (1 without).
    pub vector: u8,
    /// The type word with its dot: `.b32`, `.f64`, `.pred`, `.texref`, ...; empty where there is none.
    pub ty: Span,
    /// `.ptr` on a kernel parameter, with its attributes.
    pub pointer: Option<Pointer>,
    /// The declared names.
    pub names: Vec<Declarator>,
}

/// The `.ptr .space .align N` attribute of a kernel parameter (PTX ISA, "Kernel Parameter Attribute").
#[derive(Clone, Copy, Debug)]
pub struct Pointer {
    /// The word for what is pointed to, where there is one: a space (`.global`, ...), or `.texref`, `.surfref`, `.samplerref`.
    pub space: Option<Span>,
    /// Alignment in bytes of what is pointed to.
    pub align: Option<u32>,
}

/// One name of a declaration.
#[derive(Debug)]
pub struct Declarator {
    /// The name, without `<n>` and without dimensions.
    pub name: Span,
    /// `%r<5>` declares `%r0` to `%r4`: the 5.
    pub count: Option<u32>,
    /// Dimensions; `None` for `[]`.
    pub dimensions: Vec<Option<u64>>,
    /// `= ...`: a list of [`Module::initialisers`]; one element that may be a list.
    pub initialiser: Option<List>,
}

/// A part of an initialiser.
#[derive(Clone, Copy, Debug)]
pub enum Initialiser {
    /// `{ ... }`
    List(List),
    /// An integer (two's complement).
    Integer(u64),
    /// A float literal, as the bits of the given width (32 or 64); a decimal literal has 64.
    Float {
        /// The bits of the value.
        bits: u64,
        /// 32 or 64.
        width: u8,
    },
    /// The address of a symbol: `sym`, `sym+4`, `generic(sym)+4`, `0xFF00(sym)`.
    Address {
        /// The symbol's name.
        name: Span,
        /// Added to the address, in bytes.
        offset: i64,
        /// Written inside `generic(...)`.
        generic: bool,
        /// `mask(sym)`: the byte of the address that is taken.
        mask: Option<u64>,
    },
    /// `name = value` of a texture's or sampler's initial state: `filter_mode = nearest`.
    Field {
        /// The property.
        name: Span,
        /// A word or a number.
        value: Span,
    },
}

/// A kernel (`.entry`) or a device function (`.func`), defined or declared.
#[derive(Debug)]
pub struct Function {
    /// From the first linkage word to the closing brace or the `;`.
    pub span: Span,
    /// `.visible`, `.extern`, `.weak`.
    pub linkage: Linkage,
    /// `.entry`, not `.func`.
    pub entry: bool,
    /// The mangled name, where it is declared.
    pub name: Span,
    /// Return parameters.
    pub returns: Vec<Variable>,
    /// Parameters.
    pub parameters: Vec<Variable>,
    /// `.maxntid`, `.reqntid`, `.noreturn`, `.pragma`, ... between the parameters and the body.
    pub directives: Vec<Directive>,
    /// The body; none for a declaration.
    pub body: Option<Body>,
}

/// The statements between a function's braces.
#[derive(Debug)]
pub struct Body {
    /// From `{` to `}`, both included.
    pub span: Span,
    /// The statements, nested scopes flattened.
    pub statements: Vec<Statement>,
}

/// One statement of a body.
#[derive(Debug)]
pub struct Statement {
    /// From its first byte (the guard's `@`) to its `;`, both included.
    pub span: Span,
    /// What it is.
    pub kind: StatementKind,
}

/// What a statement is.
#[derive(Debug)]
pub enum StatementKind {
    /// `{`: a nested scope begins.
    Open,
    /// `}`: the innermost nested scope ends.
    Close,
    /// `name:`; the span of the name.
    Label(Span),
    /// A declaration.
    Variable(Box<Variable>),
    /// `.loc file line column ...`.
    Location(Location),
    /// `.pragma`, `.branchtargets`, `.calltargets`, `.callprototype` (their label is the statement before), any other.
    Directive(Box<Directive>),
    /// An instruction.
    Instruction(Instruction),
}

/// A `.loc` directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// Index as declared by `.file`.
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1 (0 where unknown).
    pub column: u32,
}

/// `@!%p opcode.modifiers operands;`
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    /// `@%p` or `@!%p`.
    pub guard: Option<Guard>,
    /// The opcode with all of its modifiers: `ld.global.nc.v2.f32`, `mbarrier.try_wait.shared::cta.b64`. Blanks may precede a
    /// dot (`mov .u32`), as `ptxas` allows.
    pub opcode: Span,
    /// The operands, left to right. A call's `(...)` lists are [`Operand::Parenthesised`].
    pub operands: List,
}

/// A guard predicate.
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    /// `@!`.
    pub negated: bool,
    /// The predicate register.
    pub register: Span,
}

/// An operand.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// A register, symbol, label, special register or bare word, with its dotted suffix if any: `%r1`, `%tid.x`, `%v.x`,
    /// `%r1.b0`, `sm_90`, `WARP_SZ`.
    Name {
        /// The word, without what negates it.
        span: Span,
        /// `!p`; also `-r` of a video instruction (`vmad`), the only arithmetic sign before a register.
        negated: bool,
    },
    /// An integer or constant integer expression, as 64 bits two's complement.
    Integer {
        /// The literal or expression.
        span: Span,
        /// Its value.
        value: u64,
    },
    /// A float literal: `0f3F800000`, `0d...`, `1.5`, `1e3`.
    Float {
        /// The literal.
        span: Span,
        /// The bits of the value.
        bits: u64,
        /// 32 for `0f`, 64 for `0d` and decimal.
        width: u8,
    },
    /// A string (arguments of directives).
    String(Span),
    /// `_`
    Sink(Span),
    /// `{a, b}`
    Vector {
        /// With both braces.
        span: Span,
        /// The elements.
        elements: List,
    },
    /// `a|b`
    Pair {
        /// Both, with the bar.
        span: Span,
        /// Two operands.
        elements: List,
    },
    /// `(a, b)` of a call.
    Parenthesised {
        /// With both parentheses.
        span: Span,
        /// The elements.
        elements: List,
    },
    /// `[base+offset]`, `[imm]`, `[base, {coordinates}]`, or `sym+4` without brackets.
    Address {
        /// With its brackets, and with `.unified` after them.
        span: Span,
        /// The register or symbol; none for an immediate address.
        base: Option<Span>,
        /// Bytes added (the address itself if there is no base).
        offset: i64,
        /// What follows a comma inside the brackets: texture coordinates, tensor coordinates, barriers.
        rest: List,
        /// `[a].unified`: an address of unified memory.
        unified: bool,
    },
    /// `sym[i]` without further brackets: element `i` of an array (so that `s[1]` of `.b32` elements is `[s+4]`).
    Element {
        /// The array's name with the brackets.
        span: Span,
        /// The array.
        base: Span,
        /// One operand, in elements: an integer, a register, or `%r+i` as [`Operand::Address`] without brackets.
        index: List,
    },
}

impl Operand {
    /// The bytes it was read from.
    pub fn span(&self) -> Span {
        match *self {
            Operand::Name { span, .. }
            | Operand::Integer { span, .. }
            | Operand::Float { span, .. }
            | Operand::String(span)
            | Operand::Sink(span)
            | Operand::Vector { span, .. }
            | Operand::Pair { span, .. }
            | Operand::Parenthesised { span, .. }
            | Operand::Address { span, .. }
            | Operand::Element { span, .. } => span,
        }
    }
}
