"""A timetable that never flew, between real airports: nodes and relationships as JSON lines, from a fixed seed.

python -m sample_sources.flights.generate
"""

from __future__ import annotations

import datetime as dt
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sample_sources.graph import Graph
from sample_sources.turtle import table

HERE = Path(__file__).parent
SEED = 1903
AIRLINES = [
    ("Borealis Air", "BO", "Norway", "1994-04-11", 0.91), ("Kattegat Airways", "KG", "Denmark", "1987-09-01", 0.88), ("Hansa Wings", "HW", "Germany", "1962-05-20", 0.83),
    ("Lowland Air", "LL", "Netherlands", "1971-03-15", 0.86), ("Hexagone", "HX", "France", "1958-10-02", 0.74), ("Thistle Airlines", "TH", "United Kingdom", "2003-06-18", 0.79),
    ("Lusitana", "LU", "Portugal", "1979-02-01", 0.77), ("Adriatica", "AD", "Italy", "1999-11-30", 0.71), ("Pannonia Air", "PN", "Hungary", "2006-07-07", 0.84),
    ("Aegean Gull", "AG", "Greece", "1991-05-05", 0.81), ("Sakura Sky", "SK", "Japan", "1974-04-01", 0.96), ("Great Basin Air", "GB", "United States", "1983-08-12", 0.78),
    ("Gulf Crescent", "GC", "Qatar", "1996-12-10", 0.89), ("Southern Cross Air", "SX", "Australia", "1968-01-26", 0.82),
]  # fmt: skip
HUBS = {
    "BO": ("OSL", "BGO", "TRD"), "KG": ("CPH", "GOT"), "HW": ("FRA", "MUC", "LEJ"), "LL": ("AMS", "RTM"), "HX": ("CDG", "LYS"), "TH": ("EDI", "LHR"), "LU": ("LIS", "OPO"),
    "AD": ("FCO", "VCE"), "PN": ("BUD",), "AG": ("ATH", "HER"), "SK": ("NRT", "HND", "CTS"), "GB": ("DEN", "JFK"), "GC": ("DOH",), "SX": ("SYD", "MEL"),
}  # fmt: skip
MODELS = {
    "Airbus A320": (174, 5_700),
    "Airbus A350": (325, 15_000),
    "Boeing 737-800": (186, 5_400),
    "Boeing 787-9": (294, 14_000),
    "Embraer E195": (124, 4_200),
    "ATR 72": (70, 1_500),
}
FAR = ("HW", "HX", "SK", "GB", "GC", "SX", "TH")
"""Airlines that fly to several far places from each hub."""
CAUSES = {"weather": 34, "crew": 14, "technical fault": 22, "air traffic control": 20, "late inbound aircraft": 30}
SPEED = 830.0
"""Kilometres an hour, besides half an hour for climb and approach."""


def generate() -> None:
    """Write nodes.jsonl and rels.jsonl."""
    rng, graph = random.Random(SEED), Graph()
    airports, countries = _airports(graph)
    airlines, fleets = _airlines(rng, graph, countries)
    flights = _timetable(rng, graph, airports, airlines, fleets)
    _delays(rng, graph, flights)
    graph.write(HERE / "graph")


@dataclass(frozen=True, slots=True)
class _Airport:
    node: str
    point: tuple[float, float]
    """Longitude and latitude."""


def _airports(graph: Graph) -> tuple[dict[str, _Airport], dict[str, str]]:
    """Airports by IATA code, and countries by name."""
    hubs = {code for codes in HUBS.values() for code in codes}
    airports: dict[str, _Airport] = {}
    countries: dict[str, str] = {}
    for row in table(HERE / "airports.tsv"):
        point = (float(row["longitude"]), float(row["latitude"]))
        node = graph.node(
            ["Airport", "Hub"] if row["iata"] in hubs else ["Airport"],
            iata=row["iata"],
            name=row["name"],
            city=row["city"],
            elevation_m=int(row["elevation_m"]),
            location={"point": list(point)},
        )
        airports[row["iata"]] = _Airport(node, point)
        if row["country"] not in countries:
            countries[row["country"]] = graph.node(["Country"], name=row["country"])
        graph.rel(node, "IN_COUNTRY", countries[row["country"]])
    return airports, countries


