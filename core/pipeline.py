"""The composition: select, formulate and execute side by side, then choose the evidence."""

from __future__ import annotations

import math
import time
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Event as Flag

from core.attempt import Attempted, attempt_source, execute
from core.backbone import BUILT_IN, Backbone
from core.errors import BadQuestion, EvidenceFailed, ModelError, OmniError, QueryTimedOut, SelectionFailed, UsageError
from core.follow_up import FollowUp, follow_up
from core.parallel import Stopped, run_all, run_one, stopped
from core.results import (
    STOPPED,
    Attempt,
    Candidate,
    ExecutionResult,
    Failed,
    Fault,
    Grounding,
    Language,
    NativeQuery,
    Origin,
    Outcome,
    Returned,
    Stage,
    Timings,
    Trace,
)
from core.settings import Settings
from core.sources.catalog import Catalog
from core.stages.base import Choice, Selection

METHODS: dict[str, Language | None] = {
    "omni": None,
    "route": None,
    "search": Language.TEXT,
    "sql": Language.SQL,
    "sparql": Language.SPARQL,
    "cypher": Language.CYPHER,
}
"""The methods that need no gold (paper, section 3.2); a language pins the pipeline to one paradigm."""

SINGLE = frozenset(METHODS) - {"omni"}
"""Methods that commit to one source."""

DECLINED = frozenset({"cannot_link", "declined"})
"""Failure kinds that are a finding ("this source does not hold it"), not a fault."""

LAST_LOOK_SECONDS = 0.5
"""What choosing evidence among the results at hand may take after a stop."""

BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True, slots=True)
class Event:
    """Progress of one question, for a screen; `value` is what the step produced, if anything."""

    stage: Stage
    source_id: str | None
    state: str
    """started, done or failed"""
    message: str
    value: object = None


Listener = Callable[[Event], None]


def clean_question(question: str, settings: Settings) -> str:
    """The question without control characters, white space folded.

    Raises:
        BadQuestion: It is empty, holds no letter or digit, or is longer than `settings.question_chars`.
    """
    text = "".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in question if c not in BIDI_CONTROLS)
    text = " ".join(text.split())
    if not text:
        raise BadQuestion("The question is empty. Type what you want to know.")
    if len(text) > settings.question_chars:
        raise BadQuestion(
            f"The question has {len(text):,} characters, and at most {settings.question_chars:,} are read. "
            "Shorten it to the one thing you want to know."
        )
    if not any(c.isalnum() for c in text):
        raise BadQuestion(f"There is nothing to look for in {text[:40]!r}. Write the question in words.")
    return text


