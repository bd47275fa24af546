from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from arena.accounts.models import Role
from arena.classes import services as classes
from arena.classes.services import CoursePlan
from arena.platform.refusal import LIMIT
from tests.factories import person
from tests.migrated import copy_migrated
from tests.refusals import expect_refusal
from tests.submissions.uploads import upload_bot

ROOT = Path(__file__).resolve().parents[2]

# Eight threads of one person upload at the same moment; three uploads are allowed.
CLICKS = """
import threading
import django; django.setup()
from django.conf import settings
from django.db import connection
from django.utils import timezone
from tests.factories import person
from tests.submissions.uploads import upload_bot
from arena.platform.refusal import Refused
from arena.submissions.models import Submission
from arena.platform.refusal import LIMIT

settings.UPLOADS_AN_HOUR = 3
owner, together, refused = person("ann"), threading.Barrier(8), []

def click(number):
    together.wait()
    try:
        upload_bot(owner, f"bot {number}", f"x = {number}")
    except Refused:
        refused.append(number)
    connection.close()

clicks = [threading.Thread(target=click, args=(number,)) for number in range(8)]
for each in clicks: each.start()
for each in clicks: each.join()
print(Submission.objects.count(), len(refused))
"""


def test_concurrent_uploads_do_not_exceed_the_limit(tmp_path: Path) -> None:
    copy_migrated(tmp_path)
    environment = {
        "PATH": os.environ["PATH"],
        "ARENA_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "arena.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", CLICKS], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["3", "5"], done.stderr


@pytest.mark.django_db
def test_class_limits_uploads_of_its_students(settings: Settings) -> None:
    settings.UPLOADS_AN_HOUR = 30
    course = classes.create(person(role=Role.ORGANIZER), CoursePlan("AI 101", 2), rng=random.Random(1))
    student = person()
    classes.join(student, course.code)
    for number in range(2):
        upload_bot(student, f"bot {number}")
    with expect_refusal(LIMIT):
        upload_bot(student, "one too many")
    other = person()
    for number in range(3):
        upload_bot(other, f"bot {number}")


@pytest.mark.django_db
def test_staff_have_no_upload_limit(settings: Settings) -> None:
    settings.UPLOADS_AN_HOUR = settings.UNFINISHED_CHECKS = 1
    staff = person(is_staff=True)
    for number in range(3):
        upload_bot(staff, f"bot {number}")


@pytest.mark.django_db
def test_pages_show_quota_usage(client: Client, settings: Settings) -> None:
    settings.UPLOADS_AN_HOUR = 2
    owner = person()
    client.force_login(owner)
    assert 'data-note="use" data-used="0"' in client.get(reverse("bot-new")).content.decode()
    first = upload_bot(owner)
    page = reverse("submission-new", args=[first.bot_id])
    assert 'data-note="use" data-used="1"' in client.get(page).content.decode()
    upload_bot(owner, "Second")
    assert 'data-note="limit"' in client.get(page).content.decode()
