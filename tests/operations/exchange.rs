//! What the lanes of a warp and the threads of a block exchange (PTX ISA, "shfl.sync", "vote.sync", "match.sync",
//! "redux.sync", "activemask", "elect.sync", "barrier"). Row number i of a suite is lane i % 32.

use crate::operations::harness::{Instruction, Reg, Suite, buffer, contents};
use crate::operations::values::{Operand, Random, cut, number, wrap};
use ptxasw::executor::{Launch, Schedule};

/// Executes an instruction and judges each warp by the rows and results of its 32 lanes.
fn by_warps(
    suite: &mut Suite,
    instruction: &Instruction,
    rows: &[Vec<u64>],
    accept: impl Fn(&[Vec<u64>], &[Vec<u64>]) -> Result<(), String>,
) {
    assert_eq!(rows.len() % 32, 0);
    let results = suite.execute(instruction, rows);
    for (rows, results) in rows.chunks(32).zip(results.chunks(32)) {
        suite.compared += 32;
        if let Err(why) = accept(rows, results) {
            panic!("{}\n{rows:x?}\n{results:x?}\n{why}", instruction.text);
        }
    }
}

/// Lets only the lanes that are in the mask of operand number `mask` execute a statement; zero is the result elsewhere.
fn for_members(statement: &str, results: &[Reg], operands: &[Reg]) -> Instruction {
    let mask = operands.len() - 1;
    let zeros: String = (0..results.len())
        .map(|i| match results[i] {
            Reg::P => format!("mov.pred %d{i}, 0;\n"),
            _ => format!("mov.b32 %d{i}, 0;\n"),
        })
        .collect();
    let text = format!(
        ".reg .pred %member;\n.reg .b32 %lane, %bit;\nmov.u32 %lane, %laneid;\nshr.b32 %bit, %a{mask}, %lane;\n\
         and.b32 %bit, %bit, 1;\nsetp.ne.u32 %member, %bit, 0;\n{zeros}@%member {statement}"
    );
    Instruction::written(&text, results, operands)
}

/// Member masks: all, one, halves, random ones.
fn masks() -> Vec<u64> {
    let mut random = Random::new(5);
    let mut masks = vec![
        0xFFFF_FFFF,
        1,
        0x8000_0000,
        0xFFFF,
        0xFFFF_0000,
        0x5555_5555,
        0x7FFF_FFFE,
    ];
    masks.extend((0..24).map(|_| cut(32, random.bits()).max(1)));
    masks
}

fn members(mask: u64) -> impl Iterator<Item = usize> {
    (0..32).filter(move |lane| mask >> lane & 1 == 1)
}

/// The source lane and the predicate, by the ISA's pseudo-code.
fn source(mode: &str, lane: usize, b: u64, c: u64) -> (usize, bool) {
    let lane = lane as i32;
    let bval = (b & 0x1F) as i32;
    let cval = (c & 0x1F) as i32;
    let segmask = (c >> 8 & 0x1F) as i32;
    let max_lane = (lane & segmask) | (cval & !segmask);
    let min_lane = lane & segmask;
    let (j, pval) = match mode {
        "up" => (lane - bval, lane - bval >= max_lane),
        "down" => (lane + bval, lane + bval <= max_lane),
        "bfly" => (lane ^ bval, lane ^ bval <= max_lane),
        _ => {
            let j = min_lane | (bval & !segmask);
            (j, j <= max_lane)
        }
    };
    (if pval { j as usize } else { lane as usize }, pval)
}

