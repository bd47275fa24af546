"""Creating a tournament in steps, as a browser without JavaScript submits them."""

from __future__ import annotations

import html
import re
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from arena.matches.models import Match, Purpose
from arena.submissions.models import Bot
from arena.tournaments.forms.wizard import WizardStep, name_of_copy
from arena.tournaments.models import EntryPolicy, Format, Tournament
from tests import factories
from tests.tournaments.form_data import answers
from tests.tournaments.harness import TournamentHarness
from tests.tournaments.organizer import client_of
from tests.tournaments.sent_form import SentForm

NEW = "/tournaments/new/"


class Wizard:
    """A visitor who uses the wizard; ``response`` is the page that they see."""

    def __init__(self, client: Client, query: str = "") -> None:
        self.client = client
        self.response = client.get(NEW + query)

    @property
    def text(self) -> str:
        return self.response.content.decode()

    @property
    def step(self) -> str:
        """Return the step that the page shows."""
        found = re.search(r'data-step="(\w+)" aria-current="step"', self.text)
        return found[1] if found else ""

    def press(self, go: str, action: str = "", **typed: str) -> None:
        """Fill in the fields ``typed`` and press the button ``go``; the other fields keep their values on the page."""
        form = SentForm(self.text, mark="wizard" if action else "data-conditional-fields")
        address = NEW + (action or form.action)
        self.response = self.client.post(address, {**form.fields, **typed, "go": go})


@pytest.mark.long
def test_tournament_is_created_from_a_preset(stage: TournamentHarness) -> None:
    factories.person("Ada")
    wizard = Wizard(client_of(stage.organizer))
    assert "?game=reversi&amp;preset=seeded_knockout" in wizard.text
    wizard = Wizard(wizard.client, "?game=reversi&preset=seeded_knockout")
    assert wizard.step == WizardStep.WHEN
    wizard.press("review", name="Autumn cup", entry_policy="invited", invited="ada")
    assert wizard.step == WizardStep.REVIEW
    assert "Estimated duration" in wizard.text
    assert "Autumn cup" in wizard.text
    assert 'data-pace="0.3"' in wizard.text
    assert 'data-parallel="0"' in wizard.text
    assert 'class="lobby__rules"' in wizard.text, "what students will see first"
    assert not Tournament.objects.exists()
    wizard.press("create")
    tournament = Tournament.objects.get()
    assert wizard.response.url == f"/tournaments/{tournament.pk}/"
    assert (tournament.format, tournament.options) == (Format.KNOCKOUT, {"third_place": True})
    assert tournament.limits["pace_seconds"] == 0.3
    assert tournament.invitations.get().person.username == "Ada"
    assert (tournament.deadline, tournament.starts_at) == (tournament.starts_at, tournament.deadline)


@pytest.mark.long
def test_going_back_keeps_all_input(stage: TournamentHarness) -> None:
    wizard = Wizard(client_of(stage.organizer), "?game=reversi&preset=own")
    wizard.press("format", name="Autumn <cup>", description="One\nTwo", start="hand", deadline="")
    assert wizard.step == WizardStep.FORMAT
    wizard.press("when", format="swiss", rounds="many")  # not a number, but kept as typed
    assert wizard.step == WizardStep.WHEN
    assert wizard.response.status_code == 200
    wizard.press("kind")
    wizard.press("preset", "?game=suit_pairs&preset=class_cup")
    assert 'value="Autumn &lt;cup&gt;"' in wizard.text
    wizard.press("review")
    wizard.press("create")
    tournament = Tournament.objects.get()
    assert (tournament.game, tournament.format) == ("suit_pairs", Format.GROUPS)
    assert tournament.name == "Autumn <cup>"
    assert tournament.description.split() == ["One", "Two"]


@pytest.mark.long
def test_error_is_shown_at_its_step_with_a_link(stage: TournamentHarness) -> None:
    wizard = Wizard(client_of(stage.organizer), "?game=reversi&preset=own")
    wizard.press("format", deadline="")
    assert (wizard.step, wizard.response.status_code) == (WizardStep.WHEN, 422)
    assert '<a href="#id_name">Name</a>: ' in wizard.text
    wizard.press("format", name="Cup", start="hand")
    wizard.press("review", move_seconds="0")
    assert (wizard.step, wizard.response.status_code) == (WizardStep.FORMAT, 422)
    assert '<a href="#id_move_seconds">' in wizard.text
    assert "id_name" in wizard.text  # carried as a hidden field


@pytest.mark.long
def test_unknown_names_are_refused_before_the_review(stage: TournamentHarness) -> None:
    wizard = Wizard(client_of(stage.organizer), "?game=reversi&preset=class_cup")
    wizard.press("review", name="Cup", entry_policy="invited", invited="nobody-here")
    assert (wizard.step, wizard.response.status_code) == (WizardStep.WHEN, 422)
    assert '<a href="#id_invited">' in wizard.text
    assert "nobody-here" in wizard.text


@pytest.mark.long
def test_errors_are_listed_in_the_order_of_the_fields(stage: TournamentHarness) -> None:
    wizard = Wizard(client_of(stage.organizer), "?game=reversi&preset=class_cup")
    wizard.press("review", name="", deadline="tomorrow", entries_per_person="99")
    assert linked_field_ids(wizard.text) == ["id_name", "id_deadline", "id_entries_per_person"]
    wizard.press("format", name="Cup", start="hand", deadline="", entries_per_person="1")
    wizard.press("review", matches_per_encounter="-1", move_seconds="0", parallel="-1", record_days="-1")
    assert linked_field_ids(wizard.text) == [
        "id_matches_per_encounter",
        "id_move_seconds",
        "id_parallel",
        "id_record_days",
    ]


