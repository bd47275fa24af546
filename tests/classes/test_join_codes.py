from __future__ import annotations

import random

import pytest
from django.test import Client
from django.urls import reverse

from arena.classes import services
from arena.classes.join_codes import ALPHABET, format_code, new_code, normalize
from arena.classes.models import CODE_LENGTH, Course


def test_join_code_is_normalized_from_any_typed_form() -> None:
    for seed in range(200):
        code = new_code(random.Random(seed))
        assert len(code) == CODE_LENGTH
        assert normalize(format_code(code)) == normalize(f" {format_code(code).lower()} ") == normalize(code) == code


@pytest.mark.parametrize(
    "text", ["", "ABCD", "ABCD-23456", "ABCD-23O5", "ABCD-2301", "ABCD-23I5", "ÄBCD-2345", "ABCD/2345"]
)
def test_malformed_join_codes_are_rejected(text: str) -> None:
    assert normalize(text) == ""


def test_join_codes_have_forty_bits() -> None:
    assert len(set(ALPHABET)) == 32


@pytest.mark.django_db
def test_qr_code_is_shown_only_while_the_class_is_open(client: Client, course: Course) -> None:
    client.force_login(course.owner)
    url = reverse("class", args=[course.pk])
    assert 'class="join-qr"' in client.get(url).content.decode()
    services.set_joinable(course.pk, False)
    assert 'class="join-qr"' not in client.get(url).content.decode()
