"""Settings, the address that holds them, and the plan made from them."""

from __future__ import annotations

import pandas as pd
import pytest

from microagg.errors import PlanError
from microagg.methods import METHODS
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.ui.state.plan_settings import from_plan, honoured, letters, with_letters
from microagg.ui.state.result_cache import Memory
from microagg.ui.state.settings import Settings, read_query


@pytest.fixture
def data() -> Microdata:
    frame = pd.DataFrame({f"secret{j}": [float((i * (j + 3)) % 7) for i in range(12)] for j in range(4)})
    roles = {"secret0": "quasi_identifier", "secret1": "quasi_identifier", "secret2": "quasi_identifier"}
    return Microdata.from_frame(frame, roles=roles | {"secret3": "confidential"}, name="mine")


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(data="eia", method="zscores", k=7, options=(("cost", "projected"), ("divisor", "variance"))),
        Settings(blocks="contiguous:3", lam=0.35, knowledge="sample:50:3", seed=4),
        Settings(data="file:my survey.csv", roles="iqqco", blocks="hand:1.2-3", aggregate="median"),
    ],
)
def test_an_address_brings_back_the_settings_it_was_made_from(settings):
    assert read_query(settings.query()) == (settings, [])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("k", "1"),
        ("k", "many"),
        ("lam", "2"),
        ("lam", "nan"),
        ("method", "magic"),
        ("blocks", "contiguous"),
        ("knowledge", "everything"),
        ("aggregate", "mode"),
        ("seed", "-1"),
        ("roles", "xyz"),
    ],
)
def test_what_an_address_cannot_mean_is_said_and_left_at_its_default(name, value):
    settings, complaints = read_query({name: value})
    assert settings == Settings()
    assert len(complaints) == 1
    assert name in complaints[0]


def test_an_option_that_is_not_allowed_is_said():
    settings, complaints = read_query({"method": "pcp", "option.cost": "nothing"})
    assert settings.options == ()
    assert "cost" in complaints[0]


def test_an_address_names_no_column(data):
    plan = Plan(
        method="fixed", blocks=(("secret0", "secret2"), ("secret1",)), options={"attribute": "secret1"}
    )
    query = from_plan(plan, data, Settings()).query()
    assert not any("secret" in text for text in query.values())


def test_a_plan_survives_the_way_through_settings(data):
    plan = Plan(
        method="fixed",
        k=3,
        blocks=(("secret0", "secret2"), ("secret1",)),
        options={"sort": "attribute", "attribute": "secret1"},
    )
    settings = from_plan(plan, data, Settings())
    assert honoured(settings, with_letters(data, settings.roles)).plan == plan


def test_a_plan_for_other_columns_is_refused_by_name(data):
    with pytest.raises(PlanError, match="elsewhere"):
        from_plan(Plan(roles={"elsewhere": "other"}), data, Settings())


def test_a_position_beyond_the_columns_is_refused(data):
    with pytest.raises(PlanError, match="'9'"):
        honoured(Settings(blocks="hand:0.9-1.2"), data)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_gets_a_plan_it_can_carry_out(method, data):
    wanted = honoured(Settings(method=method, k=2, lam=0.5, blocks="contiguous:2"), data)
    from microagg.preparation.prepare import prepare

    assert prepare(data, wanted.plan).plan == wanted.plan
    assert all(reason.endswith(".") for reason in wanted.reasons.values())


def test_lambda_is_left_aside_with_its_reason_where_there_is_no_link(data):
    wanted = honoured(Settings(lam=0.5), data.with_roles({"secret3": "other"}))
    assert wanted.plan.lam == 0
    assert "confidential" in wanted.reasons["lam"]


def test_letters_stand_for_roles(data):
    assert letters(data) == "qqqc"
    assert with_letters(data, "iqoc").columns("identifier") == ("secret0",)
    assert with_letters(data, "q") is data


def test_a_new_method_starts_from_its_defaults():
    assert Settings(method="pcp", options=(("cost", "projected"),)).replace(method="mdav").options == ()


def test_memory_makes_a_value_once():
    memory, made = Memory(), []
    for _ in range(2):
        assert memory.recall("key", lambda: made.append(1) or 7) == 7
    assert made == [1]


def test_memory_holds_what_is_larger_than_its_bound_alone():
    memory, made = Memory(most=30), []
    memory.recall("small", str, 10)
    for _ in range(2):
        memory.recall("large", lambda: made.append(1), 40)
    assert made == [1]
    assert "small" not in memory


def test_memory_drops_the_least_recently_used_when_bytes_run_out():
    memory = Memory(most=30)
    for key in "abc":
        memory.recall(key, lambda key=key: key, 10)
    memory.recall("a", str, 10)
    memory.recall("d", lambda: "d", 10)
    assert [key in memory for key in "abcd"] == [True, False, True, True]
    assert memory.used <= 30
