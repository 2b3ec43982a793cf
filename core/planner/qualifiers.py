# ruff: noqa: E501
"""What a question asks of a statement's qualifiers, and what it demands of them: when, how long, with whom, in 1911."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from enum import Enum

from core.grounding.terms import content_words


class Role(Enum):
    """What a qualifier says of its statement, read from its label."""

    AT = r"^(?:point in time|date|year|time|when)$"
    START = r"\b(?:start|begin|began|from|since)\b"
    END = r"\b(?:end|until|finish|stop)\b"
    WITH = r"\b(?:together with|shared with|jointly with|with)\b"
    BEFORE = r"\b(?:replaces|predecessor|preceded by|follows)\b"
    AFTER = r"\b(?:replaced by|successor|succeeded by|followed by)\b"
    ORDINAL = r"\b(?:ordinal|series number|number in series)\b"


def role_of(label: str) -> Role | None:
    """The role that a qualifier of this label has, if it has one of those that questions ask for by other words."""
    return next((role for role in Role if re.search(role.value, label.lower())), None)


@dataclass(frozen=True, slots=True)
class Period:
    """From `low` to `high`, beginnings of ISO dates; an open end is empty."""

    low: str
    high: str
    within: bool = False
    """Whether it is a span of time that a longer one may only touch: from 1914 to 1933."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question wants of statements."""

    roles: tuple[Role, ...] = ()
    """Qualifiers that it asks for."""
    words: frozenset[str] = frozenset()
    """Stems of the question without its names."""
    period: Period | None = None
    ordinal: int | None = None
    order: str = ""
    """ASC or DESC where the first or last in time is asked for."""
    most: str = ""
    """ASC or DESC where the least or most of a number is asked for."""
    how_long: bool = False
    how_many: bool = False
    times: bool = False
    """How many times: statements are counted, and not what they lead to."""
    now: bool = False
    yes_no: bool = False
    past: bool = False
    """Whether it asks of the past, so that what has ended counts as well."""
    beyond: bool = False
    """Whether it compares, groups or negates."""
    also_when: bool = False
    """Whether the time is asked for beside something else."""

    @property
    def demands(self) -> bool:
        """Whether the question narrows or orders statements."""
        return bool(self.period or self.ordinal or self.order or self.most or self.now)


_WHEN = r"^\W*(?:when|(?:in|during|since|until|from) (?:what|which) (?:year|month)s?|(?:what|which) years?|(?:on )?(?:what|which) (?:date|day)|since when|until when)\b"
_AND_WHEN = r"\band (?:when|(?:in )?(?:what|which) years?|since when)\b"
_ENDS = r"\b(?:end(?:ed)?|stop(?:ped)?|leave|left|cease|until|resign(?:ed)?|retire[d]?|step(?:ped)? down|finish(?:ed)?|out of office)\b"
_STARTS = r"\b(?:start(?:ed)?|begin|began|become|became|join(?:ed)?|since when|take office|took office|enter(?:ed)?|appointed|elected)\b"
_SHARED = r"\bwith wh(?:om|ich)\b|\bwho(?:m)?\b[^?]*\bwith\W*$|\bshare[ds]?\b|\btogether with\b|\bco-?(?:winner|laureate|recipient|honou?ree)s?\b|\bjointly\b|\balongside\b"
_BEFORE = r"\bpredecessor|\bpreceded\b|\bwho(?:m)? (?:was|were|held|served)\b[^?]*\b(?:right |just |immediately )?before\b|\bwhom? did\b[^?]*\b(?:succeed|replace|follow)\b|\bcame before\b|\bwas before\b|\bsucceed(?:s)? whom\b"
_AFTER = r"\bsuccessor|\bsucceeded\b|\breplaced\b|\bfollowed\b|\bwho(?:m)? (?:was|were|held|served|became)\b[^?]*\b(?:right |just |immediately )?after\b|\bcame after\b|\btook over from\b"
_FIRST = r"\b(?:the )?(?:first|earliest)\b"
_LAST = r"\b(?:last|latest|most recent(?:ly)?|newest)\b"
_MOST = r"\b(?:most|highest|largest|biggest|greatest|top)\b"
_LEAST = r"\b(?:fewest|least|lowest|smallest)\b"
_NOW = r"\b(?:current(?:ly)?|now|today|present|incumbent|at the moment)\b|^\W*(?:who|which \w+) is the it\b"
_PAST = r"\b(?:did|was|were|had|won|\w{3,}ed)\b"
_BEYOND = (
    r"\b(?!(?:west|east|interest|forest|guest|guests|honest|latest|earliest|newest)\b)\w{3,}est\b|\b(?:most|least|fewest)\b"
    r"|\b(?:more|less|fewer|older|younger|longer|shorter|larger|smaller|higher|lower|taller|earlier|later|other) than\b|\bat (?:least|most)\b"
    r"|\baverage\b|\bmean\b|\bper\b|\beach\b|\bevery\b|\bhow old\b|\bnever\b|\bnot\b|\bneither\b|\bwithout\b|\bonly\b|\bexcept\b"
)
"""Comparisons, groups and negations, which statements alone don't answer."""
_YES_NO = r"^\W*(?:is|are|was|were|does|do|did|has|have|had)\b"
_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_MONTHS = {name.lower(): n for n, name in enumerate(calendar.month_name) if name}
_YEAR = r"(?P<{0}>1[0-9]{{3}}|20[0-9]{{2}})"
_SPAN = re.compile(
    rf"\b(?:between|from) {_YEAR.format('a')} (?:and|to|until|till|through) {_YEAR.format('b')}\b|\b{_YEAR.format('c')} ?[-–] ?{_YEAR.format('d')}\b"
)
_DECADE = re.compile(r"\b(?:the )?(?P<y>1[0-9]{2}|20[0-9])0'?s\b")
_DAY = re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m>{'|'.join(_MONTHS)}),? {_YEAR.format('y')}\b")
_DAY_US = re.compile(rf"\b(?P<m>{'|'.join(_MONTHS)}) (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? {_YEAR.format('y')}\b")
_MONTH = re.compile(rf"\b(?P<m>{'|'.join(_MONTHS)}),? {_YEAR.format('y')}\b")
_ISO = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_SINCE = re.compile(rf"\b(?:since|from) {_YEAR.format('y')}\b|\b{_YEAR.format('z')} or later\b")
_AFTER_YEAR = re.compile(rf"\b(?:after|later than) {_YEAR.format('y')}\b")
_BEFORE_YEAR = re.compile(rf"\b(?:before|prior to|earlier than) {_YEAR.format('y')}\b")
_UNTIL = re.compile(rf"\b(?:until|up to|by) {_YEAR.format('y')}\b")
_ONE_YEAR = re.compile(rf"\b{_YEAR.format('y')}\b")


