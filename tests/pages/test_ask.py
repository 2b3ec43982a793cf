"""The Ask page, driven as a person does: an answer, an edit, failures, and odd input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import APP, MANIFEST, html

OpenApp = Callable[[], AppTest]
QUESTION = "Which films did Toho release?"
EDITED = "SELECT title FROM film WHERE studio = 'Fox'"


def ask(app: AppTest, question: str) -> AppTest:
    app.text_input(key="question").set_value(question)
    app.button(key="ask-button").click().run()
    assert not app.exception
    return app


def evidence(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.html if "or-evidence" in element.proto.body)


def edit_and_run(app: AppTest, query: str) -> AppTest:
    app.text_area(key="query-1-films").set_value(query).run()
    app.button(key="query-1-films-run").click().run()
    assert not app.exception
    return app


def test_the_first_page_teaches_and_needs_no_key(open_app: OpenApp) -> None:
    app = open_app()
    assert "Ask everything you know" in html(app)
    assert app.button(key="example-films-0").label == "Which films did Toho release\\?"


def test_an_example_is_asked_and_answered(open_app: OpenApp) -> None:
    app = open_app()
    app.button(key="example-films-0").click().run()
    assert not app.exception
    assert app.text_input(key="question").value == QUESTION
    assert "Ran" in evidence(app)
    assert "answered by the built-in planner" in html(app)


def test_evidence_follows_an_edited_query_and_comes_back(open_app: OpenApp) -> None:
    app = ask(open_app(), QUESTION)
    assert "Ikiru" in evidence(app)
    edit_and_run(app, EDITED)
    assert "Ikiru" not in evidence(app)
    assert "Alien" in html(app) or "Alien" in str(app.dataframe[0].value)
    assert any(expander.label == "2 attempts" for expander in app.expander)
    app.button(key="query-1-films-back").click().run()
    assert "Ikiru" in evidence(app)


def test_an_edited_query_speaks_for_itself_before_the_question_is_judged(open_app: OpenApp) -> None:
    app = edit_and_run(ask(open_app(), QUESTION), "SELECT 1 AS unrelated")
    page = html(app)
    assert "Your edited query returned 1 row" in page
    assert "Nothing that was found answers this" not in page
    assert "then a query edited by you" in page


def test_an_unchanged_query_is_nobodys_edit(open_app: OpenApp) -> None:
    app = ask(open_app(), QUESTION)
    app.button(key="query-1-films-run").click().run()
    assert not app.exception
    assert "edited by you" not in html(app)
    assert not any("attempt" in expander.label for expander in app.expander)


def test_a_word_the_query_leaves_out_is_said_beside_the_result(open_app: OpenApp) -> None:
    app = ask(open_app(), "Which films did Toho gladly release?")
    assert html(app).count("This query leaves out: gladly") == 2
    assert "This query leaves out: gladly" in evidence(app)
    edit_and_run(app, EDITED)
    assert "This query leaves out" not in html(app)


def test_a_model_without_a_name_is_asked_for_and_nothing_runs(open_app: OpenApp) -> None:
    app = open_app()
    app.segmented_control(key="backbone").set_value("model").run()
    ask(app, QUESTION)
    assert "Name a model first" in html(app)
    assert 'class="or-question' not in html(app)


def test_a_write_is_refused_and_the_rest_stays(open_app: OpenApp) -> None:
    app = edit_and_run(ask(open_app(), QUESTION), "DELETE FROM film")
    assert "None of the sources could be asked" not in html(app)
    assert "The query was refused and did not run" in html(app)
    assert app.text_area(key="query-1-films").value == "DELETE FROM film"
    edit_and_run(app, "SELECT count(*) FROM film")
    assert app.dataframe[0].value.iloc[0, -1] == 4


def test_text_from_data_is_shown_as_text(open_app: OpenApp) -> None:
    app = ask(open_app(), QUESTION)
    assert "costs $5 to $9, :red[x], # head, &lt;b&gt;, ~~a~~" in evidence(app)
    assert not any(":red[x]" in element.value for element in app.markdown)


def test_state_survives_a_visit_to_another_page(open_app: OpenApp) -> None:
    app = edit_and_run(ask(open_app(), QUESTION), EDITED)
    app.text_area(key="query-1-films").set_value("SELECT 1 AS half_written").run()
    app.switch_page("pages/sources.py").run()
    assert not app.exception
    app.switch_page("pages/ask.py").run()
    assert not app.exception
    assert app.text_input(key="question").value == QUESTION
    assert app.text_area(key="query-1-films").value == "SELECT 1 AS half_written"
    assert QUESTION in html(app)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("", "The question is empty"),
        ("   ", "The question is empty"),
        ("x" * 10_000, "10,000 characters"),
        ("🎬🎬", "nothing to look for"),
        ("\u202e\u0007", "The question is empty"),
    ],
    ids=["empty", "blank", "10,000 characters", "emoji", "control characters"],
)
def test_what_cant_be_asked_says_why(open_app: OpenApp, question: str, words: str) -> None:
    app = ask(open_app(), question)
    assert words in html(app)
    assert app.button(key="example-films-0")


@pytest.mark.parametrize(
    "question", ["ما هي الأفلام؟ Toho", "films\x00 of\x1b[31m Toho", "<b>Toho</b> $films$ :red[x]"]
)
def test_odd_questions_are_asked_as_they_are(open_app: OpenApp, question: str) -> None:
    app = ask(open_app(), question)
    assert "or-question" in html(app)
    assert "<b>Toho" not in html(app)


@pytest.mark.parametrize("k", [1, 2])
def test_k_may_be_small_or_large(open_app: OpenApp, k: int) -> None:
    app = open_app()
    app.selectbox(key="k").set_value(k)
    assert "Ran" in evidence(ask(app, QUESTION))


def test_a_missing_source_never_holds_back_the_others(open_app: OpenApp) -> None:
    app = open_app()
    app.multiselect(key="chosen").set_value(["films", "ledger"])
    ask(app, QUESTION)
    assert "Ran" in evidence(app)
    assert "gone.db" in html(app)


def test_a_question_nobody_can_answer_ends_calmly(open_app: OpenApp) -> None:
    app = ask(open_app(), "Who discovered penicillin in the zorblax nebula?")
    assert "No source here can answer this" in html(app) or "Nothing that was found answers this" in html(app)


def test_a_model_that_is_not_there_is_said_at_its_source(open_app: OpenApp) -> None:
    pytest.importorskip("core.llm.client")
    app = open_app()
    app.segmented_control(key="backbone").set_value("model").run()
    app.text_input(key="model").set_value("openai/nobody")
    app.text_input(key="api_base").set_value("http://127.0.0.1:9/v1")
    ask(app, QUESTION)
    page = html(app)
    assert "openai/nobody could not be asked" in page
    assert "None of the sources could be asked" not in page
    assert page.count("said</summary>") == 1


def test_a_broken_manifest_is_explained_and_heals(open_app: OpenApp, manifest: Path) -> None:
    manifest.write_text(MANIFEST.replace("descriptor", "descripton"))
    app = AppTest.from_file(str(Path(__file__).parents[2] / "streamlit_app.py"), default_timeout=60).run()
    assert not app.exception
    assert "The list of sources can&#x27;t be read" in html(app)
    assert "descriptor" in html(app)
    manifest.write_text(MANIFEST)
    app.run()
    assert "Ask everything you know" in html(app)


def test_the_address_keeps_the_question_and_asks_nothing_by_itself(open_app: OpenApp, manifest: Path) -> None:
    app = open_app()
    app.multiselect(key="chosen").set_value(["films"])
    app.selectbox(key="k").set_value(2)
    ask(app, QUESTION)
    kept = {name: app.query_params[name] for name in app.query_params}
    assert kept == {"q": QUESTION, "k": "2", "only": "films"}
    again = AppTest.from_file(str(APP), default_timeout=60)
    again.session_state["plain_editor"] = True
    for name, value in kept.items():
        again.query_params[name] = value
    again.run()
    assert not again.exception
    assert again.text_input(key="question").value == QUESTION
    assert again.multiselect(key="chosen").value == ["films"]
    assert "Ikiru" not in html(again)
    again.button(key="ask-again").click().run()
    assert "Ran" in evidence(again)


@pytest.mark.parametrize(
    ("name", "value"), [("k", "99"), ("k", "-1"), ("by", "x"), ("only", "nobody"), ("q", "y" * 9000)]
)
def test_an_odd_address_opens_a_page_that_works(manifest: Path, name: str, value: str) -> None:
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.query_params[name] = value
    app.run()
    assert not app.exception
    assert len(app.text_input(key="question").value or "") <= 2_000


def test_a_source_that_cant_be_asked_is_marked_before_and_after(open_app: OpenApp) -> None:
    app = open_app()
    assert "can't be asked now" in html(app).replace("&#x27;", "'")
    assert not any(button.key == "example-ledger-0" for button in app.button)
    ask(app, QUESTION)
    assert "Left out: Old ledger" in html(app)
