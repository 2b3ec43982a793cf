"""A timetable that never flew, between real airports: nodes and relationships as JSON lines, from a fixed seed.

python -m sample_sources.flights.generate
"""

from __future__ import annotations

import datetime as dt
import json
import math
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
CAUSES = {"weather": 34, "crew": 14, "technical fault": 22, "air traffic control": 20, "late inbound aircraft": 30}
SPEED = 830.0
"""Kilometres an hour, besides half an hour for climb and approach."""


def generate() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The nodes and the relationships."""
    rng = random.Random(SEED)
    nodes: list[dict[str, Any]] = []
    rels: list[dict[str, Any]] = []

    def node(labels: list[str], props: Mapping[str, Any]) -> str:
        nodes.append(
            {"id": f"n{len(nodes) + 1}", "labels": labels, "props": {k: v for k, v in props.items() if v is not None}}
        )
        return str(nodes[-1]["id"])

    def rel(start: str, kind: str, end: str, **props: Any) -> None:
        rels.append({"start": start, "type": kind, "end": end, "props": props})

    airports: dict[str, str] = {}
    places: dict[str, dict[str, Any]] = {}
    hubs = {code for codes in HUBS.values() for code in codes}
    countries: dict[str, str] = {}
    for row in table(HERE / "airports.tsv"):
        point = (float(row["longitude"]), float(row["latitude"]))
        places[row["iata"]] = {**row, "point": point}
        props = {
            "iata": row["iata"],
            "name": row["name"],
            "city": row["city"],
            "elevation_m": int(row["elevation_m"]),
            "location": {"point": list(point)},
        }
        airports[row["iata"]] = node(["Airport", "Hub"] if row["iata"] in hubs else ["Airport"], props)
        if row["country"] not in countries:
            countries[row["country"]] = node(["Country"], {"name": row["country"]})
        rel(airports[row["iata"]], "IN_COUNTRY", countries[row["country"]])
    airlines: dict[str, str] = {}
    fleets: dict[str, list[tuple[str, str]]] = {}
    for name, code, country, founded, on_time in AIRLINES:
        airlines[code] = node(
            ["Airline"], {"name": name, "code": code, "founded": {"date": founded}, "on-time rate": on_time}
        )
        rel(airlines[code], "BASED_IN", countries[country])
        for number in range(rng.randrange(9, 19)):
            model = rng.choices(list(MODELS), (30, 9, 26, 10, 16, 9))[0]
            delivered = dt.date(2003, 1, 1) + dt.timedelta(days=rng.randrange(7_900))
            props = {
                "registration": f"{code}-{chr(65 + number)}{rng.randrange(10, 99)}",
                "model": model,
                "seats": MODELS[model][0] - rng.choice((0, 0, 6, 12)),
                "delivered": {"date": delivered.isoformat()},
            }
            plane = node(["Aircraft"], props)
            rel(airlines[code], "OWNS", plane, since={"date": delivered.isoformat()})
            fleets.setdefault(code, []).append((plane, model))
    routes: dict[tuple[str, str], int] = {}
    flights: list[tuple[str, str]] = []
    for name, code, *_ in AIRLINES:
        number = 100
        for hub in HUBS[code]:
            near = sorted(places, key=lambda c: _distance(places[hub]["point"], places[c]["point"]))[1:]
            far = rng.sample(near[30:], 3 if code in ("HW", "HX", "SK", "GB", "GC", "SX", "TH") else 1)
            for other in [*rng.sample(near[:26], 12), *far]:
                for start, end in ((hub, other), (other, hub)):
                    number += 1
                    flights.append(
                        (
                            _flight(
                                rng, node, rel, airports, places, airlines[code], fleets[code], code, number, start, end
                            ),
                            name,
                        )
                    )
                    routes[start, end] = routes.get((start, end), 0) + rng.choice((7, 7, 14, 3, 5))
    for (start, end), weekly in routes.items():
        km = _distance(places[start]["point"], places[end]["point"])
        rel(
            airports[start],
            "CONNECTS_TO",
            airports[end],
            distance_km=round(km),
            flight_time={"duration": _duration(km)},
            weekly_flights=weekly,
        )
    for flight, _ in rng.choices(flights, [1 / (n % 17 + 2) for n in range(len(flights))], k=420):
        day = dt.date(2024, 1, 1) + dt.timedelta(days=rng.randrange(366))
        minutes = 10 + int(rng.expovariate(1 / 38))
        delay = node(
            ["Delay"],
            {
                "day": {"date": day.isoformat()},
                "minutes": minutes,
                "cause": rng.choices(list(CAUSES), list(CAUSES.values()))[0],
            },
        )
        rel(flight, "HAD_DELAY", delay)
    return nodes, rels


def _flight(
    rng: random.Random, node: Any, rel: Any, airports: Mapping[str, str], places: Mapping[str, dict[str, Any]], airline: str, fleet: list[tuple[str, str]],
    code: str, number: int, start: str, end: str,
) -> str:  # fmt: skip
    km = _distance(places[start]["point"], places[end]["point"])
    leaves = dt.time(rng.randrange(6, 22), rng.choice((0, 5, 10, 20, 30, 40, 45, 55)))
    since = dt.date(2012, 1, 1) + dt.timedelta(days=rng.randrange(4_300))
    flight = node(
        ["Flight"],
        {
            "number": f"{code}{number}",
            "departs": {"time": leaves.isoformat()},
            "duration": {"duration": _duration(km)},
            "first_flown": {"date": since.isoformat()},
        },
    )
    fits = [plane for plane, model in fleet if MODELS[model][1] >= km] or [fleet[0][0]]
    rel(airline, "OPERATES", flight, since={"date": since.isoformat()})
    rel(flight, "TAKES_OFF_FROM", airports[start], terminal=rng.randrange(1, 4))
    rel(flight, "LANDS AT", airports[end], terminal=rng.randrange(1, 4))
    rel(flight, "FLOWN_WITH", rng.choice(fits))
    return str(flight)


def _duration(km: float) -> str:
    minutes = 5 * round((30 + 60 * km / SPEED) / 5)
    return f"PT{minutes // 60}H{minutes % 60}M"


def _distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Kilometres along the great circle (haversine formula)."""
    (lon1, lat1), (lon2, lat2) = ((math.radians(c) for c in p) for p in (a, b))
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * 6371.0 * math.asin(math.sqrt(h))


def main() -> None:
    """Write nodes.jsonl and rels.jsonl."""
    (HERE / "graph").mkdir(exist_ok=True)
    for name, records in zip(("nodes", "rels"), generate(), strict=True):
        text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        (HERE / "graph" / f"{name}.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
