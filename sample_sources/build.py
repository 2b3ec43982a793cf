"""Build the sample sources from the text files beside this program.

    python sample_sources/build.py            build what is missing or changed
    python sample_sources/build.py --check    compare a fresh build, and what is built here, with hashes.json
    python sample_sources/build.py --record   build everything and write hashes.json

A file is written beside its target and moved there, so a build that is broken off leaves what was.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sqlite3
import sys
import tempfile
import tomllib
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

HASHES = HERE / "hashes.json"

# --- what is built, and the canonical export of each -------------------------------------------

LOCATIONS: dict[str, str] = {
    entry["id"]: entry["location"] for entry in tomllib.loads((HERE / "sources.toml").read_text("utf-8"))["source"]
}


def _make(source_id: str, path: Path) -> None:
    import_module(f"sample_sources.{source_id}.make").make(path)


BUILT: dict[str, Callable[[Path], object]] = {
    location: partial(_make, source_id) for source_id, location in LOCATIONS.items() if "/built/" in location
}
"""What is made, and by what: the `make.py` in a source's folder."""


SHARED = {"streaming/built/streaming.db": ("films_sql/films.tsv", "films_rdf/films.tsv")}
"""Text files of other sources that a built file is made from."""


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
    inputs = [p for p in sources if p.suffix in (".tsv", ".csv", ".sql", ".py")]
    inputs += [HERE / "turtle.py", HERE / "database.py", HERE / "build.py"]
    inputs += [HERE / path for path in SHARED.get(target, ())]
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
