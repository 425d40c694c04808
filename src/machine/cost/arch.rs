//! Figures of GPUs: `arch/sm_NN.toml`, each with its source and the range that is taken to hold it.

use serde::Deserialize;

/// One GPU. A figure that is not known well has a range, at whose ends estimates are made as well.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gpu {
    /// That of the product: `A100`.
    pub name: String,
    /// Multiprocessors.
    pub multiprocessors: Figure,
    /// In MHz.
    pub clock: Figure,
    /// Bytes of L1 cache and shared memory of a multiprocessor together.
    pub l1_bytes: Figure,
    /// Bytes of the L2 cache.
    pub l2_bytes: Figure,
    /// Blocks that a multiprocessor holds.
    pub blocks: Figure,
    /// Cycles from a load to its result where L1 has it.
    pub l1_latency: Figure,
    /// Cycles from a load to its result where L2 has it.
    pub l2_latency: Figure,
    /// Cycles from a load to its result where only memory has it.
    pub memory_latency: Figure,
    /// Cycles from a load of shared memory to its result.
    pub shared_latency: Figure,
    /// Cycles from a load of a bank of constants to its result.
    pub constant_latency: Figure,
    /// Cycles from a shuffle to its result.
    pub shuffle_latency: Figure,
    /// Cycles to a result of the slow pipes: conversions, reciprocals, special registers.
    pub slow_latency: Figure,
    /// Cycles of one pass of a load through the banks, and of one shuffle: they share a pipe.
    pub pass: Figure,
    /// Cycles of each sector of a store.
    pub store_sector: Figure,
    /// Bytes for each cycle and multiprocessor from L2.
    pub l2_bytes_per_cycle: Figure,
    /// Bytes for each cycle of the whole GPU from and to memory.
    pub memory_bytes_per_cycle: Figure,
    /// Cycles between two instructions of one scheduler: single precision.
    pub single: Figure,
    /// Cycles between two instructions of one scheduler: double precision.
    pub double: Figure,
    /// Cycles between two instructions of one scheduler: integers.
    pub integer: Figure,
    /// Cycles between two instructions of one scheduler: slow pipes.
    pub slow: Figure,
    /// Cycles between two instructions of one scheduler: matrix products.
    pub matrix: Figure,
    /// Cycles between the starts of two blocks on one multiprocessor.
    pub block_start: Figure,
    /// Microseconds of an empty launch.
    pub launch: Figure,
}

/// A number, where it comes from, and how wrong it may be.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The value.
    pub value: f64,
    /// The least and the largest; none where it is as good as certain.
    pub range: Option<[f64; 2]>,
    /// Paper, manual or measurement, with its date.
    pub source: String,
}

const TABLES: [(u32, &str); 5] = [
    (70, include_str!("arch/sm_70.toml")),
    (75, include_str!("arch/sm_75.toml")),
    (80, include_str!("arch/sm_80.toml")),
    (89, include_str!("arch/sm_89.toml")),
    (90, include_str!("arch/sm_90.toml")),
];

impl Gpu {
    /// The GPU of a target's number; none if there is no table.
    pub fn of(target: u32) -> Option<Gpu> {
        let (_, text) = TABLES.iter().find(|(number, _)| *number == target)?;
        toml::from_str(text).ok()
    }

    /// The targets that have a table.
    pub fn targets() -> impl Iterator<Item = u32> {
        TABLES.iter().map(|(number, _)| *number)
    }

    /// Bytes that memory gives one of so many multiprocessors in a cycle.
    pub fn memory_rate(&self, active: f64) -> f64 {
        (self.memory_bytes_per_cycle.value / active).min(self.l2_bytes_per_cycle.value)
    }

    /// The GPU with each uncertain figure at either end of its range, all others as they are.
    pub fn ends(&self) -> Vec<Gpu> {
        let count = self.clone().figures().len();
        let mut all = Vec::new();
        for (number, end) in (0..count).flat_map(|number| [(number, 0), (number, 1)]) {
            let mut gpu = self.clone();
            let [figure] = &mut gpu.figures()[number..=number] else {
                continue;
            };
            if let Some(range) = figure.range {
                figure.value = range[end];
                all.push(gpu);
            }
        }
        all
    }

    /// The GPU with all uncertain figures at the low end of their ranges, and with all of them at the high end.
    pub fn extremes(&self) -> Vec<Gpu> {
        let at = |end: usize| {
            let mut gpu = self.clone();
            for figure in gpu.figures() {
                figure.value = figure.range.map_or(figure.value, |range| range[end]);
            }
            gpu
        };
        vec![at(0), at(1)]
    }

    fn figures(&mut self) -> Vec<&mut Figure> {
        vec![
            &mut self.l1_latency,
            &mut self.l2_latency,
            &mut self.memory_latency,
            &mut self.constant_latency,
            &mut self.shuffle_latency,
            &mut self.slow_latency,
            &mut self.pass,
            &mut self.store_sector,
            &mut self.l2_bytes_per_cycle,
            &mut self.memory_bytes_per_cycle,
            &mut self.block_start,
            &mut self.launch,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sound() {
        for target in Gpu::targets() {
            let mut gpu = Gpu::of(target).unwrap();
            assert!(gpu.ends().len() >= 4, "sm_{target}");
            for figure in gpu.figures() {
                assert!(!figure.source.is_empty());
                if let Some([least, largest]) = figure.range {
                    let value = figure.value;
                    assert!(
                        least <= value && value <= largest,
                        "sm_{target}: {figure:?}"
                    );
                }
            }
        }
        assert_eq!(Gpu::of(35), None);
    }
}
