//! Kernels of one instruction: one thread for each row of operands.

use ptxasw::executor::{Buffer, ExecutionError, Launch, Outcome, Schedule, run};
use ptxasw::ir::opcode::Opcode;
use ptxasw::ir::semantics::fold;
use ptxasw::ptx;
use ptxasw::ptx::decode::decode;
use ptxasw::ptx::decode::form::{Action, Module};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The class of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reg {
    /// `.pred`
    P,
    /// `.b16`
    H,
    /// `.b32`
    R,
    /// `.b64`
    D,
}

use Reg::{D, H, P, R};

impl Reg {
    /// The class that holds so many bits.
    pub fn of(bits: u32) -> Reg {
        match bits {
            1 => P,
            2..=16 => H,
            17..=32 => R,
            _ => D,
        }
    }

    fn declared(self) -> &'static str {
        match self {
            P => ".pred",
            H => ".b16",
            R => ".b32",
            D => ".b64",
        }
    }

    /// Bits that a result takes in memory.
    fn stored(self) -> u32 {
        match self {
            P => 32,
            _ => self.bits(),
        }
    }

    fn bits(self) -> u32 {
        match self {
            P => 1,
            H => 16,
            R => 32,
            D => 64,
        }
    }
}

/// An instruction (or a few) that computes the registers `%d0`, `%d1`, ... from `%a0`, `%a1`, ...
#[derive(Clone, Debug)]
pub struct Instruction {
    /// With its semicolons.
    pub text: String,
    /// Classes of `%d0`, ...
    pub results: Vec<Reg>,
    /// Classes of `%a0`, ...
    pub operands: Vec<Reg>,
    /// Declarations at module scope.
    pub module: String,
    /// Whether the assembler takes it; not what is gone from the newest targets.
    pub assembled: bool,
}

impl Instruction {
    /// `opcode %d0|%d1, %a0, %a1, ...;`
    pub fn new(opcode: &str, results: &[Reg], operands: &[Reg]) -> Self {
        let list = |letter: char, count: usize| -> Vec<String> {
            (0..count).map(|i| format!("%{letter}{i}")).collect()
        };
        let mut words = vec![list('d', results.len()).join("|")];
        words.extend(list('a', operands.len()));
        Instruction::written(
            &format!("{opcode} {};", words.join(", ")),
            results,
            operands,
        )
    }

    /// As written.
    pub fn written(text: &str, results: &[Reg], operands: &[Reg]) -> Self {
        Instruction {
            text: text.to_owned(),
            results: results.to_vec(),
            operands: operands.to_vec(),
            module: String::new(),
            assembled: true,
        }
    }

    /// Declarations, for a kernel or for one of several scopes in a kernel.
    pub fn declarations(&self) -> String {
        let mut text = String::new();
        for (letter, classes) in [('d', &self.results), ('a', &self.operands)] {
            for (i, class) in classes.iter().enumerate() {
                let _ = writeln!(text, ".reg {} %{letter}{i};", class.declared());
            }
        }
        text
    }

    /// Loads of the operands from `[%in]`, eight bytes each.
    pub fn loads(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (i, class) in self.operands.iter().enumerate() {
            let at = 8 * i;
            match class {
                P => {
                    lines.push(format!("ld.global.u32 %flag, [%in+{at}];"));
                    lines.push(format!("setp.ne.u32 %a{i}, %flag, 0;"));
                }
                _ => lines.push(format!("ld.global.b{} %a{i}, [%in+{at}];", class.bits())),
            }
        }
        lines
    }

    /// Stores of the results to `[%out]`, eight bytes each.
    pub fn stores(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (i, class) in self.results.iter().enumerate() {
            let at = 8 * i;
            match class {
                P => {
                    lines.push(format!("selp.u32 %flag, 1, 0, %d{i};"));
                    lines.push(format!("st.global.u32 [%out+{at}], %flag;"));
                }
                _ => lines.push(format!("st.global.b{} [%out+{at}], %d{i};", class.bits())),
            }
        }
        lines
    }

    /// The kernel, and how many instructions are before and after.
    fn kernel(&self) -> (String, usize, usize) {
        let mut before: Vec<String> = PROLOGUE.iter().map(|&s| s.to_owned()).collect();
        before.push(format!(
            "mad.wide.u32 %in, %number, {}, %in;",
            8 * self.operands.len()
        ));
        before.push(format!(
            "mad.wide.u32 %out, %number, {}, %out;",
            8 * self.results.len()
        ));
        before.extend(self.loads());
        let after = self.stores();
        let text = format!(
            "{HEADER}{}.visible .entry k(.param .u64 in, .param .u64 out)\n{{\n\
             .reg .b32 %flag, %block, %size, %thread, %number;\n.reg .b64 %in, %out;\n{}{}\n{}\n{}\n}}\n",
            self.module,
            self.declarations(),
            before.join("\n"),
            self.text,
            after.join("\n"),
        );
        (text, before.len(), after.len())
    }
}

/// The newest features, so that every instruction is one.
pub const HEADER: &str = ".version 8.8\n.target sm_100a\n.address_size 64\n";

