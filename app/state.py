"""What outlives one run of a page: catalog, pipelines, and a session's question with its results.

The only place with caching and session keys.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import streamlit as st

from app.job import Job
from app.rerun import settled
from core.attempt import Attempted
from core.errors import ModelNotConfigured
from core.pipeline import Pipeline
from core.results import Candidate, SourceCard, Status, Trace
from core.settings import Settings
from core.sources.base import Limits, Schema
from core.sources.catalog import Catalog, SourceStatus
from core.sources.manifest import load_catalog
from core.stages.base import Selection

BUILT_IN, MODEL_BACKBONE = "built-in", "model"
USUAL_K = 3
ADDRESS_CHARS = 2_000
"""Longest question that is kept in the page's address."""
SPARE = 5
"""Sources beyond those that would be asked that a person is shown beside them."""
PATIENCE = 1.5
"""Seconds a stopped question has to bring what it found, before the page goes on without it."""
QUICK_ENGINES = ("sqlite",)
"""Engines that tell within moments whether a source can be asked; others have a server to start."""
WARM_UP_AFTER = 2.0
"""Seconds a new process leaves to the first page before it starts servers and loads the encoder."""

NATIVE = "native:"
QUESTION, BACKBONE, MODEL, API_BASE, KEY_ENV = "question", "backbone", "model", "api_base", "key_env"
K, SELECTOR, CHOSEN, PLAIN_EDITOR, REVIEW = "k", "selector", "chosen", "plain_editor", "review"
"""Keys of widgets; the pages give each `persist_state="session"`."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a question is to be asked."""

    backbone: str = BUILT_IN
    selector: str = "probe"
    k: int = 3
    chosen: tuple[str, ...] = ()
    api_base: str = ""
    key_env: str = ""
    review: bool = False
    """Whether a person looks at the sources before any query is written."""


@dataclass(slots=True)
class Asked:
    """A session's question: on its way, answered, or not askable."""

    options: Options = field(default_factory=Options)
    job: Job[Trace] | None = None
    picking: Job[Selection] | None = None
    """Looks for sources that a person wants to see first."""
    review: Selection | None = None
    """Sources to switch on and off before queries are written."""
    rerun: tuple[str, Job[Trace]] | None = None
    """A source whose edited query is running."""
    trace: Trace | None = None
    problem: Exception | None = None
    question: str = ""
    stopped: bool = False
    """Stopped before anything came back."""
    reopened: bool = False
    """The page was loaded again, which keeps the question and loses its answer."""
    run: int = 0
    """Counts the questions of a session, so that widgets of an old answer are not those of a new one."""


def asked() -> Asked:
    """This session's question."""
    if "asked" not in st.session_state:
        st.session_state["asked"] = Asked()
    return cast(Asked, st.session_state["asked"])


def settings() -> Settings:
    """The settings as the environment has them now.

    Raises:
        SettingError: One of them can't be used.
    """
    return Settings.load()


def catalog() -> Catalog:
    """The registered sources; read again when the manifest changes.

    Raises:
        ManifestError: The manifest can't be read as one.
        SettingError: A setting can't be used.
    """
    current = settings()
    return _catalog(_stamp(current), current)


def _stamp(current: Settings) -> str:
    manifest = Path(current.sources)
    changed = manifest.stat().st_mtime_ns if manifest.exists() else 0
    return f"{current!r} {changed}"


def _close(old: Catalog) -> None:
    old.close()


@st.cache_resource(show_spinner=False, max_entries=4, on_release=_close)
def _catalog(stamp: str, _settings: Settings) -> Catalog:
    return load_catalog(_settings)


def pipeline(options: Options) -> Pipeline:
    """The pipeline for these options, kept for as long as the manifest stays as it is.

    Raises:
        UsageError: An option has a value it can't have.
    """
    current = settings()
    return _pipeline(_stamp(current), current, options.backbone, options.selector, options.api_base, options.key_env)


@st.cache_resource(show_spinner=False, max_entries=16)
def _pipeline(stamp: str, _settings: Settings, backbone: str, selector: str, api_base: str, key_env: str) -> Pipeline:
    return Pipeline(
        _catalog(stamp, _settings),
        _settings,
        backbone,
        selector,
        api_base=api_base or None,
        api_key_env=key_env or None,
    )


def start(question: str, options: Options) -> None:
    """Begin a question; what was on the screen gives way to it."""
    state = asked()
    for job in (state.job, state.picking, state.rerun[1] if state.rerun else None):
        if job:
            job.stop()
    state.job = state.picking = state.review = state.rerun = None
    state.options, state.trace, state.problem = options, None, None
    state.question, state.stopped, state.reopened = question, False, False
    state.run += 1
    if not options.backbone:
        state.problem = ModelNotConfigured(
            "Type its name above, such as openai/gpt-5.4 or ollama/qwen2.5, or choose Built in. Nothing was run."
        )
        return
    try:
        line = pipeline(options)
    except Exception as error:  # noqa: BLE001 - shown on the page
        state.problem = error
        return
    chosen = list(options.chosen) or None
    if options.review and not chosen:
        state.picking = Job(question, lambda tell, cancel: line.select(question, options.k + SPARE, tell, cancel))
    else:
        state.job = Job(question, lambda tell, cancel: line.ask(question, options.k, tell, cancel, chosen))