def linked_field_ids(page: str) -> list[str]:
    """Return the ids of the fields that the error summary links to."""
    return re.findall(r'<li><a href="#(\w+)">', page)


@pytest.mark.long
def test_old_tournament_is_copied(stage: TournamentHarness) -> None:
    client = client_of(stage.organizer)
    ada = factories.person("Ada")
    old = stage.create_tournament(
        Format.SWISS, name="Last year", entry_policy=EntryPolicy.INVITED, options={"rounds": 3}
    )
    old.invitations.create(person=ada)
    assert f"?from={old.pk}" in Wizard(client).text
    wizard = Wizard(client, f"?from={old.pk}")
    wizard.press("review")
    wizard.press("create", name="This year")
    copy = Tournament.objects.exclude(pk=old.pk).get()
    assert (copy.name, copy.format, copy.options) == ("This year", Format.SWISS, {"rounds": 3})
    assert copy.invitations.get().person == ada
    assert copy.limits == old.limits


@pytest.mark.long
def test_review_estimates_from_recent_matches_or_names_the_limits(stage: TournamentHarness) -> None:
    def reviewed() -> str:
        wizard = Wizard(client_of(stage.organizer), "?game=reversi&preset=seeded_knockout")
        wizard.press("review", name="Cup")
        return wizard.text

    page = reviewed()
    assert 'data-basis="typical"' in page
    assert re.search(r"<td>\D*4–15 min\D*3 h</td>", page), "16 matches of 30 s; with ten seconds a move: 2.7 h"
    for _ in range(12):
        match = factories.queued_match(purpose=Purpose.LADDER)
        ended = match.created_at + timedelta(seconds=60)
        Match.objects.filter(pk=match.pk).update(
            status="finished", turns=60, fence=1, started_at=match.created_at, finished_at=ended
        )
    page = reviewed()
    assert 'data-basis="matches" data-matches="12"' in page
    assert re.search(r"<td>\D*12–20 min</td>", page)


@pytest.mark.long
def test_review_of_an_immediate_start_counts_what_the_workers_have_to_play(stage: TournamentHarness) -> None:
    bots = [factories.bot() for _ in range(2)]
    Bot.objects.filter(pk__in=[bot.pk for bot in bots]).update(is_house=True)
    values = answers(start="now", house_bots=[bot.pk for bot in bots], matches_per_encounter="1", go="review")
    client = client_of(stage.organizer)

    def reviewed() -> str:
        return client.post(f"{NEW}?game=reversi&preset=own", values).content.decode()

    alone = reviewed()
    assert re.search(r"<td>\D*15 s to 1 min\b", alone), "one match of 30 s"
    assert 'data-waiting="0"' in alone
    stage.start_tournament(5, matches_per_encounter=1)
    loaded = reviewed()
    assert 'data-waiting="10"' in loaded
    assert re.search(r"<td>\D*3–12 min\b", loaded), "eleven matches"


@pytest.mark.long
def test_review_and_page_of_an_immediate_start_show_the_same_end(stage: TournamentHarness) -> None:
    bots = [factories.bot() for _ in range(3)]
    Bot.objects.filter(pk__in=[bot.pk for bot in bots]).update(is_house=True)
    values = answers(start="now", house_bots=[bot.pk for bot in bots], matches_per_encounter="2")
    client = client_of(stage.organizer)
    review = client.post(f"{NEW}?game=reversi&preset=own", values | {"go": "review"}).content.decode()
    announced = datetime.fromisoformat(html.unescape(re.findall(r'data-ends-at="([^"]+)"', review)[0]))
    with stage.commit_context():
        client.post(f"{NEW}?game=reversi&preset=own", values | {"go": "create"})
    stage.pass_time(timedelta(seconds=30))
    stage.tick()
    cup = Tournament.objects.get()
    shown = datetime.fromisoformat(stage.snapshot(cup)["progress"]["ends_at"])
    assert announced - timezone.now() > timedelta(minutes=1)
    assert abs(shown - announced) < timedelta(seconds=30)


@pytest.mark.parametrize(
    ("name", "copy"),
    [
        ("Cup 3", "Cup 4"),
        ("Cup #9", "Cup #10"),
        ("Cup", "Copy of Cup"),
        ("3", "Copy of 3"),
        ("K" * 80, "Copy of " + "K" * 72),
    ],
)
def test_copy_gets_a_name_of_its_own(name: str, copy: str) -> None:
    assert name_of_copy(name) == copy


@pytest.mark.parametrize("is_immediate", [True, False])
def test_copy_keeps_the_start_choice(stage: TournamentHarness, is_immediate: bool) -> None:
    old = stage.create_tournament()
    if is_immediate:
        Tournament.objects.filter(pk=old.pk).update(deadline=old.created_at, starts_at=old.created_at)
    page = client_of(stage.organizer).get(f"{NEW}?from={old.pk}").content.decode()
    chosen = re.findall(r'name="start" value="(\w+)"[^>]* checked', page)
    assert chosen == ["now" if is_immediate else "deadline"]


def test_only_the_organizer_can_copy(stage: TournamentHarness) -> None:
    old = stage.create_tournament()
    stranger = client_of(factories.person(role="organizer"))
    assert stranger.get(f"{NEW}?from={old.pk}").status_code == 403
    assert stranger.get(f"{NEW}?from=x").status_code == 404
    assert stranger.get(f"{NEW}?game=reversi&preset=golden_evening").status_code == 404
