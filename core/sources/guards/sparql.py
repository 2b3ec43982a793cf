"""The SPARQL guard: one reading query that stays at its endpoint, by rdflib's grammar."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import QueryRejected
from core.sources.guards.sparql_advice import advice_on
from core.sources.guards.sparql_labels import without_label_service

FORMS = {"SelectQuery": "SELECT", "AskQuery": "ASK", "ConstructQuery": "CONSTRUCT", "DescribeQuery": "DESCRIBE"}

TOKEN = re.compile(
    r"""
    (?P<skip> \#[^\n]* | <[^<>"{}|^`\\\s]*> | \"\"\"(?:\\.|[^\\])*?\"\"\" | '''(?:\\.|[^\\])*?'''
            | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | [?$]\w+ | _:\w+ | @[A-Za-z-]+)
    | (?P<prefix> [A-Za-z][\w.-]*)? : (?P<local> [\w%\\.-]*)
    | (?P<word> [A-Za-z_]+)
    """,
    re.VERBOSE | re.DOTALL,
)
WRAPPED = re.compile(r"<([A-Za-z][\w-]*):([A-Za-z0-9_][\w-]*)>")
ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
LONGEST = 200_000
"""Characters of a query; parsing takes longer than running well before that."""
UPDATES = frozenset({"INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"})
NO_SERVICE = (
    "SERVICE is refused: this source does not call other servers. "
    "Remove the SERVICE block; labels can be read with rdfs:label."
)
CHECK_FAILED = "check failed"
"""The rule of a refusal that is this program's fault and not the query's."""
PARSER = threading.Lock()
"""Held by whoever uses rdflib's parser. pyparsing finds out on first use how many arguments each callback of
the grammar takes, and two threads that find out at once leave it wrong for the life of the process."""
SETTLING = (
    """BASE <http://e/> PREFIX x: <http://x/> PREFIX : <http://e/>
    SELECT DISTINCT ?s (COUNT(DISTINCT ?o) AS ?n) (SUM(?o) AS ?t) (GROUP_CONCAT(?o ; SEPARATOR = ", ") AS ?g)
    (AVG(?o) AS ?a) (MIN(?o) AS ?b) (MAX(?o) AS ?c) (SAMPLE(?o) AS ?d) (COUNT(*) AS ?e)
    WHERE {
        ?s a x:C ; x:p/x:q*|^x:r+ ?o , "t"@en , 'u' , "7"^^x:i , 1 , 2.5 , 1e3 , -1 , -2.5 , -1e3 , +1 , +2.5 , +1e3 .
        ?s !(x:p|^x:q) _:b , [] , [ x:p true ] , ( 1 false ) , () , '''v''' , <relative> ; x:p? :y .
        { ?s x:p ?u } UNION { ?s x:q ?u } MINUS { ?s x:r ?u } GRAPH ?graph { ?s ?p ?u }
        OPTIONAL { ?o x:label ?l . FILTER(langMatches(lang(?l), "en") || lang(?l) = "" && !BOUND(?z)) }
        BIND(IF(?n > 1, ?n * 2 / 3 + 1 - 4, COALESCE(?n, -?m)) AS ?k) VALUES ?v { x:a "b" UNDEF }
        VALUES (?v ?w) { (x:a 1) } FILTER(?s IN (x:a, <http://e/b>) && ?s NOT IN (x:c))
        FILTER(REGEX(STR(?l), "a", "i") && CONTAINS(LCASE(?l), UCASE("b")) && STRSTARTS(?l, "c") && STRENDS(?l, "d"))
        FILTER NOT EXISTS { ?s x:p ?y } FILTER EXISTS { ?s x:q ?y } FILTER(x:int(?o) >= 1 && ?o <= 2 && ?o != 3)
        FILTER(YEAR(?o) = 1 && MONTH(?o) < 2 && DAY(?o) = 3 && HOURS(?o) = 4 && ABS(?o) = 5 && CEIL(?o) = FLOOR(?o))
        FILTER(ROUND(?o) = STRLEN(SUBSTR(?l, 1, 2)) && REPLACE(?l, "a", "b") = CONCAT(STRBEFORE(?l, "a"), "c"))
        FILTER(isIRI(?s) && isLITERAL(?o) && isBLANK(?o) && isNUMERIC(?o) && DATATYPE(?o) = x:i && STRAFTER(?l, "a"))
        FILTER(sameTerm(?s, IRI("x")) && STRLANG("a", "en") = STRDT("b", x:i) && NOW() > RAND() && ENCODE_FOR_URI(?l))
        { SELECT ?s WHERE { ?s ?p ?o } ORDER BY ?s LIMIT 1 }
    } GROUP BY ?s (STR(?o) AS ?h) HAVING (COUNT(?o) > 1) ORDER BY DESC(?n) ASC(STR(?s)) LIMIT 10 OFFSET 5""",
    "SELECT REDUCED * { ?s ?p ?o } VALUES ?s { <http://e/a> }",
    "ASK { ?s ?p ?o }",
    "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }",
    "DESCRIBE <http://e/x> ?s WHERE { ?s ?p ?o }",
)
"""Queries with the constructs in use, parsed once before any other."""

_settled = threading.Event()


@dataclass(frozen=True, slots=True)
class SparqlVerdict:
    """A query that may run: its text with the source's prefixes added where they were missing."""

    text: str
    form: str
    """SELECT, ASK, CONSTRUCT or DESCRIBE"""
    added: tuple[str, ...] = ()
    """Names of the prefixes that were added."""
    labelled: tuple[str, ...] = ()
    """Variables that get their labels from the graph instead of Wikidata's label service."""
    unwrapped: tuple[str, ...] = ()
    """Prefixed names that stood in angle brackets, as if they were whole IRIs."""


def check_sparql(text: str, prefixes: Mapping[str, str], label: str = "") -> SparqlVerdict:
    """Let one reading query through, with missing prefixes of the source added.

    Args:
        label: The graph's label predicate, which stands in for Wikidata's label service.

    Raises:
        QueryRejected: An update, a call to another server, another data set, or no query at all.
    """
    text = _plain(text)
    if not text.strip():
        raise QueryRejected("The query is empty. Write a SELECT or an ASK.", "one query")
    text, labelled = without_label_service(text, label) if label else (text, ())
    text, unwrapped = _unwrapped(text, prefixes)
    if any((m["word"] or "").upper() == "SERVICE" for m in TOKEN.finditer(text)):
        raise QueryRejected(NO_SERVICE, "no SERVICE")
    undeclared = _undeclared(text)
    added = tuple(p for p in undeclared if p in prefixes)
    unknown = [p for p in undeclared if p not in prefixes]
    if unknown and not _first_update(text):
        known = ", ".join(f"{p}:" for p in prefixes)
        raise QueryRejected(
            f"No prefix {unknown[0]}: is declared or known here. Declare it, or use: {known}.", "prefixes"
        )
    full = "".join(f"PREFIX {p}: <{prefixes[p]}>\n" for p in added) + text
    tree = _parse(full, len(full) - len(text))
    for node in _nodes(tree):
        name = getattr(node, "name", "")
        if name == "ServiceGraphPattern":
            raise QueryRejected(NO_SERVICE, "no SERVICE")
        if name == "DatasetClause":
            raise QueryRejected("FROM is refused: this source has one default graph. Remove FROM.", "no FROM")
    form = next((FORMS[n.name] for n in _nodes(tree) if getattr(n, "name", "") in FORMS), None)
    if form is None:
        raise QueryRejected("This is not a SELECT, ASK, CONSTRUCT or DESCRIBE query.", "reads only")
    _check_grouping(tree)
    return SparqlVerdict(full, form, added, labelled, unwrapped)


def _check_grouping(tree: Any) -> None:
    """Refuse a SELECT in which a plain variable stands beside aggregates or groups, and say which one."""
    for node in _nodes(tree):
        if getattr(node, "name", "") not in ("SelectQuery", "SubSelect"):
            continue
        shown, grouping = list(_part(node, "projection") or ()), _part(node, "groupby")
        counts = any(str(getattr(n, "name", "")).startswith("Aggregate_") for n in _nodes(shown))
        if not grouping and not counts:
            continue
        conditions = list(_part(grouping, "condition") or ()) if grouping else []
        grouped = [str(c) for c in conditions if isinstance(c, str)]
        named = {*grouped, *(str(_part(n, "var")) for c in conditions for n in _nodes(c))}
        for item in shown:
            name = str(_part(item, "var") or "")
            if name and name not in named:
                by = " ".join(f"?{v}" for v in [*grouped, name])
                raise QueryRejected(
                    f"?{name} is neither grouped nor aggregated. Write GROUP BY {by}, or (SAMPLE(?{name}) AS ?some).",
                    "grouping",
                )


def _unwrapped(text: str, prefixes: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """The query with <cine:director> written cine:director, where cine: is a prefix of the source."""
    names: dict[str, None] = {}

    def plain(match: re.Match[str]) -> str:
        wrapped = WRAPPED.fullmatch(match["skip"] or "")
        if not wrapped or wrapped[1] not in prefixes:
            return match[0]
        names[f"{wrapped[1]}:{wrapped[2]}"] = None
        return f"{wrapped[1]}:{wrapped[2]}"

    return TOKEN.sub(plain, text), tuple(names)


def _part(node: Any, name: str) -> Any:
    """A part of a parsed node, or None; rdflib's own `get` answers with the name."""
    return node[name] if isinstance(node, dict) and name in node else None


def _plain(text: str) -> str:
    """The query in the one spelling that rdflib and every engine read alike.

    They differ on a lone carriage return, which ends a comment for some, and on escaped code points,
    which may stand for a quote or a comment sign; either would let a query show two faces.
    """
    text = re.sub(r"\r\n?", "\n", text.removeprefix("\ufeff"))
    if len(text) > LONGEST:
        raise QueryRejected(f"The query is longer than {LONGEST:,} characters. Shorten it.", "length")

    def spelled(match: re.Match[str]) -> str:
        if match[3] is not None:
            return match[0]
        code = int(match[1] or match[2], 16)
        if code < 0xA0 or code in (0x2028, 0x2029) or 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
            raise QueryRejected(f"The escape {match[0]} is refused: write the character itself.", "no escapes")
        return chr(code)

    text = ESCAPE.sub(spelled, text)
    if re.search(r"\\[uU][0-9A-Fa-f]{4}", text):
        raise QueryRejected("A backslash before u is read in two ways: write the character itself.", "no escapes")
    if re.search("[\x00\ud800-\udfff]", text):
        raise QueryRejected("The query holds a character that is no text. Remove it.", "no escapes")
    return text


def _parse(text: str, added: int = 0) -> Any:
    """The parse tree; `added` characters at the start are not the asker's."""
    with PARSER:
        from pyparsing import ParseBaseException
        from rdflib.plugins.sparql import parser

        if not _settled.is_set():
            _settle(parser)
        try:
            return parser.parseQuery(text)
        except ParseBaseException as error:
            raise _refusal(text, error, added) from error
        except RecursionError as error:
            raise QueryRejected("The query is nested too deeply to be checked. Simplify it.", "parses") from error
        except Exception as error:
            raise QueryRejected(
                f"The check of this query itself failed ({type(error).__name__}: {str(error)[:200]}), so the query "
                "was not run. That says nothing about the query: run it again, or start the program again.",
                CHECK_FAILED,
            ) from error


def _settle(parser: Any) -> None:
    """Let pyparsing find out about the grammar's callbacks while nobody else parses; called under `PARSER`."""
    # rdflib's own callback negates a decimal as if it were a float, and raises TypeError for every -2.5.
    parser.DECIMAL_NEGATIVE.set_parse_action(lambda tokens: tokens)
    for query in SETTLING:
        with contextlib.suppress(Exception):  # what matters is the query that is to run
            parser.parseQuery(query)
    _settled.set()


def _refusal(text: str, error: Any, added: int = 0) -> QueryRejected:
    """What to say of a text that the grammar does not take."""
    keyword = _first_update(text)
    if keyword:
        return QueryRejected(f"{keyword} is refused: sources are read-only. Write a SELECT or an ASK.", "reads only")
    near = text[max(added, error.loc - 12) : max(added, error.loc) + 24].strip().replace("\n", " ")
    advice = advice_on(text[added:], max(0, error.loc - added)) or "Correct it there."
    line = text[added : max(added, error.loc)].count("\n") + 1
    return QueryRejected(f"This is not valid SPARQL: line {line}, near {near!r}. {advice}")


def patterns_of(text: str) -> list[tuple[Any, Any, Any]]:
    """The triple patterns of a query, with full IRIs as rdflib's terms; empty where it can't be read.

    A predicate may be a property path.
    """
    with PARSER:
        from rdflib.plugins.sparql import parser
        from rdflib.plugins.sparql.algebra import translateQuery

        if not _settled.is_set():
            _settle(parser)
        try:
            algebra = translateQuery(parser.parseQuery(text)).algebra
        except Exception:  # noqa: BLE001 - what is read here is for a remark only
            return []
    return [t for node in _nodes(algebra) if getattr(node, "name", "") == "BGP" for t in node.get("triples") or ()]


def _nodes(tree: Any) -> Iterator[Any]:
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            yield node
            stack += list(node.values())
        elif isinstance(node, list | tuple) or type(node).__name__ == "ParseResults":
            stack += list(node)


def _undeclared(text: str) -> list[str]:
    used: dict[str, None] = {}
    declared: set[str] = set()
    after_prefix = False
    for match in TOKEN.finditer(text):
        if match["skip"] is not None:
            continue
        if match["word"] is not None:
            after_prefix = match["word"].upper() == "PREFIX"
            continue
        name = match["prefix"] or ""
        (declared.add if after_prefix else used.setdefault)(name)
        after_prefix = False
    return [name for name in used if name not in declared]


def _first_update(text: str) -> str:
    depth_free = re.sub(r"#[^\n]*", " ", text)
    for match in TOKEN.finditer(depth_free):
        word = (match["word"] or "").upper()
        if word in UPDATES:
            return word
        if word in ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE"):
            return ""
    return ""
