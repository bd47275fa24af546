"""What a house bot says of itself: on its page, beside files that everybody may read."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from arena.core.sandbox.uploads.package import MAIN, Package
from arena.submissions.introductions import introduction, paragraphs
from arena.submissions.models import Bot, Submission, SubmissionStatus
from tests.factories import person
from tests.submissions.readers import READERS, client_of
from tests.submissions.uploads import uploaded

SOURCE = '"""Plays well. It looks\nahead.\n\nThe parts: <main.py>.\n"""\nopen_plan = 1\n'


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (SOURCE, ("It looks ahead.", "The parts: <main.py>.")),
        ('"""Plays well."""\n', ()),
        ("x = 1\n", ()),
        ("def (\n", ()),
        ("\0", ()),
    ],
)
def test_paragraphs_after_the_description(source: str, found: tuple[str, ...]) -> None:
    assert paragraphs(Package.of({MAIN: source.encode()})) == found


def playing(*, is_house: bool) -> Submission:
    made = uploaded(person("owner"), "Deep", SOURCE)
    Submission.objects.filter(pk=made.pk).update(status=SubmissionStatus.PASSED)
    Bot.objects.filter(pk=made.bot_id).update(is_house=is_house, active=made)
    return made


@pytest.mark.django_db
@pytest.mark.parametrize("reader", READERS)
def test_everybody_reads_how_a_house_bot_plays(reader: str) -> None:
    version = playing(is_house=True)
    client = client_of(reader, version.bot.owner)
    page = client.get(reverse("bot", args=[version.bot_id])).content.decode()
    assert "<p>It looks ahead.</p>" in page
    assert "The parts: &lt;main.py&gt;." in page
    assert reverse("submission-source", args=[version.pk]) in page
    assert "open_plan" in client.get(reverse("submission-source", args=[version.pk])).content.decode()
    assert client.get(reverse("submission-download", args=[version.pk])).status_code == 200


@pytest.mark.django_db
def test_what_students_write_in_their_files_is_theirs(client: Client) -> None:
    version = playing(is_house=False)
    assert introduction(version.bot_id) is None
    assert "It looks ahead." not in client.get(reverse("bot", args=[version.bot_id])).content.decode()
