"""Corpora as they are found, and what is said while or because something of them is missing."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from core.errors import SourceUnavailable
from core.results import Kind, Language, NativeQuery, Origin, Passages, Returned, SourceCard
from core.settings import ROOT, Settings
from core.sources import text_index
from core.sources.base import Limits
from core.sources.corpus import CHUNK_TOKENS, chunks, estimated_tokens
from core.sources.encoder import encode
from core.sources.text import TextSource, fuse

PASSAGES = [
    ("coffee", "Coffee and sleep", "A cup of coffee six hours before bed shortened sleep by an hour."),
    ("iron", "Iron in pregnancy", "Iron tablets raised haemoglobin in pregnant women with anaemia."),
    ("knee", "Exercise for the knee", "Supervised exercise eased the pain of osteoarthritis of the knee."),
    ("tea", "Tea", "Green tea was not linked with sleep; its drinkers slept as long as others."),
]
OTHER_FOLDER = Settings(encoder="/nowhere/some-encoder").encoder


def written(path: Path, passages: list[tuple[str, str, str]]) -> Path:
    """A corpus file in the form of BEIR."""
    path.write_text("".join(json.dumps({"_id": i, "title": t, "text": x}) + "\n" for i, t, x in passages))
    return path


def opened(location: Path, home: Path, encoder: str = "", limits: Limits | None = None) -> TextSource:
    """A source over `location`."""
    card = SourceCard("notes", Kind.TEXT, "faiss", Language.TEXT, "Notes", "Notes", query_type="claims")
    return TextSource(card, location, Settings(home=home, encoder=encoder), limits or Limits())


def ask(source: TextSource, text: str, limits: Limits | None = None) -> Returned:
    """The passages for `text`."""
    return source.run(NativeQuery("notes", Language.TEXT, text, Origin.GIVEN), limits)


def ids(returned: Returned) -> list[str]:
    """The ids of the passages, best first."""
    assert isinstance(returned.payload, Passages)
    return [p.id for p in returned.payload.items]


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TextSource]:
    """Four passages with both indexes."""
    folder = tmp_path_factory.mktemp("notes")
    source = opened(written(folder / "corpus.jsonl", PASSAGES), folder / "home")
    source.prepare()
    yield source
    source.close()


# --- asking --------------------------------------------------------------------------------------


def test_meaning_and_words_both_find(notes: TextSource) -> None:
    meant, said = notes.search("caffeine in the evening", 4)[0], notes.search("osteoarthritis", 4)[0]
    assert (meant.document.id, said.document.id) == ("coffee", "knee")
    assert meant.cosine > 0.3 and said.bm25 > 0
    assert ask(notes, "caffeine in the evening").notes == ()


def test_more_asked_than_there_are(notes: TextSource) -> None:
    returned = ask(notes, "sleep")
    assert sorted(ids(returned)) == sorted(i for i, _, _ in PASSAGES)
    assert not returned.truncated


def test_a_passage_tells_its_nearness_where_vectors_took_part(notes: TextSource, tmp_path: Path) -> None:
    near = ask(notes, "caffeine in the evening").payload.items[0]  # type: ignore[union-attr]
    assert near.similarity == notes.search("caffeine in the evening", 1)[0].cosine > 0.3  # type: ignore[union-attr]
    by_words = opened(written(tmp_path / "corpus.jsonl", PASSAGES), tmp_path / "home", OTHER_FOLDER)
    assert ask(by_words, "coffee").payload.items[0].similarity is None  # type: ignore[union-attr]


def test_scores_fall(notes: TextSource) -> None:
    scores = [p.score for p in ask(notes, "iron for anaemia").payload.items]  # type: ignore[union-attr]
    assert scores == sorted(scores, reverse=True) and len(set(scores)) > 1


@pytest.mark.parametrize("text", ["?", "the", "\ud83d sleep", "睡眠", "sleep " * 3000, "\u202e\x07 sleep", "a" * 5000])
def test_odd_questions_still_rank_every_passage(notes: TextSource, text: str) -> None:
    assert len(ids(ask(notes, text))) == len(PASSAGES)


def test_describe_says_what_it_is_about(notes: TextSource) -> None:
    schema = notes.describe()
    assert schema.passages == 4 and schema.sample_titles[0] == "Coffee and sleep" and schema.query_type == "claims"
    assert "sleep" in schema.topics and "the" not in schema.topics


PROBES = [
    ("a word", "osteoarthritis", ["knee"]),
    ("a word in capitals", "OSTEOARTHRITIS", ["knee"]),
    ("words beside each other", "green tea", ["tea"]),
    ("the same words apart", "tea green", []),
    ("words of a title", "iron in pregnancy", ["iron"]),
    ("part of a word", "osteo", []),
    ("no word at all", "?!", []),
    ("a word of many passages", "of", []),
]


@pytest.mark.parametrize(("term", "holding"), [c[1:] for c in PROBES], ids=[c[0] for c in PROBES])
def test_probe_names_the_passages_that_hold_a_term(notes: TextSource, term: str, holding: list[str]) -> None:
    assert [m.place.owner for m in notes.probe([term])] == holding


# --- files as they are found ---------------------------------------------------------------------


def test_bad_lines_are_named_and_the_rest_is_there(tmp_path: Path) -> None:
    lines = [
        b'\xef\xbb\xbf{"_id": 7, "title": "Seven", "text": "whales"}\r\n',
        b"\r\n",
        b'{"_id": "b", "text": "otters"}\r\n',
        b'{"_id": "c", "title": "no text"\r\n',
        b'{"_id": "d"}\r\n',
        b'["not", "an object"]\r\n',
        b'{"_id": "b", "text": "again"}\r\n',
        b'{"id": "e", "text": "half \\ud83d a character"}\r\n',
        b'{"text": "no id"}\r\n',
        b'{"_id": {"a": 1}, "text": "an id that is none"}\r\n',
        b'{"_id": "t", "title": "A title alone", "text": ""}\r\n',
        b'{"_id": "u", "text": "bytes \xff that are no UTF-8"}',
    ]
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(b"".join(lines))
    source = opened(path, tmp_path / "home", OTHER_FOLDER)
    source.check()
    index = source._ready()
    assert [d.id for d in index.corpus.documents] == ["7", "b", "e", "9", "t", "u"]
    note = " ".join(ask(source, "otters").notes)
    assert [n for n in (4, 5, 6, 7, 10) if f"line {n}:" not in note] == []
    assert ids(ask(source, "otters")) == ["b"]


def test_a_folder_and_a_compressed_file(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "corpus.jsonl.gz", "wt") as file:
        file.write('{"_id": "a", "text": "whales"}\n')
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "not a passage"}\n')
    assert ids(ask(opened(tmp_path, tmp_path / "home", OTHER_FOLDER), "whales")) == ["a"]


@pytest.mark.parametrize("content", [b"", b"\n\r\n  \n"], ids=["no line", "blank lines"])
def test_no_passages_are_a_state(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(content)
    source = opened(path, tmp_path / "home")
    returned = ask(source, "anything")
    assert returned.payload == Passages(()) and "0 passages" in returned.notes[0]
    assert source.describe().passages == 0 and source.probe(["anything"]) == [] and source.search("x", 5) == []


def test_a_broken_archive_says_so(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"_id": "a", "text": "whales"}\n' * 500)[:60])
    with pytest.raises(SourceUnavailable, match=r"corpus\.jsonl\.gz can't be read"):
        opened(path, tmp_path / "home").check()


def test_a_changed_file_is_read_again_and_a_lost_one_told(tmp_path: Path) -> None:
    path = written(tmp_path / "corpus.jsonl", PASSAGES)
    source = opened(path, tmp_path / "home", OTHER_FOLDER)
    assert ids(ask(source, "walrus")) == []
    written(path, [*PASSAGES, ("walrus", "Walrus", "A walrus eats clams.")])
    assert ids(ask(source, "walrus")) == ["walrus"]
    path.unlink()
    with pytest.raises(SourceUnavailable, match="does not exist"):
        source.check()


# --- long passages -------------------------------------------------------------------------------


def test_an_answer_in_word_900_is_found_and_shown(tmp_path: Path) -> None:
    filler = "The committee met again and noted the minutes of the previous meeting. "
    long = filler * 75 + "The lighthouse keeper kept a tame badger. " + filler * 40
    path = written(tmp_path / "corpus.jsonl", [("minutes", "Minutes", long), *PASSAGES])
    source = opened(path, tmp_path / "home")
    source.prepare()
    returned = ask(source, "Which animal lived at the lighthouse?")
    assert ids(returned)[0] == "minutes" and ids(returned).count("minutes") == 1
    assert "badger" in returned.payload.items[0].text  # type: ignore[union-attr]
    assert len(returned.payload.items[0].text) < 4_000  # type: ignore[union-attr]
    assert "Shown by the part that matched" in returned.notes[0]


CUT = [
    ("many words", "word " * 2_000),
    ("one endless word", "x" * 5_000),
    ("no spaces", "東京は日本の首都である。" * 200),
    ("numbers", "3.14159 " * 900),
]


@pytest.mark.parametrize("text", [c[1] for c in CUT], ids=[c[0] for c in CUT])
def test_no_piece_is_longer_than_the_encoder_reads(text: str) -> None:
    pieces = chunks(text)
    assert len(pieces) > 1 and all(estimated_tokens(p) <= CHUNK_TOKENS for p in pieces)
    assert pieces[0].startswith(text[:20].strip()) and pieces[-1].endswith(text.strip()[-3:])


def test_pieces_lose_no_word_and_overlap() -> None:
    said = [f"w{n}" for n in range(3_000)]
    pieces = [p.split() for p in chunks(" ".join(said))]
    assert [w for n, p in enumerate(pieces) for w in p if n == 0 or w not in pieces[n - 1]] == said
    assert all(set(a) & set(b) for a, b in pairwise(pieces))


def test_a_short_text_is_one_piece_as_it_is() -> None:
    assert chunks("  Two  words ") == ["  Two  words "] and chunks("") == [""]


# --- the index on disk ---------------------------------------------------------------------------


def index_folder(home: Path) -> Path:
    """The stored vectors."""
    (found,) = [p.parent for p in (home / "indexes").glob("*/vectors.faiss")]
    return found


def test_an_index_is_built_once(tmp_path: Path) -> None:
    path = written(tmp_path / "corpus.jsonl", PASSAGES)
    opened(path, tmp_path / "home").prepare()
    built = index_folder(tmp_path / "home")
    before = (built / "vectors.faiss").stat().st_mtime_ns
    again = opened(path, tmp_path / "home")
    assert ask(again, "sleep").notes == ()
    assert (built / "vectors.faiss").stat().st_mtime_ns == before


@pytest.mark.parametrize(("key", "value"), [("encoder", "other"), ("dimension", 5), ("pieces", 9), ("corpus", "x")])
def test_an_index_of_something_else_is_refused_by_name(tmp_path: Path, key: str, value: object) -> None:
    path = written(tmp_path / "corpus.jsonl", PASSAGES)
    opened(path, tmp_path / "home").prepare()
    meta = index_folder(tmp_path / "home") / "meta.json"
    meta.write_text(json.dumps({**json.loads(meta.read_text()), key: value}))
    returned = ask(opened(path, tmp_path / "home"), "osteoarthritis")
    assert f"made with {key}" in returned.notes[0] and "BM25" in returned.notes[0]
    assert ids(returned) == ["knee"]


def test_a_damaged_index_is_told_and_words_still_find(tmp_path: Path) -> None:
    path = written(tmp_path / "corpus.jsonl", PASSAGES)
    opened(path, tmp_path / "home").prepare()
    (index_folder(tmp_path / "home") / "vectors.faiss").write_bytes(b"no index")
    returned = ask(opened(path, tmp_path / "home"), "osteoarthritis")
    assert "is damaged. Delete that folder" in returned.notes[0] and ids(returned) == ["knee"]


def many(count: int) -> list[tuple[str, str, str]]:
    """Passages enough for several batches."""
    return [
        (f"p{n}", f"Note {n}", f"Note number {n} tells of the {n}th visit to the harbour and its cranes.")
        for n in range(count)
    ]


def test_what_was_begun_is_finished_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "corpus.jsonl", many(300))
    encoded: list[int] = []

    def broken_off(texts: list[str], settings: Settings) -> object:
        encoded.append(len(texts))
        if len(encoded) == 2:
            first._ready().dense._leaving.set()  # type: ignore[union-attr]
        return encode(texts, settings)

    first = opened(path, tmp_path / "home")
    monkeypatch.setattr(text_index, "encode", broken_off)
    first.prepare()
    assert "256 of 300 pieces" in ask(first, "the 299th visit").notes[0]
    second = opened(path, tmp_path / "home")
    second.prepare()
    assert encoded == [128, 128, 44]
    assert second.search("Note 7 tells of the 7th visit", 1)[0].document.id == "p7"
    vectors, (made,) = second._ready().dense.wait(None), encode([f"Note 299. {many(300)[299][2]}"], Settings())  # type: ignore[union-attr]
    assert made @ vectors.reconstruct(299) == pytest.approx(1, abs=1e-4), "each vector stands at its own piece"
    assert not list((tmp_path / "home").rglob("*.building"))


def test_indexes_of_earlier_files_do_not_pile_up(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    for number in range(6):
        written(path, [(f"a{number}", "", f"a walrus of {number}")])
        opened(path, tmp_path / "home").prepare()
    kept = [p.name for p in (tmp_path / "home" / "indexes").iterdir() if p.is_dir()]
    assert len(kept) == 6 and sum("words" in name for name in kept) == 3


def test_a_question_does_not_wait_for_a_long_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    def held_up(texts: list[str], settings: Settings) -> object:
        go_on.wait(30)
        return encode(texts, settings)

    monkeypatch.setattr(text_index, "encode", held_up)
    source = opened(written(tmp_path / "corpus.jsonl", many(200)), tmp_path / "home", limits=Limits(seconds=1.5))
    source.describe()
    for longest in (1.5, 0.4):  # the second does not wait again
        began = time.monotonic()
        returned = ask(source, "the 117th visit")
        assert time.monotonic() - began < longest
        assert "Ranked by words alone (BM25): 0 of 200 pieces" in returned.notes[0]
        assert ids(returned)[0] == "p117"
    go_on.set()
    source.prepare()
    assert ask(source, "the 117th visit").notes == ()


# --- without the encoder -------------------------------------------------------------------------


def test_a_missing_encoder_is_named_at_once_and_words_still_find(tmp_path: Path) -> None:
    written(tmp_path / "corpus.jsonl", PASSAGES)
    code = (
        "import sys, time; from pathlib import Path; from tests.sources.test_text import ask, ids, opened\n"
        "source = opened(Path(sys.argv[1]), Path(sys.argv[2]), '/nowhere/some-encoder')\n"
        "began = time.monotonic(); returned = ask(source, 'osteoarthritis'); took = time.monotonic() - began\n"
        "print(ids(returned), took < 3, 'torch' in sys.modules, *returned.notes)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "corpus.jsonl"), str(tmp_path / "home")]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert said.startswith("['knee'] True False Ranked by words alone (BM25)")
    assert "/nowhere/some-encoder" in said and "OMNI_ENCODER" in said


def test_a_folder_that_is_no_encoder_is_named(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{}")
    source = opened(written(tmp_path / "corpus.jsonl", PASSAGES), tmp_path / "home", str(tmp_path / "model"))
    (note,) = ask(source, "osteoarthritis").notes
    assert str(tmp_path / "model") in note and "could not be loaded" in note


def test_fusion_rewards_agreement() -> None:
    assert [item for item, _ in fuse([[1, 2, 3], [2, 4]])] == [2, 1, 4, 3]
    assert fuse([]) == [] and fuse([[], []]) == []
