"""Prizes and who won them, who held which office, Olympic Games, and an invented league, in Wikidata's statement form."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from sample_sources.laureates.league import add_league
from sample_sources.laureates.statements import Item, Items, when, whole
from sample_sources.turtle import table, text

HERE = Path(__file__).parent
WORK = {
    "nobel_physics": "physicist", "nobel_chemistry": "chemist", "nobel_medicine": "physiologist",
    "nobel_literature": "writer", "nobel_economics": "economist", "turing": "computer_scientist",
    "fields": "mathematician", "abel": "mathematician",
}  # fmt: skip
"""The occupation that a prize speaks for; the peace prize speaks for none."""


def make(path: Path) -> None:
    """Write the Turtle file."""
    items = Items(table(HERE / "properties.tsv"))
    _things(items)
    _countries(items)
    _institutions(items)
    _people(items)
    _awards(items)
    _offices(items)
    _studies(items)
    _games(items)
    add_league(items)
    for row in table(HERE / "aliases.tsv"):
        found = [key for key in _keys(row["name"]) if key in items]
        items[found[0]].aliases += row["alias"].split(";")
    path.write_text(items.turtle(), encoding="utf-8")


def _keys(name: str) -> Iterator[str]:
    codes = {row["name"]: row["code"] for row in table(HERE / "countries.tsv")}
    yield from (f"person:{name}", f"organization:{name}", f"institution:{name}", f"country:{codes.get(name, '')}")


def _things(items: Items) -> None:
    """Classes, occupations, disciplines, prizes and those who award them."""
    rows = table(HERE / "things.tsv")
    for row in rows:
        item = items.add(row["key"], row["label"], row["description"], french=row["french"], german=row["german"])
        item.aliases += [alias for alias in row["alias"].split(";") if alias]
    for row in rows:
        item = items[row["key"]]
        for key, column in (("instance", "class"), ("field", "field"), ("conferred", "conferred"), ("part", "part")):
            if row[column]:
                item.says(key, items[row[column]].term)
        if row["country"]:
            item.says("country", _country(items, row["country"]).term)
        if row["inception"]:
            item.says("inception", when(row["inception"]))


def _country(items: Items, code: str) -> Item:
    rows = {row["code"]: row for row in table(HERE / "countries.tsv")}
    row = rows[code]
    return items.add(f"country:{code}", row["name"], "country", french=row["french"], german=row["german"])


def _countries(items: Items) -> None:
    for row in table(HERE / "countries.tsv"):
        _country(items, row["code"]).says("instance", items["class_country"].term)


def _institutions(items: Items) -> None:
    nouns = {"university": "university", "institute": "research institution", "company": "company"}
    names = {row["code"]: row["name"] for row in table(HERE / "countries.tsv")}
    for row in table(HERE / "institutions.tsv"):
        description = f"{nouns[row['class']]} in {names[row['country']]}"
        item = items.add(f"institution:{row['name']}", row["name"], description)
        item.says("instance", items[f"class_{row['class']}"].term)
        item.says("country", items[f"country:{row['country']}"].term)
        if row["inception"]:
            item.says("inception", when(row["inception"]))
    for row in table(HERE / "organisations.tsv"):
        item = items.add(f"organization:{row['name']}", row["name"], "organization")
        item.says("instance", items["organization"].term)
        if row["country"]:
            item.says("country", items[f"country:{row['country']}"].term)
        if row["inception"]:
            item.says("inception", when(row["inception"]))


def _people(items: Items) -> None:
    facts = {row["name"]: row for row in table(HERE / "people.tsv")}
    countries = {row["code"]: row for row in table(HERE / "countries.tsv")}
    offices = {row["office"]: row for row in table(HERE / "offices.tsv")}
    women = {row["name"] for row in table(HERE / "women.tsv")}
    work = _occupations()
    home = {row["name"]: offices[row["office"]]["country"] for row in table(HERE / "leaders.tsv")}
    for name in dict.fromkeys([*facts, *home]):
        row = facts.get(name, {"born": "", "died": "", "country": home.get(name, "")})
        codes = [code for code in row["country"].split(";") if code]
        first = countries[codes[0]]["demonym"] if codes else ""
        nouns = " and ".join(items[key].labels["en"] for key in work[name]) or "person"
        years = f" ({row['born'][:4]}–{row['died'][:4]})" if row["born"] and row["died"] else ""
        item = items.add(
            f"person:{name}",
            name,
            f"{first} {nouns}{years}".strip(),
            french=name if "FR" in codes else "",
            german=name if {"DE", "AT", "CH"} & set(codes) else "",
        )
        item.says("instance", items["human"].term)
        item.says("gender", items["female" if name in women else "male"].term)
        for code in codes:
            item.says("citizenship", items[f"country:{code}"].term)
        for key in work[name]:
            item.says("occupation", items[key].term)
        for key, value in (("birth", row["born"]), ("death", row["died"])):
            if value:
                item.says(key, when(value))
    for row in table(HERE / "birthplaces.tsv"):
        items[f"person:{row['name']}"].says("birthplace", _city(items, row["place"], row["country"]).term)


def _occupations() -> dict[str, list[str]]:
    """Keys of occupations by name, as prizes and offices speak for them."""
    work: dict[str, list[str]] = defaultdict(list)
    for _, prize, names in _prizes():
        for name in names:
            if prize in WORK and WORK[prize] not in work[name]:
                work[name].append(WORK[prize])
    for row in table(HERE / "leaders.tsv"):
        if "politician" not in work[row["name"]]:
            work[row["name"]].append("politician")
    return work


def _prizes() -> Iterator[tuple[str, str, list[str]]]:
    for row in table(HERE / "nobel.tsv"):
        yield row["year"], f"nobel_{row['field']}", row["names"].split(";")
    for row in table(HERE / "prizes.tsv"):
        yield row["year"], row["prize"], row["names"].split(";")


def _city(items: Items, name: str, country: str) -> Item:
    key = f"city:{name}:{country}"
    new = key not in items
    item = items.add(key, name, f"city in {items[f'country:{country}'].labels['en']}")
    if new:
        item.says("instance", items["class_city"].term)
        item.says("country", items[f"country:{country}"].term)
    return item


def _winner(items: Items, name: str) -> Item:
    return items[f"person:{name}" if f"person:{name}" in items else f"organization:{name}"]


def _awards(items: Items) -> None:
    money = {row["year"]: row["kronor"] for row in table(HERE / "money.tsv")}
    for year, prize, names in _prizes():
        winners = [_winner(items, name) for name in names]
        for one in winners:
            qualifiers = [("time", when(year))]
            qualifiers += [("with", other.term) for other in winners if other is not one]
            if prize.startswith("nobel") and year in money:
                qualifiers.append(("money", whole(money[year])))
            qualifiers.append(("share", whole(len(winners))))
            one.says("award", items[prize].term, *qualifiers)


def _offices(items: Items) -> None:
    """Terms of office, as the person's position and as the country's head; the running term is the preferred one."""
    leaders = table(HERE / "leaders.tsv")
    for office in table(HERE / "offices.tsv"):
        names = {"french": office["french"], "german": office["german"]}
        item = items.add(f"office:{office['office']}", office["label"], "public office", **names)
        item.aliases += office["alias"].split(";")
        item.says("instance", items["class_position"].term)
        country = items[f"country:{office['country']}"]
        item.says("country", country.term)
        terms = [row for row in leaders if row["office"] == office["office"]]
        people = [items[f"person:{row['name']}"] for row in terms]
        for n, (row, person) in enumerate(zip(terms, people, strict=True)):
            dates = [("start", when(row["start"]))] + ([("end", when(row["end"]))] if row["end"] else [])
            around = [("replaces", people[n - 1].term)] if n else []
            around += [("replaced", people[n + 1].term)] if n + 1 < len(people) else []
            number = [("ordinal", text(str(n + 1)))] if office["numbered"] == "1" else []
            rank = "Normal" if row["end"] else "Preferred"
            person.says("position", item.term, *dates, *around, *number, rank=rank)
            country.says(office["kind"], person.term, *dates, rank=rank)


def _studies(items: Items) -> None:
    for row in table(HERE / "academics.tsv"):
        dates = [(key, when(row[key])) for key in ("start", "end") if row[key]]
        items[f"person:{row['name']}"].says(row["relation"], items[f"institution:{row['institution']}"].term, *dates)


def _games(items: Items) -> None:
    for row in table(HERE / "games.tsv"):
        label = f"{row['year']} {row['season']} Olympics"
        item = items.add(f"games:{label}", label, f"edition of the {row['season']} Olympic Games")
        item.aliases.append(f"{row['year']} {row['season']} Olympic Games")
        item.says("instance", items["class_games"].term)
        item.says("series", items[row["season"].lower()].term, ("ordinal", text(row["number"])))
        item.says("city", _city(items, row["city"], row["country"]).term)
        item.says("country", items[f"country:{row['country']}"].term)
        item.says("time", when(row["year"]))
        for key in ("start", "end"):
            if row[key]:
                item.says(key, when(row[key]))
