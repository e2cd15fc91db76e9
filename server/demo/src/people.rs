//! Directory users: who they are, whom they report to, and what the vendor did with them.

use std::collections::{HashMap, VecDeque};

use rollcall::Timestamp;
use rollcall::model::{DirectoryUser, DirectoryUserId, DirectoryUserState as State};
use rollcall_store::Result;
use rollcall_store::change::chunks::CHUNK;
use rollcall_store::tables::table::Stored;
use serde_json::{Value, json};

use super::around::Around;
use super::author::{Author, Life};
use super::cast::{self, Part};
use super::catalogue::Catalogue;
use super::names::DOMAINS;
use super::person::{Account, Person};
use super::{Sample, access};

/// People who are waiting to be somebody's manager: no more, so that memory does not grow with the directory.
const WAITING: usize = 1 << 16;
/// People who may get a second account.
const RECENT: usize = 16;

/// Whom somebody who tries the demo may want to meet.
#[derive(Debug, Default)]
pub(super) struct Met {
    pub(super) first: Option<Sample>,
    pub(super) restorable: Option<String>,
}

/// What drawing a person depends on besides random numbers.
struct Crowd<'c> {
    catalogue: &'c Catalogue,
    /// How often a handle was taken.
    handles: HashMap<String, u64>,
    /// Managers, the next first, with how many more people they get.
    managers: VecDeque<(String, u64)>,
    recent: VecDeque<Person>,
    /// When the last person was created.
    last: Option<Timestamp>,
}

/// Writes so many users with all that is theirs.
pub(super) fn write(
    author: &mut Author<'_, '_>,
    catalogue: &Catalogue,
    users: u64,
    mut progress: impl FnMut(u64),
) -> Result<Met> {
    let around = Around::new(catalogue);
    let mut crowd = Crowd {
        catalogue,
        handles: HashMap::new(),
        managers: VecDeque::new(),
        recent: VecDeque::new(),
        last: None,
    };
    let mut met = Met::default();
    for number in 0..users {
        let part = cast::part(&mut author.rng, number);
        let created_at = crowd.created_at(author, &part, number, users);
        let person = crowd.person(author, &part, number, created_at);
        crowd.write_user(author, &part, &person)?;
        around.write(author, &part, &person)?;
        if let Some(provider) = part.provider {
            let restorable = access::write(author, &person, provider)?;
            met.restorable = met.restorable.or(restorable);
        }
        met.first.get_or_insert_with(|| Sample {
            id: person.id.clone(),
            last_name: person.account.name.last.to_owned(),
            email: person.email.clone(),
        });
        crowd.remember(author, &part, person);
        if (number + 1).is_multiple_of(CHUNK as u64) || number + 1 == users {
            progress(number + 1);
        }
    }
    Ok(met)
}

