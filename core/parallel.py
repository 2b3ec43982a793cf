"""Run independent jobs side by side under one deadline, none holding back the others."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from core.errors import QueryTimedOut

T = TypeVar("T")

POLL_SECONDS = 0.05
NOTICE_SECONDS = 0.2
"""What a stopped job gets to notice and to write down what it was doing; what it returns is not used."""


class Stopped(QueryTimedOut):
    """The person pressed stop while this was running."""

    kind = "stopped"


def run_all(
    jobs: Sequence[Callable[[], T]], deadline: float, cancel: threading.Event | None = None
) -> list[T | BaseException]:
    """Results in the order of `jobs`; an exception, or a job not done by `deadline`, stands as its exception.

    `deadline` is on `time.monotonic()`'s clock. The threads are daemons: one that can't be stopped
    never holds the process back. After a stop nothing starts, and nothing that ends is used any more.
    """
    if cancel and cancel.is_set():
        return [stopped() for _ in jobs]
    done: queue.Queue[tuple[int, T | BaseException]] = queue.Queue()

    def work(index: int, job: Callable[[], T]) -> None:
        try:
            done.put((index, job()))
        except BaseException as error:  # noqa: BLE001 - every failure belongs to its own job
            done.put((index, error))

    threads = [
        threading.Thread(target=work, args=(index, job), daemon=True, name=f"source-{index}")
        for index, job in enumerate(jobs)
    ]
    for thread in threads:
        thread.start()
    outcomes: dict[int, T | BaseException] = {}
    while len(outcomes) < len(jobs) and not (cancel and cancel.is_set()):
        left = deadline - time.monotonic()
        if left <= 0:
            break
        try:
            index, outcome = done.get(timeout=min(POLL_SECONDS, left))
        except queue.Empty:
            continue
        if not (cancel and cancel.is_set()):
            outcomes[index] = outcome
    if cancel and cancel.is_set():
        noticed = time.monotonic() + NOTICE_SECONDS
        for thread in threads:
            thread.join(max(0.0, noticed - time.monotonic()))
    return [outcomes[index] if index in outcomes else _missing(cancel) for index in range(len(jobs))]


def run_one(job: Callable[[], T], deadline: float, cancel: threading.Event | None = None) -> T:
    """The result of one job that a stop leaves behind.

    Raises:
        Stopped: `cancel` was set before it ended.
        QueryTimedOut: It had not ended by `deadline`.
    """
    (outcome,) = run_all([job], deadline, cancel)
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def stopped() -> Stopped:
    """The error of a source that a stop left behind."""
    return Stopped("You stopped this before the source had answered. Ask again to get its result.")


def _missing(cancel: threading.Event | None) -> QueryTimedOut:
    if cancel and cancel.is_set():
        return stopped()
    return QueryTimedOut(
        "This source had not answered when the time for the question was up. "
        "Run its query alone, or raise OMNI_QUESTION_SECONDS."
    )
