"""A request that Django refuses as suspicious leaves one line in the log."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

from arena.log_format import MAX_CHARACTERS, OneLine

ROOT = Path(__file__).resolve().parents[1]

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


def test_refused_requests_are_a_line_each() -> None:
    done = subprocess.run(
        [sys.executable, "-c", REFUSED_REQUESTS], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["400", "400", "400"]
    assert "Traceback" not in done.stderr
    wrong_host, long_host, many_fields = [line for line in done.stderr.splitlines() if "django." in line]
    assert "ERROR django.security.DisallowedHost Invalid HTTP_HOST header: 'evil.example'." in wrong_host
    assert len(long_host) < MAX_CHARACTERS + 100
    assert "django.security.TooManyFieldsSent" in many_fields


def test_only_the_first_line_and_no_traceback_is_left() -> None:
    try:
        raise ValueError("the cause")
    except ValueError:
        record = logging.LogRecord("a", logging.ERROR, __file__, 1, "refused %s\nmore", ("it",), sys.exc_info())
    assert OneLine("%(levelname)s %(message)s").format(record) == "ERROR refused it"
    assert record.exc_info, "other handlers still get the whole record"
