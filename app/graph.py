"""A graph picture of a result: what is in it, capped, and the page that draws it without any outside request."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from app.markup import cut
from app.plain import node_name, plain, plain_props, short_iri
from core.results import Bnode, Iri, Literal, Node, Path, Paths, Payload, Rel, Rows, Triples

MAX_NODES = 120
"""More is a hairball, and slow; the table has everything."""
MAX_EDGES = 360
LABEL_CHARS = 28
MISSING = "not in the result"
VALUE = "value"
HEIGHT = 480

LIGHT = ("#2f7f78", "#c07a2c", "#7a4b94", "#3d6cb9", "#a5483c", "#6b7f2f", "#8a6d5a", "#4d8fa6")
DARK = ("#6fb8af", "#e9b872", "#cfa6e6", "#9dbcf0", "#ee9488", "#b8cc74", "#c9ad98", "#8ec9de")


@dataclass(frozen=True, slots=True)
class Dot:
    """A node to draw."""

    id: str
    label: str
    group: str
    hint: str


@dataclass(frozen=True, slots=True)
class Line:
    """A directed edge to draw, by the ids of its ends."""

    start: str
    end: str
    label: str
    hint: str = ""


@dataclass(slots=True)
class Picture:
    """Nodes and edges to draw, and how many there were before the cap."""

    dots: dict[str, Dot] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    all_dots: int = 0
    all_lines: int = 0

    @property
    def groups(self) -> tuple[str, ...]:
        """Groups of the nodes, most frequent first."""
        return tuple(group for group, _ in Counter(dot.group for dot in self.dots.values()).most_common())

    @property
    def one_relation(self) -> str:
        """What every edge is called when all are called the same and there are several; else empty."""
        labels = {line.label for line in self.lines}
        return labels.pop() if len(labels) == 1 and len(self.lines) > 1 else ""

    @property
    def notice(self) -> str:
        """What the cap left out, in words; empty when it left out nothing."""
        if self.all_dots == len(self.dots) and self.all_lines == len(self.lines):
            return ""
        return (
            f"The picture holds the first {len(self.dots):,} of {self.all_dots:,} nodes and "
            f"{len(self.lines):,} of {self.all_lines:,} edges. The table has all that was kept."
        )


def picture_of(payload: Payload) -> Picture | None:
    """The graph inside a result, or None where it holds none."""
    picture = Picture()
    seen: set[tuple[str, str, str]] = set()
    if isinstance(payload, Triples):
        for number, (subject, predicate, value) in enumerate(payload.items):
            _add_triple(picture, number, subject, predicate, value)
    elif isinstance(payload, Rows | Paths):
        for part in _graph_parts(payload.items):
            _add_part(picture, part, seen)
    _add_missing_ends(picture)
    return _capped(picture) if picture.dots else None


def _graph_parts(value: object) -> Iterator[Node | Rel | Path]:
    if isinstance(value, Node | Rel | Path):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _graph_parts(item)
    elif isinstance(value, Mapping):
        yield from _graph_parts(tuple(value.values()))


def _add_part(picture: Picture, part: Node | Rel | Path, seen: set[tuple[str, str, str]]) -> None:
    match part:
        case Node():
            label = cut(node_name(part), LABEL_CHARS)
            hint = cut(f"{':'.join(part.labels)}\n{plain_props(part.props)}", 600)
            picture.dots[str(part.id)] = Dot(str(part.id), label, next(iter(part.labels), "node"), hint)
        case Rel():
            key = (part.id, part.start, part.end)
            if key not in seen:
                seen.add(key)
                hint = cut(plain_props(part.props), 600) if part.props else ""
                picture.lines.append(Line(str(part.start), str(part.end), part.type, hint))
        case Path():
            for node in part.nodes:
                _add_part(picture, node, seen)
            for rel in part.rels:
                _add_part(picture, rel, seen)


def _add_triple(picture: Picture, number: int, subject: object, predicate: object, value: object) -> None:
    # Two statements with the same literal do not meet in it, so each literal is a node of its own.
    end = f"value {number}" if isinstance(value, Literal) else _term_id(value)
    picture.dots.setdefault(_term_id(subject), _term_dot(subject))
    if isinstance(value, Literal):
        picture.dots[end] = Dot(end, cut(plain(value), LABEL_CHARS), VALUE, cut(plain(value), 600))
    else:
        picture.dots.setdefault(end, _term_dot(value))
    label = short_iri(predicate.value) if isinstance(predicate, Iri) else plain(predicate)
    picture.lines.append(Line(_term_id(subject), end, label, plain(predicate)))


def _term_id(term: object) -> str:
    return f"_:{term.value}" if isinstance(term, Bnode) else plain(term)


def _term_dot(term: object) -> Dot:
    name = short_iri(term.value) if isinstance(term, Iri) else plain(term)
    return Dot(
        _term_id(term), cut(name, LABEL_CHARS), "blank node" if isinstance(term, Bnode) else "resource", plain(term)
    )


def _add_missing_ends(picture: Picture) -> None:
    """A relationship whose end the query did not return still has two ends."""
    for line in picture.lines:
        for end in (line.start, line.end):
            if end not in picture.dots:
                picture.dots[end] = Dot(end, "…", MISSING, f"The query did not return this node ({end}).")


def _capped(picture: Picture) -> Picture:
    dots = dict(list(_by_edge(picture))[:MAX_NODES])
    lines = [line for line in picture.lines if line.start in dots and line.end in dots][:MAX_EDGES]
    return Picture(dots, lines, len(picture.dots), len(picture.lines))


def _by_edge(picture: Picture) -> Iterable[tuple[str, Dot]]:
    """Nodes in the order their edges come, so that a cap keeps edges whole; then nodes without edges."""
    order = dict.fromkeys(end for line in picture.lines for end in (line.start, line.end))
    return ((dot_id, picture.dots[dot_id]) for dot_id in dict.fromkeys([*order, *picture.dots]))


def palette(picture: Picture, dark: bool) -> dict[str, str]:
    """A colour for each group, grey for what the query did not return."""
    colours = DARK if dark else LIGHT
    named = [group for group in picture.groups if group not in (MISSING, VALUE)]
    chosen = {group: colours[number % len(colours)] for number, group in enumerate(named)}
    return chosen | {VALUE: "#b9b2a3" if not dark else "#5c5850", MISSING: "#9a9a9a"}


def graph_html(picture: Picture, dark: bool = False) -> str:
    """A page that draws the picture; the library is inside it and nothing is fetched."""
    from pyvis.network import Network

    ground, ink = ("#15191b", "#e7e4dc") if dark else ("#fbfaf7", "#22272a")
    net = Network(
        height=f"{HEIGHT}px", width="100%", directed=True, cdn_resources="in_line", bgcolor=ground, font_color=ink
    )
    colours = palette(picture, dark)
    for dot in picture.dots.values():
        net.add_node(
            dot.id,
            label=dot.label,
            title=dot.hint,
            color=colours[dot.group],
            shape="box" if dot.group == VALUE else "dot",
            size=14,
        )
    for line in picture.lines:
        label = "" if picture.one_relation else cut(line.label, LABEL_CHARS)
        net.add_edge(line.start, line.end, label=label, title="\n".join(filter(None, (line.label, line.hint))))
    net.set_options(json.dumps(_options(ink, ground, len(picture.dots))))
    return _offline(net.generate_html(notebook=False), ground)


def _options(ink: str, ground: str, size: int) -> dict[str, object]:
    halo = {"strokeWidth": 4, "strokeColor": ground}
    # The picture is zoomed out to fit, so the more there is, the larger it has to be written.
    font = min(14 + max(0, size - 8) // 4, 22)
    return {
        "layout": {"randomSeed": 7, "improvedLayout": size <= 80},
        "nodes": {
            "font": {"size": font, "face": "Source Sans, Source Sans Pro, sans-serif", "color": ink, **halo},
            "borderWidth": 0,
        },
        "edges": {
            "arrows": {"to": {"enabled": True, "scaleFactor": 0.55}},
            "color": {"color": f"{ink}55", "highlight": ink},
            "font": {"size": max(10, font - 5), "color": f"{ink}99", "align": "middle", **halo},
            "smooth": {"type": "continuous"},
        },
        "physics": {
            "solver": "forceAtlas2Based",
            "forceAtlas2Based": {"gravitationalConstant": -60, "springLength": 110 + 2 * font, "avoidOverlap": 1},
            "stabilization": {"iterations": 250},
            "minVelocity": 1.2,
        },
        "interaction": {"hover": True, "tooltipDelay": 120, "navigationButtons": False, "keyboard": False},
    }


def _offline(page: str, ground: str) -> str:
    """The page without the tags that load bootstrap from a CDN, its empty headings and its frame."""
    page = re.sub(r"<link\b[^>]*cdn\.jsdelivr\.net[^>]*/?>", "", page)
    page = re.sub(r"<script\b[^>]*\bsrc=[^>]*>\s*</script>", "", page)
    page = re.sub(r"<!-- <link rel.*?-->", "", page, flags=re.DOTALL)
    page = re.sub(r"<center>\s*<h1>\s*</h1>\s*</center>", "", page)
    page = page.replace("border: 1px solid lightgray;", "").replace("float: left;", "")
    style = f"html,body{{margin:0;overflow:hidden;font-family:sans-serif;background:{ground}}}"
    return page.replace("<head>", f"<head><style>{style}</style>", 1)
