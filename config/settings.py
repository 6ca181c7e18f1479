"""Settings, one file for every place Musterbook runs in; what differs comes from the environment.

docs/hosting.md lists the environment variables. Nothing here starts a database server: `manage.py` does,
before it reads this file, unless DATABASE_URL names another one.
"""

import structlog
from csp.constants import NONE, SELF
from environs import env
from structlog.typing import Processor

from core.middleware import database_down
from ops import paths
from ops.monitoring import error_reports
from ops.production_checks import refuse_unsafe
from ops.secret_key import kept_secret_key
from uploads.storage import upload_storage

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or kept_secret_key(paths.DATA_DIR)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "procrastinate.contrib.django",  # first, as its documentation asks: our apps give it tasks
    "dashboard",
    "campaign",
    "campaign.archive",
    "campaign.chronicle",
    "campaign.story_arcs",
    "campaign.scenarios",
    "campaign.battles",
    "notifications",
    "registers",
    "members",
    "lists",
    "catalogue",
    "uploads",
    "accounts",
    "core",
    "ops",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",  # development serves static files as production does
    "django.contrib.staticfiles",
    "django.forms",  # form templates of our own (FORM_RENDERER) can override Django's
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.discord",  # seen by nobody until it has its keys, below
    "csp",
    "django_htmx",
    "django_prometheus",
    "pgtrigger",
    # SimpleAppConfig: the loaders are written out in TEMPLATES below, so that the app does not rewrite them.
    "template_partials.apps.SimpleAppConfig",
]

MIDDLEWARE = [
    # These four set the headers that protect a page. They come first, so that no answer is without them.
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "core.middleware.security_headers.SecurityHeaders",
    "django.middleware.security.SecurityMiddleware",
    "ops.health.Health",
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "ops.monitoring.request_log.RequestLog",
    "core.middleware.unreadable_requests.ReadableRequests",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "core.middleware.gzip.GZip",
    "uploads.handlers.LeavesRoom",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.staying.StaysSignedIn",
    # Every page asks for a sign-in; a public one opts out by name with @login_not_required.
    "core.middleware.session_expired.LoginRequired",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "core.middleware.error_pages.BadInput",
    "core.middleware.error_pages.RuleViolations",
    "core.middleware.htmx_redirect.HtmxRedirect",
    "ops.monitoring.metrics.Metrics",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

_file_loaders = [
    "django.template.loaders.filesystem.Loader",
    "django.template.loaders.app_directories.Loader",
]
# The loader that knows "page.html#part" stands outside the one that caches; development caches nothing.
_loaders = _file_loaders if DEBUG else [("django.template.loaders.cached.Loader", _file_loaders)]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [paths.BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [("template_partials.loader.Loader", _loaders)],
            "builtins": ["template_partials.templatetags.partials", "core.templatetags.icons"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "dashboard.context_processors.expected_in",
                "core.ui.theme.theme",
            ],
        },
    },
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# Addresses begin at the root, whatever a request says of itself.
FORCE_SCRIPT_NAME = ""

# PostgreSQL and nothing else: row locks, constraints and triggers are part of the design.
# Requests borrow connections from a pool a worker process has; the pool replaces CONN_MAX_AGE. It looks whether one
# still works before it lends it, and who waits for a database that is away hears of it in seconds.
DATABASES = {"default": env.dj_db_url("DATABASE_URL", default="postgresql://nowhere/musterbook")}
DATABASES["default"]["ENGINE"] = "django_prometheus.db.backends.postgresql"  # Django's own, with metrics
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {
    "min_size": 1,
    "max_size": 8,
    "timeout": 3,
    "reconnect_timeout": 3,
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# In a table of the database, so that all workers count the same sign-ins: allauth's limits live here, and sessions.
# The table is far larger than it gets (accounts.tasks deletes expired rows): when it is full Django deletes rows at
# random, and somebody who tries many names could push out what was counted against them.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 1_000_000},
    }
}
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"

