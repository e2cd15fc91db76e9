from functools import cached_property

from django.conf import settings
from rest_framework import serializers

from .includes import requested_includes
from .models import (
    DirectoryAttribute, DirectoryDimension, DirectoryIdentity, DirectoryUser, PolicyCondition,
    PolicyRule, PolicyRuleset, PolicyUser, WorkspaceIntegration, WorkspaceUser,
)


# Members that all resources share


class RecordTimestampSerializer(serializers.Serializer):
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    deleted_at = serializers.DateTimeField()


class ActivatedTimestampSerializer(RecordTimestampSerializer):
    activated_at = serializers.DateTimeField()


class DirectoryUserTimestampSerializer(RecordTimestampSerializer):
    provisioned_at = serializers.DateTimeField()
    deprovisioned_at = serializers.DateTimeField()


class MicrosecondDateTimeField(serializers.DateTimeField):
    format = settings.WORKSPACE_USER_DATETIME_FORMAT


class WorkspaceUserTimestampSerializer(serializers.Serializer):
    created_at = MicrosecondDateTimeField()
    updated_at = MicrosecondDateTimeField()
    expires_at = MicrosecondDateTimeField()
    last_authenticated_at = MicrosecondDateTimeField()
    last_activity_at = MicrosecondDateTimeField()
    deleted_at = MicrosecondDateTimeField()


class LinkedSerializer(serializers.ModelSerializer):
    """Adds the links: self, and one link below it for each relation in `linked`."""

    links = serializers.SerializerMethodField()
    linked = []

    @cached_property
    def service_address(self):
        return self.context["request"].build_absolute_uri("/api/v1")

    def get_links(self, record):
        self_link = f"{self.service_address}/{self.path}/{record.id}"
        return {"self": self_link} | {name: f"{self_link}/{name.replace('_', '-')}" for name in self.linked}


class IncludingSerializer(LinkedSerializer):
    """Shows the annotations of ?include=R-count and R-exists beside the fields of the record."""

    def get_fields(self):
        names = requested_includes(self.context["request"], self.context["view"])
        annotations = sorted(name for name in names if name.endswith(("_count", "_exists")))
        return super().get_fields() | {name: serializers.ReadOnlyField() for name in annotations}


class IncludedSerializer(serializers.Serializer):
    """Shows only the relations of ?include=."""

    def get_fields(self):
        names = requested_includes(self.context["request"], self.context["view"])
        return {name: field for name, field in super().get_fields().items() if name in names}


# Summaries


class UserSummarySerializer(serializers.ModelSerializer):
    manager_id = serializers.CharField(source="manager_user_id")

    class Meta:
        model = DirectoryUser
        fields = ["id", "state", "manager_id", "is_manager", "full_name", "email", "username", "org", "metadata"]


class WorkspaceUserSummarySerializer(serializers.ModelSerializer):
    class Meta:
        model = WorkspaceUser
        fields = ["id", "state", "provider", "provider_id", "name", "handle", "email"]


class WorkspaceIntegrationSummarySerializer(serializers.ModelSerializer):
    class Meta:
        model = WorkspaceIntegration
        fields = ["id", "is_primary", "vendor", "handle", "domain"]


class DirectoryIdentitySerializer(serializers.ModelSerializer):
    integration_vendor = serializers.CharField(source="workspace_integration.vendor")
    integration_handle = serializers.CharField(source="workspace_integration.handle")

    class Meta:
        model = DirectoryIdentity
        fields = [
            "id", "workspace_integration_id", "directory_user_id", "integration_vendor", "integration_handle",
            "vendor_id", "full_name", "email", "org", "state",
        ]


class PolicyConditionSerializer(serializers.ModelSerializer):
    class Meta:
        model = PolicyCondition
        fields = [
            "id", "is_imported", "type", "ruleset_id", "rule_id", "resource_id", "profile_key", "profile_operator",
            "profile_value", "description",
        ]


class PolicyRuleSerializer(serializers.ModelSerializer):
    class Meta:
        model = PolicyRule
        fields = [
            "id", "state", "role_name", "role_handle", "is_imported", "description", "expires_after_days",
            "expires_after_days_inherited", "priority",
        ]


class PolicyRulesetSerializer(serializers.ModelSerializer):
    class Meta:
        model = PolicyRuleset
        fields = ["id", "state", "type", "resource_id", "is_authoritative", "expires_after_days"]


class PolicyUserIncludedSerializer(serializers.Serializer):
    directory_user = UserSummarySerializer()
    policy_ruleset = PolicyRulesetSerializer()
    policy_rule = PolicyRuleSerializer()


