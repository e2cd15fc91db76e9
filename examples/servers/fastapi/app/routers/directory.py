from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Query

from ..database import SessionDep, get_or_404, utc_now
from ..listing import (
    DirectoryAttributeQuery, DirectoryDimensionQuery, DirectoryUserQuery, list_records,
)
from ..models import DirectoryAttribute, DirectoryDimension, DirectoryUser
from ..schemas import (
    DeprecateRequest, DirectoryAttributeRead, DirectoryDimensionRead, DirectoryUserRead, list_of,
)
from ..settings import SLASH

router = APIRouter(prefix="/directory", tags=["directory"])


@router.get(
    f"/users{SLASH}", response_model=list_of(DirectoryUserRead), response_model_exclude_unset=True
)
def list_users(query: Annotated[DirectoryUserQuery, Query()], session: SessionDep):
    return list_records(session, DirectoryUser, query)


@router.get(
    f"/users/{{user}}{SLASH}", response_model=DirectoryUserRead, response_model_exclude_unset=True
)
def get_user(user: str, session: SessionDep):
    return get_or_404(session, DirectoryUser, user)


@router.get(
    f"/dimensions{SLASH}",
    response_model=list_of(DirectoryDimensionRead),
    response_model_exclude_unset=True,
)
def list_dimensions(query: Annotated[DirectoryDimensionQuery, Query()], session: SessionDep):
    return list_records(session, DirectoryDimension, query)


@router.get(f"/attributes{SLASH}", response_model=list_of(DirectoryAttributeRead))
def list_attributes(query: Annotated[DirectoryAttributeQuery, Query()], session: SessionDep):
    return list_records(session, DirectoryAttribute, query)


@router.get(f"/attributes/{{attribute}}{SLASH}", response_model=DirectoryAttributeRead)
def get_attribute(attribute: str, session: SessionDep):
    return get_or_404(session, DirectoryAttribute, attribute)


@router.patch(f"/attributes/{{attribute}}/deprecate{SLASH}", response_model=DirectoryAttributeRead)
def deprecate_attribute(attribute: str, body: DeprecateRequest, session: SessionDep):
    record = get_or_404(session, DirectoryAttribute, attribute)
    now = utc_now()
    # Without a moment and without days the attribute expires now.
    record.expires_at = body.expires_at or now + timedelta(days=body.expires_after_days or 0)
    record.state = "expiring" if record.expires_at > now else "expired"
    session.commit()
    return record