def review_again() -> None:
    """Look at the sources of an answer again, to ask others; for callbacks."""
    state = asked()
    if state.trace:
        state.review = Selection(state.trace.candidates, state.trace.reason)


def leave_review() -> None:
    """Go back to what was there before the sources were looked at; for callbacks."""
    state = asked()
    state.review = None
    state.reopened = not state.trace


def go_on(ids: Sequence[str]) -> None:
    """Ask the question of just these sources; those that nobody looked for come as chosen by hand."""
    state = asked()
    known = {c.source_id: c for c in state.review.candidates} if state.review else {}
    candidates = tuple(
        replace(known.get(source_id) or Candidate(source_id, rank, 1.0, "chosen by hand"), rank=rank)
        for rank, source_id in enumerate(ids, 1)
    )
    notes = state.review.notes if state.review else ()
    selection = Selection(candidates, f"{len(candidates)} sources were chosen by hand.", notes)
    question, options = state.question, state.options
    state.review, state.trace, state.problem, state.reopened, state.stopped = None, None, None, False, False
    state.run += 1
    line = pipeline(options)
    state.job = Job(question, lambda tell, cancel: line.ask(question, options.k, tell, cancel, selection=selection))


def usual_backbone() -> str:
    """Who answers when nobody says otherwise: the configured model, if there is one."""
    return MODEL_BACKBONE if settings().model else BUILT_IN


def read_address() -> None:
    """Take the question and its options from the page's address, once a session; nothing is run."""
    if st.session_state.setdefault("address_read", False):
        return
    st.session_state["address_read"] = True
    given = st.query_params
    question = given.get("q", "")[:ADDRESS_CHARS]
    if question:
        st.session_state[QUESTION] = question
        asked().question, asked().reopened = question, True
    if given.get("k", "").isdecimal():
        st.session_state[K] = int(given["k"][:4])
    if given.get("by") in (BUILT_IN, MODEL_BACKBONE):
        st.session_state[BACKBONE] = given["by"]
    if given.get("review") == "1":
        st.session_state[REVIEW] = True
    known = cards()
    if chosen := [source_id for source_id in given.get_all("only") if source_id in known]:
        st.session_state[CHOSEN] = list(dict.fromkeys(chosen))


def write_address(options: Options) -> None:
    """Put the question and its options in the page's address; never a query, a model's name or a key."""
    question = asked().question
    by = BUILT_IN if options.backbone == BUILT_IN else MODEL_BACKBONE
    wanted: dict[str, str | list[str]] = {}
    if question and len(question) <= ADDRESS_CHARS:
        wanted["q"] = question
    if options.k != USUAL_K:
        wanted["k"] = str(options.k)
    if by != usual_backbone():
        wanted["by"] = by
    if options.chosen:
        wanted["only"] = list(options.chosen)
    if options.review:
        wanted["review"] = "1"
    current = {name: st.query_params.get_all(name) for name in st.query_params}
    if current != {name: value if isinstance(value, list) else [value] for name, value in wanted.items()}:
        st.query_params.from_dict(wanted)


def take_question(question: str) -> None:
    """Put an example in the question box and have it asked; for callbacks."""
    st.session_state[QUESTION] = question
    st.session_state["pressed"] = question


def take_example() -> str | None:
    """The example that was just pressed, once."""
    return cast("str | None", st.session_state.pop("pressed", None))


def example_waits() -> bool:
    """Whether an example was pressed that the Ask page has not taken yet."""
    return "pressed" in st.session_state


def finish() -> None:
    """Take over what a job has brought; one that was stopped and is still at it is left to end by itself."""
    state = asked()
    if state.picking:
        stopping = state.picking.stopping
        state.review, state.problem = (None if stopping else state.picking.found), state.picking.error
        state.picking = None
        state.stopped = stopping
    if state.job:
        stopping = state.job.stopping
        state.trace, state.problem, state.job = state.job.found, state.job.error, None
        state.stopped = stopping and not state.trace and not state.problem


def run_again(source_id: str, text: str) -> None:
    """Begin to run an edited query, after which the evidence is chosen anew."""
    state = asked()
    trace = state.trace
    if trace:
        line = pipeline(state.options)
        state.rerun = (source_id, Job(text, lambda tell, cancel: line.rerun(trace, source_id, text, tell, cancel)))


def running_again(source_id: str) -> Job[Trace] | None:
    """The run of a source's edited query that is under way, if any."""
    again = asked().rerun
    return again[1] if again and again[0] == source_id else None


def finish_again() -> None:
    """Take over what running an edited query has brought; raises what `Pipeline.rerun` raised."""
    state = asked()
    again, state.rerun = state.rerun, None
    if again is None or state.trace is None:
        return
    source_id, job = again
    if job.error:
        raise job.error
    if job.found:
        state.trace = settled(state.trace, job.found, source_id)


