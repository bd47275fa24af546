"""Search finds only what the reader may see, and its index follows every change."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from arena.accounts.models import Role
from arena.accounts.permissions import Person
from arena.classes.models import Course, CourseRole, Membership
from arena.search.models import SearchTerm
from arena.search.queries import search
from arena.submissions.models import Bot
from arena.tournaments.models import Tournament
from tests.factories import bot, person

pytestmark = pytest.mark.django_db
NOBODY = AnonymousUser()


def found_names(text: str, reader: Person = NOBODY) -> dict[str, list[str]]:
    return {group.kind: [hit.name for hit in group.hits] for group in search(text, reader, 10)}


def test_all_kinds_are_found_with_leading_matches_first() -> None:
    teacher = person("minna", Role.ORGANIZER)
    bot(teacher, name="Alpha Minimax")
    bot(teacher, name="Minimax")
    Tournament.objects.create(organizer=teacher, game="reversi", name="Minor league", format="round_robin", seed=1)
    course = Course.objects.create(name="Minds and machines", owner=teacher, code="ABCD2345")
    Membership.objects.create(course=course, person=teacher, role=CourseRole.TEACHER)
    assert found_names("min", teacher) == {
        "bot": ["Minimax", "Alpha Minimax"],
        "person": ["minna"],
        "tournament": ["Minor league"],
        "class": ["Minds and machines"],
    }


@pytest.mark.long
def test_hidden_classes_tournaments_and_people_are_not_found() -> None:
    teacher, member, stranger = person("teacher", Role.ORGANIZER), person("member"), person("stranger")
    course = Course.objects.create(name="Hidden class", owner=teacher, code="ABCD2345")
    for who, role in ((teacher, CourseRole.TEACHER), (member, CourseRole.STUDENT)):
        Membership.objects.create(course=course, person=who, role=role)
    Tournament.objects.create(
        organizer=teacher, game="reversi", name="Hidden cup", format="round_robin", seed=1,
        course=course, members_only=True,
    )  # fmt: skip
    everything = {"tournament": ["Hidden cup"], "class": ["Hidden class"]}
    assert found_names("hidden", member) == found_names("hidden", teacher) == everything
    assert found_names("hidden", person("root", is_staff=True)) == everything
    assert found_names("hidden", stranger) == found_names("hidden") == {}
    # People without a bot are only found by members; suspended people and their bots are never found.
    assert found_names("stran", member) == {"person": ["stranger"]}
    assert found_names("stran") == {}
    bot(stranger, name="Strand")
    assert found_names("stran") == {"bot": ["Strand"], "person": ["stranger"]}
    stranger.is_active = False
    stranger.save()
    assert found_names("stran", member) == found_names("stran") == {}


def test_index_follows_renames_retirement_and_deletion() -> None:
    made = bot(name="黄金点大师")
    assert found_names("大师")["bot"] == ["黄金点大师"]
    made.name = "Master"
    made.save(update_fields=["name"])
    assert (found_names("大师"), found_names("mas")["bot"]) == ({}, ["Master"])
    made.retired = True
    made.save()
    assert found_names("mas") == {}
    made.delete()
    assert not SearchTerm.objects.filter(kind="bot").exists()


def test_house_bot_is_found_by_its_name_in_either_language() -> None:
    house = bot(name="Corners")
    house.texts = {"zh-hans": {"name": "占角"}}
    house.is_house = True
    house.save()
    assert found_names("占角") == found_names("corn") == {"bot": ["Corners"]}


def test_rebuild_indexes_rows_inserted_in_bulk() -> None:
    owner = person("ann")
    Bot.objects.bulk_create([Bot(owner=owner, game="reversi", name=f"Bulk {n}", skeleton=f"b{n}") for n in range(3)])
    before = set(SearchTerm.objects.filter(kind="person").values_list("term", "subject"))
    assert found_names("bulk") == {}
    call_command("search", "rebuild", verbosity=0)
    assert found_names("bulk")["bot"] == ["Bulk 0", "Bulk 1", "Bulk 2"]
    assert before == set(SearchTerm.objects.filter(kind="person").values_list("term", "subject"))


def test_saving_without_renaming_costs_at_most_one_extra_query() -> None:
    made = bot(name="Same")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        made.save(update_fields=["description"])
    assert not [query for query in queries if "search" in query["sql"]]
    with CaptureQueriesContext(connection) as queries:
        made.save()
    assert len([query for query in queries if "search" in query["sql"]]) == 1


def test_prefix_search_uses_an_index_range() -> None:
    reader = person("reader")
    with CaptureQueriesContext(connection) as queries:
        search("min max", reader, 5)
    assert len(queries) == 4
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for query in queries:
                cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
                plan = " ".join(str(line) for line in cursor.fetchall())
                assert "SCAN search_searchterm" not in plan
                assert "search_term_once" in plan or "sqlite_autoindex_search" in plan


def test_search_page_and_dialog_show_escaped_hits(client: Client) -> None:
    bot(name="<b>Bold</b>")
    page = client.get("/search/", {"q": "bold"}).content.decode()
    assert "&lt;b&gt;Bold" in page
    assert "<b>Bold" not in page
    hits = client.get("/search/hits/", {"q": "bold"})
    assert "data-hit" in hits.content.decode()
    assert "<html" not in hits.content.decode()
    assert "data-none" in client.get("/search/hits/", {"q": "nobody"}).content.decode()
    assert client.get("/search/", {"q": "x\0" * 200}).status_code == 200
