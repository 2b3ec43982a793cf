"""Whether enough of a question was linked to answer it rather than something near it."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from core.errors import CannotLink, NoSuchThing
from core.planner.cue_words import AFTER, AVERAGE, BEFORE, COMPARISONS, HINTED, LEAST, MOST, SINCE
from core.planner.mentions import Mention
from core.planner.words import ACTS, PAST, STOP, UNITS, Token

_HONORIFICS = frozenset({"dr", "mr", "mrs", "ms", "prof", "professor", "sir", "doctor", "saint", "st"})


_USED = re.compile(
    "|".join((MOST, LEAST, BEFORE, AFTER, SINCE, *AVERAGE, *HINTED, *(words for words, _ in COMPARISONS)))
)
"""Words that the reading of intent uses without a mention of their own."""


_VERBS = frozenset(
    "is are was were do does did have has had can could will would should in of at from on with by for who that live"
    " lives work works made".split()
)
_KINDS = frozenset({"kind", "kinds", "type", "types", "sort", "year", "years", "time", "day", "date",
                    "month", "months", "percentage",
                    "percent", "share", "proportion", "one", "ones", "times", "much", "many"})  # fmt: skip


_LEADS = frozenset("what which is are was were the a tell me give show us s".split())


_COMPARING = frozenset(
    word
    for words in (MOST, LEAST, BEFORE, AFTER, SINCE, *HINTED, *(said for said, _ in COMPARISONS))
    for word in re.findall(r"[a-z]+", words)
)


_ORDINALS = frozenset("second third fourth fifth sixth seventh eighth ninth tenth 2nd 3rd 4th 5th".split())
_SHORT = re.compile(r"\d+(?:[.,]\d+)?[kKmM]")
_THAN = frozenset("above over below under exceeding exceeds greater higher lower less more between".split())


def _asked_noun(tokens: Sequence[Token], linked: Container[int]) -> str:
    """The noun that a question asks for, where nothing in the source goes by it: which customers; else empty."""
    words = [t.lower for t in tokens]
    start = next((i for i, w in enumerate(words) if w not in _LEADS), 0)
    if start + 2 < len(words) and words[start + 1] == "of" and start not in linked:
        token = tokens[start]
        if token.kind == "word" and token.lower not in STOP | UNITS | _KINDS:
            return token.lower  # the GDP of Vietnam
    for i, word in enumerate(words[:-1]):
        opens = word == "which" or (word == "many" and i > 0 and words[i - 1] == "how")
        if not opens or (i > 0 and words[i - 1] in _VERBS):
            continue
        at = i + 1
        token = tokens[at]
        if at in linked or token.kind != "word" or token.capitalised or token.lower in STOP | UNITS | _KINDS:
            return ""
        following = words[at + 1] if at + 1 < len(words) else ""
        return token.lower if following in _VERBS or not following else ""
    return ""


_DEEDS = frozenset("made makes did does won wins got has had have is are was were lives works appears appeared".split())
_HARMLESS = frozenset(
    "single relationship worldwide global globally international overall altogether"
    " first last new old whole entire possible corresponding respective full exact actual specific particular certain"
    " main own total associated related registered recorded available existing existed ordered order descending"
    " ascending alphabetical alphabetically lexicographic id ids names list people person thing things item items way"
    " kind type kinds types value values data source sources answer please there here where still already database"
    " system table entry entries top bottom both together per cent hour hours also either times time"
    " difference month months days day neither nor directly indirectly transitively apart".split()
)


def _restricts(tokens: Sequence[Token], at: int, linked: Container[int], verbs: Container[int]) -> bool:
    """Whether a word that nothing stands for narrows the question: female patients, the unemployment rate.

    Verbs and adverbs are passed over, as a query can say what they say by its joins; English has no rule that
    tells them apart for sure, so only words in the place of an adjective or of an object at the end count.
    """
    word = tokens[at].lower
    before = tokens[at - 1].lower if at else ""
    if at == 1 and before == "who" and word not in _DEEDS:
        return True  # who edited a film is not who is otherwise joined with it
    numbers = any(t.kind == "number" for t in tokens[at + 1 : at + 5])
    compared = at + 1 < len(tokens) and tokens[at + 1].lower in _THAN
    if compared and numbers and before in ("a", "an", "the", "with", "whose", "of", "and", "their"):
        return True  # with a rating over 8.5
    if word in PAST or word in ACTS or word in _HARMLESS or word in _COMPARING or _USED.search(word):
        return False
    if word.startswith("un") and word.endswith("ed") and before in ("is", "are", "was", "were"):
        return True  # people who were unemployed
    if word.endswith(("ed", "ing", "ly", "est")):
        return False
    after = tokens[at + 1].lower if at + 1 < len(tokens) else ""
    noun = not word.endswith(("ive", "ous", "ent", "ant", "able", "ful", "ar", "al", "ic"))
    if before in ("most", "fewest", "more", "fewer") and noun:
        return True  # the most hip replacements
    if ((at - 1 in linked or before in AVERAGE) and after == "of") or (
        at == _last_word(tokens) and before in ("is", "are", "was", "were")
    ):
        return True  # the population density of Japan; results that were abnormal
    led = tokens[at - 2].lower if at > 1 and before in ("a", "an", "the") else ""
    if at == _last_word(tokens) and (
        before in ("to", "with", "of", "for", "in", "from", "against", "about", "by")
        or led in ("to", "with", "of", "for", "from", "against", "about", "by")
    ):
        return True
    lead = (
        not before
        or before in AVERAGE
        or before in ("a", "an", "the", "of", "many", "which", "what", "all", "any", "for", "with")
    )
    follows = at + 1 in linked
    return (lead and follows) or (at == _last_word(tokens) and at - 1 in verbs)


def _last_word(tokens: Sequence[Token]) -> int:
    return max((i for i, t in enumerate(tokens) if t.kind != "mark"), default=-1)


def check_coverage(tokens: Sequence[Token], mentions: Sequence[Mention], about: Container[str] = ()) -> tuple[str, ...]:
    """Raise unless the names in the question, and most of its other words, were linked; gives the words left out.

    `about` are words for the source itself, which it need not store.

    Raises:
        CannotLink: Names or too many words stand for nothing in the source; the message lists them.
    """
    linked = {i for m in mentions if m.code != "Q" for i in range(m.first, m.last)}
    asked = _asked_noun(tokens, linked)
    counted = [t.lower for t in tokens[:2]] == ["how", "many"]
    if asked and (asked not in about or counted):
        raise NoSuchThing(f"The question asks for {asked!r}, which this source does not have.")
    if any(t.lower == "within" and i not in linked for i, t in enumerate(tokens)):
        raise CannotLink("'within' asks for a distance or a time that is not written here. Name the two ends instead.")
    odd = [
        t.text for i, t in enumerate(tokens) if i not in linked and (t.lower in _ORDINALS or _SHORT.fullmatch(t.text))
    ]
    if odd:
        raise CannotLink(f"{odd[0]!r} is not read here. Write the number out, or ask for the first ones.")
    verbs = {i for m in mentions if m.code == "R" for i in range(m.first, m.last)}
    names: list[str] = []
    unlinked: list[int] = []
    words: list[str] = []
    for i, token in enumerate(tokens):
        if i in linked or token.lower.rstrip(".") in _HONORIFICS or token.kind != "word" or token.lower in STOP | UNITS:
            continue
        if token.lower in about or token.lower in ("year", "years"):
            continue
        (names if token.capitalised and i > 0 else words).append(token.text)
        unlinked.append(i)
    if names:
        raise CannotLink(f"{' '.join(names)!r} is not stored in this source.")
    if words and not any(m.code in "EABV" for m in mentions):
        raise CannotLink(f"These words stand for nothing in this source: {', '.join(words)}.")
    dropped = [tokens[i].text for i in unlinked if _restricts(tokens, i, linked, verbs)]
    if dropped:
        raise CannotLink(f"{' '.join(dropped)!r} stands for nothing in this source.")
    content = len(words) + len([m for m in mentions if m.code != "Q"])
    if not mentions or (len(words) > 2 and len(words) > 0.45 * content):
        raise CannotLink(f"These words stand for nothing in this source: {', '.join(words)}.")
    return tuple(w for w in words if not _USED.search(w.lower()) and w.lower() not in _COMPARING | _HARMLESS)
