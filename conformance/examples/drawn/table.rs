//! The document that a measurement is written as.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::options::Options;
use crate::results::{Class, Judged, Line};
use crate::shared::figures::{NOTHING, percent, row, share, spread};

/// All results of a seed.
pub(crate) struct Table<'a> {
    options: &'a Options,
    lines: &'a [&'a Line],
}

impl<'a> Table<'a> {
    /// The document of these results.
    pub(crate) fn new(options: &'a Options, lines: &'a [&'a Line]) -> Self {
        Self { options, lines }
    }

    fn of(&self, class: Class) -> Vec<&'a Line> {
        let lines = self.lines.iter().copied();
        lines.filter(|line| line.class == class).collect()
    }

    /// The faults that the runner was asked about.
    fn faults(&self) -> Vec<&'a Line> {
        let faults = self.of(Class::Violates).into_iter();
        faults.filter(|line| line.judged.is_some()).collect()
    }
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.preface(f)?;
        f.write_str(METHOD)?;
        self.summary(f)?;
        self.matrix(f)?;
        self.roots(f)?;
        self.misses(f)?;
        self.suspects(f)
    }
}

impl Table<'_> {
    fn preface(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let today = jiff::Timestamp::now().strftime("%Y-%m-%d");
        let (seed, count, runner) = (self.options.seed, self.lines.len(), self.options.runner_seed);
        writeln!(
            f,
            "# How many drawn faults the conformance runner finds\n\n\
             Written by `conformance/examples/drawn`. Do not edit: run it again.\n\n\
             - On {today}: runner {version}, seed {runner}; {count} mutants of seed {seed}, 200 people\n\
             - `cargo run --release -p rollcall-conformance --example drawn -- --seed {seed} --count {asked} --results drawn.jsonl --write docs/conformance-drawn.md`\n\
             - The hand-written faults and the variants that conform: [conformance-shelf.md](conformance-shelf.md)\n",
            version = env!("CARGO_PKG_VERSION"),
            asked = self.options.count,
        )
    }

    fn summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults = self.faults();
        let judged: Vec<&Judged> = faults.iter().filter_map(|line| line.judged.as_ref()).collect();
        let undecided: Vec<_> = self.of(Class::Undecided);
        let asked = |lines: &[&Line]| lines.iter().filter(|line| line.judged.is_some()).count();
        let found = |lines: &[&Line]| lines.iter().filter(|line| line.is_found()).count();
        let equivalent = self.of(Class::Equivalent);
        f.write_str("\n## Summary\n\n")?;
        for (what, figure) in [
            ("mutants drawn", self.lines.len().to_string()),
            (
                "… that break the specification",
                self.of(Class::Violates).len().to_string(),
            ),
            ("… equivalent to the model", equivalent.len().to_string()),
            ("… undecided", undecided.len().to_string()),
            (
                "**detection rate**",
                format!("**{}**", share(found(&faults), faults.len())),
            ),
            (
                "undecided mutants with a failure",
                share(found(&undecided), asked(&undecided)),
            ),
            (
                "equivalent mutants with a failure",
                share(found(&equivalent), asked(&equivalent)),
            ),
            (
                "requests (median / most)",
                spread(judged.iter().map(|run| run.requests as f64), 0),
            ),
            (
                "seconds (median / most)",
                spread(judged.iter().map(|run| run.seconds), 1),
            ),
        ] {
            f.write_str(&row([what.to_owned(), figure]))?;
            if what == "mutants drawn" {
                f.write_str("| --- | ---: |\n")?;
            }
        }
        Ok(())
    }

    /// The detection rate of each kind of operator under each kind of condition.
    fn matrix(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults = self.faults();
        let conditions: BTreeSet<&str> = faults.iter().map(|line| line.condition.as_str()).collect();
        let kinds: BTreeSet<&str> = faults.iter().map(|line| line.kind.as_str()).collect();
        f.write_str("\n## Detection rate by kind and condition\n\nFound of all faults that break the specification.\n\n")?;
        let head = ["kind".to_owned(), "all".to_owned()].into_iter();
        f.write_str(&row(head.chain(conditions.iter().map(|one| (*one).to_owned()))))?;
        f.write_str(&row(std::iter::once("---")
            .chain(std::iter::repeat_n("---:", conditions.len() + 1))
            .map(str::to_owned)))?;
        let figure = |lines: &[&&Line]| {
            let found = lines.iter().filter(|line| line.is_found()).count();
            match lines.len() {
                0 => NOTHING.to_owned(),
                all => format!("{found}/{all} {}", percent(found, all)),
            }
        };
        let of = |kind: Option<&str>, condition: Option<&str>| {
            let lines = faults.iter().filter(|line| {
                kind.is_none_or(|kind| line.kind == kind)
                    && condition.is_none_or(|condition| line.condition == condition)
            });
            figure(&lines.collect::<Vec<_>>())
        };
        for kind in kinds.iter().map(|kind| Some(*kind)).chain([None]) {
            let cells = std::iter::once(None).chain(conditions.iter().map(|one| Some(*one)));
            let head = std::iter::once(kind.unwrap_or("all").to_owned());
            f.write_str(&row(head.chain(cells.map(|condition| of(kind, condition)))))?;
        }
        Ok(())
    }

    /// How many roots were told of a fault that was found.
    fn roots(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults = self.faults().into_iter().filter(|line| line.is_found());
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for judged in faults.filter_map(|line| line.judged.as_ref()) {
            *counts.entry(judged.roots).or_default() += 1;
        }
        let all = counts.values().sum();
        f.write_str("\n## Roots told of a fault that was found\n\n| roots | faults |\n| ---: | ---: |\n")?;
        for (roots, count) in counts {
            f.write_str(&row([roots.to_string(), share(count, all)]))?;
        }
        Ok(())
    }

    /// Every fault that was not found, by kind and condition, with a question that shows it.
    fn misses(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut groups: BTreeMap<(&str, &str), Vec<&Line>> = BTreeMap::new();
        for line in self.faults().into_iter().filter(|line| !line.is_found()) {
            groups
                .entry((line.kind.as_str(), line.condition.as_str()))
                .or_default()
                .push(line);
        }
        f.write_str("\n## Faults that were not found\n\nEach with a question whose answer breaks the specification.\n")?;
        for ((kind, condition), lines) in groups {
            write!(f, "\n### {kind}, {condition}: {}\n\n", lines.len())?;
            for line in lines {
                let name = line
                    .name
                    .split_once(": ")
                    .map_or(line.name.as_str(), |(_, rest)| rest);
                writeln!(
                    f,
                    "- {}. {name}. *Shown by* `{}`",
                    line.index,
                    line.shown.replace('`', "'")
                )?;
            }
        }
        Ok(())
    }

    /// Mutants that no answer tells from the model and that the runner has found something about.
    fn suspects(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self
            .of(Class::Equivalent)
            .into_iter()
            .filter(|line| line.is_found());
        let found: Vec<_> = found.collect();
        if found.is_empty() {
            return Ok(());
        }
        f.write_str(
            "\n## Equivalent mutants with a failure\n\nEither the classification or the runner is wrong.\n\n",
        )?;
        for line in found {
            let failed = line
                .judged
                .as_ref()
                .map(|judged| judged.failed.join(", "))
                .unwrap_or_default();
            writeln!(f, "- {}. {}: {failed}", line.index, line.name)?;
        }
        Ok(())
    }
}

