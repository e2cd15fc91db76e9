//! The commands, from the contract: `GET /directory/users` is `directory users list`, and `filter[email]` its flag `--email`.

use clap::{Arg, ArgAction, ArgMatches, Command, Subcommand as _, value_parser};
use rollcall_contract::{Contract, Operation, Parameter, Position, Role};
use rollcall_shell::ShellFiles;
use serde_json::Value;

use crate::output::Form;

const ABOUT: &str = "Calls a server of the Directory and Workspace Provisioning API";

const AFTER_HELP: &str = "\
Exit codes: 0 the call succeeded; 1 the server refused it or did not answer; 2 the arguments cannot be used.

    export ROLLCALL_URL=http://127.0.0.1:8080/api/v1 ROLLCALL_TOKEN=…
    rollcall directory users list --email-search example.com --sort last_name
    rollcall directory users list --all --output csv > users.csv";

/// The whole command line.
pub(crate) fn root(contract: &Contract) -> Command {
    let root = Command::new("rollcall")
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .after_help(AFTER_HELP)
        .subcommand_required(true)
        .args(everywhere());
    let root = contract.operations.iter().fold(root, |root, operation| {
        add(root, &words(operation), leaf(contract, operation))
    });
    // The commands of every program come with a sentence of their own.
    ShellFiles::augment_subcommands(root).about(ABOUT)
}

/// What the records of an operation are called: `directory users`.
pub(crate) fn records(operation: &Operation) -> String {
    let words = words(operation);
    let verbs = words.len().saturating_sub(1);
    words[..verbs].join(" ")
}

/// The operation that the arguments name, and its own arguments.
pub(crate) fn chosen<'c, 'm>(
    contract: &'c Contract,
    mut matches: &'m ArgMatches,
) -> Option<(&'c Operation, &'m ArgMatches)> {
    let mut named = Vec::new();
    while let Some((name, below)) = matches.subcommand() {
        named.push(name);
        matches = below;
    }
    let operation = contract
        .operations
        .iter()
        .find(|operation| words(operation) == named)?;
    Some((operation, matches))
}

/// The words of an operation: its path without the identifier, then what it does with the records there.
fn words(operation: &Operation) -> Vec<&str> {
    let is_id = |segment: &&str| segment.starts_with('{');
    let segments: Vec<&str> = operation.path.split('/').skip(1).collect();
    let mut words: Vec<&str> = segments
        .iter()
        .copied()
        .filter(|segment| !is_id(segment))
        .collect();
    if operation.list.is_some() {
        words.push("list");
    } else if segments.last().is_some_and(is_id) {
        words.push("get");
    }
    words
}

fn add(command: Command, words: &[&str], leaf: Command) -> Command {
    let Some((word, below)) = words.split_first() else {
        return command;
    };
    let name = (*word).to_owned();
    if below.is_empty() {
        return command.subcommand(leaf.name(name));
    }
    if command.find_subcommand(word).is_some() {
        return command.mut_subcommand(name, |group| add(group, below, leaf));
    }
    let group =
        Command::new(name.clone()).about(format!("Commands about {}", words[..words.len() - 1].join(" ")));
    let group = group.subcommand_required(true).arg_required_else_help(true);
    command.subcommand(add(group, below, leaf))
}

fn leaf(contract: &Contract, operation: &Operation) -> Command {
    let mut command = Command::new("leaf").arg_required_else_help(false);
    if let Some(summary) = &operation.summary {
        command = command.about(summary.clone());
    }
    if let Some(description) = &operation.description {
        command = command.long_about(description.clone());
    }
    let parameters = operation.parameters.iter().map(|one| argument(contract, one));
    command = command
        .args(parameters)
        .args(members(contract, operation).map(|(name, schema)| {
            let arg = flag(flag_name(name), schema_text(contract, schema, "description"));
            arg.value_name(value_name(contract, schema))
                .allow_hyphen_values(true)
        }));
    if operation.role(Role::Page).is_some() {
        let all = Arg::new("all").long("all").action(ArgAction::SetTrue);
        command = command.arg(all.help("The records of all pages").conflicts_with("page"));
    }
    command
}

/// The members of the body that an operation takes, each with its schema.
pub(crate) fn members<'c>(
    contract: &'c Contract,
    operation: &'c Operation,
) -> impl Iterator<Item = (&'c str, &'c Value)> {
    let schema = operation
        .request_body
        .as_deref()
        .and_then(|name| contract.document().schema(name));
    let members = schema.and_then(|schema| schema.get("properties")?.as_object());
    members
        .into_iter()
        .flatten()
        .map(|(name, schema)| (name.as_str(), schema))
}