def editor_key(source_id: str) -> str:
    """The key of a source's query editor; one for queries of one's own outlives the question."""
    return source_id if source_id.startswith(NATIVE) else f"query-{asked().run}-{source_id}"


def native_id(source_id: str) -> str:
    """What a source goes by where a person writes queries of their own."""
    return f"{NATIVE}{source_id}"


def run_native(source_id: str, text: str) -> Attempted:
    """Run a person's own query on one source; raises what `Pipeline.query` raises."""
    return pipeline(Options()).query(source_id, text)


def schema(source_id: str) -> Schema:
    """What a source holds.

    Raises:
        SourceUnavailable: It can't be reached.
    """
    return catalog()[source_id].describe()


def source_limits(source_id: str) -> Limits:
    """What one query on a source may use."""
    return catalog()[source_id].limits


def opened_source() -> str:
    """The source whose view the address names; empty for the list."""
    return st.query_params.get("source", "")


def open_source(source_id: str) -> None:
    """Show one source, or the list for an empty id; for callbacks."""
    if source_id:
        st.query_params["source"] = source_id
    else:
        st.query_params.clear()


def editor_text(source_id: str, initial: str) -> str:
    """What a source's editor holds now."""
    return cast(str, st.session_state.setdefault(editor_key(source_id), initial))


def set_editor_text(source_id: str, text: str) -> None:
    """Put `text` in a source's editor; for callbacks, which run before the widget is made."""
    st.session_state[editor_key(source_id)] = text
    st.session_state[editor_key(source_id) + "-version"] = editor_version(source_id) + 1


def remember_editor_text(source_id: str, text: str) -> None:
    """Keep what was typed into an editor that Streamlit does not keep itself."""
    st.session_state[editor_key(source_id)] = text


def editor_version(source_id: str) -> int:
    """Counts how often an editor's text was set from outside; an editor that can't be told is made anew."""
    return cast(int, st.session_state.get(editor_key(source_id) + "-version", 0))


def dark() -> bool:
    """Whether the page is drawn in the dark theme."""
    return st.context.theme.type == "dark"


@st.cache_data(ttl=30, show_spinner=False, max_entries=4)
def _statuses(stamp: str, _catalog: Catalog) -> dict[str, SourceStatus]:
    cards = _catalog.all_cards()
    with ThreadPoolExecutor(max_workers=4) as pool:
        return dict(zip([c.id for c in cards], pool.map(lambda card: _catalog.status(card.id), cards), strict=True))


def statuses() -> Mapping[str, SourceStatus]:
    """Whether each registered source can be asked, looked at again after half a minute."""
    found = _statuses(_stamp(settings()), catalog())
    _known(_stamp(settings())).update(found)
    return found


@st.cache_data(ttl=30, show_spinner=False, max_entries=64)
def _status(stamp: str, _catalog: Catalog, source_id: str) -> SourceStatus:
    return _catalog.status(source_id)


def status(source_id: str) -> SourceStatus:
    """Whether one source can be asked, looked at again after half a minute."""
    found = _status(_stamp(settings()), catalog(), source_id)
    _known(_stamp(settings()))[source_id] = found
    return found


@st.cache_resource(show_spinner=False, max_entries=4)
def _known(stamp: str) -> dict[str, SourceStatus]:
    """What is known of each source by now; filled as they are looked at."""
    return {}


def unusable() -> dict[str, str]:
    """Why sources can't be asked, as far as is known without starting an engine."""
    known, everything = _known(_stamp(settings())), catalog()
    may_be_asked = {card.id for card in everything.cards()}
    for card in everything.all_cards():
        quick = card.id not in may_be_asked or card.engine in QUICK_ENGINES
        if quick and (card.id not in known or known[card.id].status is Status.ERROR):
            known[card.id] = everything.status(card.id)
    return {source_id: status.reason for source_id, status in list(known.items()) if status.status is Status.ERROR}


def look_again() -> None:
    """Forget the states of the sources."""
    _statuses.clear()
    _status.clear()
    _known.clear()


def cards() -> dict[str, SourceCard]:
    """Cards of every registered source by id."""
    return {card.id: card for card in catalog().all_cards()}


def warm_up() -> None:
    """Start servers and load indexes in the background, once a process and after the first page."""
    current = settings()
    _warm(_stamp(current), catalog(), pipeline(Options()))


@st.cache_resource(show_spinner=False, max_entries=4)
def _warm(stamp: str, _catalog: Catalog, _pipeline: Pipeline) -> threading.Thread:
    known = _known(stamp)

    def work() -> None:
        time.sleep(WARM_UP_AFTER)
        for card in _catalog.cards():
            known[card.id] = _catalog.status(card.id)
        stages = _pipeline.backbone.stages(_catalog)
        stages.select_built_in("What is here?", _catalog, 1)

    thread = threading.Thread(target=work, daemon=True, name="warm-up")
    thread.start()
    return thread
