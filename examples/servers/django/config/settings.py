import os

from django.core.management.utils import get_random_secret_key

HABITS = set(filter(None, os.environ.get("HABITS", "").split(",")))
API_TOKEN = os.environ.get("TOKEN", "secret")

SECRET_KEY = get_random_secret_key()
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False
TIME_ZONE = "UTC"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "rest_framework",
    "rest_framework.authtoken",
    "django_filters",
    "directory",
]

MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": os.environ.get("DATABASE", "db.sqlite3"),
        "CONN_MAX_AGE": None,
        "OPTIONS": {"init_command": "PRAGMA journal_mode = WAL"},
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["directory.authentication.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_FILTER_BACKENDS": [
        "django_filters.rest_framework.DjangoFilterBackend",
        "directory.includes.IncludeFilter",
        "directory.filters.SortFilter",
    ],
    "DEFAULT_PAGINATION_CLASS": "directory.pagination.LinkHeaderPagination",
    "PAGE_SIZE": 10,
    "ORDERING_PARAM": "sort",
}

# Workspace users show microseconds, always six digits. Other timestamps are shown as Django REST
# framework shows them.
WORKSPACE_USER_DATETIME_FORMAT = "%Y-%m-%dT%H:%M:%S.%fZ"

# Habits of real teams, switched on by the environment variable HABITS (see README.md).
if "offset-zero" in HABITS:
    WORKSPACE_USER_DATETIME_FORMAT = "%Y-%m-%dT%H:%M:%S.%f+00:00"
    REST_FRAMEWORK["DATETIME_FORMAT"] = "%Y-%m-%dT%H:%M:%S.%f+00:00"

if "milliseconds" in HABITS:
    REST_FRAMEWORK["DATETIME_FORMAT"] = None
    REST_FRAMEWORK["DEFAULT_RENDERER_CLASSES"] = ["directory.habits.DjangoEncoderRenderer"]

if "results-wrapper" in HABITS:
    REST_FRAMEWORK["DEFAULT_PAGINATION_CLASS"] = "rest_framework.pagination.PageNumberPagination"

if "append-slash" in HABITS:
    APPEND_SLASH = True
    MIDDLEWARE = ["directory.habits.AppendSlashMiddleware"]

if "throttle" in HABITS:
    REST_FRAMEWORK["DEFAULT_THROTTLE_CLASSES"] = ["rest_framework.throttling.UserRateThrottle"]
    REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] = {"user": "40/second"}
