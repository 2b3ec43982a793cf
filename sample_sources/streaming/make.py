"""A streaming service that never was: real films and series, invented subscribers, viewings and licences."""

from __future__ import annotations

import datetime as dt
import random
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from sample_sources.database import database
from sample_sources.turtle import table

HERE = Path(__file__).parent
FILMS = (HERE.parent / "films_sql" / "films.tsv", HERE.parent / "films_rdf" / "films.tsv")
SEED = 8128
FIRST_DAY, LAST_DAY = dt.date(2021, 1, 1), dt.date(2024, 12, 31)
VIEWINGS = 32_000
SUBSCRIBERS = 900

PLANS = [
    ("Basic", "6.99", 1, "HD"),
    ("Standard", "10.99", 2, "Full HD"),
    ("Premium", "15.99", 4, "4K"),
    ("Student", "4.99", 1, "HD"),
]
PLAN_WEIGHTS = (40, 31, 18, 11)
COUNTRIES = {
    "Norway": 24, "Sweden": 19, "Denmark": 13, "Germany": 30, "Netherlands": 11, "France": 16, "Spain": 9, "Italy": 8,
    "Poland": 7, "Ireland": 5, "Portugal": 3, "Finland": 6,
}  # fmt: skip
FIRST = (
    "Astrid Bjarne Camille Dario Edda Florian Greta Hakon Ilse Joaquim Katja Lorenzo Magda Nils Oriana Pelle Quirin Rosalie Signe"
    " Torben Ulla Viggo Wilma Ylva Zeno Agnes Basile Clemence Domingo Elif Fergus Ginevra Henk Inga Jaromir Kaja Lieke Mirko Nadja Ozan"
).split()
LAST = (
    "Aaltonen Berntsen Caruso Dahlberg Eriksson Fischbach Gallagher Hoekstra Iversen Janssen Kaczmarek Lindqvist Moreau Nygaard"
    " Oliveira Pettersen Quintana Rasmussen Sandvik Thorsen Urbaniak Vermeer Westergaard Ximenes Ysbrand Zanetti Bergqvist Carlsen"
    " Duarte Engström"
).split()
DEVICES = {"Television": 42, "Phone": 24, "Tablet": 15, "Laptop": 14, "Game console": 5}
SIZES = {
    "Television": ("43", "50", "55", "65", "unknown"), "Phone": ("6.1", "6.7", "5.8"), "Tablet": ("10.9", "8.3", "12.9"),
    "Laptop": ("13.3", "14", "15.6"), "Game console": ("unknown",),
}  # fmt: skip
DISTRIBUTORS = [
    ("Meridian Rights", "United Kingdom"), ("Nordlys Distribution", "Norway"), ("Cinémathèque Export", "France"),
    ("Pacific Reel", "United States"), ("Sakura Licensing", "Japan"), ("Alto Adige Media", "Italy"), ("Baltic Frames", None),
]  # fmt: skip
REGIONS = ("Nordics", "Benelux", "Germany", "France", "Iberia", "Italy", "British Isles")
AGES = ("all", "6", "12", "16", "18")


def make(path: Path) -> None:
    """Write the database."""
    rng = random.Random(SEED)
    with database(path, HERE / "schema.sql") as db:
        db.executemany("INSERT INTO plan VALUES (?,?,?,?,?)", [(n, *plan) for n, plan in enumerate(PLANS, 1)])
        titles = _titles(db, rng)
        subscribers = _subscribers(db, rng)
        devices = _devices(db, rng, subscribers)
        _viewings(db, rng, titles, subscribers, devices)
        _licences(db, rng, titles)


def _titles(db: sqlite3.Connection, rng: random.Random) -> list[tuple[int, str, int | None]]:
    """Films of the two film sources and series of our own: (title, kind, minutes of one sitting)."""
    box_office = [
        (r["title"], int(r["year"]), "United States", int(r["runtime"]), [r["genre"]], r["director"].split(";"))
        for r in table(FILMS[0])
        if r["genre"]
    ]
    world = [
        (r["title"], int(r["year"]), r["country"].split(";")[0], int(r["runtime"]), ["Drama"], r["director"].split(";"))
        for r in table(FILMS[1])
    ]
    films = rng.sample(box_office, 74) + rng.sample(world, 58)
    known: set[str] = set()
    genres: dict[str, int] = {}
    creators: dict[str, int] = {}
    made: list[tuple[int, str, int | None]] = []

    def add(name: str, kind: str, year: int, country: str, runtime: int | None, seasons: int | None) -> int:
        number = len(made) + 1
        made.append((number, kind, runtime))
        age = rng.choices(AGES, (10, 12, 30, 34, 14))[0] if rng.random() < 0.93 else None
        db.execute(
            "INSERT INTO title VALUES (?,?,?,?,?,?,?,?)", (number, name, kind, year, country, runtime, seasons, age)
        )
        return number

    def join(number: int, kinds: Sequence[str], people: Sequence[str]) -> None:
        for kind in dict.fromkeys(kinds):
            db.execute("INSERT INTO title_genre VALUES (?,?)", (number, genres.setdefault(kind, len(genres) + 1)))
        for person in dict.fromkeys(people):
            db.execute(
                "INSERT INTO title_creator VALUES (?,?)", (number, creators.setdefault(person, len(creators) + 1))
            )

    for name, year, country, runtime, kinds, people in films:
        if name not in known:
            known.add(name)
            join(add(name, "film", year, country, runtime, None), kinds, people)
    for row in table(HERE / "series.tsv"):
        number = add(row["name"], "series", int(row["year"]), row["country"], None, int(row["seasons"]))
        join(number, row["genres"].split(";"), row["creator"].split(";"))
    db.executemany("INSERT INTO genre VALUES (?,?)", [(n, name) for name, n in genres.items()])
    db.executemany("INSERT INTO creator VALUES (?,?)", [(n, name) for name, n in creators.items()])
    return made


