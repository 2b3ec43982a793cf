"""Secrets out of every text that is kept or shown."""

from __future__ import annotations

import os
import re

MASK = "•••"
NAMES = r"(?:api[_-]?key|access[_-]?key|key|token|secret|password|passwd|pwd|auth|signature|sig|credential)"
PATTERNS = (
    re.compile(rf"(?P<kept>[?&;](?:[\w.-]*[_-])?{NAMES}=)[^&\s\"'#]+", re.IGNORECASE),
    re.compile(r"(?P<kept>\b(?:Bearer|Basic|Token)\s+)[\w.~+/=-]{3,}", re.IGNORECASE),
    re.compile(r"(?P<kept>\b[a-z][a-z0-9+.-]*://[^\s/:@\"']*:)[^\s@\"']+(?=@)", re.IGNORECASE),
    re.compile(rf"(?P<kept>[\"']?\b(?:[\w-]*[_-])?{NAMES}[\"']?\s*[:=]\s*[\"']?)[^\s\"',;&}}\]]{{4,}}", re.IGNORECASE),
    re.compile(r"(?P<kept>\b)(?:sk|pk|rk|gsk|xai|hf|ghp|gho|glpat)[-_][\w-]{8,}"),
    re.compile(r"(?P<kept>\b)(?:AKIA|ASIA)[A-Z0-9]{12,}\b"),
    re.compile(r"(?P<kept>\b)AIza[\w-]{20,}"),
    re.compile(r"(?P<kept>\b)eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"),
)
SECRET_VARIABLE = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?$", re.IGNORECASE)
SHORTEST_SECRET = 6


def mask(text: str) -> str:
    """`text` with keys, tokens and passwords replaced.

    Found are: query parameters and assignments with a telling name, authorization headers, user:password
    in an address of any scheme, well-known key forms, and the values of environment variables whose name
    ends in KEY, TOKEN, SECRET or PASSWORD.
    """
    for name, value in os.environ.items():
        if len(value) >= SHORTEST_SECRET and SECRET_VARIABLE.search(name):
            text = text.replace(value, MASK)
    for pattern in PATTERNS:
        text = pattern.sub(lambda match: match["kept"] + MASK, text)
    return text
