//! The launches that a module names in the comments at its head.

use ptxasw::executor::launch::parse_line;
use ptxasw::verify::NamedLaunch;

/// A launch for each line such as `// launch: k grid=1 block=32 args=f32[32]`.
pub fn of_header(text: &str) -> Vec<NamedLaunch> {
    let lines = text.lines();
    let lines = lines.filter_map(|line| line.strip_prefix("// launch:"));
    let launches = lines.map(|line| NamedLaunch {
        name: line.trim().to_owned(),
        kernel: None,
        launch: parse_line(line.trim())
            .expect("the launch parses")
            .instantiate()
            .expect("the launch is possible"),
    });
    launches.collect()
}
