//! What is checked of a case.

use ptxasw::ir::function::Function;
use ptxasw::ir::text;
use ptxasw::ir::verify::verify;
use ptxasw::pipeline;
use ptxasw::ptx::{self, ast::Item};

use crate::files::case::Case;

/// The module parses, its items cover the text in order, it decodes, and each
/// launch fits a kernel of the module.
pub fn syntax(case: &Case) -> Result<(), String> {
    let text = case.text.as_bytes();
    let module = ptx::parse(text).map_err(|_| diagnostic(&case.text))?;
    let mut end = 0;
    let mut parameters = Vec::new();
    for item in &module.items {
        let span = match item {
            Item::Directive(directive) => directive.span,
            Item::Variable(variable) => variable.span,
            Item::Function(function) => {
                if function.entry {
                    parameters.push((module.str(function.name), function.parameters.len()));
                }
                function.span
            }
        };
        if span.start < end || span.end < span.start || span.end as usize > text.len() {
            return Err(format!("the span {span:?} is out of order"));
        }
        end = span.end;
    }
    if case.mode.is_module() {
        ptx::decode::decode(&module).map_err(|errors| errors.to_string())?;
    }
    for launch in &case.launches {
        let arguments = launch.arguments.len();
        let fits = match &launch.kernel {
            Some(kernel) => parameters.contains(&(kernel, arguments)),
            None => matches!(parameters[..], [(_, count)] if count == arguments),
        };
        if !fits {
            return Err(format!(
                "the launch of {:?} with {arguments} arguments fits none of the kernels {parameters:?}",
                launch.kernel
            ));
        }
    }
    Ok(())
}

/// Every body becomes valid SSA form.
pub fn lowers(text: &str) -> Result<(), String> {
    let module = ptx::parse(text.as_bytes()).map_err(|_| diagnostic(text))?;
    let module = pipeline::Module::of_tree(text.as_bytes(), module);
    let all = pipeline::read_all(&module).map_err(|error| error.to_string())?;
    for reading in all {
        let function = reading.function();
        if let Some(violation) = verify(function).first() {
            return Err(format!("`{}`: {violation}", function.name));
        }
        reads_back(function)?;
    }
    Ok(())
}

/// The text of a function is read back as that function.
fn reads_back(function: &Function) -> Result<(), String> {
    let text = function.to_string();
    let back = text::parse(&text).map_err(|error| format!("{error}\n{text}"))?;
    match back.to_string() == text && verify(&back).is_empty() {
        true => Ok(()),
        false => Err(format!("{text}\nis read as\n{back}")),
    }
}

/// `line:column: message` of a module that does not parse.
pub fn diagnostic(text: &str) -> String {
    let Err(error) = ptx::parse(text.as_bytes()) else {
        return "no error".into();
    };
    let before = text.get(..error.span.start as usize).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or(before).chars().count() + 1;
    format!("{line}:{column}: {error}")
}