def _subscribers(db: sqlite3.Connection, rng: random.Random) -> list[tuple[int, dt.date, dt.date]]:
    """(subscriber, first day, last day) of each."""
    names = rng.sample([f"{first} {last}" for first in FIRST for last in LAST], SUBSCRIBERS)
    kept = []
    for number, name in enumerate(names, 1):
        joined = FIRST_DAY - dt.timedelta(days=rng.randrange(700)) + dt.timedelta(days=int(2_000 * rng.random() ** 1.6))
        joined = min(joined, dt.date(2024, 11, 20))
        cancelled = joined + dt.timedelta(days=rng.randrange(40, 900)) if rng.random() < 0.34 else None
        cancelled = cancelled if cancelled and cancelled < LAST_DAY else None
        born = dt.date(1950, 1, 1) + dt.timedelta(days=int(20_500 * rng.betavariate(2.2, 1.7)))
        row = (
            number,
            name,
            born.isoformat() if rng.random() < 0.94 else None,
            rng.choices(list(COUNTRIES), list(COUNTRIES.values()))[0],
            rng.choices(range(1, 5), PLAN_WEIGHTS)[0],
            joined.isoformat(),
            cancelled.isoformat() if cancelled else None,
        )
        db.execute("INSERT INTO subscriber VALUES (?,?,?,?,?,?,?)", row)
        kept.append((number, max(joined, FIRST_DAY), cancelled or LAST_DAY))
    return [k for k in kept if k[1] < k[2]]


def _devices(
    db: sqlite3.Connection, rng: random.Random, subscribers: Sequence[tuple[int, dt.date, dt.date]]
) -> dict[int, list[int]]:
    owned: dict[int, list[int]] = {}
    number = 0
    for subscriber, first, _ in subscribers:
        for _ in range(rng.choices((1, 2, 3), (45, 40, 15))[0]):
            number += 1
            kind = rng.choices(list(DEVICES), list(DEVICES.values()))[0]
            since = (first + dt.timedelta(days=rng.randrange(0, 60))).isoformat() if rng.random() < 0.9 else None
            row = (number, subscriber, kind, rng.choice(SIZES[kind]) if rng.random() < 0.85 else None, since)
            db.execute("INSERT INTO device VALUES (?,?,?,?,?)", row)
            owned.setdefault(subscriber, []).append(number)
    return owned


def _viewings(
    db: sqlite3.Connection,
    rng: random.Random,
    titles: Sequence[tuple[int, str, int | None]],
    subscribers: Sequence[tuple[int, dt.date, dt.date]],
    devices: dict[int, list[int]],
) -> None:
    """What was watched and how it was liked; a few titles and a few people make up most of it."""
    liked = [1 / (rank + 4) * (2.2 if titles[rank][1] == "series" else 1) for rank in range(len(titles))]
    order = rng.sample(range(len(titles)), len(titles))
    keen = [rng.paretovariate(1.4) for _ in subscribers]
    stars: dict[tuple[int, int], tuple[int, str]] = {}
    taste = [rng.betavariate(4, 2) for _ in titles]
    for number in range(1, VIEWINGS + 1):
        subscriber, first, last = rng.choices(subscribers, keen)[0]
        at = order[rng.choices(range(len(titles)), liked)[0]]
        title, _, runtime = titles[at]
        day = first + dt.timedelta(days=int((last - first).days * rng.random()))
        whole = runtime or rng.randrange(24, 62)
        completed = rng.random() < 0.62
        minutes = whole if completed else max(2, int(whole * rng.random()))
        device = rng.choice(devices[subscriber]) if rng.random() < 0.96 else None
        db.execute(
            "INSERT INTO viewing VALUES (?,?,?,?,?,?,?)",
            (number, subscriber, title, device, day.isoformat(), minutes, int(completed)),
        )
        if rng.random() < 0.09:
            given = min(5, max(1, round(5 * taste[at] + rng.gauss(0.3, 0.9))))
            stars[subscriber, title] = (given, day.isoformat())
    db.executemany("INSERT INTO review VALUES (?,?,?,?)", [(*key, *value) for key, value in sorted(stars.items())])


def _licences(db: sqlite3.Connection, rng: random.Random, titles: Sequence[tuple[int, str, int | None]]) -> None:
    rows = [(n, *one) for n, one in enumerate(DISTRIBUTORS, 1)]
    db.executemany("INSERT INTO distributor VALUES (?,?,?)", rows)
    number = 0
    for title, kind, _ in titles:
        distributor = rng.choices(range(1, len(rows) + 1), (30, 21, 13, 18, 9, 6, 3))[0]
        for region in rng.sample(REGIONS, rng.randrange(1, 5)):
            number += 1
            start = dt.date(2020, 1, 1) + dt.timedelta(days=rng.randrange(1_500))
            end = start + dt.timedelta(days=rng.choice((365, 730, 1_095))) if rng.random() < 0.85 else None
            fee = (
                int(rng.lognormvariate(10.4 if kind == "series" else 9.7, 0.5) // 100 * 100)
                if rng.random() < 0.92
                else None
            )
            days = (start.isoformat(), end.isoformat() if end else None)
            db.execute("INSERT INTO licence VALUES (?,?,?,?,?,?,?)", (number, title, distributor, region, *days, fee))
