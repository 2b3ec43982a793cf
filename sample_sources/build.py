"""Build the sample sources from the text files beside this program.

    python sample_sources/build.py            build what is missing or changed
    python sample_sources/build.py --check    compare a fresh build, and what is built here, with hashes.json
    python sample_sources/build.py --record   build everything and write hashes.json

A file is written beside its target and moved there, so a build that is broken off leaves what was.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import hashlib
import json
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from sample_sources import turtle  # noqa: E402 - found beside this program wherever it is started from

HASHES = HERE / "hashes.json"

# --- databases ---------------------------------------------------------------------------------


def build_films(path: Path) -> None:
    """The box-office database."""
    films = turtle.table(HERE / "films_sql" / "films.tsv")
    with _database(path, HERE / "films_sql" / "schema.sql") as db:
        studios: dict[str, int] = {}
        people: dict[str, int] = {}
        for number, row in enumerate(films, 1):
            studio = studios.setdefault(row["studio"], len(studios) + 1)
            figures = [float(row[k]) if row[k] else None for k in ("budget_musd", "gross_musd")]
            # One of the lists that were merged had no rating for films before 1950.
            rating = "n/a" if int(row["year"]) < 1950 else row["rating"]
            values = (
                number,
                row["title"],
                int(row["year"]),
                row["genre"],
                int(row["runtime"]),
                studio,
                *figures,
                rating,
            )
            db.execute("INSERT INTO film VALUES (?,?,?,?,?,?,?,?,?,?)", (*values, int(row["oscars"])))
            db.execute('INSERT INTO "release" VALUES (?,?,?)', (number, "United States", row["released"]))
            for name in row["director"].split(";"):
                db.execute("INSERT INTO direction VALUES (?,?)", (number, people.setdefault(name, len(people) + 1)))
            for billing, part in enumerate(row["cast"].split(";"), 1):
                actor, role = part.split("=")
                person = people.setdefault(actor, len(people) + 1)
                db.execute("INSERT INTO casting VALUES (?,?,?,?)", (number, person, role, billing))
        db.executemany("INSERT INTO studio VALUES (?,?)", [(n, name) for name, n in studios.items()])
        db.executemany("INSERT INTO person VALUES (?,?)", [(n, name) for name, n in people.items()])


def build_clinic(path: Path) -> None:
    """The clinic's database; an empty cell is NULL."""
    with _database(path, HERE / "clinic" / "schema.sql") as db:
        for table in ("doctors", "diagnoses", "patients", "visits", "prescriptions", "lab_results", "order"):
            with (HERE / "clinic" / "tables" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
                header, *rows = csv.reader(file)
                marks = ",".join("?" * len(header))
                cells = [[cell or None for cell in row] for row in rows]
                db.executemany(f'INSERT INTO "{table}" VALUES ({marks})', cells)


@contextlib.contextmanager
def _database(path: Path, schema: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(schema.read_text(encoding="utf-8"))
        yield db
        db.commit()


# --- what is built, and the canonical export of each -------------------------------------------

BUILT: dict[str, Callable[[Path], object]] = {
    "films_sql/built/films.db": build_films,
    "clinic/built/clinic.db": build_clinic,
    "films_rdf/built/films.ttl": lambda path: path.write_text(turtle.films(), encoding="utf-8"),
    "countries/built/countries.ttl": lambda path: path.write_text(turtle.countries(), encoding="utf-8"),
}

LOCATIONS = {
    "films_sql": "films_sql/built/films.db",
    "clinic": "clinic/built/clinic.db",
    "films_rdf": "films_rdf/built/films.ttl",
    "countries": "countries/built/countries.ttl",
    "film_graph": "film_graph/graph",
    "supply_chain": "supply_chain/graph",
    "health_abstracts": "health_abstracts/corpus.jsonl",
    "handbook": "handbook/corpus.jsonl",
}


def export(path: Path) -> list[str]:
    """A source as sorted lines that do not depend on how its engine stores it."""
    if path.suffix == ".db":
        return _export_database(path)
    if path.suffix == ".ttl":
        return _export_turtle(path)
    files = [path / "nodes.jsonl", path / "rels.jsonl"] if path.is_dir() else [path]
    records = (json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines() if line)
    return sorted(json.dumps(record, sort_keys=True, ensure_ascii=False) for record in records)


def _export_database(path: Path) -> list[str]:
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        names = [n for (n,) in db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY 1")]
        return [f"{name}\t{row!r}" for name in names for row in sorted(db.execute(f'SELECT * FROM "{name}"'), key=repr)]
    finally:
        db.close()


def _export_turtle(path: Path) -> list[str]:
    from rdflib import Graph

    return sorted(Graph().parse(path, format="turtle").serialize(format="nt").splitlines())


def digest(path: Path) -> str:
    """sha256 of a source's canonical export."""
    return hashlib.sha256("\n".join(export(path)).encode()).hexdigest()


# --- building ----------------------------------------------------------------------------------


def stamp(target: str) -> str:
    """A key of everything that a built file is made from."""
    sources = sorted(p for p in (HERE / target).parent.parent.rglob("*") if p.is_file() and "built" not in p.parts)
    inputs = [p for p in sources if p.suffix in (".tsv", ".csv", ".sql")] + [HERE / "turtle.py", HERE / "build.py"]
    return hashlib.sha256(b"".join(p.read_bytes() for p in inputs)).hexdigest()


def _mark(target: str, path: Path) -> str:
    """What a built file was made from and what came out: a file damaged since does not match it."""
    return f"{stamp(target)} {hashlib.sha256(path.read_bytes()).hexdigest()}"


def build(out: Path, *, force: bool = False) -> list[str]:
    """Build what is missing or changed below `out`; gives the targets that were built."""
    made = []
    for target, make in BUILT.items():
        path, mark = out / target, out / f"{target}.stamp"
        if not force and path.exists() and mark.exists() and mark.read_text() == _mark(target, path):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.part")
        part.unlink(missing_ok=True)
        try:
            make(part)
            part.replace(path)
            mark.write_text(_mark(target, path))
        finally:
            part.unlink(missing_ok=True)
        made.append(target)
    return made


def check() -> list[str]:
    """Sources that differ from hashes.json when they are built anew, or as they are built here."""
    recorded = json.loads(HASHES.read_text())
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder))
        located = [(i, Path(folder) / p if p in BUILT else HERE / p) for i, p in LOCATIONS.items()]
        located += [(i, HERE / p) for i, p in LOCATIONS.items() if p in BUILT and (HERE / p).exists()]
        differing = (i for i, path in located if _differs(path, recorded.get(i)))
        return list(dict.fromkeys(differing))


def _differs(path: Path, wanted: str | None) -> bool:
    try:
        return digest(path) != wanted
    # rdflib's parser stumbles over half a file in several ways.
    except (sqlite3.DatabaseError, SyntaxError, ValueError, AssertionError, IndexError):
        return True


def main() -> int:
    """The command line; 0 when all is built or alike."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare a fresh build with hashes.json")
    parser.add_argument("--record", action="store_true", help="build everything and write hashes.json")
    args = parser.parse_args()
    try:
        if args.check:
            differing = check()
            print(f"differ from hashes.json: {', '.join(differing)}" if differing else "all sources are as recorded")
            return 1 if differing else 0
        made = build(HERE, force=args.record)
        if args.record:
            HASHES.write_text(json.dumps({i: digest(HERE / p) for i, p in LOCATIONS.items()}, indent=1) + "\n")
    except (OSError, sqlite3.DatabaseError) as error:
        print(
            f"The sample sources could not be built: {error}. Free some space or make {HERE} writable, and run this "
            "again; what was built before is untouched.",
            file=sys.stderr,
        )
        return 1
    print(f"built {', '.join(made)}" if made else "the sample sources are up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main())
