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
from bots.cli.remote.formatting import format_fault, format_match
from bots.cli.remote.responses import Account, Check, Entry, Fault, Match, Report, VersionSummary
from bots.cli.remote.submit import CheckWatcher, SubmitOptions, format_check_result, upload_version

Made = Callable[[Credentials], Client]


def _create_client(credentials: Credentials) -> Client:
    return Client(credentials, time.sleep)


def run(options: argparse.Namespace, stack: ExitStack, made: Made = _create_client) -> bool:
    """Run a command; return False if a bot failed its check. ``made`` creates the client for an arena."""
    if options.command == "login":
        return _login(options, made)
    return _COMMANDS[options.command](options, made(stored.load_credentials(os.environ)))


def _login(options: argparse.Namespace, made: Made) -> bool:
    url = stored.normalize_address(options.url or os.environ.get("ARENA_URL") or _prompt_for_address())
    if stored.sends_token_unencrypted(url):
        print(f"Warning: {url} is not encrypted. Others on the network can read your token.", file=sys.stderr)
    print(f"Create a token at {url}/accounts/settings/tokens/", file=sys.stderr)
    token = getpass.getpass("Token: ") if sys.stdin.isatty() else sys.stdin.readline()
    found = Credentials(url, stored.clean_token(token))
    me = made(found).get("/me", Account)
    target = stored.save_credentials(found, os.environ)
    _print_result(options, me, f"Signed in to {url} as {me.username} ({', '.join(me.scopes)}). Stored in {target}.")
    return True


def _prompt_for_address() -> str:
    if not sys.stdin.isatty():
        raise CommandError("Add the arena's URL: python -m bots login URL", code="address_missing")
    return input("Arena URL: ")


def _submit(options: argparse.Namespace, client: Client) -> bool:
    wanted = SubmitOptions(options.file, options.name or "", options.game or "", not options.no_wait)
    version, is_new = upload_version(client, wanted)
    steps = sys.stderr if options.json else sys.stdout
    uploaded = "Uploaded as" if is_new else "Same files as"
    print(f"{uploaded} {one_line(version.bot_name)} v{version.number} (version {version.id}).", file=steps, flush=True)
    if not wanted.wait:
        _print_result(options, version, "")
        return True
    check = CheckWatcher(client, steps, sys.stderr).follow(version.id)
    found = {**msgspec.to_builtins(version), "status": check.status, "check": msgspec.to_builtins(check)}
    _print_result(options, found, plain_text(format_check_result(version, check)))
    if check.status == "void":
        raise CommandError(
            "The check was stopped by a problem in the arena, not by the bot. Submit the bot again later.",
            code="check_void",
        )
    return check.status == "passed"


def _status(options: argparse.Namespace, client: Client) -> bool:
    if options.bot is None:
        bots = own_bots(client, options.game or "")
        lines = [
            f"{bot.id:>6}  {one_line(bot.name):24} {bot.game:12} plays "
            f"{f'v{bot.active_version}' if bot.active_version else '-':6} newest v{bot.versions}: {bot.status}"
            for bot in bots
        ]
        _print_result(options, bots, "\n".join(lines) or "You have no bots yet.")
        return True
    bot = own_bot(client, options.bot, options.game or "")
    versions = list(client.iterate_items(f"/bots/{bot.id}/versions", VersionSummary, 20))
    lines = [
        f"v{one.number:<4} {one.status:9} {one.uploaded_at}{'  plays' if one.is_active else ''}" for one in versions
    ]
    _print_result(
        options, {"bot": bot, "versions": versions}, "\n".join([f"{one_line(bot.name)} ({bot.game})", *lines])
    )
    return True


def _logs(options: argparse.Namespace, client: Client) -> bool:
    if options.match is not None:
        report = client.get(f"/matches/{options.match}/seats/{_own_seat(client, options)}/report", Report)
        _print_result(options, report, _format_report(report.faults, report.log))
        return True
    if options.bot is None:
        raise CommandError("Specify one of your bots, or add --match NUMBER.", code="bot_missing")
    version = newest_version(client, own_bot(client, options.bot, options.game or ""))
    check = client.get(f"/versions/{version.id}/check", Check)
    log = client.send("GET", f"/versions/{version.id}/log").body.decode("utf-8", "replace")
    _print_result(options, {"check": check, "log": log}, _format_report(check.faults, log))
    return True


def _format_report(faults: Sequence[Fault], log: str) -> str:
    shown = [format_fault(fault, printed=False) for fault in faults]
    printed = plain_text(log).rstrip()
    return "\n".join([*shown, *(["--- log ---", printed] if printed else [])]) or "No output."


def _own_seat(client: Client, options: argparse.Namespace) -> int:
    if options.seat is not None:
        return int(options.seat)
    me, match = client.get("/me", Account), client.get(f"/matches/{options.match}", Match)
    seats = [seat.index for seat in match.seats if seat.owner == me.username]
    if not seats:
        raise CommandError(
            f"None of your bots played in match {match.id}. List their matches: python -m bots matches", code="no_seat"
        )
    return seats[0]


def _matches(options: argparse.Namespace, client: Client) -> bool:
    if options.bot is None:
        narrowed: dict[str, Any] = {"person": client.get("/me", Account).username}
    else:
        narrowed = {"bot": own_bot(client, options.bot, options.game or "").id}
    found = list(client.iterate_items("/matches", Match, options.limit, **narrowed))
    _print_result(options, found, "\n".join(map(format_match, found)) or "No matches yet.")
    return True


def _download(options: argparse.Namespace, client: Client) -> bool:
    if options.match is not None:
        answer = client.send("GET", f"/matches/{options.match}/record")
    elif options.bot is not None:
        version = newest_version(client, own_bot(client, options.bot, options.game or ""))
        answer = client.send("GET", f"/versions/{version.id}/download")
    else:
        raise CommandError("Specify one of your bots, or add --match NUMBER.", code="bot_missing")
    target = options.output or Path(Path(answer.name.replace("\\", "/")).name or "download")
    try:
        with target.open("xb") as file:
            file.write(answer.body)
    except FileExistsError:
        raise CommandError(f"{target} already exists. Choose another file with --output.", code="file_exists") from None
    except OSError as error:
        raise CommandError(
            f"Cannot write {target}: {error.strerror}. Choose another file with --output.", code="not_written"
        ) from None
    _print_result(options, {"file": str(target), "bytes": len(answer.body)}, f"Wrote {target}.")
    return True


def _enter(options: argparse.Namespace, client: Client) -> bool:
    game = client.get(f"/tournaments/{options.tournament}", dict[str, Any])["game"]
    bot = own_bot(client, options.bot, game)
    entry = client.post(f"/tournaments/{options.tournament}/entries", Entry, {"bot": bot.id})
    _print_result(options, entry, f"{one_line(entry.name)} entered tournament {options.tournament}.")
    return True


def _print_result(options: argparse.Namespace, found: Any, text: str) -> None:
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
