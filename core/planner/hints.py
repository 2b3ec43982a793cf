"""Attributes that a comparing word means when the question names none."""

from __future__ import annotations

HINTS: dict[str, tuple[tuple[str, bool], ...]] = {
    "old": (
        ("age", False),
        ("birth", True),
        ("born", True),
        ("birth year", True),
        ("founded", True),
        ("year", True),
        ("date", True),
    ),
    "young": (
        ("age", False),
        ("birth", True),
        ("born", True),
        ("year", True),
    ),
    "tall": (("height", False),),
    "heav": (
        ("weight", False),
        ("mass", False),
    ),
    "light": (("weight", False),),
    "long": (
        ("length", False),
        ("duration", False),
        ("runtime", False),
        ("minute", False),
    ),
    "short": (
        ("length", False),
        ("duration", False),
        ("runtime", False),
        ("height", False),
    ),
    "cheap": (
        ("price", False),
        ("cost", False),
        ("fee", False),
        ("daily rate", False),
        ("room rate", False),
        ("hourly rate", False),
    ),
    "expensive": (
        ("price", False),
        ("cost", False),
    ),
    "fast": (
        ("speed", False),
        ("time", True),
    ),
    "slow": (
        ("speed", False),
        ("time", True),
    ),
    "earl": (
        ("date", False),
        ("year", False),
        ("time", False),
        ("released", False),
    ),
    "lat": (
        ("date", False),
        ("year", False),
        ("time", False),
        ("released", False),
    ),
    "new": (
        ("date", False),
        ("year", False),
        ("released", False),
        ("founded", False),
    ),
    "recent": (
        ("date", False),
        ("year", False),
        ("time", False),
        ("released", False),
    ),
    "popul": (("population", False),),
    "larg": (
        ("area", False),
        ("diameter", False),
        ("size", False),
        ("population", False),
        ("capacity", False),
        ("amount", False),
    ),
    "small": (
        ("area", False),
        ("diameter", False),
        ("size", False),
        ("population", False),
        ("capacity", False),
        ("amount", False),
    ),
    "big": (
        ("area", False),
        ("diameter", False),
        ("size", False),
        ("population", False),
        ("capacity", False),
    ),
    "high": (
        ("elevation", False),
        ("height", False),
        ("rating", False),
        ("score", False),
        ("stars", False),
    ),
    "best": (
        ("rating", False),
        ("score", False),
        ("stars", False),
        ("rank", True),
    ),
    "worst": (
        ("rating", False),
        ("score", False),
        ("stars", False),
    ),
    "deep": (("depth", False),),
    "rich": (
        ("income", False),
        ("wealth", False),
        ("gdp", False),
    ),
    "date": (
        ("date", False),
        ("year", False),
        ("released", False),
        ("born", False),
        ("birth date", False),
        ("time", False),
    ),
    "aged": (("age", False),),
    "money": (
        ("gross", False),
        ("revenue", False),
        ("sales", False),
        ("earnings", False),
        ("income", False),
        ("profit", False),
        ("amount", False),
        ("fee", False),
    ),
    "view": (
        ("view count", False),
        ("views", False),
    ),
    "rated": (
        ("rating", False),
        ("stars", False),
    ),
}
"""By the start of the word: attributes it may mean, likeliest first, and whether they run the other way."""
