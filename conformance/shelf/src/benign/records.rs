//! Other records (R1 to R15, P1 to P5).

use serde_json::{Map, Value, json};

use crate::settings::CountsAt;
use crate::{Hooks, Variant, accepted, benign};

/// The variants of this section.
pub fn variants() -> Vec<Variant> {
    [own_members(), summaries(), relations(), policy()]
        .into_iter()
        .flatten()
        .collect()
}

/// Members of the records themselves.
fn own_members() -> Vec<Variant> {
    vec![
        benign("created_at and updated_at that are null", |hooks| {
            hooks.on_person(4, |record| {
                for name in ["created_at", "updated_at"] {
                    record["timestamp"][name] = Value::Null;
                }
            });
        }),
        accepted("R1", "is-left-out", "unset timestamps are left out", |hooks| {
            // Of workspace users the specification says that they are null.
            each_object(hooks, |object| {
                let is_account = object.contains_key("last_authenticated_at");
                if object.contains_key("created_at") && !is_account {
                    object.retain(|_, value| !value.is_null());
                }
            });
        }),
        accepted("R1", "any-form", "UTC spelled as an offset", |hooks| {
            hooks.on_person(4, |record| {
                record["timestamp"]["created_at"] = json!("2026-03-01T09:30:00+00:00");
                record["timestamp"]["expires_at"] = json!("2026-03-01 09:30Z");
            });
        }),
        benign(
            "people who came within a second show no fractions of it",
            |hooks| {
                hooks.on_rows(|rows| {
                    for (index, row) in rows.of("/directory/users").iter_mut().enumerate() {
                        let (second, fraction) = (index / 20 % 60, index * 7_919 % 1_000_000);
                        let at = format!("2024-05-05T10:09:{second:02}.{fraction:06}Z");
                        row.record["timestamp"]["created_at"] = json!(at);
                    }
                });
                hooks.on_record(|asked, _, record| {
                    let at = record["timestamp"]["created_at"].as_str().unwrap_or_default();
                    if let (true, Some((second, _))) =
                        (asked.path.starts_with("/directory/users"), at.split_once('.'))
                    {
                        record["timestamp"]["created_at"] = json!(format!("{second}Z"));
                    }
                });
            },
        ),
        accepted("R1", "no-designator", "timestamps have no designator", |hooks| {
            hooks.on_answer(|_, reply| {
                if reply.is_success() {
                    each_text(reply.body(), &|text| {
                        if text.parse::<jiff::Timestamp>().is_ok() {
                            *text = text.trim_end_matches('Z').to_owned();
                        }
                    });
                }
            });
        }),
        benign("timestamps are in the short form of ISO 8601", |hooks| {
            hooks.on_answer(|_, reply| {
                if reply.is_success() {
                    each_text(reply.body(), &|text| {
                        if text.parse::<jiff::Timestamp>().is_ok() {
                            *text = text.replace(['-', ':'], "").replace('Z', "+00");
                        }
                    });
                }
            });
        }),
        accepted("R2", "any-string", "links are relative", |hooks| {
            each_object(hooks, |object| {
                let links = object.get_mut("links").and_then(Value::as_object_mut);
                for (name, link) in links.into_iter().flatten() {
                    *link = json!(format!("?see={name}"));
                }
            });
        }),
        accepted(
            "R7",
            "any-strings",
            "included of a workspace user is always full",
            |hooks| {
                hooks.on_record(|asked, _, record| {
                    if asked.path.starts_with("/workspace/users") {
                        record["included"] = json!(["everything", "directory_user"]);
                    }
                });
            },
        ),
        accepted(
            "R8",
            "objects",
            "included of an attribute holds objects",
            |hooks| {
                included_of_attributes(
                    hooks,
                    json!([{"policy_rules": []}, {"directory_dimension": {"id": 7}}]),
                );
            },
        ),
        accepted(
            "R8",
            "members",
            "included of an attribute is an object",
            |hooks| {
                included_of_attributes(
                    hooks,
                    json!({
                        "attribute_successor": null,
                        "attribute_predecessors": [],
                        "workspace_integration": {"handle": "demo"},
                        "directory_dimension": null,
                        "policy_ruleset": null,
                        "policy_rules": null,
                    }),
                );
            },
        ),
        accepted("R12", "any-record", "dimensions of another kind", |hooks| {
            hooks.on_record(|asked, row, record| {
                if asked.on("/directory/dimensions") {
                    *record = json!({"key": row.id()});
                }
            });
        }),
        benign("a dimension shows its attributes by id and name", |hooks| {
            attributes_in_short(hooks, &["id", "name"]);
        }),
        benign("a dimension shows the names of its attributes", |hooks| {
            attributes_in_short(hooks, &["name"]);
        }),
        benign("members that are not specified", |hooks| {
            hooks.on_person(4, |record| {
                record["nickname"] = json!("Zo");
                record["count"]["stars"] = json!("many");
                record["links"]["photo"] = Value::Null;
                record["timestamp"]["seen_at"] = json!("yesterday");
            });
        }),
        benign("no extensions, forbidden by method", |hooks| {
            hooks.settings.without_extensions = Some(405)
        }),
        benign("a vendor's JSON", |hooks| {
            hooks.on_answer(|_, reply| reply.set("content-type", "application/vnd.api+json; charset=utf-8"));
        }),
    ]
}

