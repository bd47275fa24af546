"""The site's settings, read from environment variables.

Without any variables the arena runs embedded: SQLite and its own broker in ``var/``, reachable only from this machine.
With ``ARENA_ENV=production``, there are no such defaults: if a variable is missing, startup fails with an error that
names it.
"""

import os
import secrets
from pathlib import Path
from urllib.parse import unquote, urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from arena.games.registry import GAMES
from arena.games.sites import apps, game_settings
from arena.platform import environment

BASE_DIR = Path(__file__).resolve().parent.parent


def _embedded_secret(path: Path) -> str:
    """Return the secret of this installation, generated on the first start and readable only by its owner."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
    except FileExistsError:
        pass
    return path.read_text().strip()


PRODUCTION = environment.choice("ARENA_ENV", "embedded", "production") == "production"

# Where the running site stores its data: database, broker, uploads, mail, secret.
VAR_DIR = Path(environment.text("ARENA_VAR") or BASE_DIR / "var").resolve()

DEBUG = False if PRODUCTION else environment.flag("DEBUG", False)
SECRET_KEY = (
    environment.required_text("SECRET_KEY")
    if PRODUCTION
    else environment.text("SECRET_KEY") or _embedded_secret(VAR_DIR / "secret-key")
)
ALLOWED_HOSTS = (
    [host.strip() for host in environment.required_text("ALLOWED_HOSTS").split(",")]
    if PRODUCTION
    else environment.comma_list("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
)
CSRF_TRUSTED_ORIGINS = environment.comma_list("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "axes",
    "csp",
    "arena.platform.live",
    "arena.ui",
    "arena.accounts",
    "arena.notifications",
    "arena.platform.workers",
    "arena.classes",
    "arena.submissions",
    "arena.matches",
    "arena.ratings",
    "arena.play",
    "arena.version_tests",
    "arena.studio",
    "arena.tournaments",
    "arena.following",
    "arena.learning_path",
    "arena.search",
    "arena.webhooks",
    "arena.games",
    *apps(),
    "arena.dataset",
    "arena.api",
    "arena.pages",
]

MIDDLEWARE = [
    "arena.ui.opener_policy.OpenerPolicyMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "arena.ui.static_files.StaticFilesMiddleware",  # these files are already compressed
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "arena.api.middleware.ApiMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
    "arena.accounts.refusals.RefusalMiddleware",
    "arena.ui.confirmation.ConfirmationMiddleware",
    "arena.ui.method_not_allowed.MethodNotAllowedMiddleware",
    "arena.submissions.store_unavailable.StoreUnavailableMiddleware",
]

ROOT_URLCONF = "arena.urls"
ASGI_APPLICATION = "arena.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "arena.accounts.context_processors.reader_permissions",
                "arena.games.context_processors.games",
                "arena.notifications.context_processors.unread_notifications",
            ]
        },
    }
]

# --- data -------------------------------------------------------------------------------------

# With these settings, four writers and a reader never got "database is locked".
_SQLITE_OPTIONS = {
    "timeout": 20,
    "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;",
}
DATABASE_URL = environment.required_text("DATABASE_URL") if PRODUCTION else environment.text("DATABASE_URL")
DATABASES = {
    "default": dj_database_url.parse(DATABASE_URL, conn_max_age=60, conn_health_checks=True)
    if DATABASE_URL
    else {"ENGINE": "django.db.backends.sqlite3", "NAME": VAR_DIR / "arena.sqlite3"}
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = _SQLITE_OPTIONS
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The supervisor sets this to its own broker if REDIS_URL is not set in the environment.
REDIS_URL = environment.required_text("REDIS_URL") if PRODUCTION else environment.text("REDIS_URL")

STORAGES = {
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "arena.ui.static_files.BundleManifestStorage"
    },
}
# Uploaded packages, stored by content hash. Never served as files: the source page shows them as escaped text.
SUBMISSIONS_DIR = VAR_DIR / "submissions"
# s3://bucket/prefix: an object store instead, which workers on other hosts can also reach; see docs/operations.md.
SUBMISSIONS_STORE = environment.text("SUBMISSIONS_STORE")
if SUBMISSIONS_STORE and not SUBMISSIONS_STORE.startswith("s3://"):
    raise ImproperlyConfigured(f"SUBMISSIONS_STORE must be s3://bucket/prefix or empty, not {SUBMISSIONS_STORE!r}")
# How long one call to the store may take, retries included, before the store counts as unavailable.
SUBMISSIONS_STORE_SECONDS = environment.seconds("SUBMISSIONS_STORE_SECONDS", 20.0)
# The local cache of the store, and its maximum size.
SUBMISSIONS_CACHE_DIR = VAR_DIR / "cache" / "submissions"
SUBMISSIONS_CACHE_MB = environment.count("SUBMISSIONS_CACHE_MB", 1024)

# --- retention -------------------------------------------------------------------------------
# The age in days at which the logs and records of matches and the outputs of checks are removed; 0: never. Results and
# ratings are kept permanently.
MATCH_RECORD_DAYS = environment.count("MATCH_RECORD_DAYS", 0, least=0)
# Whether records are moved to the upload store instead of being deleted.
MATCH_RECORD_MOVE = environment.flag("MATCH_RECORD_MOVE", default=True)

# --- people -----------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "arena.accounts.limits.LoginLimit",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = ["arena.accounts.hashing.PooledArgon2Hasher", "arena.accounts.hashing.PooledPBKDF2Hasher"]
# How many passwords a web process hashes at a time, each using a core and 100 MiB of memory, and how many requests may
# wait; further requests are rejected with a Retry-After of a few seconds.
PASSWORD_HASHING_THREADS = environment.count("PASSWORD_HASHING_THREADS", max(1, (os.cpu_count() or 1) // 2), least=1)
PASSWORD_HASHING_QUEUE = environment.count("PASSWORD_HASHING_QUEUE", 100)
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "arena.accounts.passwords.SimilarityValidator"},
    {"NAME": "arena.accounts.passwords.LengthValidator"},
    {"NAME": "arena.accounts.passwords.CommonValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

# Ten wrong passwords for one name from one address cause a ten-minute lockout.
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 1 / 6
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_CALLABLE = "arena.accounts.refusals.lockout_response"
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
AXES_CLIENT_IP_CALLABLE = "arena.platform.client_address.network_of_request"
# Hourly limits per network, enough for a class of sixty behind one address, and the hourly limit on account emails to
# one email address; 0 for no limit. See arena.accounts.limits.
SIGNUPS_AN_HOUR = environment.count("SIGNUPS_AN_HOUR", 120)
FAILED_LOGINS_AN_HOUR = environment.count("FAILED_LOGINS_AN_HOUR", 240)
PASSWORD_RESETS_AN_HOUR = environment.count("PASSWORD_RESETS_AN_HOUR", 60)
ACCOUNT_MAILS_AN_HOUR = environment.count("ACCOUNT_MAILS_AN_HOUR", 5)
# API requests per hour, per person or, for anonymous requests, per network; 0 for no limit.
API_REQUESTS_AN_HOUR = environment.count("API_REQUESTS_AN_HOUR", 5000)

# The base URL for links in emails: the scheme and host of the public site.
SITE_URL = (
    environment.text("SITE_URL")
    or (f"https://{ALLOWED_HOSTS[0].lstrip('.')}" if PRODUCTION else "http://127.0.0.1:8000")
).rstrip("/")
# smtp://user:password@host:587. Without it, or with file:, emails are written to files in var/mail.
EMAIL_URL = (
    environment.required_text("EMAIL_URL", "smtp://user:password@host:587 or, to write emails to files, file:")
    if PRODUCTION
    else environment.text("EMAIL_URL")
).removeprefix("file:")
DEFAULT_FROM_EMAIL = environment.text("DEFAULT_FROM_EMAIL", "Arena <arena@localhost>")
EMAIL_TIMEOUT = 10
if EMAIL_URL:
    _mail = urlsplit(EMAIL_URL)
    if _mail.scheme not in ("smtp", "smtps"):  # the message does not quote the value, which may contain a password
        raise ImproperlyConfigured("EMAIL_URL must be smtp://user:password@host:587, smtps://… or file:")
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST, EMAIL_PORT = _mail.hostname or "localhost", _mail.port or 25
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = unquote(_mail.username or ""), unquote(_mail.password or "")
    EMAIL_USE_SSL, EMAIL_USE_TLS = _mail.scheme == "smtps", _mail.scheme == "smtp" and bool(_mail.username)
else:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = VAR_DIR / "mail"

# --- language and time ------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
FORMAT_MODULE_PATH = "arena.ui.formats"
USE_TZ = True
TIME_ZONE = environment.text("TZ_NAME", "UTC")

# --- static files -----------------------------------------------------------------------------

STATIC_URL = "/static/"
# If sites with different EXTRA_GAMES run from one checkout, each needs its own folder.
BUILD_DIR = Path(environment.text("ARENA_BUILD") or BASE_DIR / "build").resolve()
STATIC_ROOT = BUILD_DIR / "collected"
# esbuild.config.js writes bundles to the same URL paths as their sources; the first folder takes precedence.
STATICFILES_DIRS: list[Path | tuple[str, Path]] = [
    folder for folder in (BUILD_DIR / "static", BASE_DIR / "static") if folder.is_dir()
]
if DEBUG and (BASE_DIR / "node_modules" / "uplot").is_dir():  # imported by css/site.css if there are no bundles
    STATICFILES_DIRS.append(("uplot/dist", BASE_DIR / "node_modules" / "uplot" / "dist"))
SERVESTATIC_USE_FINDERS = DEBUG
SERVESTATIC_AUTOREFRESH = DEBUG

# --- security ---------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "manifest-src": [SELF],
    }
}
# The number of proxies in front of the web server, each of which appends to X-Forwarded-For; with 0, the headers of
# proxies are ignored.
PROXY_COUNT = (
    environment.required_count("PROXY_COUNT", "the number of proxies in front of the web server, usually 1")
    if PRODUCTION
    else environment.count("PROXY_COUNT", 0)
)
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
if PRODUCTION:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PROXY_COUNT else None
    SECURE_SSL_REDIRECT = environment.flag("SECURE_SSL_REDIRECT", True)
    SECURE_HSTS_SECONDS = environment.count("SECURE_HSTS_SECONDS", 31_536_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True

# Uploads are read as a whole: the limit in arena.core.sandbox.uploads.package plus some overhead.
DATA_UPLOAD_MAX_MEMORY_SIZE = 12 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 12 * 1024 * 1024

# --- sandbox ----------------------------------------------------------------------------------

# `auto` is `namespaces`; `landlock` is for containers that deny user namespaces.
SANDBOX_CGROUP = environment.text("SANDBOX_CGROUP")
SANDBOX_MODE = environment.choice("SANDBOX_MODE", "auto", "namespaces", "landlock")
BOT_LIBRARIES_DIR = Path(environment.text("BOT_LIBRARIES_DIR") or BASE_DIR / "build" / "bot-libraries")
# The folder that contains the package `bots`, of which only bots/sdk and bots/*/sdk enter the jail.
BOT_CODE_DIR = BASE_DIR
# Where workers unpack submissions for the jail, each into its own folder, which is deleted after the match.
SCRATCH_DIR = VAR_DIR / "scratch"

# --- workers ----------------------------------------------------------------------------------

# The games played by the workers started here; the others are left to workers elsewhere.
WORKER_GAMES = environment.subset("WORKER_GAMES", GAMES)
# Whether idle workers play ladder matches.
LADDER = environment.choice("LADDER", "on", "off") == "on"
# The maximum number of bots per author on the ladder of a game; house bots are exempt.
LADDER_BOTS_PER_AUTHOR = environment.count("LADDER_BOTS_PER_AUTHOR", 3, least=1)
# How many matches of one tournament are given to the workers at a time: at least as many as there are worker processes,
# but not many more, because a tournament that starts later waits behind all of them.
MATCHES_UNDER_WAY = environment.count("MATCHES_UNDER_WAY", 16, least=1)
# A worker that has not sent a heartbeat for this long is considered dead, and its matches are requeued. Heartbeats,
# sweeps and repeated wake-ups are timed accordingly.
LEASE_SECONDS = environment.seconds("LEASE_SECONDS", 20.0, least=2.0)
# The longest a match may take before its worker is terminated: enough for four hundred rounds of one minute each, even
# if a busy machine takes three times as long.
TASK_SECONDS = 24 * 3600
# After how long Redis redelivers an unacknowledged task: by default longer than any task may run, because a long match
# would otherwise be offered to a second worker (which would find it claimed) while the first one plays it.
VISIBILITY_SECONDS = environment.seconds("VISIBILITY_SECONDS", TASK_SECONDS + 3600.0, least=5.0)
# How long a worker that is shutting down may continue to play; unfinished matches are then requeued.
WORKER_DRAIN_SECONDS = environment.seconds("WORKER_DRAIN_SECONDS", 600.0)
# A file that a worker touches every five seconds while it is working; docker-compose.yml checks its age.
WORKER_HEARTBEAT_FILE = environment.text("WORKER_HEARTBEAT_FILE")
# A bot that took part in this many void matches within a day is flagged for organizers and staff.
VOID_MATCHES_FLAGGED = environment.count("VOID_MATCHES_FLAGGED", 3, least=1)
# The operator's name for this version of the code; without it, workers show a digest of the code.
ARENA_VERSION = environment.text("ARENA_VERSION")[:40]

# --- checks ----------------------------------------------------------------------------------

# Time limits per move and for startup in the check: the rules' defaults, so the check fails no bot that could play.
CHECK_MOVE_SECONDS = environment.seconds("CHECK_MOVE_SECONDS", 60.0)
# If the first move of a check takes longer than this, the step is immediately reported as slow, with the line that is
# running; the limit for the move is still CHECK_MOVE_SECONDS.
CHECK_FIRST_MOVE_SECONDS = environment.seconds("CHECK_FIRST_MOVE_SECONDS", 10.0)
CHECK_START_SECONDS = environment.seconds("CHECK_START_SECONDS", 10.0)
# After this time, a check's match ends with the current turn: a bot that has played this long without a fault passes.
CHECK_MATCH_SECONDS = environment.seconds("CHECK_MATCH_SECONDS", 60.0, least=1.0)

# --- limits per person ------------------------------------------------------------------------

# How many uploads and scrimmages one student is allowed per hour, unless a class has other limits, and how many of the
# student's checks may be unfinished at the same time.
UPLOADS_AN_HOUR = environment.count("UPLOADS_AN_HOUR", 30, least=1)
SCRIMMAGES_AN_HOUR = environment.count("SCRIMMAGES_AN_HOUR", 60, least=1)
UNFINISHED_CHECKS = 5
# Scrimmages occupy a worker process, so one that takes longer than this is ended without a winner.
SCRIMMAGE_SECONDS = environment.seconds("SCRIMMAGE_SECONDS", 900.0, least=1.0)
# How many matches a person may run per hour in the studio to test drafts, and how long one run may take in total.
RUN_MATCHES_AN_HOUR = environment.count("RUN_MATCHES_AN_HOUR", 600, least=20)
RUN_SECONDS = environment.seconds("RUN_SECONDS", 300.0, least=1.0)
# How many checks of a file a person's editor may request per hour; it requests one at every pause in typing.
LINTS_AN_HOUR = environment.count("LINTS_AN_HOUR", 1200)
# How many matches per hour a person may start against bots; guests at the same address count together.
DUELS_AN_HOUR = environment.count("DUELS_AN_HOUR", 60)
GUEST_DUELS_AN_HOUR = environment.count("GUEST_DUELS_AN_HOUR", 40)

# --- dataset ----------------------------------------------------------------------------------

# Whether finished public matches are published as files, and how many days pass between versions.
DATASET = environment.choice("DATASET", "on", "off") == "on"
DATASET_DAYS = environment.count("DATASET_DAYS", 7, least=1)
# How many versions are kept; the web server and the worker that exports them share the folder.
DATASET_KEEP = environment.count("DATASET_KEEP", 8, least=1)
DATASET_DIR = VAR_DIR / "datasets"
# An SPDX identifier, and how bot authors appear in the dataset: with their usernames only if they have agreed.
DATASET_LICENCE = environment.text("DATASET_LICENCE", "CC-BY-4.0")
DATASET_AUTHORS = environment.choice("DATASET_AUTHORS", "pseudonyms", "names")

# --- webhooks ---------------------------------------------------------------------------------

# The maximum number of webhooks per person; 0 disables webhooks for everybody. See docs/operations.md.
WEBHOOKS_PER_PERSON = environment.count("WEBHOOKS_PER_PERSON", 10)
# The time limit for one delivery, and how many test events and redeliveries a person may request per hour.
WEBHOOK_SECONDS = environment.seconds("WEBHOOK_SECONDS", 10.0, least=0.1)
WEBHOOK_TESTS_AN_HOUR = environment.count("WEBHOOK_TESTS_AN_HOUR", 60)
# Where deliveries may go: by default, to any public address over HTTPS.
WEBHOOK_HOSTS = environment.comma_list("WEBHOOK_HOSTS")  # empty: any host
WEBHOOK_PORTS = environment.ports("WEBHOOK_PORTS", "443")
WEBHOOK_ALLOW_HTTP = environment.flag("WEBHOOK_ALLOW_HTTP", False)  # permits http:// on port 80 and WEBHOOK_PORTS
WEBHOOK_PRIVATE_NETWORKS = environment.networks("WEBHOOK_PRIVATE_NETWORKS")  # permitted although they are not public

# --- games ------------------------------------------------------------------------------------

globals().update(game_settings(globals()))  # adds the settings that games define in settings.py in their packages

# --- logging ----------------------------------------------------------------------------------

_LOG_LINE = "%(asctime)s %(levelname)s %(name)s %(message)s"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "arena.platform.log_format.OutageFormatter", "fmt": _LOG_LINE},
        "one_line": {"()": "arena.platform.log_format.OneLineFormatter", "fmt": _LOG_LINE},
    },
    "filters": {
        "rate_limit": {"()": "arena.platform.rate_limited_logging.RateLimit"},
        # oEmbed requires 501 for a format that the site does not support: a client error, not a failure.
        "failures": {
            "()": "django.utils.log.CallbackFilter",
            "callback": lambda record: getattr(record, "status_code", None) != 501,
        },
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line"},
        "refused": {"class": "logging.StreamHandler", "formatter": "one_line"},
    },
    "root": {"handlers": ["console"], "level": environment.text("LOG_LEVEL", "INFO").upper()},
    # Denied and unknown pages are not logged; failures (500) are.
    "loggers": {
        "axes": {"level": "WARNING"},
        "celery.beat": {"filters": ["rate_limit"]},  # every tick fails while the broker is unavailable
        "uvicorn.access": {"level": "WARNING"},
        "django.request": {"level": "ERROR", "filters": ["failures"]},
        "django.security": {"handlers": ["refused"], "propagate": False},
    },
}
