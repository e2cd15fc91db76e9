from datetime import timedelta

from django.db import models
from django.db.models.functions import Concat
from django.utils import timezone


class State(models.TextChoices):
    STAGED = "staged"
    ACTIVE = "active"
    EXPIRING = "expiring"
    EXPIRED = "expired"
    SUSPENDED = "suspended"  # directory users only
    DEACTIVATED = "deactivated"


STATES = [choice for choice in State.choices if choice[0] != State.SUSPENDED]


class Record(models.Model):
    """What all resources share. Nothing is deleted from the database: deleted_at hides a record."""

    id = models.CharField(primary_key=True, max_length=40)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True)
    deleted_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        ordering = ["created_at", "id"]

    def save(self, *args, **kwargs):
        self.updated_at = timezone.now()
        super().save(*args, **kwargs)


class WorkspaceIntegration(Record):
    is_primary = models.BooleanField()
    vendor = models.CharField(max_length=20, default="demo")
    handle = models.SlugField()
    domain = models.CharField(max_length=100)


class DirectoryDimension(Record):
    state = models.CharField(max_length=20, choices=STATES)
    name = models.CharField(max_length=100)
    handle = models.SlugField()
    workspace_integration = models.ForeignKey(WorkspaceIntegration, models.PROTECT)
    count = models.JSONField(default=dict)


class DirectoryAttribute(Record):
    class Type(models.TextChoices):
        INTEGRATION = "integration"
        RULESET = "ruleset"
        CATCH = "catch"

    state = models.CharField(max_length=20, choices=STATES)
    type = models.CharField(max_length=20, choices=Type)
    name = models.CharField(max_length=100)
    handle = models.SlugField()
    blueprint_signature = models.CharField(max_length=40, null=True)
    profile_value = models.CharField(max_length=100, null=True)
    activated_at = models.DateTimeField(null=True)
    directory_dimension = models.ForeignKey(DirectoryDimension, models.PROTECT, related_name="attributes")
    attribute_successor = models.ForeignKey("self", models.SET_NULL, null=True, related_name="attribute_predecessors")
    count = models.JSONField(default=dict)

    def deprecate(self, expires_at=None, expires_after_days=None):
        """Neither option: the attribute expires now."""
        now = timezone.now()
        self.expires_at = expires_at or now + timedelta(days=expires_after_days or 0)
        self.state = State.EXPIRING if self.expires_at > now else State.EXPIRED
        self.save()

    @classmethod
    def expire_due(cls):
        """A production service does this in a periodic task."""
        cls.objects.filter(state=State.EXPIRING, expires_at__lte=timezone.now()).update(state=State.EXPIRED)


class PolicyRuleset(Record):
    state = models.CharField(max_length=20, default="unmanaged")
    type = models.CharField(max_length=20, default="directory_attribute")
    resource = models.OneToOneField(DirectoryAttribute, models.PROTECT, related_name="policy_ruleset")
    is_authoritative = models.BooleanField()
    expires_after_days = models.PositiveIntegerField()


class PolicyRule(Record):
    state = models.CharField(max_length=20, choices=STATES)
    ruleset = models.ForeignKey(PolicyRuleset, models.PROTECT, related_name="policy_rules")
    role_name = models.CharField(max_length=100)
    role_handle = models.SlugField()
    is_imported = models.BooleanField()
    description = models.CharField(max_length=200)
    expires_after_days = models.PositiveIntegerField()
    expires_after_days_inherited = models.BooleanField()
    priority = models.PositiveIntegerField()


class PolicyCondition(Record):
    is_imported = models.BooleanField()
    type = models.CharField(max_length=20, default="attribute")
    ruleset = models.ForeignKey(PolicyRuleset, models.PROTECT)
    rule = models.ForeignKey(PolicyRule, models.PROTECT, related_name="policy_conditions")
    resource = models.ForeignKey(DirectoryAttribute, models.PROTECT, related_name="attribute_conditions")
    profile_key = models.SlugField()
    profile_operator = models.CharField(max_length=20, default="equals")
    profile_value = models.CharField(max_length=100)
    description = models.CharField(max_length=200)


