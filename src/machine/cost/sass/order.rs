//! The order in which the blocks of a function are looked at.

/// The blocks that block 0 leads to, each before those that it leads to itself, back edges aside; and the back edges, from a latch to
/// the block that was still being walked from. `next` has the successors of each of `count` blocks.
pub fn depth_first<'b>(
    count: usize,
    next: impl Fn(usize) -> &'b [usize],
) -> (Vec<usize>, Vec<(usize, usize)>) {
    #[derive(Clone, Copy)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; count];
    let (mut order, mut back) = (Vec::new(), Vec::new());
    let mut stack = Vec::new();
    if let Some(first) = states.first_mut() {
        *first = State::Open;
        stack.push((0, 0));
    }
    while let Some((block, edge)) = stack.pop() {
        let Some(&to) = next(block).get(edge) else {
            states[block] = State::Done;
            order.push(block);
            continue;
        };
        stack.push((block, edge + 1));
        match states[to] {
            State::New => {
                states[to] = State::Open;
                stack.push((to, 0));
            }
            State::Open => back.push((block, to)),
            State::Done => {}
        }
    }
    order.reverse();
    (order, back)
}