def asked_of(question: str, names: tuple[str, ...]) -> Asked:
    """What `question` wants of statements, its `names` of entities taken out."""
    masked = question
    for name in sorted(names, key=len, reverse=True):
        masked = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "it", masked, flags=re.IGNORECASE)
    plain = " ".join(masked.lower().split())
    how_long = bool(re.search(r"\bhow long\b|\bhow many years\b", plain))
    period, rest = _period(plain)
    order = "ASC" if re.search(_FIRST, rest) else "DESC" if re.search(_LAST, rest) else ""
    most = "DESC" if re.search(_MOST, rest) else "ASC" if re.search(_LEAST, rest) else ""
    return Asked(
        roles=_roles(rest, how_long),
        words=frozenset(content_words(rest)),
        period=period,
        ordinal=_ordinal(rest),
        order=order,
        most="" if order else most,
        how_long=how_long,
        how_many=bool(re.search(r"\bhow many\b|\bnumber of\b", rest)) and not how_long,
        times=bool(re.search(r"\bhow many times\b|\bhow often\b", rest)),
        now=bool(re.search(_NOW, rest)),
        yes_no=bool(re.search(_YES_NO, rest)),
        past=bool(re.search(_PAST, rest)),
        beyond=bool(re.search(_BEYOND, re.sub(_LAST, " ", rest))),
        also_when=bool(re.search(_AND_WHEN, rest)),
    )


def _roles(plain: str, how_long: bool) -> tuple[Role, ...]:
    if re.search(_WHEN, plain):
        if re.search(_ENDS, plain):
            return (Role.END,)
        if re.search(_STARTS, plain):
            return (Role.START, Role.AT)
        return (Role.AT, Role.START, Role.END)
    if how_long:
        return (Role.START, Role.END)
    for pattern, role in ((_SHARED, Role.WITH), (_BEFORE, Role.BEFORE), (_AFTER, Role.AFTER)):
        if re.search(pattern, plain):
            return (role,)
    return ()


def _ordinal(plain: str) -> int | None:
    found = re.search(r"\b(\d{1,3})(?:st|nd|rd|th)\b", plain)
    if found:
        return int(found[1])
    return next((n for n, word in enumerate(_WORDS, 1) if re.search(rf"\b{word}\b", plain)), None)


def _period(plain: str) -> tuple[Period | None, str]:
    """The time that is named, and the question without it."""
    span = _SPAN.search(plain)
    if span:
        low, high = span["a"] or span["c"], span["b"] or span["d"]
        return Period(low, high, within=True), _without(plain, span)
    decade = _DECADE.search(plain)
    if decade:
        return Period(f"{decade['y']}0", f"{decade['y']}9", within=True), _without(plain, decade)
    day = _ISO.search(plain)
    if day:
        return Period(day[0], day[0]), _without(plain, day)
    for pattern in (_DAY, _DAY_US, _MONTH):
        found = pattern.search(plain)
        if found:
            date = f"{found['y']}-{_MONTHS[found['m']]:02d}"
            date += f"-{int(found['d']):02d}" if pattern is not _MONTH else ""
            return Period(date, date), _without(plain, found)
    for pattern, low, high in ((_SINCE, 0, None), (_AFTER_YEAR, 1, None), (_BEFORE_YEAR, None, -1), (_UNTIL, None, 0)):
        found = pattern.search(plain)
        if found:
            year = int(next(g for g in found.groups() if g))
            ends = [str(year + shift) if shift is not None else "" for shift in (low, high)]
            return Period(ends[0], ends[1]), _without(plain, found)
    found = _ONE_YEAR.search(plain)
    return (Period(found["y"], found["y"]), _without(plain, found)) if found else (None, plain)


def _without(plain: str, found: re.Match[str]) -> str:
    return re.sub(r"\b(?:in|on|during|of|the year)\W*$", "", plain[: found.start()]) + plain[found.end() :]
