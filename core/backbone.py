"""Who does the work: the built-in stages, or the same stages by a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Event as Flag
from typing import Any

from core.errors import UsageError
from core.llm.base import Model
from core.results import Candidate, Grounding, ModelCall, Returned
from core.settings import Settings
from core.sources.catalog import Catalog
from core.stages.base import Choice, EvidenceSelector, Formulator, Selection, Selector
from core.stages.evidence import FeatureEvidence
from core.stages.formulate import BuiltInFormulator
from core.stages.select import CardSelector, ProbeSelector

BUILT_IN = "built-in"
SELECTORS = ("probe", "catalog")


@dataclass(frozen=True, slots=True)
class Stages:
    """The stages of one question, and the built-in ones to fall back on where a reply can't be used."""

    select: Selector
    formulate: Formulator
    evidence: EvidenceSelector
    select_built_in: Selector
    evidence_built_in: FeatureEvidence
    model: Model | None

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """Every exchange with the model so far."""
        return self.model.calls if self.model else ()

    def choose(
        self,
        question: str,
        results: Sequence[Returned],
        candidates: Sequence[Candidate],
        groundings: Sequence[Grounding],
    ) -> Choice:
        """Evidence selection by this backbone."""
        if self.model is None:
            return self.choose_built_in(question, results, candidates, groundings)
        return self.evidence(question, results)

    def choose_built_in(
        self,
        question: str,
        results: Sequence[Returned],
        candidates: Sequence[Candidate],
        groundings: Sequence[Grounding],
    ) -> Choice:
        """Evidence selection by features of the results."""
        return self.evidence_built_in(question, results, candidates=candidates, groundings=groundings)


class Backbone:
    """A named way to fill the stages; a model's stages are made anew for each question.

    Raises:
        UsageError: The selector is unknown.
    """

    def __init__(
        self,
        name: str,
        selector: str,
        settings: Settings,
        api_base: str | None = None,
        api_key_env: str | None = None,
        model_options: Mapping[str, Any] | None = None,
    ) -> None:
        if selector not in SELECTORS:
            raise UsageError(f"{selector!r} is no selector. Choose one of: {', '.join(SELECTORS)}.")
        self.name = name.strip()
        self.selector = selector
        self._settings = settings
        self._api_base = api_base or settings.api_base or None
        self._api_key_env = api_key_env or settings.api_key_env or None
        self._model_options = dict(model_options or {})
        self._probe = ProbeSelector(settings)
        self._built_in: Selector = self._probe if selector == "probe" else CardSelector(settings)

    def check(self) -> None:
        """Tell whether the backbone is named well enough to be asked.

        Raises:
            ModelError: The model has no name, or none that tells its provider.
        """
        if self.name == BUILT_IN:
            return
        from core.llm.client import check_name

        check_name(self.name, self._api_base, self._model_options)

    def stages(self, catalog: Catalog, cancel: Flag | None = None) -> Stages:
        """The stages for one question; a model is asked nothing more once `cancel` is set."""
        evidence = FeatureEvidence()
        if self.name == BUILT_IN:
            return Stages(
                self._built_in_select,
                BuiltInFormulator(self._settings.planner_candidates),
                evidence,
                self._built_in_select,
                evidence,
                None,
            )
        # Imported here so that the built-in backbone starts without the model code.
        from core.llm.client import LiteLLMModel
        from core.stages.by_model.evidence import ModelEvidence
        from core.stages.by_model.formulate import ModelFormulator
        from core.stages.by_model.select import ModelSelector

        model = LiteLLMModel(
            self.name, self._settings, self._api_base, self._api_key_env, cancel=cancel, **self._model_options
        )
        return Stages(
            ModelSelector(model, self._settings, shortlist=self._probe if self.selector == "probe" else None),
            ModelFormulator(model, self._settings),
            ModelEvidence(model, self._settings),
            self._built_in_select,
            evidence,
            model,
        )

    def _built_in_select(self, question: str, catalog: Catalog, k: int) -> Selection:
        return self._built_in(question, catalog, k)
