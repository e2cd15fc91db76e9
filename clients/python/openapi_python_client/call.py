"""Calls a server with the client that openapi-python-client made."""

import os

import httpx

from next_page import next_page
from rollcall_client import AuthenticatedClient
from rollcall_client.api.directory import (
    deprecate_directory_attribute,
    list_directory_attributes,
    list_directory_users,
)
from rollcall_client.api.workspace import deprecate_workspace_user, restore_workspace_user
from rollcall_client.models import (
    DirectoryAttribute,
    DirectoryUserInclude,
    DirectoryUserSort,
    Problem,
    WorkspaceUser,
)
from rollcall_client.models import DeprecateRequest, DirectoryUserState, LifecycleState, RestoreRequest
from rollcall_client.models import UserSummary, WorkspaceUserSummary


def join_words(request: httpx.Request) -> None:
    """openapi-python-client repeats the key of a list (its issue 197); the contract wants one key and commas."""
    pairs = request.url.params.multi_items()
    words: dict[str, list[str]] = {}
    for key, value in pairs:
        words.setdefault(key, []).append(value)
    request.url = request.url.copy_with(params={key: ",".join(values) for key, values in words.items()})


client = AuthenticatedClient(
    base_url=os.environ["BASE_URL"],
    token=os.environ["TOKEN"],
    httpx_args={"event_hooks": {"request": [join_words]}},
)


def filter_sort_include() -> str:
    """Answers the id of a workspace user that was included."""
    # docs: begin
    users = list_directory_users.sync(
        client=client,
        filterstate=DirectoryUserState("active"),
        sort=[DirectoryUserSort("-created_at"), DirectoryUserSort("id")],
        include=[DirectoryUserInclude("manager-user"), DirectoryUserInclude("workspace-user")],
        pagesize=200,
    )
    # docs: end
    assert isinstance(users, list) and users and all(user.state == "active" for user in users)
    created = [user.timestamp.created_at for user in users]
    assert created == sorted(created, reverse=True)
    managers = [user.included.manager_user for user in users]
    with_manager = [manager.id for manager in managers if isinstance(manager, UserSummary)]
    assert with_manager == [user.manager_id for user in users if user.manager_id is not None]
    assert 0 < len(with_manager) < len(users)
    assert any(user.timestamp.expires_at is None for user in users)
    others = [user.included.workspace_user for user in users]
    return next(other.id for other in others if isinstance(other, WorkspaceUserSummary))


def all_pages() -> None:
    """Follows the links, then asks for the second page by its number."""
    answer = list_directory_users.sync_detailed(client=client, pagesize=50, pagetotal=True)
    assert isinstance(answer.parsed, list)
    ids, total = [user.id for user in answer.parsed], int(answer.headers["X-Total-Count"])
    while (cursor := next_page(answer.headers["Link"])) is not None:
        answer = list_directory_users.sync_detailed(client=client, pagesize=50, page=cursor)
        assert isinstance(answer.parsed, list)
        ids += [user.id for user in answer.parsed]
    assert len(ids) == len(set(ids)) == total > 50
    second = list_directory_users.sync(client=client, pagesize=50, page="2")
    assert isinstance(second, list) and [user.id for user in second] == ids[50:100]


def refused() -> None:
    """One field twice is a bad sort."""
    problem = list_directory_users.sync(
        client=client, sort=[DirectoryUserSort("id"), DirectoryUserSort("-id")]
    )
    assert isinstance(problem, Problem)
    assert problem.status == 400 and problem.errors[0].parameter == "sort"


def deprecate_attribute() -> None:
    attributes = list_directory_attributes.sync(
        client=client, filterstate=LifecycleState("active"), pagesize=1
    )
    assert isinstance(attributes, list)
    body = DeprecateRequest(expires_after_days=30, expires_at=None)
    answer = deprecate_directory_attribute.sync(attributes[0].id, client=client, body=body)
    assert isinstance(answer, DirectoryAttribute)
    assert answer.state == "expiring" and answer.timestamp.expires_at is not None


def restore(user: str) -> None:
    deprecate_workspace_user.sync(user, client=client, body=DeprecateRequest())
    answer = restore_workspace_user.sync(user, client=client, body=RestoreRequest(roles=True))
    assert isinstance(answer, WorkspaceUser) and answer.state == "active"


workspace_user = filter_sort_include()
all_pages()
refused()
deprecate_attribute()
restore(workspace_user)
