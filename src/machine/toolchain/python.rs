//! Python interpreters, for tools that are Python modules.

use super::Search;
use super::find::site_packages;
use std::path::PathBuf;

/// An interpreter and where it finds modules besides its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Python {
    /// The interpreter.
    pub program: PathBuf,
    /// A folder of modules to add.
    pub modules: Option<PathBuf>,
}

impl Search {
    /// The interpreters to try, in order: that of the installed wheels' virtual environment; where the wheels were put into
    /// a plain folder, `python3` with that folder; `python3` alone.
    pub fn pythons(&self) -> Vec<Python> {
        let mut found = Vec::new();
        let system = self.on_path("python3");
        if let Some(root) = &self.toolchain {
            let own = root.join("bin").join("python");
            if own.is_file() {
                found.push(Python {
                    program: own,
                    modules: None,
                });
            }
            for modules in site_packages(root) {
                found.extend(system.clone().map(|program| Python {
                    program,
                    modules: Some(modules),
                }));
            }
        }
        found.extend(system.map(|program| Python {
            program,
            modules: None,
        }));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_plain_folder_of_wheels_is_read_by_the_python_on_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let site = folder.path().join("lib/python3/site-packages");
        fs::create_dir_all(&site).unwrap();
        let program = folder.path().join("python3");
        fs::write(&program, "").unwrap();
        let search = Search {
            toolchain: Some(folder.path().into()),
            path: vec![folder.path().into()],
            ..Search::default()
        };
        let found = search.pythons();
        let modules: Vec<_> = found.iter().map(|python| python.modules.clone()).collect();
        assert_eq!(modules, [Some(site), None]);
        assert!(found.iter().all(|python| python.program == program));
        let own = folder.path().join("bin/python");
        fs::create_dir_all(folder.path().join("bin")).unwrap();
        fs::write(&own, "").unwrap();
        assert_eq!(search.pythons()[0].program, own);
    }
}
