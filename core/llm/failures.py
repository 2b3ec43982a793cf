"""A provider's exceptions in this program's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import (
    ModelContextOverflow,
    ModelError,
    ModelKeyMissing,
    ModelOverloaded,
    ModelRateLimited,
    ModelRefusedRequest,
    ModelTimedOut,
    ModelUnknown,
    ModelUnreachable,
)
from core.masking import mask

BUILT_IN = "The built-in backbone needs no model."
NAME_IT = "Name a model as litellm does, such as openai/gpt-5.4 or ollama/qwen2.5."
LONGEST_QUOTE = 300

KINDS: tuple[tuple[tuple[str, ...], type[ModelError], str], ...] = (
    (("Timeout", "APITimeoutError", "TimeoutError"), ModelTimedOut, "gave no reply in time"),
    (("RateLimitError",), ModelRateLimited, "asks to slow down"),
    (("ContextWindowExceededError",), ModelContextOverflow, "can't read a prompt this long"),
    (("AuthenticationError", "PermissionDeniedError"), ModelKeyMissing, "wants a valid key"),
    (("NotFoundError",), ModelUnknown, "is not known to its provider"),
    (("ServiceUnavailableError", "InternalServerError", "BadGatewayError"), ModelOverloaded, "is overloaded or broken"),
    (("APIConnectionError", "ConnectError", "ConnectionError"), ModelUnreachable, "can't be reached"),
)

ADVICE: dict[type[ModelError], str] = {
    ModelTimedOut: "Try again, use a smaller model, or raise OMNI_MODEL_SECONDS.",
    ModelRateLimited: "Wait a moment and ask again.",
    ModelContextOverflow: "Ask fewer or smaller sources, or use a model with a longer context.",
    ModelUnknown: "Check the name; litellm wants it as provider/model.",
    ModelOverloaded: "Wait a moment and ask again.",
    ModelUnreachable: "Check that its server runs and that the address is right.",
    ModelRefusedRequest: "Check the model's settings.",
}


def translate(
    error: BaseException, model: str, api_base: str | None, api_key_env: str | None, seconds: float
) -> ModelError:
    """The error to show for `error`: the model's name, what happened, the provider's words, what to do."""
    if isinstance(error, ModelError):
        return error
    if has_no_provider(error):
        return no_provider(model)
    kind, what = _kind(error)
    said = " ".join(mask(str(error)).split())[:LONGEST_QUOTE]
    where = f" at {mask(api_base)}" if api_base else ""
    if kind is ModelTimedOut:
        return kind(f"{model}{where} gave no reply within {seconds:g} s. {ADVICE[kind]} {BUILT_IN}")
    advice = ADVICE.get(kind) or key_advice([api_key_env or f"{model.split('/')[0].upper()}_API_KEY"])
    return kind(f"{model}{where} {what}. {advice} {BUILT_IN} It said: {said}")


def has_no_provider(error: BaseException) -> bool:
    """Whether litellm could not tell the provider by the model's name."""
    return "llm provider not provided" in str(error).lower()


def no_provider(model: str) -> ModelUnknown:
    """The error for a model whose name tells no provider; litellm's own words are a page long."""
    return ModelUnknown(f"{mask(model)!r} names no provider that litellm knows. {NAME_IT} {BUILT_IN}")


def key_advice(variables: Sequence[str]) -> str:
    """What to do about a key that is missing or refused."""
    return f"Set its key in the environment variable {' or '.join(variables)}, and start the program again."


def _kind(error: BaseException) -> tuple[type[ModelError], str]:
    text = str(error)
    low = text.lower()
    if "context length" in low or "context window" in low or "maximum context" in low or "exceed_context" in low:
        return ModelContextOverflow, "can't read a prompt this long"
    if "api_key" in low and ("missing" in low or "must be set" in low or "not provided" in low):
        return ModelKeyMissing, "wants a key"
    names = {kind.__name__ for kind in type(error).__mro__}
    for candidates, kind, what in KINDS:
        if names & set(candidates):
            return (ModelUnreachable, "can't be reached") if _is_connection(low, kind) else (kind, what)
    return ModelRefusedRequest, "could not be asked"


def _is_connection(text: str, kind: type[ModelError]) -> bool:
    return kind is ModelOverloaded and ("connection error" in text or "connection refused" in text)


OPTION_WORDS: Mapping[str, tuple[str, ...]] = {
    "temperature": ("temperature",),
    "response_format": ("response_format", "json_schema", "structured output", "grammar", "schema"),
}


def refused_option(error: BaseException, sent: Mapping[str, Any]) -> str | None:
    """The option among those sent that the provider refused, if it was that and not the question."""
    names = {kind.__name__ for kind in type(error).__mro__}
    if not names & {"BadRequestError", "UnprocessableEntityError"} or "ContextWindowExceededError" in names:
        return None
    low = str(error).lower()
    for option, words in OPTION_WORDS.items():
        if option in sent and any(word in low for word in words):
            return option
    return "response_format" if "UnsupportedParamsError" in names and "response_format" in sent else None


def retry_after(error: BaseException, attempt: int) -> float | None:
    """Seconds to wait before asking again; None where asking again would not help."""
    names = {kind.__name__ for kind in type(error).__mro__}
    if not names & {"RateLimitError", "ServiceUnavailableError", "InternalServerError", "BadGatewayError"}:
        return None
    if "connection error" in str(error).lower():
        return None
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        seconds = float(headers.get("retry-after", ""))
    except (TypeError, ValueError):
        return 0.5 * float(2**attempt)
    return seconds if 0 <= seconds < float("inf") else None
