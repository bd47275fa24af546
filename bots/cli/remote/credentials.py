"""The address and token of an arena.

They come from ``ARENA_URL`` and ``ARENA_TOKEN`` if these are set, and otherwise from the file that ``login`` writes.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from bots.cli.errors import CommandError

_LOCAL = ("127.0.0.1", "localhost", "::1")


class Credentials(msgspec.Struct, frozen=True):
    """The address of an arena and a personal access token."""

    url: str
    token: str


def credentials_path(environment: Mapping[str, str]) -> Path:
    """Return the path of the credentials file (XDG Base Directory Specification)."""
    folder = environment.get("XDG_CONFIG_HOME") or environment.get("APPDATA")
    return Path(folder or Path.home() / ".config") / "bot-arena" / "credentials.json"


def load_credentials(environment: Mapping[str, str]) -> Credentials:
    """Load the credentials; each environment variable takes precedence over the file. Raises CommandError."""
    url, token = environment.get("ARENA_URL", "").strip(), clean_token(environment.get("ARENA_TOKEN", ""))
    if url and token:
        return Credentials(normalize_address(url), token)
    stored = _read_file(credentials_path(environment))
    if stored is not None and url and normalize_address(url) != stored.url and not token:
        raise CommandError(
            f"The stored token is for {stored.url}, not for {url}. Run: python -m bots login {url}", code="other_site"
        )
    url, token = url or (stored.url if stored else ""), token or (stored.token if stored else "")
    if not url or not token:
        raise CommandError(
            "Sign in first: python -m bots login URL. In CI, set ARENA_URL and ARENA_TOKEN.", code="not_signed_in"
        )
    return Credentials(normalize_address(url), token)


def clean_token(text: str) -> str:
    """Return the token without the newline that secrets often end with. Raises CommandError if it is invalid."""
    token = text.strip()
    if not token.isascii() or not token.isprintable() or " " in token:
        raise CommandError(
            "This is not a token. Create one in your settings on the site and copy all of it.", code="invalid_token"
        )
    return token


def save_credentials(credentials: Credentials, environment: Mapping[str, str]) -> Path:
    """Write the credentials file, readable only by its owner, and return its path. Raises CommandError."""
    target = credentials_path(environment)
    draft = target.with_suffix(f".{os.getpid()}")
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(msgspec.json.encode(credentials))
        draft.replace(target)
    except OSError as error:
        raise CommandError(
            f"Cannot write {target}: {error.strerror}. Set ARENA_URL and ARENA_TOKEN instead.", code="not_written"
        ) from None
    return target


def normalize_address(url: str) -> str:
    """Normalize the address of a site, without a trailing slash. Raises CommandError if it is invalid."""
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        is_valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_valid = False
    if not is_valid or not url.isprintable() or " " in url:
        raise CommandError(
            f"{url} is not the URL of an arena. Example: https://arena.example.org", code="invalid_address"
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/")


def sends_token_unencrypted(url: str) -> bool:
    """Return whether the token would be sent to another machine unencrypted."""
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname not in _LOCAL


def _read_file(file: Path) -> Credentials | None:
    try:
        if os.name == "posix" and stat.S_IMODE(file.stat().st_mode) & 0o077:
            raise CommandError(f"{file} is readable by others. Run: chmod 600 {file}", code="file_permissions")
        return msgspec.json.decode(file.read_bytes(), type=Credentials)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError):
        raise CommandError(f"Cannot read {file}. Run: python -m bots login URL", code="file_unreadable") from None
