//! Who manages whom: a name in the file leads to a person of the file or of the store, or refuses the person who has it.

use std::collections::HashMap;

use super::{Draft, DraftStatus, Manager, Plan};
use crate::import::check;
use crate::import::run::Fault;
use crate::import::store_lookup::StoreLookup;
use crate::store::fold::identity;

impl Plan {
    pub(super) fn find_managers(&mut self, store: &StoreLookup<'_>) -> Result<(), Fault> {
        for place in 0..self.drafts.len() {
            let Manager::Named(name) = std::mem::replace(&mut self.drafts[place].manager, Manager::None)
            else {
                continue;
            };
            match self.find(store, &name, place)? {
                Ok(manager) => self.drafts[place].manager = manager,
                Err(reason) => self.refuse(place, format!("manager: {:?} {reason}", check::label(&name))),
            }
        }
        Ok(())
    }

    /// Whom a manager's name stands for: a key, else an email; of the file, else of the store.
    fn find(
        &self,
        store: &StoreLookup<'_>,
        name: &str,
        place: usize,
    ) -> Result<Result<Manager, &'static str>, Fault> {
        let own = |user: &str| !user.is_empty() && user == self.drafts[place].user;
        let in_file = self
            .by_key
            .get(name)
            .or_else(|| self.by_email.get(&identity(name)));
        Ok(match in_file {
            Some(found) if *found == place || own(&self.drafts[*found].user) => {
                Err("is the person themselves")
            }
            Some(found) => Ok(Manager::Draft(*found)),
            None => match store.user(name)? {
                Some(found) if own(&found.id) => Err("is the person themselves"),
                Some(found) => Ok(Manager::User(found.id)),
                None => match &store.with_email(name)?[..] {
                    [] => Err("is neither in the file nor in the store"),
                    [user] if own(user) => Err("is the person themselves"),
                    [user] => Ok(Manager::User(user.clone())),
                    [..] => Err("is the email of more than one user"),
                },
            },
        })
    }

    /// Refuses those whose manager is refused and not in the store, and those below them.
    pub(super) fn refuse_reports_of_refused(&mut self) {
        let is_lost = |draft: &Draft| draft.status == DraftStatus::Refused(false);
        let mut lost: Vec<usize> = (0..self.drafts.len())
            .filter(|place| is_lost(&self.drafts[*place]))
            .collect();
        if lost.is_empty() {
            return;
        }
        let mut reports: HashMap<usize, Vec<usize>> = HashMap::new();
        for (place, draft) in self.drafts.iter().enumerate() {
            if let Manager::Draft(manager) = draft.manager {
                reports.entry(manager).or_default().push(place);
            }
        }
        while let Some(manager) = lost.pop() {
            let line = self.drafts[manager].line;
            for report in reports.remove(&manager).unwrap_or_default() {
                self.refuse(report, format!("manager: is refused, see line {line}"));
                if is_lost(&self.drafts[report]) {
                    lost.push(report);
                }
            }
        }
    }
}
