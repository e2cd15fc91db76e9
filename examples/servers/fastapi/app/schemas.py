"""Response and request models."""

from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

from pydantic import (
    AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer,
    computed_field, create_model, model_validator,
)

from . import models
from .settings import API_PREFIX, DATA_WRAPPER, EXCLUDE_UNSET

State = Literal["staged", "active", "expiring", "expired", "deactivated"]
DirectoryUserState = Literal[State, "suspended"]


def to_utc(value: datetime) -> datetime:
    """Times without a zone are UTC."""
    try:
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    except OverflowError:
        raise ValueError("is out of range") from None


def with_microseconds(value: datetime | None) -> str | None:
    return value and f"{value:%Y-%m-%dT%H:%M:%S.%f}Z"


Record = TypeVar("Record")
UtcTime = Annotated[datetime, AfterValidator(to_utc)]
Microseconds = Annotated[datetime | None, PlainSerializer(with_microseconds)]
UnlessUnset = Annotated[datetime | None, Field(exclude_if=lambda value: value is None)]


class Model(BaseModel):
    model_config = ConfigDict(from_attributes=True)


def same_type(name: str, kind: Any, members: str) -> type[Model]:
    """A response model whose members all have one type."""
    return create_model(name, __base__=Model, **{member: kind for member in members.split()})


def from_table(table: type[models.Base], members: str) -> type[Model]:
    """A response model that shows columns of a table as they are."""
    types = {member: table.__table__.c[member].type.python_type for member in members.split()}
    return create_model(f"{table.__name__}Read", __base__=Model, **types)


class Linked(Model):
    path: ClassVar[str]
    linked: ClassVar[str]

    @computed_field
    def links(self) -> dict[str, str]:
        address = f"{API_PREFIX}{self.path}/{self.id}"
        members = {name: f"{address}/{name.replace('_', '-')}" for name in self.linked.split()}
        return {"self": address, **members}


WorkspaceIntegrationRead = from_table(
    models.WorkspaceIntegration, "id is_primary vendor handle domain"
)
DirectoryIdentityRead = from_table(
    models.DirectoryIdentity,
    "id workspace_integration_id directory_user_id integration_vendor integration_handle"
    " vendor_id full_name email org state",
)
PolicyConditionRead = from_table(
    models.PolicyCondition,
    "id is_imported type ruleset_id rule_id resource_id profile_key profile_operator"
    " profile_value description",
)
PolicyRuleRead = from_table(
    models.PolicyRule,
    "id state role_name role_handle is_imported description expires_after_days"
    " expires_after_days_inherited priority",
)
PolicyRulesetRead = from_table(
    models.PolicyRuleset, "id state type resource_id is_authoritative expires_after_days"
)
Timestamp = same_type(
    "Timestamp", datetime | None, "created_at updated_at expires_at deleted_at"
)
ActivatedTimestamp = same_type(
    "ActivatedTimestamp",
    datetime | None,
    "created_at updated_at activated_at expires_at deleted_at",
)


class UserSummary(Model):
    id: str
    state: DirectoryUserState
    manager_id: str | None
    is_manager: bool
    full_name: str
    email: str
    username: str
    org: dict[str, Any]
    metadata: dict[str, Any] = Field(validation_alias="metadata_")


class WorkspaceUserSummary(Model):
    id: str
    state: State
    provider: Literal["consumer_account_idp", "native_idp", "workforce_idp"]
    provider_id: str | None
    name: str
    handle: str
    email: str


class PolicyUserIncluded(Model):
    directory_user: UserSummary
    policy_ruleset: PolicyRulesetRead
    policy_rule: PolicyRuleRead


class PolicyUserRead(Model):
    id: str
    state: str
    timestamp: ActivatedTimestamp
    included: PolicyUserIncluded


