//! What the walk makes of kernels in PTX: their bodies are prepared as the pipeline prepares them.

mod iterations;
mod results;
mod walk;
