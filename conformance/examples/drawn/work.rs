//! Classifies and judges the mutants that have no result yet, several at once, each on a thread of its own.

use rollcall_shelf::equivalence::{self, Effort};
use rollcall_shelf::mutation::{Mutant, mutants};

use std::collections::VecDeque;
use std::error::Error;
use std::time::Duration;

use crate::judge;
use crate::options::Options;
use crate::results::{Class, Judged, Line, Results};
use crate::shared::queue;

/// How long a run may take.
const LONGEST: Duration = Duration::from_secs(300);

/// Works through the mutants of a seed.
pub(crate) fn through(options: &Options, results: &mut Results) -> Result<(), Box<dyn Error>> {
    let done = results.done(options.seed);
    let open = mutants(options.seed).take(options.count).enumerate();
    let is_wanted = |index: &usize| options.only.is_empty() || options.only.contains(index);
    let open: VecDeque<(usize, Mutant)> = open
        .filter(|(index, _)| is_wanted(index) && !done.contains(index))
        .collect();
    queue::through(
        open,
        options.jobs,
        |(index, mutant)| line(*index, mutant, options).map_err(|error| error.to_string()),
        |(number, count), (index, _), line| {
            match line {
                Err(error) => eprintln!("{number}/{count} {index}: not measured: {error}"),
                Ok(line) => {
                    eprintln!("{number}/{count} {index} {}", outcome(&line));
                    results.add(line)?;
                }
            }
            Ok(())
        },
    )
}

fn line(index: usize, mutant: &Mutant, options: &Options) -> Result<Line, Box<dyn Error>> {
    let (class, shown) = match equivalence::decide(mutant, Effort::FULL) {
        equivalence::Class::Violates(shown) => (Class::Violates, shown),
        equivalence::Class::Equivalent => (Class::Equivalent, String::new()),
        equivalence::Class::Undecided(why) => (Class::Undecided, why.to_owned()),
    };
    let is_judged = match class {
        Class::Equivalent => options.equivalent_every > 0 && index.is_multiple_of(options.equivalent_every),
        Class::Violates | Class::Undecided => true,
    };
    let judged = match is_judged && !options.classify_only {
        true => Some(judged(mutant, options, index)?),
        false => None,
    };
    Ok(Line {
        seed: options.seed,
        index,
        name: mutant.name(),
        kind: mutant.operator.kind.to_owned(),
        condition: mutant.condition.class().to_owned(),
        class,
        shown,
        judged,
    })
}

/// Serves the mutant and makes a run on it; both end with the runtime.
fn judged(mutant: &Mutant, options: &Options, index: usize) -> Result<Judged, Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async { tokio::time::timeout(LONGEST, judge::judge(mutant, options, index)).await? })
}

fn outcome(line: &Line) -> String {
    let judged = line.judged.as_ref().map_or("not judged".to_owned(), |judged| {
        format!(
            "{:?}, {} roots, {:.1} s",
            judged.failed, judged.roots, judged.seconds
        )
    });
    format!("{:?} {judged}: {}", line.class, line.name)
}
