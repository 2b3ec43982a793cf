"""The context c_b that a query writer reads, rendered from schema and grounding (paper, appendix A)."""

from __future__ import annotations

from dataclasses import replace

from core.grounding.samples import nearest_samples
from core.results import Grounding, SourceCard
from core.settings import Settings
from core.sources.base import GraphSchema, RdfSchema, Schema, SqlSchema, TextSchema
from core.stages.contexts.corpus import corpus_context
from core.stages.contexts.examples import examples_of
from core.stages.contexts.graph import graph_context
from core.stages.contexts.rdf import rdf_context
from core.stages.contexts.shared import Context
from core.stages.contexts.sql import sql_context

EXAMPLES_SHARE = 4
"""Answered questions take at most this part of the room."""


def render_context(
    question: str, card: SourceCard, schema: Schema, grounding: Grounding, settings: Settings, spoken_of: str = ""
) -> Context:
    """c_b within `settings.context_chars` characters, two to three a token; what the question names is kept first.

    Args:
        spoken_of: A query to be repaired and the message about it: what they name is shown too.
    """
    budget = settings.context_chars
    if isinstance(schema, TextSchema):
        return corpus_context(card, schema, budget)
    samples, notes = nearest_samples(question, card, settings)
    prefixes = schema.prefixes if isinstance(schema, RdfSchema) else {}
    examples = examples_of(samples, card.language, prefixes, budget // EXAMPLES_SHARE)
    context = _of_kind(question, card, schema, grounding, settings, budget - len(examples), spoken_of)
    return replace(context, text=f"{context.text}{examples}", notes=(*context.notes, *notes))


def _of_kind(
    question: str,
    card: SourceCard,
    schema: SqlSchema | RdfSchema | GraphSchema,
    grounding: Grounding,
    settings: Settings,
    budget: int,
    spoken_of: str,
) -> Context:
    match schema:
        case SqlSchema():
            return sql_context(question, schema, grounding, settings, budget, spoken_of)
        case RdfSchema():
            return rdf_context(card, schema, grounding, budget)
        case GraphSchema():
            return graph_context(schema, grounding, budget)
