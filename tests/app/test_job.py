"""A question in its own thread: watched, stopped, and never lost."""

from __future__ import annotations

import threading
import time

from app.job import Job
from core.pipeline import Event, Listener
from core.results import Outcome, Stage, Timings, Trace


def trace(outcome: Outcome = Outcome.ANSWERED) -> Trace:
    return Trace("q", "omni", "built-in", "probe", outcome, "", (), (), (), (), (), (), Timings(), ())


def finished(job: Job) -> Job:
    deadline = time.monotonic() + 5
    while not job.done and time.monotonic() < deadline:
        job.wait(0.05)
    job.wait(0)
    return job


def test_events_arrive_in_order_and_none_is_lost() -> None:
    def ask(tell: Listener, cancel: threading.Event) -> Trace:
        for number in range(50):
            tell(Event(Stage.SELECT, None, "started", str(number)))
        return trace()

    job = finished(Job("q", ask))
    assert [event.message for event in job.events] == [str(number) for number in range(50)]
    assert job.found == trace()


def test_stop_reaches_the_pipeline() -> None:
    def ask(tell: Listener, cancel: threading.Event) -> Trace:
        return trace(Outcome.FAILED if cancel.wait(5) else Outcome.ANSWERED)

    job = Job("q", ask)
    job.stop()
    assert finished(job).found == trace(Outcome.FAILED)


def test_an_error_is_kept_for_the_page() -> None:
    def ask(tell: Listener, cancel: threading.Event) -> Trace:
        raise ValueError("broken")

    job = finished(Job("q", ask))
    assert job.found is None
    assert str(job.error) == "broken"


def test_waiting_ends_when_nothing_happens() -> None:
    release = threading.Event()

    def ask(tell: Listener, cancel: threading.Event) -> Trace:
        release.wait(5)
        return trace()

    job = Job("q", ask)
    started = time.monotonic()
    job.wait(0.1)
    assert time.monotonic() - started < 1
    release.set()
    finished(job)
