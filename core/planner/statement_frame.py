"""Frames: statement patterns of which a question names a part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.planner.sparql import iri
from core.sources.statement_form import Form


@dataclass(frozen=True, slots=True)
class Property:
    """The four predicates of one property entity; any may be missing from the graph."""

    label: str
    forms: Mapping[str, str]

    @property
    def has_statements(self) -> bool:
        """Whether facts of it stand as statements."""
        return Form.CLAIM in self.forms and Form.STATEMENT in self.forms


@dataclass(frozen=True, slots=True)
class Frame:
    """A statement pattern that fits the data; an empty subject or value is what is asked for."""

    prop: Property
    subjects: tuple[str, ...]
    values: tuple[str, ...]
    score: float
    named: frozenset[str]
    """Terms of the question that it stands for."""
    via: str = ""
    """Direct predicate from the value to `values`, where they are not the value itself."""
    qualifiers: Mapping[str, int] = field(default_factory=dict)
    """Qualifier predicates of such statements, with how many have them."""
    extra: tuple[str, ...] = ()
    """Further patterns about ?answer."""
    own_times: Mapping[str, int] = field(default_factory=dict)
    """Direct predicates that say when ?answer itself was, such as the day of a match."""
    absent: bool = False
    """Whether no such statement exists, so that the answer is none."""
    kind: float = 0.0
    """How well the classes of what comes back go with who, or with which city."""

    @property
    def whole(self) -> bool:
        """Whether subject and value are both named."""
        return bool(self.subjects and self.values)


def core(frame: Frame) -> str:
    """The statement pattern of `frame`: ?st, and ?answer for what it leaves open."""
    claim, value = iri(frame.prop.forms[Form.CLAIM]), iri(frame.prop.forms[Form.STATEMENT])
    subject, opening = _node(frame.subjects, "?subject", "?answer")
    end, ending = _node(frame.values, "?value", "?answer" if frame.subjects else "?value")
    if frame.via:
        return f"{opening}{ending}{subject} {claim} ?st . ?st {value} ?part . ?part {iri(frame.via)} {end} ."
    return f"{opening}{ending}{subject} {claim} ?st . ?st {value} {end} ."


def plain(frame: Frame) -> str:
    """The pattern of `frame` by the direct predicate, which leaves out what better statements contradict."""
    direct = frame.prop.forms.get(Form.DIRECT)
    if not direct:
        return core(frame)
    subject, opening = _node(frame.subjects, "?subject", "?answer")
    end, ending = _node(frame.values, "?value", "?answer")
    if frame.via:
        return f"{opening}{ending}{subject} {iri(direct)} ?part . ?part {iri(frame.via)} {end} ."
    return f"{opening}{ending}{subject} {iri(direct)} {end} ."


def _node(named: Sequence[str], variable: str, answer: str) -> tuple[str, str]:
    if not named:
        return answer, ""
    if len(named) == 1:
        return iri(named[0]), ""
    return variable, f"VALUES {variable} {{ {' '.join(map(iri, named))} }} "
