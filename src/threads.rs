//! Work on the items of a list, on several threads.

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
    let one = || {
        let mut results = Vec::new();
        while let Some((number, item)) = next() {
            results.push((number, work(item)));
        }
        results
    };
    let mut results = thread::scope(|scope| {
        // Where no more threads can be had, fewer do the work.
        let others: Vec<_> = (1..threads)
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, one).ok())
            .collect();
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
    fn a_panic_reaches_the_caller() {
        let work = |item: usize| assert!(item != 5, "item 5");
        for jobs in [1, 2] {
            let panic = catch_unwind(|| each(jobs, (0..9).collect(), |_| 0, work)).unwrap_err();
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"item 5"));
        }
    }
}