/// Leaves a few members of the attributes that a dimension includes.
fn attributes_in_short(hooks: &mut Hooks, shown: &'static [&str]) {
    each_object(hooks, |object| {
        for attribute in object
            .get_mut("attributes")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            if let Value::Object(members) = attribute {
                members.retain(|name, _| shown.contains(&name.as_str()));
            }
        }
    });
}

/// Members of the summaries in included.
fn summaries() -> Vec<Variant> {
    vec![
        accepted("R3", "any-string", "a vendor of their own", |hooks| {
            each_object(hooks, |object| {
                for name in ["vendor", "integration_vendor"] {
                    replace(object, name, json!("Acme HR 9"));
                }
            });
        }),
        accepted("R4", "any-string", "conditions of another kind", |hooks| {
            each_object(hooks, |object| {
                if object.contains_key("profile_operator") {
                    replace(object, "type", json!("schedule"));
                    replace(object, "profile_operator", json!("starts with"));
                }
            });
        }),
        accepted("R5", "any-string", "rulesets of another kind", |hooks| {
            each_object(hooks, |object| {
                if object.contains_key("is_authoritative") {
                    replace(object, "type", json!("chat_channel"));
                    replace(object, "state", json!("draft"));
                }
            });
        }),
        accepted("R6", "any-string", "states of their own", |hooks| {
            each_object(hooks, |object| {
                let is_open = ["role_handle", "integration_handle", "policy_rule"];
                let inner = object.get("included").and_then(Value::as_object);
                let is_member = inner.is_some_and(|inner| inner.contains_key("policy_rule"));
                if is_member || is_open.iter().any(|name| object.contains_key(*name)) {
                    replace(object, "state", json!("on hold"));
                }
            });
        }),
        accepted(
            "R13",
            "any-string",
            "ids of their own where no prefix is given",
            |hooks| {
                hooks.on_answer(|_, reply| {
                    if reply.is_success() {
                        each_text(reply.body(), &|text| {
                            for prefix in ["plset_", "plrul_", "plcnd_", "plusr_", "dridn_", "drdim_"] {
                                if let Some(rest) = text.strip_prefix(prefix) {
                                    *text = format!("#{}/{}", rest.to_uppercase(), &prefix[..2]);
                                }
                            }
                        });
                    }
                });
            },
        ),
        accepted("R14", "any-string", "an empty manager_id in a summary", |hooks| {
            each_object(hooks, |object| {
                if !object.contains_key("timestamp") && object.get("manager_id") == Some(&Value::Null) {
                    replace(object, "manager_id", json!(""));
                }
            });
        }),
    ]
}

