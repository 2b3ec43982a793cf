"""One candidate source: ground, formulate, execute, and repair what its engine refused."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from core.errors import (
    FormulationError,
    ModelError,
    OmniError,
    QueryFailed,
    QueryRejected,
    QueryTimedOut,
    UsageError,
)
from core.grounding.link import ground
from core.results import (
    Attempt,
    ExecutionResult,
    Failed,
    Fault,
    Grounding,
    NativeQuery,
    Origin,
    Returned,
    Stage,
)
from core.settings import Settings
from core.sources.base import Limits, Source
from core.sources.catalog import Catalog
from core.stages.agreement import PATIENT
from core.stages.base import Draft, Formulator
from core.stages.ties import tie_note

FOUND_NOTHING = "found_nothing"
"""The kind of the fault of a query that ran, found nothing and may be wrong; its result stays an answer."""

Step = Callable[[Stage, str, NativeQuery | None], None]


@dataclass(frozen=True, slots=True)
class Attempted:
    """What became of one candidate, with every query on the way."""

    result: ExecutionResult
    attempts: tuple[Attempt, ...] = ()
    grounding: Grounding | None = None
    context: str = ""
    formulating: float = 0.0
    """Seconds spent linking and writing, repairs included."""
    executing: float = 0.0
    """Seconds spent in the engine, all attempts together."""
    notes: tuple[str, ...] = ()


class _Clock:
    """Adds up the time of one kind of step."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._since = 0.0

    def __enter__(self) -> None:
        self._since = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.monotonic() - self._since


def attempt_source(
    question: str,
    catalog: Catalog,
    source_id: str,
    formulate: Formulator,
    settings: Settings,
    deadline: float,
    step: Step,
) -> Attempted:
    """Everything that happens at one source; failures come back as values.

    `deadline` is on `time.monotonic()`'s clock; a query gets what is left of it, at most its own limit.
    """
    writing, running = _Clock(), _Clock()
    grounding: Grounding | None = None
    draft: Draft | None = None
    attempts: list[Attempt] = []
    notes: list[str] = []

    def finish(result: ExecutionResult) -> Attempted:
        context = draft.context if draft else ""
        return Attempted(result, tuple(attempts), grounding, context, writing.seconds, running.seconds, tuple(notes))

    try:
        step(Stage.FORMULATE, "linking the question", None)
        with writing:
            source = catalog[source_id]
            grounding = ground(question, source)
            step(Stage.FORMULATE, "writing the query", None)
            draft = formulate(question, source, grounding)
    except OmniError as error:
        stage = Stage.FORMULATE if isinstance(error, FormulationError | ModelError) else Stage.EXECUTE
        return finish(Failed(source_id, stage, error.kind, error.message, None))
    notes += [f"{source_id}: {note}" for note in draft.notes]
    query = NativeQuery(source_id, source.card.language, draft.text, Origin.GENERATED, draft.left_out, draft.part)
    doubted: Returned | None = None
    """A result that found nothing, perhaps for a fault of its query, which is being written again."""
    for repairs_left in range(settings.repairs, -1, -1):
        step(Stage.EXECUTE, "running the query", query)
        began = time.monotonic()
        with running:
            result, attempt = _ran(draft, query) or execute(catalog, query, deadline)
        attempts.append(attempt)
        quick = max(time.monotonic() - began, attempt.elapsed) < PATIENT
        if isinstance(result, Returned) and quick:
            with running:
                shared = tie_note(draft.further, source)
            notes += [f"{source_id}: {shared}"] if shared else []
        if doubted is not None and (isinstance(result, Failed) or not result.payload.items or result.doubtful):
            return finish(doubted)  # the second query found no more than the first
        fault = _fault(result)
        if fault is None or not repairs_left or doubted is not None:
            return finish(result)
        doubted = result if isinstance(result, Returned) else None
        step(Stage.FORMULATE, "repairing the query", query)
        with writing:
            repaired = _repair(question, source, grounding, query, fault, formulate, notes)
        if repaired is None or repaired.text.strip() == query.text.strip():
            return finish(result)
        query = replace(query, text=repaired.text, origin=Origin.REPAIRED, left_out=repaired.left_out)
    raise AssertionError("the loop returns on its last round")


def _ran(draft: Draft, query: NativeQuery) -> tuple[ExecutionResult, Attempt] | None:
    """What a query returned while it was chosen, so that it is not run twice."""
    if draft.ran is None or draft.text != query.text:
        return None
    # The adapter may have completed the text, as with prefixes.
    made = replace(draft.ran.query, left_out=query.left_out, part=query.part)
    return replace(draft.ran, query=made), Attempt(made, None, draft.ran.elapsed)


def execute(catalog: Catalog, query: NativeQuery, deadline: float = math.inf) -> tuple[ExecutionResult, Attempt]:
    """Run `query` on its source, within the source's limits and `deadline`; a failure comes back as a value."""
    started = time.monotonic()
    try:
        source = catalog[query.source_id]
        returned = source.run(query, _within(source.limits, deadline))
    except UsageError:
        raise
    except OmniError as error:
        elapsed = time.monotonic() - started
        fault = Fault(Stage.EXECUTE, error.kind, error.message)
        failed = Failed(query.source_id, Stage.EXECUTE, error.kind, error.message, query, elapsed)
        return failed, Attempt(query, fault, elapsed)
    return returned, Attempt(returned.query, None, returned.elapsed)


def _within(limits: Limits, deadline: float) -> Limits:
    left = deadline - time.monotonic()
    if left <= 0:
        raise QueryTimedOut("The time for this question was up before the query could run.")
    return replace(limits, seconds=min(limits.seconds, left))


def _fault(result: ExecutionResult) -> Fault | None:
    """What a writer may mend: a refusal, or nothing found where the remarks name something in the query."""
    if isinstance(result, Failed):
        repairable = result.kind in (QueryRejected.kind, QueryFailed.kind)
        return Fault(Stage.EXECUTE, result.kind, result.message) if repairable else None
    if not result.doubtful:
        return None
    return Fault(Stage.EXECUTE, FOUND_NOTHING, f"The query ran and found nothing. {' '.join(result.notes)}")


def _repair(
    question: str,
    source: Source,
    grounding: Grounding,
    query: NativeQuery,
    fault: Fault,
    formulate: Formulator,
    notes: list[str],
) -> Draft | None:
    try:
        return formulate.repair(question, source, grounding, query, fault)
    except OmniError as error:
        notes.append(f"The repair of {source.card.id}'s query failed: {error.message}")
        return None
