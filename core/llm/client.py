"""Any model that litellm reaches, with a time limit that holds and errors that say what to do."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import ModelError, ModelTimedOut
from core.llm.base import Message
from core.llm.failures import is_about_format, retry_after, translate
from core.masking import mask
from core.results import ModelCall, Stage
from core.settings import Settings

MARGIN_SECONDS = 1.0
"""What the library's own timeout gets before the call is given up."""
RETRIES = 2
LONGEST_WAIT = 8.0

_no_schema: set[str] = set()
"""Models that refused structured output; asked by the prompt alone from then on."""


class LiteLLMModel:
    """One question's conversation with one model.

    Args:
        name: The model as litellm names it.
        api_key_env: Environment variable that holds the key, where it is not the provider's usual one.
        options: Passed on to `litellm.completion`, such as `mock_response` in tests.
    """

    def __init__(
        self,
        name: str,
        settings: Settings,
        api_base: str | None = None,
        api_key_env: str | None = None,
        **options: Any,
    ) -> None:
        self._name = name
        self._seconds = settings.model_seconds
        self._api_base = api_base
        self._api_key_env = api_key_env
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
        """One reply; waits and asks again when the provider asks for patience, within the time of one call."""
        deadline = time.monotonic() + self._seconds
        wanted = None if self._name in _no_schema else schema
        for attempt in range(RETRIES + 2):
            started = time.monotonic()
            try:
                reply = self._call(messages, wanted, max_tokens, deadline)
            except Exception as error:
                failure = translate(error, self._name, self._api_base, self._api_key_env, self._seconds)
                self._record(stage, source_id, messages, None, started, failure.message)
                if wanted is not None and is_about_format(error):
                    _no_schema.add(self._name)
                    wanted = None
                    continue
                wait = retry_after(error, attempt)
                if wait is None or attempt >= RETRIES or time.monotonic() + wait > deadline:
                    raise failure from error
                time.sleep(min(wait, LONGEST_WAIT))
                continue
            return self._record(stage, source_id, messages, reply, started, "")
        raise ModelError(f"{self._name} gave no reply.")

    def _call(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, max_tokens: int, deadline: float
    ) -> Any:
        """One request in a thread of its own: some providers' clients ignore the timeout they are given."""
        done: queue.Queue[tuple[bool, Any]] = queue.Queue()
        seconds = max(0.5, deadline - time.monotonic())

        def work() -> None:
            try:
                done.put((True, self._request(messages, schema, max_tokens, seconds)))
            except BaseException as error:  # noqa: BLE001 - carried to the caller's thread
                done.put((False, error))

        threading.Thread(target=work, daemon=True, name="model").start()
        try:
            finished, outcome = done.get(timeout=seconds + MARGIN_SECONDS)
        except queue.Empty:
            raise ModelTimedOut(
                f"{self._name} gave no reply within {self._seconds:g} s. Try again, use a smaller model, "
                "or raise OMNI_MODEL_SECONDS."
            ) from None
        if not finished:
            raise outcome
        return outcome

    def _request(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, max_tokens: int, seconds: float
    ) -> Any:
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        import litellm

        litellm.suppress_debug_info = True
        litellm.telemetry = False
        options: dict[str, Any] = dict(self._options)
        if self._api_base:
            options["api_base"] = self._api_base
        if self._api_key_env:
            options["api_key"] = os.environ.get(self._api_key_env, "")
        elif self._api_base and "openai/" in self._name and not os.environ.get("OPENAI_API_KEY"):
            options["api_key"] = "none"  # a local server wants some key, whichever
        if schema is not None:
            options["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": dict(schema), "strict": True},
            }
        return litellm.completion(
            model=self._name,
            messages=[{"role": role, "content": content} for role, content in messages],
            timeout=seconds,
            max_tokens=max_tokens,
            temperature=0.0,
            num_retries=0,
            **options,
        )

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
                error = (
                    f"The reply was cut off at its longest length ({getattr(usage, 'completion_tokens', '?')} tokens)."
                )
        call = ModelCall(
            stage=stage,
            source_id=source_id,
            model=self._name,
            messages=tuple((role, mask(content)) for role, content in messages),
            reply=mask(text),
            prompt_tokens=getattr(usage, "prompt_tokens", None),
            completion_tokens=getattr(usage, "completion_tokens", None),
            cost_usd=_cost(reply),
            elapsed=time.monotonic() - started,
            error=error,
        )
        with self._lock:
            self._calls.append(call)
        return text


def _cost(reply: Any) -> float | None:
    """The price of a reply by litellm's list; None when the model is not on it, 0 when nothing was answered."""
    if reply is None:
        return 0.0
    import litellm

    try:
        cost = litellm.completion_cost(completion_response=reply)
    except Exception:  # noqa: BLE001 - litellm raises a bare Exception for a model it does not know
        return None
    return float(cost)
