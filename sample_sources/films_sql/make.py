"""The box-office database."""

from __future__ import annotations

from pathlib import Path

from sample_sources.database import database
from sample_sources.turtle import table

HERE = Path(__file__).parent


def make(path: Path) -> None:
    """Write the database."""
    films = table(HERE / "films.tsv")
    with database(path, HERE / "schema.sql") as db:
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
