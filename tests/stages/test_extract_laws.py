"""Laws of extraction: a valid query comes out of every wrapping unchanged, no reply takes long, and cut replies are told."""

from __future__ import annotations

import contextlib
import re
import time
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from core.errors import Declined, NoQueryInReply
from core.results import Language
from core.stages.extract import extract_query

SQL, SPARQL, CYPHER, TEXT = Language.SQL, Language.SPARQL, Language.CYPHER, Language.TEXT
FENCE = "```"


@dataclass(frozen=True)
class Case:
    name: str
    language: Language
    reply: str
    query: str | type[Exception]


CASES = [
    Case("a fence with the language", SQL, f"{FENCE}sql\nSELECT count(*) FROM vessels\n{FENCE}", "SELECT count(*) FROM vessels"),
    Case("a fence with another word", SQL, f"{FENCE}sqlite3\nSELECT 1\n{FENCE}", "SELECT 1"),
    Case("a fence without a word", SQL, f"{FENCE}\nSELECT 1\n{FENCE}", "SELECT 1"),
    Case("a fence on one line", SQL, f"{FENCE}sql SELECT 1{FENCE}", "SELECT 1"),
    Case("a fence that never closes", SQL, f"{FENCE}sql\nSELECT 1", "SELECT 1"),
    Case("a fence that never opened", SQL, f"SELECT 1\n{FENCE}", "SELECT 1"),
    Case("a fence of tildes", SQL, "~~~\nSELECT 1\n~~~", "SELECT 1"),
    Case("a fence in prose", SQL, f"With this schema:\n\n{FENCE}sql\nSELECT 1\n{FENCE}\n\nWith regards.", "SELECT 1"),
    Case("a label inside a fence", SQL, f"{FENCE}\nQuery: SELECT 1\n{FENCE}", "SELECT 1"),
    Case("two fences: the first", SQL, f"{FENCE}sql\nSELECT 1\n{FENCE}\nor\n{FENCE}sql\nSELECT 2\n{FENCE}", "SELECT 1"),
    Case("two fences: the corrected", SQL, f"{FENCE}\nSELECT 1\n{FENCE}\nCorrected:\n{FENCE}\nSELECT 2\n{FENCE}", "SELECT 2"),
    Case("the schema repeated first", SQL, f"{FENCE}\nCREATE TABLE t (a)\n{FENCE}\n{FENCE}\nSELECT a FROM t\n{FENCE}", "SELECT a FROM t"),
    Case("code of another kind first", SQL, f"{FENCE}python\nprint(1)\n{FENCE}\n{FENCE}sql\nSELECT 2\n{FENCE}", "SELECT 2"),
    Case("only code of another kind", SQL, f"{FENCE}python\nprint(1)\n{FENCE}", NoQueryInReply),
    Case("another query language goes to its engine", CYPHER, f"{FENCE}sql\nSELECT 1 FROM t\n{FENCE}", "SELECT 1 FROM t"),
    Case("JSON in a fence", SQL, f'{FENCE}json\n{{"query": "SELECT 1"}}\n{FENCE}', "SELECT 1"),
    Case("JSON alone", CYPHER, '{"cypher": "MATCH (n) RETURN n"}', "MATCH (n) RETURN n"),
    Case("JSON without a query", SQL, '{"thought": "hm"}', NoQueryInReply),
    Case("label Query", SQL, "Query: SELECT name FROM vessels", "SELECT name FROM vessels"),
    Case("label SQLQuery and its fellows", SQL, "Question: x\nSQLQuery: SELECT 1\nSQLResult: 1\nAnswer: 1", "SELECT 1"),
    Case("label Answer", CYPHER, "Answer:\nMATCH (n) RETURN n", "MATCH (n) RETURN n"),
    Case("label in bold", SQL, "**SQL:**\n\n    SELECT 1", "SELECT 1"),
    Case("a heading", SQL, "# Answer\nSELECT 1", "SELECT 1"),
    Case("the language on its own line", CYPHER, "cypher\nMATCH (n) RETURN n", "MATCH (n) RETURN n"),
    Case("double quotes around", SQL, '"SELECT name FROM vessels"', "SELECT name FROM vessels"),
    Case("double quotes and a semicolon", SQL, '"SELECT name FROM vessels";', "SELECT name FROM vessels"),
    Case("double quotes around double quotes", SQL, '"SELECT "a" FROM t"', 'SELECT "a" FROM t'),
    Case("a JSON string", SQL, '"SELECT \\"a b\\" FROM t"', 'SELECT "a b" FROM t'),
    Case("curly quotes around", SQL, "“SELECT name FROM vessels”", "SELECT name FROM vessels"),
    Case("backticks around", SQL, "`SELECT name FROM vessels`", "SELECT name FROM vessels"),
    Case("inline code", SQL, "You can use `SELECT name FROM vessels`.", "SELECT name FROM vessels"),
    Case("one quoted literal is selected", SQL, "SELECT 'SELECT 1'", "SELECT 'SELECT 1'"),
    Case("one quoted literal alone", SQL, "'Norway'", NoQueryInReply),
    Case("a query inside a thought", SQL, "<think>SELECT 1 would be wrong, DROP TABLE x</think>SELECT 2", "SELECT 2"),
    Case("a fenced query inside a thought", SQL, f"<thinking>\n{FENCE}sql\nSELECT 1\n{FENCE}\n</thinking>\nSELECT 2", "SELECT 2"),
    Case("thoughts within thoughts", SQL, "<think><think>SELECT 0</think>SELECT 1</think>SELECT 2", "SELECT 2"),
    Case("a thought that never ends", SQL, "<think>maybe SELECT 1 FROM t", NoQueryInReply),
    Case("a thought that never began", SQL, "SELECT 1 would be wrong\n</think>\nSELECT 2", "SELECT 2"),
    Case("a fence left open in a thought", SQL, f"so\n{FENCE}sql\nSELECT 1\n</think>\nSELECT 2", "SELECT 2"),
    Case("a thought after the query", SQL, "SELECT 2 <reasoning>or SELECT 3</reasoning>", "SELECT 2"),
    Case("channels", SQL, "<|channel|>analysis<|message|>SELECT 1<|end|><|start|>assistant<|channel|>final<|message|>SELECT 2", "SELECT 2"),
    Case("analysis alone", SQL, "<|channel|>analysis<|message|>SELECT 1 FROM t", NoQueryInReply),
    Case("ChatML remnant and another turn", SQL, "SELECT 2<|im_end|>\n<|im_start|>user\nDROP TABLE x", "SELECT 2"),
    Case("Llama remnant", SPARQL, "SELECT ?x { ?x ?y ?z }<|eot_id|>", "SELECT ?x { ?x ?y ?z }"),
    Case("Mistral remnants", SQL, "[/INST] SELECT 2 </s>", "SELECT 2"),
    Case("Gemma remnant", CYPHER, "<start_of_turn>model\nMATCH (n) RETURN n<end_of_turn>", "MATCH (n) RETURN n"),
    Case("end mark behind SPARQL", SPARQL, "SELECT ?x { ?x ?y ?z }</s>", "SELECT ?x { ?x ?y ?z }"),
    Case("a role name", SQL, "assistant\nSELECT 1", "SELECT 1"),
    Case("prose after a blank line", SQL, "SELECT name FROM t\n\nThese are names.", "SELECT name FROM t"),
    Case("prose on the next line", SQL, "SELECT name FROM t\nThis query returns names.", "SELECT name FROM t"),
    Case("prose behind the semicolon", SQL, "Sure! Here it is:\n\nSELECT name FROM t;\n\nHope it helps", "SELECT name FROM t"),
    Case("an explanation", CYPHER, "MATCH (n)\nRETURN n\n\nExplanation: it's all", "MATCH (n)\nRETURN n"),
    Case("prose that begins with select", SQL, "Select the names from the table:\nSELECT name FROM vessels", "SELECT name FROM vessels"),
    Case("prose that begins with match", CYPHER, "Match found: see below\nMATCH (n) RETURN n", "MATCH (n) RETURN n"),
    Case("prose that begins with with", SQL, "With these tables it is fine.", NoQueryInReply),
    Case("two statements go on to the guard", SQL, "SELECT 1; SELECT 2", "SELECT 1; SELECT 2"),
    Case("a write goes on to the guard", SQL, "DROP TABLE vessels", "DROP TABLE vessels"),
    Case("a write in Cypher", CYPHER, "CALL { CREATE (:X) } RETURN 1", "CALL { CREATE (:X) } RETURN 1"),
    Case("an update in SPARQL", SPARQL, "DELETE WHERE { ?s ?p ?o }", "DELETE WHERE { ?s ?p ?o }"),
    Case("brackets around", SQL, "(SELECT 1) UNION (SELECT 2)", "(SELECT 1) UNION (SELECT 2)"),
    Case("a comment first", SPARQL, "# select\nASK { ?s ?p ?o }", "# select\nASK { ?s ?p ?o }"),
    Case("a refusal", SQL, "I'm sorry, the schema has no salaries.", Declined),
    Case("the agreed refusal", SQL, "NO_QUERY: there are no salaries. SELECT 1 would be all.", Declined),
    Case("a refusal that begins with delete", SQL, "Delete is not possible here, sorry", Declined),
    Case("nothing", SQL, "", NoQueryInReply),
    Case("white space", SQL, " \n\t", NoQueryInReply),
    Case("an empty fence", SQL, f"{FENCE}\n{FENCE}", NoQueryInReply),
    Case("a label alone", SQL, "Query:", NoQueryInReply),
    Case("a passage with a label", TEXT, "Passage: Coffee is good.", "Coffee is good."),
    Case("a passage after a thought", TEXT, "<think>a</think>Tea.", "Tea."),
    Case("a quoted phrase", TEXT, '"exact phrase"', '"exact phrase"'),
    Case("a passage refused", TEXT, "I'm sorry, I can't.", Declined),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_extract_query(case: Case) -> None:
    if isinstance(case.query, str):
        assert extract_query(case.reply, case.language) == case.query
        return
    with pytest.raises(NoQueryInReply) as caught:
        extract_query(case.reply, case.language)
    assert type(caught.value) is case.query


def test_a_refusal_keeps_the_models_words() -> None:
    with pytest.raises(Declined, match="the schema has no salaries"):
        extract_query("I'm sorry, the schema has no salaries.", SQL)


CUT = [
    ("a bare query", "SELECT a FROM t WHERE b = 1", False),
    ("an open fence", f"{FENCE}sql\nSELECT a FROM t WHERE b = 1", False),
    ("a closed fence and half an explanation", f"{FENCE}sql\nSELECT a FROM t\n{FENCE}\nThis que", True),
    ("a semicolon and half an explanation", "SELECT a FROM t;\n\nThis query ret", True),
]


@pytest.mark.parametrize(("reply", "whole"), [c[1:] for c in CUT], ids=[c[0] for c in CUT])
def test_a_reply_that_was_cut_off_runs_only_if_the_query_is_surely_whole(reply: str, whole: bool) -> None:
    if whole:
        assert extract_query(reply, SQL, cut=True) == "SELECT a FROM t"
    else:
        with pytest.raises(NoQueryInReply, match="cut off"):
            extract_query(reply, SQL, cut=True)


HOSTILE = ["SELECT " * 20_000, "<think>" * 20_000, "</think>" * 20_000, "`" * 60_000, "'" * 60_000, "With a as " * 9_000,
           "(" * 60_000, "Query: " * 9_000, "SELECT 1\n" * 9_000, "/*" * 30_000, "{" * 60_000]  # fmt: skip


@pytest.mark.parametrize("language", [SQL, SPARQL, CYPHER, TEXT])
@pytest.mark.parametrize("reply", HOSTILE, ids=lambda reply: reply[:10])
def test_no_reply_takes_long(reply: str, language: Language) -> None:
    started = time.monotonic()
    with contextlib.suppress(NoQueryInReply):
        extract_query(reply, language)
    assert time.monotonic() - started < 3


# --- a valid query comes out of every wrapping as it went in -------------------------------------

PIECES = ["a", "it''s", "<think>", "</think>", "</s>", "<|im_end|>", "```", "; SELECT 2", "-- x", "/* x */", "\n\nThis is it.",
          "Query: ", "[/INST]", "é 漢", "{", "}", " ", "# x", "// x", "\nNote: that", "~~~", "`"]  # fmt: skip
BODIES = st.lists(st.sampled_from(PIECES), max_size=5).map("".join)


def sql_literal(body: str) -> str:
    return "'" + body.replace("''", "'").replace("'", "''") + "'"


def escaped_literal(body: str) -> str:
    return "'" + body.replace("''", "\\'").replace("\n", "\\n") + "'"


SQL_QUERIES = st.builds(
    str.format,
    st.sampled_from([
        "SELECT {0}", "SELECT name, {0} AS x FROM t", "SELECT *\nFROM t\n\nWHERE a = {0}\n  AND b <> 'x'", "select a from t where b like {0}",
        "WITH c AS (\n  SELECT {0} AS v\n)\nSELECT v FROM c", "SELECT \"a b\".\"The c\",\n\nThe_d FROM \"a b\" WHERE x = {0} ORDER BY 1 DESC LIMIT 3",
        "VALUES ({0}, 2)", "(SELECT 1) UNION (SELECT {0})", "-- This is the query.\nSELECT {0} -- it's\nFROM t", "SELECT DISTINCT the FROM t WHERE q IN ({0})",
        "SELECT CASE WHEN a THEN {0} END FROM t", "SELECT a b, c FROM t WHERE d = {0}", "SELECT t.a FROM t\nIn_b JOIN u ON u.a = {0}",
    ]),
    BODIES.map(sql_literal),
)  # fmt: skip
SPARQL_QUERIES = st.builds(
    lambda template, literal: template.replace("@@", literal),
    st.sampled_from([
        "SELECT ?x WHERE { ?x <http://e.org/a#b> @@ }", "PREFIX e: <http://e.org/>\n\nSELECT DISTINCT ?x ?y\nWHERE {\n  ?x e:p @@ .\n  # This is it.\n  ?x a ?y .\n}\nORDER BY DESC(?x) LIMIT 3",
        "ASK { <s> <think> @@ }", "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o ; <p> @@ }", "SELECT (COUNT(*) AS ?n) { ?s ?p @@ }", "DESCRIBE ?x WHERE { ?x ?p @@ }",
    ]),
    BODIES.map(escaped_literal),
)  # fmt: skip
CYPHER_QUERIES = st.builds(
    lambda template, literal: template.replace("@@", literal),
    st.sampled_from([
        "MATCH (n:`Dock Worker` {name: @@})\nRETURN n.`pier-no`", "MATCH p = (a)-[:HAS_KEY*1..2]->(b)\n\nWHERE a.x = @@\nRETURN p", "RETURN @@",
        "UNWIND [1, 2] AS x RETURN x, @@", "OPTIONAL MATCH (n) WHERE n.a CONTAINS @@ RETURN count(n) AS c", "// This is it.\nMATCH (n) WITH n AS m, @@ AS y RETURN m, y",
        "MATCH (n)\nWITH n\nORDER BY n.a\nRETURN n.a, @@", "CALL db.labels() YIELD label WHERE label = @@ RETURN label",
    ]),
    BODIES.map(escaped_literal),
)  # fmt: skip
QUERIES = st.one_of(*(st.tuples(st.just(language), queries) for language, queries in
                      ((SQL, SQL_QUERIES), (SPARQL, SPARQL_QUERIES), (CYPHER, CYPHER_QUERIES))))  # fmt: skip

WRAPPINGS = {
    "bare": "@@", "semicolon": "@@;", "space": "\n\n  @@ \n", "fence": "```\n@@\n```", "fence with word": "```{lang}\n@@\n```", "unclosed": "```{lang}\n@@",
    "tildes": "~~~\n@@\n~~~", "prose around a fence": "Sure! Here's what I'd do:\n\n```{lang}\n@@\n```\n\nThis isn't hard; let me know.", "label": "Query: @@", "bold": "**Answer:** @@",
    "label line": "SQLQuery:\n@@", "thought": "<think>SELECT 1, MATCH (n) or ```sql\nSELECT 0\n``` isn't it</think>\n@@", "lost thought": "I'd DROP it. SELECT 1\n</think>\n\n@@",
    "ChatML": "<|im_start|>assistant\n@@<|im_end|>", "end mark": "@@<|eot_id|>", "prose before": "The question is about names, so:\n\n@@", "prose after": "@@\n\nThis query isn't complicated, it returns the names.",
    "explanation": "@@;\n\nExplanation: the table holds it.", "next turn": "@@\n<|im_end|>\n<|im_start|>user\nwhat's next?", "role": "assistant\n@@",
}  # fmt: skip


@settings(max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(QUERIES, st.sampled_from(sorted(WRAPPINGS)))
def test_a_valid_query_comes_out_as_it_went_in(query: tuple[Language, str], wrapping: str) -> None:
    language, text = query
    # A closing fence on a line of its own inside a literal can't be told from the block's end by a reader either.
    assume(not re.search(r"^\s*(?:```|~~~)", text, re.M))
    reply = WRAPPINGS[wrapping].replace("{lang}", language.value).replace("@@", text)
    assert extract_query(reply, language) == text


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200), st.sampled_from([SQL, SPARQL, CYPHER]))
def test_any_text_gives_a_query_or_a_word_that_there_is_none(reply: str, language: Language) -> None:
    try:
        assert extract_query(reply, language).strip()
    except NoQueryInReply as error:
        assert error.message


def test_a_passage_is_not_what_was_shown_of_the_collection() -> None:
    assert extract_query("<collection>\nCorpus: a\n</collection>\n\nPassage: Salt is bad.", TEXT) == "Salt is bad."
    with pytest.raises(NoQueryInReply):
        extract_query("<collection>\nCorpus: a\nDescription: b", TEXT)
