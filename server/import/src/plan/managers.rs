//! Who manages whom: a name in the file leads to a person of the file or of the store, or refuses the person who has it.

use rollcall_store::fold::identity;

use super::{Manager, Plan};
use crate::check;
use crate::request::Fault;
use crate::store_lookup::StoreLookup;

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
        let by_key = self.by_key.get(name).map(|found| Manager::Draft(*found));
        let by_email = || {
            let found = self.by_email.get(&identity(name));
            found.map(|found| Manager::Addressed(*found))
        };
        Ok(match by_key.or_else(by_email) {
            Some(Manager::Draft(found) | Manager::Addressed(found))
                if found == place || own(&self.drafts[found].user) =>
            {
                Err("is the person themselves")
            }
            Some(found) => Ok(found),
            None => match store.user(name)? {
                Some(found) if own(&found.id) => Err("is the person themselves"),
                Some(found) => Ok(Manager::User(found.id)),
                None => match &store.with_email(name)?[..] {
                    [] => Err("is neither in the file nor in the store"),
                    [user] if own(user) => Err("is the person themselves"),
                    [user] if self.has(user) => Err("is an email that the file takes from its owner"),
                    [user] => Ok(Manager::User(user.clone())),
                    [..] => Err("is the email of more than one user"),
                },
            },
        })
    }
}
