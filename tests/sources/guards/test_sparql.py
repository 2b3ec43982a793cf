"""The SPARQL guard, case by case."""

from __future__ import annotations

import subprocess
import sys

import pytest

from core.errors import QueryRejected
from core.settings import ROOT
from core.sources.guards import sparql
from core.sources.guards.sparql import check_sparql

PREFIXES = {
    "wdt": "http://www.wikidata.org/prop/direct/",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "": "http://e/",
}

ALLOWED = [
    ("select", "SELECT ?s { ?s ?p ?o }", "SELECT", ()),
    ("ask", "ASK { ?s ?p ?o }", "ASK", ()),
    ("construct", "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "CONSTRUCT", ()),
    ("describe", "DESCRIBE <http://e/x>", "DESCRIBE", ()),
    ("a variable called delete", "SELECT ?delete { ?delete ?p ?o }", "SELECT", ()),
    ("a write in a comment", "# DROP ALL\nSELECT ?s { ?s ?p ?o }", "SELECT", ()),
    ("a write in a text", 'SELECT ?s { ?s ?p "DROP ALL; SERVICE <x>" }', "SELECT", ()),
    ("a known prefix is added", "SELECT ?s { ?s wdt:P31 ?o }", "SELECT", ("wdt",)),
    ("two known prefixes", "SELECT ?s { ?s wdt:P31 ?o ; rdfs:label ?l }", "SELECT", ("wdt", "rdfs")),
    ("a declared prefix is left", "PREFIX wdt: <http://x/> SELECT ?s { ?s wdt:P31 ?o }", "SELECT", ()),
    ("the empty prefix", "SELECT ?s { ?s :p ?o }", "SELECT", ("",)),
    ("a colon inside a text is no prefix", 'SELECT ?s { ?s ?p "foo:bar" }', "SELECT", ()),
    ("a colon inside an IRI is no prefix", "SELECT ?s { ?s <urn:x:y> ?o }", "SELECT", ()),
    ("a path", "SELECT ?s { ?s wdt:P31/wdt:P279* ?o }", "SELECT", ("wdt",)),
    ("a local name called service", "SELECT ?service { ?service :service ?o }", "SELECT", ("",)),
    ("an accent by its escape", 'SELECT ?s { ?s ?p "\\u00e9" }', "SELECT", ()),
    ("carriage returns", "SELECT ?s # first\r\n{ ?s ?p ?o }\r", "SELECT", ()),
    ("a byte order mark", "\ufeffSELECT ?s { ?s ?p ?o }", "SELECT", ()),
    ("a negative decimal", "SELECT ?s { ?s ?p -2.5 }", "SELECT", ()),
    ("a subselect", "SELECT ?s { { SELECT ?s { ?s ?p ?o } LIMIT 1 } }", "SELECT", ()),
]

REFUSED = [
    ("an update", "DELETE WHERE { ?s ?p ?o }", "reads only"),
    ("insert data", "INSERT DATA { <a> <b> <c> }", "reads only"),
    ("drop all", "DROP ALL", "reads only"),
    ("load", "LOAD <http://127.0.0.1/x>", "reads only"),
    ("a comment hides nothing", "# select\nDELETE WHERE { ?s ?p ?o }", "reads only"),
    ("a prefix before an update", "PREFIX x: <http://x/> INSERT DATA { x:a x:b x:c }", "reads only"),
    ("a service", "SELECT ?s { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }", "no SERVICE"),
    ("a silent service", "SELECT ?s { SERVICE SILENT <http://127.0.0.1:1/> { ?s ?p ?o } }", "no SERVICE"),
    ("a service by variable", "SELECT ?s { ?s ?p ?u . SERVICE ?u { ?s ?q ?o } }", "no SERVICE"),
    ("a nested service", "SELECT ?s { { SELECT ?s { OPTIONAL { SERVICE <http://h/> { ?s ?p ?o } } } } }", "no SERVICE"),
    (
        "a service in a filter",
        "SELECT ?s { ?s ?p ?o FILTER EXISTS { SERVICE <http://h/> { ?s ?q ?r } } }",
        "no SERVICE",
    ),
    (
        "a service after a comment that a carriage return ends",
        "SELECT ?s { ?s ?p ?o # x\r SERVICE <http://h/> {}\n}",
        "no SERVICE",
    ),
    (
        "a service behind an escaped quote",
        'SELECT ?s { FILTER(?o != "a\\u0022) #") SERVICE <http://h/> { ?a ?b ?c }\n}',
        "no escapes",
    ),
    (
        "a service behind an escape of eight digits",
        'SELECT ?s { FILTER(?o != "a\\U00000022) #") SERVICE <http://h/> {}\n}',
        "no escapes",
    ),
    (
        "a service behind a doubled backslash",
        'SELECT ?s { FILTER(?o != "a\\\\u0022) #") SERVICE <http://h/> {}\n}',
        "no escapes",
    ),
    ("a service in escaped letters", "SELECT ?s { \\u0053ERVICE <http://h/> {} }", "no escapes"),
    ("a NUL", "SELECT ?s { ?s ?p '\0' }", "no escapes"),
    ("half a character", "SELECT ?s { ?s ?p '\ud800' }", "no escapes"),
    ("a very long query", "SELECT ?s { ?s ?p ?o }" + " " * 200_000, "length"),
    ("another graph", "SELECT ?s FROM <http://h/> { ?s ?p ?o }", "no FROM"),
    ("a named graph", "SELECT ?s FROM NAMED <http://h/> { ?s ?p ?o }", "no FROM"),
    ("an unknown prefix", "SELECT ?s { ?s foaf:name ?o }", "prefixes"),
    ("nothing", "  ", "one query"),
    ("prose", "not a query", ""),
    ("fenced text", "```sparql\nSELECT ?s { ?s ?p ?o }\n```", ""),
    ("two queries", "SELECT ?s { ?s ?p ?o } SELECT ?s { ?s ?p ?o }", ""),
]


@pytest.mark.parametrize(("text", "form", "added"), [c[1:] for c in ALLOWED], ids=[c[0] for c in ALLOWED])
def test_reading_is_let_through(text: str, form: str, added: tuple[str, ...]) -> None:
    verdict = check_sparql(text, PREFIXES)
    assert (verdict.form, verdict.added) == (form, added)
    sent = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\\u00e9", "é")
    assert verdict.text.endswith(sent)
    assert verdict.text.count("PREFIX") == text.count("PREFIX") + len(added)


@pytest.mark.parametrize(("text", "rule"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_everything_else_is_refused(text: str, rule: str) -> None:
    with pytest.raises(QueryRejected) as error:
        check_sparql(text, PREFIXES)
    assert error.value.rule == rule


def test_too_deep_is_refused_calmly() -> None:
    with pytest.raises(QueryRejected):
        check_sparql("SELECT ?s { " + "{ " * 2_000 + "?s ?p ?o" + " }" * 2_000 + " }", PREFIXES)


AT_ONCE = """
import sys, threading
from core.errors import QueryRejected
from core.sources.guards.sparql import check_sparql
from tests.sources.guards.test_sparql import ALLOWED, PREFIXES, REFUSED

wrong, start = [], threading.Barrier(6)

def read(first):
    start.wait()
    cases = ALLOWED[first:] + ALLOWED[:first] + REFUSED
    for name, text, expected, *_ in cases:
        try:
            said = check_sparql(text, PREFIXES).form
        except QueryRejected as error:
            said = error.rule if (name, text, expected) in REFUSED else str(error)
        if said != expected:
            wrong.append((name, said))

sys.setswitchinterval(1e-5)
threads = [threading.Thread(target=read, args=(3 * n,)) for n in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(wrong)
sys.exit(bool(wrong))
"""


def test_a_fresh_process_checks_many_queries_at_once() -> None:
    done = subprocess.run([sys.executable, "-c", AT_ONCE], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("query", sparql.SETTLING)
def test_the_queries_that_settle_the_grammar_are_valid(query: str) -> None:
    assert check_sparql(query, {}).text == query


def test_a_check_that_breaks_refuses_without_blaming_the_query(monkeypatch: pytest.MonkeyPatch) -> None:
    from rdflib.plugins.sparql import parser

    def broken(text: str) -> None:
        raise TypeError("<lambda>() missing 1 required positional argument: 'x'")

    monkeypatch.setattr(parser, "parseQuery", broken)
    with pytest.raises(QueryRejected, match="check of this query itself failed") as error:
        check_sparql("SELECT ?s { ?s ?p ?o }", {})
    assert error.value.rule == sparql.CHECK_FAILED
    assert "valid SPARQL" not in error.value.message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("SELECT ?c WHERE { ?c a <u:C> . COUNT(?c) AS ?n }", "An aggregate stands in SELECT"),
        ("SELECT ?c WHERE { ?c a <u:C> ;; }} x", "Correct it there"),
        ("SELECT TOP 1 ?x { ?x a <u:C> }", "There is no TOP"),
        ("SELECT ?x { ?x <u:p> ?r } ORDER BY ?r DESC", "ORDER BY DESC(?x)"),
        ("SELECT ?x { ?x <u:p> ?r } LIMIT 1 ORDER BY ?r", "LIMIT stands last"),
        ("SELECT ?x { ?x <u:p> ?r FILTER ?r > 1 }", "FILTER takes brackets"),
        ("SELECT ?x { ?x <u:p> ?r . WHERE ?r > 1 }", "compared in a FILTER"),
        ("SELECT ?x (COUNT(?r) AS ?n) { ?x <u:p> ?r GROUP BY ?x }", "behind the last }"),
        ('SELECT ?x { ?x <u:p> ?r . ?r LIKE "a%" }', "There is no LIKE"),
        (
            "SELECT ?c ?l WHERE { ?c <u:l> ?l } GROUP BY ?c",
            "?l is neither grouped nor aggregated. Write GROUP BY ?c ?l",
        ),
        ("SELECT ?c (COUNT(?l) AS ?n) WHERE { ?c <u:l> ?l }", "?c is neither grouped"),
        ("SELECT ?n { { SELECT ?c (COUNT(?l) AS ?n) { ?c <u:l> ?l } } }", "?c is neither grouped"),
    ],
)
def test_what_is_misplaced_is_told_where_it_belongs(text: str, says: str) -> None:
    with pytest.raises(QueryRejected) as caught:
        check_sparql(text, PREFIXES)
    assert says in caught.value.message


def test_the_place_of_an_error_is_that_of_the_text_as_it_was_given() -> None:
    with pytest.raises(QueryRejected, match="line 1, near 'SELECT WHERE"):
        check_sparql("SELECT WHERE { ?s rdfs:label ?o }", PREFIXES)


GROUPED = [
    "SELECT ?c (COUNT(?l) AS ?n) { ?c <u:l> ?l } GROUP BY ?c",
    "SELECT ?h (COUNT(?l) AS ?n) { ?c <u:l> ?l } GROUP BY (STR(?c) AS ?h)",
    "SELECT (COUNT(*) AS ?n) (SAMPLE(?c) AS ?one) { ?c <u:l> ?l }",
    "SELECT ?c ?n { { SELECT ?c (COUNT(?l) AS ?n) { ?c <u:l> ?l } GROUP BY ?c } } ORDER BY DESC(?n)",
]


@pytest.mark.parametrize("text", GROUPED)
def test_what_is_grouped_is_let_through(text: str) -> None:
    assert check_sparql(text, PREFIXES).form == "SELECT"


LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
SERVICE = 'SERVICE wikibase:label { bd:serviceParam wikibase:language "[AUTO_LANGUAGE],de,en". }'
SERVED = [
    ("a label by its name", f"SELECT ?x ?xLabel {{ ?x a <u:C> . {SERVICE} }}", ("?xLabel",), '("de", "")'),
    ("no label that is used", f"SELECT ?x {{ ?x a <u:C> . {SERVICE} }}", (), ""),
    ("labels named in the block",
     'SELECT ?n { ?x a <u:C> SERVICE wikibase:label { bd:serviceParam wikibase:language "en" . ?x rdfs:label ?n } }',
     ("?n",), f'OPTIONAL {{ ?x <{LABEL}> ?n . FILTER(LANG(?n) IN ("en", "")) }}'),
]  # fmt: skip


@pytest.mark.parametrize(("text", "labelled", "says"), [c[1:] for c in SERVED], ids=[c[0] for c in SERVED])
def test_the_label_service_is_read_as_labels(text: str, labelled: tuple[str, ...], says: str) -> None:
    verdict = check_sparql(text, PREFIXES, LABEL)
    assert verdict.labelled == labelled
    assert "SERVICE" not in verdict.text and says in verdict.text


STILL_REFUSED = [
    f"SELECT ?xLabel {{ ?x a <u:C> . {SERVICE} SERVICE <http://127.0.0.1/> {{ ?a ?b ?c }} }}",
    "SELECT ?x { SERVICE wikibase:label { SERVICE <http://127.0.0.1/> { ?a ?b ?c } } }",
    "SELECT ?x { SERVICE ?label { ?x ?y ?z } }",
    f"SELECT ?xLabel {{ ?x a <u:C> . {SERVICE} {SERVICE.replace('wikibase:label', '<http://h/>')} }}",
]


@pytest.mark.parametrize("text", STILL_REFUSED)
def test_no_other_service_gets_through_with_it(text: str) -> None:
    with pytest.raises(QueryRejected, match="SERVICE is refused"):
        check_sparql(text, PREFIXES, LABEL)


def test_a_service_in_a_text_or_comment_is_left_alone() -> None:
    text = f"SELECT ?x {{ ?x a <u:C> ; <u:says> '{SERVICE.replace(chr(34), '')}' }} # {SERVICE}"
    assert check_sparql(text, PREFIXES, LABEL).text == text


def test_prefixed_names_in_angle_brackets_are_unwrapped() -> None:
    verdict = check_sparql("SELECT ?x { <rdfs:x> <urn:a:b> ?x . ?x <http://a/b> 'a <rdfs:y>' }", PREFIXES)
    assert verdict.unwrapped == ("rdfs:x",) and verdict.added == ("rdfs",)
    assert "{ rdfs:x <urn:a:b> ?x . ?x <http://a/b> 'a <rdfs:y>' }" in verdict.text