def _airlines(
    rng: random.Random, graph: Graph, countries: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, list[tuple[str, str]]]]:
    """Airlines by code, and the aircraft of each with their models."""
    airlines: dict[str, str] = {}
    fleets: dict[str, list[tuple[str, str]]] = {}
    for name, code, country, founded, on_time in AIRLINES:
        airlines[code] = graph.node(
            ["Airline"], name=name, code=code, founded={"date": founded}, **{"on-time rate": on_time}
        )
        graph.rel(airlines[code], "BASED_IN", countries[country])
        for number in range(rng.randrange(9, 19)):
            model = rng.choices(list(MODELS), (30, 9, 26, 10, 16, 9))[0]
            delivered = {"date": _day(dt.date(2003, 1, 1), rng.randrange(7_900))}
            plane = graph.node(
                ["Aircraft"],
                registration=f"{code}-{chr(65 + number)}{rng.randrange(10, 99)}",
                model=model,
                seats=MODELS[model][0] - rng.choice((0, 0, 6, 12)),
                delivered=delivered,
            )
            graph.rel(airlines[code], "OWNS", plane, since=delivered)
            fleets.setdefault(code, []).append((plane, model))
    return airlines, fleets


def _timetable(
    rng: random.Random,
    graph: Graph,
    airports: Mapping[str, _Airport],
    airlines: Mapping[str, str],
    fleets: Mapping[str, list[tuple[str, str]]],
) -> list[str]:
    """The flights of every airline from its hubs and back, and the connections that they make."""
    routes: dict[tuple[str, str], int] = {}
    flights: list[str] = []

    def km(start: str, end: str) -> float:
        return _distance(airports[start].point, airports[end].point)

    for code, airline in airlines.items():
        number = 100
        for hub in HUBS[code]:
            near = sorted(airports, key=lambda other: km(hub, other))[1:]
            far = rng.sample(near[30:], 3 if code in FAR else 1)
            for other in [*rng.sample(near[:26], 12), *far]:
                for start, end in ((hub, other), (other, hub)):
                    number += 1
                    ends = (airports[start], airports[end])
                    flights.append(_flight(rng, graph, airline, fleets[code], f"{code}{number}", ends))
                    routes[start, end] = routes.get((start, end), 0) + rng.choice((7, 7, 14, 3, 5))
    for (start, end), weekly in routes.items():
        graph.rel(
            airports[start].node,
            "CONNECTS_TO",
            airports[end].node,
            distance_km=round(km(start, end)),
            flight_time={"duration": _duration(km(start, end))},
            weekly_flights=weekly,
        )
    return flights


def _flight(
    rng: random.Random,
    graph: Graph,
    airline: str,
    fleet: list[tuple[str, str]],
    number: str,
    ends: tuple[_Airport, _Airport],
) -> str:
    start, end = ends
    km = _distance(start.point, end.point)
    leaves = dt.time(rng.randrange(6, 22), rng.choice((0, 5, 10, 20, 30, 40, 45, 55)))
    since = {"date": _day(dt.date(2012, 1, 1), rng.randrange(4_300))}
    flight = graph.node(
        ["Flight"],
        number=number,
        departs={"time": leaves.isoformat()},
        duration={"duration": _duration(km)},
        first_flown=since,
    )
    fits = [plane for plane, model in fleet if MODELS[model][1] >= km] or [fleet[0][0]]
    graph.rel(airline, "OPERATES", flight, since=since)
    graph.rel(flight, "TAKES_OFF_FROM", start.node, terminal=rng.randrange(1, 4))
    graph.rel(flight, "LANDS AT", end.node, terminal=rng.randrange(1, 4))
    graph.rel(flight, "FLOWN_WITH", rng.choice(fits))
    return flight


def _delays(rng: random.Random, graph: Graph, flights: Sequence[str]) -> None:
    for flight in rng.choices(flights, [1 / (n % 17 + 2) for n in range(len(flights))], k=420):
        delay = graph.node(
            ["Delay"],
            day={"date": _day(dt.date(2024, 1, 1), rng.randrange(366))},
            minutes=10 + int(rng.expovariate(1 / 38)),
            cause=rng.choices(list(CAUSES), list(CAUSES.values()))[0],
        )
        graph.rel(flight, "HAD_DELAY", delay)


def _day(first: dt.date, days: int) -> str:
    return (first + dt.timedelta(days=days)).isoformat()


def _duration(km: float) -> str:
    minutes = 5 * round((30 + 60 * km / SPEED) / 5)
    return f"PT{minutes // 60}H{minutes % 60}M"


def _distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Kilometres along the great circle (haversine formula)."""
    (lon1, lat1), (lon2, lat2) = ((math.radians(c) for c in p) for p in (a, b))
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * 6371.0 * math.asin(math.sqrt(h))


if __name__ == "__main__":
    generate()
