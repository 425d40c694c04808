//! Initial values of variables (PTX ISA, "Variables: Initializers").

use super::form::{Contents, Initial, InitialAddress, Symbol, Unit};
use super::header::declared_type;
use super::immediate;
use crate::ast::{self, Initialiser};
use ptxasw_ir::types::{Kind, Type};

/// Most bytes that an initial value is written out to.
const MAX_BYTES: u64 = 1 << 31;

/// The initial value of one name of a declaration; the names in it are looked up in `unit`.
pub(super) fn initial(
    module: &ast::Module,
    unit: Option<&Unit>,
    node: &ast::Variable,
    declarator: &ast::Declarator,
) -> Initial {
    let Some(whole) = declarator.initialiser else {
        return Initial::None;
    };
    let [value] = module.initialisers.get(whole) else {
        return Initial::Unknown;
    };
    let ty = declared_type(module, node);
    let mut filler = Filler {
        module,
        unit,
        ty,
        size: u64::from(ty.bits.div_ceil(8)),
        lengths: lengths(module, node, declarator),
        contents: Contents::default(),
    };
    match filler.fill(value, 0, 0) {
        Some(()) => Initial::Known(Box::new(filler.contents)),
        None => Initial::Unknown,
    }
}

/// Elements of each level of nested lists, the outermost first; the elements of a vector are the innermost.
fn lengths(module: &ast::Module, node: &ast::Variable, declarator: &ast::Declarator) -> Vec<u64> {
    let given = declarator.dimensions.iter().map(|length| match length {
        Some(length) => *length,
        None => super::header::initialised_length(module, declarator),
    });
    let vector = (node.vector > 1).then_some(u64::from(node.vector));
    given.chain(vector).collect()
}

/// Writes the bytes of a value.
struct Filler<'m, 'a> {
    module: &'m ast::Module<'a>,
    unit: Option<&'m Unit>,
    ty: Type,
    /// Bytes of a scalar.
    size: u64,
    lengths: Vec<u64>,
    contents: Contents,
}

impl Filler<'_, '_> {
    /// Bytes of an element of the lists at a level.
    fn stride(&self, level: usize) -> Option<u64> {
        let inner = self.lengths.get(level + 1..).unwrap_or(&[]);
        inner
            .iter()
            .try_fold(self.size, |bytes, &length| bytes.checked_mul(length))
    }

    /// Writes a value at a place; none for what is not understood. The lists are as deep as the parser allows at most.
    fn fill(&mut self, value: &Initialiser, level: usize, at: u64) -> Option<()> {
        let &Initialiser::List(list) = value else {
            return match level == self.lengths.len() {
                true => self.scalar(value, at),
                false => None,
            };
        };
        let length = *self.lengths.get(level)?;
        let stride = self.stride(level)?;
        let elements = self.module.initialisers.get(list);
        if elements.len() as u64 > length {
            return None;
        }
        for (i, element) in (0..).zip(elements) {
            let place = stride
                .checked_mul(i)
                .and_then(|bytes| bytes.checked_add(at));
            self.fill(element, level + 1, place?)?;
        }
        Some(())
    }

    fn scalar(&mut self, value: &Initialiser, at: u64) -> Option<()> {
        let bits = match *value {
            Initialiser::Integer(value) => immediate::integer(value, self.ty)?,
            Initialiser::Float { bits, width } => match self.ty.kind {
                Kind::Float | Kind::BFloat | Kind::Bits => immediate::float(bits, width, self.ty),
                _ => return None,
            },
            Initialiser::Address { .. } => {
                let address = self.address(value, at)?;
                self.contents.addresses.push(address);
                0
            }
            Initialiser::List(_) | Initialiser::Field { .. } => return None,
        };
        let end = at.checked_add(self.size).filter(|end| *end <= MAX_BYTES)?;
        if self.size > 8 {
            return None;
        }
        let bytes = &mut self.contents.bytes;
        if bytes.len() < end as usize {
            bytes.resize(end as usize, 0);
        }
        let word = bits.to_le_bytes();
        bytes[at as usize..end as usize].copy_from_slice(&word[..self.size as usize]);
        Some(())
    }

    fn address(&self, value: &Initialiser, at: u64) -> Option<InitialAddress> {
        let Initialiser::Address {
            name,
            offset,
            generic,
            mask,
        } = *value
        else {
            return None;
        };
        let symbol = *self.unit?.names.get(self.module.str(name))?;
        let (first_byte, bytes) = match mask {
            // `0xff(sym)`, `0xff00(sym)`, ...: one byte of the address.
            Some(mask) => {
                let shift = mask.trailing_zeros();
                let one_byte = mask != 0 && shift % 8 == 0 && mask >> shift == 0xff;
                ((shift / 8) as u8, one_byte.then_some(self.size as u8)?)
            }
            // The lower half of an address is no address.
            None => (0, (self.size == 8).then_some(8)?),
        };
        matches!(symbol, Symbol::Global(_) | Symbol::Function(_)).then_some(InitialAddress {
            at,
            bytes,
            symbol,
            offset,
            generic,
            byte: mask.is_some().then_some(first_byte),
        })
    }
}
