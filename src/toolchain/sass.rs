//! Counting machine instructions in `nvdisasm`'s listing of a cubin.

/// Machine instructions of one kernel, padding left out.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SassCount {
    /// Name of the function.
    pub name: String,
    /// All instructions but `NOP` and the endless loop behind the last exit.
    pub instructions: u32,
    /// Loads from global memory (`LDG`).
    pub global_loads: u32,
    /// Warp shuffles (`SHFL`).
    pub shuffles: u32,
}

/// Reads the listing that `nvdisasm -c` prints.
pub(super) fn parse(listing: &str) -> Vec<SassCount> {
    let mut functions: Vec<SassCount> = Vec::new();
    let mut label = "";
    for line in listing.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix(".text.") {
            functions.push(SassCount {
                name: name.trim_end_matches(':').to_owned(),
                ..SassCount::default()
            });
        } else if let Some(name) = line.strip_suffix(':') {
            label = name;
        } else if let Some((opcode, operands)) = instruction(line) {
            if let Some(function) = functions.last_mut() {
                function.add(opcode, operands, label);
            }
            label = "";
        }
    }
    functions
}

impl SassCount {
    fn add(&mut self, opcode: &str, operands: &str, label: &str) {
        let jumps_to_itself = opcode == "BRA" && !label.is_empty() && operands.contains(label);
        let base = opcode.split('.').next().unwrap_or_default();
        if base == "NOP" || jumps_to_itself {
            return;
        }
        self.instructions += 1;
        match base {
            "LDG" => self.global_loads += 1,
            "SHFL" => self.shuffles += 1,
            _ => {}
        }
    }
}

/// Opcode and operands of `/*0010*/ @!P0 LDG.E R1, [R2.64] ;`.
fn instruction(line: &str) -> Option<(&str, &str)> {
    let (_, text) = line.strip_prefix("/*")?.split_once("*/")?;
    let text = text.trim();
    let text = match text.strip_prefix('@') {
        Some(guarded) => guarded.split_once(char::is_whitespace)?.1.trim_start(),
        None => text,
    };
    let text = text.split(';').next()?.trim();
    let (opcode, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (!opcode.is_empty()).then_some((opcode, operands))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_not_counted() {
        let listing = "
\t.section\t.text.k,\"ax\",@progbits
k:
.text.k:
        /*0000*/                   S2R R6, SR_CTAID.X ;
        /*0010*/              @!P0 BRA `(.L_x_0) ;
        /*0020*/              @!P1 LDG.E.CONSTANT R16, [R6.64] ;
.L_x_0:
        /*0030*/                   SHFL.DOWN PT, R2, R3, 0x1, R4 ;
        /*0040*/                   EXIT ;
.L_x_3:
        /*0050*/                   BRA `(.L_x_3);
        /*0060*/                   NOP;
";
        let count = SassCount {
            name: "k".into(),
            instructions: 5,
            global_loads: 1,
            shuffles: 1,
        };
        assert_eq!(parse(listing), [count]);
    }
}
