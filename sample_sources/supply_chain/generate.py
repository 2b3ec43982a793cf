"""The supply chain of a company that never was, as nodes and relationships from a fixed seed.

    python -m sample_sources.supply_chain.generate

Cities, countries and ports are real; the company, its partners and its products are invented.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence
from pathlib import Path

from sample_sources.graph import Graph

HERE = Path(__file__).parent / "graph"
SEED = 4211

FACTORIES = [
    ("Gdansk", "Poland", 2006, 340),
    ("Porto", "Portugal", 2012, 210),
    ("Brno", "Czechia", 2009, 265),
    ("Da Nang", "Vietnam", 2016, 480),
    ("Tijuana", "Mexico", 2019, 190),
]
WAREHOUSES = [
    ("Rotterdam", "Netherlands", 42000),
    ("Leipzig", "Germany", 31000),
    ("Memphis", "United States", 38000),
    ("Yokohama", "Japan", 18000),
    ("Lyon", "France", 22000),
    ("Gothenburg", "Sweden", 15000),
]
PORTS = [
    ("Port of Rotterdam", "Netherlands"),
    ("Port of Gdansk", "Poland"),
    ("Port of Leixoes", "Portugal"),
    ("Port of Da Nang", "Vietnam"),
    ("Port of Ensenada", "Mexico"),
    ("Port of Hamburg", "Germany"),
    ("Port of Yokohama", "Japan"),
    ("Port of Los Angeles", "United States"),
]
COUNTRIES = [
    ("Italy", "Bergamo"),
    ("Germany", "Ulm"),
    ("Taiwan", "Taichung"),
    ("Turkey", "Bursa"),
    ("South Korea", "Daegu"),
    ("Japan", "Fukui"),
    ("Poland", "Lodz"),
    ("Portugal", "Guimaraes"),
    ("Vietnam", "Bien Hoa"),
    ("Sweden", "Boras"),
    ("Switzerland", "St. Gallen"),
    ("Czechia", "Zlin"),
    ("Mexico", "Leon"),
    ("United States", "Denver"),
    ("India", "Tiruppur"),
    ("Austria", "Dornbirn"),
]
SYLLABLES = [
    "Al",
    "Bre",
    "Cor",
    "Del",
    "Er",
    "Fal",
    "Gri",
    "Hol",
    "Ist",
    "Jor",
    "Kal",
    "Lun",
    "Mor",
    "Nor",
    "Ost",
    "Pra",
    "Quen",
    "Rav",
    "Sol",
    "Tor",
    "Ulm",
    "Ver",
    "Wes",
    "Zan",
]
ENDINGS = [
    "bach",
    "dale",
    "fera",
    "gard",
    "holm",
    "ione",
    "kamp",
    "lund",
    "mark",
    "nia",
    "ostra",
    "plast",
    "rand",
    "sen",
    "tex",
    "vik",
    "wald",
    "zetti",
]
FORMS = ["GmbH", "S.p.A.", "Ltd", "AB", "Textiles", "Metals", "Components", "Works"]
PRODUCTS = [
    ("Fjell", "Tent", 289.0),
    ("Tindra", "Backpack", 149.0),
    ("Skog", "Sleeping Bag", 199.0),
    ("Bekk", "Rain Jacket", 179.0),
    ("Vinter", "Down Jacket", 319.0),
    ("Sti", "Hiking Boot", 189.0),
    ("Glo", "Headlamp", 59.0),
    ("Kok", "Camp Stove", 89.0),
    ("Lys", "Trekking Pole", 79.0),
    ("Matte", "Sleeping Pad", 109.0),
]
TRIMS = ["2", "3", "Lite", "Pro", "Junior", "XT"]
PARTS = {
    "Tent": ["Aluminium Pole", "Ripstop Panel", "Ground Sheet", "Tent Peg", "Guy Line", "Mesh Panel", "Zipper YK8"],
    "Backpack": ["Cordura Panel", "Hip Belt", "Frame Sheet", "Buckle 25 mm", "Shoulder Strap", "Zipper YK8"],
    "Sleeping Bag": ["Down Fill 800", "Nylon Lining", "Draft Collar", "Zipper YK5", "Stuff Sack"],
    "Rain Jacket": ["Membrane 3L", "Seam Tape", "Hood Cord", "Zipper YK5", "Cuff Strap"],
    "Down Jacket": ["Down Fill 800", "Nylon Shell", "Elastic Hem", "Zipper YK5"],
    "Hiking Boot": ["Rubber Outsole", "Leather Upper", "Lace Hook", "EVA Midsole", "Insole"],
    "Headlamp": ["LED Module", "Lithium Cell", "Head Strap", "Lens Cover"],
    "Camp Stove": ["Brass Burner", "Gas Valve", "Pot Support", "Igniter"],
    "Trekking Pole": ["Aluminium Tube", "Cork Grip", "Carbide Tip", "Wrist Strap"],
    "Sleeping Pad": ["TPU Film", "Air Valve", "Foam Core", "Stuff Sack"],
}
CUSTOMERS = [
    "Alpine Outfitters",
    "Basecamp",
    "Cairn & Co",
    "Dalen Sport",
    "Eastern Trails",
    "Fell Runner",
    "Granite Supply",
    "High Pass",
    "Island Kayak",
    "Juniper Outdoor",
]
REGIONS = [
    ("Norway", "Oslo"),
    ("Germany", "Munich"),
    ("France", "Grenoble"),
    ("United Kingdom", "Keswick"),
    ("United States", "Boulder"),
    ("Canada", "Calgary"),
    ("Japan", "Sapporo"),
    ("Switzerland", "Bern"),
    ("Sweden", "Umea"),
    ("Italy", "Bolzano"),
]


def generate() -> None:
    """Write nodes.jsonl and rels.jsonl."""
    rng, graph = random.Random(SEED), Graph()
    factories = {
        c: graph.node(["Factory"], name=f"{c} Factory", city=c, country=n, opened=y, workers=w)
        for c, n, y, w in FACTORIES
    }
    warehouses = {
        c: graph.node(["Warehouse"], name=f"{c} Warehouse", city=c, country=n, capacity_m2=a) for c, n, a in WAREHOUSES
    }
    ports = {name: graph.node(["Port"], name=name, country=country) for name, country in PORTS}
    suppliers = _suppliers(rng, graph)
    parts = _parts(rng, graph, suppliers)
    products = _products(rng, graph, parts, list(factories.values()), list(warehouses.values()))
    customers = _customers(rng, graph)
    _shipping(rng, graph, factories, warehouses, ports)
    _shipments(rng, graph, products, list(warehouses.values()), customers)
    for supplier in suppliers:
        for factory in rng.sample(list(factories.values()), rng.choice((1, 1, 2))):
            graph.rel(
                supplier,
                "DELIVERS_TO",
                factory,
                lead_time_days=rng.randrange(5, 60),
                since={"date": _day(rng, 2008, 2023)},
            )
    graph.write(HERE)


def _day(rng: random.Random, first: int, last: int) -> str:
    return (dt.date(first, 1, 1) + dt.timedelta(days=rng.randrange(0, 365 * (last - first + 1)))).isoformat()


def _suppliers(rng: random.Random, graph: Graph) -> list[str]:
    made: dict[str, str] = {}
    while len(made) < 90:
        name = f"{rng.choice(SYLLABLES)}{rng.choice(ENDINGS)} {rng.choice(FORMS)}"
        if name.split()[0] not in {n.split()[0] for n in made}:
            country, city = rng.choice(COUNTRIES)
            made[name] = graph.node(
                ["Supplier"],
                name=name,
                city=city,
                country=country,
                rating=round(rng.uniform(2.4, 5.0), 1),
                audited={"date": _day(rng, 2021, 2024)} if rng.random() < 0.8 else None,
            )
    return list(made.values())


def _parts(rng: random.Random, graph: Graph, suppliers: Sequence[str]) -> dict[str, str]:
    made: dict[str, str] = {}
    for group in PARTS.values():
        for name in group:
            if name not in made:
                made[name] = graph.node(
                    ["Part"],
                    name=name,
                    sku=f"P-{len(made) + 101}",
                    weight_g=rng.randrange(4, 900),
                    hazardous=name in ("Lithium Cell", "Gas Valve"),
                )
                for supplier in rng.sample(list(suppliers), rng.choice((2, 3, 4))):
                    graph.rel(
                        supplier,
                        "SUPPLIES",
                        made[name],
                        lead_time_days=rng.randrange(4, 75),
                        unit_cost=round(rng.uniform(0.2, 38), 2),
                        since={"date": _day(rng, 2010, 2023)},
                    )
    return made


def _products(
    rng: random.Random, graph: Graph, parts: dict[str, str], factories: Sequence[str], warehouses: Sequence[str]
) -> list[str]:
    made = []
    for line, kind, price in PRODUCTS:
        for trim in TRIMS:
            product = graph.node(
                ["Product"],
                name=f"{line} {kind} {trim}",
                category=kind,
                price_eur=round(price * rng.uniform(0.8, 1.5), 2),
                launched={"date": _day(rng, 2014, 2024)},
            )
            made.append(product)
            for part in rng.sample(PARTS[kind], rng.randrange(3, len(PARTS[kind]) + 1)):
                graph.rel(product, "CONTAINS", parts[part], quantity=rng.choice((1, 1, 2, 4, 6)))
            graph.rel(product, "ASSEMBLED_AT", rng.choice(factories), since={"date": _day(rng, 2015, 2024)})
            for warehouse in rng.sample(list(warehouses), rng.choice((1, 2, 3))):
                graph.rel(product, "STORED_IN", warehouse, quantity=rng.randrange(0, 4000))
    return made


def _customers(rng: random.Random, graph: Graph) -> list[str]:
    made = []
    for name in CUSTOMERS:
        for country, city in REGIONS:
            made.append(
                graph.node(["Customer"], name=f"{name} {city}", city=city, country=country, vip=rng.random() < 0.15)
            )
    return made


def _shipping(
    rng: random.Random, graph: Graph, factories: dict[str, str], warehouses: dict[str, str], ports: dict[str, str]
) -> None:
    near = {
        "Gdansk": "Port of Gdansk",
        "Porto": "Port of Leixoes",
        "Brno": "Port of Hamburg",
        "Da Nang": "Port of Da Nang",
        "Tijuana": "Port of Ensenada",
    }
    for city, port in near.items():
        graph.rel(factories[city], "SHIPS_VIA", ports[port], days=rng.randrange(1, 4))
    lanes = [
        ("Port of Gdansk", "Port of Rotterdam"),
        ("Port of Leixoes", "Port of Rotterdam"),
        ("Port of Hamburg", "Port of Rotterdam"),
        ("Port of Da Nang", "Port of Yokohama"),
        ("Port of Yokohama", "Port of Los Angeles"),
        ("Port of Ensenada", "Port of Los Angeles"),
        ("Port of Da Nang", "Port of Hamburg"),
    ]
    for start, end in lanes:
        graph.rel(ports[start], "SEA_LANE", ports[end], days=rng.randrange(2, 34), cost_eur=rng.randrange(400, 3200))
    serves = {
        "Rotterdam": "Port of Rotterdam",
        "Leipzig": "Port of Hamburg",
        "Memphis": "Port of Los Angeles",
        "Yokohama": "Port of Yokohama",
        "Lyon": "Port of Rotterdam",
        "Gothenburg": "Port of Gdansk",
    }
    for city, port in serves.items():
        graph.rel(ports[port], "SERVES", warehouses[city], days=rng.randrange(1, 6))


def _shipments(
    rng: random.Random, graph: Graph, products: Sequence[str], warehouses: Sequence[str], customers: Sequence[str]
) -> None:
    for number in range(1, 731):
        status = rng.choices(("delivered", "in transit", "delayed", "lost"), (80, 10, 8, 1))[0]
        shipment = graph.node(
            ["Shipment"], number=f"SH-{20000 + number}", shipped={"date": _day(rng, 2023, 2024)}, status=status
        )
        graph.rel(shipment, "FROM", rng.choice(warehouses))
        graph.rel(shipment, "TO", rng.choice(customers))
        for product in rng.sample(list(products), rng.choice((1, 1, 2))):
            graph.rel(shipment, "CARRIES", product, quantity=rng.randrange(1, 240))


if __name__ == "__main__":
    generate()
