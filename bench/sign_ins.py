"""Measure page latency while fifty people sign in simultaneously, and compare it with the latency between sign-ins.

A few readers request pages continuously, at a constant rate. Quiet periods and sign-in storms alternate, so that other
load on the machine affects both. All sign-ins use an existing account and the correct password.
"""

from __future__ import annotations

import http.client
import itertools
import os
import re
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

from bench import site
from bench.measure import Sample
from bench.table import Comparison, Goal, GoalQuantity, Row, Section
from tests.broker import running_broker

PEOPLE, STORMS = 50, 2
READERS, PAUSE = 3, 0.08  # PAUSE: seconds between a reader's requests
QUIET_SECONDS = 10.0
PAGES: Final = ("/", "/bots/", "/healthz", "/accounts/login/", "/matches/")
PASSWORD: Final = "correct horse 17"
GOAL: Final = 2.0
_TOKEN: Final = re.compile(rb'name="csrfmiddlewaretoken" value="(\w+)"')


def run() -> Section:
    folder = Path(os.environ["TMPDIR"])
    with running_broker() as broker:
        site.set_up_django(folder, broker.url)
        names = _create_accounts(PEOPLE * STORMS)
        with site.running_web(folder, broker.url) as port:
            return _build_section(*_measure_latencies(port, names))


def _create_accounts(count: int) -> list[str]:
    """Create accounts that share one password hash; computing a hash for each would dominate the time."""
    from django.contrib.auth.hashers import make_password

    from arena.accounts.models import User

    hashed, names = make_password(PASSWORD), [f"person{number}" for number in range(count)]
    User.objects.bulk_create([User(username=name, email=f"{name}@example.org", password=hashed) for name in names])
    return names


def _measure_latencies(port: int, names: Sequence[str]) -> tuple[list[float], list[float], list[float], list[str]]:
    """Measure the latencies of pages and sign-ins.

    Return, in seconds, the latencies of pages in quiet periods, of pages during storms, and of sign-ins; and return
    the sign-in errors.
    """
    quiet: list[float] = []
    busy: list[float] = []
    sign_ins: list[float] = []
    failures: list[str] = []
    _read_pages_during(port, lambda: time.sleep(2), [])  # warms up
    for storm in range(STORMS):
        prepared = [_PreparedSignIn(port, name) for name in names[storm * PEOPLE : (storm + 1) * PEOPLE]]
        _read_pages_during(port, lambda: time.sleep(QUIET_SECONDS), quiet)
        done: list[tuple[float, str]] = []
        _read_pages_during(port, partial(_sign_in_simultaneously, prepared, done), busy)
        sign_ins += [seconds for seconds, _ in done]
        failures += [failure for _, failure in done if failure]
    return quiet, busy, sign_ins, failures


def _read_pages_during(port: int, work: Callable[[], object], into: list[float]) -> None:
    """Append the latencies of pages to ``into`` while ``work`` runs."""
    over = threading.Event()

    def reader(first: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for page in itertools.islice(itertools.cycle(PAGES), first, None):
            if over.is_set():
                break
            began = time.perf_counter()
            connection.request("GET", page)
            connection.getresponse().read()
            into.append(time.perf_counter() - began)
            over.wait(PAUSE)
        connection.close()

    readers = [threading.Thread(target=reader, args=(number,)) for number in range(READERS)]
    for each in readers:
        each.start()
    try:
        work()
    finally:
        over.set()
        for each in readers:
            each.join()


class _PreparedSignIn:
    """A person's completed sign-in form, ready to submit."""

    def __init__(self, port: int, name: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self._connection.request("GET", "/accounts/login/")
        answer = self._connection.getresponse()
        token = _TOKEN.search(answer.read())
        assert token
        self._connection.close()  # otherwise the server would close the connection before the form is sent
        self._headers = {
            "Cookie": (answer.getheader("Set-Cookie") or "").partition(";")[0],
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self._body = f"csrfmiddlewaretoken={token[1].decode()}&username={name}&password={PASSWORD.replace(' ', '+')}"

    def submit(self) -> tuple[float, str]:
        """Send the form; return the time that this took, in seconds, and the error, or "" on success."""
        began = time.perf_counter()
        self._connection.request("POST", "/accounts/login/", self._body, self._headers)
        answer = self._connection.getresponse()
        answer.read()
        self._connection.close()
        return time.perf_counter() - began, "" if answer.status == 302 else f"a sign-in was answered {answer.status}"


def _sign_in_simultaneously(prepared: Sequence[_PreparedSignIn], done: list[tuple[float, str]]) -> None:
    with ThreadPoolExecutor(len(prepared)) as people:
        done.extend(people.map(_PreparedSignIn.submit, prepared))


def _build_section(quiet: list[float], busy: list[float], sign_ins: list[float], failures: list[str]) -> Section:
    baseline = Comparison("baseline: the same pages in quiet periods", Sample(tuple(quiet)))
    return Section(
        f"{PEOPLE} people sign in at once, {STORMS} times",
        (
            Row(
                "pages requested by others in the meantime",
                Sample(tuple(busy)),
                (baseline,),
                Goal(GOAL, GoalQuantity.P95_RATIO),
                failure=failures[0] if failures else "",
            ),
            Row("  a sign-in", Sample(tuple(sign_ins))),
        ),
    )
