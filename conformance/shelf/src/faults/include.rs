//! §2.1, §4.4.6: faults of relations.

use serde_json::{Value, json};

use super::included;
use super::relation_forms::{self, member};
use crate::{Asked, Variant, fault};

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    let tables = [
        shapes(),
        lists(),
        one_record(),
        several_records(),
        several_relations(),
        relation_forms::faults(),
        super::deleted_relations::faults(),
        super::relations::faults(),
    ];
    tables.into_iter().flatten().collect()
}

fn shapes() -> Vec<Variant> {
    vec![
        member(
            "one report stands for all",
            "I15",
            "direct_report_users",
            |_, value| {
                if let Some(first) = value.get_mut(0).map(Value::take) {
                    *value = first;
                }
            },
        ),
        member(
            "the manager stands in an array",
            "I15",
            "manager_user",
            |_, value| {
                *value = json!([value.take()]);
            },
        ),
        member(
            "identities stand under their ids",
            "I15",
            "directory_identities",
            |_, value| {
                let all = value.as_array().cloned().unwrap_or_default();
                let named = all
                    .into_iter()
                    .map(|one| (one["id"].as_str().unwrap_or_default().to_owned(), one));
                *value = named.collect::<serde_json::Map<_, _>>().into();
            },
        ),
        member(
            "a summary without its organization",
            "I15",
            "manager_user",
            |_, value| {
                if let Some(members) = value.as_object_mut() {
                    members.remove("org");
                }
            },
        ),
        member(
            "an integration is its id",
            "I15",
            "workspace_integration",
            |_, value| {
                *value = value["id"].take();
            },
        ),
    ]
}

fn lists() -> Vec<Variant> {
    let mixed = included(
        "the parent stands for the manager beside it",
        "I8",
        |asked, _, included| {
            let words = asked.words("include");
            let are_both = ["manager-user", "parent-user"]
                .iter()
                .all(|name| words.contains(name));
            if are_both && words.len() == 2 && !included["parent_user"].is_null() {
                included["manager_user"] = included["parent_user"].clone();
            }
        },
    );
    let beside = |name: &'static str, change: fn(&mut Asked)| {
        fault(name, "I7", move |hooks| {
            hooks.on_query(move |asked| {
                if asked.has("include") {
                    change(asked);
                }
            });
        })
    };
    let joined = |relation: &'static str, related: &'static str| {
        fault(
            format!("{relation} leaves out who has none"),
            "I7",
            move |hooks| {
                hooks.on_found(move |asked, found| {
                    if asked.on("/directory/users") && asked.words("include") == [relation] {
                        found.rows.retain(|row| !row.related_ids(related).is_empty());
                    }
                });
            },
        )
    };
    vec![
        mixed,
        joined("manager-user", "manager_user"),
        joined("policy-users", "policy_users"),
        joined("direct-report-users", "direct_report_users"),
        beside("a relation loses the partial filters", |asked| {
            asked.drop_if(|name, _| name.ends_with("_search]"));
        }),
        beside("a relation loses the word about soft deletion", |asked| {
            asked.drop("filter[trashed]");
        }),
        fault("every manager is included unasked", "I2", |hooks| {
            hooks.on_query(|asked| {
                if asked.on("/directory/users") && !asked.has("include") {
                    asked.set("include", "manager-user");
                }
            });
        }),
        fault("identities come along with integrations", "I2", |hooks| {
            hooks.on_query(|asked| {
                if asked.words("include") == ["workspace-integration"] {
                    asked.set("include", "workspace-integration,directory-identities");
                }
            });
        }),
    ]
}

