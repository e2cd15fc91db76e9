//! The layers of the runner: each folder of `src` imports only folders that stand before it, and no file imports one that
//! leads back to it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use rollcall_conformance::checks;

/// The folders, in the order in which they may import each other.
const LAYERS: [&str; 10] = [
    "http",
    "open_points",
    "corpus",
    "oracle",
    "plan",
    "engine",
    "checks",
    "report",
    "run",
    "cli",
];

pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
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

/// The paths that a list of names in braces stands for: `a::{b, c::d}` are `a::b` and `a::c::d`.
fn expanded(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else {
        return vec![path.trim().to_owned()];
    };
    let inner = rest.trim_end().strip_suffix('}').unwrap_or(rest);
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for letter in inner.chars() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        match (letter, depth) {
            (',', 0) => parts.push(String::new()),
            _ => parts.last_mut().unwrap().push(letter),
        }
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts
        .flat_map(|part| expanded(&format!("{}{}", before.trim(), part.trim())))
        .collect()
}

/// The paths that a file imports, from the root of the crate.
fn imports(module: &str, text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
    let paths = code.split(';').filter_map(|statement| {
        let (before, path) = statement.rsplit_once("use ")?;
        let line = before.rsplit('\n').next()?;
        (line.is_empty() || line.starts_with("pub")).then(|| expanded(path))
    });
    let paths = paths.flatten();
    let rooted = paths.map(|path| match path.strip_prefix("super::") {
        Some(rest) => format!("{}::{rest}", module.rsplit_once("::").unwrap_or_default().0),
        None => path,
    });
    rooted.filter(|path| path.starts_with("crate::")).collect()
}

/// Whether a module stands in another one, or is it.
fn is_in(module: &str, outer: &str) -> bool {
    module
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// For each file, the files that it imports; a folder and the files in it may know each other.
fn imported_files() -> BTreeMap<String, BTreeSet<String>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let texts: BTreeMap<String, String> = files(&source)
        .into_iter()
        .filter(|file| file.extension().is_some_and(|ending| ending == "rs"))
        .map(|file| {
            let place = file.strip_prefix(&source).unwrap().with_extension("");
            let names = place.iter().map(|name| name.to_str().unwrap());
            let names: Vec<_> = ["crate"].into_iter().chain(names).collect();
            let module = names.join("::");
            let module = module.strip_suffix("::mod").unwrap_or(&module);
            (module.to_owned(), fs::read_to_string(&file).unwrap())
        })
        .collect();
    let file_of = |path: &String| {
        let holders = texts.keys().filter(|module| is_in(path, module));
        holders.max_by_key(|module| module.len()).cloned()
    };
    let imported = texts.iter().map(|(module, text)| {
        let files = imports(module, text);
        let files = files.iter().filter_map(file_of);
        let others = files.filter(|file| !is_in(module, file) && !is_in(file, module));
        (module.clone(), others.collect())
    });
    imported.collect()
}

#[test]
fn no_file_imports_one_that_leads_back_to_it() {
    let mut files = imported_files();
    let arrows: usize = files.values().map(BTreeSet::len).sum();
    assert!(arrows > files.len(), "the imports are read");
    // A file all of whose imports are in no circle is in none.
    loop {
        let left: BTreeSet<String> = files.keys().cloned().collect();
        files.retain(|_, imported| imported.iter().any(|file| left.contains(file)));
        if files.len() == left.len() {
            break;
        }
    }
    assert_eq!(files.into_keys().collect::<Vec<_>>(), [""; 0]);
}

/// The lines of a file that run, without its tests.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//"))
}

#[test]
fn the_number_of_a_check_stands_in_its_entry_alone() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    // The questions of open points have numbers of the same form.
    let is_of_points = |file: &PathBuf| file.starts_with(source.join("checks/points"));
    let ids: BTreeSet<String> = checks::all().map(|check| format!("\"{}\"", check.id)).collect();
    let mut elsewhere = Vec::new();
    for file in files(&source).into_iter().filter(|file| !is_of_points(file)) {
        let text = fs::read_to_string(&file).unwrap();
        let lines = code(&text).filter(|line| !line.trim_start().starts_with("id: "));
        let named = lines.filter(|line| ids.iter().any(|id| line.contains(id.as_str())));
        elsewhere.extend(named.map(|line| format!("{}: {}", file.display(), line.trim())));
    }
    assert_eq!(elsewhere, [""; 0]);
}
