"""What the stages need of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from core.results import ModelCall, Stage

Message = tuple[str, str]
"""(role, content) with role system, user or assistant."""

CUT_OFF = "The reply was cut off at its longest length"
"""How `ModelCall.error` begins when the reply stopped in the middle; a query in it may lack its end."""


class Model(Protocol):
    """One question's conversation with one model; safe to use from several threads."""

    @property
    def name(self) -> str:
        """The model's name as litellm takes it."""
        ...

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """Every exchange so far, failed ones included, in the order they ended."""
        ...

    def complete(
        self,
        messages: Sequence[Message],
        *,
        stage: Stage,
        source_id: str | None = None,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 700,
    ) -> str:
        """The raw text of one reply.

        `schema` is a JSON schema, sent as structured output where the provider has it, and
        silently left to the prompt where it does not.

        Raises:
            ModelError: One of its subclasses; the message names the model and what to do.
        """
        ...
