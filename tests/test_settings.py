"""Settings read the environment and say what is wrong with it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from core.errors import SettingError
from core.settings import ROOT, Settings


def test_empty_environment_means_the_defaults() -> None:
    assert Settings.load({}) == Settings()
    assert Settings.load({"OMNI_REPAIRS": "  "}) == Settings()


def test_values_take_their_types() -> None:
    settings = Settings.load(
        {"OMNI_HOME": "~/x", "OMNI_QUERY_SECONDS": "2.5", "OMNI_ROWS_KEPT": "5", "OMNI_REPAIRS": "0"}
    )
    assert settings.home == Path.home() / "x"
    assert (settings.query_seconds, settings.rows_kept, settings.repairs) == (2.5, 5, 0)


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("OMNI_ROWS_KEPT", "many", "whole number"),
        ("OMNI_ROWS_KEPT", "0", "at least 1"),
        ("OMNI_QUERY_SECONDS", "nan", "at least 0.1"),
        ("OMNI_QUERY_SECONDS", "inf", "at least 0.1"),
        ("OMNI_QUERY_SECONDS", "1s", "a number"),
        ("OMNI_REPAIRS", "-1", "at least 0"),
    ],
)
def test_bad_value_names_the_variable_and_the_default(variable: str, value: str, says: str) -> None:
    with pytest.raises(SettingError, match=says) as error:
        Settings.load({variable: value})
    assert variable in error.value.message and "Unset it to use" in error.value.message


def test_readme_lists_every_setting_as_it_is() -> None:
    readme = (ROOT / "README.md").read_text()
    for variable, default, text in Settings.table():
        assert f"| `{variable}` | {f'`{default}`' if default else 'empty'} | {text} |" in readme


def test_the_home_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "deep" / "home"
    settings = dataclasses.replace(Settings(), home=home)
    assert settings.state("indexes") == home / "indexes"
    assert home.stat().st_mode & 0o777 == 0o700


def test_a_home_that_cannot_be_made_is_left_to_the_writer(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert dataclasses.replace(Settings(), home=tmp_path / "file" / "home").state("rdf").name == "rdf"
