"""What to write instead of what SPARQL's grammar does not take."""

from __future__ import annotations

import re

MISPLACED = (
    (
        re.compile(r"^[^{]*?\b(?:COUNT|SUM|AVG|MIN|MAX)\s*\(", re.IGNORECASE | re.DOTALL),
        "An aggregate stands in SELECT, in brackets and named: SELECT ?x (COUNT(?y) AS ?n) WHERE { ... } GROUP BY ?x.",
    ),
    (
        re.compile(r"^[^{]*?\b(?:JOIN|FROM\s+\w+\s+(?:AS\s+)?\w+\s+ON)\b", re.IGNORECASE | re.DOTALL),
        "SPARQL has no JOIN: two patterns that share a variable are joined.",
    ),
)
"""What is often written where SPARQL does not take it, and where it belongs."""


ANYWHERE = (
    (re.compile(r"\bSELECT\s+(?:DISTINCT\s+)?TOP\s+\d", re.I), "There is no TOP: LIMIT 5 stands at the end."),
    (
        re.compile(r"\bORDER\s+BY\s+\?\w+\s+(?:DESC|ASC)\b", re.I),
        "The order is written before the variable: ORDER BY DESC(?x).",
    ),
    (re.compile(r"\bLIMIT\s+\d+\s+ORDER\b", re.I), "LIMIT stands last, behind ORDER BY."),
    (re.compile(r"\b(?:GROUP|ORDER)\s+BY\b[^{}]*\}", re.I), "GROUP BY, ORDER BY and LIMIT stand behind the last }."),
    (re.compile(r"\bFILTER\s+(?!NOT\b|EXISTS\b)[?\w\"']+\s*[<>=!]", re.I), "FILTER takes brackets: FILTER(?x > 1)."),
    (
        re.compile(r"\bWHERE\s+\?\w+\s*[<>=!]|[\w-]*:\w+\s*(?:[<>]=?|!=|=)\s*[\"'\d]"),
        "Values are compared in a FILTER: ?x <predicate> ?v . FILTER(?v > 1).",
    ),
    (re.compile(r"\b(?:LIKE|ILIKE)\b", re.I), 'There is no LIKE: FILTER(CONTAINS(LCASE(STR(?x)), "word")).'),
)
"""What other languages write and this one doesn't, wherever the parser stumbled."""


def advice_on(text: str, position: int) -> str:
    """What to say of a query at whose `position` the parser stumbled; empty where nothing is known."""
    there = next((said for pattern, said in MISPLACED if pattern.search(text[max(0, position - 4) :])), "")
    return there or next((said for pattern, said in ANYWHERE if pattern.search(text)), "")
