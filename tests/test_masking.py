"""Secrets are masked in every form they take."""

from __future__ import annotations

import pytest

from core.masking import mask

SECRETS = [
    ("a query parameter", "GET https://h/v1?key=ABCD1234EFGH&x=1", "ABCD1234EFGH", "&x=1"),
    ("an api key parameter", "https://h/?api_key=ABCD1234EFGH", "ABCD1234EFGH", "https://h/"),
    ("a bearer header", "Authorization: Bearer zzz", "zzz", "Bearer"),
    ("a basic header", "Basic dXNlcjpwYXNz", "dXNlcjpwYXNz", "Basic"),
    ("a bolt address", "neo4j+s://neo4j:hunter2@db.example:7687", "hunter2", "db.example:7687"),
    ("a postgres address", "postgresql://u:p%40ss@h/db", "p%40ss", "@h/db"),
    ("a password with a colon", "bolt://u:a:b@h", "a:b", "@h"),
    ("a provider's key", "Incorrect API key provided: sk-abcdefgh12345678", "sk-abcdefgh12345678", "Incorrect"),
    ("a JSON field", '{"password": "hunter22", "a": 1}', "hunter22", '"a": 1'),
    ("an assignment", "CLINIC_PASSWORD=hunter22", "hunter22", "CLINIC_PASSWORD="),
    ("a web token", "eyJhbGciOiJI.eyJzdWIiOiIx.abc", "eyJzdWIiOiIx", ""),
]


@pytest.mark.parametrize(("text", "secret", "kept"), [c[1:] for c in SECRETS], ids=[c[0] for c in SECRETS])
def test_secret_goes_and_the_rest_stays(text: str, secret: str, kept: str) -> None:
    masked = mask(text)
    assert secret not in masked
    assert kept in masked


def test_values_of_key_variables_are_masked_wherever_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", "plain-looking-value")
    assert "plain-looking-value" not in mask("it said plain-looking-value, twice: plain-looking-value")


PLAIN = ["SELECT key FROM t", "tokens: 12", "the author: Lem", "http://h:8080/path", "monkey = 1"]


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_stays(text: str) -> None:
    assert mask(text) == text
