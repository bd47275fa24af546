"""Pages are compressed, and content that browsers have cached is not sent again."""

from __future__ import annotations

import gzip

import pytest
from django.test import Client

CATALOG = "/i18n/catalog.js"


@pytest.mark.django_db
def test_pages_are_compressed_if_the_browser_supports_it(client: Client) -> None:
    plain = client.get("/guide/")
    packed = client.get("/guide/", headers={"accept-encoding": "gzip, deflate, br"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert len(packed.content) < len(plain.content) / 2
    assert b"</html>" in gzip.decompress(packed.content)


def test_script_translations_are_cached_by_etag(client: Client) -> None:
    english = {"accept-language": "en", "accept-encoding": "gzip"}
    first = client.get(CATALOG, headers=english)
    again = client.get(CATALOG, headers={**english, "if-none-match": first.headers["ETag"]})
    assert (first.status_code, again.status_code) == (200, 304)
    assert again.content == b""


def test_script_translations_have_an_etag_per_language(client: Client) -> None:
    english = client.get(CATALOG, headers={"accept-language": "en"})
    chinese = client.get(CATALOG, headers={"accept-language": "zh-CN", "if-none-match": english.headers["ETag"]})
    assert chinese.status_code == 200
    assert r"\u9ed1\u65b9" in chinese.content.decode()


def test_script_translations_exclude_those_of_the_admin(client: Client) -> None:
    assert "Choose a Date" not in client.get(CATALOG, headers={"accept-language": "zh-CN"}).content.decode()
