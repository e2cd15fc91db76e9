//! The layers of the crates: a layer imports only layers that stand before it, and no file imports one that leads back to it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use rollcall_conformance::checks;

/// The crates that are written by hand, by their folder in the repository.
const CRATES: [&str; 13] = [
    "cli",
    RUNNER,
    ORACLE,
    "conformance/shelf",
    "contract",
    GENERATOR,
    "runtime",
    "server",
    "server/demo",
    "server/import",
    "server/pages",
    STORE,
    "shell",
];

/// The runner, and the crate that it judges by.
const RUNNER: &str = "conformance";
const ORACLE: &str = "conformance/oracle";

/// The crate with all SQL.
const STORE: &str = "server/store";

/// Its code has texts of other crates, with paths that are not its own.
const GENERATOR: &str = "generator";

/// A module whose files and folders import each other in one direction.
struct Layered {
    folder: &'static str,
    module: &'static str,
    /// Its folders, and its files if they have a place among them, in the order in which they may import each other.
    layers: &'static [&'static str],
    /// Whether its files have a place among them.
    has_files: bool,
}

const LAYERED: [Layered; 3] = [
    Layered {
        folder: ORACLE,
        module: "crate",
        layers: &["http", "open_points", "corpus", "judge", "plan"],
        has_files: false,
    },
    Layered {
        folder: RUNNER,
        module: "crate",
        layers: &[
            "engine",
            "cases",
            "discovery",
            "explore",
            "checks",
            "report",
            "run",
            "cli",
        ],
        has_files: false,
    },
    Layered {
        folder: STORE,
        module: "crate",
        layers: &[
            "clock",
            "ids",
            "lifecycle",
            "private_file",
            "error",
            "fold",
            "position",
            "sql",
            "schema",
            "job",
            "dialect",
            "grant",
            "memory",
            "tables",
            "migrate",
            "copy",
            "render",
            "query",
            "change",
            "access",
            "people",
            "threads",
            "open",
        ],
        has_files: true,
    },
];

pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .collect()
}

fn source(folder: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    root.join(folder).join("src")
}

/// The texts of a crate, by module.
fn modules(folder: &str) -> BTreeMap<String, String> {
    let source = source(folder);
    let sources = files(&source)
        .into_iter()
        .filter(|file| file.extension().is_some_and(|ending| ending == "rs"));
    let modules = sources.map(|file| {
        let place = file.strip_prefix(&source).unwrap().with_extension("");
        let names = place.iter().map(|name| name.to_str().unwrap());
        let names: Vec<_> = ["crate"].into_iter().chain(names).collect();
        let module = names.join("::");
        let module = ["::mod", "::lib"].iter().find_map(|end| module.strip_suffix(end));
        let module = module.map_or_else(|| names.join("::"), str::to_owned);
        (module, fs::read_to_string(&file).unwrap())
    });
    modules.collect()
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

/// The paths `crate::…` and `super::…` in a text outside of imports.
fn mentioned(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != ':');
    let paths = words.filter(|word| word.starts_with("crate::") || word.starts_with("super::"));
    paths.map(|path| path.trim_end_matches(':').to_owned())
}

/// The paths that a text imports or mentions.
fn paths(text: &str, mentions_its_own: bool) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code: String = lines.flat_map(|line| [line, "\n"]).collect();
    let mut paths = Vec::new();
    for statement in code.split(';') {
        let (before, path) = match statement.rsplit_once("use ") {
            Some((before, path)) if is_begun(before) => (before, expanded(path)),
            _ => (statement, vec![]),
        };
        paths.extend(mentioned(before).filter(|_| mentions_its_own));
        paths.extend(path);
    }
    paths
}

/// Whether an import may begin behind a text.
fn is_begun(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
    line.is_empty() || line.starts_with("pub")
}

/// A path of a module from the root of the crate, if it is within the crate.
fn rooted(module: &str, path: &str) -> Option<String> {
    let (mut at, mut rest) = (module, path);
    while let Some(inner) = rest.strip_prefix("super::") {
        (at, rest) = (at.rsplit_once("::")?.0, inner);
    }
    match at == module {
        true => path.starts_with("crate::").then(|| path.to_owned()),
        false => Some(format!("{at}::{rest}")),
    }
}

