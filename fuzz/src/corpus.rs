//! The corpus of a target: real inputs, chosen by hand, and every finding.

use std::path::PathBuf;

use crate::Input;

/// The inputs in a target's folder.
#[derive(Clone, Debug)]
pub struct Corpus {
    files: Vec<(PathBuf, Input)>,
}

/// The name of a target: that of its module.
pub(crate) fn name(module: &str) -> &str {
    module.rsplit("::").next().unwrap_or(module)
}

impl Corpus {
    /// Reads the corpus of the target in a module.
    ///
    /// # Panics
    /// The folder is missing or empty, or a file cannot be read.
    pub fn of(module: &str) -> Self {
        let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus")).join(name(module));
        let entries = std::fs::read_dir(&folder);
        let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        assert!(!paths.is_empty(), "{} is empty", folder.display());
        let read = |path: PathBuf| match std::fs::read(&path) {
            Ok(bytes) => (path, Input::new(bytes)),
            Err(error) => panic!("{}: {error}", path.display()),
        };
        Self {
            files: paths.into_iter().map(read).collect(),
        }
    }

    /// Holds every file against the property; the last file that is printed is the one that fails.
    pub fn replay(&self, property: fn(&[u8])) {
        for (path, input) in &self.files {
            println!("{}", path.display());
            property(input.bytes());
        }
    }

    /// The inputs, in the order of their file names.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.files.iter().map(|(_, input)| input)
    }
}
