"""Django's settings, derived from `config.environment`; nothing here is read from anywhere else."""

from __future__ import annotations

import warnings
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from csp.constants import NONCE, NONE, SELF

from config.broker import broker_settings
from config.environment import ROOT, SESSION, Environment
from config.logs import logging_config

REPLI = Environment()

SECRET_KEY = REPLI.django_secret
DEBUG = REPLI.debug
_ANY_HOST = REPLI.host in {"0.0.0.0", "::"} and "allowed_hosts" not in REPLI.model_fields_set  # noqa: S104
ALLOWED_HOSTS = ["*"] if _ANY_HOST else [*REPLI.allowed_hosts, REPLI.host, "localhost"]  # localhost: health checks
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
APPEND_SLASH = False

INSTALLED_APPS = [
    "config",
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "corsheaders",
    "csp",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "accounts",
    "games",
    "rankings",
    "accounts.staff.apps.StaffConfig",  # behind the apps, so that their templates win over the admin's own
]

MIDDLEWARE = [
    "config.wire.requests.RequestId",
    "config.observability.exposition.Metrics",
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "accounts.staff.middleware.Sessions",
    "accounts.staff.middleware.Authentication",
    "accounts.staff.middleware.Messages",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# --- database -------------------------------------------------------------------------------------------------


def database(url: str) -> dict[str, Any]:
    """Django's form of a postgresql:// URL; query members become connection options."""
    parts = urlsplit(url)
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    if REPLI.process == "web":  # no pool before a fork, none in workers
        # Given up soon, an attempt to connect is begun anew by the next request; else its pauses double up to minutes,
        # and nobody is served for as long again as the database was away.
        options["pool"] = {"min_size": 1, "max_size": REPLI.database_pool, "timeout": 5, "reconnect_timeout": 0.5}
    if REPLI.prepared_statements:
        options["prepare_threshold"] = 5
        options["options"] = f"{options.get('options', '')} {SESSION}".strip()
    else:
        options["prepare_threshold"] = None
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": parts.port or "",
        "OPTIONS": options,
        "CONN_MAX_AGE": 0 if REPLI.process == "web" else None,
        "DISABLE_SERVER_SIDE_CURSORS": not REPLI.prepared_statements,
    }


DATABASES = {"default": database(REPLI.owner_database if REPLI.as_owner else REPLI.application_database)}

# --- accounts -------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.Player"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = "/admin/"  # the only pages with a login of their own
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Strict"
CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 12 * 3600  # seconds
PASSWORD_RESET_TIMEOUT = 24 * 3600  # seconds
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if REPLI.mail_url else 'console'}.EmailBackend"
_MAIL = urlsplit(REPLI.mail_url or "")
EMAIL_HOST, EMAIL_PORT = _MAIL.hostname or "", _MAIL.port or {"smtp": 25, "smtps": 465}.get(_MAIL.scheme, 587)
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = unquote(_MAIL.username or ""), unquote(_MAIL.password or "")
EMAIL_USE_TLS, EMAIL_USE_SSL = _MAIL.scheme == "smtp+tls", _MAIL.scheme == "smtps"
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = REPLI.mail_from

# --- language and time ----------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("fr", "Français")]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# --- REST -----------------------------------------------------------------------------------------------------

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["accounts.authentication.BearerToken"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["config.wire.rest.JsonRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.wire.rest.RawJsonParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "config.wire.rest.Lenient",
    "DEFAULT_THROTTLE_CLASSES": ["config.wire.limits.Throttle"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "config.wire.rest.problem_response",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
}
MAX_BODY_BYTES = 64 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES

CORS_ALLOWED_ORIGINS = REPLI.allowed_origins
CORS_URLS_REGEX = r"^/api/.*$"
CORS_EXPOSE_HEADERS = ["ETag", "Retry-After", "X-Request-Id"]
CORS_ALLOW_HEADERS = ["accept", "accept-language", "authorization", "content-type", "idempotency-key", "if-match"]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF, "ws:", "wss:"],
        "object-src": [NONE],
        "frame-ancestors": [NONE],
        "base-uri": [SELF],
    }
}

# --- static files ---------------------------------------------------------------------------------------------

warnings.filterwarnings("ignore", "No directory at", UserWarning)  # finders serve what nobody collected
STATIC_URL = "/static/"
STATIC_ROOT = ROOT / "staticfiles"
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_AUTOREFRESH = DEBUG

# --- cache, broker, tasks ---------------------------------------------------------------------------------------

CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REPLI.cache}}

globals().update(broker_settings(REPLI.broker, patient=REPLI.process in {"worker", "beat"}))
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 60
CELERY_TASK_SOFT_TIME_LIMIT = 50
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True  # they are acknowledged late, and come again
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "count": {"task": "games.tasks.count", "schedule": 5.0, "options": {"expires": 4.0, "ignore_result": True}},
    "forget": {"task": "games.tasks.forget", "schedule": 600.0, "options": {"expires": 500.0, "ignore_result": True}},
    "match": {
        "task": "rankings.matchmaking.match",
        "schedule": REPLI.match_seconds,
        "options": {"expires": 5.0, "ignore_result": True},
    },
    "follow_conduct": {
        "task": "rankings.matchmaking.follow_conduct",
        "schedule": 2.0,
        "options": {"expires": 10.0, "ignore_result": True},
    },
    "forget_tickets": {
        "task": "rankings.matchmaking.forget",
        "schedule": 3600.0,
        "options": {"expires": 3000.0, "ignore_result": True},
    },
    "rate": {
        "task": "rankings.tasks.rate",
        "schedule": REPLI.sweep_seconds,
        "options": {"expires": 5.0, "ignore_result": True},
    },
    "rate_everything": {
        "task": "rankings.tasks.rate_everything",
        "schedule": 24 * 3600.0,
        "options": {"expires": 3600.0, "ignore_result": True},
    },
    "sweep": {
        "task": "games.tasks.sweep",
        "schedule": REPLI.sweep_seconds,
        "options": {"expires": 5.0, "ignore_result": True},
    },
}

# --- documents --------------------------------------------------------------------------------------------------

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Repli",
    "DESCRIPTION": "Event-sourced online card tables. Sockets are described by the AsyncAPI document.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "COMPONENT_SPLIT_REQUEST": False,
    "COMPONENT_SPLIT_PATCH": False,
    "POSTPROCESSING_HOOKS": ["config.wire.openapi.add_problems", "games.api.components.add_rulesets"],
}

# --- logs -------------------------------------------------------------------------------------------------------

LOGGING = logging_config(REPLI.log_format, REPLI.log_level)

# --- silence that is meant --------------------------------------------------------------------------------------

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
