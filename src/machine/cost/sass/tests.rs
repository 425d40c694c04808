//! Paths and rounds of code that is written down here, and words as `ptxas` 13.5 wrote them.

use super::elf::decode;
use super::*;

const ALWAYS: Guard = Guard {
    predicate: 7,
    negated: false,
};
const P0: Guard = Guard {
    predicate: 0,
    negated: false,
};

/// An instruction without any schedule; its place comes later.
fn plain(kind: Kind) -> Instruction {
    Instruction {
        at: 0,
        kind,
        opcode: 0,
        width: None,
        guard: ALWAYS,
        target: None,
        control: Control {
            stall: 1,
            yield_bit: true,
            write_barrier: None,
            read_barrier: None,
            waits: 0,
            reuse: 0,
        },
    }
}

/// A load from global memory that a scoreboard counts.
fn load(scoreboard: u8) -> Instruction {
    let mut load = plain(Kind::Load(Space::Global));
    load.control.write_barrier = Some(scoreboard);
    load.width = Some(32);
    load
}

/// Arithmetic that waits for scoreboards, one bit each.
fn wait(scoreboards: u8) -> Instruction {
    let mut wait = plain(Kind::Other);
    wait.control.waits = scoreboards;
    wait
}

/// A jump to the instruction of that number.
fn jump(number: u32, guard: Guard) -> Instruction {
    Instruction {
        guard,
        target: Some(number * BYTES),
        ..plain(Kind::Branch(Condition::Lane(ALWAYS)))
    }
}

fn exit() -> Instruction {
    plain(Kind::Exit)
}

fn kernel(mut code: Vec<Instruction>) -> KernelCode {
    for (at, one) in (0..).step_by(BYTES as usize).zip(&mut code) {
        one.at = at;
    }
    KernelCode {
        digest: 0,
        name: "k".into(),
        target: 80,
        registers: 32,
        frame: 0,
        shared: 0,
        lines: Vec::new(),
        instructions: Ok(code),
    }
}

fn counts(code: Vec<Instruction>) -> PathCounts {
    kernel(code).path_counts().unwrap()
}

fn rounds(code: Vec<Instruction>) -> u32 {
    counts(code).total.rounds
}

#[test]
fn a_wait_for_a_load_of_an_earlier_round_is_none() {
    assert_eq!(rounds(vec![load(0), load(1), wait(1), wait(2), exit()]), 1);
    assert_eq!(rounds(vec![load(0), load(1), wait(3), exit()]), 1);
    assert_eq!(rounds(vec![load(0), wait(1), load(1), wait(2), exit()]), 2);
    // The second load is issued after the first wait, and has not travelled with the first one.
    let ahead = vec![load(0), load(1), wait(1), load(0), wait(2), wait(1), exit()];
    assert_eq!(rounds(ahead), 2);
}

#[test]
fn only_loads_that_are_waited_for_make_rounds() {
    assert_eq!(rounds(vec![load(0), exit()]), 0);
    assert_eq!(rounds(vec![load(0), wait(0b10), exit()]), 0);
    let mut never = load(0);
    never.guard = Guard {
        negated: true,
        ..ALWAYS
    };
    let counts = counts(vec![never, wait(1), exit()]).total;
    assert_eq!(
        (counts.rounds, counts.loads.device(), counts.instructions),
        (0, 0, 2)
    );
    let constant = Instruction {
        kind: Kind::Load(Space::Constant),
        ..load(0)
    };
    assert_eq!(rounds(vec![constant, wait(1), exit()]), 0);
}

#[test]
fn a_partial_wait_leaves_the_youngest_loads_in_flight() {
    let partial = |left| {
        plain(Kind::ScoreboardWait {
            scoreboard: 0,
            left,
        })
    };
    let code = |left| vec![load(0), load(0), partial(left), load(1), wait(2), exit()];
    assert_eq!([0, 1, 2].map(|left| rounds(code(left))), [2, 2, 1]);
}

#[test]
fn of_two_ways_the_one_with_more_loads_is_taken() {
    let code = |there: usize| {
        let mut code = vec![jump(4, P0), load(0), wait(1), jump(7, ALWAYS)];
        code.extend([
            load(0),
            if there > 1 { load(1) } else { wait(0) },
            wait(1),
            exit(),
        ]);
        counts(code).total
    };
    let other = code(2);
    assert_eq!((other.loads.global, other.instructions), (2, 5));
    // As many loads on both: the longer one, which is the one that is jumped to.
    assert_eq!(code(1).instructions, 5);
    let equal = vec![
        jump(3, P0),
        plain(Kind::Shuffle),
        exit(),
        plain(Kind::Vote),
        exit(),
    ];
    assert_eq!(counts(equal).total.shuffles, 1);
}