class Pipeline:
    """Ask one question of every registered source, or run an edited query again.

    Args:
        backbone: "built-in", or a model's name as litellm takes it.
        selector: "probe" looks inside the sources; "catalog" reads their cards only.
        method: One of `METHODS`.
        hyde: Whether a model writes a passage to search a corpus with; None leaves it to `settings`.

    Raises:
        UsageError: An argument is not one of the values above.
    """

    def __init__(
        self,
        catalog: Catalog,
        settings: Settings,
        backbone: str = "built-in",
        selector: str = "probe",
        method: str = "omni",
        api_base: str | None = None,
        api_key_env: str | None = None,
        hyde: bool | None = None,
        **model_options: object,
    ) -> None:
        if hyde is not None:
            if hyde and backbone.strip() == BUILT_IN:
                raise UsageError("HyDE needs a model to write the passage. Name one with --backbone, or leave it out.")
            settings = replace(settings, hyde=hyde)
        if method not in METHODS:
            raise UsageError(f"{method!r} is no method. Choose one of: {', '.join(METHODS)}.")
        language = METHODS[method]
        self.catalog = catalog.only(language=language) if language else catalog
        self.settings = settings
        self.method = method
        self.backbone = Backbone(backbone, selector, settings, api_base, api_key_env, model_options)

    def ask(
        self,
        question: str,
        k: int = 3,
        on_event: Listener | None = None,
        cancel: Flag | None = None,
        chosen: Sequence[str] | None = None,
        selection: Selection | None = None,
    ) -> Trace:
        """Retrieve evidence for `question` from at most `k` sources.

        One source failing or being slow never fails the question or holds back the others; it
        becomes a `Failed`. `chosen` names sources picked by hand: up to `k` of them are all asked. `selection`
        is what `select` gave, with candidates taken out or added: all of them are asked, and none is looked for.
        Once `cancel` is set the question ends within about a second with what it has, and its reason
        begins with `STOPPED`.

        Raises:
            BadQuestion: See `clean_question`.
            ModelError: The backbone's name tells no model.
            UsageError: `k` is below 1.
            UnknownSource: A chosen source is not registered.
        """
        if k < 1:
            raise UsageError(f"k is {k}, but at least one source has to be asked. Use k = 1 or more.")
        run = _Run(self, clean_question(question, self.settings), on_event, cancel or Flag())
        return run.ask(k, chosen, selection)

    def select(
        self, question: str, k: int = 3, on_event: Listener | None = None, cancel: Flag | None = None
    ) -> Selection:
        """The sources that `ask` would ask, at most `k`, before any query is written.

        Raises:
            BadQuestion: See `clean_question`.
            ModelError: The backbone's name tells no model.
            UsageError: `k` is below 1.
        """
        if k < 1:
            raise UsageError(f"k is {k}, but at least one source has to be asked. Use k = 1 or more.")
        return _Run(self, clean_question(question, self.settings), on_event, cancel or Flag()).select(k)

    def rerun(
        self,
        trace: Trace,
        source_id: str,
        text: str,
        on_event: Listener | None = None,
        cancel: Flag | None = None,
    ) -> Trace:
        """The same trace after running an edited query on one source and choosing the evidence again.

        The other sources' results and every earlier attempt are kept. A text that stands in the trace
        already keeps its origin.

        Raises:
            UsageError: The query is empty.
            UnknownSource: The source is not registered.
        """
        if not text.strip():
            raise UsageError("The query is empty. Write one, or go back to the generated query.")
        return _Run(self, trace.question, on_event, cancel or Flag()).rerun(trace, source_id, text)

    def query(self, source_id: str, text: str, origin: Origin = Origin.GIVEN) -> Attempted:
        """Run one native query on one source through the same guarded door as generated ones.

        Raises:
            UnknownSource: The source is not registered.
        """
        if not text.strip():
            raise UsageError("The query is empty. Write one in the source's own language.")
        card = next((c for c in self.catalog.all_cards() if c.id == source_id), None)
        language = card.language if card else self.catalog[source_id].card.language
        result, attempt = execute(self.catalog, NativeQuery(source_id, language, text, origin))
        return Attempted(result, (attempt,))


class _Left(Exception):
    """The question went on without this source, so its thread ends at its next step."""


