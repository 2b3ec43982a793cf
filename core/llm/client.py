"""Any model that litellm reaches, with a time limit that holds and errors that say what to do."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import ModelError, ModelKeyMissing, ModelNotConfigured, ModelTimedOut
from core.llm.base import CUT_OFF, Message
from core.llm.failures import (
    BUILT_IN,
    NAME_IT,
    has_no_provider,
    key_advice,
    no_provider,
    refused_option,
    retry_after,
    translate,
)
from core.masking import mask, mask_known, name_secret
from core.results import ModelCall, Stage
from core.settings import Settings

MARGIN_SECONDS = 1.0
"""What the library's own timeout gets before the call is given up."""
RETRIES = 2
LONGEST_ASKED = 1_000
POLL_SECONDS = 0.05
"""Seconds between two looks whether the person pressed stop."""

SHORTEST_CALL = 0.5
EVIDENCE_SHARE = 0.25
"""Part of one call's time that a question keeps back, so that its evidence can still be chosen."""
THINKING_FACTOR = 8
"""A reply that was all thought gets so many times the tokens, once."""

_refused: dict[str, set[str]] = {}
"""By model and address: options it refused (response_format, temperature), left out from then on."""


class LiteLLMModel:
    """One question's conversation with one model.

    Args:
        name: The model as litellm names it.
        api_key_env: Environment variable that holds the key, where it is not the provider's usual one.
        cancel: Once set, nothing more is asked and a reply that is waited for is given up.
        options: Passed on to `litellm.completion`, such as `mock_response` in tests.
    """

    def __init__(
        self,
        name: str,
        settings: Settings,
        api_base: str | None = None,
        api_key_env: str | None = None,
        cancel: threading.Event | None = None,
        **options: Any,
    ) -> None:
        self._name = name
        self._seconds = settings.model_seconds
        self._question_seconds = settings.question_seconds
        self._question_ends = time.monotonic() + settings.question_seconds
        name_secret(api_key_env or "")
        self._api_base = api_base
        self._api_key_env = api_key_env
        self._cancel = cancel or threading.Event()
        self._options = options
        self._calls: list[ModelCall] = []
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The model's name as litellm takes it."""
        return self._name

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """Every exchange so far, failed ones included."""
        with self._lock:
            return tuple(self._calls)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        stage: Stage,
        source_id: str | None = None,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 700,
    ) -> str:
        """One reply; waits and asks again when the provider asks for patience, within the question's time.

        A reply that stopped at its longest length is returned as it is, and its `ModelCall.error` begins
        with `CUT_OFF`.

        Raises:
            ModelError: One of its subclasses.
        """
        refused = _refused.setdefault(f"{self._name} {self._api_base or ''}", set())
        deadline = self._deadline(stage)
        failures = 0
        while True:
            started = time.monotonic()
            options = self._choices(schema, max_tokens, refused)
            try:
                reply = self._call(messages, options, deadline)
            except Exception as error:  # noqa: BLE001 - litellm and its providers raise anything
                failure = translate(error, self._name, self._api_base, self._api_key_env, self._seconds)
                said = f" It said: {error}" if has_no_provider(error) else ""
                self._record(stage, source_id, messages, None, started, failure.message + said)
                if option := refused_option(error, options):
                    refused.add(option)
                    continue
                wait = retry_after(error, failures)
                failures += 1
                if wait is None or failures > RETRIES or time.monotonic() + wait + SHORTEST_CALL > deadline:
                    # Not "from error": the provider's own words may hold a key, and tracebacks are logged.
                    raise failure from None
                self._cancel.wait(wait)
                continue
            text = self._record(stage, source_id, messages, reply, started, "")
            if max_tokens <= LONGEST_ASKED and _only_thought(reply):
                max_tokens = THINKING_FACTOR * max(max_tokens, LONGEST_ASKED // 2)
                continue
            return text

    def _deadline(self, stage: Stage) -> float:
        kept_back = 0.0 if stage is Stage.EVIDENCE else EVIDENCE_SHARE * self._seconds
        ends = self._question_ends - min(kept_back, EVIDENCE_SHARE * self._question_seconds)
        return min(time.monotonic() + self._seconds, ends)

    def _choices(self, schema: Mapping[str, Any] | None, max_tokens: int, refused: set[str]) -> dict[str, Any]:
        options: dict[str, Any] = {"max_tokens": max_tokens, "temperature": 0.0}
        if schema is not None:
            answer = {"name": "answer", "schema": dict(schema), "strict": True}
            options["response_format"] = {"type": "json_schema", "json_schema": answer}
        return {name: value for name, value in options.items() if name not in refused}

    def _call(self, messages: Sequence[Message], options: Mapping[str, Any], deadline: float) -> Any:
        """One request in a thread of its own: some providers' clients ignore the timeout they are given."""
        litellm = _library()
        self._unless_stopped()
        self._check_key(litellm)
        seconds = deadline - time.monotonic()
        if seconds < SHORTEST_CALL:
            raise ModelTimedOut(
                f"The time for this question was up before {self._name} could be asked. Choose fewer sources, "
                f"use a faster model, or raise OMNI_QUESTION_SECONDS. {BUILT_IN}"
            )
        done: queue.Queue[tuple[bool, Any]] = queue.Queue()

        def work() -> None:
            try:
                done.put((True, self._request(litellm, messages, options, seconds)))
            except BaseException as error:  # noqa: BLE001 - carried to the caller's thread
                done.put((False, error))

        threading.Thread(target=work, daemon=True, name="model").start()
        finished, outcome = self._awaited(done, seconds)
        if not finished:
            raise outcome
        return outcome

    def _awaited(self, done: queue.Queue[tuple[bool, Any]], seconds: float) -> tuple[bool, Any]:
        """What the request's thread hands over; it is left behind when time is up or the person stops."""
        gives_up = time.monotonic() + seconds + MARGIN_SECONDS
        while (left := gives_up - time.monotonic()) > 0:
            self._unless_stopped()
            try:
                return done.get(timeout=min(POLL_SECONDS, left))
            except queue.Empty:
                continue
        raise ModelTimedOut(
            f"{self._name} gave no reply within {seconds:.0f} s. Try again, use a smaller model, "
            f"or raise OMNI_MODEL_SECONDS. {BUILT_IN}"
        )

    def _unless_stopped(self) -> None:
        if self._cancel.is_set():
            raise ModelError(f"You stopped this before {self._name} had replied.")

    def _request(self, litellm: Any, messages: Sequence[Message], options: Mapping[str, Any], seconds: float) -> Any:
        where: dict[str, Any] = {}
        if self._api_base:
            where["api_base"] = self._api_base
        if self._api_key_env:
            where["api_key"] = os.environ[self._api_key_env]
        elif self._api_base and "openai/" in self._name and not os.environ.get("OPENAI_API_KEY"):
            where["api_key"] = "none"  # a local server wants some key, whichever
        return litellm.completion(
            model=self._name,
            messages=[{"role": role, "content": content} for role, content in messages],
            timeout=seconds,
            num_retries=0,
            max_retries=0,
            drop_params=True,
            **{**where, **options, **self._options},
        )

    def _check_key(self, litellm: Any) -> None:
        """Name the missing variable before anything is sent; without a key some clients retry for seconds.

        Raises:
            ModelKeyMissing: The model's key is in no environment variable.
        """
        if any(name.startswith("mock_") for name in self._options):
            return
        if self._api_key_env:
            missing = [] if os.environ.get(self._api_key_env) else [self._api_key_env]
        elif self._api_base:
            missing = []
        else:
            missing = [v for v in litellm.validate_environment(self._name)["missing_keys"] if not v.endswith("_BASE")]
        if missing:
            raise ModelKeyMissing(f"{self._name} needs a key. {key_advice(missing)} {BUILT_IN}")

    def _record(
        self,
        stage: Stage,
        source_id: str | None,
        messages: Sequence[Message],
        reply: Any,
        started: float,
        error: str,
    ) -> str:
        text, usage = "", None
        if reply is not None:
            choice = reply.choices[0]
            text = choice.message.content or ""
            usage = getattr(reply, "usage", None)
            if getattr(choice, "finish_reason", "") == "length":
                error = f"{CUT_OFF} ({getattr(usage, 'completion_tokens', '?')} tokens)."
        call = ModelCall(
            stage=stage,
            source_id=source_id,
            model=self._name,
            messages=tuple((role, mask_known(content)) for role, content in messages),
            reply=mask_known(text),
            prompt_tokens=getattr(usage, "prompt_tokens", None),
            completion_tokens=getattr(usage, "completion_tokens", None),
            cost_usd=_cost(reply),
            elapsed=time.monotonic() - started,
            error=mask(error),
        )
        with self._lock:
            self._calls.append(call)
        return text


def check_name(name: str, api_base: str | None, options: Mapping[str, Any]) -> None:
    """Whether litellm can tell a model's provider by its name.

    Raises:
        ModelError: There is no name, or it tells no provider.
    """
    if not name:
        raise ModelNotConfigured(f"No model is named. {NAME_IT} {BUILT_IN}")
    try:
        model, *_ = _library().get_llm_provider(name, options.get("custom_llm_provider"), api_base)
    except Exception as error:  # noqa: BLE001 - litellm raises what its version likes
        if has_no_provider(error):
            raise no_provider(name) from None
        return  # not about the name: the call itself will tell
    if not model:
        raise no_provider(name)


def _library() -> Any:
    """litellm, imported on first need: that takes seconds, which are not the model's."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    return litellm


def _only_thought(reply: Any) -> bool:
    """Whether a reply that was cut off holds nothing but reasoning."""
    choice = reply.choices[0]
    return choice.finish_reason == "length" and not _spoken(choice.message.content or "")


def _spoken(text: str) -> str:
    # The extractor proper is in the stages, which this module may not import.
    opened = text.lstrip()[:12].lower().startswith(("<think", "<reasoning", "<thought"))
    return "" if opened and "</" not in text else text.strip()


def _cost(reply: Any) -> float | None:
    """The price of a reply by litellm's list; None when the model is not on it, or nothing came back."""
    if reply is None:
        return None
    try:
        cost = _library().completion_cost(completion_response=reply)
    except Exception:  # noqa: BLE001 - litellm raises a bare Exception for a model it does not know
        return None
    return float(cost)
