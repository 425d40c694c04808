//! The bytes of an access: its state space, bounds, alignment, and the right to write.

use super::error::Fault;
use super::machine::Machine;
use super::memory::{Arena, CONST_WINDOW, MemoryLocation, Region};
use super::observer::Observer;
use super::state::Block;
use super::values::resolve_generic;
use ptxasw_ir::types::Space;

/// An access of one lane.
#[derive(Clone, Copy)]
pub(super) struct Request {
    pub(super) space: Space,
    pub(super) address: u64,
    pub(super) bytes: u32,
    pub(super) write: bool,
}

impl<O: Observer> Machine<'_, O> {
    pub(super) fn arena<'b>(
        &'b self,
        block: &'b Block,
        w: usize,
        lane: usize,
        space: Space,
    ) -> &'b Arena {
        match space {
            Space::Shared | Space::SharedCluster => &block.shared,
            Space::Local | Space::ParamFunc => &block.warps[w].local[lane],
            Space::ParamEntry => &self.parameters,
            Space::Generic | Space::Global | Space::Const => &self.global,
        }
    }

    pub(super) fn region_mut<'b>(
        &'b mut self,
        block: &'b mut Block,
        w: usize,
        lane: usize,
        place: MemoryLocation,
    ) -> &'b mut Region {
        let arena = match place.space {
            Space::Shared | Space::SharedCluster => &mut block.shared,
            Space::Local | Space::ParamFunc => &mut block.warps[w].local[lane],
            Space::ParamEntry => &mut self.parameters,
            Space::Generic | Space::Global | Space::Const => &mut self.global,
        };
        &mut arena.regions[place.region]
    }

    /// Finds the bytes of an access and checks bounds, alignment and the right to write.
    pub(super) fn locate(
        &self,
        block: &Block,
        w: usize,
        lane: usize,
        request: Request,
    ) -> Result<MemoryLocation, Fault> {
        let (space, address) = match request.space {
            Space::Generic => resolve_generic(request.address),
            space => (space, request.address),
        };
        let arena = self.arena(block, w, lane, space);
        let bytes = request.bytes;
        let out_of_bounds = || Fault::OutOfBounds {
            space,
            address,
            bytes,
            write: request.write,
            nearest: arena.nearest(in_arena(space, address)),
        };
        let found = arena.locate(in_arena(space, address), bytes);
        let (region, offset) = found.ok_or_else(|| match request.space {
            Space::Generic => self
                .unconverted(block, w, lane, request)
                .unwrap_or_else(out_of_bounds),
            _ => out_of_bounds(),
        })?;
        if address % u64::from(bytes.next_power_of_two()) != 0 {
            return Err(Fault::Misaligned { address, bytes });
        }
        let read_only = arena.regions[region].read_only;
        if request.write && read_only {
            return Err(Fault::ReadOnly { address });
        }
        // Constant memory has addresses of its own; `ld.const` of anything else reads another bank.
        if space == Space::Const && !read_only {
            return Err(out_of_bounds());
        }
        Ok(MemoryLocation {
            space,
            region,
            offset,
        })
    }

    /// A generic access at what is no generic address but one of another space.
    fn unconverted(&self, block: &Block, w: usize, lane: usize, request: Request) -> Option<Fault> {
        let Request { address, bytes, .. } = request;
        let mut spaces = [Space::Shared, Space::Local, Space::Const, Space::ParamEntry].into_iter();
        let space = spaces.find(|&space| {
            let arena = self.arena(block, w, lane, space);
            let found = arena.locate(in_arena(space, address), bytes);
            found
                .is_some_and(|(region, _)| space != Space::Const || arena.regions[region].read_only)
        })?;
        Some(Fault::Unconverted {
            space,
            address,
            bytes,
            write: request.write,
        })
    }

    /// The state space of a generic address, for `isspacep`. Constant variables are read-only regions of the global arena.
    pub(super) fn space_of(&self, block: &Block, w: usize, lane: usize, address: u64) -> Space {
        let (space, own) = resolve_generic(address);
        let arena = self.arena(block, w, lane, space);
        let found = arena.locate(own, 1);
        match found {
            Some((region, _)) if space == Space::Global && arena.regions[region].read_only => {
                Space::Const
            }
            _ => space,
        }
    }

    /// The byte at a generic address, for messages.
    pub(super) fn peek(&self, block: &Block, w: usize, lane: usize, address: u64) -> Option<u8> {
        let (space, address) = resolve_generic(address);
        let arena = self.arena(block, w, lane, space);
        let (region, offset) = arena.locate(address, 1)?;
        Some(arena.regions[region].read(offset, 1).0 as u8)
    }
}

/// What an arena calls an address of a space.
fn in_arena(space: Space, address: u64) -> u64 {
    match space {
        Space::Const => address.wrapping_add(CONST_WINDOW),
        _ => address,
    }
}