const METHOD: &str = "## Method

A drawn fault is a mutant of the shelf's model: a mutation operator (what is changed) under a condition (for which records,
parameters, values, or place in the order of requests), drawn from a seed. The operators are in
`conformance/shelf/src/mutation`. They use the contract and the stored rows, and nothing of the runner.

A mutant is classified before the runner is asked (`conformance/shelf/src/equivalence`). It and the model are asked up to
1,600 reading questions, 400 of them about the parameters of its own operator and condition, and some hundred sequences of
writes and requests without a right. A question is a query with all pages that it has, or one page of it, on a used or a new
connection, with or without headers that do not matter, directly after another request or not.

- A mutant **breaks the specification** if one answer differs from the model's in what the specification fixes, and no
  variant of the shelf that gives another accepted answer at an open point gives that answer either.
- It is **equivalent** if its condition was met and no answer differs.
- It is **undecided** if its condition was never met, if all differences are explained by open points, or if it does the very
  same as an accepted variant. Undecided mutants are counted apart.

What a target always shows is its data: a mutant whose plain list shows another email breaks nothing as long as every other
answer goes with it. So the answers are compared with those of a model that has the records and the related records which
the mutant shows. Not compared: records within a day of a bound (L15, L16), windows over timestamps that no record shows
(L17), pages of an order that is not unique (L5), the order of related records, links (R2), empty relations (R9), unset
timestamps (R1), a refusal of an id of a strange form, a page past the end (L2). Not asked: empty values, commas, values of
more than 200 characters, words about soft deletion in another case, unknown states, repeated parameters, bodies whose outcome
is open (O4 to O7, A5).

The lists of workspace users and of attributes are extensions; no faults of reading them are drawn. They are read to see what
a write has stored.

A fault is found when any check fails. A root is a cause as the report tells it.
";
