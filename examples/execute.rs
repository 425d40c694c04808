//! The executor by itself: `cargo run -p ptxasw-executor --example execute` runs a kernel on the CPU, and one that reads past its buffer.

use ptxasw_executor::launch::{Buffer, Element, Fill};
use ptxasw_executor::{Launch, Schedule, run};
use ptxasw_ptx::{decode, parse};

/// Each thread adds its number to a word of a buffer.
const KERNEL: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 words) {
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd0, [words];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %rd1, %r0, 4;
    add.s64 %rd2, %rd0, %rd1;
    ld.global.u32 %r1, [%rd2];
    add.s32 %r2, %r1, %r0;
    st.global.u32 [%rd2], %r2;
    ret;
}
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for words in [32, 31] {
        println!("{}", executed(words)?);
    }
    Ok(())
}

/// What a buffer of so many words holds after a launch of 32 threads, or what goes wrong.
fn executed(words: u64) -> Result<String, Box<dyn std::error::Error>> {
    let tree = parse(KERNEL.as_bytes())?;
    let module = decode::decode(&tree)?;
    let kernel = module.functions.first().ok_or("there is no kernel")?;
    let words = Buffer::filled(Element::U32, words, Fill::Zero);
    let launch = Launch::new([1, 1, 1], [32, 1, 1]).with_buffer(words);
    match run(&module, kernel, &launch, Schedule::Lockstep) {
        Ok(outcome) => {
            let bytes = outcome.buffers[0].bytes.chunks_exact(4);
            let words = bytes.map(|one| u32::from_le_bytes([one[0], one[1], one[2], one[3]]));
            Ok(format!("{:?}", words.collect::<Vec<u32>>()))
        }
        Err(error) => Ok(format!("{error}: {}", &KERNEL[error.span.range()])),
    }
}

#[test]
fn the_second_launch_reads_past_the_buffer() {
    let words: Vec<u32> = (0..32).collect();
    assert_eq!(executed(32).unwrap(), format!("{words:?}"));
    let error = executed(31).unwrap();
    assert!(error.ends_with(": ld.global.u32 %r1, [%rd2];"), "{error}");
}
