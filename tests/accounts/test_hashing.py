"""Passwords are hashed a few at a time, outside the threads that serve pages."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher, check_password, identify_hasher, make_password
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from arena.accounts import hashing, limits
from arena.accounts.hashing import HashingBusy, HashingPool, PooledArgon2Hasher
from arena.platform.client_address import network

SECONDS = 60.0


@pytest.fixture
def pool() -> Iterator[HashingPool]:
    made = HashingPool(threads=2, queue=3)
    yield made
    made.stop()


def test_pool_limits_running_and_queued_hashes(pool: HashingPool) -> None:
    go, running, most, lock = threading.Event(), 0, 0, threading.Lock()
    entered = threading.Semaphore(0)

    def work() -> str:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        entered.release()
        assert go.wait(SECONDS)
        with lock:
            running -= 1
        return "hash"

    def request_hash() -> str:
        try:
            return pool.run(work)
        except HashingBusy:
            refused.release()
            return "busy"

    refused = threading.Semaphore(0)
    with ThreadPoolExecutor(9) as people:
        answers = [people.submit(request_hash) for _ in range(9)]
        for _ in range(2):
            assert entered.acquire(timeout=SECONDS)
        for _ in range(4):
            assert refused.acquire(timeout=SECONDS), "two work, three wait, four are refused at once"
        go.set()
        found = sorted(answer.result(SECONDS) for answer in answers)
    assert found == ["busy"] * 4 + ["hash"] * 5
    assert most == 2
    assert pool.run(lambda: "again") == "again"


def test_exception_reaches_the_caller_and_frees_the_place(pool: HashingPool) -> None:
    for _ in range(9):
        with pytest.raises(ZeroDivisionError):
            pool.run(lambda: 1 / 0)


def test_only_hashing_threads_run_at_lower_priority(pool: HashingPool) -> None:
    before = os.getpriority(os.PRIO_PROCESS, 0)
    inside = pool.run(lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
    assert inside == min(before + hashing.NICENESS, 19)
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


@pytest.mark.parametrize("niceness", [0, 5, 15])
def test_hashing_also_yields_in_a_site_with_lower_priority(pool: HashingPool, niceness: int) -> None:
    """Hashing adds to the site's niceness instead of setting a fixed one, as a process cannot raise its priority."""

    def hash_in_a_nice_thread() -> tuple[int, int]:
        thread = threading.get_native_id()
        own = min(os.getpriority(os.PRIO_PROCESS, thread) + niceness, 19)
        os.setpriority(os.PRIO_PROCESS, thread, own)
        return own, pool.run(lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    with ThreadPoolExecutor(1) as site:
        own, inside = site.submit(hash_in_a_nice_thread).result(SECONDS)
    assert inside == min(own + hashing.NICENESS, 19)


@pytest.fixture
def argon(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = [
        "arena.accounts.hashing.PooledArgon2Hasher",
        "arena.accounts.hashing.PooledPBKDF2Hasher",
    ]


@pytest.mark.usefixtures("argon")
def test_hash_uses_argon2_with_one_lane() -> None:
    encoded = make_password("correct horse 17")
    assert "m=102400,t=2,p=1$" in encoded
    assert isinstance(identify_hasher(encoded), PooledArgon2Hasher)
    assert check_password("correct horse 17", encoded)
    assert not check_password("wrong", encoded)


@pytest.mark.long
@pytest.mark.usefixtures("argon")
def test_older_hashes_still_verify_and_are_upgraded() -> None:
    for older in (Argon2PasswordHasher().encode("secret", "0" * 22), make_password("secret", hasher="pbkdf2_sha256")):
        renewed: list[str] = []
        assert check_password("secret", older, setter=lambda raw: renewed.append(make_password(raw)))  # noqa: B023
        assert "p=1$" in renewed[0]


@pytest.mark.django_db
@pytest.mark.usefixtures("argon")
@pytest.mark.parametrize("page", ["login", "signup", "admin:login"])
def test_busy_page_says_when_to_retry(monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    full = HashingPool(threads=1, queue=0)
    go, began = threading.Event(), threading.Event()
    monkeypatch.setattr(hashing, "hashing_pool", lambda: full)
    somebody = threading.Thread(target=lambda: full.run(lambda: (began.set(), go.wait(SECONDS))))
    somebody.start()
    try:
        assert began.wait(SECONDS)
        password = "correct horse 17"
        data = {"username": "ada", "password": password, "email": "ada@example.org"}
        answer = Client().post(reverse(page), {**data, "password1": password, "password2": password})
        assert answer.status_code == 503
        assert answer["Retry-After"] == "5"
        assert [template.name for template in answer.templates][:1] == ["accounts/busy.html"]
    finally:
        go.set()
        somebody.join()
        full.stop()


@pytest.mark.django_db
def test_busy_refusals_do_not_count_as_failed_logins(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.FAILED_LOGINS_AN_HOUR = 1
    settings.PASSWORD_HASHERS = ["arena.accounts.hashing.PooledArgon2Hasher"]

    def raise_busy() -> HashingPool:
        raise HashingBusy

    monkeypatch.setattr(hashing, "hashing_pool", raise_busy)
    for _ in range(3):
        assert Client().post(reverse("login"), {"username": "ada", "password": "x"}).status_code == 503
    assert limits.FAILED_LOGINS.current_use(network("127.0.0.1"), now=limits.timezone.now()).used == 0
