"""A network of invented critics around real films, festivals, remakes and influences, from a fixed seed.

    python -m sample_sources.film_graph.generate

Films, directors, actors, remakes, influences and festivals are real; the critics, their reviews, whom
they follow and which festival showed a film in a given year are invented.
"""

from __future__ import annotations

import csv
import random
from pathlib import Path

from sample_sources.graph import Graph

HERE = Path(__file__).parent / "graph"
SAMPLES = Path(__file__).parent.parent
SEED = 2046

FESTIVALS = [
    ("Cannes", "France", 1946), ("Venice", "Italy", 1932), ("Berlin", "Germany", 1951), ("Toronto", "Canada", 1976), ("Sundance", "United States", 1978),
    ("Locarno", "Switzerland", 1946), ("Karlovy Vary", "Czechia", 1946), ("San Sebastian", "Spain", 1953), ("Busan", "South Korea", 1996), ("Telluride", "United States", 1974),
    ("Rotterdam", "Netherlands", 1972), ("Gothenburg", "Sweden", 1979),
]  # fmt: skip
REMAKES = [
    ("The Magnificent Seven", 1960, "Seven Samurai"), ("A Fistful of Dollars", 1964, "Yojimbo"), ("The Departed", 2006, "Infernal Affairs"), ("Scarface", 1983, "Scarface (1932)"),
    ("Heat", 1995, "L.A. Takedown"), ("Insomnia", 2002, "Insomnia (1997)"), ("The Birdcage", 1996, "La Cage aux Folles"), ("True Lies", 1994, "La Totale!"), ("12 Monkeys", 1995, "La Jetée"),
    ("Vanilla Sky", 2001, "Open Your Eyes"), ("King Kong", 2005, "King Kong (1933)"), ("The Outrage", 1964, "Rashomon"), ("Last Man Standing", 1996, "Yojimbo"), ("Nosferatu the Vampyre", 1979, "Nosferatu"),
    ("Living", 2022, "Ikiru"), ("Solaris (2002)", 2002, "Solaris"), ("Sorcerer", 1977, "The Wages of Fear"), ("West Side Story (2021)", 2021, "West Side Story"), ("Breathless (1983)", 1983, "Breathless"), ("Oldboy (2013)", 2013, "Oldboy"),
]  # fmt: skip
INFLUENCES = [
    ("Metropolis", "Blade Runner"), ("Metropolis", "Star Wars"), ("Vertigo", "12 Monkeys"), ("2001: A Space Odyssey", "Interstellar"), ("2001: A Space Odyssey", "WALL-E"),
    ("8½", "Stardust Memories"), ("La Dolce Vita", "Lost in Translation"), ("The Umbrellas of Cherbourg", "La La Land"), ("Battleship Potemkin", "The Untouchables"), ("Le Samouraï", "Collateral"), ("Le Samouraï", "The Killer"),
    ("The Cabinet of Dr. Caligari", "Shutter Island"), ("Rashomon", "Hero"), ("Yojimbo", "Reservoir Dogs"), ("City on Fire", "Reservoir Dogs"), ("Psycho", "The Silence of the Lambs"), ("Taxi Driver", "Joker"), ("Wild Strawberries", "Deconstructing Harry"), ("Alien", "Gravity"), ("Singin' in the Rain", "La La Land"),
]  # fmt: skip
FIRST = "Petra Anselm Beatrix Casper Dagny Elio Florence Gideon Hedda Ismael Jorunn Kaspar Lieselotte Magnus Nadia Otto Paloma Quentin Rafaela Sigrid Teodor Ursula Viggo Wilhelmina Xavier Ylva Zeno Amparo Bartek Colette".split()
LAST = "Lindqvist Abernathy Bertrand Cavallo Drechsler Edelman Fairweather Galanis Haverkamp Ito Jankovic Kirchner Lachance Morrow Nightingale Oduya Pemberton Quiroga Rasmussen Szabo Thornbury Uzun Valerio Whitlock Yamane Zapata".split()
OUTLETS = [
    "The Projector",
    "Reel Time",
    "Cahier Nord",
    "Second Row",
    "Celluloid Weekly",
    "Night Train Review",
    "The Aisle Seat",
    "Kino Heute",
]
WORDS = [
    "luminous",
    "overlong",
    "restless",
    "a quiet triumph",
    "cold but precise",
    "funnier than it lets on",
    "hard to shake off",
    "all surface",
    "beautifully cut",
    "a relic",
    "daring",
    "generous",
]


