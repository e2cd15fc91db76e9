//! Writes to the rows of both sides, as an import does.

use proptest::sample::Index;
use rollcall_store::Result;
use rollcall_store::change::fields::Fields;
use rollcall_store::change::unit::Unit;
use serde_json::{Value, json};

use super::change::{Change, Kind, picked};
use super::compare::Verdict;
use super::home::fields;
use super::row::{Row, text};
use super::world::World;

impl World {
    /// Writes to rows, as an import does.
    pub(super) fn write(&mut self, change: &Change) -> Verdict {
        let directory = &self.directory;
        let user = |at: &Index| picked(directory, "directory_users", at);
        match change {
            Change::Assign(at, attribute) => {
                let Some(user) = user(at) else { return Ok(()) };
                let Some(attribute) = picked(directory, "directory_attributes", attribute) else {
                    return Ok(());
                };
                let link = Row::from([
                    ("directory_user_id", json!(user)),
                    ("directory_attribute_id", json!(attribute)),
                ]);
                if !self.directory.rows("user_attributes").contains(&link) {
                    self.link(&link, |unit, fields| unit.insert("user_attributes", fields))?;
                    self.directory
                        .tables
                        .entry("user_attributes")
                        .or_default()
                        .push(link);
                }
            }
            Change::Unassign(at) => {
                let links = directory.rows("user_attributes");
                if links.is_empty() {
                    return Ok(());
                }
                let link = at.get(links).clone();
                self.link(&link, |unit, fields| unit.delete("user_attributes", fields))?;
                self.directory
                    .tables
                    .entry("user_attributes")
                    .or_default()
                    .retain(|known| *known != link);
            }
            Change::Report(at, manager) => {
                let manager = manager.as_ref().and_then(user);
                self.put(Kind::User, user(at), ("manager_id", json!(manager)))?;
            }
            Change::Belong(at, parent) => {
                let parent = parent.as_ref().and_then(user);
                self.put(Kind::User, user(at), ("parent_id", json!(parent)))?;
            }
            Change::Trash(kind, at) => {
                let id = picked(directory, kind.table(), at);
                self.put(*kind, id, ("deleted_at", json!(self.now)))?;
            }
            Change::Recover(kind, at) => {
                let id = picked(directory, kind.table(), at);
                self.put(*kind, id, ("deleted_at", Value::Null))?;
            }
            Change::Stage(at) => self.put(Kind::User, user(at), ("state", json!("staged")))?,
            Change::Operate(..) | Change::Later(_) | Change::ExpireDue => {}
        }
        Ok(())
    }

    fn link(
        &self,
        link: &Row,
        write: impl FnOnce(&mut Unit<'_>, &Fields) -> Result<()> + Send + 'static,
    ) -> Verdict {
        let fields = fields("user_attributes", link);
        let user = text(link, "directory_user_id").to_owned();
        let done = self.home.write(None, move |unit| {
            write(unit, &fields).map(|()| unit.mark_memberships_dirty(&user))
        });
        done.map_err(|why| why.to_string())
    }

    /// Sets one member of a record, and says what that touches.
    fn put(&mut self, kind: Kind, id: Option<String>, member: (&'static str, Value)) -> Verdict {
        let Some(id) = id else { return Ok(()) };
        let table = kind.table();
        let links = self
            .directory
            .rows("user_attributes")
            .iter()
            .filter(|link| text(link, "directory_attribute_id") == id);
        let holders: Vec<String> = links
            .map(|link| text(link, "directory_user_id").to_owned())
            .collect();
        let fields = fields(table, &Row::from([member.clone()]));
        let touched = id.clone();
        let done = self.home.write(None, move |unit| {
            unit.update(table, &touched, &fields)?;
            match kind {
                Kind::User => unit.mark_user_dirty(&touched),
                Kind::Account => {}
                Kind::Attribute => unit.mark_attribute_dirty(&touched)?,
            }
            holders.iter().for_each(|user| unit.mark_memberships_dirty(user));
            Ok(())
        });
        self.directory.set(table, &id, [member]);
        done.map_err(|why| why.to_string())
    }
}