pub fn shuffles(suite: &mut Suite) {
    let mut random = Random::new(1);
    let mut rows = Vec::new();
    for segmask in 0..32 {
        for clamp in [0, 1, 6, 15, 16, 23, 30, 31] {
            for b in [0, 1, 2, 5, 8, 15, 16, 31, 33] {
                let c = segmask << 8 | clamp;
                rows.extend((0..32).map(|_| vec![cut(32, random.bits()), b, c]));
            }
        }
    }
    // Lanes that disagree about everything, bits that do not count, and those of C++'s widths.
    for width in [0, 1, 2, 4, 8, 16, 32] {
        for _ in 0..20 {
            for _ in 0..32 {
                let c = match width {
                    0 => cut(32, random.bits()),
                    _ => (32 - width) << 8 | if random.bits() & 1 == 0 { 0x1F } else { 0 },
                };
                rows.push(vec![cut(32, random.bits()), cut(32, random.bits()), c]);
            }
        }
    }
    for mode in ["up", "down", "bfly", "idx"] {
        let accept = |rows: &[Vec<u64>], results: &[Vec<u64>]| {
            (0..32).try_for_each(|lane| {
                let (j, pval) = source(mode, lane, rows[lane][1], rows[lane][2]);
                let expected = vec![rows[j][0], u64::from(pval)];
                match results[lane] == expected {
                    true => Ok(()),
                    false => Err(format!("lane {lane}: {expected:x?} was expected")),
                }
            })
        };
        let text = format!("shfl.sync.{mode}.b32 %d0|%d1, %a0, %a1, %a2, -1;");
        let sync = Instruction::written(&text, &[Reg::R, Reg::P], &[Reg::R; 3]);
        by_warps(suite, &sync, &rows, accept);
        let text = format!("shfl.{mode}.b32 %d0|%d1, %a0, %a1, %a2;");
        let mut legacy = Instruction::written(&text, &[Reg::R, Reg::P], &[Reg::R; 3]);
        legacy.assembled = false;
        by_warps(suite, &legacy, &rows[rows.len() - 32 * 60..], accept);
    }
    partial_shuffles(suite);
}

/// Members of a mask shuffle among themselves: an index goes round in the set of members.
fn partial_shuffles(suite: &mut Suite) {
    let statement = "shfl.sync.idx.b32 %d0, %a0, %a1, 31, %a2;";
    let instruction = for_members(statement, &[Reg::R], &[Reg::R; 3]);
    let rows: Vec<Vec<u64>> = masks()
        .into_iter()
        .flat_map(|mask| {
            let all: Vec<usize> = members(mask).collect();
            (0..32).map(move |lane| {
                vec![
                    1000 + lane as u64,
                    all[(lane * 7 + 3) % all.len()] as u64,
                    mask,
                ]
            })
        })
        .collect();
    by_warps(suite, &instruction, &rows, |rows, results| {
        let wrong =
            members(rows[0][2]).find(|&lane| results[lane][0] != rows[rows[lane][1] as usize][0]);
        wrong.map_or(Ok(()), |lane| Err(format!("lane {lane}")))
    });
}

/// A predicate of each lane, and the mask.
fn vote_rows() -> Vec<Vec<u64>> {
    let mut random = Random::new(3);
    let mut rows = Vec::new();
    for mask in masks() {
        let bits = random.bits();
        for votes in [
            0,
            mask,
            0xFFFF_FFFF,
            !mask,
            bits,
            1 << mask.trailing_zeros(),
        ] {
            rows.extend((0..32).map(|lane| vec![votes >> lane & 1, mask]));
        }
    }
    rows
}

pub fn votes(suite: &mut Suite) {
    let rows = vote_rows();
    let ballot_of = |rows: &[Vec<u64>], negated: bool| {
        let said = members(rows[0][1]).filter(|&lane| (rows[lane][0] == 1) != negated);
        said.fold(0u64, |ballot, lane| ballot | 1 << lane)
    };
    let modes: [(&str, fn(u64, u64) -> u64); 4] = [
        ("all.pred", |ballot, mask| u64::from(ballot == mask)),
        ("any.pred", |ballot, _| u64::from(ballot != 0)),
        ("uni.pred", |ballot, mask| {
            u64::from(ballot == 0 || ballot == mask)
        }),
        ("ballot.b32", |ballot, _| ballot),
    ];
    for (mode, f) in modes {
        let result = if mode == "ballot.b32" { Reg::R } else { Reg::P };
        for negated in [false, true] {
            let not = if negated { "!" } else { "" };
            let statement = format!("vote.sync.{mode} %d0, {not}%a0, %a1;");
            let instruction = for_members(&statement, &[result], &[Reg::P, Reg::R]);
            let accept = |rows: &[Vec<u64>], results: &[Vec<u64>]| {
                let expected = f(ballot_of(rows, negated), rows[0][1]);
                let wrong = members(rows[0][1]).find(|&lane| results[lane][0] != expected);
                wrong.map_or(Ok(()), |lane| Err(format!("lane {lane}: {expected:#x}")))
            };
            by_warps(suite, &instruction, &rows, accept);
            let statement = format!("vote.{mode} %d0, {not}%a0;");
            let mut legacy = for_members(&statement, &[result], &[Reg::P, Reg::R]);
            legacy.assembled = false;
            by_warps(suite, &legacy, &rows, accept);
        }
    }
    // In lockstep the lanes of a guard are the active ones.
    let active = for_members("activemask.b32 %d0;", &[Reg::R], &[Reg::P, Reg::R]);
    by_warps(suite, &active, &rows, |rows, results| {
        let wrong = members(rows[0][1]).find(|&lane| results[lane][0] != rows[0][1]);
        wrong.map_or(Ok(()), |lane| Err(format!("lane {lane}")))
    });
}

