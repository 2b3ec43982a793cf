"""Facts in Wikidata's statement form: p: leads to a statement, ps: to its value, pq: to its qualifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.sources.base import RdfSchema

QUALIFIERS = 4
Short = Callable[[str], str]


class Statements:
    """What a graph keeps in statement form; false where it keeps nothing so."""

    def __init__(self, schema: RdfSchema) -> None:
        self._spaces = {name: schema.prefixes.get(name, "") for name in ("p", "ps", "pq")}
        self._qualifiers = schema.qualifiers
        self._labels = {p.iri: p.label for p in schema.predicates}

    def __bool__(self) -> bool:
        return bool(self._qualifiers)

    def holds(self, predicate: str) -> bool:
        """Whether `predicate` is written as a part of a statement rather than as a plain edge."""
        return bool(self) and (predicate in self._qualifiers or self.is_part(predicate))

    def is_part(self, predicate: str) -> bool:
        """Whether `predicate` leads from a statement: to its value, or to a qualifier."""
        return bool(self) and self._name(predicate)[0] in ("ps", "pq")

    def patterns(self, entity: str, predicate: str, label: str, short: Short, *, inverse: bool) -> Iterator[str]:
        """Triple patterns that read a statement of `entity`, or those that name it as value or qualifier."""
        space, local = self._name(predicate)
        if space == "p" and not inverse:
            yield f"  {entity} {short(predicate)} ?s . ?s ps:{local} ?x   # {label}{self.remark(predicate, short)}"
        elif space == "ps" and inverse:
            whole = self._spaces["p"] + local
            yield f"  ?x {short(whole)} ?s . ?s {short(predicate)} {entity}   # {label}{self.remark(whole, short)}"
        elif space == "pq" and inverse:
            for whole in (p for p, qualifiers in self._qualifiers.items() if predicate in qualifiers):
                value = self._name(whole)[1]
                yield f"  ?x {short(whole)} ?s . ?s ps:{value} ?y ; {short(predicate)} {entity}   # {label}"
                break

    def remark(self, predicate: str, short: Short) -> str:
        """The qualifiers of a statement's predicate, as the end of its line."""
        qualifiers = self._qualifiers.get(predicate, ())[:QUALIFIERS]
        if not qualifiers:
            return ""
        return "; qualifiers " + ", ".join(f"{short(q)} {self._labels.get(q, '')}".rstrip() for q in qualifiers)

    def _name(self, predicate: str) -> tuple[str, str]:
        """Which of p, ps and pq a predicate belongs to, and its local name."""
        for name in ("ps", "pq", "p"):
            space = self._spaces[name]
            local = predicate[len(space) :]
            if space and predicate.startswith(space) and local and not set(local) & set("/#"):
                return name, local
        return "", ""