class PolicyUserSerializer(serializers.ModelSerializer):
    timestamp = ActivatedTimestampSerializer(source="*")
    included = PolicyUserIncludedSerializer(source="*")

    class Meta:
        model = PolicyUser
        fields = ["id", "state", "timestamp", "included"]


# Resources


class DirectoryUserIncludedSerializer(IncludedSerializer):
    manager_user = UserSummarySerializer()
    workspace_user = WorkspaceUserSummarySerializer(allow_null=True)
    parent_user = UserSummarySerializer()
    secondary_users = serializers.SerializerMethodField()
    direct_report_users = UserSummarySerializer(many=True)
    workspace_integration = WorkspaceIntegrationSummarySerializer()
    directory_identities = DirectoryIdentitySerializer(many=True)
    policy_conditions = PolicyConditionSerializer(many=True)
    policy_users = PolicyUserSerializer(many=True)
    policy_rules_manifest = PolicyRuleSerializer(many=True)
    policy_rules_qualified = PolicyRuleSerializer(many=True)
    policy_rules_staged = PolicyRuleSerializer(many=True)
    policy_rulesets = PolicyRulesetSerializer(many=True)

    def get_secondary_users(self, user):
        """One object, as the specification shows it: the oldest secondary user."""
        secondary_users = list(user.secondary_users.all())
        return UserSummarySerializer(secondary_users[0]).data if secondary_users else None


class DirectoryUserSerializer(IncludingSerializer):
    path = "directory/users"
    linked = [
        "workspace_user", "workspace_integration", "secondary_users", "direct_report_users", "directory_identities",
        "workspace_logs_parent", "workspace_logs_record", "workspace_logs_related", "workspace_logs_subject",
    ]
    manager_id = serializers.CharField(source="manager_user_id")
    timestamp = DirectoryUserTimestampSerializer(source="*")
    included = DirectoryUserIncludedSerializer(source="*")

    class Meta:
        model = DirectoryUser
        fields = [
            "id", "state", "manager_id", "is_manager", "first_name", "last_name", "full_name", "email", "username",
            "badge_id", "employee_id", "employee_alt_id", "timestamp", "org", "metadata", "count", "included",
            "links",
        ]


class DirectoryAttributeSerializer(LinkedSerializer):
    path = "directory/attributes"
    linked = [
        "attribute_conditions", "directory_dimension", "workspace_integration", "policy_ruleset", "policy_rules",
        "manifest_users", "qualified_users", "staged_users",
    ]
    timestamp = ActivatedTimestampSerializer(source="*")
    included = serializers.ListField(child=serializers.CharField(), default=[], read_only=True)

    class Meta:
        model = DirectoryAttribute
        fields = [
            "id", "state", "type", "name", "handle", "blueprint_signature", "profile_value", "timestamp", "count",
            "included", "links",
        ]


class DirectoryDimensionIncludedSerializer(IncludedSerializer):
    attributes = DirectoryAttributeSerializer(many=True)


class DirectoryDimensionSerializer(IncludingSerializer):
    path = "directory/dimensions"
    linked = ["attributes"]
    timestamp = RecordTimestampSerializer(source="*")
    included = DirectoryDimensionIncludedSerializer(source="*")

    class Meta:
        model = DirectoryDimension
        fields = ["id", "state", "name", "handle", "timestamp", "count", "included", "links"]


class WorkspaceUserSerializer(LinkedSerializer):
    path = "workspace/users"
    linked = ["directory_user", "workspace_devices", "workspace_roles", "workspace_services", "workspace_tokens"]
    timestamp = WorkspaceUserTimestampSerializer(source="*")
    included = serializers.ListField(child=serializers.CharField(), default=[], read_only=True)

    class Meta:
        model = WorkspaceUser
        fields = [
            "id", "state", "provider", "provider_id", "name", "handle", "email", "ui_mode", "ui_color", "timestamp",
            "count", "included", "links",
        ]


# Request bodies


class RestoreSerializer(serializers.Serializer):
    roles = serializers.BooleanField()


class DeprecateSerializer(serializers.Serializer):
    expires_at = serializers.DateTimeField(required=False, allow_null=True)
    expires_after_days = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=1095)

    def validate(self, attrs):
        if attrs.get("expires_at") is not None and attrs.get("expires_after_days") is not None:
            raise serializers.ValidationError("Give expires_at or expires_after_days, not both.")
        return attrs