class _Run:
    """One question on its way through the stages."""

    def __init__(self, pipeline: Pipeline, question: str, on_event: Listener | None, cancel: Flag) -> None:
        self.pipeline = pipeline
        self.question = question
        self.asked = question
        """The question as its evidence is judged: what refers to an earlier part is put in."""
        self.emit: Listener = on_event or (lambda event: None)
        self.cancel = cancel
        self.stages = pipeline.backbone.stages(pipeline.catalog, cancel)
        self.started = time.monotonic()
        self.notes: list[str] = []
        self.cut_short = False
        """Whether a stop left something undone."""
        self.gathered = Flag()
        """Set when the results are in: what a source's thread finds later is not told any more."""
        self.running: dict[str, NativeQuery] = {}
        """The newest query of each source, so that one cut off by the deadline is not lost."""

    def select(self, k: int) -> Selection:
        selection = self._select(k, None)
        if self.cut_short:
            return replace(selection, reason=f"{STOPPED} {selection.reason}")
        return replace(selection, notes=(*self.notes, *selection.notes))

    def ask(self, k: int, chosen: Sequence[str] | None, given: Selection | None) -> Trace:
        selection = self._select(k, chosen) if given is None else self._given(given)
        selected = time.monotonic() - self.started
        attempted = self._attempt_all(selection.candidates)
        selection, attempted = self._followed_up(selection, attempted, k)
        self.gathered.set()
        results = tuple(a.result for a in attempted)
        gathered = time.monotonic()
        choice = self._choose(results, selection.candidates, tuple(a.grounding for a in attempted if a.grounding))
        ended = time.monotonic()
        timings = Timings(
            select=selected,
            formulate=max((a.formulating for a in attempted), default=0.0),
            execute=max((a.executing for a in attempted), default=0.0),
            evidence=ended - gathered,
            total=ended - self.started,
        )
        outcome, reason = _outcome(selection, results, choice, self.cut_short)
        return Trace(
            question=self.question,
            method=self.pipeline.method,
            backbone=self.pipeline.backbone.name,
            selector=self.pipeline.backbone.selector,
            outcome=outcome,
            reason=reason,
            candidates=selection.candidates,
            groundings=tuple(a.grounding for a in attempted if a.grounding),
            contexts=tuple((a.result.source_id, a.context) for a in attempted),
            attempts=tuple(step for a in attempted for step in a.attempts),
            results=results,
            evidence=choice.evidence,
            timings=timings,
            calls=self.stages.calls,
            notes=(*self.notes, *selection.notes, *(note for a in attempted for note in a.notes)),
            confidence=selection.sureness.confidence if selection.sureness else None,
            margin=selection.sureness.margin if selection.sureness else None,
        )

    def rerun(self, trace: Trace, source_id: str, text: str) -> Trace:
        language = self.pipeline.catalog[source_id].card.language
        query = _as_written(trace, NativeQuery(source_id, language, text, Origin.EDITED))
        edited = query.origin is Origin.EDITED
        self.emit(
            Event(Stage.EXECUTE, source_id, "started", "running the edited query" if edited else "running it again")
        )
        started = time.monotonic()
        try:
            result, attempt = run_one(partial(execute, self.pipeline.catalog, query), math.inf, self.cancel)
        except Stopped as stop:
            self.cut_short = True
            elapsed = time.monotonic() - started
            result = Failed(source_id, Stage.EXECUTE, stop.kind, stop.message, query, elapsed)
            attempt = Attempt(query, Fault(Stage.EXECUTE, stop.kind, stop.message), elapsed)
        self._tell(result)
        results = tuple(result if r.source_id == source_id else r for r in trace.results)
        if trace.result_of(source_id) is None:
            results = (*results, result)
        gathered = time.monotonic()
        more = self._second_part(results, trace.candidates)
        self.asked = more.question if more else self.question
        choice = self._choose(results, trace.candidates, trace.groundings)
        outcome, reason = _outcome(Selection(trace.candidates, trace.reason), results, choice, self.cut_short)
        timings = replace(trace.timings, execute=result.elapsed, evidence=time.monotonic() - gathered)
        return replace(
            trace,
            outcome=outcome,
            reason=reason,
            attempts=(*trace.attempts, attempt),
            results=results,
            evidence=choice.evidence,
            timings=replace(timings, total=time.monotonic() - self.started),
            calls=(*trace.calls, *self.stages.calls),
            notes=(*trace.notes, *self.notes),
        )

    def _given(self, selection: Selection) -> Selection:
        names = ", ".join(c.source_id for c in selection.candidates) or "no source"
        self.emit(Event(Stage.SELECT, None, "done", names, selection))
        return selection

    def _select(self, k: int, chosen: Sequence[str] | None) -> Selection:
        catalog = self.pipeline.catalog if chosen is None else self.pipeline.catalog.only(ids=chosen)
        self.emit(Event(Stage.SELECT, None, "started", f"looking for sources among {len(catalog)}"))
        if self.pipeline.method in SINGLE:
            k = 1
        elif chosen is None and k > len(catalog.all_cards()):
            self.notes.append(
                f"k is {k}, but {len(catalog.all_cards())} sources are registered: all that fit are asked."
            )
        try:
            run_one(self.pipeline.backbone.check, math.inf, self.cancel)
            if chosen is not None and len(catalog.all_cards()) <= k:
                selection = _by_hand(catalog)
            else:
                selection = run_one(partial(self._ranked, catalog, k), math.inf, self.cancel)
        except Stopped:
            self.cut_short = True
            selection = Selection((), "No sources had been chosen yet.")
        names = ", ".join(c.source_id for c in selection.candidates) or "no source"
        self.emit(Event(Stage.SELECT, None, "done", names, selection))
        return selection

    def _ranked(self, catalog: Catalog, k: int, question: str = "") -> Selection:
        if not len(catalog):
            return Selection((), "No source that this method can ask is registered and ready.")
        try:
            return self.stages.select(question or self.question, catalog, k)
        except (SelectionFailed, ModelError) as error:
            if self.cancel.is_set():
                raise stopped() from error
            self.notes.append(f"{error.message} The built-in selection chose instead; you can also choose by hand.")
            return self.stages.select_built_in(question or self.question, catalog, k)

    def _attempt_all(self, candidates: Sequence[Candidate]) -> tuple[Attempted, ...]:
        deadline = self.started + self.pipeline.settings.question_seconds
        ids = [c.source_id for c in candidates]
        jobs = [partial(self._attempt, source_id, deadline) for source_id in ids]
        outcomes = run_all(jobs, deadline, self.cancel)
        return tuple(
            outcome if isinstance(outcome, Attempted) else self._lost(source_id, outcome)
            for source_id, outcome in zip(ids, outcomes, strict=True)
        )

    def _second_part(self, results: Sequence[ExecutionResult], candidates: Sequence[Candidate]) -> FollowUp | None:
        if self.pipeline.backbone.name != BUILT_IN or self.pipeline.method in SINGLE:
            return None
        return follow_up(self.question, [r for r in results if isinstance(r, Returned)], candidates)

    def _followed_up(
        self, selection: Selection, attempted: tuple[Attempted, ...], k: int
    ) -> tuple[Selection, tuple[Attempted, ...]]:
        """What was attempted; a second part that needed the answer of the first is asked again with it."""
        more = self._second_part([a.result for a in attempted], selection.candidates)
        if more is None or self.cancel.is_set():
            return selection, attempted
        others = self.pipeline.catalog.only(ids=[c.id for c in self.pipeline.catalog.cards() if c.id != more.source_id])
        found = self._ranked(others, 1, more.part).candidates
        if not found:
            return selection, attempted
        self.notes.append(more.note)
        self.asked = more.question
        deadline = self.started + self.pipeline.settings.question_seconds
        again = run_all([partial(self._attempt, found[0].source_id, deadline, more.part)], deadline, self.cancel)[0]
        done = again if isinstance(again, Attempted) else self._lost(found[0].source_id, again)
        done = replace(done, result=_of_part(done.result, more.part))
        kept = [c for c in selection.candidates if c.source_id not in (found[0].source_id, more.source_id)]
        first = [c for c in selection.candidates if c.source_id == more.source_id]
        ranked = [*first, found[0], *kept][: max(k, 2)]
        candidates = tuple(replace(c, rank=rank) for rank, c in enumerate(ranked, 1))
        by_id = {a.result.source_id: a for a in (*attempted, done)}
        results = tuple(by_id[c.source_id] for c in candidates)
        return replace(selection, candidates=candidates), results

    def _attempt(self, source_id: str, deadline: float, question: str = "") -> Attempted:
        def go_on() -> None:
            if self.gathered.is_set() or self.cancel.is_set():
                raise _Left

        def step(stage: Stage, message: str, query: NativeQuery | None) -> None:
            go_on()
            if query:
                self.running[source_id] = query
            self.emit(Event(stage, source_id, "started", message, query))
            go_on()

        attempted = attempt_source(
            question or self.question,
            self.pipeline.catalog,
            source_id,
            self.stages.formulate,
            self.pipeline.settings,
            deadline,
            step,
        )
        go_on()
        self._tell(attempted.result)
        return attempted

    def _lost(self, source_id: str, why: BaseException) -> Attempted:
        if isinstance(why, _Left):
            why = stopped()
        self.cut_short = self.cut_short or isinstance(why, Stopped)
        query = self.running.get(source_id)
        stage = Stage.EXECUTE if query else Stage.FORMULATE
        kind, message = "internal", f"An unexpected error in this program: {type(why).__name__}: {why}."
        if isinstance(why, OmniError):
            kind, message = why.kind, why.message
        attempts = (Attempt(query, Fault(stage, kind, message), 0.0),) if query else ()
        failed = Failed(source_id, stage, kind, message, query)
        self._tell(failed)
        return Attempted(failed, attempts)

    def _tell(self, result: ExecutionResult) -> None:
        if isinstance(result, Failed):
            self.emit(Event(result.stage, result.source_id, "failed", result.message, result))
        else:
            self.emit(Event(Stage.EXECUTE, result.source_id, "done", f"{len(result.payload.items)} items", result))

    def _choose(
        self, results: Sequence[ExecutionResult], candidates: Sequence[Candidate], groundings: Sequence[Grounding]
    ) -> Choice:
        returned = [r for r in results if isinstance(r, Returned)]
        if not returned:
            return Choice((), "No source returned a result.")
        self.emit(Event(Stage.EVIDENCE, None, "started", f"choosing among {len(returned)} results"))
        built_in = partial(self.stages.choose_built_in, self.asked, returned, candidates, groundings)
        try:
            asked = partial(self.stages.choose, self.asked, returned, candidates, groundings)
            choice = run_one(asked, math.inf, self.cancel)
        except (EvidenceFailed, ModelError) as error:
            self.notes.append(f"{error.message} The built-in evidence selection chose instead.")
            choice = built_in()
        except Stopped:
            self.cut_short = True
            choice = self._last_look(built_in)
        self.emit(Event(Stage.EVIDENCE, None, "done", choice.reason, choice))
        return choice

    def _last_look(self, built_in: Callable[[], Choice]) -> Choice:
        """Evidence from what a stop left, if that is quick."""
        try:
            choice = run_one(built_in, time.monotonic() + LAST_LOOK_SECONDS)
        except QueryTimedOut:
            return Choice((), "No evidence had been chosen yet.")
        if self.stages.model:
            self.notes.append("The built-in evidence selection chose among what had come when you stopped this.")
        return choice


