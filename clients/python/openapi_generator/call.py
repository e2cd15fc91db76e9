"""Calls a server with the client that OpenAPI Generator made."""

import os
from collections.abc import Mapping

from next_page import next_page
from rollcall_client import ApiClient, Configuration, DirectoryApi, WorkspaceApi
from rollcall_client.exceptions import BadRequestException
from rollcall_client.models.deprecate_request import DeprecateRequest
from rollcall_client.models.directory_user_include import DirectoryUserInclude
from rollcall_client.models.directory_user_sort import DirectoryUserSort
from rollcall_client.models.directory_user_state import DirectoryUserState
from rollcall_client.models.lifecycle_state import LifecycleState
from rollcall_client.models.problem import Problem
from rollcall_client.models.restore_request import RestoreRequest

client = ApiClient(Configuration(host=os.environ["BASE_URL"], access_token=os.environ["TOKEN"]))
directory = DirectoryApi(client)
workspace = WorkspaceApi(client)


def filter_sort_include() -> str:
    """Answers the id of a workspace user that was included."""
    # docs: begin
    users = directory.list_directory_users(
        filter_state=DirectoryUserState("active"),
        sort=[DirectoryUserSort("-created_at"), DirectoryUserSort("id")],
        include=[DirectoryUserInclude("manager-user"), DirectoryUserInclude("workspace-user")],
        page_size=200,
    )
    # docs: end
    assert users and all(user.state == "active" for user in users)
    created = [user.timestamp.created_at for user in users]
    assert created == sorted(created, reverse=True)
    with_manager = [user.included.manager_user.id for user in users if user.included.manager_user is not None]
    assert with_manager == [user.manager_id for user in users if user.manager_id is not None]
    assert 0 < len(with_manager) < len(users)
    assert any(user.timestamp.expires_at is None for user in users)
    return next(user.included.workspace_user.id for user in users if user.included.workspace_user is not None)


def all_pages() -> None:
    """Follows the links, then asks for the second page by its number."""
    answer = directory.list_directory_users_with_http_info(page_size=50, page_total=True)
    ids, total = [user.id for user in answer.data], int(header(answer.headers, "X-Total-Count"))
    while (cursor := next_page(header(answer.headers, "Link"))) is not None:
        answer = directory.list_directory_users_with_http_info(page_size=50, page=cursor)
        ids += [user.id for user in answer.data]
    assert len(ids) == len(set(ids)) == total > 50
    assert [user.id for user in directory.list_directory_users(page_size=50, page="2")] == ids[50:100]


def header(headers: Mapping[str, str] | None, name: str) -> str:
    """The value of a header; the generated client hands out names as the server has written them."""
    return next(value for key, value in (headers or {}).items() if key.lower() == name.lower())


def refused() -> None:
    """One field twice is a bad sort."""
    try:
        directory.list_directory_users(sort=[DirectoryUserSort("id"), DirectoryUserSort("-id")])
    except BadRequestException as refusal:
        assert isinstance(refusal.data, Problem), refusal.data
        assert refusal.data.status == 400 and refusal.data.errors[0].parameter == "sort"
    else:
        raise AssertionError("the bad sort was accepted")


def deprecate_attribute() -> None:
    attribute = directory.list_directory_attributes(filter_state=LifecycleState("active"), page_size=1)[0]
    answer = directory.deprecate_directory_attribute(
        attribute.id, DeprecateRequest(expires_after_days=30, expires_at=None)
    )
    assert answer.state == "expiring" and answer.timestamp.expires_at is not None


def restore_workspace_user(user: str) -> None:
    workspace.deprecate_workspace_user(user, DeprecateRequest())
    assert workspace.restore_workspace_user(user, RestoreRequest(roles=True)).state == "active"


workspace_user = filter_sort_include()
all_pages()
refused()
deprecate_attribute()
restore_workspace_user(workspace_user)
