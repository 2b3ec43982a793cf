"""IRIs as prefixed names, in remarks and contexts."""

from __future__ import annotations

import re
from collections.abc import Mapping

XSD = "http://www.w3.org/2001/XMLSchema#"
"""Datatypes are shown by their usual prefix whether the source declares it or not."""
LOCAL = re.compile(r"(?=.*[^\W_])[\w-]+")


class Shortener:
    """The shortest form of an IRI that a query takes: a prefixed name where a prefix fits, else in brackets."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        known = {"xsd": XSD, **prefixes}
        self._spaces = sorted(((space, name) for name, space in known.items()), key=lambda pair: -len(pair[0]))

    def __call__(self, iri: str) -> str:
        """The IRI, shortened by its longest namespace that leaves a plain local name."""
        for space, name in self._spaces:
            if iri.startswith(space) and LOCAL.fullmatch(iri[len(space) :]):
                return f"{name}:{iri[len(space) :]}"
        return f"<{iri}>"