def _as_written(trace: Trace, query: NativeQuery) -> NativeQuery:
    """A query that is run again as whoever wrote it first wrote it; else as the person's own."""
    before = (a.query for a in reversed(trace.attempts_of(query.source_id)))
    return next((q for q in before if q.text.strip() == query.text.strip()), query)


def _of_part(result: ExecutionResult, part: str) -> ExecutionResult:
    """A result whose query asked one part of the question."""
    return replace(result, query=replace(result.query, part=part)) if isinstance(result, Returned) else result


def _by_hand(catalog: Catalog) -> Selection:
    cards = catalog.all_cards()
    chosen = tuple(Candidate(card.id, n, 1.0, "chosen by hand") for n, card in enumerate(cards, 1))
    return Selection(chosen, "The sources were chosen by hand.")


def _outcome(
    selection: Selection, results: Sequence[ExecutionResult], choice: Choice, cut_short: bool
) -> tuple[Outcome, str]:
    outcome, reason = _found(selection, results, choice)
    if not cut_short:
        return outcome, reason
    return Outcome.FAILED if outcome is Outcome.NO_SOURCE else outcome, f"{STOPPED} {reason}"


def _found(selection: Selection, results: Sequence[ExecutionResult], choice: Choice) -> tuple[Outcome, str]:
    if not selection.candidates and not results:
        return Outcome.NO_SOURCE, selection.reason
    if choice.evidence:
        return Outcome.ANSWERED, choice.reason
    failures = [r for r in results if isinstance(r, Failed)]
    if len(failures) < len(results):
        return Outcome.NOTHING_ANSWERS, choice.reason
    undone = [f.source_id for f in failures if f.kind == Stopped.kind]
    found = " ".join(f"{f.source_id}: {f.message}" for f in failures if f.kind != Stopped.kind)
    if undone:
        return Outcome.FAILED, f"No answer yet from: {', '.join(undone)}. {found}".strip()
    if all(f.kind in DECLINED for f in failures):
        return Outcome.NOTHING_ANSWERS, f"No candidate source could be asked this question. {found}"
    return Outcome.FAILED, f"Every candidate source failed. {found}"
