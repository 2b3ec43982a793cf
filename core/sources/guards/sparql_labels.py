"""Wikidata's label service, which a local graph does not have, read as what it stands for: labels."""

from __future__ import annotations

import re

SERVICE = re.compile(
    r"\bSERVICE\s+(?:SILENT\s+)?(?:wikibase:label|<http://wikiba\.se/ontology#label>)\s*\{(?P<body>[^{}]*)\}\s*\.?",
    re.I,
)
HIDDEN = re.compile(r"""\#[^\n]*|<[^<>"{}|^`\\\s]*>|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""")
LANGUAGES = re.compile(r"""wikibase:language>?\s*["']([^"']*)["']""", re.I)
NAMED = re.compile(r"[?$](\w+)\s+(?:rdfs:label|<http://www\.w3\.org/2000/01/rdf-schema#label>)\s+[?$](\w+)", re.I)
AUTOMATIC = re.compile(r"[?$](\w+)Label\b")


def without_label_service(text: str, label: str) -> tuple[str, tuple[str, ...]]:
    """The query with labels read from the predicate `label`, and the variables that take them; as it was without one.

    The service gives each variable ?x, where ?xLabel is used, the label of ?x, or leaves it unbound.
    """
    hidden = [m.span() for m in HIDDEN.finditer(text)]
    match = next((m for m in SERVICE.finditer(text) if not any(a <= m.start() < b for a, b in hidden)), None)
    if match is None:
        return text, ()
    rest = text[: match.start()] + text[match.end() :]
    used = {m.group()[1:] for m in re.finditer(r"[?$]\w+", rest)}
    pairs = {name: thing for thing, name in NAMED.findall(match["body"])}
    if not pairs:
        pairs = {f"{thing}Label": thing for thing in AUTOMATIC.findall(rest) if thing in used}
    tags = _tags(match["body"])
    read = "".join(
        f" OPTIONAL {{ ?{thing} <{label}> ?{name} . FILTER(LANG(?{name}) IN ({tags})) }}"
        for name, thing in pairs.items()
        if name in used
    )
    return f"{text[: match.start()].rstrip()}{read} {text[match.end() :].lstrip()}", tuple(f"?{n}" for n in pairs)


def _tags(body: str) -> str:
    """The language asked for first, and no language, as SPARQL writes them."""
    given = LANGUAGES.search(body)
    names = [n.strip() for n in (given[1] if given else "en").split(",")]
    plain = [n for n in names if re.fullmatch(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*", n) and n.lower() != "mul"]
    return f'"{(plain or ["en"])[0].lower()}", ""'
