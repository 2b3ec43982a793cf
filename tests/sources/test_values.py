"""Finding stored values by what a question says."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.errors import SourceUnavailable
from core.results import Iri, Place
from core.settings import ROOT
from core.sources.values import ValueIndex, fold

PERSON, CITY = Place("person", "name"), Place("city", "name")
ENTRIES = [
    ("Akira Kurosawa", PERSON), ("Jacques Tati", PERSON), ("NORWAY ", CITY), ("Norway", CITY), ("Amélie Poulain", PERSON),
    ("The Matrix", Place("film", "title")), ("São Paulo", CITY), ("東京", CITY), ("O'Toole", PERSON), ("Mercury", CITY),
]  # fmt: skip


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> ValueIndex:
    path = tmp_path_factory.mktemp("values") / "v.sqlite"
    entries = [(text, text, place, "") for text, place in ENTRIES]
    return ValueIndex.build(path, [*entries, (Iri("http://e/mercury"), "Mercury", Place("planet", "label"), "planet")])


FOUND = [
    ("as it is stored", "Akira Kurosawa", {"Akira Kurosawa"}, 1.0),
    ("in another case", "akira kurosawa", {"Akira Kurosawa"}, 1.0),
    ("without accents", "Amelie Poulain", {"Amélie Poulain"}, 1.0),
    ("with a tilde less", "Sao Paulo", {"São Paulo"}, 1.0),
    ("every spelling that is stored", "norway", {"NORWAY ", "Norway"}, 1.0),
    ("without its article", "Matrix", {"The Matrix"}, 1.0),
    ("in another script", "東京", {"東京"}, 1.0),
    ("with another apostrophe", "O’Toole", {"O'Toole"}, 1.0),
    ("by a family name", "Kurosawa", {"Akira Kurosawa"}, 0.8),
    ("misspelt", "Akira Kurosava", {"Akira Kurosawa"}, 0.75),
    ("misspelt by two letters", "Jaques Tatti", {"Jacques Tati"}, 0.7),
]


@pytest.mark.parametrize(("term", "labels", "least"), [c[1:] for c in FOUND], ids=[c[0] for c in FOUND])
def test_found(index: ValueIndex, term: str, labels: set[str], least: float) -> None:
    matches = index.probe([term])
    assert {m.value for m in matches} == labels
    assert all(m.term == term and least <= m.score <= 1 for m in matches)
    assert all((m.score == 1) == (least == 1.0) for m in matches)


@pytest.mark.parametrize("term", ["zzyzx", "", "?!", "a", "Ka"])
def test_nothing_like_it(index: ValueIndex, term: str) -> None:
    assert index.probe([term]) == []


def test_two_things_of_one_name_are_told_apart(index: ValueIndex) -> None:
    assert {(str(m.value), m.place.owner, m.description) for m in index.probe(["Mercury"])} == {
        ("Mercury", "city", ""),
        (str(Iri("http://e/mercury")), "planet", "planet"),
    }


def test_a_term_inside_an_exact_one_gets_no_near_matches(index: ValueIndex) -> None:
    assert {m.term for m in index.probe(["Akira Kurosawa", "Kurosawa"])} == {"Akira Kurosawa"}


def test_folding_is_the_same_twice() -> None:
    assert fold(fold("  Ñandú-Straße, 7½ ")) == fold("  Ñandú-Straße, 7½ ")


def test_a_full_disk_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    def entries() -> object:
        yield "a", "a", PERSON, ""
        raise OSError(28, "No space left on device")

    with pytest.raises(SourceUnavailable, match="No space left.*Free some space"):
        ValueIndex.build(tmp_path / "v.sqlite", entries())  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_two_processes_build_at_once(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from core.results import Place; from core.sources.values import ValueIndex\n"
        "i = ValueIndex.build(Path(sys.argv[1]), ((f'name {n}', f'name {n}', Place('t', 'c'), '') for n in range(20000)))\n"
        "print(len(i.probe(['name 19999'])))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "v.sqlite")]
    both = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [p.communicate(timeout=60)[0].strip() for p in both] == ["1", "1"]


def test_a_damaged_index_is_built_again(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    entries = [(f"name {n}", f"name {n}", PERSON, "") for n in range(3000)]
    ValueIndex.build(path, entries)
    whole = path.read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], b"no database at all " * 500):
        path.write_bytes(damaged)
        assert [m.value for m in ValueIndex.build(path, entries).probe(["name 2999"])] == ["name 2999"]


def test_half_characters_do_no_harm(tmp_path: Path) -> None:
    half = "Reef \ud83d"
    entries = [(half, half, PERSON, half), (Iri("http://e/" + half), "Tern", PERSON, "")]
    index = ValueIndex.build(tmp_path / "v.sqlite", entries)
    assert len(index.probe(["Reef", "Tern"])) == 2


@pytest.mark.slow
def test_a_quarter_of_a_million_values(tmp_path: Path) -> None:
    entries = ((f"name {n} of {n % 977}", f"name {n} of {n % 977}", PERSON, "") for n in range(250_000))
    index = ValueIndex.build(tmp_path / "v.sqlite", entries)
    index.probe(["name 7 of 7"])
    began = time.monotonic()
    assert index.probe(["NAME 249999 of 864", "nmae 249999 of 864"])[0].value == "name 249999 of 864"
    assert time.monotonic() - began < 3