#[test]
fn what_is_known_not_to_be_executed_is_avoided() {
    // A fast path with one load, and a fallback with two.
    let fallback = [load(0), load(1), wait(3), exit()];
    let mut code = vec![jump(4, P0), load(0), wait(1), exit()];
    code.extend(fallback);
    let kernel = kernel(code);
    assert_eq!(kernel.path_counts().unwrap().total.loads.global, 2);
    let fast = kernel.path_counts_where(|at| at < 4 * BYTES).unwrap().total;
    assert_eq!((fast.loads.global, fast.rounds), (1, 1));
}

#[test]
fn an_instruction_of_another_place_hides_no_path() {
    // A branch to the exit, and a body of which one instruction comes from what is not executed.
    let mut code = vec![jump(5, P0), load(0), plain(Kind::Vote), wait(1), exit()];
    code.push(exit());
    let total = |kernel: &KernelCode, from: u32, to: u32| {
        let executed = |at| at < from * BYTES || at >= to * BYTES;
        kernel.path_counts_where(executed).unwrap().total
    };
    let kernel = kernel(code);
    assert_eq!(total(&kernel, 2, 3).loads.global, 1);
    assert_eq!(total(&kernel, 1, 4).loads.global, 0);
}

#[test]
fn a_loop_that_is_left_at_once_hides_no_path() {
    // To an exit, or through a loop to a load.
    let mut code = vec![jump(7, P0), jump(4, P0), plain(Kind::Vote), jump(1, ALWAYS)];
    code.extend([load(0), wait(1), exit(), exit()]);
    let kernel = kernel(code);
    let executed = |at| !(2 * BYTES..4 * BYTES).contains(&at);
    let total = kernel.path_counts_where(executed).unwrap().total;
    assert_eq!(total.loads.global, 1);
}

/// Both sides of a branch, as `ptxas` puts them under a predicate and its complement.
#[test]
fn what_is_predicated_and_not_executed_does_not_count() {
    let [mut fast, mut slow, mut more] = [load(0), load(1), load(2)];
    fast.guard = P0;
    (slow.guard, more.guard) = (
        Guard {
            negated: true,
            ..P0
        },
        Guard {
            negated: true,
            ..P0
        },
    );
    let kernel = kernel(vec![fast, slow, more, wait(7), exit()]);
    let total = |executed: fn(u32) -> bool| kernel.path_counts_where(executed).unwrap().total;
    assert_eq!(total(|_| true).loads.global, 3);
    assert_eq!(total(|at| at == 0 || at > 2 * BYTES).loads.global, 1);
}

/// Instructions of which each has a line of its own but for those that share one, by the numbers of the lines.
fn with_lines(code: Vec<Instruction>, lines: &[u32]) -> KernelCode {
    assert_eq!(code.len(), lines.len());
    let places = (0..).step_by(BYTES as usize);
    KernelCode {
        lines: places.zip(lines.iter().copied()).collect(),
        ..kernel(code)
    }
}

/// How often each instruction is executed, where lines from 1 on are executed so often.
fn weights(code: &KernelCode, counts: &[f64]) -> Vec<f64> {
    let count = |line: u32| counts.get(line as usize - 1).copied();
    let all = code.executed(count).unwrap();
    let mut weights = vec![0.0; code.instructions.as_ref().unwrap().len()];
    all.iter().for_each(|one| weights[one.index] += one.weight);
    weights
}

/// `ptxas` unrolls the inner loop by four, and puts its remainder into the outer one.
#[test]
fn a_loop_around_one_that_is_executed_is_executed() {
    let mut code = vec![plain(Kind::Other)];
    code.extend([load(0), load(0), load(0), load(0), jump(1, P0)]);
    code.extend([load(0), jump(0, P0), exit()]);
    let code = with_lines(code, &[1, 2, 2, 2, 2, 3, 2, 4, 5]);
    let weights = weights(&code, &[20.0, 1000.0, 1000.0, 20.0, 1.0]);
    assert_eq!((weights[0], weights[7], weights[8]), (20.0, 20.0, 1.0));
    assert!((weights[1] - 250.0).abs() < 1e-9, "{weights:?}");
}

