"""Database tables."""

from datetime import datetime
from typing import Any, NewType

from sqlalchemy import JSON, Column, ForeignKey, Table, and_
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import (
    DeclarativeBase, Mapped, column_property, declared_attr, foreign, mapped_column, relationship,
    remote, synonym,
)

from .database import UtcDateTime, WholeSeconds, utc_now
from .settings import WHOLE_SECONDS

Microseconds = NewType("Microseconds", datetime)


def reference(table: str):
    return mapped_column(ForeignKey(f"{table}.id"), index=True)


class Base(DeclarativeBase):
    type_annotation_map = {
        datetime: WholeSeconds if WHOLE_SECONDS else UtcDateTime,
        Microseconds: UtcDateTime,
        dict[str, Any]: JSON,
    }
    id: Mapped[str] = mapped_column(primary_key=True)

    @declared_attr.directive
    def __tablename__(cls) -> str:
        return cls.__name__

    @property
    def timestamp(self):
        return self  # the response model picks its members from here


class Timestamps:
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime] = mapped_column(onupdate=utc_now)
    expires_at: Mapped[datetime | None]
    deleted_at: Mapped[datetime | None]


class WorkspaceIntegration(Base):
    is_primary: Mapped[bool]
    vendor: Mapped[str]
    handle: Mapped[str]
    domain: Mapped[str]


class WorkspaceUser(Base):
    directory_user_id: Mapped[str] = reference("DirectoryUser")
    state: Mapped[str]
    provider: Mapped[str]
    provider_id: Mapped[str | None]
    name: Mapped[str]
    handle: Mapped[str]
    email: Mapped[str]
    ui_mode: Mapped[str | None]
    ui_color: Mapped[str | None]
    created_at: Mapped[Microseconds]
    updated_at: Mapped[Microseconds] = mapped_column(onupdate=utc_now)
    expires_at: Mapped[Microseconds | None]
    last_authenticated_at: Mapped[Microseconds | None]
    last_activity_at: Mapped[Microseconds | None]
    deleted_at: Mapped[Microseconds | None]
    count: Mapped[dict[str, Any]]
    former_roles: Mapped[int]  # taken away when the user was deprecated
    included = []


class DirectoryDimension(Timestamps, Base):
    state: Mapped[str]
    name: Mapped[str]
    handle: Mapped[str]
    count: Mapped[dict[str, Any]]
    included = {}
    attributes: Mapped[list["DirectoryAttribute"]] = relationship(
        primaryjoin="and_(DirectoryDimension.id == DirectoryAttribute.directory_dimension_id,"
        " DirectoryAttribute.deleted_at.is_(None))",
        order_by="DirectoryAttribute.id",
        viewonly=True,
    )


class DirectoryAttribute(Timestamps, Base):
    directory_dimension_id: Mapped[str] = reference("DirectoryDimension")
    successor_id: Mapped[str | None] = reference("DirectoryAttribute")
    state: Mapped[str]
    type: Mapped[str]
    name: Mapped[str]
    handle: Mapped[str]
    blueprint_signature: Mapped[str | None]
    profile_value: Mapped[str | None]
    activated_at: Mapped[datetime | None]
    count: Mapped[dict[str, Any]]
    included = []


directory_user_attributes = Table(
    "directory_user_attributes",
    Base.metadata,
    Column("directory_user_id", ForeignKey("DirectoryUser.id"), primary_key=True),
    Column("directory_attribute_id", ForeignKey("DirectoryAttribute.id"), primary_key=True),
)


class DirectoryIdentity(Base):
    workspace_integration_id: Mapped[str] = reference("WorkspaceIntegration")
    directory_user_id: Mapped[str] = reference("DirectoryUser")
    integration_vendor: Mapped[str]
    integration_handle: Mapped[str]
    vendor_id: Mapped[str]
    full_name: Mapped[str]
    email: Mapped[str]
    org: Mapped[dict[str, Any]]
    state: Mapped[str]


class PolicyRuleset(Base):
    state: Mapped[str]
    type: Mapped[str]
    resource_id: Mapped[str] = reference("DirectoryAttribute")
    is_authoritative: Mapped[bool]
    expires_after_days: Mapped[int]


class PolicyRule(Base):
    state: Mapped[str]
    role_name: Mapped[str]
    role_handle: Mapped[str]
    is_imported: Mapped[bool]
    description: Mapped[str]
    expires_after_days: Mapped[int]
    expires_after_days_inherited: Mapped[bool]
    priority: Mapped[int]


class PolicyCondition(Base):
    is_imported: Mapped[bool]
    type: Mapped[str]
    ruleset_id: Mapped[str] = reference("PolicyRuleset")
    rule_id: Mapped[str] = reference("PolicyRule")
    resource_id: Mapped[str] = reference("DirectoryAttribute")
    profile_key: Mapped[str]
    profile_operator: Mapped[str]
    profile_value: Mapped[str]
    description: Mapped[str]


