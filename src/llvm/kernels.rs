//! Which functions are kernels, and what is declared of their blocks.

use crate::version::DIRECTIVES_ARE_ATTRIBUTES;
use crate::view::{Val, View};
use ptxasw_ir::function::is_shape;
use rustc_hash::FxHashMap;

/// The calling convention `ptx_kernel`.
const PTX_KERNEL: u32 = 71;

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Entry<'m> {
    /// The function.
    pub function: Val<'m>,
    /// Its mangled name, under which PTX has it as well.
    pub name: String,
    /// A kernel.
    pub kernel: bool,
    /// `reqntid`: the block's shape is exactly this.
    pub required_threads: Option<[u32; 3]>,
    /// `maxntid`: the block has at most the product of threads.
    pub max_threads: Option<[u32; 3]>,
    /// `grid_constant`: parameters (from 0) in memory of which threads have no copy, whatever is done with their addresses.
    pub grid_constants: Vec<u32>,
}

/// What `nvvm.annotations` say of one function.
#[derive(Default)]
struct Annotations {
    kernel: bool,
    required: [Option<u32>; 3],
    most: [Option<u32>; 3],
    grid_constants: Vec<u32>,
}

/// All functions with a body, in the order of the module.
pub fn functions<'m>(view: View<'m>) -> Vec<Entry<'m>> {
    let annotations = annotations(view);
    let defined = view
        .functions()
        .into_iter()
        .filter(|one| !one.is_declaration());
    defined
        .map(|function| {
            let declared = annotations.get(&function);
            let attribute = |name: &str| {
                let text = DIRECTIVES_ARE_ATTRIBUTES.then(|| function.text_attribute(name));
                shape_attribute(&text??)
            };
            Entry {
                function,
                name: function.name(),
                kernel: function.calling_convention() == PTX_KERNEL
                    || declared.is_some_and(|declared| declared.kernel),
                required_threads: declared
                    .and_then(|declared| shape(declared.required))
                    .or_else(|| attribute("nvvm.reqntid")),
                max_threads: declared
                    .and_then(|declared| shape(declared.most))
                    .or_else(|| attribute("nvvm.maxntid")),
                grid_constants: grid_constants(function, declared),
            }
        })
        .collect()
}

/// By annotations, or by attributes, as later versions of LLVM write them.
fn grid_constants(function: Val<'_>, declared: Option<&Annotations>) -> Vec<u32> {
    let annotated = declared.map_or(&[][..], |declared| &declared.grid_constants);
    let parameters = (0..).zip(function.parameters()).map(|(index, _)| index);
    parameters
        .filter(|&index: &u32| {
            let attribute = || function.text_attribute_at(index + 1, "nvvm.grid_constant");
            annotated.contains(&(index + 1)) || attribute().is_some()
        })
        .collect()
}

/// Each node is a function and pairs of a key and a value. Versions with function attributes instead upgrade the annotations
/// of a module when it is parsed; those of parameters are read in every version, as not all of them do so.
fn annotations<'m>(view: View<'m>) -> FxHashMap<Val<'m>, Annotations> {
    let mut all: FxHashMap<Val<'m>, Annotations> = FxHashMap::default();
    for node in view.named_metadata("nvvm.annotations") {
        let operands = node.node_operands();
        let Some((Some(function), pairs)) = operands.split_first() else {
            continue;
        };
        let declared = all.entry(*function).or_default();
        for pair in pairs.chunks_exact(2) {
            let [Some(key), Some(value)] = pair else {
                continue;
            };
            let Some(key) = key.metadata_text() else {
                continue;
            };
            if key == "grid_constant" {
                let parameters = value.node_operands().into_iter().flatten();
                let parameters = parameters.filter_map(|one| u32::try_from(one.integer()?).ok());
                declared.grid_constants.extend(parameters);
                continue;
            }
            let Some(value) = value.integer().filter(|_| !DIRECTIVES_ARE_ATTRIBUTES) else {
                continue;
            };
            let value = u32::try_from(value).unwrap_or(u32::MAX);
            match key.as_str() {
                "kernel" => declared.kernel |= value == 1,
                "reqntidx" => declared.required[0] = Some(value),
                "reqntidy" => declared.required[1] = Some(value),
                "reqntidz" => declared.required[2] = Some(value),
                "maxntidx" => declared.most[0] = Some(value),
                "maxntidy" => declared.most[1] = Some(value),
                "maxntidz" => declared.most[2] = Some(value),
                _ => {}
            }
        }
    }
    all
}

/// An axis that is not named has one thread, if another is.
fn shape(axes: [Option<u32>; 3]) -> Option<[u32; 3]> {
    axes.iter()
        .any(Option::is_some)
        .then(|| axes.map(|axis| axis.unwrap_or(1)))
        .filter(|&threads| is_shape(threads))
}

/// `"32,4"`, as later versions of LLVM write it.
fn shape_attribute(text: &str) -> Option<[u32; 3]> {
    let mut axes = [None; 3];
    for (index, word) in text.split(',').enumerate() {
        *axes.get_mut(index)? = Some(word.trim().parse().ok()?);
    }
    shape(axes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read;
    use inkwell::context::Context;

    const TEXT: &str = r#"
define void @old(ptr %p) { ret void }
define ptx_kernel void @new() "nvvm.reqntid"="32,4" { ret void }
define void @device() { ret void }
declare void @elsewhere()
!nvvm.annotations = !{!0, !1, !2, !3}
!0 = !{ptr @old, !"kernel", i32 1}
!1 = !{ptr @old, !"maxntidx", i32 256, !"maxntidy", i32 2}
!2 = !{null, !"kernel", i32 1}
!3 = !{ptr @device, !"align", i32 16}
"#;

    #[test]
    fn kernels_are_found_by_annotation_and_by_calling_convention() {
        let context = Context::create();
        let module = read(&context, TEXT.as_bytes(), "a.ll").expect("reads");
        let found = functions(View::new(&module));
        let kernels: Vec<_> = found
            .iter()
            .map(|one| (one.name.as_str(), one.kernel))
            .collect();
        assert_eq!(kernels, [("old", true), ("new", true), ("device", false)]);
        assert_eq!(found[0].max_threads, Some([256, 2, 1]));
        assert_eq!(found[0].required_threads, None);
        let attribute = DIRECTIVES_ARE_ATTRIBUTES.then_some([32, 4, 1]);
        assert_eq!(found[1].required_threads, attribute);
    }
}