const PROLOGUE: [&str; 6] = [
    "ld.param.u64 %in, [in];",
    "ld.param.u64 %out, [out];",
    "mov.u32 %block, %ctaid.x;",
    "mov.u32 %size, %ntid.x;",
    "mov.u32 %thread, %tid.x;",
    "mad.lo.u32 %number, %block, %size, %thread;",
];

/// Threads of a block.
const BLOCK: usize = 128;

/// What a test has executed.
#[derive(Default)]
pub struct Suite {
    /// Everything decoded from instructions under test.
    pub seen: BTreeSet<Seen>,
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// Kernels with a body of their own.
    pub kernels: Vec<String>,
    /// Results compared.
    pub compared: u64,
}

/// An enumeration and its variant.
pub type Seen = (&'static str, &'static str);

impl Suite {
    /// Executes an instruction on rows of operands and compares all results with what `expected` computes.
    ///
    /// # Panics
    /// If one differs, or the instruction is not understood.
    pub fn check<const N: usize>(
        &mut self,
        instruction: &Instruction,
        rows: &[Vec<u64>],
        expected: impl Fn(&[u64]) -> [u64; N],
    ) {
        assert_eq!(N, instruction.results.len(), "{}", instruction.text);
        self.judge(instruction, rows, |row, results| {
            let expected = expected(row);
            match results == expected {
                true => Ok(()),
                false => Err(format!("{expected:#x?} was expected")),
            }
        });
    }

    /// As [`Suite::check`], with any judgement of a row and its results.
    pub fn judge(
        &mut self,
        instruction: &Instruction,
        rows: &[Vec<u64>],
        accept: impl Fn(&[u64], &[u64]) -> Result<(), String>,
    ) {
        let results = self.execute(instruction, rows);
        for (row, results) in rows.iter().zip(&results) {
            self.compared += 1;
            if let Err(why) = accept(row, results) {
                panic!(
                    "{}\noperands {row:#x?}\nresults {results:#x?}\n{why}",
                    instruction.text
                );
            }
        }
    }

    /// The results of each row.
    pub fn execute(&mut self, instruction: &Instruction, rows: &[Vec<u64>]) -> Vec<Vec<u64>> {
        let (text, before, after) = instruction.kernel();
        let module = self.module(&text, before, after);
        let (operands, results) = (instruction.operands.len(), instruction.results.len());
        let threads = rows.len().next_multiple_of(BLOCK);
        let mut words = Vec::with_capacity(threads * operands);
        for row in rows.iter().cycle().take(threads) {
            assert_eq!(row.len(), operands, "{}", instruction.text);
            words.extend_from_slice(row);
        }
        let launch = Launch::new([(threads / BLOCK) as u32, 1, 1], [BLOCK as u32, 1, 1])
            .with_buffer(buffer(&words))
            .with_buffer(buffer(&vec![0; threads * results]));
        let outcome = run(&module, &module.functions[0], &launch, Schedule::Lockstep)
            .unwrap_or_else(|e| panic!("{}: {e}", instruction.text));
        self.instructions.push(instruction.clone());
        let words = contents(&outcome, 1);
        // Results are narrower than their eight bytes, in which an instruction may have left something of its own.
        let cut = |row: &[u64]| {
            let pairs = row.iter().zip(&instruction.results);
            pairs
                .map(|(&word, class)| crate::operations::values::cut(class.stored(), word))
                .collect()
        };
        words.chunks(results).take(rows.len()).map(cut).collect()
    }

    /// Decodes a kernel and notes the instructions of its body, but for so many before and after those under test.
    pub fn module(&mut self, text: &str, before: usize, after: usize) -> Module {
        let tree = ptx::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let module = decode(&tree).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let code = &module.functions[0].instructions;
        assert!(code.len() > before + after, "{text}");
        for instruction in &code[before..code.len() - after] {
            if let Action::Do(opcode) = &instruction.action {
                assert!(
                    !matches!(opcode, Opcode::Opaque { .. }),
                    "not understood: {text}"
                );
                self.seen
                    .extend(crate::operations::coverage::variants(opcode));
            }
        }
        module
    }

    /// Runs a kernel of its own: the whole text after the header.
    pub fn kernel(
        &mut self,
        text: &str,
        launch: &Launch,
        schedule: Schedule,
    ) -> Result<Outcome, ExecutionError> {
        let text = format!("{HEADER}{text}");
        let module = self.module(&text, 0, 0);
        let outcome = run(&module, &module.functions[0], launch, schedule);
        self.kernels.push(text);
        outcome
    }

    /// An operation that no instruction stands for: folded.
    pub fn folded(&mut self, op: ptxasw::ir::op::Op, operands: &[u64]) -> Vec<u64> {
        self.seen
            .extend(crate::operations::coverage::variants(&Opcode::Op(op)));
        self.compared += 1;
        fold(&op, operands).to_vec()
    }
}

/// A buffer of 64-bit words.
pub fn buffer(words: &[u64]) -> Buffer {
    Buffer {
        bytes: words.iter().flat_map(|w| w.to_le_bytes()).collect(),
        initialised: true,
        element: 8,
    }
}

/// The words of a buffer after a run.
pub fn contents(outcome: &Outcome, index: usize) -> Vec<u64> {
    let chunks = outcome.buffers[index].bytes.chunks_exact(8);
    chunks
        .map(|c| u64::from_le_bytes(c.try_into().unwrap()))
        .collect()
}
