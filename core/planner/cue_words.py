"""Words of English that say what is done with what they stand beside, as patterns over skeletons."""

from __future__ import annotations

import re

from core.planner.logical import Func, Op

SCHEMA = r"[EABR]\d+"

NUMBER = r"[NY]\d+"

CONSTANT = r"[NYD]\d+"

GT = (
    "more than|greater than|larger than|higher than|bigger than|over|above|exceeding|exceeds|exceed|longer than"
    "|in excess of|better than|>"
)

LT = "less than|fewer than|lower than|smaller than|below|under|shorter than|<"

GE = (
    "at least|no less than|no fewer than|not less than|a minimum of|minimum of|greater than or equal to"
    "|more than or equal to|>="
)

LE = "at most|no more than|not more than|a maximum of|maximum of|up to|less than or equal to|<="

EQ = "exactly|equal to|equals|equal|precisely|="

BEFORE = "before|prior to|earlier than|older than"

AFTER = "after|later than|newer than|younger than"

SINCE = "since|on or after|starting from|from the year"

COMPARISONS: tuple[tuple[str, Op], ...] = (
    (GE, Op.GE), (LE, Op.LE), (GT, Op.GT), (LT, Op.LT), (EQ, Op.EQ),
)  # fmt: skip

HINTED = {
    "older than": Op.GT, "younger than": Op.LT, "taller than": Op.GT, "heavier than": Op.GT, "lighter than": Op.LT,
    "cheaper than": Op.LT, "faster than": Op.GT, "slower than": Op.LT, "longer than": Op.GT, "shorter than": Op.LT,
    "aged over": Op.GT, "aged under": Op.LT, "aged": Op.EQ,
}  # fmt: skip

MOST = (
    "most|highest|largest|biggest|greatest|maximum|max|best|longest|oldest|tallest|heaviest|latest|newest"
    "|most recent|most expensive|most populous|most populated|fastest|strongest|deepest|richest|busiest"
)

LEAST = (
    "least|fewest|lowest|smallest|minimum|min|worst|shortest|youngest|earliest|cheapest|lightest|least recent"
    "|least expensive|slowest|least populous"
)

AVERAGE = {
    "average": Func.AVG, "mean": Func.AVG, "avg": Func.AVG, "sum of": Func.SUM, "sum": Func.SUM, "total": Func.SUM,
    "combined": Func.SUM, "maximum": Func.MAX, "max": Func.MAX, "minimum": Func.MIN, "min": Func.MIN,
    "highest": Func.MAX, "largest": Func.MAX, "lowest": Func.MIN, "smallest": Func.MIN,
}  # fmt: skip

MONEY = r"(?:money|dollars|euros|revenue|income)"

FILLER = r"(?:the|a|an|their|its|his|her|all|of|distinct|different|unique|various|average|total|overall|any|other)"

NEGATION = r"\b(?:not|never|no|without|except|excluding|neither|nor|none)\b"

SPENT = re.compile(r"\b(?:spent|spend|spends|in total|altogether|overall|earned|paid|made)\b")

CONNECT = frozenset(
    "and , the a an their its his her all different distinct unique 's both as well or each every corresponding of also"
    " along with".split()
) - {"with", "of"}
