//! The line that says how a kernel is executed:
//! `KERNEL grid=X[,Y[,Z]] block=X[,Y[,Z]] args=A,A,...`.

use std::str::FromStr;

use ptxasw::warp;

/// One execution of a kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Launch {
    /// Name of the kernel.
    pub kernel: String,
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    /// Its arguments in order.
    pub arguments: Vec<Argument>,
}

/// An argument of a launch.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// `f32[200]`: a buffer of random elements; `u32[200]%10`: each below 10.
    Buffer {
        /// The kind of its elements.
        element: Element,
        /// How many.
        count: u32,
        /// What integers stay below.
        below: Option<u32>,
        /// `f32[200]@8`: the element that the argument points to.
        at: u32,
    },
    /// `same0@8`: a pointer to an element of the buffer that argument 0 points into.
    Same {
        /// The other argument.
        argument: usize,
        /// The element.
        at: u32,
    },
    /// `0.5f`
    Single(f32),
    /// `200`, of the parameter's width.
    Integer(i64),
    /// `{0.5f,0.25f}`: a struct of floats, by value.
    Singles(Vec<f32>),
}

/// The kind of a buffer's elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    /// 16-bit integers.
    U16,
    /// 32-bit integers.
    U32,
    /// Floats between -1 and 1.
    F32,
    /// Doubles between -1 and 1.
    F64,
}

impl FromStr for Launch {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let mut launch = Launch {
            kernel: words.next().ok_or("a launch without a kernel")?.to_owned(),
            grid: [1; 3],
            block: [1; 3],
            arguments: Vec::new(),
        };
        for word in words {
            match word.split_once('=') {
                Some(("grid", sizes)) => launch.grid = extent(sizes)?,
                Some(("block", sizes)) => launch.block = extent(sizes)?,
                Some(("args", list)) => {
                    launch.arguments = arguments(list).map(str::parse).collect::<Result<_, _>>()?;
                }
                _ => return Err(format!("launch: unknown word '{word}'")),
            }
        }
        Ok(launch)
    }
}

/// Splits at the commas that are not within braces.
fn arguments(list: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    list.split(move |c: char| {
        inside = (inside || c == '{') && c != '}';
        c == ',' && !inside
    })
}

fn extent(sizes: &str) -> Result<[u32; 3], String> {
    let mut extent = [1; 3];
    for (index, size) in sizes.split(',').enumerate() {
        let place = extent
            .get_mut(index)
            .ok_or_else(|| format!("launch: more than x, y, z in '{sizes}'"))?;
        *place = number(size)?;
    }
    Ok(extent)
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| format!("launch: '{text}' is no number of its kind"))
}

impl FromStr for Argument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some((kind, rest)) = text.split_once('[') {
            return buffer(kind, rest);
        }
        if let Some(rest) = text.strip_prefix("same") {
            let (argument, at) = rest.split_once('@').unwrap_or((rest, "0"));
            return Ok(Argument::Same {
                argument: number(argument)?,
                at: number(at)?,
            });
        }
        if let Some(list) = text.strip_prefix('{') {
            let members = list.trim_end_matches('}').split(',');
            return members
                .map(|member| number(member.trim_end_matches('f')))
                .collect::<Result<_, _>>()
                .map(Argument::Singles);
        }
        match text.strip_suffix('f') {
            Some(float) => Ok(Argument::Single(number(float)?)),
            None => Ok(Argument::Integer(number(text)?)),
        }
    }
}

fn buffer(kind: &str, rest: &str) -> Result<Argument, String> {
    let element = match kind {
        "u16" => Element::U16,
        "u32" => Element::U32,
        "f32" => Element::F32,
        "f64" => Element::F64,
        _ => return Err(format!("launch: unknown element '{kind}'")),
    };
    let (count, tail) = rest
        .split_once(']')
        .ok_or("launch: a '[' without its ']'")?;
    let (tail, at) = tail.split_once('@').unwrap_or((tail, "0"));
    let below = tail.strip_prefix('%').map(number).transpose()?;
    Ok(Argument::Buffer {
        element,
        count: number(count)?,
        below,
        at: number(at)?,
    })
}

impl Launch {
    /// As the executor takes it. Equal lines give equal buffers.
    pub fn prepare(&self) -> Result<warp::Launch, String> {
        let mut launch = warp::Launch::new(self.grid, self.block);
        for (index, argument) in self.arguments.iter().enumerate() {
            let prepared = match argument {
                Argument::Buffer {
                    element,
                    count,
                    below,
                    at,
                } => {
                    launch
                        .buffers
                        .push(element.buffer(*count, *below, index as u64));
                    warp::Argument::Buffer {
                        index: launch.buffers.len() - 1,
                        offset: u64::from(*at) * u64::from(element.bytes()),
                    }
                }
                Argument::Same { argument, at } => {
                    let Some(&warp::Argument::Buffer { index, .. }) =
                        launch.arguments.get(*argument)
                    else {
                        return Err(format!("launch: argument {argument} is no buffer"));
                    };
                    let bytes = launch.buffers.get(index).map_or(0, |buffer| buffer.element);
                    warp::Argument::Buffer {
                        index,
                        offset: u64::from(*at) * u64::from(bytes),
                    }
                }
                Argument::Single(value) => warp::Argument::Scalar(value.to_bits().into()),
                Argument::Integer(value) => warp::Argument::Scalar(*value as u64),
                Argument::Singles(values) => {
                    let bytes = values.iter().flat_map(|value| value.to_le_bytes());
                    launch.structures.push(bytes.collect());
                    warp::Argument::Structure(launch.structures.len() - 1)
                }
            };
            launch.arguments.push(prepared);
        }
        Ok(launch)
    }
}

impl Element {
    fn bytes(self) -> u8 {
        match self {
            Element::U16 => 2,
            Element::U32 | Element::F32 => 4,
            Element::F64 => 8,
        }
    }

    /// Random elements; integers below a limit (SplitMix64).
    fn buffer(self, count: u32, below: Option<u32>, seed: u64) -> warp::Buffer {
        let mut state = seed.wrapping_mul(0x2545_f491_4f6c_dd1d);
        let mut next = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        };
        let mut bytes = Vec::new();
        for _ in 0..count {
            let random = next();
            // Between -1 and 1.
            let real = (random >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
            let integer = (random >> 32) as u32 % below.unwrap_or(u32::MAX);
            match self {
                Element::U16 => bytes.extend((integer as u16).to_le_bytes()),
                Element::U32 => bytes.extend(integer.to_le_bytes()),
                Element::F32 => bytes.extend((real as f32).to_le_bytes()),
                Element::F64 => bytes.extend(real.to_le_bytes()),
            }
        }
        warp::Buffer {
            bytes,
            initialised: true,
            element: self.bytes(),
        }
    }
}
