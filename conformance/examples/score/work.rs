//! Makes the runs that are still to be made, several at once, each on a thread of its own.

use std::collections::VecDeque;
use std::error::Error;
use std::time::Duration;

use crate::measure;
use crate::options::Options;
use crate::plan::{Task, Tool};
use crate::results::{Came, Line, Results};
use crate::rival;
use crate::shared::queue;
use crate::subjects::Subjects;

/// How long a run may take.
const LONGEST: Duration = Duration::from_secs(600);

/// Makes the runs that have no result yet.
pub(crate) fn through(
    tasks: Vec<Task>,
    options: &Options,
    subjects: &Subjects,
    results: &mut Results,
) -> Result<(), Box<dyn Error>> {
    let done = results.done();
    let open: VecDeque<Task> = tasks.into_iter().filter(|task| !done.contains(task)).collect();
    queue::through(
        open,
        options.jobs,
        |task| make(task, options, subjects).map_err(|error| error.to_string()),
        |(number, count), task, came| {
            eprintln!("{number}/{count} {} {}", about(&task), outcome(&came));
            if let Ok(came) = came {
                results.add(Line { task, came })?;
            }
            Ok(())
        },
    )
}

/// Serves the target and makes a run on it; both end with the runtime.
fn make(task: &Task, options: &Options, subjects: &Subjects) -> Result<Came, Box<dyn Error>> {
    let subject = subjects.named(&task.target).ok_or("there is no such target")?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let run = async {
            Ok(match (task.tool, &options.schemathesis) {
                (Tool::Runner, _) => Came::Judged(measure::judge(task, &subject.variant).await?),
                (Tool::Schemathesis, Some(path)) => {
                    Came::Tested(rival::test(path, task, &subject.variant).await?)
                }
                (Tool::Schemathesis, None) => return Err("where Schemathesis is was not said".into()),
            })
        };
        tokio::time::timeout(LONGEST, run).await?
    })
}

fn about(task: &Task) -> String {
    format!(
        "{:?} {} people, seed {}: {}:",
        task.tool, task.people, task.seed, task.target
    )
}

fn outcome(came: &Result<Came, String>) -> String {
    match came {
        Err(error) => format!("not measured: {error}"),
        Ok(Came::Judged(judged)) => format!(
            "failed {:?}, {} requests, {:.2} s",
            judged.failed, judged.requests, judged.seconds
        ),
        Ok(Came::Tested(tested)) => format!(
            "{} failures, {} requests, {:.2} s",
            tested.failures.len(),
            tested.requests,
            tested.seconds
        ),
    }
}
