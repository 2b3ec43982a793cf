"""What the engine says of a question, in the words of the person who asked it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.results import STOPPED, Failed, Origin, Outcome, Returned, SourceCard, Trace

NO_SELECTION = " was left out of the selection: "

ID = r"(?P<id>[\w.-]+)"
NAMED = [
    re.compile(pattern)
    for pattern in (
        rf"(?:(?<=^)|(?<=[.;?] )){ID}(?=: | answers: )",
        rf"(?<=the best result, of ){ID}(?=,)",
        rf"(?<=The nearest is ){ID}(?= \()",
        rf"^{ID}(?={NO_SELECTION})",
        rf"(?<=The repair of ){ID}(?='s query)",
        rf"(?<=Agrees with ){ID}(?=\.$)",
        rf"(?<=Tells of it beside ){ID}(?=\.$)",
        rf"(?<=Differs from ){ID}(?=: both)",
        rf"(?<=Adds what ){ID}(?= lacks)",
    )
]
"""Where a sentence of the engine names a source by its id; ids are common words, so nowhere else."""

SHARE = re.compile(r"([Cc]overs|[Hh]olds) (\d+) of (\d+) words of the question( in its first passage)?( and )?")
SCORE = re.compile(r" \(\d\.\d\d\)(?=\.)")


def titled(text: str, cards: Mapping[str, SourceCard]) -> str:
    """`text` with sources by their titles."""

    def title(match: re.Match[str]) -> str:
        card = cards.get(match["id"])
        return card.title if card else match["id"]

    for pattern in NAMED:
        text = pattern.sub(title, text)
    return text


def judgement(text: str, cards: Mapping[str, SourceCard]) -> str:
    """Why something answers or does not, without scores and with words counted as a person would."""
    return SHARE.sub(_share, SCORE.sub("", titled(text, cards))).strip()


def _share(match: re.Match[str]) -> str:
    found, of = int(match[2]), int(match[3])
    joined = " and " if match[5] else ""
    first = "S" if match[1][0].isupper() else "s"
    if not of:
        return "" if joined else "has nothing to compare with the question"
    every = "every word" if of > 1 else "the one word"
    part = every if found == of else f"{found or 'none'} of the {of} words"
    return f"{first}peaks of {part} in your question{joined}"


CARD = re.compile(r"card (?P<near>-?\d\.\d+)(?P<unseen>, passages not searchable)?\Z")
PASSAGE = re.compile(r"passage (?P<title>“.*”) \(cosine -?\d\.\d+\)\Z", re.DOTALL)
VALUE = re.compile(r"(“[^”]*”) in ")
MORE = re.compile(r" and (\d+) more\Z")
PARTS = re.compile(r"; (?=schema terms |passage “|card -?\d\.\d)(?![^“]*”)")


def picked_because(reason: str) -> str:
    """Why a source was picked; a reason in free words, such as a model's, stays as it is."""
    parts = PARTS.split(reason)
    if not CARD.match(parts[-1]):
        return reason
    said = [_part(part) for part in parts]
    return " ".join(part for part in said if part) or "Nothing else is nearer to your question."


def _part(part: str) -> str:
    more = MORE.search(part)
    if part.startswith("stored "):
        values = list(dict.fromkeys(VALUE.findall(part)))
        rest = " and more" if more else ""
        return f"It holds {', '.join(values)}{rest}." if values else ""
    if part.startswith("schema terms "):
        terms = MORE.sub("", part.removeprefix("schema terms ")).split(", ")
        spoken = dict.fromkeys(term.replace("_", " ").strip() for term in terms)
        return f"It records {', '.join(spoken)}{' and more' if more else ''}."
    if passage := PASSAGE.match(part):
        return f"Its passage {passage['title']} is close to your question."
    card = CARD.match(part)
    return _near(float(card["near"]), bool(card["unseen"])) if card else part


def _near(near: float, unseen: bool) -> str:
    words = (
        "" if near < 0.25 else "Its description is " + ("close" if near >= 0.5 else "related") + " to your question."
    )
    words = "Your question is like one of its examples." if near >= 0.9 else words
    return f"{words} Its passages can't be searched yet.".strip() if unseen else words


def picked_how(trace: Trace) -> str:
    """How sure the choice of the first source is, and why one or several were asked; empty where nobody can tell."""
    if trace.confidence is None or trace.margin is None or not trace.candidates:
        return ""
    sure = "likely" if trace.confidence >= 0.9 else "fairly likely" if trace.confidence >= 0.8 else "not surely"
    said = f"The first is {sure} the right one ({trace.confidence:.0%})"
    if len(trace.candidates) == 1:
        return f"{said}, and nothing else comes near it, so only this one was asked."
    return f"{said}; those near it were asked as well."


def left_out(trace: Trace, source_id: str) -> str:
    """The words of the question that a source's written query does not use; empty for a query of one's own."""
    result = trace.result_of(source_id)
    missing = result.query.left_out if result and result.query else ()
    return f"This query leaves out: {', '.join(missing)}" if missing else ""


def not_asked(trace: Trace, cards: Mapping[str, SourceCard], unusable: Mapping[str, str]) -> list[tuple[str, str]]:
    """(title, reason) of the sources that could not be asked: known before, or found when sources were picked."""
    parts = (note.partition(NO_SELECTION) for note in trace.notes)
    found = {source_id: reason for source_id, _, reason in parts if reason}
    asked = {result.source_id for result in trace.results}
    reasons = {**unusable, **found}.items()
    return [(cards[i].title, reason) for i, reason in reasons if i in cards and i not in asked]


def was_stopped(trace: Trace) -> bool:
    """Whether a person stopped the question on its way."""
    if trace.reason.startswith(STOPPED):
        return True
    return any(isinstance(result, Failed) and result.kind == "stopped" for result in trace.results)


def last_edit(trace: Trace) -> Returned | Failed | None:
    """What became of the query that was run last, when a person wrote it."""
    if not trace.attempts or trace.attempts[-1].query.origin is not Origin.EDITED:
        return None
    return trace.result_of(trace.attempts[-1].query.source_id)


def answered_by(trace: Trace) -> str:
    """Who answered, or who was asked when nothing came of it."""
    by = "a model" if trace.backbone == "model" else trace.backbone.replace("built-in", "the built-in planner")
    if was_stopped(trace):
        return f"asked with {by}, stopped"
    if trace.calls and all(call.error for call in trace.calls):
        return f"{by} could not be asked"
    edited = any(r.query and r.query.origin is Origin.EDITED for r in trace.results)
    verb = "answered by" if trace.outcome is Outcome.ANSWERED and not edited else "asked with"
    return f"{verb} {by}{', then a query edited by you' if edited else ''}"
