"""A model that answers, refuses, hangs or babbles: every exchange ends in time and in words."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.errors import (
    ModelContextOverflow,
    ModelError,
    ModelKeyMissing,
    ModelNotConfigured,
    ModelOverloaded,
    ModelRateLimited,
    ModelTimedOut,
    ModelUnknown,
    ModelUnreachable,
)
from core.llm import client
from core.llm.base import CUT_OFF
from core.llm.client import LiteLLMModel, check_name
from core.results import Stage
from core.settings import Settings
from tests.misbehaving import KEY_IN_ERROR, Misbehaving, misbehaving_server

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
QUICK = replace(Settings(), model_seconds=2.5)


@pytest.fixture(scope="module", autouse=True)
def library_loaded() -> None:
    client._library()


@pytest.fixture
def server() -> Iterator[Misbehaving]:
    client._refused.clear()
    with misbehaving_server() as running:
        yield running


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def ask(model: LiteLLMModel, **options: object) -> str:
    return model.complete([("system", "be brief"), ("user", "hi")], stage=Stage.SELECT, **options)  # type: ignore[arg-type]


def test_an_exchange_is_recorded_with_its_tokens_and_an_unknown_price(server: Misbehaving) -> None:
    model = LiteLLMModel("openai/good", QUICK, server.base)
    assert ask(model, source_id="films") == "SELECT 1"
    (call,) = model.calls
    assert (call.stage, call.source_id, call.reply, call.error) == (Stage.SELECT, "films", "SELECT 1", "")
    assert (call.prompt_tokens, call.completion_tokens, call.cost_usd) == (11, 3, None)
    assert call.messages == (("system", "be brief"), ("user", "hi"))


def test_a_known_model_has_a_price() -> None:
    model = LiteLLMModel("gpt-4o", QUICK, mock_response="SELECT 1")
    assert ask(model) == "SELECT 1"
    cost = model.calls[0].cost_usd
    assert cost is not None and cost > 0


FAILURES = [
    ("rate", ModelRateLimited, 3),
    ("rate_long", ModelRateLimited, 1),
    ("broken", ModelOverloaded, 3),
    ("unavailable", ModelOverloaded, 3),
    ("not_json", ModelOverloaded, 3),
    ("not_chat", ModelOverloaded, 3),
    ("cut_body", ModelUnreachable, 1),
    ("silent", ModelTimedOut, 1),
    ("drip", ModelTimedOut, 1),
    ("unknown", ModelUnknown, 1),
    ("overflow", ModelContextOverflow, 1),
    ("bad_key", ModelKeyMissing, 1),
]


@pytest.mark.parametrize(("name", "error", "requests"), FAILURES, ids=[f[0] for f in FAILURES])
def test_a_failure_is_its_own_error_in_time_and_recorded(
    server: Misbehaving, name: str, error: type[ModelError], requests: int
) -> None:
    model = LiteLLMModel(f"openai/{name}", QUICK, server.base)
    started = time.monotonic()
    with pytest.raises(error) as raised:
        ask(model)
    assert time.monotonic() - started < QUICK.model_seconds + client.MARGIN_SECONDS + 1
    assert type(raised.value) is error
    assert f"openai/{name}" in raised.value.message and "built-in backbone" in raised.value.message
    assert server.asked(name) == requests
    assert model.calls[-1].error == raised.value.message


def test_no_secret_in_message_record_or_traceback(server: Misbehaving) -> None:
    model = LiteLLMModel("openai/bad_key", QUICK, server.base)
    with pytest.raises(ModelKeyMissing) as raised:
        ask(model)
    seen = "".join(traceback.format_exception(raised.value)) + repr(model.calls)
    for secret in (KEY_IN_ERROR, "hunter22", "ABCD1234EFGH", "zzz"):
        assert secret not in seen


def test_retry_after_is_waited_for(server: Misbehaving) -> None:
    model = LiteLLMModel("openai/rate_once", replace(QUICK, model_seconds=8.0), server.base)
    started = time.monotonic()
    assert ask(model) == "SELECT 1"
    assert 1.0 <= time.monotonic() - started < 3
    assert [bool(c.error) for c in model.calls] == [True, False]


def test_structured_output_is_sent_and_given_up_once_refused(server: Misbehaving) -> None:
    good = LiteLLMModel("openai/good", QUICK, server.base)
    ask(good, schema=SCHEMA)
    assert server.requests[-1]["response_format"]["json_schema"]["schema"] == SCHEMA
    for _ in range(2):
        assert ask(LiteLLMModel("openai/no_schema", QUICK, server.base), schema=SCHEMA) == "SELECT 1"
    assert server.asked("no_schema") == 3, "refused once, then remembered for the next question too"


def test_a_refused_temperature_is_left_out_and_the_schema_stays(server: Misbehaving) -> None:
    assert ask(LiteLLMModel("openai/no_temperature", QUICK, server.base), schema=SCHEMA) == "SELECT 1"
    assert "temperature" not in server.requests[-1] and "response_format" in server.requests[-1]


@pytest.mark.parametrize("name", ["openai/gpt-5", "openai/o3-mini", "anthropic/claude-sonnet-4-5"])
def test_models_that_lack_an_option_still_answer(name: str) -> None:
    assert ask(LiteLLMModel(name, QUICK, mock_response="SELECT 1"), schema=SCHEMA) == "SELECT 1"


def test_a_cut_reply_says_so(server: Misbehaving) -> None:
    model = LiteLLMModel("openai/cut_reply", QUICK, server.base)
    ask(model)
    assert model.calls[-1].error.startswith(CUT_OFF)


def test_a_model_that_thought_all_its_tokens_away_gets_more_once(server: Misbehaving) -> None:
    model = LiteLLMModel("openai/thinker", QUICK, server.base)
    assert ask(model).endswith("SELECT 2")
    assert server.asked("thinker") == 2


@pytest.mark.parametrize(
    ("name", "variable"),
    [("openai/gpt-4o", "OPENAI_API_KEY"), ("gpt-4o", "OPENAI_API_KEY"), ("anthropic/claude-x", "ANTHROPIC_API_KEY")],
)
def test_a_missing_key_is_named_at_once(name: str, variable: str) -> None:
    started = time.monotonic()
    with pytest.raises(ModelKeyMissing, match=variable):
        ask(LiteLLMModel(name, QUICK))
    assert time.monotonic() - started < 1


def test_the_key_comes_from_the_named_variable(server: Misbehaving, monkeypatch: pytest.MonkeyPatch) -> None:
    model = LiteLLMModel("openai/good", QUICK, server.base, "MY_OWN")
    with pytest.raises(ModelKeyMissing, match="MY_OWN"):
        ask(model)
    assert not server.requests
    monkeypatch.setenv("MY_OWN", "value-of-my-own")
    assert ask(model) == "SELECT 1"
    assert "value-of-my-own" not in repr(model.calls)


def test_a_name_without_a_provider_is_unknown() -> None:
    model = LiteLLMModel("nonsense", QUICK)
    with pytest.raises(ModelUnknown, match="such as openai/gpt-5.4 or ollama/qwen2.5") as raised:
        ask(model)
    assert "litellm." not in raised.value.message and "It said" not in raised.value.message
    assert "LLM Provider NOT provided" in model.calls[0].error, "the library's own words stay in the trace"


NAMES = [
    ("", ModelNotConfigured),
    ("model", ModelUnknown),
    ("nonsense/x", ModelUnknown),
    ("openai/", ModelUnknown),
    ("openai/x", None),
    ("ollama/qwen2.5", None),
    ("gpt-4o", None),
]


@pytest.mark.parametrize(("name", "error"), NAMES)
def test_a_name_is_checked_without_asking_anybody(name: str, error: type[ModelError] | None) -> None:
    if error is None:
        return check_name(name, None, {})
    with pytest.raises(error, match="Name a model as litellm does"):
        check_name(name, None, {})
    return None


@pytest.mark.parametrize("name", ["silent", "drip", "rate_long"])
def test_a_stop_ends_the_wait_for_a_reply_and_is_recorded(server: Misbehaving, name: str) -> None:
    stop = threading.Event()
    patient = replace(QUICK, model_seconds=30.0, question_seconds=10_000.0)
    model = LiteLLMModel(f"openai/{name}", patient, server.base, cancel=stop)
    threading.Timer(0.5, stop.set).start()
    started = time.monotonic()
    with pytest.raises(ModelError):
        ask(model)
    assert time.monotonic() - started < 2
    if name != "rate_long":
        assert "You stopped this" in model.calls[-1].error


def test_nothing_is_asked_after_a_stop(server: Misbehaving) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(ModelError, match="You stopped this"):
        ask(LiteLLMModel("openai/good", QUICK, server.base, cancel=stop))
    assert not server.requests


MOCKS = [
    ("litellm.RateLimitError", ModelRateLimited),
    ("litellm.ContextWindowExceededError", ModelContextOverflow),
    ("litellm.InternalServerError", ModelOverloaded),
]


@pytest.mark.parametrize(("reply", "error"), MOCKS)
def test_the_librarys_own_errors(reply: str, error: type[ModelError]) -> None:
    with pytest.raises(error):
        ask(LiteLLMModel("gpt-4o", QUICK, mock_response=reply))


@pytest.mark.parametrize("options", [{"mock_timeout": True}, {"mock_response": "late", "mock_delay": 30}])
def test_a_timeout_holds_even_where_the_library_ignores_it(options: dict[str, object]) -> None:
    started = time.monotonic()
    with pytest.raises(ModelTimedOut, match="OMNI_MODEL_SECONDS"):
        ask(LiteLLMModel("gpt-4o", replace(QUICK, model_seconds=1.0), **options))
    assert time.monotonic() - started < 3


def test_calls_end_with_the_question_and_evidence_keeps_its_share(server: Misbehaving) -> None:
    model = LiteLLMModel("openai/silent", replace(QUICK, model_seconds=4.0, question_seconds=4.0), server.base)
    started = time.monotonic()
    with pytest.raises(ModelTimedOut):
        ask(model)
    assert 2.5 < time.monotonic() - started < 3.9
    with pytest.raises(ModelTimedOut, match="OMNI_QUESTION_SECONDS"):
        ask(model)
    assert server.asked("silent") == 1, "nothing is sent once the time is up"
