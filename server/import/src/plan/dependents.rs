//! A refused person takes others along: the reports of the person, and people to whom the file gives the email of the person.

use std::collections::HashMap;

use super::{DraftStatus, Manager, Plan};

/// By a person of the file: those who depend on it.
type Dependents = HashMap<usize, Vec<usize>>;

impl Plan {
    /// Refuses the people who depend on a refused person, and those who depend on them in turn.
    ///
    /// A person depends on their manager, if the store does not have the manager. A person also depends on the present owner of
    /// their email: a refused owner keeps it. `emails` has, for a place in the file, the user who owns the email now.
    pub(super) fn refuse_dependents(&mut self, emails: Vec<(usize, String)>) {
        let mut takers = Dependents::new();
        for (place, owner) in emails {
            match self.by_user.get(&owner) {
                // In the file, the owner gives the email up: the file has each email once.
                Some(owner) => takers.entry(*owner).or_default().push(place),
                None => self.refuse_taker(place, &owner),
            }
        }
        let is_refused = |place: &usize| matches!(self.drafts[*place].status, DraftStatus::Refused(_));
        let mut refused: Vec<usize> = (0..self.drafts.len()).filter(is_refused).collect();
        if refused.is_empty() {
            return;
        }
        let mut reports = Dependents::new();
        for (place, draft) in self.drafts.iter().enumerate() {
            if let Manager::Draft(manager) | Manager::Addressed(manager) = draft.manager {
                reports.entry(manager).or_default().push(place);
            }
        }
        while let Some(one) = refused.pop() {
            let (line, owner) = (self.drafts[one].line, self.drafts[one].user.clone());
            let mut dependents = takers.remove(&one).unwrap_or_default();
            dependents
                .iter()
                .for_each(|taker| self.refuse_taker(*taker, &owner));
            let is_unknown = self.drafts[one].status == DraftStatus::Refused(false);
            // A refused person does not get the email of the row, so the email does not name the person.
            let is_lost = |report: &usize| {
                let by_email = self.drafts[*report].manager == Manager::Addressed(one);
                is_unknown || (by_email && !self.drafts[one].has_email)
            };
            let reports = reports.remove(&one).unwrap_or_default();
            let reports: Vec<usize> = reports.into_iter().filter(is_lost).collect();
            for report in &reports {
                self.refuse(*report, format!("manager: is refused, see line {line}"));
            }
            dependents.extend(reports);
            refused.extend(dependents);
        }
    }

    fn refuse_taker(&mut self, place: usize, owner: &str) {
        self.refuse(place, format!("email: belongs to the user {owner} already"));
    }
}