fn one_record() -> Vec<Variant> {
    vec![
        included("the manager is the person", "I3", |_, row, included| {
            if included["manager_user"].is_object() {
                for name in ["id", "full_name", "email", "username"] {
                    included["manager_user"][name] = row.record[name].clone();
                }
            }
        }),
        included("no manager is shown", "I1", |_, _, included| {
            if included.get("manager_user").is_some() {
                included["manager_user"] = Value::Null;
            }
        }),
        included(
            "the manager is shown to managers only",
            "I1",
            |_, row, included| {
                if included.get("manager_user").is_some() && row.record["is_manager"] == false {
                    included["manager_user"] = Value::Null;
                }
            },
        ),
        fault("a relation is ignored beside a filter", "K6", |hooks| {
            hooks.on_query(|asked| {
                if asked.words("include") == ["manager-user"] && asked.filters().next().is_some() {
                    asked.drop("include");
                }
            });
        }),
        member(
            "the manager's name is an old one",
            "I4",
            "manager_user",
            |_, value| {
                value["full_name"] = json!("Somebody Else");
            },
        ),
        member(
            "the manager's state is an old one",
            "I4",
            "manager_user",
            |_, value| {
                value["state"] = json!("suspended");
            },
        ),
        member(
            "a report is described as its manager",
            "I4",
            "direct_report_users",
            |row, value| {
                for report in value.as_array_mut().into_iter().flatten() {
                    report["email"] = row.record["email"].clone();
                }
            },
        ),
        included(
            "the secondary user of a person is the person",
            "I5",
            |_, row, included| {
                let shown = included.get_mut("secondary_users").and_then(Value::as_object_mut);
                for (member, value) in shown.into_iter().flatten() {
                    if let Some(own) = row.record.get(member) {
                        *value = own.clone();
                    }
                }
            },
        ),
        included(
            "the parent is lost under its own filter",
            "I13",
            |asked, _, included| {
                if asked.has("filter[parent_id]") && included.get("parent_user").is_some() {
                    included["parent_user"] = Value::Null;
                }
            },
        ),
        included(
            "the integration is lost under its own filter",
            "I13",
            |asked, _, included| {
                if asked.has("filter[workspace_integration_id]")
                    && let Some(members) = included.as_object_mut()
                {
                    members.remove("workspace_integration");
                }
            },
        ),
    ]
}

fn several_records() -> Vec<Variant> {
    vec![
        member(
            "a stranger among the reports",
            "I5",
            "direct_report_users",
            |row, value| {
                for report in value.as_array_mut().into_iter().flatten().take(1) {
                    report["manager_id"] = row.record["manager_id"].clone();
                }
            },
        ),
        member(
            "identities of another person",
            "I5",
            "directory_identities",
            |row, value| {
                for identity in value.as_array_mut().into_iter().flatten() {
                    identity["directory_user_id"] = json!(format!("{}0", row.id()));
                }
            },
        ),
        member(
            "three reports at most",
            "I6",
            "direct_report_users",
            |_, value| {
                if let Some(reports) = value.as_array_mut() {
                    reports.truncate(3);
                }
            },
        ),
        member(
            "the last report is lost",
            "I6",
            "direct_report_users",
            |_, value| {
                if let Some(reports) = value.as_array_mut() {
                    reports.pop();
                }
            },
        ),
    ]
}

fn several_relations() -> Vec<Variant> {
    let asked = |name: &'static str, check: &'static str, keep: fn(Vec<&str>) -> Vec<&str>| {
        fault(name, check, move |hooks| {
            hooks.on_query(move |asked| {
                if asked.has("include") {
                    let kept = keep(asked.words("include")).join(",");
                    asked.set("include", kept);
                }
            });
        })
    };
    vec![
        asked("only the last relation is loaded", "I8", |words| {
            words.into_iter().rev().take(1).collect()
        }),
        asked("only the first relation is loaded", "I8", |words| {
            words.into_iter().take(1).collect()
        }),
        asked(
            "relations are found in the order of the documentation",
            "I8",
            |words| {
                let order = [
                    "manager-user",
                    "workspace-user",
                    "parent-user",
                    "secondary-users",
                    "direct-report-users",
                    "workspace-integration",
                    "directory-identities",
                    "policy-conditions",
                    "policy-users",
                    "policy-rules-manifest",
                    "policy-rules-qualified",
                    "policy-rules-staged",
                    "policy-rulesets",
                ];
                let place = |word: &str| order.iter().position(|one| *one == word);
                let mut kept: Vec<&str> = Vec::new();
                for word in words {
                    if kept.last().is_none_or(|last| place(last) <= place(word)) {
                        kept.push(word);
                    }
                }
                kept
            },
        ),
    ]
}