# A playgroup knows its people: a name and a password are enough. A mail address is optional, and counts for nothing
# until somebody has opened the link sent there; hence "strict": to have typed an address keeps nobody from using it.
ACCOUNT_ADAPTER = "accounts.adapters.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "signup": "accounts.forms.SignupForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_CHANGE_EMAIL = True  # one address at a time; a new one takes over when it is confirmed
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Musterbook] "
ACCOUNT_RATE_LIMITS = {  # besides allauth's own
    # Keys are an address and a name together, or the account whose second factor is asked for …
    "login_failed": "10/m/ip,5/5m/key,20/h/key",
    "wrong_password": "200/h/key",  # … and the name alone: a few addresses must not keep its owner out
    "invite": "30/h/user",  # links made
    "add_member": "60/h/user",  # names tried, which tells who has an account
    "book": "30/h/user",  # whole campaigns as PDF: each takes seconds
    "public_book": "12/h/ip",  # … for whoever has the link
    "print": "60/h/user",  # other PDFs: Registers, muster sheets, cards, blank forms
    "upload": "60/h/user",  # pictures sent: decoding one takes time and memory
    "carry": "30/h/user",  # campaigns taken along as a file
    "bring": "6/h/user",  # campaigns brought from a file: up to 200 MB each
    "look": "20/h/user",  # such a file is read and its ledgers are added up each time it is looked at
    "join": "30/h/ip",  # links followed that nobody made
}
ACCOUNT_SESSION_REMEMBER = True  # a phone at the table stays signed in
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"

# A second factor for whoever wants one; a passkey can also be the only one.
MFA_ADAPTER = "accounts.adapters.MFAAdapter"
MFA_FORMS = {
    "add_webauthn": "accounts.forms.AddKeyForm",
    "login_webauthn": "accounts.forms.SignInByKeyForm",
    "authenticate_webauthn": "accounts.forms.SecondFactorKeyForm",
    "reauthenticate_webauthn": "accounts.forms.ConfirmByKeyForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # an address that is not confirmed opens nothing, so it need not close this
MFA_TOTP_ISSUER = "Musterbook"
MFA_TOTP_TOLERANCE = 1  # a code that was typed slowly still counts, as RFC 6238 advises

# Only who somebody is: no page needs Discord's mail address.
_discord = {
    "client_id": env.str("DISCORD_CLIENT_ID", default=""),
    "secret": env.str("DISCORD_CLIENT_SECRET", default=""),
}
SOCIALACCOUNT_ADAPTER = "accounts.adapters.SocialAccountAdapter"
SOCIALACCOUNT_PROVIDERS = {
    "discord": {"SCOPE": ["identify"], "APPS": [_discord] if all(_discord.values()) else []}
}
SOCIALACCOUNT_AUTO_SIGNUP = False  # the name a campaign knows somebody by is his own choice

# EMAIL_HOST and the like come from one address. A mail server that does not answer must not hold up a page. Where
# strangers are, no mail is printed: the key of a link stands in it, and the address that it is for.
HTTPS = env.bool("HTTPS", default=False)
_email = env.dj_email_url("EMAIL_URL", default="dummy://" if HTTPS else "console://")
globals().update(_email | {"EMAIL_TIMEOUT": _email["EMAIL_TIMEOUT"] or 10})
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="musterbook@localhost")

# A list of 500 units with their upgrades is a form of that many ticks and names.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 4_000

