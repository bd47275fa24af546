"""While the broker is missing, beat logs its absence once a minute instead of a 40-line traceback at every tick."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from arena.platform.rate_limited_logging import PAUSE_SECONDS, RateLimit
from arena.platform.supervisor.testing import ManualClock

ROOT = Path(__file__).resolve().parents[2]


def test_message_is_logged_once_per_minute(caplog: pytest.LogCaptureFixture) -> None:
    clock = ManualClock()
    logger = logging.getLogger("test.seldom")
    logger.addFilter(RateLimit(clock=clock))
    for _ in range(4):
        try:
            raise ConnectionError("refused")
        except ConnectionError as error:
            logger.exception("not sent: %s\n%s", error, "where from")
        clock.advance(PAUSE_SECONDS / 2)
    assert caplog.messages == ["not sent: refused"] * 2
    assert "Traceback" not in caplog.text


@pytest.mark.long
def test_beat_logs_a_missing_broker_once() -> None:
    code = (
        "import django, logging; django.setup()\n"
        "for _ in range(3): logging.getLogger('celery.beat').error('Message Error: %s\\n%s', 'refused', 'stack')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr.count("Message Error: refused") == 1
    assert "stack" not in done.stderr
