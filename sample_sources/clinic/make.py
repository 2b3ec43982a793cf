"""The clinic's database; an empty cell is NULL."""

from __future__ import annotations

import csv
from pathlib import Path

from sample_sources.database import database

HERE = Path(__file__).parent


def make(path: Path) -> None:
    """Write the database."""
    with database(path, HERE / "schema.sql") as db:
        for table in ("doctors", "diagnoses", "patients", "visits", "prescriptions", "lab_results", "order"):
            with (HERE / "tables" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
                header, *rows = csv.reader(file)
                marks = ",".join("?" * len(header))
                cells = [[cell or None for cell in row] for row in rows]
                db.executemany(f'INSERT INTO "{table}" VALUES ({marks})', cells)
