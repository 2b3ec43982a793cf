# ruff: noqa: E501
"""How English asks for common predicates: words of a question, and the labels of predicates they mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cue:
    """A word of the question that asks for predicates with certain labels."""

    word: str
    labels: frozenset[str]
    weight: float
    noun: bool
    """Whether it names what a predicate leads to (the author of), rather than what is asked about it."""
    inverse: bool | None
    """True when the question reads the predicate from object to subject; None where either may be."""

    def fits(self, label: str, inverse: bool) -> bool:
        """Whether a predicate of this label, read in this direction, is meant."""
        return label.lower() in self.labels and (self.inverse is None or self.inverse == inverse)


_PERSONAL = "author|screenwriter|creator|lyrics by|lyricist"
_TABLE: tuple[tuple[str, str, bool], ...] = (
    # words of the question, labels of predicates (best first), whether the words are a noun that leads on
    (r"where .*\bborn\b|birth ?place|place of birth|born in (?:what|which)|(?:what|which) (?:city|country|town|place|state)[^?]*\bborn", "place of birth", False),
    (r"when .*\bborn\b|birth ?da(?:y|te)|date of birth|what year .*\bborn", "date of birth", False),
    (r"\bborn\b", "place of birth|date of birth", False),
    (r"where .*\b(?:die[ds]?|death|pass(?:ed)? away|murdered|killed|assassinated)\b|place of death|death ?place|(?:what|which) (?:city|country|town|place|state|location)[^?]*\b(?:die|died|pass|death)", "place of death", False),
    (r"when .*\b(?:die[ds]?|death|pass(?:ed)? away|killed)\b|date of death", "date of death", False),
    (r"\bcaus\w+\b.*\b(?:death|die)|how did .*\bdie|of what did|die (?:of|from)|what .* die", "cause of death", False),
    (r"manner .*\b(?:die|death)|how did .*\bdie", "manner of death", False),
    (r"\b(?:buried|burial|grave)\b", "place of burial", False),
    (r"\b(?:who wrote|wrote|writer|written|author\w*)\b", _PERSONAL, True),
    (r"\bscreenplay|screenwriter|wrote the (?:film|movie|script|story)", "screenwriter", True),
    (r"\blyric\w*|words (?:of|to)", "lyrics by|lyricist", True),
    (r"\bdirect(?:or|ed|s)?\b|filmmaker", "director", True),
    (r"\bproduc(?:er|ers|ed)\b|who produced", "producer|production company", True),
    (r"\bcompos\w+|wrote the music|music (?:for|of|by)\b|score\b", "composer", True),
    (r"\bperform\w*|\bsang\b|\bsing\w*|\bartist\b|album (?:is )?by|song by|recorded by|made the album|released the (?:album|song)|play(?:s|ed)? (?:the role|pinhead)|original actor", "performer", True),
    (r"\bcast\b|\bstar(?:s|red|ring)?\b|\bact(?:or|ors|ress|resses|ed)\b|play(?:s|ed)? in|appear(?:s|ed)? in", "cast member|voice actor", True),
    (r"\bcreat(?:ed|or|e)\b|invent\w*|came up with", "creator|discoverer or inventor|developer|founded by|author", True),
    (r"\binvent\w*|discover\w*|created", "discoverer or inventor", True),
    (r"discovered|first identified|discovery", "time of discovery or invention|point in time", False),
    (r"\bdevelop(?:ed|er|ers|s|ment)?\b", "developer", True),
    (r"\bpublish(?:er|ed|es)?\b", "publisher", True),
    (r"\bdistribut\w+", "distributed by|distribution format|distributor", True),
    (r"video streaming|streaming service|watch", "distributed by", False),
    (r"\bmanufactur\w+|who makes|made by", "manufacturer", True),
    (r"\bfound(?:er|ers|ed)\b.*|established|co-?founder", "founded by|creator", True),
    (r"\b(?:when|what year)\b.*\b(?:found|establish|creat|form|start|begin|began|built|beginning|open|launch)\w*|inception", "inception|start time|date of official opening|publication date", False),
    (r"beginning|\bstart\b|\bfirst\b.*exist", "start time|inception", False),
    (r"\bwhere\b.*\b(?:found|form|establish|creat)\w*|location of formation|originate", "location of formation|headquarters location|country of origin", False),
    (r"\bend(?:ed)?\b|finish|conclude", "end time", False),
    (r"abolish\w*|dissol\w*|disband\w*|cease\w*", "dissolved, abolished or demolished date|end time|dissolved, abolished or demolished", False),
    (r"\b(?:release[ds]?|come out|came out|premiere[ds]?|publish(?:ed)?)\b.*|publication date", "publication date", False),
    (r"\bnationality|citizen\w*|what country is [^?]* (?:from|a citizen)|which country is [^?]* from|country of citizenship|national of|native of", "country of citizenship", False),
    (r"(?:what|which) (?:country|nation)\b.*\bfrom|where (?:is|was|does|did|are)\b[^?]* from|come from|comes from", "country of citizenship|country of origin|place of birth", False),
    (r"country of origin|originat\w*|(?:what|which) country\b.*\b(?:film|movie|show|created|made|produced|broadcast|released|filmed|air|origin|program|series)\w*|filmed in|originally from|come from", "country of origin", False),
    (r"(?:what|which) country|countr(?:y|ies)\b|(?:what|which) nation", "country|country of origin|country of citizenship", False),
    (r"\bgenre|(?:kind|type|style|sort|form|category|subset)s? of (?:music|film|movie|album|rock|tv|television|book|game|show|program|video|song|band|artist|series|literature|fiction|story|netflix)|what (?:kind|type|style|sort) of|music style|musical style|kind of|type of", "genre", False),
    (r"\blabel(?:ed)?\b|signed (?:to|by|with)", "record label", False),
    (r"\blanguages?\b|speak\b|spoken", "original language of film or tv show|languages spoken, written or signed|language of work or name|language used|official language|native language", False),
    (r"official languages?", "official language", False),
    (r"\bgender\b|\bsex\b|male or female|female or male|man or (?:a )?woman|boy or", "sex or gender", False),
    (r"occupation|profession|job\b|do for a living|work as|known for|career|line of work|vocation", "occupation", False),
    (r"position|(?:what|which) role", "position played on team / speciality|position held", False),
    (r"play(?:s|ed)?\b.*position|position", "position played on team / speciality", False),
    (r"instruments?\b|what does [^?]* play\b", "instrument", False),
    (r"\bsports?\b", "sport", False),
    (r"\bteams?\b|plays? for|played for|club\b", "member of sports team", False),
    (r"stadium|home (?:venue|field|ground)|where do .* play", "home venue", False),
    (r"league\b", "league", False),
    (r"married|marry|spouse|wife|husband", "spouse", True),
    (r"partner", "unmarried partner|partner in business or sport|spouse", True),
    (r"child(?:ren)?\b|\bson\b|\bsons\b|daughters?|kids?\b|offspring", "child", True),
    (r"\bfather\b|\bdad\b|\bparents?\b|son of|daughter of", "father", True),
    (r"\bmother\b|\bmom\b|\bparents?\b", "mother", True),
    (r"sibling|brother|sister", "sibling", True),
    (r"famil(?:y|ies)\b|clan", "family", False),
    (r"religi\w+|faith|denomination|practice", "religion or worldview|religion", False),
    (r"ethnic\w*|race\b|descent", "ethnic group", False),
    (r"educated|school\b|universit|college\b|alma mater|study|studied|attend", "educated at", False),
    (r"named after|named for|namesake|eponym", "named after", False),
    (r"headquarter\w*|based in|located|where is [^?]* based", "headquarters location", False),
    (r"\bwhere\b|located|location|(?:what|which) (?:city|state|county|region|province|district)|situated", "located in the administrative territorial entity|country|location|headquarters location", False),
    (r"\bhost(?:ed|s|ing)?\b|\btook place\b|\bheld in\b", "location|country", False),
    (r"island", "located in/on physical feature|part of", False),
    (r"time ?zone", "located in time zone", False),
    (r"contain|county seat|within|places? in|locations? in", "contains the administrative territorial entity|contains administrative territorial entity", False),
    (r"next to|border\w*|neighbo\w*|adjacent", "shares border with", False),
    (r"lake\b|river\b|body of water|sea\b|ocean\b|next to or on|flow", "located in or next to body of water|mouth of the watercourse|crosses", False),
    (r"pass(?:es)? over|cross(?:es)?\b|span", "crosses", False),
    (r"capital\b", "capital", True),
    (r"highest (?:point|mountain|peak)", "highest point", False),
    (r"currency|money", "currency", False),
    (r"population|inhabitants|how many people live", "population", False),
    (r"how (?:high|tall)|height|elevation", "elevation above sea level|height", False),
    (r"architect\w*|planned|designed", "architect|designed by", True),
    (r"design(?:ed|er)", "designed by|architect|creator", True),
    (r"own(?:s|er|ed)?\b", "owned by|owner of", True),
    (r"own a\b|owns\b", "owner of", True),
    (r"industr(?:y|ies)", "industry", False),
    (r"employ\b|employees", "employees", False),
    (r"award|prize|won\b|medal|honou?r", "award received", False),
    (r"\bw[io]n(?:s|ning|ners?)?\b|\bvictor\w*|\bbeat\b|\bdefeat\w*", "winner", False),
    (r"nominat\w+", "nominated for", False),
    (r"notable works?|famous works?|best known", "notable work", True),
    (r"movement", "movement", False),
    (r"member of|belong|part of", "member of|part of|genre|parent taxon", False),
    (r"political party|party\b", "member of political party", False),
    (r"ideology", "political ideology", False),
    (r"conflict|war\b|battle\b|fought|fight", "conflict|participant in|part of", False),
    (r"military|branch|served in", "military branch|conflict", False),
    (r"president|chair\w*|leader|head of", "chairperson|head of state|head of government|director / manager", True),
    (r"website|homepage|url", "official website", False),
    (r"platform|console|system", "platform", False),
    (r"game ?play|modes? of|multiplayer|single.?player|mode\b", "game mode", False),
    (r"series\b|franchise", "part of the series", False),
    (r"\b(?:album|song|track|record)s? (?:by|from|of)|work (?:of|by)|work is|body of work|music by", "performer|author|screenwriter|director|creator", True),
    (r"\b(?:film|movie|show)s? (?:by|of|from)|work (?:of|by)", "director|screenwriter|producer|production company", True),
    (r"production compan\w+|did .* (?:make|produce)|made by", "production company|producer", True),
    (r"^(?:what|which|who|name|list)[^?]*\b(?:album|band|artist|musician|singer|film|movie|song|book|game|show|series|program|cd|record)s?\b", "genre", False),
    (r"^(?:who|name|list|what is the name|which|what)[^?]*\b(?:producer|director|actor|actress|politician|writer|singer|musician|player|author|engineer|wrestler|footballer|person|composer|journalist|lawyer|model)s?\b", "occupation", False),
    (r"spin-?offs?", "derivative work|spin-off", False),
    (r"based on|adapted|adaptation|inspired", "based on", False),
    (r"follow(?:s|ed)|sequel|successor|next", "followed by|follows", False),
    (r"preced\w*|prequel|before", "follows|followed by", False),
    (r"network|channel|air(?:s|ed)?\b|broadcast", "original broadcaster|original network", False),
    (r"episodes?\b", "number of episodes", False),
    (r"subject|about\b|topic|theme|deal with", "main subject|facet of", False),
    (r"take place|takes place|set in|setting", "narrative location|set in period|location", False),
    (r"character|\bin the (?:book|film|novel)", "characters|present in work", False),
    (r"edit(?:or|ed)", "film editor|editor", True),
    (r"cinematograph\w*|photograph\w*|camera", "director of photography", True),
    (r"made of|material|made from|ingredient", "made from material|has part(s)|has part", False),
    (r"produce|product\b|products\b|make\b|makes\b", "product or material produced|notable work", False),
    (r"colou?rs?\b", "color|official color", False),
    (r"opposite", "opposite of", False),
    (r"enem(?:y|ies)", "enemy", True),
    (r"treat\w*|against|cure|medication|drug", "drug or therapy used for treatment|medical condition treated", False),
    (r"symptom", "symptoms and signs|symptoms", False),
    (r"key event|happened|event", "significant event", False),
    (r"taken part|participat\w*|took part|compete", "participant in", False),
    (r"percentage .*water|water .*percent", "water as percent of area", False),
    (r"seats", "number of seats in assembly|number of seats in legislature|maximum capacity", False),
    (r"how many people can play|players|at most", "maximum number of players", False),
    (r"astronom\w*|discovered", "discoverer or inventor|site of astronomical discovery", True),
    (r"orbit\w*|planet|star system|asteroid|celestial|group of", "parent astronomical body|minor planet group|instance of", False),
    (r"voice\b", "voice type|voice actor", False),
    (r"licen[sc]e", "copyright license", False),
    (r"protein|gene\b|encod", "encodes|encoded by", False),
    (r"what (?:is|are|was) (?:a |an |the )?\S+(?: \S+){0,3} ?\?*$|what type|what kind|what sort", "instance of|subclass of", False),
)  # fmt: skip
_INVERSE_LEAD = re.compile(
    r"\bnames? of (?:a|an)\b|^\s*what'?s an?\b|^\s*(?:please )?(?:name|list|give|tell|find|identify)\b|^\s*(?:what|which|who)(?:'s| is| are| was| were)? "
    r"(?:a|an|one|some|the name of (?:a|an|one))\b|^\s*(?:what|which) (?:\w+ ){0,2}(?:album|film|movie|book|song|artist|band"
    r"|person|people|actor|musician|show|game|work|novel|player|author|series|program)s?\b",
    re.IGNORECASE,
)


def cues_of(question: str, terms: Sequence[str]) -> list[Cue]:
    """The cues of `question`, the names in `terms` taken out, longest matching words first."""
    masked = question
    for term in sorted({t for t in terms if len(t) > 3}, key=len, reverse=True)[:1]:
        masked = re.sub(re.escape(term), " it ", masked, flags=re.IGNORECASE)
    masked = " ".join(masked.lower().split())
    inverse = True if _INVERSE_LEAD.search(masked) and not re.search(r"\bwhat (?:is|was) the\b", masked) else None
    cues = []
    for pattern, labels, noun in _TABLE:
        found = re.search(pattern, masked)
        if found:
            names = labels.split("|")
            specific = 0.12 if "." in pattern and len(found.group()) > 8 else 0.0
            for rank, name in enumerate(names):
                weight = 0.55 + specific - 0.08 * rank
                cues.append(Cue(found.group(), frozenset({name}), weight, noun, None))
                if inverse:
                    cues.append(Cue(found.group(), frozenset({name}), weight + 0.2, noun, True))
    return cues
