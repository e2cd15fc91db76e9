//! What may be at fault for a violation. Findings that have a suspect in common are told as one cause.

use std::collections::BTreeSet;

use rollcall_contract::{Frame, Match, Pointer, Relation, Role, SortKey};

use rollcall_oracle::corpus::list_spec::ListSpec;
use rollcall_oracle::corpus::members::Kind;
use rollcall_oracle::http::request::Request;

/// A part of a target that a person mends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suspect {
    /// What carries out an operation, by its path.
    Operation(String),
    /// A member of records, in a list and in relations: what computes it, stores it or writes it.
    Member(Pointer),
    /// What writes all members of a kind, such as all timestamps.
    Members(Kind),
    /// What all parameters of a kind share.
    Parameters(ParameterKind),
}

/// Parameters that are usually answered by the same code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ParameterKind {
    /// Filters by the whole value.
    Exact,
    /// Filters by a part of the value.
    Partial,
    /// Filters by a bound of a timestamp.
    Bound,
    /// Filters that are true or false.
    Flag,
    /// The filter that speaks of soft deletion.
    Trashed,
    /// The order.
    Sort,
    /// Relations.
    Include,
    /// Pages.
    Page,
    /// Several filters in one request, each of which is right alone.
    Together,
}

impl Suspect {
    /// A member, by the place where it was seen: in a record, or in a related record that stands in it.
    pub(crate) fn member(frame: &Frame, place: &Pointer) -> Self {
        let is_index = |name: &String| name.bytes().all(|byte| byte.is_ascii_digit());
        let own = frame.related.at.within(place).unwrap_or(place.segments());
        Self::Member(Pointer::of(
            own.iter().filter(|name| !is_index(name)).map(String::as_str),
        ))
    }
}

/// What is suspected where a list shows soft-deleted records that nothing asks for.
pub(crate) fn of_deletion(spec: &ListSpec) -> BTreeSet<Suspect> {
    let mark = spec
        .deletion_mark()
        .map(|mark| Suspect::member(&spec.frame, mark));
    mark.into_iter()
        .chain([Suspect::Parameters(ParameterKind::Trashed)])
        .collect()
}

impl ParameterKind {
    /// Whether it is a kind of filters.
    pub(crate) fn is_filter(self) -> bool {
        !matches!(self, Self::Sort | Self::Include | Self::Page)
    }

    fn of(matching: Match) -> Self {
        match matching {
            Match::Exact => Self::Exact,
            Match::Contains => Self::Partial,
            Match::Before | Match::After => Self::Bound,
            Match::Flag => Self::Flag,
            Match::Trashed => Self::Trashed,
        }
    }
}

/// What is suspected where the answers to some requests for a list are wrong: the members at fault, the members that the
/// parameters look at, and the kinds of these parameters; without any of them, the pages.
pub(crate) fn suspected(
    spec: &ListSpec,
    requests: &[Request],
    members: &BTreeSet<Pointer>,
) -> BTreeSet<Suspect> {
    let mut suspects: BTreeSet<_> = members
        .iter()
        .map(|place| Suspect::member(&spec.frame, place))
        .collect();
    let by_identifier = spec.by_identifier().map(|filter| filter.name.as_str());
    // The identifier singles out a record that something else is about.
    let is_about = |name: &str| by_identifier != Some(name);
    suspects.extend(
        requests
            .iter()
            .flat_map(|request| of_request(spec, request, is_about)),
    );
    if suspects.is_empty() {
        suspects.extend(
            requests
                .iter()
                .flat_map(|request| of_request(spec, request, |_| true)),
        );
    }
    if suspects.is_empty() {
        suspects.insert(Suspect::Parameters(ParameterKind::Page));
    }
    suspects
}

/// What an answer depends on, by the parameters that count.
fn of_request(spec: &ListSpec, request: &Request, counts: impl Fn(&str) -> bool) -> BTreeSet<Suspect> {
    let counted = request.query.iter().filter(|(name, _)| counts(name));
    let suspects = counted.flat_map(|(name, value)| of_parameter(spec, name, value));
    let mut suspects: BTreeSet<_> = suspects.collect();
    let is_filter = |name: &str| !spec.is_trashed(name) && spec.filters.iter().any(|own| own.name == name);
    if request.query.iter().filter(|(name, _)| is_filter(name)).count() > 1 {
        // Filters of one kind share more than that they stand together, so their kind stays a suspect.
        let is_kind = |suspect: &Suspect| matches!(suspect, Suspect::Parameters(kind) if kind.is_filter());
        if suspects.iter().filter(|suspect| is_kind(suspect)).count() > 1 {
            suspects.retain(|suspect| !is_kind(suspect));
        }
        suspects.insert(Suspect::Parameters(ParameterKind::Together));
    }
    suspects
}

