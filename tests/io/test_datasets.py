from __future__ import annotations

import pandas as pd
import pytest

from microagg.errors import DataError
from microagg.io import datasets
from microagg.io.catalogue import CATALOGUE, nouns
from microagg.io.datasets import FOLDER_VARIABLE, load_dataset
from microagg.io.synthetic_surveys import MADE_UP
from microagg.io.writing import csv_bytes
from microagg.model.microdata import Microdata
from tests.conftest import BUNDLED, reference_file

BUNDLED_NAMES = [name for name, dataset in CATALOGUE.items() if dataset.home is None]


@pytest.fixture
def nothing_named(monkeypatch, tmp_path):
    """No folder named by the user, and an empty cache."""
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    monkeypatch.setattr(datasets, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


@pytest.mark.usefixtures("nothing_named")
@pytest.mark.parametrize("name", BUNDLED_NAMES)
def test_every_bundled_data_set_loads_with_the_rows_and_columns_of_the_catalogue(name):
    data = load_dataset(name)
    assert len(data) == CATALOGUE[name].rows
    assert [(a.name, a.role) for a in data.attributes] == [(c.name, c.role) for c in CATALOGUE[name].columns]


@pytest.mark.usefixtures("nothing_named")
def test_records_are_called_what_they_describe_and_records_where_nobody_knows():
    company = load_dataset("tarragona")
    assert nouns(company) == ("company", "companies")
    assert nouns(load_dataset("survey")) == ("person", "people")
    assert nouns(load_dataset("gaussian_05")) == ("record", "records")
    renamed = Microdata.from_frame(company.frame.iloc[:, :3], name="tarragona")
    assert nouns(renamed) == ("record", "records")


@pytest.mark.usefixtures("nothing_named")
@pytest.mark.parametrize("name", BUNDLED_NAMES)
def test_default_quasi_identifiers_have_no_gaps_and_are_numbers_but_in_the_household_survey(name):
    data = load_dataset(name)
    names = list(data.columns("quasi_identifier"))
    assert not data.frame[names].isna().to_numpy().any()
    categories = [c for c in names if not data.numeric(c)]
    asked = ["sex", "region", "education", "occupation"] if name == "household_survey" else []
    assert categories == asked


@pytest.mark.usefixtures("nothing_named")
def test_roles_of_the_household_survey_are_those_that_are_guessed():
    data = load_dataset("household_survey")
    guessed = Microdata.from_frame(data.frame)
    assert guessed.attributes == data.attributes


@pytest.mark.usefixtures("nothing_named")
def test_the_household_survey_hangs_together():
    frame = load_dataset("household_survey").frame
    homes = frame.groupby("household")
    assert len(homes) == 1959
    assert homes.size().max() <= 7
    assert (homes[["region", "weight"]].nunique() == 1).all(axis=None)
    assert frame["region"].str.fullmatch(r"\d{5}").all()
    assert (frame["region"].str[0] == "0").sum() > 2000
    assert frame.isna().sum().to_dict() | {"diagnosis": 0} == dict.fromkeys(frame.columns, 0)
    assert 100 <= frame["diagnosis"].isna().sum() <= 250
    assert (frame.loc[frame["age"] < 16, "income"] == 0).all()
    assert ((frame["hours"] == 0) == (frame["occupation"] == "not employed")).all()
    employed = frame[frame["hours"] >= 35]
    pay = employed.groupby("education")["income"].median()
    assert pay["primary"] < pay["upper secondary"] < pay["bachelor"] < pay["master"] < pay["doctorate"]
    ill = frame["diagnosis"].isin(["hypertension", "arthritis", "heart disease", "diabetes"])
    assert ill[frame["age"] >= 60].mean() > 2.5 * ill[frame["age"] < 40].mean()


@pytest.mark.parametrize("name", list(MADE_UP))
def test_the_generator_makes_the_bundled_file_byte_for_byte(name):
    assert csv_bytes(MADE_UP[name]()) == (BUNDLED / f"{name}.csv").read_bytes()


@pytest.mark.parametrize("name", ["tarragona", "eia"])
def test_bundled_files_equal_the_reference_files(name):
    pd.testing.assert_frame_equal(pd.read_csv(BUNDLED / f"{name}.csv"), pd.read_csv(reference_file(name)))


@pytest.mark.parametrize(("name", "correlation"), [("gaussian_05", 0.5), ("gaussian_09", 0.9)])
def test_gaussian_samples_lie_within_four_standard_errors_of_what_they_were_drawn_from(name, correlation):
    frame = MADE_UP[name]()
    n = len(frame)
    assert frame.mean().abs().max() < 4 / n**0.5
    assert (frame.var() - 1).abs().max() < 4 * (2 / n) ** 0.5
    assert abs(frame.corr().loc["X", "Y"] - correlation) < 4 * (1 - correlation**2) / n**0.5


def test_survey_begins_with_the_six_people_of_the_papers_figure_1():
    first = MADE_UP["survey"]().head(6)
    assert first["Hourly Wage"].tolist() == [31, 17, 26, 48, 45, 44]
    assert first["Age"].tolist() == [29, 26, 29, 34, 32, 33]


def test_survey_names_tell_everybody_apart():
    assert MADE_UP["survey"]()["Name"].is_unique


def test_paper_2_roles_split_tarragona_into_six_and_seven():
    data = load_dataset("tarragona")
    assert len(data.columns("quasi_identifier")) == 6
    assert data.columns("confidential")[0] == "SALES"


@pytest.mark.usefixtures("nothing_named")
def test_a_folder_named_by_the_user_comes_before_the_bundled_file(monkeypatch, tmp_path):
    (tmp_path / "gaussian_05.csv").write_text("X,Y\n1.0,2.0\n3.0,4.0\n")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert load_dataset("gaussian_05").frame["Y"].tolist() == [2.0, 4.0]


def test_the_cache_is_looked_in_last(nothing_named):
    nothing_named.mkdir()
    names = [column.name for column in CATALOGUE["census"].columns]
    (nothing_named / "census.csv").write_bytes(csv_bytes(pd.DataFrame([range(13)] * 2, columns=names)))
    assert load_dataset("census").matrix(["ERNVAL"]).tolist() == [[12.0], [12.0]]


@pytest.mark.usefixtures("nothing_named")
def test_a_data_set_that_is_not_here_says_how_to_get_it():
    with pytest.raises(DataError, match="microagg datasets get census"):
        load_dataset("census")


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(DataError, match="'iris'; there are tarragona, census"):
        load_dataset("iris")


@pytest.mark.usefixtures("nothing_named")
def test_a_file_with_other_columns_is_refused(monkeypatch, tmp_path):
    (tmp_path / "gaussian_05.csv").write_text("X,Z\n1,2\n")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    with pytest.raises(DataError, match="its columns should be X, Y"):
        load_dataset("gaussian_05")


@pytest.mark.parametrize("name", list(CATALOGUE))
def test_the_readme_of_the_data_describes_every_column(name):
    readme = (BUNDLED / "README.md").read_text(encoding="utf-8")
    missing = [c.name for c in CATALOGUE[name].columns if f"`{c.name}`" not in readme]
    assert not missing
