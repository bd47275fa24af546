"""Receiver URLs are validated by the rules that the operator sets."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from arena.webhooks.sending.addresses import AddressPolicy
from arena.webhooks.sending.targets import Target, TargetRules, UrlProblem, UrlRefused, target_of

RULES = TargetRules()


def url_problem(url: str, rules: TargetRules = RULES) -> str:
    with pytest.raises(UrlRefused) as refused:
        target_of(url, rules)
    return refused.value.problem


def test_valid_urls_are_parsed() -> None:
    assert target_of("https://Example.org/hook?x=1", RULES) == Target("https", "example.org", 443, "/hook?x=1")
    assert target_of("https://example.org.", RULES).path == "/"
    rules = TargetRules(ports={443, 8443})
    assert target_of("https://example.org:8443/", rules).host_header == "example.org:8443"
    assert target_of("https://[2606:4700::1111]/", RULES).host_header == "[2606:4700::1111]"
    assert target_of("https://xn--bcher-kva.example/", RULES).host == "xn--bcher-kva.example"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.org/", UrlProblem.SCHEME),
        ("ftp://example.org/", UrlProblem.SCHEME),
        ("file:///etc/passwd", UrlProblem.SCHEME),
        ("gopher://example.org/", UrlProblem.SCHEME),
        ("example.org/hook", UrlProblem.SCHEME),
        ("", UrlProblem.SCHEME),
        ("https://user:secret@example.org/", UrlProblem.CREDENTIALS),
        ("https://@example.org/", UrlProblem.CREDENTIALS),
        ("https://example.org:22/", UrlProblem.PORT),
        ("https://example.org:80/", UrlProblem.PORT),
        ("https://example.org:99999/", UrlProblem.INVALID),
        ("https:///hook", UrlProblem.INVALID),
        ("https://a..b/", UrlProblem.INVALID),
        (f"https://{'a' * 64}.example/", UrlProblem.INVALID),
        ("https://example.org/\r\nX-Injected: 1", UrlProblem.INVALID),
        ("https://example.org/ HTTP/1.1", UrlProblem.INVALID),
        ("https://example.org\\@127.0.0.1/", UrlProblem.INVALID),
        ("https://example.org#@127.0.0.1/", UrlProblem.INVALID),
        ("https://bücher.example/", UrlProblem.INVALID),
        ("https://[fe80::1%25eth0]/", UrlProblem.INVALID),
        ("https://127.0.0.1/", UrlProblem.ADDRESS),
        ("https://[::1]/", UrlProblem.ADDRESS),
        ("https://[::ffff:10.0.0.1]/", UrlProblem.ADDRESS),
        (f"https://example.org/{'x' * 500}", UrlProblem.INVALID),
    ],
)
def test_invalid_urls_are_refused(url: str, expected: UrlProblem) -> None:
    assert url_problem(url) == expected


def test_operator_can_permit_http_and_ports() -> None:
    rules = TargetRules(ports={443, 9000}, allow_http=True)
    assert target_of("http://example.org/", rules).port == 80
    assert target_of("http://example.org:9000/", rules).port == 9000
    assert url_problem("http://example.org:9001/", rules) == UrlProblem.PORT


def test_operator_can_restrict_hosts() -> None:
    rules = TargetRules(hosts=("hooks.example.edu", ".cs.example.edu"))
    for host in ("hooks.example.edu", "ai.cs.example.edu"):
        assert target_of(f"https://{host}/", rules).host == host
    for host in ("example.edu", "cs.example.edu", "evil-cs.example.edu", "hooks.example.edu.evil.example"):
        assert url_problem(f"https://{host}/", rules) == UrlProblem.HOST


def test_private_addresses_need_the_operators_permission() -> None:
    rules = TargetRules(addresses=AddressPolicy((ip_network("127.0.0.0/8"),)))
    assert target_of("https://127.0.0.1/", rules).host == "127.0.0.1"
