"""Generates one company from a seed. The same seed gives the same company on the same day."""
import random
import string
import unicodedata
from datetime import timedelta

from django.utils import timezone
from django.utils.text import slugify

from directory.models import (
    DirectoryAttribute, DirectoryDimension, DirectoryIdentity, DirectoryUser, PolicyCondition,
    PolicyRule, PolicyRuleset, PolicyUser, WorkspaceIntegration, WorkspaceUser,
)

from . import words

DAY = timedelta(days=1)
LETTERS = string.ascii_lowercase + string.digits
PREFIXES = {
    WorkspaceIntegration: "wsitg_", DirectoryDimension: "drdim_", DirectoryAttribute: "dratr_",
    PolicyRuleset: "plrst_", PolicyRule: "plrul_", PolicyCondition: "plcnd_", DirectoryUser: "drusr_",
    DirectoryIdentity: "dridn_", PolicyUser: "plusr_", WorkspaceUser: "wsusr_",
}
USER_RELATIONS = [
    "directory_attributes", "policy_conditions", "policy_rulesets",
    "policy_rules_manifest", "policy_rules_qualified", "policy_rules_staged",
]
USER_RESOURCES = [
    "vcs_groups", "vcs_projects", "drive_docs", "drive_files", "drive_folders", "drive_decks",
    "drive_sheets", "identity_groups", "suite_drives", "suite_groups", "workforce_groups",
    "chat_public_channels", "chat_private_channels", "chat_groups",
]


def latin_handle(name):
    name = words.LATIN.get(name, name).lower().translate(words.WITHOUT_ACCENT)
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return "".join(letter for letter in plain if letter.isalnum())


