"""Refused requests and outages are logged in a few lines; all other tracebacks stay complete."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest
from django.db.utils import OperationalError

from arena.platform.log_format import MAX_CHARACTERS, PAUSE_SECONDS, OneLineFormatter, OutageFormatter
from arena.platform.supervisor.testing import ManualClock

ROOT = Path(__file__).resolve().parents[2]

REFUSED_REQUESTS = """
import django
django.setup()
from django.test import Client
from django.urls import reverse
client = Client(raise_request_exception=False)
fields = {f"field-{number}": "" for number in range(2000)}
print(client.get("/guide/", headers={"host": "evil.example"}).status_code)
print(client.get("/guide/", headers={"host": "x" * 5000 + ".example"}).status_code)
print(client.post(reverse("login"), fields, headers={"host": "localhost"}).status_code)
"""


@pytest.mark.long
def test_each_refused_request_is_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "-c", REFUSED_REQUESTS], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["400", "400", "400"]
    assert "Traceback" not in done.stderr
    wrong_host, long_host, many_fields = [line for line in done.stderr.splitlines() if "django." in line]
    assert "ERROR django.security.DisallowedHost Invalid HTTP_HOST header: 'evil.example'." in wrong_host
    assert len(long_host) < MAX_CHARACTERS + 100
    assert "django.security.TooManyFieldsSent" in many_fields


def test_message_keeps_only_its_first_line_and_no_traceback() -> None:
    try:
        raise ValueError("the cause")
    except ValueError:
        record = logging.LogRecord("a", logging.ERROR, __file__, 1, "refused %s\nmore", ("it",), sys.exc_info())
    assert OneLineFormatter("%(levelname)s %(message)s").format(record) == "ERROR refused it"
    assert record.exc_info, "other handlers still get the whole record"


def failed_request(error: Exception) -> logging.LogRecord:
    try:
        raise error
    except type(error):
        return logging.LogRecord("a", logging.ERROR, __file__, 1, "a task failed", (), sys.exc_info())


def test_outage_logs_one_traceback_per_minute() -> None:
    clock = ManualClock()
    formatter = OutageFormatter("%(levelname)s %(message)s", clock)

    def format_outage() -> str:
        return formatter.format(failed_request(OperationalError("connection refused\n\tIs the server running?")))

    short = "ERROR a task failed\nOperationalError: connection refused (traceback omitted)"
    assert "Traceback (most recent call last)" in format_outage()
    assert [format_outage(), format_outage()] == [short, short]
    assert "Traceback" in formatter.format(failed_request(ValueError("a mistake of ours")))
    clock.advance(PAUSE_SECONDS)
    assert "Traceback" in format_outage()


@pytest.mark.long
def test_site_shortens_tracebacks_of_an_outage() -> None:
    code = (
        "import django, logging; django.setup()\n"
        "from django.db.utils import OperationalError\n"
        "for _ in range(20):\n"
        "    try: raise OperationalError('connection refused')\n"
        "    except OperationalError: logging.getLogger('celery.app.trace').exception('raised unexpected')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr.count("raised unexpected") == 20
    assert done.stderr.count("Traceback (most recent call last)") == 1