class Included(Model):
    """Holds only what was asked for; the count and exists forms are extra members."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, bool | int]


class DirectoryUserIncluded(Included):
    manager_user: UserSummary | None = None
    workspace_user: WorkspaceUserSummary | None = None
    parent_user: UserSummary | None = None
    # The specification shows a single object here: the first secondary user.
    secondary_users: Annotated[
        UserSummary | None, BeforeValidator(lambda users: users[0] if users else None)
    ] = None
    direct_report_users: list[UserSummary] | None = None
    workspace_integration: WorkspaceIntegrationRead | None = None
    directory_identities: list[DirectoryIdentityRead] | None = None
    policy_conditions: list[PolicyConditionRead] | None = None
    policy_users: list[PolicyUserRead] | None = None
    policy_rules_manifest: list[PolicyRuleRead] | None = None
    policy_rules_qualified: list[PolicyRuleRead] | None = None
    policy_rules_staged: list[PolicyRuleRead] | None = None
    policy_rulesets: list[PolicyRulesetRead] | None = None


DirectoryUserTimestamp = same_type(
    "DirectoryUserTimestamp",
    UnlessUnset if EXCLUDE_UNSET else datetime | None,
    "created_at updated_at deleted_at expires_at provisioned_at deprovisioned_at",
)
DirectoryUserCount = same_type(
    "DirectoryUserCount",
    int,
    "secondary_users direct_report_users directory_identities policy_conditions policy_users"
    " policy_rulesets manifest_rules qualified_rules staged_rules workspace_logs_parent"
    " workspace_logs_record workspace_logs_related workspace_logs_subject"
    " directory_attributes vcs_groups vcs_projects drive_docs drive_files drive_folders"
    " drive_decks drive_sheets identity_groups suite_drives suite_groups workforce_groups"
    " chat_public_channels chat_private_channels chat_groups",
)


class DirectoryUserRead(Linked, UserSummary):
    path = "/directory/users"
    linked = (
        "workspace_user workspace_integration secondary_users direct_report_users"
        " directory_identities workspace_logs_parent workspace_logs_record"
        " workspace_logs_related workspace_logs_subject"
    )
    first_name: str
    last_name: str
    badge_id: str | None
    employee_id: str | None
    employee_alt_id: str | None
    timestamp: DirectoryUserTimestamp
    count: DirectoryUserCount
    included: DirectoryUserIncluded


WorkspaceUserTimestamp = same_type(
    "WorkspaceUserTimestamp",
    Microseconds,
    "created_at updated_at expires_at last_authenticated_at last_activity_at deleted_at",
)
WorkspaceUserCount = same_type(
    "WorkspaceUserCount",
    int,
    "workspace_devices workspace_roles workspace_services workspace_logs_actor"
    " workspace_logs_parent workspace_logs_record workspace_logs_related"
    " workspace_logs_subject",
)


class WorkspaceUserRead(Linked, WorkspaceUserSummary):
    path = "/workspace/users"
    linked = (
        "directory_user workspace_devices workspace_roles workspace_services workspace_tokens"
    )
    ui_mode: str | None
    ui_color: str | None
    timestamp: WorkspaceUserTimestamp
    count: WorkspaceUserCount
    included: list[str]


DirectoryAttributeCount = same_type(
    "DirectoryAttributeCount",
    int,
    "attribute_conditions attribute_predecessors policy_rules manifest_users qualified_users"
    " staged_users workspace_logs_parent workspace_logs_record workspace_logs_related",
)


class DirectoryAttributeRead(Linked):
    path = "/directory/attributes"
    linked = (
        "attribute_conditions directory_dimension workspace_integration policy_ruleset"
        " policy_rules manifest_users qualified_users staged_users"
    )
    id: str
    state: State
    type: Literal["integration", "ruleset", "catch"]
    name: str
    handle: str
    blueprint_signature: str | None
    profile_value: str | None
    timestamp: ActivatedTimestamp
    count: DirectoryAttributeCount
    included: list[str]


class DirectoryDimensionIncluded(Included):
    attributes: list[DirectoryAttributeRead] | None = None


DirectoryDimensionCount = same_type("DirectoryDimensionCount", int, "attributes")


class DirectoryDimensionRead(Linked):
    path = "/directory/dimensions"
    linked = "attributes"
    id: str
    state: State
    name: str
    handle: str
    timestamp: Timestamp
    count: DirectoryDimensionCount
    included: DirectoryDimensionIncluded


class RestoreRequest(BaseModel):
    roles: bool


class DeprecateRequest(BaseModel):
    expires_at: UtcTime | None = None
    expires_after_days: int | None = Field(None, ge=0, le=1095)

    @model_validator(mode="after")
    def only_one(self):
        if self.expires_at is not None and self.expires_after_days is not None:
            raise ValueError("give expires_at or expires_after_days, not both")
        return self


class Page(BaseModel, Generic[Record]):
    data: list[Record]
    total: int
    page: int
    size: int


def list_of(model: type[Model]):
    return Page[model] if DATA_WRAPPER else list[model]
