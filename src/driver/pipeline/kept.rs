//! What is known of functions between two stages, as far as there is room for it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes that are kept of all functions of a module, about. Of a function that finds no room all is made once more when it is asked
/// for, so that a large module takes little more memory than one of its functions does.
const ROOM: usize = 8 << 20;

/// Something for each function of a module, by its number.
#[derive(Debug)]
pub struct Kept<T> {
    places: Vec<Mutex<Option<(usize, T)>>>,
    /// What is left of [`ROOM`].
    room: AtomicUsize,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Kept::new(0)
    }
}

impl<T> Kept<T> {
    /// Nothing yet, for so many functions.
    pub fn new(functions: usize) -> Self {
        Kept {
            places: (0..functions).map(|_| Mutex::default()).collect(),
            room: AtomicUsize::new(ROOM),
        }
    }

    /// Takes what is kept of a function.
    pub fn take(&self, function: usize) -> Option<T> {
        let (size, one) = self.place(function)?.take()?;
        self.room.fetch_add(size, Ordering::Relaxed);
        Some(one)
    }

    /// Keeps something of a function that takes about so many bytes, if there is room.
    pub fn keep(&self, function: usize, size: usize, one: T) {
        let left = |room: usize| room.checked_sub(size);
        if let Some(mut place) = self.place(function)
            && self
                .room
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, left)
                .is_ok()
        {
            *place = Some((size, one));
        }
    }

    /// Whether something is kept of a function.
    pub fn has(&self, function: usize) -> bool {
        self.place(function).is_some_and(|place| place.is_some())
    }

    /// All that is kept.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let places = self.places.iter_mut();
        let kept = places.filter_map(|place| {
            let place = place.get_mut().unwrap_or_else(PoisonError::into_inner);
            place.as_mut()
        });
        kept.map(|(_, one)| one)
    }

    fn place(&self, function: usize) -> Option<MutexGuard<'_, Option<(usize, T)>>> {
        let place = self.places.get(function)?;
        // Nothing panics while it is locked.
        Some(place.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_finds_no_room_is_dropped() {
        let mut kept = Kept::new(3);
        kept.keep(0, ROOM - 1, 'a');
        kept.keep(1, 2, 'b');
        kept.keep(2, 1, 'c');
        kept.keep(3, 0, 'd');
        let has = [0, 1, 2, 3].map(|one| kept.has(one));
        assert_eq!(has, [true, false, true, false]);
        assert_eq!(kept.take(0), Some('a'));
        assert_eq!(kept.take(0), None);
        kept.keep(1, ROOM - 1, 'b');
        assert_eq!(kept.iter_mut().map(|one| *one).collect::<String>(), "bc");
    }
}
