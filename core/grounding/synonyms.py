"""Words that questions and schemas use for one another."""

from __future__ import annotations

from functools import lru_cache

from core.grounding.terms import stem

SYNONYMS = (
    "film movie picture", "country nation state_of", "employee staff worker", "city town", "cost price fee",
    "salary pay wage earning", "phone telephone", "supplier vendor", "company firm business_firm", "doctor physician",
    "customer client", "spouse husband wife marry partner", "teacher instructor professor", "car automobile vehicle",
    "death", "author write writer", "act actor actress star cast play feature", "direct director filmmaker",
    "produce producer", "found founder establish creator", "begin start", "end finish", "job occupation profession",
    "nationality citizenship", "sex gender", "surname lastname familyname", "length duration runtime",
    "weight mass", "height tall", "hometown home", "kind type", "rate rating score", "school university college",
    "photo picture", "population inhabitant person people resident",
    "illness disease condition", "drug medication medicine",
    "border neighbour neighbor adjacent", "area size surface", "language speak", "headquarters headquarter",
    "enrol enroll", "buy purchase", "earn revenue gross", "release publish", "compose composer music",
    "shoot shot cinematographer",
    "visit trip",
    "manage manager boss", "supply supplier", "ship deliver", "locate location place", "song track", "singer artist",
    "capital", "award prize", "description detail", "record entry", "genre category", "budget cost",
    "code abbreviation", "independent independence",
    "amount sum", "quantity number unit units", "character role",
    "ticket", "total sum", "class course", "airline carrier", "year", "player athlete",
    "pet animal", "area_code zip", "dad father", "mom mother", "kid child", "maker manufacturer make",
    "diagnosis diagnose", "appoint appointment", "prescribe prescription", "treat treatment", "clinic hospital",
)  # fmt: skip
"""Groups of words, the plain forms; a word may stand in several."""


@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[str]]:
    groups: dict[str, set[str]] = {}
    for line in SYNONYMS:
        stems = {stem(w) for w in line.split()}
        for one in stems:
            groups.setdefault(one, set()).update(stems)
    return {k: frozenset(v) for k, v in groups.items()}


def synonyms(stemmed: str) -> frozenset[str]:
    """Snowball stems that mean what `stemmed` means, without itself."""
    return _groups().get(stemmed, frozenset()) - {stemmed}
