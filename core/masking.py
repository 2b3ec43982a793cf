"""Secrets out of every text that is kept or shown."""

from __future__ import annotations

import os
import re

MASK = "•••"
NAMES = (
    r"(?:api[_-]?key|access[_-]?key|account[_-]?key|key|token|secret|password|passwd|pwd|auth|signature|sig|credential)"
)
SHAPES = (
    re.compile(r"(?P<kept>\b[a-z][a-z0-9+.-]{0,30}://[^\s/:@\"'<>]{0,200}:)[^\s/\"'<>]{1,200}(?=@)", re.IGNORECASE),
    re.compile(r"(?P<kept>\b)(?:sk|pk|rk|gsk|xai|hf|ghp|gho|glpat)[-_](?=[\w-]*\d)[\w-]{8,}"),
    re.compile(r"(?P<kept>\b)(?:sk|pk|gsk|xai)-[\w-]*\*{3,}[\w*-]*"),
    re.compile(r"(?P<kept>\b)(?:AKIA|ASIA)[A-Z0-9]{12,}\b"),
    re.compile(r"(?P<kept>\b)AIza[\w-]{20,}"),
    re.compile(r"(?P<kept>\b)eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"),
)
"""What can hardly be anything but a secret: passwords in addresses, and keys by their form."""
CONTEXTS = (
    re.compile(rf"(?P<kept>[?&;](?:[\w.-]*[_-])?{NAMES}=)[^&\s\"'#]+", re.IGNORECASE),
    re.compile(
        r"(?P<kept>authorization[\"']?\s*[:=]\s*[\"']?(?:(?:Bearer|Basic|Token|ApiKey|Digest)[ \t]+)?+)[\w.~+/=-]{3,}",
        re.IGNORECASE,
    ),
    re.compile(r"(?P<kept>\b(?:Bearer|Basic)[ \t]+)[\w.~+/=-]{3,}", re.IGNORECASE),
    re.compile(
        rf"(?P<kept>[\"']?\b(?:[\w-]*[_-])?{NAMES}[\"']?\s*[:=]\s*[\"']?)(?!\s|(?:Bearer|Basic)\b)[^\s\"',;&}}\]]+",
        re.IGNORECASE,
    ),
)
"""What is a secret because of the word before it; in a prompt the same words are schema or prose."""
SECRET_VARIABLE = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?$", re.IGNORECASE)
SHORTEST_SECRET = 6

_named: set[str] = set()


def name_secret(variable: str) -> None:
    """Treat this environment variable's value as a secret, whatever the variable is called."""
    if variable:
        _named.add(variable)


def mask_known(text: str) -> str:
    """`text` without secrets that show by themselves; a query or a schema in it stays as it is.

    Found are: the values of environment variables whose name ends in KEY, TOKEN, SECRET or PASSWORD or
    was given to `name_secret`, user:password in an address of any scheme, and well-known key forms.
    """
    held = {
        v for n, v in os.environ.items() if len(v) >= SHORTEST_SECRET and (n in _named or SECRET_VARIABLE.search(n))
    }
    for value in sorted(held, key=len, reverse=True):
        text = text.replace(value, MASK)
    return _hide(SHAPES, text)


def mask(text: str) -> str:
    """`text` with keys, tokens and passwords replaced: for messages and logs.

    Found are, beside what `mask_known` finds: query parameters and assignments with a telling name, and
    authorization headers.
    """
    return _hide(CONTEXTS, mask_known(text))


def _hide(patterns: tuple[re.Pattern[str], ...], text: str) -> str:
    for pattern in patterns:
        text = pattern.sub(lambda match: match["kept"] + MASK, text)
    return text
