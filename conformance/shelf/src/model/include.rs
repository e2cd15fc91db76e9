//! A row as an answer shows it: with the relations that were asked for.

use rollcall_contract::{Included, Relation, Role};
use serde_json::{Value, json};

use super::super::Asked;
use super::super::settings::CountsAt;
use super::Model;
use super::find::Refused;
use super::row::Row;
use super::rows::Rows;
use super::table::Table;

/// What is asked of a relation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Records,
    Count,
    Exists,
}

impl Table {
    /// The relations that a request asks for.
    pub(super) fn included(&self, asked: &Asked) -> Result<Vec<(&Relation, Form)>, Refused> {
        let mut included = Vec::new();
        let words = self.asked(Role::Include, asked).unwrap_or_default();
        for word in words.split(',').filter(|word| !word.is_empty()) {
            let form = match word {
                _ if self.list.relation(word).is_some() => (word, Form::Records),
                _ => match (word.strip_suffix("-count"), word.strip_suffix("-exists")) {
                    (Some(name), _) => (name, Form::Count),
                    (_, Some(name)) => (name, Form::Exists),
                    _ => return Err(Refused(400)),
                },
            };
            let relation = self.list.relation(form.0).ok_or(Refused(400))?;
            if !included.contains(&(relation, form.1)) {
                included.push((relation, form.1));
            }
        }
        Ok(included)
    }
}

impl Model {
    /// A row as text.
    pub(super) fn text(
        &self,
        table: &Table,
        rows: &Rows,
        asked: &Asked,
        included: &[(&Relation, Form)],
        row: &Row,
    ) -> String {
        if included.is_empty() && self.hooks.record.is_empty() {
            return row.text.clone();
        }
        let mut record = row.record.clone();
        for (relation, form) in included {
            match table.list.included {
                Included::Records => self.relate(table, rows, row, relation, *form, &mut record),
                Included::Names => {
                    if let Some(names) = record["included"].as_array_mut() {
                        names.push(json!(member(relation, *form)));
                    }
                }
            }
        }
        for hook in &self.hooks.record {
            hook(asked, row, &mut record);
        }
        record.to_string()
    }

    fn relate(
        &self,
        table: &Table,
        rows: &Rows,
        row: &Row,
        relation: &Relation,
        form: Form,
        record: &mut Value,
    ) {
        let settings = &self.hooks.settings;
        let is_shown = |id: &&String| {
            relation.many || !settings.hides_trashed || rows.row(id).is_none_or(|row| !row.is_trashed())
        };
        let ids: Vec<_> = row
            .related_ids(&relation.member)
            .iter()
            .filter(is_shown)
            .collect();
        let name = member(relation, form);
        let value = match form {
            Form::Count => json!(ids.len()),
            Form::Exists => json!(!ids.is_empty()),
            Form::Records if ids.is_empty() && settings.leaves_empty_out => return,
            Form::Records => {
                let schema = relation.record.as_deref().unwrap();
                let most = settings.relation_size.unwrap_or(usize::MAX);
                let records = ids.into_iter().filter_map(|id| rows.record(id)).take(most);
                let mut records = records.map(|record| table.summary(schema, record));
                // A relation that is shown as one has a count where there may be several (R10).
                let several = relation.many || relation.count.is_some() && settings.secondaries_as_array;
                match several {
                    true => records.collect(),
                    false => records.next().unwrap_or_default(),
                }
            }
        };
        let place = match (form, settings.counts_at) {
            (Form::Records, _) | (_, CountsAt::Included) => &mut record["included"],
            (_, CountsAt::Top) => record,
            (_, CountsAt::Count) | (Form::Count, CountsAt::OwnObject) => &mut record["count"],
            (Form::Exists, CountsAt::OwnObject) => &mut record["exists"],
        };
        let name = match settings.counts_at {
            CountsAt::OwnObject => relation.member.clone(),
            _ => name,
        };
        if place.is_null() {
            *place = json!({});
        }
        if let Some(members) = place.as_object_mut() {
            members.insert(name, value);
        }
    }
}

fn member(relation: &Relation, form: Form) -> String {
    match form {
        Form::Records => relation.member.clone(),
        Form::Count => format!("{}_count", relation.member),
        Form::Exists => format!("{}_exists", relation.member),
    }
}