fn argument(contract: &Contract, parameter: &Parameter) -> Arg {
    let long = parameter.description.clone().unwrap_or_default();
    let help = without_origin(&long).to_owned();
    if parameter.position == Position::Path {
        return Arg::new("id")
            .value_name(parameter.name.to_uppercase())
            .required(true)
            .help(help);
    }
    // A hyphen begins a word of `sort`, and may begin any text that is looked for.
    let arg = flag(flag_name(&parameter.name), help)
        .long_help(long)
        .allow_hyphen_values(true);
    let words = contract
        .document()
        .underlying(&parameter.schema["items"])
        .get("enum")
        .and_then(Value::as_array);
    match words {
        Some(words) if parameter.is_comma_separated => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            let long = format!(
                "{} With commas between them: {}",
                parameter.description.as_deref().unwrap_or_default(),
                words.join(", ")
            );
            arg.value_name("WORDS").long_help(long)
        }
        _ => arg.value_name(value_name(contract, &parameter.schema)),
    }
}

/// A description without its last sentence, if that says where a parameter comes from: `-h` is for callers, `--help` for reviewers.
fn without_origin(description: &str) -> &str {
    let ends = [" Specified in ", " Extension"];
    let end = ends.iter().filter_map(|end| description.rfind(end)).min();
    end.map_or(description, |end| &description[..end])
}

fn flag(name: String, help: impl Into<String>) -> Arg {
    Arg::new(name.clone()).long(name).help(help.into())
}

/// The flag of a parameter or member: `filter[email_search]` is `email-search`, `page[size]` is `page-size`.
pub(crate) fn flag_name(name: &str) -> String {
    let name = name
        .strip_prefix("filter[")
        .and_then(|name| name.strip_suffix(']'))
        .unwrap_or(name);
    name.replace(['[', '_'], "-").replace(']', "").to_lowercase()
}

/// What stands for a value in the help: its words, if there are a few, or the name of its type.
fn value_name(contract: &Contract, schema: &Value) -> String {
    let underlying = contract.document().underlying(schema);
    let words = underlying.get("enum").and_then(Value::as_array);
    let words: Vec<&str> = words.into_iter().flatten().filter_map(Value::as_str).collect();
    match (words.is_empty(), underlying.get("type").and_then(Value::as_str)) {
        (false, _) => words.join("|"),
        (true, Some("boolean")) => "true|false".to_owned(),
        (true, Some("integer")) => "NUMBER".to_owned(),
        (true, _) => "TEXT".to_owned(),
    }
}

fn schema_text(contract: &Contract, schema: &Value, key: &str) -> String {
    let own = schema
        .get(key)
        .or_else(|| contract.document().underlying(schema).get(key));
    own.and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The flags of every command.
fn everywhere() -> [Arg; 4] {
    let url = Arg::new("url").long("url").value_name("URL").env("ROLLCALL_URL");
    let token = Arg::new("token")
        .long("token")
        .value_name("TOKEN")
        .env("ROLLCALL_TOKEN");
    let output = Arg::new("output")
        .long("output")
        .value_name("FORM")
        .value_parser(value_parser!(Form));
    let columns = Arg::new("columns")
        .long("columns")
        .value_name("MEMBERS")
        .value_delimiter(',');
    [
        url.default_value("http://127.0.0.1:8080/api/v1")
            .help("The base address of the server"),
        token
            .hide_env_values(true)
            .help("The access token; better given in the environment, where no other user sees it"),
        output.help("The form of the output; without it a table on a terminal, JSON lines elsewhere"),
        columns.help("The members to show in a table or in CSV, such as id,timestamp.created_at"),
    ]
    .map(|arg| arg.global(true).help_heading("For every command"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contract() -> Contract {
        Contract::parse(crate::CONTRACT).unwrap()
    }

    #[test]
    fn every_operation_is_a_command_and_every_parameter_a_flag() {
        let contract = contract();
        let root = root(&contract);
        root.clone().debug_assert();
        for operation in &contract.operations {
            let command = words(operation)
                .into_iter()
                .try_fold(&root, |command, word| command.find_subcommand(word));
            let command = command.unwrap_or_else(|| panic!("{} is no command", operation.id));
            let flags: Vec<&str> = command.get_arguments().map(|arg| arg.get_id().as_str()).collect();
            let parameters = operation
                .parameters
                .iter()
                .filter(|one| one.position != Position::Path);
            let names = parameters
                .map(|one| one.name.as_str())
                .chain(members(&contract, operation).map(|(name, _)| name));
            for name in names {
                assert!(
                    flags.contains(&flag_name(name).as_str()),
                    "{}: {name}",
                    operation.id
                );
            }
        }
    }

    #[test]
    fn no_two_operations_are_one_command() {
        let contract = contract();
        let mut all: Vec<_> = contract.operations.iter().map(words).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), contract.operations.len());
    }

    #[test]
    fn a_flag_is_named_after_its_parameter() {
        for (name, flag) in [
            ("filter[email_search]", "email-search"),
            ("filter", "filter"),
            ("page[size]", "page-size"),
            ("If-Match", "if-match"),
            ("expires_after_days", "expires-after-days"),
        ] {
            assert_eq!(flag_name(name), flag);
        }
    }
}
