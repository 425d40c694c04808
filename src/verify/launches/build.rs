//! From a shape to a launch: buffers, scalars, structures.

use super::contents;
use super::counters::Part;
use super::field::{Field, Holder};
use super::overlap::{self, Extent, PointerDistance, Pointers};
use super::shapes::{Contents, Shape};
use super::usage::Usage;
use ptxasw_executor::launch::{ArgumentSpec, BufferSpec, Element, Fill, LaunchSpec, PointerField};
use ptxasw_ir::types::{Kind, Space, Type};
use ptxasw_ptx::decode::form::{Function, Module, Parameter};
use std::ops::Range;

/// Elements before the one that an argument points to, and after what the sizes ask for: stencils look past their edges.
const MARGIN: u64 = 256;
/// Dynamic shared memory, where a module declares such a variable.
const SHARED: u32 = 4096;
/// What is subtracted from a size.
const BORDER: i64 = 3;
/// What a row or plane is longer than the indices in it.
pub(super) const PADDING: u32 = 3;

/// Room of a buffer that turned out to be too small, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Room {
    /// Before the byte that the argument points to.
    pub(super) before: u64,
    /// From there on.
    pub(super) after: u64,
}

/// The bytes of a buffer that are accessed, from the byte that the argument points to.
pub(super) type Accessed = Range<i64>;

/// How much memory a launch has beyond what its shape asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rooms {
    /// By buffer.
    pub(super) buffers: Vec<Room>,
    /// By buffer, where it is to have no room for anything else.
    pub(super) exact: Option<Vec<Accessed>>,
    /// Bytes of dynamic shared memory.
    pub(super) shared: u32,
}

/// Makes a launch.
pub(super) fn build(
    module: &Module,
    function: &Function,
    usage: &Usage,
    shape: &Shape,
    rooms: &Rooms,
) -> LaunchSpec {
    let mut builder = Builder {
        usage,
        shape,
        rooms,
        spec: LaunchSpec::new(grid(usage, shape), shape.block),
        elements: 0,
        integers: 0,
        pointers: 0,
        shared: None,
        alike: [0; ROLES],
    };
    builder.spec.kernel = Some(function.name.to_string());
    builder.spec.dynamic_shared = shared(module, rooms);
    builder.spec.spacing = shape.spacing();
    builder.elements = builder.element_count();
    for (number, parameter) in function.parameters.iter().enumerate() {
        let argument = builder.argument(number, parameter);
        builder.spec.arguments.push(argument);
    }
    builder.spec
}

/// As many blocks as the sizes ask for, along axes that the kernel looks at.
fn grid(usage: &Usage, shape: &Shape) -> [u32; 3] {
    if shape.pointers != Pointers::Apart || shape.stride.is_some() || shape.alone {
        // More blocks race where buffers overlap.
        return [1; 3];
    }
    [0, 1, 2].map(|axis| {
        let size = shape.sizes[axis].max(1);
        match (usage.tid[axis], usage.ctaid[axis]) {
            (_, false) => 1,
            (true, true) => size.div_ceil(shape.block[axis]),
            (false, true) => size,
        }
    })
}

fn shared(module: &Module, rooms: &Rooms) -> u32 {
    let mut variables = module.variables.iter();
    let dynamic = variables.any(|v| v.space == Space::Shared && v.bytes == 0);
    match dynamic {
        true => rooms.shared.max(SHARED),
        false => 0,
    }
}

pub(super) struct Builder<'a> {
    pub(super) usage: &'a Usage,
    pub(super) shape: &'a Shape,
    pub(super) rooms: &'a Rooms,
    pub(super) spec: LaunchSpec,
    /// That an array has, margins apart.
    elements: u64,
    /// Sizes handed out so far to scalars of which nothing is known.
    integers: usize,
    /// Pointers handed out so far.
    pointers: usize,
    /// The buffer that all pointers share, and where in it the first points.
    shared: Option<(usize, i64)>,
    /// Scalars so far, by role.
    alike: [i64; ROLES],
}

/// What scalars are used for.
#[derive(Clone, Copy)]
enum Role {
    Bound,
    Length,
    Stride,
    Plain,
}
const ROLES: usize = 4;

