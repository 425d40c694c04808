//! What lanes execute: statements, results and addresses, as text of bounded size.

use super::lanes::lanes;
use super::launch::{Element, Launch};
use super::observer::{Observer, TouchKind, Touched};
use super::program::{Dst, Inst};
use super::state::Block;
use super::{ExecutionError, Options, Outcome, Schedule, observed};
use ptxasw_base::lines::LineIndex;
use ptxasw_ir::types::{Kind, Space, Type};
use ptxasw_ptx::decode::form::{Function, Module};
use ptxasw_ptx::decode::type_of;
use rustc_hash::FxHashMap;
use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Longest statement that is shown whole, in characters.
const MAX_STATEMENT: usize = 160;

/// What is traced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// `%ctaid` of the block; none: all blocks.
    pub block: Option<[u32; 3]>,
    /// Index of the warp in its block; none: all warps.
    pub warp: Option<u32>,
    /// The lanes, as a mask.
    pub lanes: u32,
    /// Lines of the PTX text.
    pub lines: RangeInclusive<u32>,
}

impl Default for Filter {
    /// All lanes of the first warp of the first block.
    fn default() -> Self {
        Filter {
            block: Some([0; 3]),
            warp: Some(0),
            lanes: u32::MAX,
            lines: 1..=u32::MAX,
        }
    }
}

impl FromStr for Filter {
    type Err = String;

    /// Any of `block=X,Y,Z`, `warp=W`, `lanes=A-B`, `lines=A-B`; for block and warp `all` as well.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut filter = Filter::default();
        for word in text.split_whitespace() {
            let bad = |what: &str| format!("`{word}`: expected {what}");
            match word.split_once('=') {
                Some(("block", "all")) => filter.block = None,
                Some(("block", value)) => {
                    let block = coordinates(value).ok_or_else(|| bad("block=X,Y,Z"))?;
                    filter.block = Some(block);
                }
                Some(("warp", "all")) => filter.warp = None,
                Some(("warp", value)) => {
                    filter.warp = Some(value.parse().map_err(|_| bad("warp=N"))?);
                }
                Some(("lanes", value)) => {
                    let range = range(value).filter(|range| *range.end() < 32);
                    let range = range.ok_or_else(|| bad("lanes=A-B, up to 31"))?;
                    filter.lanes = range.fold(0, |mask, lane| mask | 1 << lane);
                }
                Some(("lines", value)) => {
                    filter.lines = range(value).ok_or_else(|| bad("lines=A-B"))?;
                }
                _ => return Err(bad("block=, warp=, lanes= or lines=")),
            }
        }
        Ok(filter)
    }
}

fn coordinates(text: &str) -> Option<[u32; 3]> {
    let mut result = [0; 3];
    for (i, part) in text.split(',').enumerate() {
        *result.get_mut(i)? = part.parse().ok()?;
    }
    Some(result)
}

/// `4` or `4-7`.
fn range(text: &str) -> Option<RangeInclusive<u32>> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let (from, to) = (from.parse().ok()?, to.parse().ok()?);
    (from <= to).then_some(from..=to)
}

/// What a trace needs besides the run.
#[derive(Clone, Debug)]
pub struct Tracing<'a> {
    /// The module's text.
    pub text: &'a [u8],
    /// Names and element types of the launch's buffers; for those that are missing, numbers and bytes.
    pub buffers: Vec<(String, Element)>,
    /// What is traced.
    pub filter: Filter,
    /// Most lines.
    pub limit: usize,
}

/// Runs a kernel and gives a text with what was executed.
///
/// A statement has a line of its own: line number, the lanes that execute it as a mask, the statement as written. Below
/// it the addresses that lanes access and the registers that they write, lanes with equal values together.
pub fn trace(
    module: &Module,
    function: &Function,
    launch: &Launch,
    schedule: Schedule,
    options: Options,
    tracing: Tracing,
) -> (Result<Outcome, ExecutionError>, String) {
    let mut tracer = Tracer {
        module,
        owners: owners(module),
        lines: LineIndex::new(tracing.text),
        tracing,
        touched: Vec::new(),
        place: None,
        out: String::new(),
        written: 0,
        omitted: 0,
    };
    let result = observed(module, function, launch, schedule, options, &mut tracer);
    (result, tracer.finish())
}