fn of_parameter(spec: &ListSpec, name: &str, value: &str) -> Vec<Suspect> {
    let of = |kind, members: Vec<&Pointer>| -> Vec<Suspect> {
        let members = members
            .into_iter()
            .map(|place| Suspect::member(&spec.frame, place));
        members.chain([Suspect::Parameters(kind)]).collect()
    };
    if spec.is_trashed(name) {
        return of(ParameterKind::Trashed, spec.deletion_mark().into_iter().collect());
    }
    if let Some(judged) = spec.filters.iter().find(|judged| judged.name == name) {
        let conditions = judged.filter.all.iter().map(|condition| &condition.field);
        let members = judged.filter.fields.iter().chain(conditions).collect();
        return of(ParameterKind::of(judged.filter.matching), members);
    }
    if spec.parameter(Role::Sort) == Some(name) {
        let keys = value.split(',').map(SortKey::parse);
        // The identifier makes an order unique.
        let keys = keys.filter(|key| spec.sort_by_id() != Some(&key.field));
        let member = |key: SortKey| spec.list.sort.iter().find(|(field, _)| *field == key.field);
        return of(
            ParameterKind::Sort,
            keys.filter_map(member).map(|(_, member)| member).collect(),
        );
    }
    if spec.parameter(Role::Page) == Some(name) {
        return of(ParameterKind::Page, Vec::new());
    }
    if spec.parameter(Role::Include) == Some(name) {
        let asked: BTreeSet<&str> = value.split(',').collect();
        let is_asked = |relation: &&Relation| {
            let forms = [
                relation.name.clone(),
                relation.count_name(),
                relation.exists_name(),
            ];
            forms.iter().any(|name| asked.contains(name.as_str()))
        };
        let relations = spec.list.relations.iter().filter(is_asked);
        let joins = relations.filter_map(|relation| relation.join.as_ref());
        return of(
            ParameterKind::Include,
            joins.flat_map(|join| [&join.ours, &join.theirs]).collect(),
        );
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use rollcall_oracle::our_contract;

    fn member(name: &str) -> Suspect {
        Suspect::Member(Pointer::of([name]))
    }

    fn asked(parameters: &[(&str, &str)]) -> BTreeSet<Suspect> {
        let specs = ListSpec::all(&our_contract().unwrap(), &BTreeMap::new());
        let users = specs.into_iter().find(|spec| spec.name() == "/directory/users");
        let request = parameters
            .iter()
            .fold(Request::get("/directory/users"), |request, (name, value)| {
                request.with(name, value)
            });
        suspected(&users.unwrap(), &[request], &BTreeSet::new())
    }

    #[test]
    fn a_member_of_a_related_record_is_the_same_member() {
        for place in [
            "/state",
            "/0/state",
            "/included/manager_user/state",
            "/included/direct_report_users/3/state",
        ] {
            assert_eq!(
                Suspect::member(&Frame::default(), &place.parse().unwrap()),
                member("state"),
                "{place}"
            );
        }
    }

    #[test]
    fn what_the_parameters_look_at_is_suspected() {
        let kind = Suspect::Parameters;
        let [state, email, id] = ["state", "email", "id"].map(member);
        assert_eq!(
            asked(&[("filter[state]", "active"), ("sort", "-email,id")]),
            [
                state.clone(),
                email,
                kind(ParameterKind::Exact),
                kind(ParameterKind::Sort)
            ]
            .into()
        );
        let together = asked(&[
            ("filter[state]", "active"),
            ("filter[created_after]", "2020-01-01"),
        ]);
        assert!(together.contains(&state) && together.contains(&kind(ParameterKind::Together)));
        assert!(!together.contains(&kind(ParameterKind::Exact)));
        assert_eq!(
            asked(&[("filter[id]", "drusr_1")]),
            [id, kind(ParameterKind::Exact)].into()
        );
        assert_eq!(asked(&[]), [kind(ParameterKind::Page)].into());
    }
}