impl Crowd<'_> {
    /// People come one after another over the past, some at the same time.
    fn created_at(&mut self, author: &mut Author<'_, '_>, part: &Part, number: u64, users: u64) -> Timestamp {
        let tied = self.last.filter(|_| part.tied);
        let created_at = tied.unwrap_or_else(|| {
            // Nobody comes in the last hundredth of the past, so that everybody has had time to change.
            let parts = users + users / 100 + 1;
            let (from, to) = (
                author.timestamp(number, parts),
                author.timestamp(number + 1, parts),
            );
            author.rng.between(from, to)
        });
        self.last = Some(created_at);
        created_at
    }

    fn person(
        &mut self,
        author: &mut Author<'_, '_>,
        part: &Part,
        number: u64,
        created_at: Timestamp,
    ) -> Person {
        let id = author.id::<DirectoryUserId>(created_at);
        let life = author.life(part.state, created_at, part.trashed);
        let account = match self.parent(author, part) {
            Some(parent) => {
                parent.seconds += 1;
                Account {
                    name: parent.account.name,
                    handle: [&parent.account.handle, "+admin", &again(parent.seconds)].concat(),
                    manager: parent.account.manager.clone(),
                    parent: Some(parent.id.clone()),
                }
            }
            None => {
                let handle = part.name.handle();
                let taken = self.handles.entry(handle.clone()).or_default();
                *taken += 1;
                Account {
                    name: part.name,
                    handle: [handle, again(*taken)].concat(),
                    manager: self.manager(author, number),
                    parent: None,
                }
            }
        };
        let domain = match author.rng.below(20) {
            0 => DOMAINS[1],
            1 => DOMAINS[2],
            _ => DOMAINS[0],
        };
        let mut email = [&account.handle, "@", domain].concat();
        if number > 0 && author.rng.once_in(60) {
            email[..1].make_ascii_uppercase();
        }
        Person {
            number,
            id,
            full_name: [account.name.first, " ", account.name.last].concat(),
            account,
            email,
            life,
            seconds: 0,
        }
    }

    /// Whose second account this is, if it is one.
    fn parent(&mut self, author: &mut Author<'_, '_>, part: &Part) -> Option<&mut Person> {
        if !part.secondary {
            return None;
        }
        // In the cast it is the same one's again, so that somebody has two.
        let place = if part.attribute.is_some() {
            0
        } else {
            author.rng.place(self.recent.len())
        };
        self.recent.get_mut(place)
    }

    /// The next manager; about one person in a hundred has none.
    fn manager(&mut self, author: &mut Author<'_, '_>, number: u64) -> Option<String> {
        if number > CHUNK as u64 && author.rng.once_in(100) {
            return None;
        }
        let (id, left) = self.managers.front_mut()?;
        let id = id.clone();
        *left -= 1;
        if *left == 0 {
            self.managers.pop_front();
        }
        Some(id)
    }

    fn remember(&mut self, author: &mut Author<'_, '_>, part: &Part, person: Person) {
        if part.secondary {
            return;
        }
        // Now and then a manager is soft-deleted, and the reports have not been moved yet.
        let manages = person.life.is_in_service() || part.trashed && author.rng.once_in(5);
        if manages && self.managers.len() < WAITING {
            let reports = 5 + author.rng.below(7);
            self.managers.push_back((person.id.clone(), reports));
        }
        // The chief has one account only: a part of its email is promised to be nobody else's.
        if person.life.is_in_service() && person.number > 0 {
            self.recent.push_back(person);
            if self.recent.len() > RECENT {
                self.recent.pop_front();
            }
        }
    }

    fn write_user(&self, author: &mut Author<'_, '_>, part: &Part, person: &Person) -> Result<()> {
        let Person { life, account, .. } = person;
        let (integration, _) = self.catalogue.origins(person.number);
        let username = match part.renamed {
            true => format!("u{:06}", person.number),
            false => person.email.split('@').next().unwrap_or_default().to_owned(),
        };
        let vendor = Vendor::draw(author, part, *life);
        let badge = (!author.rng.once_in(3)).then(|| match author.rng.below(40) {
            0 => format!("B_{}%", person.number),
            _ => format!("B-{}", 1_000 + person.number),
        });
        let employee = (!author.rng.once_in(10)).then(|| (100_000 + person.number).to_string());
        let alternative = author.rng.once_in(3).then(|| format!("EXT-{:x}", person.number));
        let fields = life
            .fields()
            .set("id", person.id.as_str())
            .set("workspace_integration_id", integration.id.as_str())
            .set("parent_id", account.parent.as_deref())
            .set("manager_id", account.manager.as_deref())
            .text("first_name", account.name.first)
            .text("last_name", account.name.last)
            .text("full_name", &person.full_name)
            .text("email", &person.email)
            .text("username", &username)
            .text_or_null("badge_id", badge.as_deref())
            .text_or_null("employee_id", employee.as_deref())
            .text_or_null("employee_alt_id", alternative.as_deref())
            .values("metadata", &metadata(author, person.number))
            .set("provisioned_at", vendor.provisioned_at)
            .set("deprovisioned_at", vendor.deprovisioned_at)
            .set(
                "expired_at",
                life.expires_at.filter(|_| life.state == State::Expired),
            )
            .set("deactivated_at", vendor.deactivated_at);
        author.insert(DirectoryUser::TABLE, &fields)
    }
}

/// Tells the second from the first, the third from the second and so on.
fn again(number: u64) -> String {
    if number > 1 {
        number.to_string()
    } else {
        String::new()
    }
}

/// What the vendor did with a person.
struct Vendor {
    provisioned_at: Option<Timestamp>,
    deprovisioned_at: Option<Timestamp>,
    deactivated_at: Option<Timestamp>,
}

impl Vendor {
    fn draw(author: &mut Author<'_, '_>, part: &Part, life: Life) -> Self {
        let never = !part.pending && (life.state == State::Staged || author.rng.once_in(12));
        let provisioned_at = (!never).then(|| author.soon_after(life.created_at, 3));
        let since = provisioned_at.unwrap_or(life.created_at);
        let taken_back = match life.state {
            State::Active => part.pending,
            State::Suspended | State::Expired => author.rng.once_in(2),
            State::Deactivated => true,
            State::Staged | State::Expiring => false,
        };
        let deprovisioned_at = taken_back.then(|| author.rng.between(since, author.now));
        let deactivated_at = deprovisioned_at.filter(|_| life.state == State::Deactivated);
        Self {
            provisioned_at,
            deprovisioned_at,
            deactivated_at,
        }
    }
}

/// What a customer might have noted, in every shape of JSON.
fn metadata(author: &mut Author<'_, '_>, number: u64) -> Value {
    let kind = if number < 8 { number } else { author.rng.below(12) };
    let some = author.rng.below(200);
    match kind {
        0 => json!({ "desk": format!("{}-{some}", some % 7) }),
        1 => json!({ "floor": some % 12, "badge_color": "grün" }),
        2 => {
            json!({ "access": { "building": "North", "level": some % 5 }, "tags": ["on call", "first aid"] })
        }
        3 => json!({ "part_time": some.is_multiple_of(2), "hours": 38.5, "note": null }),
        4 => json!({ "discount": "15%", "code": format!("A_{some}"), "shirt": "M, tall" }),
        5 => json!({ "languages": ["de", "fr", "日本語"], "songs": [[some], []] }),
        6 => json!({ "car": { "plate": format!("ZH {some}"), "seats": 4, "color": {} } }),
        7 => json!({ "": "no key", "keys with spaces": "O'Neill's \"desk\"" }),
        _ => json!({}),
    }
}