class PolicyUser(Timestamps, Base):
    """A directory user who qualifies for a rule; the active ones are in its manifest."""

    directory_user_id: Mapped[str] = reference("DirectoryUser")
    ruleset_id: Mapped[str] = reference("PolicyRuleset")
    rule_id: Mapped[str] = reference("PolicyRule")
    state: Mapped[str]
    activated_at: Mapped[datetime | None]
    directory_user: Mapped["DirectoryUser"] = relationship(viewonly=True)
    policy_ruleset: Mapped[PolicyRuleset] = relationship(lazy="joined", innerjoin=True)
    policy_rule: Mapped[PolicyRule] = relationship(lazy="joined", innerjoin=True)

    @property
    def included(self):
        return self


def live_users(column: str):
    """The directory users that point to this one and are not soft-deleted."""
    return relationship(
        primaryjoin=lambda: and_(
            DirectoryUser.id == remote(foreign(getattr(DirectoryUser, column))),
            remote(DirectoryUser.deleted_at).is_(None),
        ),
        order_by=lambda: DirectoryUser.id,
        viewonly=True,
    )


def policy_rules(*states: str):
    """The rules for which a directory user is a policy user in one of the states."""
    return relationship(
        secondary=PolicyUser.__table__,
        primaryjoin=lambda: and_(
            DirectoryUser.id == PolicyUser.directory_user_id, PolicyUser.state.in_(states)
        ),
        order_by=PolicyRule.id,
        viewonly=True,
    )


class DirectoryUser(Timestamps, Base):
    workspace_integration_id: Mapped[str] = reference("WorkspaceIntegration")
    parent_id: Mapped[str | None] = reference("DirectoryUser")
    manager_id: Mapped[str | None] = reference("DirectoryUser")
    state: Mapped[str]
    is_manager: Mapped[bool]
    first_name: Mapped[str] = mapped_column()
    last_name: Mapped[str] = mapped_column()
    email: Mapped[str]
    username: Mapped[str]
    badge_id: Mapped[str | None]
    employee_id: Mapped[str | None]
    employee_alt_id: Mapped[str | None]
    provisioned_at: Mapped[datetime | None]
    deprovisioned_at: Mapped[datetime | None]
    expired_at: Mapped[datetime | None]
    deactivated_at: Mapped[datetime | None]
    org: Mapped[dict[str, Any]]
    metadata_: Mapped[dict[str, Any]] = mapped_column("metadata", JSON)
    count: Mapped[dict[str, Any]]
    included = {}

    full_name: Mapped[str] = column_property(first_name + " " + last_name)
    manager: Mapped[bool] = synonym("is_manager")

    @hybrid_property
    def deprovisioned_pending_deactivation(self):
        return and_(self.state == "active", self.deprovisioned_at.is_not(None))

    manager_user: Mapped["DirectoryUser | None"] = relationship(
        foreign_keys=manager_id, remote_side="DirectoryUser.id", viewonly=True
    )
    parent_user: Mapped["DirectoryUser | None"] = relationship(
        foreign_keys=parent_id, remote_side="DirectoryUser.id", viewonly=True
    )
    direct_report_users: Mapped[list["DirectoryUser"]] = live_users("manager_id")
    secondary_users: Mapped[list["DirectoryUser"]] = live_users("parent_id")
    workspace_integration: Mapped[WorkspaceIntegration] = relationship()
    workspace_user: Mapped[WorkspaceUser | None] = relationship(
        primaryjoin=lambda: and_(
            DirectoryUser.id == WorkspaceUser.directory_user_id, WorkspaceUser.deleted_at.is_(None)
        ),
        viewonly=True,
    )
    directory_identities: Mapped[list[DirectoryIdentity]] = relationship(
        order_by=DirectoryIdentity.id
    )
    directory_attributes: Mapped[list[DirectoryAttribute]] = relationship(
        secondary=directory_user_attributes
    )
    policy_conditions: Mapped[list[PolicyCondition]] = relationship(
        secondary=directory_user_attributes,
        secondaryjoin=lambda: directory_user_attributes.c.directory_attribute_id
        == foreign(PolicyCondition.resource_id),
        order_by=PolicyCondition.id,
        viewonly=True,
    )
    policy_users: Mapped[list[PolicyUser]] = relationship(order_by=PolicyUser.id, viewonly=True)
    policy_rulesets: Mapped[list[PolicyRuleset]] = relationship(
        secondary=PolicyUser.__table__, order_by=PolicyRuleset.id, viewonly=True
    )
    policy_rules_manifest: Mapped[list[PolicyRule]] = policy_rules("active")
    policy_rules_qualified: Mapped[list[PolicyRule]] = policy_rules("active", "staged")
    policy_rules_staged: Mapped[list[PolicyRule]] = policy_rules("staged")
