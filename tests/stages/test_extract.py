"""Queries and JSON out of replies as models really write them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Declined, NoQueryInReply
from core.results import Language
from core.stages.extract import clean_reply, extract_json, extract_query

SQL, SPARQL, CYPHER, TEXT = Language.SQL, Language.SPARQL, Language.CYPHER, Language.TEXT
Q = "SELECT name FROM vessels"

QUERIES = [
    ("bare", SQL, Q, Q),
    ("fenced", SQL, f"```sql\n{Q}\n```", Q),
    ("fenced without a language", SQL, f"```\n{Q}\n```", Q),
    ("fenced with tildes", SQL, f"~~~\n{Q}\n~~~", Q),
    ("fenced on one line", SQL, f"```sql {Q}```", Q),
    ("in tags", SQL, f"<sql>{Q}</sql>", Q),
    ("in tags with a remark behind", SQL, f"Here:\n<sql_query>\n{Q}\n</sql_query>\nIt lists names.", Q),
    ("in tags that hold a fence", SQL, f"<answer>\n```sql\n{Q}\n```\n</answer>", Q),
    ("an end tag alone", SQL, f"{Q}\n</query>", Q),
    ("a tag in a text", SQL, "SELECT '</sql>', '<query>'", "SELECT '</sql>', '<query>'"),
    ("a tag that is an IRI", SPARQL, "<sparql>SELECT ?x { ?x a <query> }</sparql>", "SELECT ?x { ?x a <query> }"),
    ("an end tag and an echo of the prompt", SPARQL, "SELECT ?x { ?x a <u> }\n</query>\n\n<message>\nIt stands behind the last }.\n</message>", "SELECT ?x { ?x a <u> }"),
    ("an open fence", SQL, f"```sql\n{Q}", Q),
    ("prose around a fence", SQL, f"Here is the query:\n```sql\n{Q}\n```\nIt lists names.", Q),
    ("two fences, the first is taken", SQL, f"```sql\n{Q}\n```\nor\n```sql\nSELECT 2\n```", Q),
    ("a fence of another kind first", SQL, f"```text\nthinking\n```\n```sql\n{Q}\n```", Q),
    ("labelled", SQL, f"Query: {Q}", Q),
    ("labelled SQLQuery", SQL, f"SQLQuery: {Q}", Q),
    ("labelled in bold", SQL, f"**SQL Query:** {Q}", Q),
    ("labelled Answer", CYPHER, "Answer: MATCH (n) RETURN n", "MATCH (n) RETURN n"),
    ("labelled Statement", SQL, f"Statement: {Q}", Q),
    ("labelled inside the fence", SQL, f"```\nSQL: {Q}\n```", Q),
    ("double quotes around", SQL, f'"{Q}"', Q),
    ("single quotes around", SQL, f"'{Q}'", Q),
    ("backticks around", SQL, f"`{Q}`", Q),
    ("a query that ends in a quoted text", SQL, f"{Q} WHERE flag = 'x'", f"{Q} WHERE flag = 'x'"),
    ("a query that is one quoted literal", SQL, "SELECT 'Norway'", "SELECT 'Norway'"),
    ("a semicolon at the end", SQL, f"{Q};", Q),
    ("a semicolon in a text", SQL, "SELECT 'a;b'", "SELECT 'a;b'"),
    ("a note after the query", SQL, f"{Q};\nThis lists all names.", Q),
    ("a note after a blank line", SQL, f"{Q}\n\nThis query lists all names.", Q),
    ("an alternative after a blank line", SQL, f"{Q}\n\nAlternatively:\nSELECT 2", Q),
    ("prose before", SQL, f"To answer this, we list the names.\n{Q}", Q),
    ("prose before on the same line", SQL, f"The query is: {Q}", Q),
    ("a blank line inside", SQL, "SELECT name\n\nFROM vessels", "SELECT name\n\nFROM vessels"),
    ("a comment first", SQL, f"-- names\n{Q}", f"-- names\n{Q}"),
    ("a thought before", SQL, f"<think>SELECT 1 would be wrong, DROP TABLE x</think>{Q}", Q),
    ("a thought that opened outside", SQL, f"SELECT 1?\n</think>\n{Q}", Q),
    ("another kind of thought", SQL, f"<reasoning>\nSELECT 9\n</reasoning>\n{Q}", Q),
    ("chat remnants", SQL, f"<|im_start|>assistant\n{Q}<|im_end|>", Q),
    ("other remnants", SQL, f"[INST] {Q} [/INST]</s>", Q),
    ("end of turn", SQL, f"{Q}<end_of_turn>", Q),
    ("a list of alternatives", SQL, f"1. {Q}", Q),
    ("a write is handed on whole for the guard", SQL, "```sql\nDROP TABLE vessels\n```", "DROP TABLE vessels"),
    ("prefixes", SPARQL, "```sparql\nPREFIX a: <b>\nSELECT ?s { ?s a:p ?o }\n```", "PREFIX a: <b>\nSELECT ?s { ?s a:p ?o }"),
    ("an ask", SPARQL, "ASK { ?s ?p ?o }", "ASK { ?s ?p ?o }"),
    ("lower case", CYPHER, "match (n) return n", "match (n) return n"),
    ("a passage", TEXT, "Passage: Salt raises blood pressure.", "Salt raises blood pressure."),
    ("a quoted passage", TEXT, '"Salt raises blood pressure."', "Salt raises blood pressure."),
]  # fmt: skip


@pytest.mark.parametrize(("language", "reply", "query"), [c[1:] for c in QUERIES], ids=[c[0] for c in QUERIES])
def test_query_is_found(language: Language, reply: str, query: str) -> None:
    assert extract_query(reply, language) == query


DECLINES = [
    ("an apology", SQL, "I'm sorry, the schema has no salaries.", Declined),
    ("an agreed word", SQL, "NO_QUERY: there is no table of salaries", Declined),
    ("a sentence", CYPHER, "The graph does not contain prices.", Declined),
    ("a sentence that begins like a query", SQL, "With this schema it is not possible to answer.", Declined),
    ("an apology for a passage", TEXT, "I cannot help with that.", Declined),
    ("nothing", SQL, "  ", NoQueryInReply),
    ("only a thought", SQL, "<think>SELECT 1</think>", NoQueryInReply),
    ("a thought that never ends", SQL, "<think>SELECT 1", NoQueryInReply),
    ("only prose", SQL, "The best are harbour and reef.", NoQueryInReply),
    ("an empty fence", SQL, "```sql\n```", NoQueryInReply),
]


@pytest.mark.parametrize(("language", "reply", "error"), [c[1:] for c in DECLINES], ids=[c[0] for c in DECLINES])
def test_no_query_keeps_the_models_words(language: Language, reply: str, error: type[NoQueryInReply]) -> None:
    with pytest.raises(error) as raised:
        extract_query(reply, language)
    assert type(raised.value) is error
    words = clean_reply(reply).strip("`sql \n")
    assert words[:20] in raised.value.message


STATEMENTS = st.sampled_from(
    [
        "SELECT a, 'it''s; fine' AS b FROM t WHERE c = \"d\"",
        "WITH x AS (SELECT 1 AS n)\nSELECT n FROM x",
        "SELECT count(*)\nFROM t -- all of them\nGROUP BY a",
        "SELECT replace(a, '```', '') FROM t",
        "SELECT '<think>' FROM t",
    ]
)
WRAPPERS = st.sampled_from(
    ["{}", "```sql\n{}\n```", "SQL: {}", "Query:\n{}", "Sure!\n\n```\n{}\n```\n\nThis works.", "<think>hm</think>\n{}", "{}<|im_end|>", "{};"]
)  # fmt: skip


@given(STATEMENTS, WRAPPERS)
def test_wrapping_never_changes_a_query(statement: str, wrapper: str) -> None:
    if "```" in statement and "```" in wrapper or "<think>" in statement:
        return  # a reply in which the query itself holds the mark can't be told apart
    assert extract_query(wrapper.format(statement), SQL) == statement


JSON = [
    ("bare", '{"sources": []}', {"sources": []}),
    ("fenced", '```json\n{"sources": ["a"]}\n```', {"sources": ["a"]}),
    ("with prose around", 'The answer is {"a": 1}. Bye.', {"a": 1}),
    ("a trailing comma", '{"a": [1, 2,],}', {"a": [1, 2]}),
    ("a list", "[1, 2]", [1, 2]),
    ("after a thought", '<think>{"a": 0}</think>{"a": 1}', {"a": 1}),
    ("braces in the prose", 'I used {curly} words: {"a": 1}', {"a": 1}),
]


@pytest.mark.parametrize(("reply", "value"), [c[1:] for c in JSON], ids=[c[0] for c in JSON])
def test_json_is_found(reply: str, value: Any) -> None:
    assert extract_json(reply) == value


@pytest.mark.parametrize("reply", ["", "The best are harbour and reef.", '{"a": ', "[]"])
def test_no_json_is_said(reply: str) -> None:
    with pytest.raises(ValueError, match="no JSON"):
        extract_json(reply)
