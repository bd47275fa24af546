from __future__ import annotations

import random

import pytest
from django.test import Client
from django.urls import reverse

from arena.classes import services
from arena.classes.join_codes import ALPHABET, format_code, new_code, normalize
from arena.classes.models import CODE_LENGTH, Course


def test_a_code_is_read_back_however_it_is_typed() -> None:
    for seed in range(200):
        code = new_code(random.Random(seed))
        assert len(code) == CODE_LENGTH
        assert normalize(format_code(code)) == normalize(f" {format_code(code).lower()} ") == normalize(code) == code


@pytest.mark.parametrize(
    "text", ["", "ABCD", "ABCD-23456", "ABCD-23O5", "ABCD-2301", "ABCD-23I5", "ÄBCD-2345", "ABCD/2345"]
)
def test_what_cannot_be_a_code(text: str) -> None:
    assert normalize(text) == ""


def test_forty_bits() -> None:
    assert len(set(ALPHABET)) == 32


@pytest.mark.django_db
def test_a_qr_code_is_shown_beside_an_open_link_only(client: Client, course: Course) -> None:
    client.force_login(course.owner)
    url = reverse("class", args=[course.pk])
    assert 'class="join-qr"' in client.get(url).content.decode()
    services.set_joinable(course.pk, False)
    assert 'class="join-qr"' not in client.get(url).content.decode()
