"""Query formulation by a model, grounded in the source's own context (paper, section 2.3 and appendix A)."""

from __future__ import annotations

from core.errors import Declined, NoQueryInReply
from core.llm.base import CUT_OFF, Message, Model
from core.results import Fault, Grounding, Language, NativeQuery, Stage
from core.settings import Settings
from core.sources.base import Source, SqlSchema
from core.stages.base import Draft
from core.stages.context import render_context
from core.stages.extract import extract_query
from core.stages.prompting import render_prompt

PROMPTS = {
    Language.TEXT: "formulate_text",
    Language.SQL: "formulate_sql",
    Language.SPARQL: "formulate_sparql",
    Language.CYPHER: "formulate_cypher",
}
NAMES = {Language.SQL: "SQL", Language.SPARQL: "SPARQL", Language.CYPHER: "Cypher", Language.TEXT: "text"}
MOST_TOKENS = {Language.TEXT: 160}


class ModelFormulator:
    """SQL, SPARQL, Cypher, or a hypothetical passage (HyDE, Gao et al. 2023) for a corpus.

    Args:
        settings: `context_chars` bounds the schema shown; `hyde` says what a corpus is searched with.
    """

    def __init__(self, model: Model, settings: Settings) -> None:
        self._model = model
        self._settings = settings

    def __call__(self, question: str, source: Source, grounding: Grounding) -> Draft:
        """Write one query; the question itself is searched beside a hypothetical passage, or alone without `hyde`."""
        language = source.card.language
        if language is Language.TEXT and not self._settings.hyde:
            return Draft(question, notes=("Searched with the question itself.",))
        schema = source.describe()
        shown = render_context(question, source.card, schema, grounding, self._settings)
        context = shown.text
        values = {"context": context, "question": question}
        if isinstance(schema, SqlSchema):
            values["dialect"] = {"sqlite": "SQLite"}.get(schema.dialect, schema.dialect)
        try:
            text = self._ask(render_prompt(PROMPTS[language], **values), language, source.card.id)
        except Declined:
            raise
        except NoQueryInReply:
            if language is not Language.TEXT:
                raise
            note = "The model wrote no passage, so the question itself was searched."
            return Draft(question, context, (*shown.notes, note))
        if language is Language.TEXT:
            return Draft(f"{question}\n{text}", context, (*shown.notes, "Searched with a hypothetical passage (HyDE)."))
        return Draft(text, context, shown.notes)

    def repair(
        self, question: str, source: Source, grounding: Grounding, query: NativeQuery, fault: Fault
    ) -> Draft | None:
        """Write a refused query again with the engine's message; None for a corpus, which refuses nothing."""
        language = source.card.language
        if language is Language.TEXT:
            return None
        said = f"{query.text} {fault.message}"
        context = render_context(question, source.card, source.describe(), grounding, self._settings, said).text
        messages = render_prompt(
            "repair",
            language=NAMES[language],
            context=context,
            question=question,
            query=query.text,
            message=fault.message,
        )
        return Draft(self._ask(messages, language, source.card.id), context)

    def _ask(self, messages: tuple[Message, ...], language: Language, source_id: str) -> str:
        tokens = MOST_TOKENS.get(language, 500)
        reply = self._model.complete(messages, stage=Stage.FORMULATE, source_id=source_id, max_tokens=tokens)
        last = next((c for c in reversed(self._model.calls) if c.source_id == source_id), None)
        return extract_query(reply, language, cut=last is not None and last.error.startswith(CUT_OFF))
