"""A JSON answer out of a reply: whole or not at all."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.stages.json_reply import extract_json

FENCE = "```"

READ = [
    ("alone", '{"a": 1}', {"a": 1}),
    ("in a fence", f'{FENCE}json\n{{"a": 1}}\n{FENCE}', {"a": 1}),
    ("in a fence that never closes", f'{FENCE}json\n{{"a": 1}}', {"a": 1}),
    ("behind prose with brackets", 'Sure [1]: {"a": [1]}', {"a": [1]}),
    ("before prose", '{"a": 1}\nI hope this helps {you}.', {"a": 1}),
    ("an empty choice", '{"sources": []}', {"sources": []}),
    ("a list", '["a", "b"]', ["a", "b"]),
    ("trailing comma", '{"a": [1, 2,],}', {"a": [1, 2]}),
    ("comma inside a string", '{"a": "x,]",}', {"a": "x,]"}),
    ("Python's quotes and words", "{'a': 'it\\'s', 'b': True, 'c': None}", {"a": "it's", "b": True, "c": None}),
    ("curly quotes", "{“a”: “b”}", {"a": "b"}),
    ("a line break in a string", '{"a": "x\ny"}', {"a": "x\ny"}),
    ("after a thought", '<think>{"a": 0}</think>{"a": 1}', {"a": 1}),
    ("after a thought that never began", 'maybe {"a": 0}</think>{"a": 1}', {"a": 1}),
    ("tags inside strings", '{"a": "<think>", "b": "</s> ```"}', {"a": "<think>", "b": "</s> ```"}),
    ("before an end mark", '{"a": 1}<|im_end|>', {"a": 1}),
]


@pytest.mark.parametrize(("reply", "value"), [c[1:] for c in READ], ids=[c[0] for c in READ])
def test_read(reply: str, value: Any) -> None:
    assert extract_json(reply) == value


NOT_READ = [
    ("prose", "The best are harbour and reef.", "no JSON"),
    ("nothing", "", "no JSON"),
    ("cut off: its inner part is no answer", '{"s": [{"id": "x"}', "stops in the middle"),
    ("cut off in a string", '{"s": [{"id": "x"}, {"id": "y', "stops in the middle"),
    ("no JSON value", '{"a": NaN}', "no JSON"),
    ("only a thought", '<think>{"a": 1}', "no JSON"),
    ("far too deep", "[" * 50_000 + "]" * 50_000, "no JSON"),
    ("never closing", "[" * 100_000, "stops in the middle"),
    ("never closing objects", '{"a":' * 20_000, "stops in the middle"),
]


@pytest.mark.parametrize(("reply", "says"), [c[1:] for c in NOT_READ], ids=[c[0] for c in NOT_READ])
def test_not_read(reply: str, says: str) -> None:
    started = time.monotonic()
    with pytest.raises(ValueError, match=says):
        extract_json(reply)
    assert time.monotonic() - started < 3


SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab'\"\\{}[],:<>/thinks `\n", max_size=12)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab:'", max_size=4), inner, max_size=3), max_leaves=8)  # fmt: skip
OBJECTS = st.dictionaries(st.text("ab", min_size=1, max_size=3), VALUES, min_size=1, max_size=3)


@settings(max_examples=400, deadline=None)
@given(
    OBJECTS,
    st.sampled_from(["{}", "```json\n{}\n```", "Here it is:\n{}", "<think>is it [1]?</think>{}", "{}<|eot_id|>"]),
)
def test_an_object_comes_out_as_it_went_in(value: dict[str, Any], wrapping: str) -> None:
    assert extract_json(wrapping.replace("{}", json.dumps(value))) == value


@settings(max_examples=300, deadline=None)
@given(OBJECTS, st.integers(1, 400))
def test_a_part_of_an_answer_is_no_answer(value: dict[str, Any], length: int) -> None:
    text = json.dumps(value)
    with pytest.raises(ValueError):
        extract_json(text[: min(length, len(text) - 1)])
