from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template import RequestContext, Template
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from arena.accounts.models import Role
from arena.celery import Queue
from arena.core.sandbox.config import Mode
from arena.core.sandbox.machine import probe
from arena.core.sandbox.machine.probe import CapabilityName
from arena.core.sandbox.machine.remedies import WorkerEnvironment
from arena.core.sandbox.self_test import Escape
from arena.matches.models import Match, Purpose
from arena.matches.services import JOBS
from arena.platform.jobs.lifecycle import claim
from arena.platform.workers import labels, services
from arena.platform.workers.models import Worker
from arena.platform.workers.queries import ServiceLevel, WorkerState
from tests import factories
from tests.note_codes import note_codes
from tests.platform.workers.workers import info, status, worker
from tests.refusals import codes_shown

pytestmark = pytest.mark.django_db
PAGES = ("/workers/", "/workers/sandbox/")


def visitor(kind: str) -> Client:
    client = Client()
    if kind != "anonymous":
        role = Role.ORGANIZER if kind == "organizer" else Role.STUDENT
        client.force_login(factories.person(role=role, is_staff=kind == "staff"))
    return client


def markup(client: Client, path: str = "/workers/") -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode().partition("<main")[2].partition("</main>")[0]


def page(client: Client, path: str = "/workers/") -> str:
    """Return the visible text of a page."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", markup(client, path))).split())


@pytest.mark.parametrize(
    ("kind", "statuses"),
    [("anonymous", (302, 302)), ("student", (403, 403)), ("organizer", (200, 403)), ("staff", (200, 200))],
)
def test_only_organizers_and_staff_see_the_pages(kind: str, statuses: tuple[int, int]) -> None:
    client = visitor(kind)
    assert tuple(client.get(path).status_code for path in PAGES) == statuses


@pytest.mark.long
@pytest.mark.parametrize(("kind", "linked"), [("student", False), ("organizer", True), ("staff", True)])
def test_menu_links_to_the_workers(kind: str, linked: bool) -> None:
    assert ('href="/workers/"' in visitor(kind).get("/").content.decode()) is linked


def test_page_without_workers_explains_what_to_do() -> None:
    shown = markup(visitor("organizer"))
    assert 'data-empty="none"' in shown
    assert "docs/operations.md" in shown
    assert 'data-empty="none"' in markup(visitor("staff"), "/workers/sandbox/")


@pytest.mark.long
def test_organizer_sees_work_but_no_hosts() -> None:
    made = worker(info(host="secret-host", concurrency=3), now=timezone.now())
    services.record_refusal("nothing")
    Worker.objects.filter(pk=worker(info(host="secret-host", pid=7), now=timezone.now()).pk).update(
        refused="/etc/secret"
    )
    match = factories.queued_match()
    assert claim(JOBS, match.pk, worker="secret-host:100:101", now=timezone.now()) is not None
    shown = page(visitor("organizer"))
    assert f"Worker {made.pk}" in shown
    assert "1 of 3" in shown
    assert f'href="/matches/{match.pk}/"' in visitor("organizer").get("/workers/").content.decode()
    assert str(labels.STATES[WorkerState.REFUSES]) in shown
    assert "secret" not in visitor("organizer").get("/workers/").content.decode()
    staff = page(visitor("staff"))
    assert "secret-host:100 code abc1234567" in staff
    assert "/etc/secret" in staff


@pytest.mark.parametrize(("kind", "status"), [("anonymous", 302), ("student", 403), ("organizer", 403), ("staff", 302)])
def test_staff_can_drain_a_worker(kind: str, status: int) -> None:
    mine, other = (worker(info(pid=pid), now=timezone.now()) for pid in (1, 2))
    client, button = visitor(kind), f"/workers/{mine.pk}/drain/"
    assert (button in client.get("/workers/").content.decode()) is (kind == "staff")
    answer = client.post(button)
    assert answer.status_code == status
    draining = set(Worker.objects.exclude(drain_asked_at=None).values_list("pk", flat=True))
    assert draining == ({mine.pk} if kind == "staff" else set())
    if kind == "staff":
        shown = client.get("/workers/").content.decode()
        assert button not in shown, "once is enough"
        assert f"/workers/{other.pk}/drain/" in shown
        assert codes_shown(answer) == ["draining"]


def test_missing_worker_cannot_be_drained() -> None:
    gone = worker(info(), now=timezone.now() - 2 * services.OFFLINE_AFTER)
    client = visitor("staff")
    assert "drain/" not in client.get("/workers/").content.decode()
    assert codes_shown(client.post(f"/workers/{gone.pk}/drain/")) == ["offline"]


@pytest.mark.long
def test_page_can_be_filtered_by_game() -> None:
    worker(info(host="a", games=("reversi",)), now=timezone.now())
    worker(info(host="b", games=("golden_point",)), now=timezone.now())
    client = visitor("staff")
    assert "b:100" in page(client)
    narrowed = page(client, "/workers/?game=reversi")
    assert "a:100" in narrowed
    assert "b:100" not in narrowed
    assert client.get("/workers/?game=chess").status_code == 404


def test_different_code_versions_are_reported() -> None:
    worker(info(pid=1), now=timezone.now())
    Worker.objects.filter(pk=worker(info(pid=2), now=timezone.now()).pk).update(version="older")
    assert note_codes(markup(visitor("organizer"))) == ["mixed_versions"]


@pytest.mark.long
def test_large_fleet_is_paged_and_needs_no_more_queries(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for pid in range(35):
        worker(info(pid=pid), now=timezone.now())
        claim(JOBS, factories.queued_match().pk, worker=f"alpha:{pid}:1", now=timezone.now())
    client = visitor("organizer")
    with django_assert_max_num_queries(24):  # including the session and the user
        first = client.get("/workers/").content.decode()
    assert first.count("data-worker=") == 30
    assert client.get("/workers/?page=2").content.decode().count("data-worker=") == 5


def test_report_shows_probes_verdict_and_remedies() -> None:
    worker(info(host="good"), now=timezone.now())
    worker(info(host="poor"), sandbox=status(present=False), now=timezone.now())
    worker(info(host="leaky"), sandbox=status(escapes=(Escape("network", "a socket opened"),)), now=timezone.now())
    services.register_worker(info(host="young"), now=timezone.now())
    client = visitor("staff")
    verdicts = note_codes(markup(client, "/workers/sandbox/"))
    assert verdicts == ["contained", "escaped", "incomplete", "no_report"]
    shown = page(client, "/workers/sandbox/")
    good, leaky, poor = shown.index("good:100"), shown.index("leaky:100"), shown.index("poor:100")
    assert str(labels.MODES[Mode.NAMESPACES]) in shown[good:leaky]
    assert "network: a socket opened" in shown[leaky:poor]
    assert str(labels.CAPABILITIES[CapabilityName.USER_NAMESPACES]) in shown[poor:]
    assert "Operation not permitted" in shown[poor:]
    for environment in (WorkerEnvironment.UBUNTU, WorkerEnvironment.DOCKER, WorkerEnvironment.PODMAN):
        assert str(labels.ENVIRONMENTS[environment]) in shown[poor:]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/fleet/", "/workers/"),
        ("/fleet/?game=reversi", "/workers/?game=reversi"),
        ("/fleet/sandbox/", "/workers/sandbox/"),
    ],
)
def test_former_addresses_redirect_to_the_pages(old: str, new: str) -> None:
    moved = Client().get(old)
    assert (moved.status_code, moved["Location"]) == (301, new)


def test_commands_are_marked_up_as_code() -> None:
    content = visitor("staff").get("/workers/sandbox/").content.decode()
    assert "<code>sysctl kernel.apparmor_restrict_unprivileged_userns=0</code>" in content


def test_every_report_value_has_a_label() -> None:
    assert set(labels.KINDS) == set(Queue)
    assert set(labels.CAPABILITIES) == set(CapabilityName)
    assert set(labels.ENVIRONMENTS) == set(WorkerEnvironment)


@pytest.mark.sandbox
def test_every_remedy_is_translated() -> None:
    """Every remedy, which the sandbox reports in English, has a translatable copy in ``labels``."""
    said = {remedy.what for capability in probe.probe_capabilities() for remedy in capability.remedies}
    assert said == set(labels.REMEDIES)


@pytest.mark.parametrize(("purpose", "shown"), [(Purpose.SCRIMMAGE, True), (Purpose.TOURNAMENT, False)])
def test_match_without_a_worker_says_so(purpose: Purpose, shown: bool) -> None:
    match = factories.queued_match()
    Worker.objects.filter(pk=worker(now=timezone.now()).pk).update(queues=["matches.reversi", "matches.golden_point"])
    Match.objects.filter(pk=match.pk).update(purpose=purpose)
    assert (ServiceLevel.OTHER_GAMES in note_codes(markup(Client(), f"/matches/{match.pk}/"))) is shown


@pytest.mark.parametrize(("role", "linked"), [(Role.STUDENT, False), (Role.ORGANIZER, True)])
def test_notice_links_to_workers_only_for_permitted_roles(role: Role, linked: bool) -> None:
    notice = Template("{% load workers %}{% unserved 'reversi' 'matches' %}")
    request = RequestFactory().get("/")
    request.user = factories.person(role=role)
    shown = notice.render(RequestContext(request))
    assert note_codes(shown) == [ServiceLevel.NO_WORKER]
    assert "<code>make up</code>" in shown
    assert ('href="/workers/"' in shown) is linked
    worker(now=timezone.now())
    request.user = AnonymousUser()
    assert notice.render(RequestContext(request)).strip() == ""