/// The function of each statement, by the statement's offset in the text.
fn owners(module: &Module) -> FxHashMap<u32, usize> {
    let functions = module.functions.iter().enumerate();
    functions
        .flat_map(|(i, function)| function.instructions.iter().map(move |s| (s.span.start, i)))
        .collect()
}

struct Tracer<'a> {
    module: &'a Module,
    owners: FxHashMap<u32, usize>,
    lines: LineIndex<'a>,
    tracing: Tracing<'a>,
    /// Accesses of the instruction that is being executed, by lane.
    touched: Vec<(usize, Touched)>,
    /// The block and the warp of the last event.
    place: Option<([u32; 3], usize)>,
    out: String,
    /// Lines in `out`.
    written: usize,
    /// Lines that are not.
    omitted: u64,
}

impl Observer for Tracer<'_> {
    fn executed(&mut self, block: &Block, w: usize, _: u32, inst: &Inst, on: u32) {
        let touched = std::mem::take(&mut self.touched);
        let shown = self.shown(block, w, inst, on);
        if shown == 0 {
            return;
        }
        self.statement(block, w, inst, on, on);
        self.accesses(block, w, &touched);
        let registers = &block.warps[w].registers;
        for (i, dst) in inst.results.iter().enumerate() {
            let Some(dst) = *dst else { continue };
            let column = registers.read(dst.reg);
            let ty = self.shown_type(inst, dst);
            let values = lanes(shown).map(|lane| {
                let undefined = column.poison >> lane & 1 != 0;
                (lane, value(ty, column.values[lane], undefined))
            });
            let text = grouped(values);
            let name = self.register(inst, i).to_owned();
            self.line(format_args!("        {name} = {text}"));
        }
    }

    fn branched(&mut self, block: &Block, w: usize, inst: &Inst, on: u32, group: u32) {
        if self.shown(block, w, inst, on) != 0 {
            self.statement(block, w, inst, on, group);
        }
    }

    fn touched(&mut self, block: &Block, _: &Inst, touched: Touched) {
        let Some(t) = touched.thread.checked_sub(block.first_thread) else {
            return;
        };
        let (w, lane) = (t / 32, (t % 32) as usize);
        let filter = &self.tracing.filter;
        if filter.block.is_none_or(|id| id == block.id)
            && filter.warp.is_none_or(|warp| u64::from(warp) == w)
            && filter.lanes >> lane & 1 != 0
        {
            self.touched.push((lane, touched));
        }
    }
}

