"""Settings for every installation of Musterbook; differences come from the environment.

docs/hosting.md lists the environment variables. This file starts no database server: `manage.py` does that before
loading it, unless DATABASE_URL names another server.
"""

import os

import structlog
from csp.constants import NONE, SELF
from environs import env
from structlog.typing import Processor

from core import admin_theme
from core.middleware import database_down
from core.middleware.etags import weak_etag
from ops import paths
from ops.environment import allowed_hosts, refuse_unsafe, refuse_unusable, site_url, stored_secret_key
from ops.monitoring import error_reports
from uploads.storage import upload_storage

refuse_unusable(os.environ)
DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or stored_secret_key(paths.DATA_DIR)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[]) or allowed_hosts(os.environ)
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "procrastinate.contrib.django",  # first, as its documentation asks: our apps define its tasks
    "dashboard",
    "campaign",
    "campaign.archive",
    "campaign.chronicle",
    "campaign.discussion",
    "campaign.story_arcs",
    "campaign.calendar",
    "campaign.reminders",
    "campaign.star_map",
    "campaign.achievements",
    "campaign.teams",
    "campaign.scenarios",
    "campaign.lifecycle",
    "campaign.schedule",
    "campaign.battles",
    "tournaments",
    "notifications",
    "registers",
    "registers.painting",
    "members",
    "lists",
    "catalogue",
    "uploads",
    "accounts",
    "core",
    "ops",
    "unfold.apps.BasicAppConfig",  # before the admin, whose templates it replaces
    "core.apps.PanelConfig",  # django.contrib.admin with our site
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
    "allauth.socialaccount.providers.discord",  # not shown until its keys are set, below; neither is the next
    "allauth.socialaccount.providers.openid_connect",
    "csp",
    "django_htmx",
    "django_prometheus",
    "pgtrigger",
    # SimpleAppConfig: the loaders are written out in TEMPLATES below, so that the app does not rewrite them.
    "template_partials.apps.SimpleAppConfig",
]

