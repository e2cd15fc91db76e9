"""Reads and writes the bodies of a server with the models that datamodel-code-generator made."""

import importlib
import json
import os
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from pydantic import BaseModel, TypeAdapter

import models
from next_page import next_page

BASE_URL, TOKEN = os.environ["BASE_URL"], os.environ["TOKEN"]
USERS = TypeAdapter(list[models.DirectoryUser])
ATTRIBUTES = TypeAdapter(list[models.DirectoryAttribute])


def send(path: str, query: dict[str, str], body: BaseModel | None = None) -> tuple[bytes, str]:
    """Answers the body and the header Link; with a body it is a PATCH."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    data = None if body is None else body.model_dump_json(exclude_unset=True).encode()
    method = "GET" if body is None else "PATCH"
    with urlopen(Request(f"{BASE_URL}{path}?{urlencode(query)}", data, headers, method=method)) as answer:
        return answer.read(), answer.headers.get("Link", "")


def filter_sort_include() -> str:
    """Answers the id of a workspace user that was included."""
    # docs: begin
    include = [models.DirectoryUserInclude("manager-user"), models.DirectoryUserInclude("workspace-user")]
    sort = [models.DirectoryUserSort("-created_at"), models.DirectoryUserSort("id")]
    query = {
        "include": ",".join(word.value for word in include),
        "sort": ",".join(word.value for word in sort),
    }
    body, _ = send("/directory/users", {**query, "filter[state]": "active", "page[size]": "200"})
    users = USERS.validate_json(body)
    # docs: end
    assert users and all(user.state == models.DirectoryUserState.active for user in users)
    created = [user.timestamp.created_at.root for user in users]
    assert created == sorted(created, reverse=True)
    with_manager = [user.included.manager_user.id for user in users if user.included.manager_user is not None]
    assert with_manager == [user.manager_id for user in users if user.manager_id is not None]
    assert 0 < len(with_manager) < len(users)
    assert any(user.timestamp.expires_at is None for user in users)
    same_as_sent(body, models, "DirectoryUser")
    same_as_sent(body, importlib.import_module("default_models"), "DirectoryUser")
    return next(
        user.included.workspace_user.id.root for user in users if user.included.workspace_user is not None
    )


def same_as_sent(body: bytes, module: Any, record: str) -> None:
    """What is read and written again is what was sent."""
    form: Any = list.__class_getitem__(getattr(module, record))
    adapter: TypeAdapter[Any] = TypeAdapter(form)
    written = adapter.dump_json(adapter.validate_json(body), by_alias=True, exclude_unset=True)
    assert json.loads(written) == json.loads(body)


def all_pages() -> None:
    """Follows the links."""
    ids: list[str] = []
    page: str | None = "1"
    while page is not None:
        body, link = send("/directory/users", {"page": page, "page[size]": "50"})
        ids += [user.id.root for user in USERS.validate_json(body)]
        page = next_page(link)
    assert len(ids) == len(set(ids)) > 50


def refused() -> None:
    """One field twice is a bad sort."""
    try:
        send("/directory/users", {"sort": "id,-id"})
    except HTTPError as refusal:
        problem = models.Problem.model_validate_json(refusal.read())
        assert problem.status.root == 400 and problem.errors[0].parameter == "sort"
    else:
        raise AssertionError("the bad sort was accepted")


def deprecate_attribute() -> None:
    attribute = ATTRIBUTES.validate_json(
        send("/directory/attributes", {"filter[state]": "active", "page[size]": "1"})[0]
    )[0]
    request = models.DeprecateRequest(expires_after_days=models.ExpiryDays(30), expires_at=None)
    body, _ = send(f"/directory/attributes/{attribute.id.root}/deprecate", {}, request)
    answer = models.DirectoryAttribute.model_validate_json(body)
    assert answer.state == models.LifecycleState.expiring and answer.timestamp.expires_at is not None


def restore_workspace_user(user: str) -> None:
    send(f"/workspace/users/{user}/deprecate", {}, models.DeprecateRequest())
    body, _ = send(f"/workspace/users/{user}/restore", {}, models.RestoreRequest(roles=True))
    assert models.WorkspaceUser.model_validate_json(body).state == models.LifecycleState.active


workspace_user = filter_sort_include()
all_pages()
refused()
deprecate_attribute()
restore_workspace_user(workspace_user)
