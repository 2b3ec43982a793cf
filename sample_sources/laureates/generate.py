"""The invented part: the Marrow Coast League, its clubs, players, contracts and matches.

    python -m sample_sources.laureates.generate

The seed is fixed, so the same tables are written each time.
"""

from __future__ import annotations

import csv
import datetime as dt
import random
from itertools import permutations
from pathlib import Path

HERE = Path(__file__).parent
FIRST_SEASON, SEASONS = 2014, 6
CLUBS = (
    ("Port Ellery Harbour", "Tidewall Ground", 1921),
    ("Marrow Sound Rovers", "Lantern Road", 1908),
    ("Quillstone Athletic", "Quarry Field", 1934),
    ("Tessaly Bridge United", "Ferry Meadow", 1911),
    ("Ashwick Lighthouse", "Beacon Park", 1949),
    ("Dunmarrow Wanderers", "Saltpan Lane", 1902),
    ("Fennimore Town", "Cooper's Yard", 1927),
    ("Gull Point Albion", "Cliff End", 1938),
)
FIRST = "Aldo Bram Corin Davit Emrys Falk Goran Hollis Ivo Jarek Kester Lorcan Marek Nils Osric Pasco Ruben Soren Tarn Ulric Viggo Wystan Yorick Zane".split()  # fmt: skip
LAST = "Abernoy Brackwell Cardrew Dunstall Ellerby Farrowmere Gannick Holloway-Tarn Inchmore Jessop-Reed Kilvane Lathorne Merriden Norrisk Oxcombe Pellander Quenby Rathmore Saltersby Thornecroft Umberley Vexford Wrayburn Yarleigh".split()  # fmt: skip
ROLES = ("goalkeeper", "defender", "midfielder", "forward")
PLAYERS = 180


def main() -> None:
    """Write clubs.tsv, players.tsv, contracts.tsv and matches.tsv."""
    rng = random.Random(1901)
    _write("clubs", ("name", "ground", "founded"), CLUBS)
    names = rng.sample([f"{first} {last}" for first in FIRST for last in LAST], PLAYERS)
    born = {name: dt.date(1984, 1, 1) + dt.timedelta(days=rng.randrange(16 * 365)) for name in names}
    roles = {name: rng.choices(ROLES, (1, 3, 4, 3))[0] for name in names}
    _write("players", ("name", "born", "role"), [(n, born[n].isoformat(), roles[n]) for n in names])
    contracts = [row for name in names for row in _career(rng, name, roles[name])]
    _write("contracts", ("player", "club", "start", "end", "matches", "goals", "fee"), contracts)
    _write("matches", ("season", "date", "home", "away", "home_goals", "away_goals", "attendance"), _matches(rng))


def _career(rng: random.Random, name: str, role: str) -> list[tuple[object, ...]]:
    """The clubs of a player, one after the other; the last contract may still run."""
    year, rows = FIRST_SEASON - rng.randrange(6), []
    clubs = rng.sample([c[0] for c in CLUBS], rng.choices((1, 2, 3), (3, 4, 2))[0])
    for position, club in enumerate(clubs):
        years = rng.randrange(2, 6)
        end = dt.date(year + years, 6, 30)
        matches = sum(rng.randrange(3, 15) for _ in range(years))
        rate = {"goalkeeper": 0.0, "defender": 0.05, "midfielder": 0.14, "forward": 0.38}[role]
        goals = round(matches * rate * rng.uniform(0.5, 1.5))
        open_ended = position == len(clubs) - 1 and end.year >= FIRST_SEASON + SEASONS
        fee = rng.randrange(20, 900) * 1000 if position else ""
        rows.append((name, club, f"{year}-07-01", "" if open_ended else end.isoformat(), matches, goals, fee))
        year += years
    return rows


def _matches(rng: random.Random) -> list[tuple[object, ...]]:
    strength = {club[0]: rng.uniform(0.8, 2.0) for club in CLUBS}
    rows: list[tuple[object, ...]] = []
    for season in range(FIRST_SEASON, FIRST_SEASON + SEASONS):
        pairs = list(permutations([c[0] for c in CLUBS], 2))
        rng.shuffle(pairs)
        for number, (home, away) in enumerate(pairs):
            day = dt.date(season, 8, 9) + dt.timedelta(days=5 * number)
            goals = [_goals(rng, strength[home] + 0.25), _goals(rng, strength[away])]
            label = f"{season}–{(season + 1) % 100:02d}"
            rows.append((label, day.isoformat(), home, away, *goals, rng.randrange(800, 14_000)))
    return rows


def _goals(rng: random.Random, rate: float) -> int:
    return sum(rng.random() < rate / 6 for _ in range(6))


def _write(name: str, header: tuple[str, ...], rows: object) -> None:
    with (HERE / f"{name}.tsv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE)
        writer.writerow(header)
        writer.writerows(rows)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
