"""The command line: `sources`, `ask` and `query` (DESIGN, "Command line and JSON")."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from core import render
from core.backbone import BUILT_IN
from core.contract import VERSION, result_json, source_json, trace_json, usage_json
from core.errors import BadQuestion, OmniError, UsageError
from core.pipeline import METHODS, SINGLE, Pipeline
from core.results import STOPPED, Failed, Outcome
from core.settings import Settings
from core.sources.catalog import Catalog
from core.sources.manifest import load_catalog

ANSWERED, WRONG_USAGE, FAILED = 0, 2, 3
DEFAULT_K = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 answered, 2 wrong usage, 3 refused or failed."""
    args = _parser().parse_args(arguments)
    try:
        settings = Settings.load()
        catalog = load_catalog(settings, args.sources_file)
        try:
            return int(args.command(args, settings, catalog))
        finally:
            catalog.close()
    except OmniError as error:
        print(f"error: {error.message}", file=sys.stderr)
        if args.json:
            _print_json({"version": VERSION, "error": {"stage": None, "kind": error.kind, "message": error.message}})
        return WRONG_USAGE if isinstance(error, UsageError) else FAILED
    except KeyboardInterrupt:
        print(STOPPED, file=sys.stderr)
        if args.json:
            _print_json({"version": VERSION, "error": {"stage": None, "kind": "stopped", "message": STOPPED}})
        return FAILED


def _sources(args: argparse.Namespace, settings: Settings, catalog: Catalog) -> int:
    cards = catalog.all_cards()
    with ThreadPoolExecutor(max_workers=4) as pool:
        statuses = list(pool.map(lambda card: catalog.status(card.id), cards))
    if args.json:
        _print_json([source_json(card, status) for card, status in zip(cards, statuses, strict=True)])
    else:
        print(render.sources_text(cards, statuses))
    return ANSWERED


def _ask(args: argparse.Namespace, settings: Settings, catalog: Catalog) -> int:
    pipeline = Pipeline(
        catalog,
        settings,
        backbone=(settings.model or BUILT_IN) if args.backbone is None else args.backbone,
        selector=args.selector,
        method=args.method,
        api_base=args.api_base,
        api_key_env=args.api_key_env,
        hyde=args.hyde,
    )
    try:
        trace = pipeline.ask(args.question, DEFAULT_K if args.k is None else args.k, chosen=args.source or None)
    except BadQuestion as error:
        raise BadQuestion(f"{error.message}{render.examples_text(catalog.cards())}") from error
    named = list(dict.fromkeys(args.source or ()))
    if named and args.k is not None and args.k > len(named) and args.method not in SINGLE:
        were = "source was" if len(named) == 1 else "sources were"
        print(f"note: k is {args.k}, but {len(named)} {were} named: all of them are asked.", file=sys.stderr)
    # In plain text the notes on a source stand beside its result.
    for note in trace.notes if args.json else render.general_notes(trace):
        print(f"note: {note}", file=sys.stderr)
    chosen_for = usage_json(trace.calls)["selection"]
    if chosen_for["prompt_tokens"]:
        print(
            f"note: selection by {trace.selector} read {chosen_for['prompt_tokens']:,} tokens "
            f"and wrote {chosen_for['completion_tokens']:,}.",
            file=sys.stderr,
        )
    if args.json:
        _print_json(trace_json(trace, catalog.all_cards()))
    else:
        print(render.trace_text(trace))
    return FAILED if trace.outcome is Outcome.FAILED else ANSWERED


def _query(args: argparse.Namespace, settings: Settings, catalog: Catalog) -> int:
    done = Pipeline(catalog, settings).query(args.source_id, args.query)
    card = next(card for card in catalog.all_cards() if card.id == args.source_id)
    if args.json:
        _print_json(result_json(done.result, done.attempts, card.language))
    else:
        print(render.result_text(done.result))
    if isinstance(done.result, Failed):
        print(f"error: {done.result.message}", file=sys.stderr)
        return FAILED
    return ANSWERED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m core", description="Ask one question of everything your organisation knows."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--json", action="store_true", help="print one JSON object on standard output, nothing else")
    shared.add_argument(
        "--sources", dest="sources_file", type=Path, metavar="FILE", help="manifest to use instead of the default"
    )

    sources = commands.add_parser("sources", parents=[shared], help="list the registered sources and their state")
    sources.set_defaults(command=_sources)

    ask = commands.add_parser("ask", parents=[shared], help="ask a question")
    ask.add_argument("question")
    ask.add_argument("--method", choices=tuple(METHODS), default="omni")
    ask.add_argument("--k", type=int, help=f"most sources to ask (default {DEFAULT_K})")
    ask.add_argument(
        "--backbone", metavar="built-in|MODEL", help="who selects and writes (default: OMNI_MODEL, else built-in)"
    )
    ask.add_argument("--selector", choices=("probe", "catalog"), default="probe")
    ask.add_argument("--api-base", metavar="URL", help="address of an OpenAI-compatible server")
    ask.add_argument("--api-key-env", metavar="NAME", help="environment variable that holds the model's key")
    ask.add_argument(
        "--hyde",
        action=argparse.BooleanOptionalAction,
        help="search corpora with a passage that the model writes, or with the question itself (default: OMNI_HYDE)",
    )
    ask.add_argument("--source", action="append", metavar="ID", help="ask only this source; may be repeated")
    ask.set_defaults(command=_ask)

    query = commands.add_parser("query", parents=[shared], help="run a native query on one source")
    query.add_argument("source_id")
    query.add_argument("query")
    query.set_defaults(command=_query)
    return parser


def _print_json(value: Any) -> None:
    json.dump(value, sys.stdout, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")