pub fn matches(suite: &mut Suite) {
    let mut random = Random::new(9);
    for (bits, class) in [(32, Reg::R), (64, Reg::D)] {
        let mut rows = Vec::new();
        for mask in masks() {
            for kinds in [1, 2, 5, 32] {
                // Values that differ in the upper or the lower half.
                let values: Vec<u64> = (0..kinds)
                    .map(|i| cut(bits, ((i % 3) << 33) | (i / 3) | (7 << 20)))
                    .collect();
                rows.extend((0..32).map(|_| vec![random.pick(&values), mask]));
            }
        }
        let equal = |rows: &[Vec<u64>], lane: usize| {
            let same = members(rows[0][1]).filter(|&other| rows[other][0] == rows[lane][0]);
            same.fold(0u64, |found, other| found | 1 << other)
        };
        let statement = format!("match.any.sync.b{bits} %d0, %a0, %a1;");
        let any = for_members(&statement, &[Reg::R], &[class, Reg::R]);
        by_warps(suite, &any, &rows, |rows, results| {
            let wrong = members(rows[0][1]).find(|&lane| results[lane][0] != equal(rows, lane));
            wrong.map_or(Ok(()), |lane| Err(format!("lane {lane}")))
        });
        // "d is set to mask if all threads have the same value, else 0; p to true or false"
        let statement = format!("match.all.sync.b{bits} %d0|%d1, %a0, %a1;");
        let all = for_members(&statement, &[Reg::R, Reg::P], &[class, Reg::R]);
        by_warps(suite, &all, &rows, |rows, results| {
            let mask = rows[0][1];
            let found = members(mask).all(|lane| equal(rows, lane) == mask);
            let expected = if found { vec![mask, 1] } else { vec![0, 0] };
            let wrong = members(mask).find(|&lane| results[lane] != expected);
            wrong.map_or(Ok(()), |lane| Err(format!("lane {lane}")))
        });
    }
}

pub fn reductions(suite: &mut Suite) {
    let mut random = Random::new(4);
    let edges = Operand::Integer(32).edges();
    let mut rows = Vec::new();
    for mask in masks() {
        for _ in 0..4 {
            rows.extend((0..32).map(|_| match random.bits() & 1 {
                0 => vec![random.pick(&edges), mask],
                _ => vec![cut(32, random.bits()), mask],
            }));
        }
    }
    let operations: [(&str, bool, fn(i128, i128) -> i128); 9] = [
        ("add.u32", false, |a, b| a + b),
        ("add.s32", true, |a, b| a + b),
        ("min.u32", false, |a, b| a.min(b)),
        ("min.s32", true, |a, b| a.min(b)),
        ("max.u32", false, |a, b| a.max(b)),
        ("max.s32", true, |a, b| a.max(b)),
        ("and.b32", false, |a, b| a & b),
        ("or.b32", false, |a, b| a | b),
        ("xor.b32", false, |a, b| a ^ b),
    ];
    for (operation, signed, f) in operations {
        let statement = format!("redux.sync.{operation} %d0, %a0, %a1;");
        let instruction = for_members(&statement, &[Reg::R], &[Reg::R; 2]);
        by_warps(suite, &instruction, &rows, |rows, results| {
            let numbers = members(rows[0][1]).map(|lane| number(32, signed, rows[lane][0]));
            let expected = wrap(32, numbers.reduce(f).unwrap_or(0));
            let wrong = members(rows[0][1]).find(|&lane| results[lane][0] != expected);
            wrong.map_or(Ok(()), |lane| Err(format!("lane {lane}: {expected:#x}")))
        });
    }
}

