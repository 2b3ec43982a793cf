"""Jobs side by side: order kept, failures apart, the deadline held."""

from __future__ import annotations

import threading
import time

import pytest

from core.errors import QueryTimedOut
from core.parallel import Stopped, run_all, run_one


def test_results_keep_the_order_of_the_jobs_and_failures_stand_apart() -> None:
    slow_first = [lambda: time.sleep(0.1) or "slow", lambda: 1 / 0, lambda: "quick"]
    slow, broken, quick = run_all(slow_first, time.monotonic() + 5)
    assert (slow, quick) == ("slow", "quick")
    assert isinstance(broken, ZeroDivisionError)


def test_a_false_result_is_a_result() -> None:
    assert run_all([lambda: 0, lambda: None], time.monotonic() + 5) == [0, None]


def test_jobs_overlap() -> None:
    meeting = threading.Barrier(3, timeout=5)
    assert all(isinstance(r, int) for r in run_all([meeting.wait] * 3, time.monotonic() + 10))


def test_a_job_past_the_deadline_holds_nobody_back() -> None:
    never = threading.Event()
    started = time.monotonic()
    quick, late = run_all([lambda: "quick", never.wait], started + 0.3)
    assert quick == "quick"
    assert isinstance(late, QueryTimedOut) and not isinstance(late, Stopped)
    assert time.monotonic() - started < 3


def test_stop_ends_the_wait() -> None:
    never, stop = threading.Event(), threading.Event()
    threading.Timer(0.1, stop.set).start()
    (outcome,) = run_all([never.wait], time.monotonic() + 30, stop)
    assert isinstance(outcome, Stopped)
    assert "Ask again" in outcome.message


def test_nothing_starts_after_a_stop() -> None:
    started, stop = threading.Event(), threading.Event()
    stop.set()
    assert isinstance(run_all([started.set], time.monotonic() + 30, stop)[0], Stopped)
    assert not started.is_set()


def test_what_ends_after_a_stop_is_not_used() -> None:
    stop = threading.Event()
    (outcome,) = run_all([lambda: stop.set() or "late"], time.monotonic() + 30, stop)
    assert isinstance(outcome, Stopped)


def test_one_job_returns_or_raises() -> None:
    assert run_one(lambda: 3, time.monotonic() + 5) == 3
    with pytest.raises(ZeroDivisionError):
        run_one(lambda: 1 / 0, time.monotonic() + 5)


@pytest.mark.parametrize("jobs", [[]])
def test_nothing_to_do_is_done_at_once(jobs: list[object]) -> None:
    assert run_all([], time.monotonic() + 30) == jobs
