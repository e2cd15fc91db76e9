"""Whether two answers differ in what the specification fixes. What openapi.yaml marks x-open-point may differ.

Each difference is a short text; None means that there is none. `Open` says that the answers differ, but only in an open point.
"""

import re

from draw import HIDDEN, at, moment
from lists import USERS

PEOPLE = {"manager_user", "parent_user", "secondary_users", "direct_report_users", "workspace_user"}
# P1 leaves open which rules apply to a user, but not that the counts agree with the relations (L18).
POLICY = {
    "policy_conditions": "policy_conditions", "policy_users": "policy_users", "policy_rulesets": "policy_rulesets",
    "policy_rules_manifest": "manifest_rules", "policy_rules_qualified": "qualified_rules", "policy_rules_staged": "staged_rules",
}  # fmt: skip
# R3 to R6: any string.
ANY_TEXT = {"vendor", "integration_vendor", "type", "profile_operator"}
ANY_STATE = {"directory_identities", "policy_users", "policy_rules_manifest", "policy_rules_qualified", "policy_rules_staged", "policy_rulesets"}
MICROSECONDS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|\+00:00)?")


class Open(Exception):
    """The answers differ in an open point only."""


def is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def member(record, relation, form=""):
    """The value of a requested relation, wherever the server shows it (R11)."""
    names = [f"{relation}_{form}", f"{relation}-{form}"] if form else [relation, relation.replace("_", "-")]
    for place in (record.get("included"), record):
        for name in names:
            if isinstance(place, dict) and name in place:
                return place[name]
    return None


def as_list(value):
    return value if isinstance(value, list) else [] if value is None else [value]


def timestamps(ours, theirs):
    if not isinstance(theirs, dict):
        return "timestamp is no object"
    for name in ours:
        if moment(ours[name]) != moment(theirs.get(name)):
            return f"timestamp.{name} is {theirs.get(name)}, not {ours[name]}"


def summary(ours, theirs, relation):
    """A related record."""
    if not isinstance(theirs, dict):
        return f"a record of {relation} is no object"
    for name, value in ours.items():
        other = theirs.get(name)
        if name == "timestamp":
            # P3: when a policy user became active is open.
            found = timestamps({**value, "activated_at": at(other, "/activated_at")} if relation == "policy_users" else value, other)
        elif name == "included":
            found = isinstance(other, dict) and next(
                filter(None, (summary(part, other.get(key), relation) for key, part in value.items())), None
            )
            found = "included is no object" if found is False else found
        elif name == "org":
            found = None if isinstance(other, dict) else "org is no object"
        elif name in ANY_TEXT or name == "state" and relation in ANY_STATE:
            found = None if isinstance(other, str) else f"{name} is no text"
        elif name == "manager_id" and value is None:
            found = None
        else:
            found = None if other == value and type(other) is type(value) else f"{name} is {other!r}, not {value!r}"
        if found:
            return f"{relation}: {found}"