impl Tracer<'_> {
    /// The lanes of an event that are to be shown.
    fn shown(&self, block: &Block, w: usize, inst: &Inst, on: u32) -> u32 {
        let filter = &self.tracing.filter;
        let span = inst.source.span;
        // A return at the end of a function has no text.
        let selected = span.start < span.end
            && filter.block.is_none_or(|id| id == block.id)
            && filter.warp.is_none_or(|warp| warp as usize == w)
            && on & filter.lanes != 0;
        if !selected {
            return 0;
        }
        match filter.lines.contains(&self.lines.line(span.start)) {
            true => on & filter.lanes,
            false => 0,
        }
    }

    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        if self.written >= self.tracing.limit {
            self.omitted += 1;
            return;
        }
        self.written += 1;
        let _ = writeln!(self.out, "{text}");
    }

    fn statement(&mut self, block: &Block, w: usize, inst: &Inst, on: u32, group: u32) {
        if self.place.replace((block.id, w)) != Some((block.id, w)) {
            let [x, y, z] = block.id;
            self.line(format_args!("block {x},{y},{z} warp {w}"));
        }
        let span = inst.source.span;
        let line = self.lines.line(span.start);
        let source = self.tracing.text.get(span.range()).unwrap_or_default();
        let source = String::from_utf8_lossy(source);
        let mut text = String::new();
        for word in source.split_whitespace() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
        if let Some((end, _)) = text.char_indices().nth(MAX_STATEMENT) {
            text.truncate(end);
            text.push_str("...");
        }
        match on == group {
            true => self.line(format_args!("{line:5}  {on:08x}  {text}")),
            false => self.line(format_args!("{line:5}  {on:08x} of {group:08x}  {text}")),
        }
    }

    fn accesses(&mut self, block: &Block, w: usize, touched: &[(usize, Touched)]) {
        let mut touched: Vec<&(usize, Touched)> = touched.iter().collect();
        // Atomics come in the adversary's order, vector stores element by element.
        touched.sort_by_key(|(lane, access)| (access.place.offset, *lane));
        touched.sort_by_key(|(lane, _)| *lane);
        touched.dedup_by_key(|(lane, _)| *lane);
        let Some((_, first)) = touched.first() else {
            return;
        };
        let what = match first.kind {
            TouchKind::Load => "from",
            TouchKind::Store => "to",
            TouchKind::Atomic => "at",
        };
        let places = touched
            .iter()
            .map(|(lane, access)| (*lane, self.address(block, w, *lane, access)));
        let text = grouped(places);
        self.line(format_args!("        {what} {text}"));
    }

    /// The place of an access: `a[3]`, or a name and bytes.
    fn address(&self, block: &Block, w: usize, lane: usize, access: &Touched) -> String {
        let place = access.place;
        let plain = |name: &str| format!("{name}+{}", place.offset);
        match place.space {
            Space::Global | Space::Const | Space::Generic => {
                self.global(place.region, place.offset)
            }
            Space::Shared | Space::SharedCluster => match block.shared.regions.get(place.region) {
                Some(region) => plain(&region.name),
                None => plain("shared"),
            },
            Space::Local | Space::ParamFunc => {
                match block.warps[w]
                    .local
                    .get(lane)
                    .and_then(|a| a.regions.get(place.region))
                {
                    Some(region) => plain(&region.name),
                    None => plain("local"),
                }
            }
            Space::ParamEntry => plain("parameters"),
        }
    }

    /// A place in one of the launch's buffers, or after them in a variable of the module.
    fn global(&self, region: usize, offset: usize) -> String {
        if let Some((name, element)) = self.tracing.buffers.get(region) {
            let size = usize::from(element.bytes());
            return match offset % size {
                0 => format!("{name}[{}]", offset / size),
                _ => format!("{name}+{offset}"),
            };
        }
        let in_global = |space| matches!(space, Space::Global | Space::Const);
        let mut variables = self.module.variables.iter().filter(|v| in_global(v.space));
        match variables.nth(region - self.tracing.buffers.len()) {
            Some(variable) => format!("{}+{offset}", variable.name),
            None => format!("{region}+{offset}"),
        }
    }

    /// The name of a result's register.
    fn register(&self, inst: &Inst, result: usize) -> &str {
        let owner = self.owners.get(&inst.source.span.start);
        let function = owner.and_then(|&i| self.module.functions.get(i));
        let reg = inst.source.results.get(result).copied().flatten();
        let register = function
            .zip(reg)
            .and_then(|(function, reg)| function.registers.get(reg.0 as usize));
        register.map_or("result", |register| &register.name)
    }

    /// The type in which a result is shown: that of the register, or where this is untyped, what the opcode says. `.b32`
    /// registers hold floats, too.
    fn shown_type(&self, inst: &Inst, dst: Dst) -> Type {
        if dst.ty.kind != Kind::Bits {
            return dst.ty;
        }
        let text = self.tracing.text.get(inst.source.span.range());
        let text = String::from_utf8_lossy(text.unwrap_or_default());
        let mut words = text
            .split_whitespace()
            .map(|word| word.trim_end_matches(';'));
        let opcode = words
            .find(|word| !word.starts_with('@'))
            .unwrap_or_default();
        match opcode.split('.').find_map(type_of) {
            Some(ty) if ty.float() && ty.bits == dst.ty.bits => ty,
            // `mul.wide.s32`
            Some(ty) if matches!(ty.kind, Kind::Signed | Kind::Unsigned) => {
                Type::new(ty.kind, dst.ty.bits)
            }
            _ => dst.ty,
        }
    }

    fn finish(mut self) -> String {
        if self.omitted > 0 {
            let _ = writeln!(
                self.out,
                "... {} more lines; the limit is {}",
                self.omitted, self.tracing.limit
            );
        }
        self.out
    }
}

