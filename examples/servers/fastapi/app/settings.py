"""Settings from the environment, and the habits that HABITS switches on."""

import os

PORT = int(os.environ.get("PORT", "8000"))
TOKEN = os.environ.get("TOKEN", "secret")
SEED = int(os.environ.get("SEED", "1"))
USERS = int(os.environ.get("USERS", "200"))
API_PREFIX = "/api/v1"

HABITS = {name.strip() for name in os.environ.get("HABITS", "").split(",")}

# Timestamps of everything but workspace users are stored in whole seconds.
WHOLE_SECONDS = "whole-seconds" in HABITS
# Unset members of the timestamp of a directory user are left out.
EXCLUDE_UNSET = "exclude-unset" in HABITS
# Lists come as {"data": [...], "total": n, "page": n, "size": n}.
DATA_WRAPPER = "data-wrapper" in HABITS
# Routes end with a slash; Starlette redirects to them.
SLASH = "/" if "trailing-slash" in HABITS else ""
# Answers are compressed by GZipMiddleware.
GZIP = "gzip" in HABITS
# Blanks around all texts of the query are stripped, by pydantic.
TRIM = "trim" in HABITS
# Query parameters that the server does not know are refused.
EXTRA_PARAMETERS = "forbid" if "forbid-extra" in HABITS else "ignore"