/// Whether a module stands in another one, or is it.
fn is_in(module: &str, outer: &str) -> bool {
    module
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// For each module of a crate, the modules that its code imports.
fn imported(folder: &str) -> BTreeMap<String, BTreeSet<String>> {
    let modules = modules(folder);
    let holder = |path: String| {
        let holders = modules.keys().filter(|module| is_in(&path, module));
        holders.max_by_key(|module| module.len()).cloned()
    };
    let imported = modules.iter().map(|(module, text)| {
        let paths = paths(code_of(text), folder != GENERATOR).into_iter();
        let imports = paths.filter_map(|path| rooted(module, &path).and_then(&holder));
        (module.clone(), imports.collect())
    });
    imported.collect()
}

#[test]
fn a_layer_imports_only_layers_before_it() {
    let mut upward = Vec::new();
    for Layered {
        folder,
        module,
        layers,
        has_files,
    } in LAYERED
    {
        let place = |path: &str| {
            let name = path
                .strip_prefix(module)?
                .strip_prefix("::")?
                .split("::")
                .next()?;
            layers.iter().position(|layer| *layer == name)
        };
        for (file, imports) in imported(folder) {
            let Some(own) = place(&file) else { continue };
            // A module with such files re-exports what all of its layers have.
            let is_whole = |import: &String| has_files && import == module;
            let is_wrong = |import: &&String| is_whole(import) || place(import) > Some(own);
            let wrong = imports.iter().filter(is_wrong);
            upward.extend(wrong.map(|import| format!("{folder}: {file} imports {import}")));
        }
    }
    assert_eq!(upward, [""; 0]);
}

#[test]
fn everything_that_is_layered_has_a_place() {
    for layered in LAYERED {
        let folder = layered
            .module
            .split("::")
            .skip(1)
            .fold(source(layered.folder), |at, name| at.join(name));
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let paths = paths.filter(|path| path.is_dir() || layered.has_files);
        let names = paths.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned());
        let names: BTreeSet<_> = names.filter(|name| name != "mod" && name != "lib").collect();
        let layers: BTreeSet<_> = layered.layers.iter().map(|layer| (*layer).to_owned()).collect();
        assert_eq!(names, layers, "{}", layered.module);
    }
}

#[test]
fn no_file_imports_one_that_leads_back_to_it() {
    let (mut arrows, mut files) = (0, 0);
    for folder in CRATES {
        let mut modules = imported(folder);
        // A folder and the files in it may know each other.
        for (module, imports) in &mut modules {
            imports.retain(|import| !is_in(module, import) && !is_in(import, module));
        }
        arrows += modules.values().map(BTreeSet::len).sum::<usize>();
        files += modules.len();
        // A file all of whose imports are in no circle is in none.
        loop {
            let left: BTreeSet<String> = modules.keys().cloned().collect();
            modules.retain(|_, imports| imports.iter().any(|file| left.contains(file)));
            if modules.len() == left.len() {
                break;
            }
        }
        assert_eq!(modules.into_keys().collect::<Vec<_>>(), [""; 0], "{folder}");
    }
    assert!(arrows > files, "the imports are read");
}

#[test]
fn the_server_writes_sql_in_its_store_alone() {
    let (mut readers, mut writers) = (0, Vec::new());
    for folder in CRATES.into_iter().filter(|folder| *folder != STORE) {
        let modules = modules(folder).into_iter();
        for (module, text) in modules.filter(|(module, _)| !module.contains("::tests")) {
            readers += usize::from(text.contains("rollcall_store::"));
            if code_of(&text).contains("rollcall_store::sql") {
                writers.push(format!("{folder}: {module}"));
            }
        }
    }
    assert_eq!(writers, [""; 0]);
    assert!(readers > 20, "the crates that use the store are read");
}

/// The crates of the server, each with those of them that it may use.
const SERVER: [(&str, &[&str]); 5] = [
    ("server/store", &[]),
    ("server/import", &["store"]),
    ("server/demo", &["store"]),
    ("server/pages", &[]),
    ("server", &["demo", "import", "pages", "store"]),
];

#[test]
fn the_crates_of_the_server_use_each_other_in_one_direction() {
    for (folder, allowed) in SERVER {
        let manifest = source(folder).with_file_name("Cargo.toml");
        let manifest = fs::read_to_string(manifest).unwrap();
        let names = ["store", "import", "demo", "pages", "server"].into_iter();
        let used = names.filter(|name| manifest.contains(&format!("\nrollcall-{name}.workspace")));
        let used: BTreeSet<_> = used.collect();
        assert_eq!(used, allowed.iter().copied().collect(), "{folder}");
    }
}

/// The text of a file without its tests.
fn code_of(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod ").next().unwrap_or_default()
}

/// The lines of a file that run, without its tests.
fn code(text: &str) -> impl Iterator<Item = &str> {
    code_of(text)
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
}

#[test]
fn the_number_of_a_check_stands_in_its_entry_alone() {
    // The questions of open points have numbers of the same form.
    let points = source(RUNNER).join("checks/points");
    let ids: BTreeSet<String> = checks::all().map(|check| format!("\"{}\"", check.id)).collect();
    let mut elsewhere = Vec::new();
    let sources = [RUNNER, ORACLE]
        .into_iter()
        .flat_map(|folder| files(&source(folder)));
    for file in sources.filter(|file| !file.starts_with(&points)) {
        let text = fs::read_to_string(&file).unwrap();
        let lines = code(&text).filter(|line| !line.trim_start().starts_with("id: "));
        let named = lines.filter(|line| ids.iter().any(|id| line.contains(id.as_str())));
        elsewhere.extend(named.map(|line| format!("{}: {}", file.display(), line.trim())));
    }
    assert_eq!(elsewhere, [""; 0]);
}
