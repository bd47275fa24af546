"""A query finds a name if each of its words is a prefix of one of the name's terms."""

from __future__ import annotations

import pytest

from arena.search.terms import MAX_QUERY_WORDS, TERM_LENGTH, terms_of, upper_bound, words_of


def query_finds(query: str, name: str) -> bool:
    """Return whether a query finds a name, comparing ranges as the database does.

    A name is found if each word of the query is a prefix of one of its terms.
    """
    terms = terms_of(name)
    return bool(words := words_of(query)) and all(
        any(word <= term < upper_bound(word) for term in terms) for word in words
    )


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("min", "Minimax"),
        ("MINIMAX", "minimax"),
        ("bot", "MinimaxBot"),
        ("max bot", "Bot of Max"),
        ("3", "minimax3"),
        ("minimax3", "minimax3"),
        ("my_b", "my_bot"),
        ("emile", "Émile"),
        ("Émile", "emile"),
        ("strasse", "Straße"),
        ("full", "Ｆｕｌｌwidth"),
        ("周赛", "黄金点周赛"),
        ("黄", "黄金点周赛"),
        ("金点 2026", "黄金点2026春"),
        ("春", "黄金点2026春"),
        ("さく", "さくら"),
        ("😀 min", "Minimax"),
    ],
)
def test_matching_queries_find_the_name(query: str, name: str) -> None:
    assert query_finds(query, name)


@pytest.mark.parametrize(
    ("query", "name"),
    [("ax", "Minimax"), ("min x", "Minimax"), ("赛周", "黄金点周赛"), ("", "Minimax"), ("%_*", "Minimax"), ("𐀀", "黄")],
)
def test_other_queries_do_not_find_the_name(query: str, name: str) -> None:
    assert not query_finds(query, name)


def test_only_the_first_word_is_leading() -> None:
    assert {term for term, leading in terms_of("Corner Greedy2").items() if leading} == {b"corner"}


def test_term_length_and_word_count_are_limited() -> None:
    assert max(map(len, terms_of("a" * 500))) == TERM_LENGTH
    assert len(words_of(" ".join(f"w{number}" for number in range(50)))) == MAX_QUERY_WORDS
