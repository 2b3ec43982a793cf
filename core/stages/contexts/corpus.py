"""The context of a corpus: its topical descriptor (paper, appendix A.1)."""

from __future__ import annotations

from core.results import SourceCard
from core.sources.base import TextSchema
from core.stages.contexts.shared import Context, one_line

TITLES = 4


def corpus_context(card: SourceCard, schema: TextSchema, budget: int) -> Context:
    """Domain, query type and document style, with a few titles."""
    lines = [f"Corpus: {card.id}", f"Description: {card.descriptor}"]
    if schema.query_type:
        lines.append(f"Query type: {schema.query_type}")
    if schema.document_style:
        lines.append(f"Document style: {schema.document_style}")
    titles = "; ".join(one_line(title) for title in schema.sample_titles[:TITLES])
    if titles:
        lines.append(f"Titles: {titles}")
    return Context("\n".join(lines)[:budget])
