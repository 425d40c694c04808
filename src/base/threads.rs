//! Work on the items of a list, on several threads.

use nix::sched::{sched_getaffinity, sched_getcpu, sched_setaffinity};
use nix::unistd::Pid;
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Threads at most, however many are asked for.
pub const MAX_JOBS: usize = 256;

/// How many threads are meant: 0 is for as many as there are processors.
pub fn count(jobs: usize) -> usize {
    match jobs {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        _ => jobs,
    }
    .min(MAX_JOBS)
}

/// `work` on each item, on so many threads (0: as many as there are processors), of which this one is the first; the results
/// in the order of the items. The largest items are begun first, so that no thread is left with a large one when the others
/// have nothing to do any more.
pub fn each<T: Send, R: Send>(
    jobs: usize,
    items: Vec<T>,
    size: impl Fn(&T) -> usize,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let threads = match items.len() {
        0 | 1 => 1,
        most => count(jobs).min(most),
    };
    if threads < 2 {
        return items.into_iter().map(work).collect();
    }
    let mut numbered: Vec<(usize, T)> = items.into_iter().enumerate().collect();
    numbered.sort_by_key(|(_, item)| std::cmp::Reverse(size(item)));
    let queue = Mutex::new(numbered.into_iter());
    // Nothing that can panic runs while the queue is locked.
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let one = &|| {
        let mut results = Vec::new();
        while let Some((number, item)) = next() {
            results.push((number, work(item)));
        }
        results
    };
    let mut results = thread::scope(|scope| {
        let begin = |_| {
            let here = processor();
            let other = move || {
                leave(here);
                one()
            };
            let begun = thread::Builder::new().spawn_scoped(scope, other).ok();
            // A thread that was put on this processor, too, goes to another one at once.
            thread::yield_now();
            begun
        };
        // Where no more threads can be had, fewer do the work.
        let others: Vec<_> = (1..threads).map_while(begin).collect();
        let mut results = one();
        for other in others {
            match other.join() {
                Ok(more) => results.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    results.sort_unstable_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The processor that this thread is on.
fn processor() -> Option<usize> {
    sched_getcpu().ok()
}

/// Puts this thread on another processor than `busy`, of those that it may use. In virtual machines Linux takes a processor
/// that sleeps for one that its host has given to others, and a new thread waits behind the one that made it for as long as
/// that may run, 3 ms: more than most modules take.
fn leave(busy: Option<usize>) {
    let this = Pid::from_raw(0);
    let (Some(busy), Ok(usable)) = (busy, sched_getaffinity(this)) else {
        return;
    };
    let mut others = usable;
    if processor() != Some(busy) || others.unset(busy).is_err() {
        return;
    }
    // It is moved now; afterwards it may be anywhere again. There may be no other, then it stays.
    if sched_setaffinity(this, &others).is_ok() {
        let _ = sched_setaffinity(this, &usable);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for jobs in [0, 1, 2, 3, 1000] {
            for length in [0, 1, 2, 100] {
                let items: Vec<usize> = (0..length).collect();
                let expected: Vec<usize> = items.iter().map(|item| item * item).collect();
                let results = each(jobs, items, |item| item % 7, |item| item * item);
                assert_eq!(results, expected, "{jobs} jobs, {length} items");
            }
        }
    }

    #[test]
    fn all_threads_may_use_all_processors() {
        let usable = || sched_getaffinity(Pid::from_raw(0)).unwrap();
        let ours = usable();
        let theirs = each(4, (0..100).collect(), |_: &u32| 0, |_| usable());
        assert!(theirs.iter().all(|one| *one == ours));
    }

    #[test]
    fn a_thread_leaves_a_processor_that_is_busy() {
        let alone = thread::available_parallelism().map_or(1, NonZero::get) == 1;
        let went = || {
            let here = processor();
            leave(here);
            here != processor()
        };
        // It may be put back at any time.
        let one_went = thread::spawn(move || (0..1000).any(|_| went()));
        assert!(one_went.join().unwrap() || alone);
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let work = |item: usize| assert!(item != 5, "item 5");
        for jobs in [1, 2] {
            let panic = catch_unwind(|| each(jobs, (0..9).collect(), |_| 0, work)).unwrap_err();
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"item 5"));
        }
    }
}