/// A value in hexadecimal and, where the type has more to say, as a number.
fn value(ty: Type, bits: u64, undefined: bool) -> String {
    if undefined {
        return "?".to_owned();
    }
    let element = match (ty.kind, ty.bits) {
        (Kind::Predicate, _) => return (bits & 1).to_string(),
        (Kind::Float, 16) => Element::F16,
        (Kind::BFloat, 16) => Element::Bf16,
        (Kind::Float, 32) => Element::F32,
        (Kind::Float, 64) => Element::F64,
        (Kind::Unsigned, bits) => Element::unsigned(bits / 8),
        (Kind::Signed | Kind::Bits, 8) => Element::I8,
        (Kind::Signed | Kind::Bits, 16) => Element::I16,
        (Kind::Signed | Kind::Bits, 32) => Element::I32,
        (Kind::Signed | Kind::Bits, 64) => Element::I64,
        _ => return format!("{bits:#x}"),
    };
    let digits = usize::from(element.bytes()) * 2;
    format!("0x{bits:0digits$x} {}", element.format(bits))
}

/// `0-3: a  4: b`: lanes in a row that have the same text together.
fn grouped(values: impl Iterator<Item = (usize, String)>) -> String {
    let mut groups: Vec<(usize, usize, String)> = Vec::new();
    for (lane, text) in values {
        match groups.last_mut() {
            Some((_, last, same)) if *last + 1 == lane && *same == text => *last = lane,
            _ => groups.push((lane, lane, text)),
        }
    }
    let groups: Vec<String> = groups
        .into_iter()
        .map(|(first, last, text)| match first == last {
            true => format!("{first}: {text}"),
            false => format!("{first}-{last}: {text}"),
        })
        .collect();
    groups.join("  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters() {
        let filter: Filter = "block=1,2 warp=3 lanes=4-7 lines=10".parse().unwrap();
        let expected = Filter {
            block: Some([1, 2, 0]),
            warp: Some(3),
            lanes: 0xf0,
            lines: 10..=10,
        };
        assert_eq!(filter, expected);
        let all: Filter = "block=all warp=all lanes=0-31".parse().unwrap();
        assert_eq!((all.block, all.warp, all.lanes), (None, None, u32::MAX));
        assert_eq!("".parse(), Ok(Filter::default()));
        for text in [
            "lanes=32",
            "lanes=3-2",
            "warp=x",
            "block=1,2,3,4",
            "line=3",
            "3",
        ] {
            assert!(text.parse::<Filter>().is_err(), "{text}");
        }
    }

    #[test]
    fn values_as_typed() {
        for (ty, bits, text) in [
            (Type::F32, 0x3f80_0000, "0x3f800000 1.0"),
            (Type::S32, 0xffff_fffe, "0xfffffffe -2"),
            (Type::B64, 7, "0x0000000000000007 7"),
            (Type::PRED, 1, "1"),
            (Type::new(Kind::Float16x2, 32), 0x3c00_3c00, "0x3c003c00"),
        ] {
            assert_eq!(value(ty, bits, false), text);
        }
        assert_eq!(value(Type::F32, 0, true), "?");
    }

    #[test]
    fn equal_lanes_in_a_row_stand_together() {
        let values = [(0, "a"), (1, "a"), (3, "a"), (4, "b")];
        let text = grouped(values.into_iter().map(|(lane, v)| (lane, v.to_owned())));
        assert_eq!(text, "0-1: a  3: a  4: b");
    }
}
