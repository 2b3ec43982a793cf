"""Every error this program raises on purpose.

    OmniError
    ├── UsageError                  the person asked for something that can't be (exit code 2)
    │   ├── BadQuestion             empty, too long, or nothing readable in it
    │   ├── UnknownSource           no source has this id
    │   ├── ManifestError           a sources.toml can't be read as one
    │   └── SettingError            a setting has a value it can't have
    ├── SourceUnavailable           the source or its engine can't be reached now
    ├── QueryError                  one query, one source
    │   ├── QueryRejected           the guard or the engine's parser refused it; it never ran
    │   ├── QueryFailed             the engine ran it and reported an error
    │   └── QueryTimedOut           it ran past its deadline and was stopped
    ├── FormulationError            no query could be written
    │   ├── CannotLink              the planner could not link the question to the source
    │   │   └── NoSuchThing         what is asked for goes by no name in it
    │   └── NoQueryInReply          the model's reply holds no query
    │       └── Declined            the model says that this source can't answer
    ├── SelectionFailed             no candidates could be chosen (a bad reply, not "no source")
    ├── EvidenceFailed              the evidence selector's reply could not be used
    └── ModelError                  the model could not be asked
        ├── ModelNotConfigured, ModelUnknown, ModelKeyMissing, ModelRateLimited, ModelOverloaded,
        └── ModelContextOverflow, ModelTimedOut, ModelUnreachable, ModelRefusedRequest

`kind` is the stable name that JSON, traces and metrics use.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import ClassVar


class OmniError(Exception):
    """Base of all errors with a message written for the person at the screen."""

    kind: ClassVar[str] = "error"

    @property
    def message(self) -> str:
        """The text to show: what happened and what to do next."""
        return str(self)


class UsageError(OmniError):
    """The request itself can't be carried out."""

    kind = "usage"


class BadQuestion(UsageError):
    """The question is empty, too long, or holds nothing readable."""

    kind = "bad_question"


class UnknownSource(UsageError):
    """No source is registered under this id."""

    kind = "unknown_source"

    def __init__(self, source_id: str, known: Sequence[str]) -> None:
        close = get_close_matches(source_id, known, n=1)
        guess = f" Did you mean {close[0]!r}?" if close else ""
        listed = ", ".join(known) or "none"
        super().__init__(f"No source is registered as {source_id!r}.{guess} Registered: {listed}.")


class ManifestError(UsageError):
    """A manifest of sources can't be read; the message names file, line and nearest known key."""

    kind = "manifest"


class SettingError(UsageError):
    """A setting holds a value it can't have."""

    kind = "setting"


class SourceUnavailable(OmniError):
    """A source's data or engine can't be reached; the message says why and what to do."""

    kind = "source_unavailable"


class QueryError(OmniError):
    """Something is wrong with one query on one source."""

    kind = "query"


class QueryRejected(QueryError):
    """The guard or the engine's parser refused the query before it ran.

    `rule` is the guard's rule in a few words, empty when the engine's own parser refused.
    """

    kind = "rejected"

    def __init__(self, message: str, rule: str = "") -> None:
        super().__init__(message)
        self.rule = rule


class QueryFailed(QueryError):
    """The engine reported an error for a query that the guard let through."""

    kind = "engine_error"


class QueryTimedOut(QueryError):
    """The query ran past its deadline and was stopped."""

    kind = "timed_out"


class FormulationError(OmniError):
    """No query could be written for a source."""

    kind = "formulation"


class CannotLink(FormulationError):
    """The built-in planner could not link a part of the question; the message names that part."""

    kind = "cannot_link"


class NoSuchThing(CannotLink):
    """What the question asks for goes by no name in the source: the GDP of countries that are kept without one."""


class NoQueryInReply(FormulationError):
    """The model's reply holds no single query; the message keeps its words."""

    kind = "no_query"


class Declined(NoQueryInReply):
    """The model says that this source can't answer; the message keeps its words."""

    kind = "declined"


class SelectionFailed(OmniError):
    """Source selection broke; the message says to choose sources by hand."""

    kind = "selection"


class EvidenceFailed(OmniError):
    """The evidence selector's reply could not be used."""

    kind = "evidence"


class ModelError(OmniError):
    """The model could not be asked, or did not answer."""

    kind = "model"


class ModelNotConfigured(ModelError):
    """No model is configured."""

    kind = "model_not_configured"


class ModelUnknown(ModelError):
    """The provider does not know this model, or the name has no provider."""

    kind = "model_unknown"


class ModelKeyMissing(ModelError):
    """The provider wants a key and has none, or refuses the one it got."""

    kind = "model_key"


class ModelRateLimited(ModelError):
    """The provider asks to slow down."""

    kind = "model_rate_limit"


class ModelOverloaded(ModelError):
    """The provider is overloaded or broken for now."""

    kind = "model_overloaded"


class ModelContextOverflow(ModelError):
    """The prompt is longer than the model's context window."""

    kind = "model_context"


class ModelTimedOut(ModelError):
    """No complete reply came within the time allowed."""

    kind = "model_timeout"


class ModelUnreachable(ModelError):
    """No connection to the provider."""

    kind = "model_unreachable"


class ModelRefusedRequest(ModelError):
    """The provider rejected the request for another reason."""

    kind = "model_request"
