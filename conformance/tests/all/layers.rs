//! The layers of the runner: each folder of `src` imports only folders that stand before it.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders, in the order in which they may import each other.
const LAYERS: [&str; 9] = [
    "http", "corpus", "oracle", "plan", "engine", "checks", "report", "run", "cli",
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .collect()
}

/// The layers that a text imports: the names after `crate::`.
fn imported(text: &str) -> impl Iterator<Item = &str> {
    text.split("crate::").skip(1).filter_map(|rest| {
        let name = rest
            .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .next()?;
        LAYERS.contains(&name).then_some(name)
    })
}

#[test]
fn a_layer_imports_only_layers_before_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut upward = Vec::new();
    for (at, layer) in LAYERS.iter().enumerate() {
        for file in files(&source.join(layer)) {
            let text = fs::read_to_string(&file).unwrap();
            let later = imported(&text).filter(|name| !LAYERS[..=at].contains(name));
            upward.extend(later.map(|name| format!("{} imports {name}", file.display())));
        }
    }
    assert_eq!(upward, [""; 0]);
}

#[test]
fn every_folder_is_a_layer() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folders = fs::read_dir(source).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<_> = folders
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let mut layers = LAYERS.map(str::to_owned);
    layers.sort();
    assert_eq!(names, layers);
}
