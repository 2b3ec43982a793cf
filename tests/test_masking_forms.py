"""Masking again gives the same, and a prompt or a query is not harmed by it."""

from __future__ import annotations

import pytest

from core.masking import mask, mask_known, name_secret

HIDDEN = [
    ("a query parameter", "GET /v1?key=ABCD1234EFGH&x=1", "ABCD1234EFGH"),
    ("another query parameter", "https://h/?api-version=1&api_key=q1w2e3", "q1w2e3"),
    ("a bearer token", "header was Bearer zzz", "zzz"),
    ("an authorization header", "{'Authorization': 'Token abc123'}", "abc123"),
    ("a password of Neo4j", "bolt://neo4j:hunter22@host:7687", "hunter22"),
    ("a password with a colon", "bolt://neo4j:pa:ss@host/db", "pa:ss"),
    ("a password with an at sign", "http://u:p@ss@h/x", "p@ss"),
    ("a password of a driver's scheme", "postgresql+psycopg://u:sesame@h/db", "sesame"),
    ("a short password assigned", "password='a1b'", "a1b"),
    ("a provider's key", "Incorrect API key provided: sk-abcdef1234567890", "abcdef1234567890"),
    ("a project key", "sk-proj-abc_def-123456789", "abc_def-123456789"),
    ("a key half hidden already", "provided: sk-ab**********************cd", "cd"),
    ("a cloud key", "AIzaSyA1234567890abcdefghijklmnopqrstuv", "SyA1234567890"),
    ("an account key", "AccountKey=abc123==;", "abc123"),
    ("a header of its own", "X-API-Key: qwertyuiop", "qwertyuiop"),
    ("a JSON field", '{"api_key": "abcdefgh"}', "abcdefgh"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "secret"), [c[1:] for c in HIDDEN], ids=[c[0] for c in HIDDEN])
def test_hidden(text: str, secret: str) -> None:
    masked = mask(text)
    assert secret not in masked and "•••" in masked
    assert mask(masked) == masked


def test_values_of_key_variables_are_hidden_wherever_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLINIC_PASSWORD", "open sesame")
    monkeypatch.setenv("MY_OWN", "very-own-value")
    name_secret("MY_OWN")
    assert mask_known("tried open sesame, then very-own-value") == "tried •••, then •••"


UNCHANGED = [
    "max_tokens=700 of 4096 tokens",
    "The bearer of the ring",
    "token usage was high; the key is in the door",
    "no such column: hockey",
]


@pytest.mark.parametrize("text", UNCHANGED)
def test_ordinary_messages_stay(text: str) -> None:
    assert mask(text) == text


PROMPTS = [
    "CREATE TABLE a (key TEXT, FOREIGN KEY (b) REFERENCES c (d))",
    "SELECT key = 'abcd', token FROM t WHERE password: 1",
    "studies of Basic income and Bearer bonds",
    "PREFIX e: <http://example.org/a:b#> SELECT ?x { ?x e:key 'x@y' }",
]


@pytest.mark.parametrize("text", PROMPTS)
def test_a_prompt_or_a_query_stays(text: str) -> None:
    assert mask_known(text) == text
