//! The libraries of this host that a bundle takes along.

use super::NotMade;
use object::Endianness;
use object::elf::{DT_NEEDED, DT_SONAME};
use object::read::elf::{Dyn, ElfFile64, FileHeader};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What an ELF file says of libraries.
#[derive(Default)]
pub(super) struct Libraries {
    /// Its own name among them.
    pub name: Option<String>,
    /// Those that it needs, in its order.
    pub needed: Vec<String>,
}

/// Reads the dynamic section of an ELF file; nothing if the file has none.
pub(super) fn libraries(bytes: &[u8]) -> Option<Libraries> {
    let file = ElfFile64::<Endianness>::parse(bytes).ok()?;
    let (endian, header) = (file.endian(), file.elf_header());
    let sections = header.sections(endian, bytes).ok()?;
    let mut found = Libraries::default();
    let Some((entries, strings)) = sections.dynamic(endian, bytes).ok()? else {
        return Some(found);
    };
    let strings = sections.strings(endian, bytes, strings).ok()?;
    for entry in entries {
        let tag = entry.tag(endian);
        if tag != DT_NEEDED && tag != DT_SONAME {
            continue;
        }
        let name = entry.string(endian, strings).ok()?;
        let name = String::from_utf8_lossy(name).into_owned();
        match tag {
            DT_NEEDED => found.needed.push(name),
            _ => found.name = Some(name),
        }
    }
    Some(found)
}

/// A library to take along.
pub(super) struct Library {
    /// The name by which others need it.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The library that this process has loaded by one of `names`, after those that it needs itself, except what `present`
/// names: those are there wherever this program starts.
pub(super) fn with_dependencies(
    names: &[&str],
    present: &[String],
) -> Result<Vec<Library>, NotMade> {
    let mut loaded = loaded()?;
    let name = names.iter().find(|name| loaded.contains_key(**name));
    let name = name.ok_or_else(|| NotMade::Library(names.join(", ")))?;
    let mut taken = Vec::new();
    take(name, &mut loaded, present, &mut taken)?;
    Ok(taken)
}

fn take(
    name: &str,
    loaded: &mut BTreeMap<String, PathBuf>,
    present: &[String],
    taken: &mut Vec<Library>,
) -> Result<(), NotMade> {
    if present.iter().any(|one| one == name) || taken.iter().any(|one| one.name == name) {
        return Ok(());
    }
    // Taken out, so that libraries that need each other are met once.
    let Some(path) = loaded.remove(name) else {
        return Ok(());
    };
    let bytes = fs::read(&path).map_err(|source| NotMade::System { path, source })?;
    for needed in libraries(&bytes).unwrap_or_default().needed {
        take(&needed, loaded, present, taken)?;
    }
    let name = name.to_string();
    taken.push(Library { name, bytes });
    Ok(())
}

/// The libraries that this process has loaded, by their names.
fn loaded() -> Result<BTreeMap<String, PathBuf>, NotMade> {
    let path = Path::new("/proc/self/maps");
    let maps = fs::read_to_string(path).map_err(|source| NotMade::System {
        path: path.into(),
        source,
    })?;
    let paths = maps.lines().filter_map(|line| {
        // Five columns of numbers, then the path, which may have blanks.
        let path = line.get(line.find('/')?..)?;
        path.contains(".so").then_some(path)
    });
    let mut found = BTreeMap::new();
    let mut last = "";
    for path in paths {
        // A library has several mappings in a row.
        if std::mem::replace(&mut last, path) == path {
            continue;
        }
        let Ok(bytes) = fs::read(path) else { continue };
        let name = libraries(&bytes).and_then(|libraries| libraries.name);
        if let Some(name) = name {
            found.insert(name, PathBuf::from(path));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solver_comes_after_what_it_needs() {
        ptxasw_emulator::solver::load().expect("libz3");
        let present = [
            "libc.so.6",
            "libm.so.6",
            "libgcc_s.so.1",
            "ld-linux-x86-64.so.2",
        ];
        let present = present.map(str::to_string);
        let taken = with_dependencies(ptxasw_emulator::solver::LIBRARY_NAMES, &present).unwrap();
        let names: Vec<&str> = taken.iter().map(|library| &library.name[..]).collect();
        let (last, others) = names.split_last().unwrap();
        assert!(last.starts_with("libz3.so"), "{names:?}");
        assert!(others.iter().any(|name| name.starts_with("libstdc++.so")));
        assert!(!names.contains(&"libc.so.6"));
        assert!(with_dependencies(&["libof-nobody.so"], &present).is_err());
    }
}