def generate() -> None:
    """Write nodes.jsonl and rels.jsonl."""
    rng, graph = random.Random(SEED), Graph()
    films, people = _films(graph)
    for title, year, original in REMAKES:
        for name, made in ((title, year), (original, None)):
            if name not in films:
                films[name] = graph.node(["Film"], title=name, year=made)
        graph.rel(films[title], "REMAKE_OF", films[original])
    for source, target in INFLUENCES:
        for name in (source, target):
            if name not in films:
                films[name] = graph.node(["Film"], title=name)
        graph.rel(films[source], "INFLUENCED", films[target])
    critics = _critics(rng, graph)
    _reviews(rng, graph, critics, list(films.values()))
    _screenings(rng, graph, films)
    _careers(graph, people)
    graph.write(HERE)


def _rows(path: str) -> list[dict[str, str]]:
    with (SAMPLES / path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _films(graph: Graph) -> tuple[dict[str, str], dict[str, str]]:
    films: dict[str, str] = {}
    people: dict[str, str] = {}

    def person(name: str) -> str:
        if name not in people:
            people[name] = graph.node(["Person"], name=name)
        return people[name]

    for row in _rows("films_sql/films.tsv"):
        films[row["title"]] = graph.node(["Film"], title=row["title"], year=int(row["year"]), genre=row["genre"])
        for name in row["director"].split(";"):
            graph.rel(person(name), "DIRECTED", films[row["title"]])
        for part in row["cast"].split(";"):
            actor, role = part.split("=")
            graph.rel(person(actor), "ACTED_IN", films[row["title"]], roles=[role])
    for row in _rows("films_rdf/films.tsv"):
        films.setdefault(row["title"], "")
        if not films[row["title"]]:
            films[row["title"]] = graph.node(["Film"], title=row["title"], year=int(row["year"]))
            for name in row["director"].split(";"):
                graph.rel(person(name), "DIRECTED", films[row["title"]])
    return films, people


def _careers(graph: Graph, people: dict[str, str]) -> None:
    """(director)-[:WORKED_WITH {films}]->(actor) for every pair with a film in common."""
    kinds: dict[str, dict[str, list[str]]] = {"DIRECTED": {}, "ACTED_IN": {}}
    for rel in graph.rels:
        if rel["type"] in kinds:
            kinds[rel["type"]].setdefault(rel["end"], []).append(rel["start"])
    shared: dict[tuple[str, str], int] = {}
    for film, directors in kinds["DIRECTED"].items():
        for director in directors:
            for actor in kinds["ACTED_IN"].get(film, []):
                if actor != director:
                    shared[(director, actor)] = shared.get((director, actor), 0) + 1
    for (director, actor), count in shared.items():
        graph.rel(director, "WORKED_WITH", actor, films=count)


def _critics(rng: random.Random, graph: Graph) -> list[str]:
    names: set[str] = set()
    while len(names) < 300:
        names.add(f"{rng.choice(FIRST)} {rng.choice(LAST)}")
    critics = [
        graph.node(["Critic"], name=n, outlet=rng.choice(OUTLETS), joined=rng.randrange(2004, 2023))
        for n in sorted(names)
    ]
    for critic in critics:
        for other in rng.sample(critics, rng.randrange(0, 6)):
            if other != critic:
                graph.rel(critic, "FOLLOWS", other, since=rng.randrange(2012, 2025))
    return critics


def _reviews(rng: random.Random, graph: Graph, critics: list[str], films: list[str]) -> None:
    for critic in critics:
        for film in rng.sample(films, rng.randrange(2, 12)):
            graph.rel(
                critic,
                "REVIEWED",
                film,
                rating=rng.randrange(20, 101),
                summary=rng.choice(WORDS),
                year=rng.randrange(2008, 2025),
            )


def _screenings(rng: random.Random, graph: Graph, films: dict[str, str]) -> None:
    festivals = {n: graph.node(["Festival"], name=n, country=c, founded=y) for n, c, y in FESTIVALS}
    for title in rng.sample(sorted(films), 150):
        for name in rng.sample(sorted(festivals), rng.choice((1, 1, 2))):
            graph.rel(
                festivals[name],
                "SCREENED",
                films[title],
                year=rng.randrange(2005, 2025),
                section=rng.choice(("Classics", "Retrospective", "Open Air", "Midnight")),
            )


if __name__ == "__main__":
    generate()
