"""An edited query, and what of the earlier answer it leaves as it was."""

from __future__ import annotations

from dataclasses import replace

from core.results import Attempt, ExecutionResult, NativeQuery, Origin, Trace

WRITTEN = (Origin.GENERATED, Origin.REPAIRED)


def generated_query(trace: Trace, source_id: str) -> NativeQuery | None:
    """The query as it stood before a person changed it, after any repair."""
    written = [a.query for a in trace.attempts_of(source_id) if a.query.origin in WRITTEN]
    return written[-1] if written else None


def settled(before: Trace, after: Trace, source_id: str) -> Trace:
    """`after` a rerun, with the time the question took, and without an edit where the text is the same.

    A query that was run once more unchanged is the same attempt; the generated one is nobody's edit.
    """
    newest = after.attempts[-1]
    generated = generated_query(before, source_id)
    query = generated if generated and _same(newest.query, generated) else newest.query
    attempts = [*after.attempts[:-1], replace(newest, query=query)]
    earlier = before.attempts_of(source_id)
    if earlier and _same(earlier[-1].query, query):
        attempts.remove(earlier[-1])
    return replace(
        after,
        attempts=tuple(attempts),
        results=tuple(
            _with(result, query, newest) if result.source_id == source_id else result for result in after.results
        ),
        timings=before.timings,
    )


def _with(result: ExecutionResult, query: NativeQuery, newest: Attempt) -> ExecutionResult:
    return replace(result, query=query) if result.query == newest.query else result


def _same(one: NativeQuery, other: NativeQuery) -> bool:
    return one.text.strip() == other.text.strip()