/// How relations are shown.
fn relations() -> Vec<Variant> {
    vec![
        accepted("R9", "is-left-out", "an empty relation is left out", |hooks| {
            hooks.settings.leaves_empty_out = true
        }),
        accepted("R10", "array", "all secondary users", |hooks| {
            hooks.settings.secondaries_as_array = true
        }),
        accepted("R11", "at-the-top", "counts at the top", |hooks| {
            hooks.settings.counts_at = CountsAt::Top
        }),
        accepted("R11", "in-count", "counts among the counts", |hooks| {
            hooks.settings.counts_at = CountsAt::Count
        }),
        accepted(
            "R11",
            "own-object",
            "existence has an object of its own",
            |hooks| hooks.settings.counts_at = CountsAt::OwnObject,
        ),
        accepted("R15", "shown", "soft-deleted people count", |hooks| {
            hooks.settings.relates_trashed = true
        }),
        accepted("R15", "hidden", "a soft-deleted manager is hidden", |hooks| {
            hooks.settings.hides_trashed = true
        }),
    ]
}

/// What follows from policy.
fn policy() -> Vec<Variant> {
    vec![
        accepted("P2", "any-object", "org with more than texts", |hooks| {
            hooks.on_person(4, |record| {
                record["org"] =
                    json!({"floor": 7, "team": {"name": "Blue", "since": null}, "tags": ["a", 1]});
            });
        }),
        accepted("P3", "with-included", "policy users show their person", |hooks| {
            each_object(hooks, |object| {
                let inner = object.get("included").and_then(Value::as_object);
                let is_member = object.len() < 6 && inner.is_some_and(Map::is_empty);
                if is_member
                    && object
                        .get("id")
                        .is_some_and(|id| id.to_string().contains("plusr_"))
                {
                    let rule = json!({"id": "plrul_1", "state": "active", "role_name": "A", "role_handle": "a",
                        "is_imported": false, "description": "", "expires_after_days": 0,
                        "expires_after_days_inherited": true, "priority": 1});
                    let set = json!({"id": "plset_1", "state": "unmanaged", "type": "directory_attribute",
                        "resource_id": "dratr_a", "is_authoritative": false, "expires_after_days": 0});
                    object["included"] = json!({"policy_rule": rule, "policy_ruleset": set});
                }
            });
        }),
        benign("counts have a fraction of zero", |hooks| {
            each_object(hooks, |object| {
                let counts = object.get_mut("count").and_then(Value::as_object_mut);
                let counts = counts.into_iter().flat_map(|counts| counts.iter_mut());
                counts.for_each(|(_, count)| write_with_fraction(count));
                // Those of relations stand wherever R11 lets them stand.
                let others = object.iter_mut().filter(|(name, _)| name.ends_with("_count"));
                others.for_each(|(_, count)| write_with_fraction(count));
            });
        }),
        accepted("P4", "any-number", "many resources outside", |hooks| {
            hooks.on_person(4, |record| {
                record["count"]["drive_docs"] = json!(9_007_199_254_740_993_u64);
                record["count"]["chat_groups"] = json!(123_456);
            });
        }),
    ]
}

fn included_of_attributes(hooks: &mut Hooks, included: Value) {
    hooks.on_record(move |asked, _, record| {
        if asked.path.starts_with("/directory/attributes") {
            record["included"] = included.clone();
        }
    });
}

/// Gives a member that is there another value.
fn replace(object: &mut Map<String, Value>, name: &str, value: Value) {
    if let Some(member) = object.get_mut(name) {
        *member = value;
    }
}

/// Writes a whole number with a fraction: `1` as `1.0`.
fn write_with_fraction(count: &mut Value) {
    if let Some(number) = count.as_u64() {
        *count = json!(number as f64);
    }
}

/// Changes every object of every answer that succeeds.
fn each_object(hooks: &mut Hooks, change: impl Fn(&mut Map<String, Value>) + Send + Sync + 'static) {
    hooks.on_answer(move |_, reply| {
        if reply.is_success() {
            walk(reply.body(), &change);
        }
    });
}

/// Changes every object of a value, outer ones first.
pub(super) fn walk(value: &mut Value, change: &impl Fn(&mut Map<String, Value>)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| walk(item, change)),
        Value::Object(members) => {
            change(members);
            members.values_mut().for_each(|member| walk(member, change));
        }
        _ => {}
    }
}

fn each_text(value: &mut Value, change: &impl Fn(&mut String)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, change)),
        Value::Object(members) => members.values_mut().for_each(|member| each_text(member, change)),
        Value::String(text) => change(text),
        _ => {}
    }
}
