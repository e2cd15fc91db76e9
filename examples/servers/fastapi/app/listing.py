"""What all lists share: filters, sorting, includes and paging."""

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, create_model, field_validator
from sqlalchemy import String, exists, func, select
from sqlalchemy.orm import Session, selectinload

from .models import DirectoryUser
from .schemas import (
    DirectoryDimensionIncluded, DirectoryUserIncluded, DirectoryUserState, State, UtcTime,
)
from .settings import DATA_WRAPPER, EXTRA_PARAMETERS, TRIM

JSON_COLUMNS = {"org_search": DirectoryUser.org, "metadata_search": DirectoryUser.metadata_}
DATES = "created updated expires deleted"


def items(value: str) -> list[str]:
    """The items of a comma-separated value."""
    found = [item.strip() if TRIM else item for item in value.split(",")]
    return [item for item in found if item]


def parts(include: str) -> tuple[str, str]:
    """The relation and the form of an include: secondary-users-count is secondary_users, count."""
    name, _, form = include.rpartition("-")
    relation, form = (name, form) if form in ("count", "exists") else (include, "")
    return relation.replace("-", "_"), form


class ListQuery(BaseModel):
    """A field x is the query parameter filter[x], unless it has an alias of its own."""

    model_config = ConfigDict(
        alias_generator=lambda name: f"filter[{name}]",
        extra=EXTRA_PARAMETERS,
        str_strip_whitespace=TRIM,
    )
    sortable: ClassVar[str]
    relations: ClassVar[list[str]] = []

    page: int = Field(1, ge=1, le=1_000_000, alias="page")
    size: int = Field(20, ge=1, le=100, alias="size")
    sort: str = Field("", alias="sort")
    include: str = Field("", alias="include")
    filter: str | None = Field(None, alias="filter", description="accepted and not used")
    trashed: str = Field("without", description="with, only or without")
    state: State | None = None

    @field_validator("state", mode="before")
    @classmethod
    def trim(cls, value: str):
        return value.strip() if TRIM else value

    @field_validator("sort")
    @classmethod
    def can_sort(cls, value: str) -> str:
        for item in items(value):
            if item.removeprefix("-") not in cls.sortable.split():
                raise ValueError(f"cannot sort by {item}")
        return value

    @field_validator("include")
    @classmethod
    def can_include(cls, value: str) -> str:
        for item in items(value):
            if parts(item)[0] not in cls.relations or "_" in item:
                raise ValueError(f"cannot include {item}")
        return value

    def filters(self) -> dict[str, Any]:
        names = self.model_fields_set - {"page", "size", "sort", "include", "filter", "trashed"}
        return {name: getattr(self, name) for name in names}


def with_filters(texts: str, dates: str) -> type[ListQuery]:
    """Adds the exact and partial text filters and the date ranges."""
    fields = {}
    for name in texts.split():
        fields[name] = fields[f"{name}_search"] = (str | None, None)
    for name in dates.split():
        fields[f"{name}_before"] = fields[f"{name}_after"] = (UtcTime | None, None)
    return create_model("Filters", __base__=ListQuery, **fields)


class DirectoryUserQuery(
    with_filters(
        "id first_name last_name full_name email username badge_id employee_id employee_alt_id",
        f"{DATES} expired deactivated provisioned deprovisioned",
    )
):
    sortable = (
        "id state created_at updated_at expires_at deleted_at provisioned_at deprovisioned_at"
        " first_name last_name full_name email username badge_id employee_id employee_alt_id"
    )
    relations = list(DirectoryUserIncluded.model_fields)

    state: DirectoryUserState | None = None
    workspace_integration_id: str | None = None
    parent_id: str | None = None
    manager_id: str | None = None
    manager: bool | None = None
    deprovisioned_pending_deactivation: bool | None = None
    org_search: str | None = None
    metadata_search: str | None = None


class DirectoryDimensionQuery(with_filters("id name handle", DATES)):
    sortable = "id state name handle created_at updated_at expires_at deleted_at"
    relations = list(DirectoryDimensionIncluded.model_fields)


class DirectoryAttributeQuery(with_filters("id type name handle", DATES)):
    sortable = "id state type name handle created_at updated_at expires_at deleted_at"


class WorkspaceUserQuery(with_filters("id name handle email", DATES)):
    sortable = "id state name handle email created_at updated_at expires_at deleted_at"


def condition(model, name: str, value):
    """The name of a filter says what it does with which column."""
    field, _, kind = name.rpartition("_")
    if name in JSON_COLUMNS:
        member = func.json_each(JSON_COLUMNS[name]).table_valued("value").c.value
        return exists().where(member.cast(String).contains(value, autoescape=True))
    if kind == "search":
        return getattr(model, field).contains(value, autoescape=True)
    if kind == "before":
        return getattr(model, f"{field}_at") < value
    if kind == "after":
        return getattr(model, f"{field}_at") > value
    return getattr(model, name) == value


def trashed_conditions(model, trashed: str) -> list:
    if trashed == "with":
        return []
    return [model.deleted_at.is_not(None) if trashed == "only" else model.deleted_at.is_(None)]


def order(model, sort: str) -> list:
    return [
        getattr(model, item[1:]).desc() if item.startswith("-") else getattr(model, item)
        for item in items(sort)
    ] + [model.id]


def included(record, includes: list[str]) -> dict[str, Any]:
    members = {}
    for include in includes:
        relation, form = parts(include)
        related = getattr(record, relation)
        if form == "count":
            related = len(related) if isinstance(related, list) else int(related is not None)
        elif form == "exists":
            related = bool(related)
        members[include.replace("-", "_")] = related
    return members


def list_records(session: Session, model, query: ListQuery):
    conditions = [condition(model, name, value) for name, value in query.filters().items()]
    conditions += trashed_conditions(model, query.trashed)
    includes = items(query.include)
    statement = (
        select(model)
        .where(*conditions)
        .order_by(*order(model, query.sort))
        .options(*[selectinload(getattr(model, parts(item)[0])) for item in includes])
        .offset((query.page - 1) * query.size)
        .limit(query.size)
    )
    records = session.scalars(statement).all()
    if includes:
        for record in records:
            record.included = included(record, includes)
    if not DATA_WRAPPER:
        return records
    total = session.scalar(select(func.count()).select_from(model).where(*conditions))
    return {"data": records, "total": total, "page": query.page, "size": query.size}