/// Most accesses of the loop are under a condition that seldom holds.
#[test]
fn seldom_accesses_do_not_decide_how_often_a_loop_is_gone_through() {
    let mut code = vec![load(0), jump(5, P0)];
    code.extend([load(1), load(1), load(1), plain(Kind::Other), jump(0, P0)]);
    code.push(exit());
    let code = with_lines(code, &[1, 2, 3, 4, 5, 6, 7, 8]);
    let weights = weights(&code, &[40.0, 40.0, 2.0, 2.0, 2.0, 40.0, 40.0, 1.0]);
    assert_eq!((weights[0], weights[6]), (40.0, 40.0));
    assert!((weights[2] - 2.0).abs() < 1e-9, "{weights:?}");
}

#[test]
fn what_is_behind_an_exit_counts_as_often_as_it_is_executed() {
    let mut leave = exit();
    leave.guard = P0;
    let code = vec![plain(Kind::Other), leave, load(0), load(0), exit()];
    let code = with_lines(code, &[1, 2, 3, 4, 5]);
    let weights = weights(&code, &[1.0, 1.0, 0.25, 0.25, 0.25]);
    assert_eq!((weights[0], weights[1]), (1.0, 1.0));
    assert_eq!((weights[2], weights[3]), (0.25, 0.25));
}

#[test]
fn what_has_no_line_is_executed_as_its_block_is() {
    // To a block that is not executed, behind which one has no line at all; both lead to the exit.
    let code = vec![
        jump(4, P0),
        load(0),
        wait(1),
        jump(6, ALWAYS),
        load(0),
        load(1),
        exit(),
    ];
    let kernel = kernel(code);
    let known = |at: u32| match at / BYTES {
        1 | 5 => None,
        2 | 3 => Some(false),
        _ => Some(true),
    };
    let executed = kernel.executed_blocks(known).unwrap();
    let is_executed = [0, 1, 2, 4, 5, 6].map(|number| executed.contains(&(number * BYTES)));
    assert_eq!(is_executed, [true, false, false, true, true, true]);
    // Nothing is known of the last blocks: nobody comes to the second one.
    let known = |at: u32| match at / BYTES {
        0 => Some(true),
        1..=3 => Some(false),
        _ => None,
    };
    let executed = kernel.executed_blocks(known).unwrap();
    assert!(executed.contains(&(4 * BYTES)) && !executed.contains(&BYTES));
}

#[test]
fn lanes_that_are_together_take_no_branch_for_others() {
    let branch = |condition| Instruction {
        kind: Kind::Branch(condition),
        ..jump(3, ALWAYS)
    };
    let code = |condition| vec![branch(condition), load(0), exit(), load(0), load(0), exit()];
    let loads = |condition| counts(code(condition)).total.loads.global;
    assert_eq!(loads(Condition::Diverged), 1);
    assert_eq!(loads(Condition::Converged), 2);
}

#[test]
fn loads_cross_the_back_edge() {
    // The load of one iteration is waited for in the next one, in front of the new load.
    let one = counts(vec![wait(1), load(0), jump(0, P0), wait(1), exit()]);
    assert_eq!(one.loops.len(), 1);
    assert_eq!(one.loops[0].counts.rounds, 1);
    assert_eq!(one.total.rounds, 1);
    // As before, but nobody waits for the last load.
    let one = counts(vec![wait(1), load(0), jump(0, P0), exit()]);
    assert_eq!((one.loops[0].counts.rounds, one.total.rounds), (1, 1));
    let two = counts(vec![
        wait(2),
        load(0),
        wait(1),
        load(1),
        jump(0, P0),
        exit(),
    ]);
    assert_eq!((two.loops[0].counts.rounds, two.total.rounds), (2, 2));
    // The second load is always in flight with the first one of its own iteration.
    let together = counts(vec![
        load(0),
        wait(2),
        load(1),
        wait(1),
        jump(0, P0),
        exit(),
    ]);
    assert_eq!(
        (together.loops[0].counts.rounds, together.total.rounds),
        (1, 1)
    );
    // A load in front of the loop, which the first iteration waits for, and one in each iteration.
    let ahead = counts(vec![
        load(0),
        wait(1),
        load(0),
        jump(1, P0),
        wait(1),
        exit(),
    ]);
    assert_eq!((ahead.loops[0].counts.rounds, ahead.total.rounds), (1, 2));
}

#[test]
fn a_loop_is_left_where_its_header_says() {
    // 0: the header, which leaves to 4; the iteration goes 0, 1, 2, 3.
    let code = vec![
        jump(4, P0),
        load(0),
        wait(1),
        jump(0, ALWAYS),
        load(0),
        wait(1),
        exit(),
    ];
    let counts = counts(code);
    assert_eq!((counts.total.loads.global, counts.total.rounds), (2, 2));
    assert_eq!(counts.loops[0].counts.instructions, 4);
    assert_eq!(counts.hot().instructions, 4);
}

