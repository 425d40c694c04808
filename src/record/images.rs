//! Module images as they are passed to the driver: PTX, a cubin, or a fatbin.

use super::folder::PartialFile;
use std::ffi::{CStr, c_char, c_void};
use std::io;

/// Magic number of a fatbin (section `.nv_fatbin`).
const CONTAINER: u32 = 0xba55_ed50;
/// Magic number of the wrapper in `.nvFatBinSegment`, which points to a fatbin.
const WRAPPER: u32 = 0x4662_43b1;
const ELF: &[u8; 4] = b"\x7fELF";

/// The bytes of an image in memory; its format determines the size.
///
/// # Safety
/// As the driver's: it is an image.
pub unsafe fn bytes<'a>(image: *const c_void) -> Option<&'a [u8]> {
    if image.is_null() {
        return None;
    }
    let start = image.cast::<u8>();
    // SAFETY: an image has at least the bytes of its kind's head, and a text ends with a NUL.
    unsafe {
        let magic = start.cast::<u32>().read_unaligned();
        if magic == WRAPPER {
            return bytes(start.add(8).cast::<*const c_void>().read_unaligned());
        }
        let size = match magic {
            CONTAINER => {
                let head = start.add(6).cast::<u16>().read_unaligned();
                usize::from(head) + start.add(8).cast::<u64>().read_unaligned() as usize
            }
            _ if magic == u32::from_ne_bytes(*ELF) => elf(start),
            _ => CStr::from_ptr(start.cast::<c_char>()).count_bytes(),
        };
        Some(std::slice::from_raw_parts(start, size))
    }
}

/// The size of a 64-bit ELF file, whose header tables are at its end.
unsafe fn elf(start: *const u8) -> usize {
    // SAFETY: the head has 64 bytes.
    let (long, short) = unsafe {
        let long = |at| start.add(at).cast::<u64>().read_unaligned() as usize;
        let short = |at| usize::from(start.add(at).cast::<u16>().read_unaligned());
        (
            [long(32), long(40)],
            [[short(54), short(56)], [short(58), short(60)]],
        )
    };
    let ends = long
        .into_iter()
        .zip(short)
        .map(|(at, [size, count])| at + size * count);
    ends.max().unwrap_or(64)
}

/// Saves an image; returns its file name.
pub fn keep(bytes: &[u8]) -> io::Result<String> {
    let mut part = PartialFile::new()?;
    part.write(bytes)?;
    part.finish("image")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(image: &[u8]) -> Option<usize> {
        // SAFETY: each is an image that is followed by more bytes.
        unsafe { bytes(image.as_ptr().cast()) }.map(<[u8]>::len)
    }

    #[test]
    fn an_image_says_where_it_ends() {
        assert_eq!(size(b".version 8.0\n\0more"), Some(13));
        let mut container = vec![0; 64];
        container[..4].copy_from_slice(&CONTAINER.to_ne_bytes());
        container[6..8].copy_from_slice(&16_u16.to_ne_bytes());
        container[8..16].copy_from_slice(&24_u64.to_ne_bytes());
        assert_eq!(size(&container), Some(40));
        let mut wrapper = vec![0; 24];
        wrapper[..4].copy_from_slice(&WRAPPER.to_ne_bytes());
        wrapper[8..16].copy_from_slice(&(container.as_ptr() as usize).to_ne_bytes());
        assert_eq!(size(&wrapper), Some(40));
        let mut machine = vec![0; 256];
        machine[..4].copy_from_slice(ELF);
        machine[40..48].copy_from_slice(&100_u64.to_ne_bytes());
        machine[58..60].copy_from_slice(&64_u16.to_ne_bytes());
        machine[60..62].copy_from_slice(&2_u16.to_ne_bytes());
        assert_eq!(size(&machine), Some(228));
        // SAFETY: nothing is read.
        assert!(unsafe { bytes(std::ptr::null()) }.is_none());
    }
}
