//! The line that says how a kernel is executed:
//! `KERNEL grid=X[,Y[,Z]] block=X[,Y[,Z]] args=A,A,...`.

use std::str::FromStr;

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
    let below = tail.strip_prefix('%').map(number).transpose()?;
    Ok(Argument::Buffer {
        element,
        count: number(count)?,
        below,
    })
}