#[test]
fn nested_loops_count_once_each() {
    let code = vec![
        load(0),
        wait(1),
        load(1),
        wait(2),
        jump(2, P0),
        jump(0, P0),
        exit(),
    ];
    let counts = counts(code);
    let found: Vec<_> = counts
        .loops
        .iter()
        .map(|one| (one.head, one.depth, one.counts.rounds))
        .collect();
    assert_eq!(found, [(0, 1, 2), (2 * BYTES, 2, 1)]);
    assert_eq!(counts.total.instructions, 7);
    assert_eq!(counts.hot().instructions, 3);
}

#[test]
fn a_break_out_of_two_loops_leads_on() {
    // 0 head of the outer, 1 head of the inner, which is only left to 5.
    let code = vec![
        load(0),
        wait(1),
        jump(5, P0),
        jump(1, P0),
        jump(0, ALWAYS),
        load(0),
        exit(),
    ];
    let counts = counts(code);
    assert_eq!(counts.loops.len(), 2);
    assert_eq!(counts.total.loads.global, 2);
}

#[test]
fn what_has_no_path_is_refused() {
    let refused = |code| kernel(code).path_counts().unwrap_err();
    assert_eq!(refused(vec![]), Refusal::NoExit);
    assert_eq!(refused(vec![plain(Kind::Other)]), Refusal::NoExit);
    assert_eq!(
        refused(vec![jump(9, P0), exit()]),
        Refusal::TargetOutside(0)
    );
    assert_eq!(
        refused(vec![plain(Kind::IndirectBranch)]),
        Refusal::IndirectBranch(0)
    );
    // Into the middle of the loop of 2 and 3.
    let two = vec![jump(3, P0), wait(0), wait(0), wait(0), jump(2, P0), exit()];
    assert!(matches!(refused(two), Refusal::Irreducible(_)));
    // Loops that end together, one more in the other than is allowed.
    let mut nest: Vec<_> = (0..20).map(|_| wait(0)).collect();
    nest.extend((0..20).map(|number| jump(19 - number, P0)));
    nest.push(exit());
    assert_eq!(refused(nest), Refusal::Loops);
}

#[test]
fn a_loop_that_never_ends_is_an_end() {
    let counts = counts(vec![load(0), wait(1), jump(0, ALWAYS)]);
    assert_eq!((counts.total.loads.global, counts.total.rounds), (1, 1));
}

fn words(words: &[u128], target: u32) -> Result<Vec<Instruction>, Refusal> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    decode(&bytes, target)
}

#[test]
fn words_are_decoded() {
    // `@!P0 EXIT`, `LDG.E R29, [R18.64]`, `BRA` to itself, for sm_80.
    let code = [
        0x000fea0003800000000000000000894d,
        0x000f62000c1e190000000004121d7981,
        0x000fc0000383fffffffffff000007947,
    ];
    let code = words(&code, 80).unwrap();
    assert_eq!((code[0].kind, code[0].guard.negated), (Kind::Exit, true));
    assert_eq!(code[1].kind, Kind::Load(Space::Global));
    assert_eq!(code[2].target, Some(2 * BYTES));
    assert!(code[2].is_endless());
    // `BRA` to itself since sm_90.
    let later = words(&[0x000fc0000383fffffffffffc00fc7947], 90).unwrap();
    assert_eq!(later[0].target, Some(0));
}

#[test]
fn the_schedule_is_in_the_upper_bits() {
    // `LDG.E R29, [R18.64]` of sm_80.
    let code = words(&[0x000f62000c1e190000000004121d7981], 80).unwrap();
    assert_eq!(code[0].width, Some(32));
    let control = Control {
        stall: 1,
        yield_bit: true,
        write_barrier: Some(5),
        read_barrier: None,
        waits: 0,
        reuse: 0,
    };
    assert_eq!(code[0].control, control);
    // `DEPBAR.LE SB5, 0x1`.
    let code = words(&[0x000fc800000000000000d0400000791a], 80).unwrap();
    let wait = Kind::ScoreboardWait {
        scoreboard: 5,
        left: 1,
    };
    assert_eq!(code[0].kind, wait);
}

#[test]
fn unknown_words_are_refused() {
    let unknown = 0x1ff_u128;
    assert_eq!(
        words(&[unknown], 80),
        Err(Refusal::Opcode {
            at: 0,
            word: unknown
        })
    );
    assert_eq!(decode(&[0; 24], 80), Err(Refusal::Cut(24)));
    assert_eq!(words(&[], 62), Err(Refusal::Target(62)));
    assert!(kernels(b"\x7fELF no cubin").is_err());
}