/// "The predicate is set to true for the leader thread, and false for all other threads. Election happens
/// deterministically, i.e. the same leader thread is elected for the same membermask every time."
pub fn elections(suite: &mut Suite) {
    let instruction = for_members("elect.sync %d0|%d1, %a0;", &[Reg::R, Reg::P], &[Reg::R]);
    let rows: Vec<Vec<u64>> = masks()
        .into_iter()
        .flat_map(|m| vec![vec![m]; 32])
        .collect();
    by_warps(suite, &instruction, &rows, |rows, results| {
        let mask = rows[0][0];
        let leader = results[mask.trailing_zeros() as usize][0] as usize;
        let wrong =
            members(mask).find(|&lane| results[lane] != [leader as u64, u64::from(lane == leader)]);
        let strange = !members(mask).any(|lane| lane == leader);
        match (wrong, strange) {
            (None, false) => Ok(()),
            _ => Err(format!("leader {leader}, lane {wrong:?}")),
        }
    });
    let text = ".visible .entry k(.param .u64 out)
{
.reg .b64 %out, %place;
.reg .b32 %lane, %leader, %count;
.reg .pred %more;
ld.param.u64 %out, [out];
mov.u32 %lane, %tid.x;
mov.u32 %count, 0;
mad.wide.u32 %place, %lane, 32, %out;
AGAIN:
elect.sync %leader|%more, 0xFFFFFFFF;
st.global.u32 [%place], %leader;
add.u64 %place, %place, 8;
add.u32 %count, %count, 1;
setp.lt.u32 %more, %count, 4;
@%more bra AGAIN;
}
";
    for seed in 0..8 {
        let launch = Launch::new([1; 3], [32, 1, 1]).with_buffer(buffer(&[99; 128]));
        let outcome = suite.kernel(text, &launch, Schedule::Independent { seed });
        let leaders = contents(&outcome.unwrap_or_else(|e| panic!("{e}")), 0);
        assert!(
            leaders.iter().all(|&leader| leader == leaders[0]),
            "{leaders:?}"
        );
    }
}

/// Threads 0 to 69 give the predicate "thread % 3 == 0", then all, then none.
pub fn barriers(suite: &mut Suite) {
    let text = ".visible .entry k(.param .u64 out)
{
.reg .b64 %out;
.reg .b32 %thread, %rest, %count, %all, %any, %second;
.reg .pred %p, %q, %r;
.shared .align 4 .b8 tile[512];
ld.param.u64 %out, [out];
mov.u32 %thread, %tid.x;
mad.wide.u32 %out, %thread, 32, %out;
rem.u32 %rest, %thread, 3;
setp.eq.u32 %p, %rest, 0;
bar.red.popc.u32 %count, 0, %p;
bar.red.and.pred %q, 1, %p;
barrier.red.or.pred %r, 2, %p;
selp.u32 %all, 1, 0, %q;
selp.u32 %any, 1, 0, %r;
bar.red.popc.u32 %second, 0, 96, !%p;
st.global.u32 [%out], %count;
st.global.u32 [%out+8], %all;
st.global.u32 [%out+16], %any;
st.global.u32 [%out+24], %second;
bar.warp.sync 0xFFFFFFFF;
setp.lt.u32 %p, %thread, 64;
@%p bra CONSUME;
bar.arrive 3, 96;
bra END;
CONSUME:
bar.sync 3, 96;
barrier.sync.aligned 4, 64;
END:
barrier.cta.sync 5;
}
";
    for schedule in [Schedule::Lockstep]
        .into_iter()
        .chain((0..6).map(|seed| Schedule::Independent { seed }))
    {
        let launch = Launch::new([2, 1, 1], [96, 1, 1]).with_buffer(buffer(&[0; 4 * 96]));
        let outcome = suite.kernel(text, &launch, schedule);
        let words = contents(&outcome.unwrap_or_else(|e| panic!("{schedule:?}: {e}")), 0);
        for row in words.chunks(4) {
            assert_eq!(row, [32, 0, 1, 64], "{schedule:?}");
        }
    }
}
