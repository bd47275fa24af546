"""Commands that connect to an arena. Each returns False if a bot failed its check; errors raise CommandError."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.core.plain_text import one_line, plain_text
from bots.cli.errors import CommandError
from bots.cli.remote import credentials as stored
from bots.cli.remote.bots import newest_version, own_bot, own_bots
from bots.cli.remote.client import Client
from bots.cli.remote.credentials import Credentials
from bots.cli.remote.shapes import Account, Check, Entry, Fault, Match, Report, VersionLine
from bots.cli.remote.submit import Submission, Watch, upload, verdict
from bots.cli.remote.text import fault_text, match_line

Made = Callable[[Credentials], Client]


def _client(credentials: Credentials) -> Client:
    return Client(credentials, time.sleep)


def run(options: argparse.Namespace, stack: ExitStack, made: Made = _client) -> bool:
    """Run a command; ``made`` creates the client for an arena."""
    if options.command == "login":
        return _login(options, made)
    return _COMMANDS[options.command](options, made(stored.load(os.environ)))


def _login(options: argparse.Namespace, made: Made) -> bool:
    url = stored.address(options.url or os.environ.get("ARENA_URL") or _asked_address())
    if stored.sends_token_unencrypted(url):
        print(f"Warning: {url} is not encrypted. Others on the network can read your token.", file=sys.stderr)
    print(f"Create a token at {url}/accounts/settings/tokens/", file=sys.stderr)
    token = getpass.getpass("Token: ") if sys.stdin.isatty() else sys.stdin.readline()
    found = Credentials(url, stored.token_of(token))
    me = made(found).get("/me", Account)
    target = stored.save(found, os.environ)
    _show(options, me, f"Signed in to {url} as {me.username} ({', '.join(me.scopes)}). Stored in {target}.")
    return True


def _asked_address() -> str:
    if not sys.stdin.isatty():
        raise CommandError("Add the address of the arena: python -m bots login URL", code="address_missing")
    return input("Address of the arena: ")


def _submit(options: argparse.Namespace, client: Client) -> bool:
    wanted = Submission(options.file, options.name or "", options.game or "", not options.no_wait)
    version, is_new = upload(client, wanted)
    steps = sys.stderr if options.json else sys.stdout
    uploaded = "Uploaded as" if is_new else "Same files as"
    print(f"{uploaded} {one_line(version.bot_name)} v{version.number} (version {version.id}).", file=steps, flush=True)
    if not wanted.wait:
        _show(options, version, "")
        return True
    check = Watch(client, steps, sys.stderr).follow(version.id)
    found = {**msgspec.to_builtins(version), "status": check.status, "check": msgspec.to_builtins(check)}
    _show(options, found, plain_text(verdict(version, check)))
    if check.status == "void":
        raise CommandError("This is not your bot's fault. Submit it again later.", code="check_void")
    return check.status == "passed"


def _status(options: argparse.Namespace, client: Client) -> bool:
    if options.bot is None:
        bots = own_bots(client, options.game or "")
        lines = [
            f"{bot.id:>6}  {one_line(bot.name):24} {bot.game:12} plays "
            f"{f'v{bot.active_version}' if bot.active_version else '-':6} newest v{bot.versions}: {bot.status}"
            for bot in bots
        ]
        _show(options, bots, "\n".join(lines) or "You have no bots yet.")
        return True
    bot = own_bot(client, options.bot, options.game or "")
    versions = list(client.pages(f"/bots/{bot.id}/versions", VersionLine, 20))
    lines = [
        f"v{one.number:<4} {one.status:9} {one.uploaded_at}{'  plays' if one.is_active else ''}" for one in versions
    ]
    _show(options, {"bot": bot, "versions": versions}, "\n".join([f"{one_line(bot.name)} ({bot.game})", *lines]))
    return True


def _logs(options: argparse.Namespace, client: Client) -> bool:
    if options.match is not None:
        report = client.get(f"/matches/{options.match}/seats/{_own_seat(client, options)}/report", Report)
        _show(options, report, _explained(report.faults, report.log))
        return True
    if options.bot is None:
        raise CommandError("Add one of your bots, or --match NUMBER.", code="bot_missing")
    version = newest_version(client, own_bot(client, options.bot, options.game or ""))
    check = client.get(f"/versions/{version.id}/check", Check)
    log = client.send("GET", f"/versions/{version.id}/log").body.decode("utf-8", "replace")
    _show(options, {"check": check, "log": log}, _explained(check.faults, log))
    return True


def _explained(faults: Sequence[Fault], log: str) -> str:
    shown = [fault_text(fault, printed=False) for fault in faults]
    printed = plain_text(log).rstrip()
    return "\n".join([*shown, *(["--- log ---", printed] if printed else [])]) or "No output."


def _own_seat(client: Client, options: argparse.Namespace) -> int:
    if options.seat is not None:
        return int(options.seat)
    me, match = client.get("/me", Account), client.get(f"/matches/{options.match}", Match)
    seats = [seat.index for seat in match.seats if seat.owner == me.username]
    if not seats:
        raise CommandError(f"None of your bots played in match {match.id}.", code="no_seat")
    return seats[0]


def _matches(options: argparse.Namespace, client: Client) -> bool:
    if options.bot is None:
        narrowed: dict[str, Any] = {"person": client.get("/me", Account).username}
    else:
        narrowed = {"bot": own_bot(client, options.bot, options.game or "").id}
    found = list(client.pages("/matches", Match, options.limit, **narrowed))
    _show(options, found, "\n".join(map(match_line, found)) or "No matches yet.")
    return True


def _download(options: argparse.Namespace, client: Client) -> bool:
    if options.match is not None:
        answer = client.send("GET", f"/matches/{options.match}/record")
    elif options.bot is not None:
        version = newest_version(client, own_bot(client, options.bot, options.game or ""))
        answer = client.send("GET", f"/versions/{version.id}/download")
    else:
        raise CommandError("Add one of your bots, or --match NUMBER.", code="bot_missing")
    target = options.output or Path(Path(answer.name.replace("\\", "/")).name or "download")
    try:
        with target.open("xb") as file:
            file.write(answer.body)
    except FileExistsError:
        raise CommandError(f"{target} already exists. Choose another file with --output.", code="file_exists") from None
    except OSError as error:
        raise CommandError(f"Cannot write {target}: {error.strerror}.", code="not_written") from None
    _show(options, {"file": str(target), "bytes": len(answer.body)}, f"Wrote {target}.")
    return True


def _enter(options: argparse.Namespace, client: Client) -> bool:
    game = client.get(f"/tournaments/{options.tournament}", dict[str, Any])["game"]
    bot = own_bot(client, options.bot, game)
    entry = client.post(f"/tournaments/{options.tournament}/entries", Entry, {"bot": bot.id})
    _show(options, entry, f"{one_line(entry.name)} entered tournament {options.tournament}.")
    return True


def _show(options: argparse.Namespace, found: Any, text: str) -> None:
    if options.json:
        print(msgspec.json.encode(found).decode())
    elif text:
        print(text)


_COMMANDS: Final[dict[str, Callable[[argparse.Namespace, Client], bool]]] = {
    "submit": _submit,
    "status": _status,
    "logs": _logs,
    "matches": _matches,
    "download": _download,
    "enter": _enter,
}