class Company:
    def __init__(self, seed, user_count):
        self.random = random.Random(seed)
        self.user_count = user_count
        today = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
        # No timestamp is near the start of the server.
        self.first_day, self.last_day = today - 730 * DAY, today - 3 * DAY
        self.first_future_day, self.last_future_day = today + 4 * DAY, today + 240 * DAY
        self.records = {model: [] for model in PREFIXES}
        self.related = {relation: {} for relation in USER_RELATIONS}
        self.emails = set()

        self.make_integrations()
        self.make_dimensions()
        self.make_policies()
        self.make_users()
        self.make_identities()
        self.make_policy_users()
        self.make_workspace_users()
        self.count_all()

    # Small helpers

    def make(self, model, **fields):
        record = model(id=PREFIXES[model] + "".join(self.random.choices(LETTERS, k=20)), **fields)
        self.records[model].append(record)
        return record

    def chance(self, probability):
        return self.random.random() < probability

    def between(self, earliest, latest):
        return earliest + (latest - earliest) * self.random.random()

    def past(self, earliest=None):
        return self.between(earliest or self.first_day, self.last_day)

    def future(self):
        return self.between(self.first_future_day, self.last_future_day)

    def lifecycle(self, state, deleted=False, earliest=None):
        """Timestamps that agree with a state of an attribute, a dimension or a workspace user."""
        created = self.between(earliest or self.first_day, self.last_day - 20 * DAY)
        fields = {"created_at": created, "updated_at": created, "expires_at": None, "deleted_at": None}
        if state == "expiring":
            fields["expires_at"] = self.future()
        if state == "expired":
            fields["expires_at"] = fields["updated_at"] = self.between(created + 5 * DAY, self.last_day - DAY)
        if deleted:
            fields["deleted_at"] = fields["updated_at"] = self.past(fields["updated_at"])
        elif self.chance(0.5):
            fields["updated_at"] = self.past(fields["updated_at"])
        return {"state": state} | fields

    # Integrations, dimensions, attributes

    def make_integrations(self):
        for handle, domain, primary in [
            ("northwind", "northwind.example", True),
            ("northwind-labs", "labs.northwind.example", False),
            ("northwind-partners", "partners.northwind.example", False),
        ]:
            created = self.between(self.first_day, self.first_day + 5 * DAY)
            self.make(WorkspaceIntegration, is_primary=primary, handle=handle, domain=domain,
                      created_at=created, updated_at=created)
        self.primary, *self.secondary_integrations = self.records[WorkspaceIntegration]

    def make_dimension(self, name, state="active", deleted=False):
        return self.make(DirectoryDimension, name=name, handle=slugify(name).replace("-", "_"),
                         workspace_integration=self.primary, **self.lifecycle(state, deleted))

    def make_attribute(self, dimension, name, type="integration", state="active", deleted=False, value=None, **fields):
        attribute = self.make(
            DirectoryAttribute, directory_dimension=dimension, name=name, handle=slugify(name), type=type,
            profile_value=(value or name) if type == "integration" else None,
            **self.lifecycle(state, deleted, dimension.created_at), **fields,
        )
        if state != "staged":
            attribute.activated_at = attribute.created_at
        if type == "ruleset" or self.chance(0.2):
            last_characters = ["".join(self.random.choices(LETTERS, k=4)), dimension.id[-4:], attribute.id[-4:],
                               "".join(self.random.choices(LETTERS, k=4))]
            attribute.blueprint_signature = "-".join(last_characters)
        return attribute

    def make_dimensions(self):
        titles = words.EXECUTIVE_TITLES + [
            title for _, _, manager, others in words.DEPARTMENTS.values() for title in [manager, *others]
        ]
        self.attributes = {}  # the attributes in use, by dimension and name
        for name, attribute_names, type in [
            ("Department", words.DEPARTMENTS, "integration"),
            ("Division", words.DIVISIONS, "integration"),
            ("Location", words.LOCATIONS, "integration"),
            ("Title", titles, "integration"),
            ("Worker Type", words.WORKER_TYPES, "integration"),
            ("Access Group", words.ACCESS_GROUPS, "ruleset"),
        ]:
            dimension = self.make_dimension(name)
            used = {each: self.make_attribute(dimension, each, type) for each in attribute_names}
            used["Unknown"] = self.make_attribute(dimension, f"Unknown {name}", "catch")
            self.attributes[dimension.handle] = used

        dimension = self.make_dimension("Cost Center")
        used = {department: self.make_attribute(dimension, f"{code} {department}", value=code)
                for department, (_, code, _, _) in words.DEPARTMENTS.items()}
        used["Unknown"] = self.make_attribute(dimension, "Unknown Cost Center", "catch")
        self.attributes[dimension.handle] = used

        # Attributes without users, in every other state.
        department = self.attributes["department"]["Sales"].directory_dimension
        for name, state, successor in [
            ("Field Marketing", "expiring", "Sales"), ("Inside Sales", "expired", "Sales"),
            ("Data Science", "staged", None), ("Facilities", "deactivated", None),
        ]:
            self.make_attribute(department, name, state=state,
                                attribute_successor=self.attributes["department"].get(successor))
        self.make_attribute(department, "Print Shop", state="deactivated", deleted=True)
        group = self.attributes["access_group"]["Data Stewards"].directory_dimension
        self.make_attribute(group, "Migration Helpers", "ruleset", state="expiring")
        self.make_attribute(group, "Legacy Auditors", "ruleset", state="expired", deleted=True)
        for name, state, names, attribute_state, deleted in [
            ("Project", "staged", words.PROJECTS, "staged", False),
            ("Office Floor", "expiring", words.FLOORS, "expiring", False),
            ("Parking", "expired", ["North Lot", "South Lot"], "expired", False),
            ("Badge Color", "deactivated", ["Blue", "Grün"], "deactivated", False),
            ("Fax Group", "deactivated", ["Fax A"], "deactivated", True),
        ]:
            dimension = self.make_dimension(name, state, deleted)
            for each in names:
                self.make_attribute(dimension, each, state=attribute_state, deleted=deleted)

    # Rulesets, rules, conditions

    def make_policies(self):
        resources = [self.attributes[handle][name] for handle, names in [
            ("department", words.DEPARTMENTS), ("worker_type", words.WORKER_TYPES),
            ("access_group", words.ACCESS_GROUPS),
        ] for name in names]
        for resource in resources:
            created = self.past(resource.created_at)
            ruleset = self.make(PolicyRuleset, resource=resource, is_authoritative=self.chance(0.3),
                                expires_after_days=self.random.choice([0, 30, 90, 365]),
                                created_at=created, updated_at=created)
            for priority, role in enumerate(self.random.sample(words.ROLES, self.random.randint(1, 3)), start=1):
                inherited = self.chance(0.5)
                rule = self.make(
                    PolicyRule, ruleset=ruleset, state="staged" if priority == 3 else "active",
                    role_name=role, role_handle=slugify(role), is_imported=self.chance(0.2),
                    description=f"{role} for {resource.name}", priority=priority,
                    expires_after_days=ruleset.expires_after_days if inherited else self.random.choice([7, 14, 180]),
                    expires_after_days_inherited=inherited, created_at=created, updated_at=created,
                )
                needed = [resource]
                if priority == 2:
                    needed.append(self.attributes["location"][self.random.choice(words.LOCATIONS)])
                rule.needed = {attribute.id for attribute in needed}
                for attribute in needed:
                    handle = attribute.directory_dimension.handle
                    self.make(
                        PolicyCondition, ruleset=ruleset, rule=rule, resource=attribute,
                        is_imported=rule.is_imported, profile_key=handle,
                        profile_value=attribute.profile_value or attribute.name,
                        description=f"{handle} equals {attribute.name}", created_at=created, updated_at=created,
                    )

    # Directory users

    def make_users(self):
        secondary_count = self.user_count // 16
        person_count = self.user_count - secondary_count
        executives, managers = max(1, person_count // 40), max(1, person_count // 10)
        chief = self.make_person(None, "Chief Executive Officer", None)
        level_2 = [self.make_person(chief, "Vice President") for _ in range(executives)]
        level_3 = [self.make_person(self.random.choice(level_2), "manager") for _ in range(managers)]
        others = person_count - len(self.records[DirectoryUser])
        # Every state once, then by weight.
        first = ["staged", "expiring", "expired", "suspended", "deactivated", "active"]
        for number in range(others):
            state = first[number] if number < len(first) else self.random.choices(
                ["active", "staged", "expiring", "expired", "suspended", "deactivated"], [60, 9, 9, 8, 5, 9])[0]
            deleted = number in (2, 4) or (number >= len(first) and self.chance(
                {"deactivated": 0.45, "expired": 0.35, "staged": 0.15}.get(state, 0)))
            self.make_person(self.random.choice(level_3), "contributor", state=state, deleted=deleted)

        parents = [user for user in self.records[DirectoryUser] if user.state == "active"]
        for _ in range(secondary_count):
            self.make_secondary_user(self.random.choice(parents))
        self.mark_managers()

    def mark_managers(self):
        with_reports = {user.manager_user_id for user in self.records[DirectoryUser] if user.deleted_at is None}
        for user in self.records[DirectoryUser]:
            user.is_manager = user.id in with_reports

    def user_lifecycle(self, state, deleted, earliest=None, latest=None):
        """All timestamps of a directory user, in agreement with the state."""
        earliest = earliest or self.first_day
        if state == "staged":
            earliest = max(earliest, self.last_day - 60 * DAY)
        created = self.between(earliest, latest or self.last_day - 10 * DAY)
        fields = {"created_at": created}
        if state != "staged":
            fields["provisioned_at"] = provisioned = self.between(created, created + DAY)
        if state == "expiring":
            fields["expires_at"] = self.future()
        if state == "expired":
            ended = self.between(provisioned + DAY, self.last_day - DAY)
            fields |= {"expires_at": ended, "expired_at": ended, "deactivated_at": ended}
        if state == "deactivated":
            fields["deactivated_at"] = self.between(provisioned + DAY, self.last_day - DAY)
        if "deactivated_at" in fields:
            fields["deprovisioned_at"] = self.past(fields["deactivated_at"])
        if state == "active" and latest is None and self.chance(0.08):
            fields["deprovisioned_at"] = self.past(provisioned + DAY)
        past_events = [moment for name, moment in fields.items() if (name, state) != ("expires_at", "expiring")]
        fields["updated_at"] = self.past(max(past_events))
        if deleted:
            fields["deleted_at"] = fields["updated_at"]
        return {"state": state} | fields

    def new_email(self, first_name, last_name, domain):
        handle = f"{latin_handle(first_name)}.{latin_handle(last_name)}"
        number, email = 1, f"{handle}@{domain}"
        while email in self.emails:
            number += 1
            email = f"{handle}{number}@{domain}"
        self.emails.add(email)
        return email

    def make_person(self, manager, level, state=None, deleted=False):
        if manager is None or level in ("Vice President", "manager"):
            state = self.random.choices(["active", "expiring", "suspended"], [90, 6, 4])[0] if manager else "active"
            lifecycle = self.user_lifecycle(state, False, latest=self.first_day + 120 * DAY)
        else:
            lifecycle = self.user_lifecycle(state, deleted, earliest=self.first_day + 60 * DAY)
        first_names, last_names = self.random.choice(words.NAMES)
        first_name, last_name = self.random.choice(first_names), self.random.choice(last_names)
        email = self.new_email(first_name, last_name, self.primary.domain)
        username = email.split("@")[0]
        if self.chance(0.08):
            username = f"{username[0]}{latin_handle(last_name)}{self.random.randint(10, 99)}"
        hired = state != "staged"
        user = self.make(
            DirectoryUser, first_name=first_name, last_name=last_name, email=email,
            username=username,
            manager_user=manager, workspace_integration=self.primary,
            badge_id=f"{self.random.randint(0, 99999):05d}" if hired and self.chance(0.7) else None,
            employee_id=f"{len(self.emails):06d}" if hired and self.chance(0.9) else None,
            employee_alt_id=f"E-{self.random.randint(1000, 9999)}" if hired and self.chance(0.3) else None,
            metadata=self.make_metadata(), **lifecycle,
        )
        department = self.random.choice(list(words.DEPARTMENTS))
        if level == "contributor":
            department = manager.department
        user.department = department
        self.assign_attributes(user, level)
        return user

    def make_metadata(self):
        candidates = {
            "onboarding_ticket": f"HR-{self.random.randint(1000, 9999)}",
            "desk": self.random.choice(["3F-North", "2F-Süd", "Hot desk"]),
            "laptop": self.random.choice(["Standard", "Developer", "None needed"]),
            "remote": self.chance(0.4),
            "mentor_program": self.random.choice(["Mentor", "Mentee"]),
        }
        return {key: value for key, value in candidates.items() if self.chance(0.4)}

    def assign_attributes(self, user, level):
        division, _, manager_title, titles = words.DEPARTMENTS[user.department]
        title = {"manager": manager_title, "contributor": self.random.choice(titles)}.get(level, level)
        names = {
            "department": user.department, "division": division, "cost_center": user.department, "title": title,
            "location": "Unknown" if self.chance(0.06) else self.random.choice(words.LOCATIONS),
            "worker_type": self.random.choices(words.WORKER_TYPES, [85, 10, 5])[0],
        }
        if self.chance(0.25):
            names["access_group"] = self.random.choice(words.ACCESS_GROUPS)
        self.related["directory_attributes"][user.id] = [self.attributes[key][name] for key, name in names.items()]

    def make_secondary_user(self, parent):
        integration = self.random.choice(self.secondary_integrations)
        lifecycle = self.user_lifecycle(
            self.random.choices(["active", "staged", "deactivated"], [80, 10, 10])[0], False, parent.created_at)
        email = self.new_email(parent.first_name, parent.last_name, integration.domain)
        self.make(DirectoryUser, first_name=parent.first_name, last_name=parent.last_name, email=email,
                  username=email.split("@")[0], parent_user=parent, manager_user=parent.manager_user,
                  workspace_integration=integration, **lifecycle)

    # What belongs to the users

    def make_identities(self):
        for user in self.records[DirectoryUser]:
            integrations = [user.workspace_integration]
            if user.parent_user is None and user.state != "staged" and self.chance(0.15):
                integrations.append(self.random.choice(self.secondary_integrations))
            for integration in integrations:
                self.make(
                    DirectoryIdentity, state=user.state, workspace_integration=integration, directory_user=user,
                    vendor_id=str(self.random.randint(10**20, 10**21 - 1)),
                    full_name=f"{user.first_name} {user.last_name}",
                    email=f"{user.email.split('@')[0]}@{integration.domain}",
                    created_at=user.created_at, updated_at=user.updated_at,
                )

    def make_policy_users(self):
        """Qualified: all conditions of a rule are met. Staged users are in no manifest."""
        conditions, rules = self.records[PolicyCondition], self.records[PolicyRule]
        for user in self.records[DirectoryUser]:
            held = {attribute.id for attribute in self.related["directory_attributes"].get(user.id, [])}
            qualified = [] if user.deleted_at else [rule for rule in rules if rule.needed <= held]
            in_use = user.state in ("active", "expiring")
            manifest = [rule for rule in qualified if in_use and rule.state == "active"]
            staged = [rule for rule in qualified if user.state == "staged" or (in_use and rule.state == "staged")]
            self.related["policy_rules_qualified"][user.id] = qualified
            self.related["policy_rules_manifest"][user.id] = manifest
            self.related["policy_rules_staged"][user.id] = staged
            self.related["policy_conditions"][user.id] = [each for each in conditions if each.resource_id in held]
            self.related["policy_rulesets"][user.id] = [
                each for each in self.records[PolicyRuleset] if each.resource_id in held]
            for rule in manifest + staged:
                created = self.past(max(user.created_at, rule.created_at))
                is_staged = rule in staged
                self.make(
                    PolicyUser, directory_user=user, policy_ruleset=rule.ruleset, policy_rule=rule,
                    state="staged" if is_staged else user.state, created_at=created, updated_at=created,
                    activated_at=None if is_staged else created,
                    expires_at=None if is_staged else user.expires_at,
                )

    def make_workspace_users(self):
        people = [user for user in self.records[DirectoryUser] if user.parent_user is None and user.state != "staged"]
        first = [("active", False), ("deactivated", True), ("expired", False), ("deactivated", False),
                 ("expiring", False), ("staged", False), ("expired", True)]
        for number, user in enumerate(self.random.sample(people, len(people) * 2 // 3)):
            if number < len(first):
                state, deleted = first[number]
            else:
                state = self.random.choices(
                    ["active", "staged", "expiring", "expired", "deactivated"], [70, 6, 8, 8, 8])[0]
                deleted = state in ("expired", "deactivated") and self.chance(0.5)
            lifecycle = self.lifecycle(state, deleted, min(user.created_at, self.last_day - 30 * DAY))
            signed_in = state != "staged"
            authenticated = self.between(lifecycle["created_at"], lifecycle["updated_at"]) if signed_in else None
            self.make(
                WorkspaceUser, directory_user=user, name=f"{user.first_name} {user.last_name}",
                handle=user.username, email=user.email, provider=self.random.choice(WorkspaceUser.Provider.values),
                provider_id=str(self.random.randint(10**9, 10**10 - 1)) if signed_in else None,
                ui_mode=self.random.choice(["light", "dark", None]) if signed_in else None,
                ui_color=self.random.choice([*words.THEMES, None]) if signed_in else None,
                last_authenticated_at=authenticated,
                last_activity_at=self.between(authenticated, lifecycle["updated_at"]) if signed_in else None,
                former_role_count=self.random.randint(1, 4) if deleted else 0, **lifecycle,
            )

    # Derived members

    def count_logs(self, *names, highest=40):
        return {f"workspace_logs_{name}": self.random.randint(0, highest) for name in names}

    def count_all(self):
        users = self.records[DirectoryUser]
        live = [user for user in users if user.deleted_at is None]
        for user in users:
            related = {relation: self.related[relation].get(user.id, []) for relation in USER_RELATIONS}
            user.org = {each.directory_dimension.handle: each.name for each in related["directory_attributes"]}
            user.org_values = "\n".join(user.org.values())
            user.metadata_values = "\n".join(str(value) for value in user.metadata.values())
            user.count = {
                "secondary_users": sum(other.parent_user_id == user.id for other in live),
                "direct_report_users": sum(other.manager_user_id == user.id for other in live),
                "directory_identities": self.count_of(DirectoryIdentity, directory_user_id=user.id),
                "policy_conditions": len(related["policy_conditions"]),
                "policy_users": self.count_of(PolicyUser, directory_user_id=user.id),
                "policy_rulesets": len(related["policy_rulesets"]),
                "manifest_rules": len(related["policy_rules_manifest"]),
                "qualified_rules": len(related["policy_rules_qualified"]),
                "staged_rules": len(related["policy_rules_staged"]),
                **self.count_logs("parent", "record", "related", "subject"),
                "directory_attributes": len(related["directory_attributes"]),
            }
            for name in USER_RESOURCES:
                user.count[name] = 0 if user.state == "staged" else self.random.randint(0, 12)
        for identity in self.records[DirectoryIdentity]:
            identity.org = identity.directory_user.org
        for attribute in self.records[DirectoryAttribute]:
            rules = {rule.id for rule in self.records[PolicyRule] if rule.ruleset.resource_id == attribute.id}
            attribute.count = {
                "attribute_conditions": self.count_of(PolicyCondition, resource_id=attribute.id),
                "attribute_predecessors": self.count_of(DirectoryAttribute, attribute_successor_id=attribute.id),
                "policy_rules": len(rules),
                **{f"{kind}_users": sum(
                    any(rule.id in rules for rule in self.related[f"policy_rules_{kind}"][user.id]) for user in live
                ) for kind in ("manifest", "qualified", "staged")},
                **self.count_logs("parent", "record", "related"),
            }
        for dimension in self.records[DirectoryDimension]:
            dimension.count = {"attributes": self.count_of(
                DirectoryAttribute, directory_dimension_id=dimension.id, deleted_at=None)}
        for user in self.records[WorkspaceUser]:
            user.count = {
                "workspace_devices": self.random.randint(1, 4) if user.provider_id else 0,
                "workspace_roles": self.random.randint(1, 4) if user.state in ("active", "expiring") else 0,
                "workspace_services": self.random.randint(0, 3) if user.state in ("active", "expiring") else 0,
                **self.count_logs("actor", "parent", "record", "related", "subject"),
            }

    def count_of(self, model, **fields):
        return sum(
            all(getattr(record, name) == value for name, value in fields.items()) for record in self.records[model])

    def save(self):
        for model, records in self.records.items():
            model.objects.bulk_create(records)
        for relation, related_by_user in self.related.items():
            field = DirectoryUser._meta.get_field(relation)
            through = field.remote_field.through
            through.objects.bulk_create([
                through(**{"directoryuser_id": user_id, f"{field.related_model._meta.model_name}_id": related.id})
                for user_id, records in related_by_user.items() for related in records
            ])
