//! The block of parameters that a kernel is launched with.

use super::error::GpuError;
use ptxasw_executor::launch::{ArgumentSpec, LaunchSpec};
use ptxasw_ptx::decode::form::{Function, Parameter};

/// Most bytes of parameters (PTX ISA, "Kernel Function Parameters").
const MOST_BYTES: u64 = 32_764;

/// Lays the arguments out as the kernel declares its parameters: each at its offset, zeros between them. `addresses` are
/// those of the launch's buffers.
///
/// # Errors
/// Arguments and parameters do not go together.
pub(super) fn block(
    function: &Function,
    spec: &LaunchSpec,
    addresses: &[u64],
) -> Result<Vec<u8>, GpuError> {
    let (given, declared) = (spec.arguments.len(), function.parameters.len());
    if given != declared {
        return Err(GpuError::Launch(format!(
            "the kernel {} has {declared} parameters, and the launch gives {given}",
            function.name
        )));
    }
    let mut block = Vec::new();
    for (parameter, argument) in function.parameters.iter().zip(&spec.arguments) {
        let value = value(parameter, argument, addresses)?;
        let end = parameter.offset.saturating_add(parameter.bytes);
        if end > MOST_BYTES {
            return Err(bad(
                parameter,
                "lies behind the last byte that parameters may have",
            ));
        }
        block.resize(block.len().max(end as usize), 0);
        block[parameter.offset as usize..end as usize].copy_from_slice(&value);
    }
    Ok(block)
}

/// The bytes of one argument, as many as the parameter has.
fn value(
    parameter: &Parameter,
    argument: &ArgumentSpec,
    addresses: &[u64],
) -> Result<Vec<u8>, GpuError> {
    let address = |buffer: usize, offset: i64| {
        let start = addresses.get(buffer).copied().unwrap_or(0);
        start.wrapping_add_signed(offset)
    };
    let bytes = match argument {
        ArgumentSpec::Scalar { bits, .. } => {
            let mut bytes = bits.to_le_bytes().to_vec();
            bytes.truncate(parameter.bytes as usize);
            bytes
        }
        ArgumentSpec::Pointer { buffer, offset } => {
            address(*buffer, *offset).to_le_bytes().to_vec()
        }
        ArgumentSpec::Structure { .. } => argument.structure(address).unwrap_or_default(),
    };
    match bytes.len() as u64 == parameter.bytes {
        true => Ok(bytes),
        false => Err(bad(
            parameter,
            &format!(
                "has {} bytes, and the argument {}",
                parameter.bytes,
                bytes.len()
            ),
        )),
    }
}

fn bad(parameter: &Parameter, what: &str) -> GpuError {
    GpuError::Launch(format!("parameter {} {what}", parameter.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_executor::launch::{self, Element, Fill, PointerField};
    use ptxasw_ptx::decode::form::Module;
    use std::fs;
    use std::path::Path;

    fn decode(text: &[u8]) -> Module {
        ptxasw_ptx::decode::decode(&ptxasw_ptx::parse(text).unwrap()).unwrap()
    }

    fn module(parameters: &str) -> Module {
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k({parameters})\n{{\nret;\n}}\n"
        );
        decode(text.as_bytes())
    }

    fn block_of(parameters: &str, spec: &LaunchSpec) -> Result<Vec<u8>, String> {
        let module = module(parameters);
        block(&module.functions[0], spec, &[0x1000, 0x2000]).map_err(|error| error.to_string())
    }

    #[test]
    fn offsets_by_size_and_alignment() {
        let mut spec = LaunchSpec::new([1; 3], [1; 3]);
        spec.push_scalar(Element::U8, 0x11);
        spec.push_buffer(Element::F32, 4, Fill::Zero, -4);
        spec.push_scalar(Element::U32, 0x2222_2222);
        spec.arguments.push(ArgumentSpec::Structure {
            bytes: vec![7; 16],
            pointers: vec![PointerField {
                at: 8,
                buffer: 1,
                offset: 8,
            }],
        });
        let parameters = ".param .u8 a, .param .u64 b, .param .u32 c, .param .align 8 .b8 d[16]";
        let mut expected = vec![0x11, 0, 0, 0, 0, 0, 0, 0];
        expected.extend(0x0ffc_u64.to_le_bytes());
        expected.extend([0x22, 0x22, 0x22, 0x22, 0, 0, 0, 0]);
        expected.extend([7; 8]);
        expected.extend(0x2008_u64.to_le_bytes());
        assert_eq!(block_of(parameters, &spec).unwrap(), expected);
        let none = LaunchSpec::new([1; 3], [1; 3]);
        assert!(block_of("", &none).unwrap().is_empty());
    }

    /// The benchmark's launches go with the committed kernels of every compiler.
    #[test]
    fn launches_of_the_benchmark() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let files = fs::read_dir(root.join("benches/gpu")).unwrap();
        let paths = files.map(|file| file.unwrap().path());
        let launches: Vec<_> = paths
            .filter(|p| p.extension().is_some_and(|e| e == "toml"))
            .collect();
        assert_eq!(launches.len(), 16);
        for path in launches {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let specs = launch::read(&path).unwrap();
            let [spec] = specs.as_slice() else {
                panic!("{name} has several launches");
            };
            // Larger than any L2 cache.
            assert!(spec.buffer_bytes() > 700 << 20, "{name}");
            let addresses = vec![0x1000; spec.buffers.len()];
            for arch in ["sm_80", "sm_90", "clang"] {
                let file = root.join(format!("ptx-tests/kernelgen/{name}.{arch}.ptx"));
                let module = decode(&fs::read(file).unwrap());
                let function = spec.function(&module).unwrap();
                block(function, spec, &addresses).unwrap();
                let threads: u32 = spec.block.iter().product();
                assert!(function.max_threads.is_some_and(|most| most[0] >= threads));
            }
        }
    }

    #[test]
    fn what_does_not_go_together() {
        let mut spec = LaunchSpec::new([1; 3], [1; 3]);
        spec.push_buffer(Element::F32, 4, Fill::Zero, 0);
        for (parameters, message) in [
            ("", "the kernel k has 0 parameters, and the launch gives 1"),
            (
                ".param .u32 a",
                "parameter a has 4 bytes, and the argument 8",
            ),
            (
                ".param .align 4 .b8 a[12]",
                "parameter a has 12 bytes, and the argument 8",
            ),
        ] {
            assert_eq!(block_of(parameters, &spec).unwrap_err(), message);
        }
    }
}
