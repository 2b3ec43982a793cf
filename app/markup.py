"""Native values as HTML in which everything that comes from data is escaped."""

from __future__ import annotations

import html
import re

from app.plain import clean, node_name, plain, short_iri
from core.results import Iri, Literal, Node, Path, Rel

CUT = 400
"""Characters of one value shown outside a grid."""


def esc(text: object) -> str:
    """`text` for HTML content or a quoted attribute."""
    return html.escape(clean(str(text)), quote=True)


def tag(name: str, body: str, css: str = "", **attributes: str) -> str:
    """An element around `body`, which must be HTML already; attribute values are escaped here."""
    given = {"class": css, **{key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}}
    written = "".join(f' {key}="{esc(value)}"' for key, value in given.items() if value)
    return f"<{name}{written}>{body}</{name}>"


def cut(text: str, length: int = CUT) -> str:
    """`text`, or its beginning with an ellipsis."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def cut_words(text: str, length: int) -> str:
    """`text`, or its first whole words with an ellipsis."""
    if len(text) <= length:
        return text
    begin = text[:length].rsplit(None, 1)[0] if not text[length - 1 : length + 1].isspace() else text[: length - 1]
    return begin.rstrip(" ,;:.") + "…"


def anchor(*parts: object) -> str:
    """An id that is safe in a link: letters, digits and hyphens."""
    return "-".join(re.sub(r"[^A-Za-z0-9]+", "-", str(part)).strip("-").lower() for part in parts)


def value_html(value: object, length: int = CUT) -> str:
    """One native value: terms with their tags, nodes as chips, paths as chains."""
    match value:
        case None:
            return tag("span", "NULL", "or-null")
        case Iri():
            return iri_html(value)
        case Literal():
            badge = tag("span", esc(value.lang), "or-tag") if value.lang else ""
            return esc(cut(value.value, length)) + badge
        case Node():
            return node_html(value)
        case Rel():
            return tag("span", esc(value.type), "or-rel", title=cut(plain(value.props), 600))
        case Path():
            return path_html(value)
        case tuple() | list():
            return ", ".join(value_html(item, length) for item in value)
    return esc(cut(plain(value), length))


def iri_html(iri: Iri) -> str:
    """The last segment, the whole IRI on hover; a link only for the web's own schemes."""
    label = esc(short_iri(iri.value))
    if iri.value.startswith(("http://", "https://")):
        return tag("a", label, "or-iri", href=iri.value, title=iri.value, target="_blank", rel="noopener noreferrer")
    return tag("span", label, "or-iri", title=iri.value)


def node_html(node: Node) -> str:
    """A chip with the node's name and label; its properties on hover."""
    labels = tag("small", esc(":".join(node.labels)))
    return tag("span", f"{esc(cut(node_name(node), 80))}{labels}", "or-node", title=cut(plain(node.props), 600))


def path_html(path: Path) -> str:
    """Chips joined by arrows that point as the relationships do."""
    steps = [node_html(path.nodes[0])] if path.nodes else []
    for rel, left, right in zip(path.rels, path.nodes, path.nodes[1:], strict=False):
        forward = rel.start == left.id
        label = tag("span", esc(rel.type), "or-rel", title=cut(plain(rel.props), 600))
        steps += [f"—{label}→" if forward else f"←{label}—", node_html(right)]
    return tag("span", " ".join(steps), "or-path")


def label(text: str) -> str:
    """`text` for a widget's label, which Streamlit reads as Markdown: shown as it stands."""
    escaped = re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", " ".join(clean(text).split()))
    # Emoji and icon names are replaced after Markdown is read; a word joiner keeps the colon apart.
    return escaped.replace(":", ":\u2060")