# Whoever sends more than any form takes is not read to the end.
FILE_UPLOAD_HANDLERS = [
    "uploads.handlers.NothingHuge",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# A campaign may tell Discord what happened. The server calls these and nobody else, however a form is filled in;
# it waits so many seconds for a connection, and for each part of an answer.
WEBHOOK_ORIGINS = ["https://discord.com", "https://discordapp.com"]
WEBHOOK_TIMEOUT = (5, 10)
# What waits in the queue is done by a worker beside the site (ops.serve) or on its own.
PROCRASTINATE_WORKER_DEFAULTS = {"concurrency": 4}  # one that does not answer holds up no others
# All ledgers are replayed each night, at this minute and hour (as cron writes them, in UTC), by so many processes.
PROOF_CRON = env.str("PROOF_CRON", default="27 3 * * *")
PROOF_PROCESSES = env.int("PROOF_PROCESSES", default=2)

# A browser's wish is granted among these; docs/languages.md says how another one is begun.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
FORMAT_MODULE_PATH = ["core.formats"]
LOCALE_PATHS = [paths.BASE_DIR / "locale"]
TIME_ZONE = env.str("TIME_ZONE", default="UTC")
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = paths.STATIC_ROOT
STATICFILES_DIRS = [paths.BASE_DIR / "static"]
WHITENOISE_MIMETYPES = {".webmanifest": "application/manifest+json"}  # a type it does not know
# Names carry a hash of the content, so that browsers may keep a file for ever and still never see an old one.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # Photos that people send: no web server serves them, so nobody gets past the views that ask who may see them.
    "uploads": upload_storage(env.str("UPLOADS_URL", default=""), paths.DATA_DIR / "uploads"),
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# What is being sent lies on the disk: /tmp may be memory, as in docker-compose.yml, and a full one ends the workers,
# whose figures lie there. Where nothing is served yet (the image is made) there is no such place.
FILE_UPLOAD_TEMP_DIR = paths.DATA_DIR if paths.DATA_DIR.is_dir() else None

# Files of campaigns that somebody has sent and not brought yet, and those that are written every night.
ARRIVALS_DIR = paths.DATA_DIR / "arrivals"
EXPORT_DIR = env.path("EXPORT_DIR", default=paths.DATA_DIR / "exports")
EXPORTS_KEPT = env.int("EXPORTS_KEPT", default=7)  # days

# No inline script, no inline style, nothing from elsewhere.
CONTENT_SECURITY_POLICY: dict[str, dict[str, list[str] | bool]] = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "object-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        # Chromium asks this of the page that a form's answer leads to, too.
        "form-action": [SELF, *(["https://discord.com"] if all(_discord.values()) else [])],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
SECURE_REDIRECT_EXEMPT = ["^healthz$", "^readyz$", "^metrics$"]  # monitors come past the proxy
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "core.middleware.session_expired.csrf_failure"
CSRF_COOKIE_HTTPONLY = True  # scripts send the token that stands in the page
SECURE_REFERRER_POLICY = "same-origin"

# HTTPS=true once a proxy in front speaks TLS and sends X-Forwarded-Proto: then strangers reach the site.
if HTTPS:
    refuse_unsafe(debug=DEBUG, secret_key=SECRET_KEY, allowed_hosts=ALLOWED_HOSTS)
    ALLAUTH_TRUSTED_PROXY_COUNT = 1  # rate limits count the visitor's address, not the proxy's
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    # Names below this one, and preloading by browsers, are for whoever owns the domain: neither is soon taken back.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    # A browser takes cookies of these names from this very site over TLS, and from no name beside or below it.
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    CONTENT_SECURITY_POLICY["DIRECTIVES"]["upgrade-insecure-requests"] = True

# What a proxy of ours calls a request is its number here, too.
REQUEST_ID_FROM_PROXY = HTTPS
SLOW_REQUEST_MS = env.int("SLOW_REQUEST_MS", default=500)
# Without a token nobody reads the metrics of the site.
PROMETHEUS_LATENCY_BUCKETS = (0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, float("inf"))  # seconds
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
if _dsn := env.str("SENTRY_DSN", default=""):
    error_reports.begin(
        dsn=_dsn,
        environment=env.str("SENTRY_ENVIRONMENT", default="production"),
        release=env.str("SENTRY_RELEASE", default=""),
    )

# One line an event: for people by default, LOG_FORMAT=json for a machine that collects them.
_processors: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    error_reports.report,
    # Where somebody develops an error says all that it knows; elsewhere that could be about persons.
    structlog.processors.format_exc_info
    if DEBUG
    else structlog.processors.ExceptionRenderer(error_reports.without_messages),
]
_renderer = (
    structlog.processors.JSONRenderer()
    if env.str("LOG_FORMAT", default="text") == "json"
    else structlog.dev.ConsoleRenderer(colors=False)
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "structlog": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processor": _renderer,
            "foreign_pre_chain": _processors,
        }
    },
    "filters": {
        "once": {"()": lambda: database_down.once_per_minute},
        "discreet": {"()": error_reports.Discreet},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "structlog",
            "filters": ["once", "discreet"],
        }
    },
    "loggers": {
        # Robots that ask for other sites' names are no news.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        # More than any form holds was sent: a sentence answers it, and nobody has to mend anything.
        "django.security.RequestDataTooBig": {"level": "CRITICAL"},
        "django.security.TooManyFieldsSent": {"level": "CRITICAL"},
        "django.security.TooManyFilesSent": {"level": "CRITICAL"},
        # A database that is away is named once (core.middleware.database_down), not at each attempt to reach it.
        "psycopg.pool": {"level": "ERROR"},
        # At DEBUG it names the addresses it calls, and those of webhooks are secret.
        "urllib3": {"level": "INFO"},
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
}
structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *_processors,
        structlog.processors.StackInfoRenderer(),
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
