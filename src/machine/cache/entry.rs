//! What a run of an assembler made, and the file that holds it: a digest over the entry's name and the rest, the lengths of the three parts, the
//! parts. Under another name the same bytes are no entry.

/// What a run made that ended well.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Entry {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// The output: machine code.
    pub output: Vec<u8>,
}

/// Bytes of the digest.
const DIGEST: usize = blake3::OUT_LEN;
/// Bytes in front of the parts.
const HEADER: usize = DIGEST + 3 * 8;

impl Entry {
    /// As the bytes of a file of this name.
    pub(super) fn to_bytes(&self, name: &str) -> Vec<u8> {
        let parts = [&self.stdout, &self.stderr, &self.output];
        let mut bytes = vec![0; DIGEST];
        for part in parts {
            bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        }
        for part in parts {
            bytes.extend_from_slice(part);
        }
        let digest = digest(name, &bytes[DIGEST..]);
        bytes[..DIGEST].copy_from_slice(&digest);
        bytes
    }

    /// The other way round; none if a bit is wrong.
    pub(super) fn of_bytes(name: &str, bytes: &[u8]) -> Option<Entry> {
        let (noted, rest) = bytes.split_at_checked(DIGEST)?;
        if digest(name, rest) != noted {
            return None;
        }
        let mut parts = bytes.get(HEADER..)?;
        let mut part = |number: usize| {
            let at = DIGEST + 8 * number;
            let length = u64::from_le_bytes(bytes[at..at + 8].try_into().ok()?);
            let (part, rest) = parts.split_at_checked(usize::try_from(length).ok()?)?;
            parts = rest;
            Some(part.to_vec())
        };
        Some(Entry {
            stdout: part(0)?,
            stderr: part(1)?,
            output: part(2)?,
        })
    }
}

fn digest(name: &str, rest: &[u8]) -> [u8; DIGEST] {
    let mut hash = blake3::Hasher::new();
    hash.update(&(name.len() as u64).to_le_bytes());
    hash.update(name.as_bytes()).update(rest);
    *hash.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_bit_and_a_cut_are_seen() {
        let entry = Entry {
            stdout: b"said".to_vec(),
            stderr: Vec::new(),
            output: (0..200).collect(),
        };
        let bytes = entry.to_bytes("a");
        assert_eq!(Entry::of_bytes("a", &bytes), Some(entry));
        assert_eq!(Entry::of_bytes("b", &bytes), None);
        for at in 0..bytes.len() {
            assert_eq!(Entry::of_bytes("a", &bytes[..at]), None);
            let mut wrong = bytes.clone();
            wrong[at] ^= 1;
            assert_eq!(Entry::of_bytes("a", &wrong), None);
        }
    }
}