class DirectoryUser(Record):
    state = models.CharField(max_length=20, choices=State)
    manager_user = models.ForeignKey("self", models.SET_NULL, null=True, related_name="direct_report_users")
    parent_user = models.ForeignKey("self", models.SET_NULL, null=True, related_name="secondary_users")
    workspace_integration = models.ForeignKey(WorkspaceIntegration, models.PROTECT)
    is_manager = models.BooleanField(default=False)
    first_name = models.CharField(max_length=100)
    last_name = models.CharField(max_length=100)
    full_name = models.GeneratedField(
        expression=Concat("first_name", models.Value(" "), "last_name"),
        output_field=models.CharField(max_length=201),
        db_persist=True,
    )
    email = models.EmailField()
    username = models.CharField(max_length=100)
    badge_id = models.CharField(max_length=40, null=True)
    employee_id = models.CharField(max_length=40, null=True)
    employee_alt_id = models.CharField(max_length=40, null=True)
    provisioned_at = models.DateTimeField(null=True)
    deprovisioned_at = models.DateTimeField(null=True)
    expired_at = models.DateTimeField(null=True)
    deactivated_at = models.DateTimeField(null=True)
    org = models.JSONField(default=dict)
    metadata = models.JSONField(default=dict)
    # The values of the two objects as text, without their keys, for the partial-match filters.
    org_values = models.TextField(default="")
    metadata_values = models.TextField(default="")
    count = models.JSONField(default=dict)
    directory_attributes = models.ManyToManyField(DirectoryAttribute)
    policy_conditions = models.ManyToManyField(PolicyCondition)
    policy_rulesets = models.ManyToManyField(PolicyRuleset)
    policy_rules_manifest = models.ManyToManyField(PolicyRule, related_name="manifest_users")
    policy_rules_qualified = models.ManyToManyField(PolicyRule, related_name="qualified_users")
    policy_rules_staged = models.ManyToManyField(PolicyRule, related_name="staged_users")


class DirectoryIdentity(Record):
    state = models.CharField(max_length=20, choices=State)
    workspace_integration = models.ForeignKey(WorkspaceIntegration, models.PROTECT)
    directory_user = models.ForeignKey(DirectoryUser, models.CASCADE, related_name="directory_identities")
    vendor_id = models.CharField(max_length=40)
    full_name = models.CharField(max_length=201)
    email = models.EmailField()
    org = models.JSONField(default=dict)


class PolicyUser(Record):
    state = models.CharField(max_length=20, choices=STATES)
    directory_user = models.ForeignKey(DirectoryUser, models.CASCADE, related_name="policy_users")
    policy_ruleset = models.ForeignKey(PolicyRuleset, models.PROTECT)
    policy_rule = models.ForeignKey(PolicyRule, models.PROTECT)
    activated_at = models.DateTimeField(null=True)


class WorkspaceUser(Record):
    class Provider(models.TextChoices):
        CONSUMER_ACCOUNT = "consumer_account_idp"
        NATIVE = "native_idp"
        WORKFORCE = "workforce_idp"

    state = models.CharField(max_length=20, choices=STATES)
    directory_user = models.OneToOneField(DirectoryUser, models.PROTECT, related_name="workspace_user")
    provider = models.CharField(max_length=30, choices=Provider)
    provider_id = models.CharField(max_length=60, null=True)
    name = models.CharField(max_length=201)
    handle = models.CharField(max_length=100)
    email = models.EmailField()
    ui_mode = models.CharField(max_length=20, null=True)
    ui_color = models.CharField(max_length=20, null=True)
    last_authenticated_at = models.DateTimeField(null=True)
    last_activity_at = models.DateTimeField(null=True)
    former_role_count = models.PositiveIntegerField(default=0)
    count = models.JSONField(default=dict)

    def restore(self, roles):
        """With roles, the user gets back the roles that were taken away."""
        self.state = State.ACTIVE
        self.expires_at = self.deleted_at = None
        if roles:
            self.count["workspace_roles"] += self.former_role_count
            self.former_role_count = 0
        self.save()
