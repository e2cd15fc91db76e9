from typing import Annotated

from fastapi import APIRouter, Query

from ..database import SessionDep, get_or_404
from ..listing import WorkspaceUserQuery, list_records
from ..models import WorkspaceUser
from ..schemas import RestoreRequest, WorkspaceUserRead, list_of
from ..settings import SLASH

router = APIRouter(prefix="/workspace/users", tags=["workspace"])


@router.get(SLASH, response_model=list_of(WorkspaceUserRead))
def list_users(query: Annotated[WorkspaceUserQuery, Query()], session: SessionDep):
    return list_records(session, WorkspaceUser, query)


@router.get(f"/{{user}}{SLASH}", response_model=WorkspaceUserRead)
def get_user(user: str, session: SessionDep):
    return get_or_404(session, WorkspaceUser, user)


@router.patch(f"/{{user}}/restore{SLASH}", response_model=WorkspaceUserRead)
def restore_user(user: str, body: RestoreRequest, session: SessionDep):
    record = get_or_404(session, WorkspaceUser, user, trashed=True)
    record.state = "active"
    record.deleted_at = None
    record.expires_at = None
    if body.roles:  # give back the roles that the deprecation took away
        roles = record.count["workspace_roles"] + record.former_roles
        record.count = record.count | {"workspace_roles": roles}
        record.former_roles = 0
    session.commit()
    return record