MIDDLEWARE = [
    # These four set the headers that protect a page. They come first, so that every answer has them.
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "core.middleware.responses.SecurityHeaders",
    "django.middleware.security.SecurityMiddleware",
    "ops.health.Health",
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "ops.monitoring.request_log.RequestLog",
    "core.middleware.unreadable_requests.ReadableRequests",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "core.middleware.responses.GZip",
    "core.middleware.responses.IsolatedNames",
    "uploads.handlers.LeavesRoom",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.sessions.StaysSignedIn",
    # Every page requires a sign-in; public views opt out with @login_not_required.
    "core.middleware.session_expired.LoginRequired",
    "core.middleware.unreadable_requests.KnownMethods",
    "dashboard.guests.GuestsStayInDemo",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "core.middleware.error_pages.BadInput",
    "core.middleware.error_pages.RuleViolations",
    "core.middleware.responses.HtmxRedirect",
    "ops.monitoring.metrics.Metrics",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

_file_loaders = ["django.template.loaders.filesystem.Loader", "django.template.loaders.app_directories.Loader"]
# The loader for "page.html#part" has to wrap the caching one. Development caches nothing.
_loaders = _file_loaders if DEBUG else [("django.template.loaders.cached.Loader", _file_loaders)]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [paths.BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [("template_partials.loader.Loader", _loaders)],
            "builtins": [
                "template_partials.templatetags.partials",
                "core.templatetags.icons",
                "core.templatetags.moments",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "members.invitation_session.expected_in",
                "core.ui.theme.theme",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# Addresses begin at the root, whatever a request's headers say.
FORCE_SCRIPT_NAME = ""

# PostgreSQL only: row locks, constraints and triggers are part of the design. Requests borrow connections from a pool
# in each worker process; the pool replaces CONN_MAX_AGE. It checks a connection before lending it, and a request that
# waits for an unreachable database fails within seconds.
DATABASES = {"default": env.dj_db_url("DATABASE_URL", default="postgresql://nowhere/musterbook")}
DATABASES["default"]["ENGINE"] = "core.db.postgresql"  # Django's own, with metrics
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {
    "min_size": 0,
    "max_size": 8,
    "max_idle": 20,  # seconds until an unused connection is closed: each costs PostgreSQL 5 MB
    "timeout": 2,
    "reconnect_timeout": 3,
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# A database table, so that all workers count the same sign-ins: it has allauth's limits and the sessions. Its limit is
# far larger than the table gets (accounts.tasks deletes expired rows): Django deletes random rows from a full table, so
# somebody who tries many names could erase the counts of their own attempts.
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
AUTH_PASSWORD_VALIDATORS = [{"NAME": "accounts.passwords.PasswordRules"}]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"

# Members of a playgroup know each other: a name and a password are enough. A mail address is optional and unusable
# until somebody has opened the link sent there; hence "strict": typing an address must not block others from using it.
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
ACCOUNT_CHANGE_EMAIL = True  # one address at a time; a new one replaces it when confirmed
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Musterbook] "
ACCOUNT_RATE_LIMITS = {  # besides allauth's own
    # Keys are an address and a name together, or the account whose second factor is asked for …
    "login_failed": "10/m/ip,5/5m/key,20/h/key",
    "wrong_password": "200/h/key",  # … and the name alone: a few addresses must not lock its owner out
    "invite": "30/h/user",  # links made
    "add_member": "60/h/user",  # names tried, which reveals who has an account
    "book": "30/h/user",  # whole campaigns as PDF: each takes seconds
    "public_book": "12/h/ip",  # … for anyone who has the link
    "read_list": "120/h/ip",  # lists pasted by anyone: reading one takes a tenth of a second
    "print": "60/h/user",  # other PDFs: Registers, army sheets, cards, blank forms
    "public_print": "30/h/ip",  # … sheets of events, for anyone
    "public_card": "300/h/ip",  # pictures next to links of public chronicles: messengers share addresses
    "upload": "60/h/user",  # pictures sent: decoding one takes time and memory
    "carry": "30/h/user",  # campaigns exported as a file
    "bring": "6/h/user",  # campaigns imported from a file: up to 200 MB each
    "look": "20/h/user",  # previews of such files, which are read and replayed each time
    "export_event": "300/h/ip",  # events as JSON, for everybody in the hall
    "api": "1200/10m/ip",  # events as JSON for other programs
    "event_records": "900/10m/ip",  # statistics, tables, feeds and pictures of events, for everybody in the hall
    "import_event": "20/h/user",  # event files, which are proved each time
    "look_event": "60/h/user",  # previews of such files, which are read each time
    "announce": "30/h/user",  # announcements, which stand on the campaign page
    "comment": "120/h/user",  # comments, which may notify members
    "remind": "60/h/user",  # reminders of battles
    "join": "30/h/ip",  # followed links that do not exist
    "demo": "20/h/ip",  # sandboxes of visitors who try the demo
    "new_event": "20/h/user",  # events created
    "new_league": "20/h/user",  # leagues created: all of them are on one page
    "draw": "60/h/user",  # pairings drawn, and drawn again: 512 players take seconds
    "register_for_event": "60/h/user",  # registrations for events, and entries that somebody asks to take over
    "register_guest": "300/h/ip",  # … without an account: a whole hall may have one address
    "open_by_word": "60/h/ip",  # words typed to open a player's page: there are more than 10^9
    "unlock_kiosk": "30/h/ip",  # codes typed at a kiosk
    "invite_players": "3/d/user",  # tables of people to whom an event mails, each with up to 500
    "add_players": "120/h/user",  # lists of players added to events, each with up to 500
}
ACCOUNT_SESSION_REMEMBER = True  # a phone at the table stays signed in
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"

# Second factors are optional; a passkey can also be the only way to sign in.
MFA_ADAPTER = "accounts.adapters.MFAAdapter"
MFA_FORMS = {
    "add_webauthn": "accounts.forms.AddKeyForm",
    "login_webauthn": "accounts.forms.SignInByKeyForm",
    "authenticate_webauthn": "accounts.forms.SecondFactorKeyForm",
    "reauthenticate_webauthn": "accounts.forms.ConfirmByKeyForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # an unconfirmed address gives no access anyway
MFA_TOTP_ISSUER = "Musterbook"
MFA_TOTP_TOLERANCE = 1  # a code that was typed slowly still counts, as RFC 6238 advises

# Only the identity: no page needs a mail address from there.
_discord = {
    "client_id": env.str("DISCORD_CLIENT_ID", default=""),
    "secret": env.str("DISCORD_CLIENT_SECRET", default=""),
}
_issuer = env.str("OIDC_ISSUER", default="").rstrip("/")
_oidc_origin = "/".join(_issuer.split("/")[:3])
_oidc = {
    "client_id": env.str("OIDC_CLIENT_ID", default=""),
    "secret": env.str("OIDC_CLIENT_SECRET", default=""),
    "provider_id": "oidc",
    "name": env.str("OIDC_NAME", default="") or "single sign-on",
    "settings": {"server_url": _issuer},
}
SOCIALACCOUNT_ADAPTER = "accounts.adapters.SocialAccountAdapter"
SOCIALACCOUNT_PROVIDERS = {
    "discord": {"SCOPE": ["identify"], "APPS": [_discord] if all(_discord.values()) else []},
    "openid_connect": {
        "SCOPE": ["openid", "profile"],
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [_oidc] if _issuer and _oidc["client_id"] else [],
    },
}
SOCIALACCOUNT_AUTO_SIGNUP = False  # users choose the name that their campaign sees

# EMAIL_HOST and the other mail settings come from one address. A mail server that does not answer must not delay a
# page. Only in development mail is printed to the log: it has the key of a link, and the recipient's address.
HTTPS = env.bool("HTTPS", default=False)
_email = env.dj_email_url("EMAIL_URL", default="console://" if DEBUG else "dummy://")
globals().update(_email | {"EMAIL_TIMEOUT": _email["EMAIL_TIMEOUT"] or 10})
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="musterbook@localhost")

# A list of 500 units with their upgrades is a form of that many checkboxes and names.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 4_000

# Requests larger than any form takes are not read to the end.
FILE_UPLOAD_HANDLERS = [
    "uploads.handlers.NothingHuge",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# Campaigns may post events to Discord. The server calls these origins only, whatever a form says. The timeouts are in
# seconds: for connecting, and for each part of an answer.
WEBHOOK_ORIGINS = ["https://discord.com", "https://discordapp.com"]
WEBHOOK_TIMEOUT = (5, 10)
# … and to other programs only at origins that the host names (docs/webhooks.md).
_origins: list[str] = env.list("SIGNED_WEBHOOK_ORIGINS", default=[])
SIGNED_WEBHOOK_ORIGINS = [origin.strip().rstrip("/") for origin in _origins]
# Push messages go to the services of browser makers only. Tests and rehearsals name their own.
PUSH_ORIGINS = [
    "https://fcm.googleapis.com",
    "https://jmt17.google.com",
    "https://*.push.services.mozilla.com",
    "https://*.push.apple.com",
    "https://*.notify.windows.com",
]
# Where the links of mails and push messages lead: the public address, or the first host that is allowed.
SITE_URL = env.str("SITE_URL", default="").rstrip("/") or site_url(
    ALLOWED_HOSTS, https=HTTPS, port=env.int("PORT", default=8000)
)
# A worker next to the site (ops.serve), or a separate one, runs the queue's jobs.
PROCRASTINATE_WORKER_DEFAULTS = {"concurrency": 4}  # a job that hangs does not block the others
# Nightly replay of all ledgers: the time in cron format (UTC), and the number of processes.
PROOF_CRON = env.str("PROOF_CRON", default="27 3 * * *")
PROOF_PROCESSES = env.int("PROOF_PROCESSES", default=2)

# Where to report a weakness of this site, as mailto: or https: address, for /.well-known/security.txt.
SECURITY_CONTACT = env.str("SECURITY_CONTACT", default="")

# Languages that browsers can ask for; docs/languages.md explains how to add one.
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
WHITENOISE_KEEP_ONLY_HASHED_FILES = True  # no page asks for the others, and each is compressed twice
WHITENOISE_ADD_HEADERS_FUNCTION = weak_etag
# File names include a hash of the content, so that browsers may cache files forever and never use outdated ones.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # Uploaded photos. No web server serves them, so that nobody gets past the views that check permissions.
    "uploads": upload_storage(env.str("UPLOADS_URL", default=""), paths.DATA_DIR / "uploads"),
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# Partial uploads go to the disk: /tmp may be memory, as in docker-compose.yml, and filling it would stop the workers,
# whose metrics are there. The directory is missing while the image is built.
FILE_UPLOAD_TEMP_DIR = paths.DATA_DIR if paths.DATA_DIR.is_dir() else None

# Campaign files that were uploaded but not imported yet, and the nightly exports.
ARRIVALS_DIR = paths.DATA_DIR / "arrivals"
EXPORT_DIR = env.path("EXPORT_DIR", default=paths.DATA_DIR / "exports")
EXPORTS_KEPT = env.int("EXPORTS_KEPT", default=7)  # days

UNFOLD = admin_theme.UNFOLD  # the theme of the admin

# No inline script, no inline style, nothing from other sites; the admin needs a little more (core.admin).
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
        # Chromium checks this also for the page that a form's answer redirects to.
        "form-action": [
            SELF,
            *(["https://discord.com"] if all(_discord.values()) else []),
            *([_oidc_origin] if _oidc_origin else []),
        ],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
SECURE_REDIRECT_EXEMPT = ["^healthz$", "^readyz$", "^metrics$"]  # monitors bypass the proxy
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "core.middleware.session_expired.csrf_failure"
CSRF_COOKIE_HTTPONLY = True  # scripts send the token that is in the page
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = None  # on http browsers ignore it, and complain about it on every page

# Set HTTPS=true if a proxy in front speaks TLS and sends X-Forwarded-Proto: the site is public then.
if HTTPS:
    refuse_unsafe(debug=DEBUG, secret_key=SECRET_KEY, allowed_hosts=env.list("ALLOWED_HOSTS", default=[]))
    ALLAUTH_TRUSTED_PROXY_COUNT = 1  # rate limits count the visitor's address, not the proxy's
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    # Subdomains and browser preloading are for the domain's owner to decide: both are hard to reverse.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    # Browsers accept cookies with this prefix only from this exact host over TLS, not from parent or sibling domains.
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    CONTENT_SECURITY_POLICY["DIRECTIVES"]["upgrade-insecure-requests"] = True

# The proxy's request id is used as the request's number.
REQUEST_ID_FROM_PROXY = HTTPS
SLOW_REQUEST_MS = env.int("SLOW_REQUEST_MS", default=500)
# Without a token nobody can read the metrics.
PROMETHEUS_LATENCY_BUCKETS = (0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, float("inf"))  # seconds
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
if _dsn := env.str("SENTRY_DSN", default=""):
    error_reports.begin(
        dsn=_dsn,
        environment=env.str("SENTRY_ENVIRONMENT", default="production"),
        release=env.str("SENTRY_RELEASE", default=""),
    )

# One line per event: for people by default, LOG_FORMAT=json for machines.
_processors: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    error_reports.report,
    # In development errors are logged in full; elsewhere that could reveal personal data.
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
    "filters": {"once": {"()": lambda: database_down.once_per_minute}, "discreet": {"()": error_reports.Discreet}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "structlog", "filters": ["once", "discreet"]}
    },
    "loggers": {
        # Robots asking for other host names are not worth a log line.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        # More was sent than any form takes: the user gets a message, and there is nothing to fix.
        "django.security.RequestDataTooBig": {"level": "CRITICAL"},
        "django.security.TooManyFieldsSent": {"level": "CRITICAL"},
        "django.security.TooManyFilesSent": {"level": "CRITICAL"},
        # An unreachable database is logged once (core.middleware.database_down), not at each attempt.
        "psycopg.pool": {"level": "ERROR"},
        # For each HEAD request: Django renders the page as for a GET.
        "gunicorn.http.wsgi": {"level": "ERROR"},
        # What a queue worker ends with, which procrastinate.worker has logged with the same traceback.
        "procrastinate.utils": {"level": "CRITICAL"},
        # At DEBUG it logs the addresses it calls, and webhook addresses are secret.
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