class Lists:
    """Compares lists of users, and of dimensions. `users` has every user by id, with the soft-deleted ones."""

    def __init__(self, contract, users, page_of):
        self.contract, self.users = contract, users
        self.deleted = {each for each, record in users.items() if at(record, "/timestamp/deleted_at")}

    def compare(self, path, query, ours, theirs, ask):
        """ours and theirs are (status, records); ask sends another query to the mutant."""
        status, records = theirs
        if not 200 <= status < 300:
            if "sort" in dict(query) and 400 <= status < 500:
                rest = [each for each in query if each[0] != "sort"]
                if 200 <= ask(path, rest)[0] < 300:
                    raise Open("L5: the sort field is refused")
            return f"status {status}, not {ours[0]}"
        if records is None:
            return "no array of records"
        return self.records(path, query, ours[1], records) or self.order(path, query, ours[1], records, ask) or (
            self.members(query, ours[1], records, ask) if path == USERS else None
        )

    def records(self, path, query, ours, theirs):
        if path != USERS and not all(isinstance(each, dict) and "id" in each for each in theirs):
            return None if len(ours) == len(theirs) else f"{len(theirs)} records, not {len(ours)}"
        if not all(isinstance(each, dict) and isinstance(each.get("id"), str) for each in theirs):
            return "a record without an id"
        expected, got = sorted(each["id"] for each in ours), sorted(each["id"] for each in theirs)
        if expected == got:
            return None
        if not got and any(name in HIDDEN for name, _ in query):
            raise Open("L17: a window over a timestamp that is not kept")
        missing, further = set(expected) - set(got), set(got) - set(expected)
        both = {each["id"]: each for each in [*ours, *theirs]}
        if (missing or further) and all(self.by_case(path, query, both[each]) for each in missing | further):
            raise Open("L9, L10: case")
        return f"{len(got)} records, not {len(expected)}: {len(missing)} are missing, {len(further)} are too many" + (
            "" if missing or further else ", some are there twice"
        )

    def by_case(self, path, query, record):
        for name, needle in query:
            rule = self.contract.filters.get((path, name), {})
            value = at(record, rule.get("field", ""))
            if isinstance(value, str) and rule.get("match") in ("exact", "contains"):
                exact = needle == value if rule["match"] == "exact" else needle in value
                folded = needle.casefold() == value.casefold() if rule["match"] == "exact" else needle.casefold() in value.casefold()
                if folded and not exact:
                    return True
        return False

    def order(self, path, query, ours, theirs, ask):
        sort = dict(query).get("sort")
        if not sort:
            return None
        pointers = [self.contract.sort_fields[path][field.lstrip("-")] for field in sort.split(",")]
        keys = {each["id"]: tuple(str(at(each, pointer)) for pointer in pointers) for each in ours}
        # Where records without a value stand is open (L5), and ties are.
        empty = {each["id"] for each in ours if any(at(each, pointer) is None for pointer in pointers)}
        sequence = [keys[each["id"]] for each in ours if each["id"] not in empty]
        if sequence == [keys[each["id"]] for each in theirs if each["id"] not in empty]:
            return None
        got = [each["id"] for each in theirs]
        rest = [each for each in query if each[0] != "sort"]
        fields = sort.split(",")
        for without in ([*fields[:at_], *fields[at_ + 1 :]] for at_ in range(len(fields))):
            other = ask(path, rest + ([("sort", ",".join(without))] if without else []))
            if other[1] and [each.get("id") for each in other[1]] == got:
                raise Open("L5, L6: a sort field is ignored")
        return f"another order by {sort}"

    def members(self, query, ours, theirs, ask):
        by_id = {each["id"]: each for each in theirs}
        for each in ours:
            found = self.user(query, each, by_id[each["id"]], ask)
            if found:
                return f"{each['id']}: {found}"

    def user(self, query, ours, theirs, ask):
        for name, value in ours.items():
            other = theirs.get(name)
            if name == "timestamp":
                found = timestamps(value, other)
            elif name == "count":
                found = self.counts(ours, theirs, ask)
            elif name == "links":
                found = None if isinstance(other, dict) and all(isinstance(other.get(key), str) for key in value) else "links"
            elif name == "org":
                found = None if isinstance(other, dict) else "org is no object"
            elif name == "included" or name.replace("-", "_").endswith(("_count", "_exists")):
                found = None if isinstance(other, type(value)) else f"{name} is {other!r}"
            else:
                found = None if other == value and type(other) is type(value) else f"{name} is {other!r}, not {value!r}"
            if found:
                return found
        return self.included(query, ours, theirs, ask)

    def counts(self, ours, theirs, ask):
        told = theirs.get("count")
        if not isinstance(told, dict) or not all(is_count(told.get(name)) for name in ours["count"]):
            return "a count is missing or no number"
        for name, rule in ((relation.replace("-", "_"), rule) for relation, rule in self.contract.relations.items()):
            count = rule.get("count")
            if count is None or told[count] == ours["count"][count]:
                continue
            if name in POLICY:
                if self.length(ours["id"], name, ask) != told[count]:
                    return f"count.{count} is {told[count]}, and the relation has another number"
            elif name not in PEOPLE or told[count] != ours["count"][count] + self.trashed_of(ours["id"], name):
                return f"count.{count} is {told[count]}, not {ours['count'][count]}"

    def length(self, user, relation, ask):
        query = [("filter[id]", user), ("filter[trashed]", "with"), ("include", relation.replace("_", "-"))]
        _, records = ask(USERS, query)
        return len(as_list(member(records[0], relation))) if records else None

    def trashed_of(self, user, relation):
        """How many soft-deleted people the relation would have besides (R15)."""
        if relation == "direct_report_users":
            return sum(self.users[each]["manager_id"] == user for each in self.deleted)
        return 0

    def included(self, query, ours, theirs, ask):
        asked = dict(query).get("include", "")
        for item in filter(None, asked.split(",")):
            relation, form = item, ""
            for end in ("count", "exists"):
                if item.endswith(f"-{end}"):
                    relation, form = item.removesuffix(f"-{end}"), end
            relation = relation.replace("-", "_")
            expected, got = member(ours, relation, form), member(theirs, relation, form)
            found = self.number(relation, form, expected, got, theirs) if form else self.related(relation, expected, got, theirs, ours["id"], ask)
            if found:
                return found
        unasked = self.unasked(asked, ours.get("included") or {}, theirs.get("included") or {})
        return f"included shows {', '.join(unasked)}, which was not requested" if unasked else None

    def unasked(self, asked, ours, theirs):
        """Relations without a request. A count beside a requested relation or beside its `-exists` is no news of another relation."""
        requested = asked.replace("-", "_").split(",")
        found = []
        for name in sorted(set(theirs) - set(ours)):
            relation = name.replace("-", "_").removesuffix("_count").removesuffix("_exists")
            known = relation in {each.replace("-", "_") for each in self.contract.relations}
            asked_somehow = {relation, f"{relation}_count", f"{relation}_exists"} & set(requested)
            is_form = relation != name.replace("-", "_")
            if known and not (asked_somehow if is_form else theirs[name] in (None, [], {})):
                found.append(name)
        return found

    def number(self, relation, form, expected, got, theirs):
        if relation in POLICY:
            count = theirs["count"][POLICY[relation]]
            expected = count if form == "count" else count > 0
        if expected is got or expected == got and type(expected) is type(got):
            return None
        if got is None and not expected:
            # R11: without related records it may be left out.
            return None
        if relation == "direct_report_users" and self.trashed_of(theirs["id"], relation):
            raise Open("R15: soft-deleted people in relations")
        if relation in PEOPLE - {"direct_report_users"} and got is not None and type(got) is type(expected) and got > expected:
            # A related person that is soft-deleted, which the contract cannot tell from outside.
            raise Open("R15, R10: soft-deleted people in relations")
        return f"{relation}-{form} is {got!r}, not {expected!r}"

    def related(self, relation, expected, got, theirs, user, ask):
        many = self.contract.relations[relation.replace("_", "-")]["many"]
        if many and got is not None and not isinstance(got, list):
            return f"{relation} is no array"
        if not many and isinstance(got, list) and relation != "secondary_users":
            return f"{relation} is an array"
        ours, others = ({each.get("id"): each for each in as_list(part) if isinstance(each, dict)} for part in (expected, got))
        if relation in PEOPLE:
            ours, others = ({key: each for key, each in part.items() if key not in self.deleted} for part in (ours, others))
        if relation == "secondary_users":
            # R10: one object; which of several is open.
            if bool(ours) != bool(others):
                return f"{relation} is {got!r}, not {expected!r}"
        elif set(ours) != set(others):
            if relation not in POLICY:
                return f"{relation} has {len(others)} records, not {len(ours)}"
            if len(as_list(got)) != theirs["count"][POLICY[relation]]:
                return f"{relation} has {len(as_list(got))} records, and count says {theirs['count'][POLICY[relation]]}"
        for key in set(ours) & set(others):
            found = summary(ours[key], others[key], relation)
            if found:
                return found
