"""Fills the database with people and everything around them; one seed gives one data set."""

from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from random import Random

from sqlalchemy.orm import Session

from . import people
from .models import (
    DirectoryAttribute, DirectoryDimension, DirectoryIdentity, DirectoryUser, PolicyCondition,
    PolicyRule, PolicyRuleset, PolicyUser, WorkspaceIntegration, WorkspaceUser,
    directory_user_attributes,
)

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
FIRST_NAMES = people.split(people.FIRST_NAMES)
LAST_NAMES = people.split(people.LAST_NAMES)
NOT_IN_USE = ("expired", "suspended", "deactivated")
# States of people without reports, in turn; the rest of each round is active.
STATES = ["staged", "expiring", "expired", "suspended", "deactivated"]
UNRELATED_COUNTS = """
    vcs_groups vcs_projects drive_docs drive_files drive_folders drive_decks drive_sheets
    identity_groups suite_drives suite_groups workforce_groups chat_public_channels
    chat_private_channels chat_groups workspace_logs_parent workspace_logs_record
    workspace_logs_related workspace_logs_subject
""".split()
LOG_COUNTS = [name for name in UNRELATED_COUNTS if name.startswith("workspace_logs")]


class Seeder:
    def __init__(self, seed: int):
        self.random = Random(seed)
        # Midnight, so that all starts on one day give the same data.
        self.today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        self.oldest = self.today - timedelta(days=725)
        self.newest = self.today - timedelta(days=3)
        self.integrations = []
        self.dimensions = []
        self.attributes = []
        self.rulesets = []
        self.rules = []
        self.conditions = []
        self.users = []
        self.handles = set()
        self.attributes_of = {}
        self.identities = []
        self.policy_users = []
        self.workspace_users = []

    # Small helpers

    def new_id(self, prefix: str) -> str:
        return f"{prefix}_" + "".join(self.random.choices(DIGITS, k=20))

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def between(self, start: datetime, end: datetime) -> datetime:
        return start + timedelta(microseconds=self.random.randint(
            0, (end - start) // timedelta(microseconds=1)
        ))

    def past(self, start: datetime | None = None) -> datetime:
        return self.between(start or self.oldest, self.newest)

    def future(self) -> datetime:
        return self.between(self.today + timedelta(days=4), self.today + timedelta(days=300))

    def expiry(self, state: str, start: datetime) -> datetime | None:
        return {"expiring": self.future(), "expired": self.past(start)}.get(state)

    def latest(self, *moments: datetime | None) -> datetime:
        """An update time: not before anything that has happened to the record."""
        return self.past(max(moment for moment in moments if moment and moment < self.today))

    # Directory dimensions and attributes

    def add_integrations(self) -> None:
        for number, handle in enumerate(["example-main", "example-partners"]):
            self.integrations.append(WorkspaceIntegration(
                id=self.new_id("wsitg"), is_primary=number == 0, vendor="demo", handle=handle,
                domain=["example.com", "partners.example.org"][number],
            ))

    def add_dimensions(self) -> None:
        for handle, (name, values) in people.DIMENSIONS.items():
            dimension = self.add_dimension(handle, name)
            kind = "ruleset" if handle == "access" else "integration"
            for value in people.split(values):
                self.add_attribute(dimension, kind, value)
            self.add_attribute(dimension, "catch", f"Unknown {name.lower()}")
        old = self.add_dimension("floor", "Floor", state="deactivated", deleted=True)
        self.add_attribute(old, "catch", "Unknown floor")
        self.add_dimension("employment_type", "Employment Type", state="staged")
        self.add_retired_attributes()

    def add_dimension(self, handle, name, state="active", deleted=False) -> DirectoryDimension:
        created = self.past()
        deleted_at = self.past(created) if deleted else None
        dimension = DirectoryDimension(
            id=self.new_id("drdim"), state=state, name=name, handle=handle, created_at=created,
            updated_at=self.latest(created, deleted_at), expires_at=None, deleted_at=deleted_at,
        )
        self.dimensions.append(dimension)
        return dimension

    def add_attribute(self, dimension, kind, name, state="active", deleted=False, successor=None):
        created = self.past(dimension.created_at)
        activated = None if state == "staged" else self.past(created)
        expires = self.expiry(state, activated or created)
        deleted_at = self.past(activated or created) if deleted else None
        attribute = DirectoryAttribute(
            id=self.new_id("dratr"), directory_dimension_id=dimension.id,
            successor_id=successor and successor.id, state=state, type=kind, name=name,
            handle=people.plain(name).replace(".", "-"), created_at=created,
            profile_value=name.split(" ")[0] if kind == "integration" else None,
            activated_at=activated, expires_at=expires, deleted_at=deleted_at,
            updated_at=self.latest(created, activated, expires, deleted_at),
        )
        if kind == "ruleset":
            ids = (self.new_id("bp"), dimension.id, attribute.id, self.new_id("ref"))
            attribute.blueprint_signature = "-".join(part[-4:] for part in ids)
        self.attributes.append(attribute)
        return attribute

    def add_retired_attributes(self) -> None:
        """Attributes that nobody has: ahead of their use, past it, or replaced."""
        department, location = self.dimensions[0], self.dimensions[3]
        successor = next(a for a in self.attributes if a.name == "Marketing")
        self.add_attribute(department, "integration", "Data Science", "staged")
        for name in ("Advertising", "Public Relations"):
            self.add_attribute(department, "integration", name, "expired", successor=successor)
        self.add_attribute(department, "integration", "Print Shop", "deactivated")
        self.add_attribute(department, "integration", "Typing Pool", "deactivated", True)
        self.add_attribute(location, "integration", "Århus", "expiring")
        self.add_attribute(location, "integration", "Saint-Étienne", "expiring")
        self.add_attribute(location, "integration", "Ostrava", "staged")

    # Policy

    def add_policy(self) -> None:
        conditions_on = [
            attribute for attribute in self.attributes
            if attribute.type == "integration" and attribute.state == "active"
        ]
        dimension_of = {dimension.id: dimension for dimension in self.dimensions}
        for attribute in [a for a in self.attributes if a.type == "ruleset"]:
            days = self.random.choice([0, 30, 90, 365])
            ruleset = PolicyRuleset(
                id=self.new_id("plrst"), state="unmanaged", type="directory_attribute",
                resource_id=attribute.id, is_authoritative=self.chance(0.5),
                expires_after_days=days,
            )
            self.rulesets.append(ruleset)
            for priority, role in enumerate(["Owner", "Maintainer", "Reader"], start=1):
                inherited = self.chance(0.6)
                rule = PolicyRule(
                    id=self.new_id("plrul"), role_name=role, role_handle=role.lower(),
                    state="staged" if self.chance(0.2) else "active", is_imported=False,
                    description=f"{role} of {attribute.name}", priority=priority,
                    expires_after_days=days if inherited else self.random.choice([7, 60, 180]),
                    expires_after_days_inherited=inherited,
                )
                self.rules.append(rule)
                for target in self.random.sample(conditions_on, 1 if priority > 1 else 2):
                    self.conditions.append(PolicyCondition(
                        id=self.new_id("plcon"), is_imported=self.chance(0.2), type="attribute",
                        ruleset_id=ruleset.id, rule_id=rule.id, resource_id=target.id,
                        profile_key=dimension_of[target.directory_dimension_id].handle,
                        profile_operator="equals", profile_value=target.profile_value,
                        description=f"{target.name} has {role.lower()} access",
                    ))

    def add_policy_users(self) -> None:
        """A user gets the first rule of each ruleset all of whose conditions are met."""
        rules_of, needed = defaultdict(list), defaultdict(set)
        rules = {rule.id: rule for rule in self.rules}
        for condition in self.conditions:
            if rules[condition.rule_id] not in rules_of[condition.ruleset_id]:
                rules_of[condition.ruleset_id].append(rules[condition.rule_id])
            needed[condition.rule_id].add(condition.resource_id)
        for user in self.users:
            if user.deleted_at or user.state in NOT_IN_USE:
                continue
            owned = {attribute.id for attribute in self.attributes_of[user.id]}
            for ruleset in self.rulesets:
                met = [rule for rule in rules_of[ruleset.id] if needed[rule.id] <= owned]
                if met:
                    self.add_policy_user(user, ruleset, met[0])

    def add_policy_user(self, user, ruleset, rule) -> None:
        # Staged people and staged rules are left out of the manifest.
        state = "staged" if "staged" in (user.state, rule.state) else "active"
        created = self.past(user.created_at)
        activated = self.past(created) if state == "active" else None
        self.policy_users.append(PolicyUser(
            id=self.new_id("plusr"), directory_user_id=user.id, ruleset_id=ruleset.id,
            rule_id=rule.id, state=state, created_at=created, activated_at=activated,
            updated_at=self.latest(created, activated), expires_at=user.expires_at,
            deleted_at=None,
        ))

    # People

    def add_users(self, total: int) -> None:
        """Four levels: the head, their reports, managers, and everybody else."""
        secondary = total // 20
        primary = total - secondary
        ends = [1, 1 + max(1, primary // 40), 1 + max(1, primary // 40) + max(1, primary // 9)]
        for number in range(primary):
            level = sum(number >= end for end in ends)
            first = 0 if level <= 1 else ends[level - 2]
            manager = self.users[self.random.randrange(first, ends[level - 1])] if level else None
            self.add_person(number - ends[2], manager)
        candidates = [user for user in self.users if not user.deleted_at]
        for parent in self.random.sample(candidates, min(secondary, len(candidates))):
            self.add_secondary_user(parent)
        managers = {user.manager_id for user in self.users if not user.deleted_at}
        for user in self.users:
            user.is_manager = user.id in managers

    def add_person(self, turn: int, manager: DirectoryUser | None) -> None:
        """The turn counts people who can have no reports; it is negative for managers."""
        state, deleted = "active", False
        if turn >= 0:
            state = STATES[turn % 16] if turn % 16 < len(STATES) else "active"
            deleted = turn % 20 == 18 or (state in NOT_IN_USE and turn % 3 == 1)
        common = self.chance(0.25)
        last_name = self.random.choice(people.COMMON_LAST_NAMES if common else LAST_NAMES)
        user = self.add_user(
            self.random.choice(FIRST_NAMES), last_name, state, deleted, manager and manager.id
        )
        self.add_org(user)
        partner = turn >= 0 and self.chance(0.15)
        user.workspace_integration_id = self.integrations[partner].id
        if not partner:
            self.add_badge(user)
            self.add_identity(user, self.integrations[0])
        if partner or self.chance(0.1):
            self.add_identity(user, self.integrations[1])
        if state != "staged" or self.chance(0.5):
            self.add_workspace_user(user, turn)

    def add_user(self, first_name, last_name, state, deleted, manager_id, address=None):
        created = self.past()
        provisioned = None if state == "staged" else self.past(created)
        expires = self.expiry(state, provisioned or created)
        ended = expires if state == "expired" else None
        if state == "deactivated":
            ended = self.past(provisioned)
        pending = state == "active" and manager_id and self.chance(0.05)
        deprovisioned = self.past(provisioned) if pending or state == "suspended" else ended
        deleted_at = self.past(ended or provisioned or created) if deleted else None
        handle = address or self.free_handle(people.plain(f"{first_name} {last_name}"))
        user = DirectoryUser(
            id=self.new_id("drusr"), parent_id=None, manager_id=manager_id, state=state,
            first_name=first_name, last_name=last_name, is_manager=False,
            email=f"{handle}@example.com", username=handle,
            badge_id=None, employee_id=None, employee_alt_id=None, created_at=created,
            provisioned_at=provisioned, deprovisioned_at=deprovisioned, expires_at=expires,
            expired_at=ended if state == "expired" else None, deactivated_at=ended,
            deleted_at=deleted_at,
            updated_at=self.latest(created, provisioned, expires, deprovisioned, deleted_at),
            metadata_=self.metadata(),
        )
        if self.chance(0.06):
            user.username = self.free_handle(f"{handle[0]}_{people.plain(last_name)}")
        self.users.append(user)
        return user

    def free_handle(self, wanted: str) -> str:
        number, handle = 1, wanted
        while handle in self.handles:
            number += 1
            handle = f"{wanted}{number}"
        self.handles.add(handle)
        return handle

    def metadata(self) -> dict:
        metadata = {}
        if self.chance(0.5):
            metadata["note"] = self.random.choice(people.NOTES)
        if self.chance(0.3):
            metadata["shirt_size"] = self.random.choice(["S", "M", "L", "XL"])
        if self.chance(0.2):
            metadata["onboarding_ticket"] = f"IT-{self.random.randint(1000, 9999)}"
        return metadata

    def add_org(self, user: DirectoryUser) -> None:
        """One attribute of each dimension that people have; the catch-all for some."""
        self.attributes_of[user.id], user.org = [], {}
        for dimension in self.dimensions[:5]:
            mine = [
                attribute for attribute in self.attributes
                if attribute.directory_dimension_id == dimension.id
                and attribute.state in ("active", "expiring")
            ]
            kind = "catch" if self.chance(0.06) else "integration"
            attribute = self.random.choice([a for a in mine if a.type == kind])
            self.attributes_of[user.id].append(attribute)
            user.org[dimension.handle] = attribute.name

    def add_badge(self, user: DirectoryUser) -> None:
        if user.state != "staged" and self.chance(0.8):
            user.badge_id = f"B{self.random.randint(100000, 999999)}"
        if self.chance(0.9):
            user.employee_id = f"{self.random.randint(1, 99999):06}"
        if self.chance(0.3):
            user.employee_alt_id = f"EXT-{self.random.randint(1000, 9999)}"

    def add_identity(self, user: DirectoryUser, integration: WorkspaceIntegration) -> None:
        self.identities.append(DirectoryIdentity(
            id=self.new_id("dridn"), workspace_integration_id=integration.id,
            directory_user_id=user.id, integration_vendor=integration.vendor,
            integration_handle=integration.handle, vendor_id=str(self.random.randint(10**8, 10**9)),
            full_name=f"{user.first_name} {user.last_name}", org=user.org,
            email=f"{user.email.split('@')[0]}@{integration.domain}",
            state="staged" if user.state == "staged" else "active",
        ))

    def add_secondary_user(self, parent: DirectoryUser) -> None:
        address = self.free_handle(f"admin-{parent.email.split('@')[0]}")
        user = self.add_user(
            parent.first_name, parent.last_name, "active", False, parent.manager_id, address
        )
        user.parent_id = parent.id
        user.workspace_integration_id = self.integrations[0].id
        user.org = dict(parent.org)
        self.attributes_of[user.id] = self.attributes_of[parent.id]
        self.add_identity(user, self.integrations[0])

    # Workspace users

    def add_workspace_user(self, user: DirectoryUser, turn: int) -> None:
        state = "deactivated" if user.state == "suspended" else user.state
        deleted = bool(user.deleted_at) or turn % 25 == 6
        if deleted and state == "active":
            state = "deactivated"
        created = self.past(user.created_at)
        signed_in = None if state == "staged" else self.past(created)
        active = signed_in and self.past(signed_in)
        expires = self.expiry(state, active or created)
        deleted_at = self.past(max(filter(None, [active, created]))) if deleted else None
        roles = self.random.randint(1, 5)
        kept = 0 if deleted or state in NOT_IN_USE else roles
        logs = ["workspace_logs_actor", *LOG_COUNTS]
        counts = {name: self.random.randint(0, 60) for name in logs}
        self.workspace_users.append(WorkspaceUser(
            id=self.new_id("wsusr"), directory_user_id=user.id, state=state,
            provider=self.random.choice(["consumer_account_idp", "native_idp", "workforce_idp"]),
            provider_id=str(self.random.randint(10**20, 10**21)) if signed_in else None,
            name=f"{user.first_name} {user.last_name}", handle=user.username, email=user.email,
            ui_mode=self.random.choice(["light", "dark", None]),
            ui_color=self.random.choice(["ocean", "forest", "sunset", None]),
            created_at=created, last_authenticated_at=signed_in, last_activity_at=active,
            expires_at=expires, deleted_at=deleted_at,
            updated_at=self.latest(created, active, expires, deleted_at),
            former_roles=roles - kept,
            count=counts | {
                "workspace_devices": self.random.randint(0, 4), "workspace_roles": kept,
                "workspace_services": self.random.randint(0, 6),
            },
        ))

    # Counts of related records

    def add_counts(self) -> None:
        policies_of, policies_for = defaultdict(list), defaultdict(list)
        for policy_user in self.policy_users:
            policies_of[policy_user.directory_user_id].append(policy_user)
            policies_for[policy_user.ruleset_id].append(policy_user)
        live = [user for user in self.users if not user.deleted_at]
        secondary_users = Counter(user.parent_id for user in live)
        direct_reports = Counter(user.manager_id for user in live)
        identities = Counter(identity.directory_user_id for identity in self.identities)
        for user in self.users:
            owned = {attribute.id for attribute in self.attributes_of[user.id]}
            user.count = {name: self.random.randint(0, 40) for name in UNRELATED_COUNTS} | {
                "secondary_users": secondary_users[user.id],
                "direct_report_users": direct_reports[user.id],
                "directory_identities": identities[user.id],
                "policy_conditions": sum(
                    condition.resource_id in owned for condition in self.conditions
                ),
                "directory_attributes": len(owned),
                "policy_users": len(policies_of[user.id]),
                "policy_rulesets": len(policies_of[user.id]),
                **self.rule_counts(policies_of[user.id], "rules"),
            }
        for attribute in self.attributes:
            ruleset = next((r for r in self.rulesets if r.resource_id == attribute.id), None)
            attribute.count = {name: self.random.randint(0, 40) for name in LOG_COUNTS[:3]} | {
                "attribute_conditions": sum(
                    condition.resource_id == attribute.id for condition in self.conditions
                ),
                "attribute_predecessors": sum(
                    other.successor_id == attribute.id for other in self.attributes
                ),
                "policy_rules": 3 if ruleset else 0,
                **self.rule_counts(policies_for[ruleset.id] if ruleset else [], "users"),
            }
        for dimension in self.dimensions:
            dimension.count = {"attributes": sum(
                attribute.directory_dimension_id == dimension.id and not attribute.deleted_at
                for attribute in self.attributes
            )}

    def rule_counts(self, policy_users: list[PolicyUser], kind: str) -> dict[str, int]:
        active = sum(policy_user.state == "active" for policy_user in policy_users)
        return {
            f"manifest_{kind}": active, f"qualified_{kind}": len(policy_users),
            f"staged_{kind}": len(policy_users) - active,
        }


def fill_database(session: Session, seed: int, users: int) -> None:
    seeder = Seeder(seed)
    seeder.add_integrations()
    seeder.add_dimensions()
    seeder.add_policy()
    seeder.add_users(users)
    seeder.add_policy_users()
    seeder.add_counts()
    for records in (
        seeder.integrations, seeder.dimensions, seeder.attributes, seeder.rulesets, seeder.rules,
        seeder.conditions, seeder.users, seeder.identities, seeder.policy_users,
        seeder.workspace_users,
    ):
        session.add_all(records)
        session.flush()
    session.execute(directory_user_attributes.insert(), [
        {"directory_user_id": user_id, "directory_attribute_id": attribute.id}
        for user_id, attributes in seeder.attributes_of.items() for attribute in attributes
    ])
    session.commit()
