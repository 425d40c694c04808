//! Input that means harm: of any size, depth and kind, from files that others wrote, through paths that are no files. Every
//! command ends soon, in bounded memory, with an exit code of its own and a message, and writes nothing but what it was asked
//! to. Sizes are a tenth of what was tried by hand, so that an unoptimised build is quick.

mod folders;
mod guard;
mod numbers;
mod paths;
mod sizes;
