"""The application. Start it with `python -m app`."""

import asyncio
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI
from fastapi.concurrency import run_in_threadpool
from fastapi.middleware.gzip import GZipMiddleware
from sqlalchemy import update
from sqlalchemy.orm import Session

from .database import engine, folder, utc_now
from .models import Base, DirectoryAttribute
from .routers import directory, workspace
from .security import require_token
from .seed import fill_database
from .settings import API_PREFIX, GZIP, SEED, USERS


def expire_due_attributes() -> None:
    now = utc_now()
    with Session(engine) as session:
        session.execute(
            update(DirectoryAttribute)
            .where(DirectoryAttribute.state == "expiring", DirectoryAttribute.expires_at <= now)
            .values(state="expired")
        )
        session.commit()


async def expire_every_second() -> None:
    while True:
        await asyncio.sleep(1)
        await run_in_threadpool(expire_due_attributes)


@asynccontextmanager
async def lifespan(app: FastAPI):
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        fill_database(session, SEED, USERS)
    expiry = asyncio.create_task(expire_every_second())
    yield
    expiry.cancel()
    engine.dispose()
    folder.cleanup()


app = FastAPI(title="Directory and Workspace Provisioning API", lifespan=lifespan)
if GZIP:
    app.add_middleware(GZipMiddleware)
for module in (directory, workspace):
    app.include_router(
        module.router, prefix=API_PREFIX, dependencies=[Depends(require_token)]
    )
