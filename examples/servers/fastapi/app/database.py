"""The SQLite database: a fresh file for each start."""

import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, HTTPException
from sqlalchemy import DateTime, TypeDecorator, create_engine
from sqlalchemy.orm import Session

folder = tempfile.TemporaryDirectory(prefix="directory-")
engine = create_engine(f"sqlite:///{folder.name}/directory.db")


def utc_now() -> datetime:
    return datetime.now(UTC)


class UtcDateTime(TypeDecorator):
    """SQLite has no time zones: store UTC, hand out aware datetimes."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value, dialect):
        return value and value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value, dialect):
        return value and value.replace(tzinfo=UTC)


class WholeSeconds(UtcDateTime):
    cache_ok = True

    def process_bind_param(self, value, dialect):
        return value and super().process_bind_param(value.replace(microsecond=0), dialect)

    def coerce_compared_value(self, op, value):
        return UtcDateTime()  # a date filter keeps its fraction


def get_session() -> Iterator[Session]:
    with Session(engine) as session:
        yield session


SessionDep = Annotated[Session, Depends(get_session)]


def get_or_404(session: Session, model, record_id: str, trashed: bool = False):
    record = session.get(model, record_id)
    if record is None or (record.deleted_at and not trashed):
        raise HTTPException(status_code=404, detail=f"{model.__name__} not found")
    return record