impl Builder<'_> {
    /// One for each thread, and one for each place of the sizes.
    fn element_count(&self) -> u64 {
        let product = |sizes: [u32; 3]| {
            let sizes = sizes.iter().map(|&n| u64::from(n.max(1)));
            sizes.fold(1, u64::saturating_mul)
        };
        let threads = product(self.spec.grid).saturating_mul(product(self.shape.block));
        let [x, y, z] = self.shape.sizes;
        threads.max(product([x.saturating_add(PADDING), y.saturating_add(1), z]))
    }

    fn argument(&mut self, number: usize, parameter: &Parameter) -> ArgumentSpec {
        let place = self.usage.number(number, 0);
        let whole = place.map(|place| &self.usage.fields[place]);
        let simple = parameter.bytes <= 8
            && matches!(parameter.ty.bits / 8, n if u64::from(n) == parameter.bytes);
        if !simple {
            return self.structure(number, parameter);
        }
        let pointer = parameter.bytes == 8
            && ((parameter.pointer.is_some() && !whole.is_some_and(|f| f.displaces))
                || whole.is_some_and(Field::points));
        if pointer {
            let (buffer, offset) = self.buffer(place);
            return ArgumentSpec::Pointer { buffer, offset };
        }
        let ty = match parameter.ty.kind {
            Kind::Bits => whole.map_or(parameter.ty, |f| f.ty),
            _ => parameter.ty,
        };
        let bits = self.scalar(whole, ty, number as u64);
        ArgumentSpec::Scalar {
            element: Some(element(Type::new(ty.kind, parameter.ty.bits), false)),
            bits,
        }
    }

    /// A structure: its fields as they are loaded, the rest filled with numbers that make sense as `f32` or as indices.
    fn structure(&mut self, number: usize, parameter: &Parameter) -> ArgumentSpec {
        let size = usize::try_from(parameter.bytes).unwrap_or(0);
        let word = match self.shape.contents == Contents::Any {
            true => 0.5f32.to_bits(),
            false => 3,
        };
        let mut bytes: Vec<u8> = word.to_le_bytes().into_iter().cycle().take(size).collect();
        let mut pointers = Vec::new();
        let usage = self.usage;
        let fields = usage.fields.iter().enumerate();
        let here = fields.filter(|(_, f)| f.holder == Holder::Parameter(number as u32));
        self.put_fields(here, &mut bytes, &mut pointers);
        ArgumentSpec::Structure { bytes, pointers }
    }

    /// Puts fields into the bytes of a structure.
    pub(super) fn put_fields<'f>(
        &mut self,
        fields: impl Iterator<Item = (usize, &'f Field)>,
        bytes: &mut [u8],
        pointers: &mut Vec<PointerField>,
    ) {
        for (place, field) in fields {
            let at = field.offset as usize;
            let width = usize::from(field.ty.bits / 8).min(8);
            let Some(here) = at.checked_add(width).and_then(|end| bytes.get_mut(at..end)) else {
                continue;
            };
            if width == 8 && field.points() {
                here.fill(0);
                let (buffer, offset) = self.buffer(Some(place));
                pointers.push(PointerField { at, buffer, offset });
            } else {
                let bits = self.scalar(Some(field), field.ty, field.offset);
                here.copy_from_slice(&bits.to_le_bytes()[..width]);
            }
        }
    }

    /// The buffer that the next pointer points into, and where in it.
    pub(super) fn buffer(&mut self, place: Option<usize>) -> (usize, i64) {
        if let Some(buffer) = place.and_then(|place| self.structure_behind(place)) {
            return (buffer, 0);
        }
        let usage = self.usage;
        let field = place.map(|place| &usage.fields[place]);
        let element = pointed(field);
        let size = u64::from(element.bytes());
        let unit = field.map_or(1, |field| field.align).max(size);
        let number = self.pointers;
        self.pointers += 1;
        match self.shape.pointers {
            Pointers::Apart => self.new_buffer(field, element, MARGIN, self.elements + MARGIN),
            Pointers::Offset(bytes) => {
                let (buffer, start) =
                    self.new_buffer(field, element, MARGIN, self.elements + MARGIN);
                (buffer, start + (bytes / unit * unit) as i64)
            }
            Pointers::OneOffset(one) => {
                let (buffer, start) =
                    self.new_buffer(field, element, MARGIN, self.elements + MARGIN);
                (buffer, start + if one == number { unit as i64 } else { 0 })
            }
            Pointers::Pair(one, other, elements) => {
                if let Some((buffer, start)) = self.shared.filter(|_| number == other) {
                    return (buffer, start + (elements * unit) as i64);
                }
                let place = self.new_buffer(field, element, MARGIN, self.elements + MARGIN);
                if number == one {
                    self.shared = Some(place);
                }
                place
            }
            Pointers::Together(step) => {
                let extent = self.extent_of_arrays();
                let count = overlap::pointers(self.usage);
                let distance = overlap::offset(step, number, count, unit, extent);
                let (buffer, start) = self.shared.unwrap_or_else(|| {
                    let element = self.shared_element(element);
                    // After the farthest pointer there is room for an array of this type.
                    let far = match step {
                        PointerDistance::Bytes(bytes) if bytes < 0 => 0,
                        _ => count,
                    };
                    let far = overlap::offset(step, far, count, 1, extent).div_ceil(size);
                    let array = (self.elements + MARGIN) * extent.widest.div_ceil(size);
                    self.new_buffer(field, element, MARGIN * count.max(1) as u64, array + far)
                });
                self.shared = Some((buffer, start));
                (buffer, start + distance as i64)
            }
        }
    }

    /// A new buffer of so many elements on either side of the byte that is given back with it.
    fn new_buffer(
        &mut self,
        field: Option<&Field>,
        element: Element,
        before: u64,
        after: u64,
    ) -> (usize, i64) {
        let number = self.spec.buffers.len();
        let decides = match self.shape.pointers {
            Pointers::Together(_) => self.some_decides(),
            _ => field.is_some_and(Field::to_small),
        };
        let size = u64::from(element.bytes());
        let room = self.rooms.buffers.get(number).copied().unwrap_or_default();
        let before = before.max(room.before.div_ceil(size));
        let after = after.max(room.after.div_ceil(size));
        let exact = self.rooms.exact.as_ref().and_then(|all| all.get(number));
        let (before, after) = exact.map_or((before, after), |accessed| {
            let elements = |bytes: i64| (bytes.max(0) as u64).div_ceil(size);
            let before = elements(-accessed.start);
            (before, elements(accessed.end).max(u64::from(before == 0)))
        });
        let any_bits = self.shape.contents == Contents::AnyBits && element.is_float();
        let element = match self.shape.contents {
            Contents::Signed => contents::signed(element),
            _ if any_bits => Element::unsigned(element.bytes()),
            _ => element,
        };
        let random = self.contents(element, decides && !any_bits, number);
        let rows = field.is_some_and(Field::to_rows) && !element.is_float();
        let fill = match rows && self.shape.pointers == Pointers::Apart {
            // Each row as long as a loop, the first before the margin.
            true => Fill::Ramp {
                start: 0,
                step: self.shape.length.max(0) as u64,
            },
            false => random,
        };
        self.spec.buffers.push(BufferSpec {
            name: None,
            element,
            count: before + after,
            fill,
        });
        (number, (before * size) as i64)
    }

    /// Some pointer points to indices or conditions.
    fn some_decides(&self) -> bool {
        self.usage.fields.iter().any(Field::to_small)
    }

    /// What all pointers point to: whoever reads an index in it must find a small number.
    fn shared_element(&self, first: Element) -> Element {
        match self.some_decides() {
            true => Element::unsigned(first.bytes()),
            false => first,
        }
    }

    fn extent_of_arrays(&self) -> Extent {
        Extent {
            array: self.elements,
            row: match self
                .usage
                .fields
                .iter()
                .any(|f| f.strides & 2 != 0 || f.steps)
            {
                true => u64::from(self.shape.sizes[0] + PADDING),
                false => self.pitch() as u64,
            },
            length: self.shape.length.max(0) as u64,
            plain: self.shape.plain.max(0) as u64,
            widest: overlap::widest(self.usage),
        }
    }

    /// The bits of a scalar, by what it is used for.
    fn scalar(&mut self, field: Option<&Field>, ty: Type, salt: u64) -> u64 {
        if ty.float() {
            // Simple ones are met as they are.
            let salt = if self.shape.real == 0.5 {
                salt as f64 / 64.0
            } else {
                0.0
            };
            return element(ty, false).from_real(self.shape.real + salt);
        }
        let [x, y, _] = self.shape.sizes.map(i64::from);
        let Some(field) = field else {
            // Nothing loads it.
            return self.next_size() as u64;
        };
        if let Some(value) = self.shape.steered.and_then(|number| field.steered(number)) {
            return value as u64;
        }
        let value = if field.displaces {
            0
        } else if field.subtracted {
            BORDER
        } else if field.bounds != 0 {
            match (self.shape.odd, field.bounds) {
                (Some(odd), 1) => odd,
                (_, 1) => (x - 3 * self.next(Role::Bound)).max(0),
                _ => self.extent(field.bounds),
            }
        } else if field.divides {
            (x / 3).max(1)
        } else if field.bytes_of != 0 {
            self.byte_stride(field)
        } else if let Some(stride) = self.shape.stride.filter(|_| field.is_stride()) {
            stride
        } else if field.strides & 2 != 0 {
            x + i64::from(PADDING) + self.next(Role::Stride)
        } else if let Some(part) = field.part {
            let length =
                self.shape.length + self.next(Role::Length) * i64::from(part == Part::Bound);
            let counting = match self.usage.has(Part::Start) {
                true => self.shape.counting,
                false => self.shape.counting.with_start_zero(),
            };
            counting.value(part, field.ty.bits, length)
        } else if field.compared {
            self.shape.length + self.next(Role::Length)
        } else if field.strides & 4 != 0 {
            (x + i64::from(PADDING)) * (y + 1) + self.next(Role::Stride)
        } else if field.strides & 1 != 0 {
            self.pitch() + self.next(Role::Stride)
        } else if field.steps && self.shape.pitched {
            x + i64::from(PADDING) + self.next(Role::Stride)
        } else {
            self.shape.plain + self.next(Role::Plain)
        };
        let round = self.shape.round;
        let value = match field.displaces || value <= 0 {
            true => value,
            false => value.saturating_add(round - 1) / round * round,
        };
        value as u64
    }

    /// The distance of two threads' elements along x: of their rows, where each goes through one.
    fn pitch(&self) -> i64 {
        let [.., z] = self.shape.sizes.map(i64::from);
        let loops = self.usage.fields.iter().any(|field| field.compared);
        match loops && self.shape.length > 0 {
            true => self.shape.length + i64::from(PADDING),
            false => (z % 3 + 1).min(2),
        }
    }

    /// How many scalars of a role came before, where they are to have different values.
    fn next(&mut self, role: Role) -> i64 {
        let count = &mut self.alike[role as usize];
        *count += 1;
        (*count - 1) * self.shape.apart
    }

    /// A distance in bytes: of elements, rows or planes of the array that it is added to.
    fn byte_stride(&self, field: &Field) -> i64 {
        let [x, y, _] = self.shape.sizes.map(i64::from);
        let base = self
            .usage
            .fields
            .get(field.bytes_of.trailing_zeros() as usize);
        let size = i64::from(pointed(base).bytes());
        let row = x + i64::from(PADDING);
        let elements = match () {
            _ if field.strides & 4 != 0 => row * (y + 1),
            _ if field.strides & 2 != 0 => row,
            _ => 1,
        };
        size.wrapping_mul(self.shape.stride.unwrap_or(elements))
    }

    /// How far indices along these axes go together.
    fn extent(&self, axes: u8) -> i64 {
        let sizes = self.shape.sizes.iter().enumerate();
        let chosen = sizes.filter(|(axis, _)| axes >> axis & 1 != 0);
        chosen.map(|(_, &size)| i64::from(size)).product()
    }

    fn next_size(&mut self) -> u32 {
        let size = self.shape.sizes[self.integers.min(2)];
        self.integers += 1;
        size
    }
}

/// The type of the elements that a pointer points to.
fn pointed(field: Option<&Field>) -> Element {
    let accessed = field.and_then(|f| f.accessed).unwrap_or(Type::F32);
    let decides = field.is_some_and(Field::to_small);
    // An index or a condition is no float, whatever the load leaves open.
    element(accessed, !(decides && accessed.kind == Kind::Bits))
}

/// The type of a buffer's elements, or of a scalar. Untyped words of 32 and 64 bits in memory are taken for floats: clang
/// loads floats as `.b32`.
fn element(ty: Type, memory: bool) -> Element {
    match (ty.kind, ty.bits) {
        (Kind::Float, 16) => Element::F16,
        (Kind::BFloat, 16) => Element::Bf16,
        (Kind::Float, 64) => Element::F64,
        (Kind::Float, _) => Element::F32,
        (Kind::Bits, 32) if memory => Element::F32,
        (Kind::Bits, 64) if memory => Element::F64,
        (Kind::Signed, 64) => Element::I64,
        (Kind::Signed, 32) => Element::I32,
        (_, bits) => Element::unsigned((bits / 8).clamp(1, 8)),
    }
}
