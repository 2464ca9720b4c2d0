"""What a lesson says is there: presets show the point, costs can be computed again, counts are true."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from microagg.lessons import LESSONS
from microagg.lessons.example import SEED, made_up
from microagg.lessons.lesson import DEVIATIONS, Records
from microagg.lessons.scene import Area, Dots, Line
from microagg.lessons.table import table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from microagg.lessons.lesson import Lesson, Step

SEEDS = (SEED, 0, 7)


def preset(name: str) -> tuple[Lesson, Records, int]:
    """A lesson as the page opens it."""
    lesson = LESSONS[name]
    return lesson, made_up(SEED, 16, lesson.example), 8 if lesson.counts_values else 3


def shown(step: Step) -> dict[str, float | str]:
    return {quantity.name: quantity.value for quantity in step.quantities}


def titled(steps: tuple[Step, ...], title: str) -> Step:
    return next(step for step in steps if step.title.startswith(title))


def walks(*names: str) -> Iterator[tuple[Records, int, tuple[Step, ...]]]:
    """Lessons on records of several seeds, with several k."""
    for name in names:
        lesson = LESSONS[name]
        for seed in SEEDS:
            records = made_up(seed, 16, lesson.example)
            for k in (2, 3, 8):
                yield records, k, lesson.walk(records, k, {})


def squares(frame: pd.DataFrame, columns: list[str], group: str = "group") -> float:
    """Squared distances to the groups' means, added, by pandas alone; records without a group have none."""
    held = frame[frame[group] != "–"]
    return float(((held[columns] - held.groupby(group)[columns].transform("mean")) ** 2).to_numpy().sum())


def standardised(records: Records) -> list[str]:
    return [records.standardised(i) for i in range(len(records.names))]


# The records with which a lesson opens show what its story promises.


def test_the_optimal_preset_loses_less_than_cutting_every_k() -> None:
    lesson, records, k = preset("optimal")
    assert lesson.ask(records, k, {})[1].right.text == "It loses less"


def test_the_projection_preset_has_other_groups_by_pcp_than_by_z_scores_and_by_sugeno() -> None:
    lesson, records, k = preset("projection")
    labels = lesson.walk(records, k, {})[-1].result.tolist()
    assert len({str(own) for own in labels}) == 3
    assert lesson.ask(records, k, {})[0].right.text == "No"


def test_the_sugeno_preset_is_decided_by_a_value_and_orders_otherwise_than_the_mean() -> None:
    lesson, records, _ = preset("sugeno")
    steps = lesson.walk(records, 2, {})
    assert lesson.ask(records, 2, {})[0].right.text.startswith("The value")
    compared = [step.sentence for step in steps if step.title.startswith("The lower")]
    assert any("the quantifier is lower" in text for text in compared)
    assert any("the value is lower" in text for text in compared)
    last = table(records, steps[-1])
    scaled = last[[f"{name}, scaled 0 … 1" for name in records.names]]
    assert last["Sugeno integral"].rank().tolist() != scaled.mean(axis=1).rank().tolist()


def test_the_mdav_preset_has_a_pair_of_ends_and_a_rest() -> None:
    lesson, records, k = preset("mdav")
    titles = [step.title for step in lesson.walk(records, k, {})]
    assert {"r, the farthest record", "s, farthest from r", "The rest"} <= set(titles)


def test_the_kward_preset_has_a_forbidden_join_and_a_group_that_is_split_again() -> None:
    lesson, records, k = preset("kward")
    steps = lesson.walk(records, k, {})
    assert any("forbidden" in shown(step) for step in steps)
    assert any(step.title == "Recursion" for step in steps)


def test_the_mic1d_preset_mixes_attributes_and_keeps_no_anonymity() -> None:
    lesson, records, k = preset("mic1d")
    steps = lesson.walk(records, k, {})
    mixed = shown(titled(steps, "Sort again"))["mixed"]
    assert "0 of 4 did before" in titled(steps, "Sort again").sentence
    assert mixed == 4
    assert float(shown(steps[-1])["k′"]) < 2


def test_the_lambda_preset_pays_with_x_for_y() -> None:
    lesson, records, k = preset("dependence")
    first, last = (shown(step) for step in lesson.walk(records, k, {})[1 :: len(range(11)) - 1])
    assert float(first["D_X"]) < 0.5 * float(last["D_X"])
    assert float(first["D_Y"]) > 2 * float(last["D_Y"])


def test_the_attack_preset_finds_more_with_two_blocks_than_the_bound_of_one() -> None:
    lesson, records, k = preset("attack")
    steps = lesson.walk(records, k, {})
    whole, apart = shown(titled(steps, "Link everybody")), shown(titled(steps, "Link again"))
    assert float(whole["DLD"]) <= 1 / k < float(apart["DLD"])
    assert float(shown(titled(steps, "What becomes"))["k′"]) < 2
    assert "here it is passed" in titled(steps, "Link again").sentence


# Costs can be computed again from the table behind the picture.


def test_costs_of_the_optimal_lesson_are_sums_of_squares_of_the_values_shown() -> None:
    """By pandas on the sorted column; sums may differ in the last digit that is shown."""
    edges = 0
    for records, _, steps in walks("optimal"):
        title = records.titled(0)
        assert title == "age, years"
        for step in steps:
            frame = table(records, step).sort_values("place in the order")
            values = frame[title].reset_index(drop=True)
            for name, value in shown(step).items():
                if name.startswith("from "):
                    start, end = int(name.removeprefix("from ")), int(step.title.rpartition(" ")[2])
                    before, edge, total = (
                        float(n.replace(",", "")) for n in re.findall(r"[\d,.]+", str(value))
                    )
                    run = values[start:end]
                    assert edge == pytest.approx(((run - run.mean()) ** 2).sum(), abs=0.006)
                    assert total == pytest.approx(before + edge, abs=0.011)
                    edges += 1
        whole = table(records, steps[-1])
        assert shown(steps[-1])["SSE"] == pytest.approx(squares(whole, [title]))
        assert whole[f"{title}, released"].tolist() == pytest.approx(
            whole.groupby("group")[title].transform("mean").tolist()
        )
    assert edges > 100


def test_joins_of_kward_add_what_the_table_says() -> None:
    joins = 0
    for records, _, steps in walks("kward"):
        columns, before = standardised(records), 0.0
        for step in steps:
            after = squares(table(records, step), columns)
            if step.title == "Join the cheapest pair":
                assert shown(step)["adds"] == pytest.approx(after - before, abs=1e-12)
                joins += 1
            before = after
        assert shown(steps[-1])["SSE"] == pytest.approx(before)
        n, p = records.values.shape
        assert shown(steps[-1])["SSE/SST"] == pytest.approx(before / (n * p))
    assert joins > 20


def test_standardised_columns_are_values_less_the_mean_over_the_standard_deviation() -> None:
    for name in ("projection", "mdav", "kward", "dependence", "attack"):
        for records, _, steps in walks(name):
            for step in steps:
                frame = table(records, step)
                for i in range(len(records.names)):
                    raw = frame[records.titled(i)]
                    expected = (raw - raw.mean()) / raw.std(ddof=0)
                    assert frame[records.standardised(i)].tolist() == pytest.approx(expected.tolist())
            told = str(shown(steps[0])[f"{records.names[0]}: mean ± sd"]).split(" ± ")
            raw = table(records, steps[0])[records.titled(0)]
            assert [float(n) for n in told] == pytest.approx([raw.mean(), raw.std(ddof=0)], abs=0.006)


def test_the_farthest_records_of_mdav_are_those_of_the_distances_shown() -> None:
    distance, ends, around = f"distance, {DEVIATIONS}", 0, 0
    for records, k, steps in walks("mdav"):
        for step, after in zip(steps, (*steps[1:], steps[-1]), strict=True):
            frame = table(records, step)
            free = frame[frame["group"] == "–"]
            if step.title.startswith(("r,", "s,")):
                said = int(re.findall(r"Record (\d+) lies farthest", step.sentence)[0])
                assert free.loc[free[distance].idxmax(), "record"] == said
                ends += 1
            if step.title.startswith("A group around"):
                members = [int(n) for n in re.findall(r"\d+", step.sentence.rpartition(": ")[2])]
                assert len(members) == k
                own = frame[frame["record"].isin(members)]
                assert own["group"].nunique() == 1
                assert own[distance].max() == pytest.approx(shown(step)["radius"])
                left = table(records, after)
                left = left[left["group"] == "–"] if after is not step else left[:0]
                rest = frame[frame["record"].isin(left["record"])]
                assert rest.empty or own[distance].max() <= rest[distance].min() + 1e-12
                around += not rest.empty
        whole = table(records, steps[-1])
        assert shown(steps[-1])["SSE"] == pytest.approx(squares(whole, standardised(records)))
        assert shown(steps[-1])["SSE"] == pytest.approx((whole[distance] ** 2).sum())
    assert ends > 20
    assert around > 20


def test_losses_of_the_projections_and_of_lambda_follow_from_groups_and_columns() -> None:
    for records, _, steps in walks("projection"):
        frame, (n, p) = table(records, steps[-1]), records.values.shape
        for short, panel in zip(("PCP", "z-scores", "Sugeno"), steps[-1].panels, strict=True):
            lost = squares(frame, standardised(records), f"group, {panel.title}") / (n * p)
            assert shown(steps[-1])[f"SSE/SST, {short}"] == pytest.approx(lost)
        weights = [float(w.replace("−", "-")) for w in str(shown(steps[1])["PCP weights"]).split(", ")]
        sums = sum(frame[c] * w for c, w in zip(standardised(records), weights, strict=True))
        assert frame[f"first component, {DEVIATIONS}"].tolist() == pytest.approx(sums.tolist(), abs=0.005)
        total = frame[standardised(records)].sum(axis=1)
        assert frame[f"sum of z-scores, {DEVIATIONS}"].tolist() == pytest.approx(total.tolist())
        unit = (records.values - records.values.min(axis=0)) / np.ptp(records.values, axis=0)
        half = float(shown(steps[1])["Q(1/2)"])
        integral = np.maximum(np.minimum(half, unit.max(axis=1)), unit.min(axis=1))
        assert frame["Sugeno integral, 0 … 1"].tolist() == pytest.approx(integral.tolist())
    for records, _, steps in walks("dependence"):
        assert len(steps) > 10
        for step in steps[1:]:
            frame, told = table(records, step), shown(step)
            d_x, d_y = (squares(frame, [column]) / len(records) for column in standardised(records))
            lam = float(told["λ"])
            expected = [d_x, d_y, (1 - lam) * d_x + lam * d_y]
            assert [told["D_X"], told["D_Y"], told["D"]] == pytest.approx(expected)
            x, y = (frame[column] for column in standardised(records))
            assert frame[f"√(1−λ) · X, {DEVIATIONS}"].tolist() == pytest.approx(
                (x * (1 - lam) ** 0.5).tolist()
            )
            assert frame[f"√λ · Y, {DEVIATIONS}"].tolist() == pytest.approx((y * lam**0.5).tolist())


def test_links_follow_from_the_columns_shown() -> None:
    for records, _, steps in walks("attack"):
        for title in ("Link one", "Link everybody", "Link again"):
            step = titled(steps, title)
            frame = table(records, step)
            true, out = (
                frame[[f"{name}, {side}, by its own mean and sd" for name in records.names]].to_numpy()
                for side in ("true", "released")
            )
            away = np.sqrt(np.square(out[:, np.newaxis] - true).sum(axis=2))
            assert frame[f"distance to its own, {DEVIATIONS}"].tolist() == pytest.approx(
                away.diagonal().tolist()
            )
            near = np.isclose(away, away.min(axis=1, keepdims=True), atol=1e-9)
            chance = np.where(near.diagonal(), 1 / near.sum(axis=1), 0)
            assert frame["found, chance 0 … 1"].tolist() == pytest.approx(chance.tolist())
            if title == "Link one":
                assert shown(step)["nearest"] == pytest.approx(away[0].min())
                continue
            assert shown(step)["DLD"] == pytest.approx(chance.mean())
            said = [int(n) for n in re.findall(r"\d+", step.sentence.partition(" found again")[0])]
            assert said == (np.flatnonzero(chance) + 1).tolist()


def test_parts_of_mic1d_can_be_normalised_again_from_the_table() -> None:
    for records, k, steps in walks("mic1d"):
        step = titled(steps, "Normalise each part")
        frame = table(records, step)
        long = pd.DataFrame(
            {
                what: np.concatenate([frame[title(i)].to_numpy() for i in range(2)])
                for what, title in (
                    ("value", records.titled),
                    ("part", lambda i, records=records: f"{records.names[i]}, part"),
                    ("share", lambda i, records=records: f"{records.names[i]}, share of its part's range"),
                )
            }
        )
        by = long.groupby("part")["value"]
        width = by.transform("max") - by.transform("min")
        expected = ((long["value"] - by.transform("min")) / width.where(width > 0)).fillna(0.5)
        assert long["share"].tolist() == pytest.approx(expected.tolist())
        assert (by.size().iloc[:-1] == k).all()


def test_the_integral_is_the_largest_minimum_of_what_is_shown() -> None:
    for records, _, steps in walks("sugeno"):
        told = [shown(step) for step in steps if step.title.startswith("The lower")]
        assert len(told) == len(records.names)
        minima = [min(v for n, v in step.items() if n[:2] in ("Q(", "a(")) for step in told]
        assert [step["minimum"] for step in told] == minima
        assert shown(titled(steps, "They meet"))["SI"] == max(minima)
        frame = table(records, steps[0])
        for i, name in enumerate(records.names):
            raw = frame[records.titled(i)]
            expected = (raw - raw.min()) / (raw.max() - raw.min())
            assert frame[f"{name}, scaled 0 … 1"].tolist() == pytest.approx(expected.tolist())
            assert shown(steps[0])[name] == pytest.approx(expected[0])


# Counts in sentences are counts of what is drawn.


def test_records_are_called_what_they_describe_in_every_lesson() -> None:
    assert len(LESSONS) == 8
    for name, lesson in LESSONS.items():
        records = replace(made_up(1, 16, lesson.example), nouns="companies", units=())
        steps = lesson.walk(records, 3, {})
        said = " ".join(step.sentence for step in steps)
        assert "people" not in said, name
        assert "person" not in said, name
        if name != "optimal":
            assert steps[0].sentence.startswith("16 companies, one record each. "), name
    assert Records(np.ones((5, 2)), ("a", "b")).counted == "5 records"


def test_the_crossings_that_are_counted_are_those_of_the_lines_drawn() -> None:
    found = 0
    for records, _, steps in walks("attack"):
        step = titled(steps, "Two blocks")
        dashed = [mark for mark in step.panels[0].marks if isinstance(mark, Line) and mark.dashed]
        upright, flat = (len(mark.path) // 3 for mark in dashed)
        assert f"They cross at {upright} × {flat} = {upright * flat} points" in step.sentence
        step = titled(steps, "What becomes")
        frame = table(records, step)
        released = frame[[f"{records.titled(i)}, released" for i in range(2)]]
        classes = released.groupby(list(released)).size()
        alone = int((classes == 1).sum())
        assert f"{len(classes)} crossings are taken" in step.sentence
        assert f"{alone} record{' is' if alone == 1 else 's are'} alone" in step.sentence
        drawn = [m for m in step.panels[0].marks if isinstance(m, Dots) and m.meaning == "risk"]
        assert sum(len(mark.at) for mark in drawn) == alone
        found += alone
    assert found > 0


def test_intervals_count_the_values_that_are_drawn_between_the_lines() -> None:
    counted = 0
    for _, _, steps in walks("attack"):
        for step in steps:
            if step.title.startswith("Intervals"):
                (found,) = (m for m in step.panels[1].marks if isinstance(m, Dots) and m.meaning == "risk")
                assert f"{len(found.at)} of 16 true values" in step.sentence
                counted += 1
    assert counted >= len(SEEDS) * 3


def test_mdav_and_kward_count_groups_as_the_table_does() -> None:
    looked = Counter[str]()
    for records, k, steps in walks("mdav", "kward"):
        for step in steps:
            groups = table(records, step)["group"]
            free = int((groups == "–").sum())
            told = shown(step)
            looked.update(told.keys())
            looked[step.title] += 1
            if "left" in told:
                assert told["left"] == free
                assert told["groups"] == groups[groups != "–"].nunique()
            if "centroid of what is left" in step.title:
                assert f"averages the {free} records" in step.sentence
            if step.title == "The rest":
                (ring,) = (m for m in step.panels[0].marks if isinstance(m, Dots) and m.meaning == "now")
                assert f"{len(ring.at)} records are left" in step.sentence
            if "below k" in told:
                sizes = groups[groups != "–"].value_counts()
                assert told["below k"] == int((sizes < k).sum()) + free
            if step.title == "Recursion":
                large = sorted(size for size in groups.value_counts() if size >= 2 * k)
                said = step.sentence.partition(" records can be split")[0].rpartition(" of ")[2]
                assert sorted(int(n) for n in said.split(" and ")) == large
    assert min(looked[what] for what in ("left", "below k", "The rest", "Recursion")) > 0
    assert sum(looked[title] for title in looked if "centroid of what is left" in title) > 0


def test_arcs_are_counted_as_they_are_drawn_and_compared() -> None:
    compared = 0
    for _, _, steps in walks("optimal"):
        step = titled(steps, "All runs")
        (arcs,) = (m for m in step.panels[0].marks if isinstance(m, Line))
        assert len(arcs.path) // 26 == shown(step)["arcs"]
        for step in steps:
            said = re.match(r"(\d+|One) arcs? ends? at", step.sentence)
            if said:
                assert (1 if said[1] == "One" else int(said[1])) == len(step.quantities)
                compared += 1
    assert compared > 50


def test_parts_of_mic1d_that_mix_attributes_are_counted_right() -> None:
    for records, _, steps in walks("mic1d"):
        counts = []
        for title in ("Cut into parts", "Sort again"):
            frame = table(records, titled(steps, title))
            one, other = (set(frame[f"{name}, part"]) for name in records.names)
            counts.append((len(one & other), len(one | other)))
        (before, first), (mixed, second) = counts
        assert titled(steps, "Cut").sentence.split(". ")[1].startswith(f"{before} of {first} parts")
        sentence = titled(steps, "Sort again").sentence
        assert f"{mixed} of {second} parts" in sentence
        assert f"{before} of {first} did before" in sentence


def test_every_axis_and_every_column_says_its_unit() -> None:
    axes, columns = 0, 0
    for name, lesson in LESSONS.items():
        for records in (made_up(SEED, 16, lesson.example), Records(made_up(SEED, 16).values, ("a", "b"))):
            for step in lesson.walk(records, 3, {}):
                for panel in step.panels:
                    for title in (panel.x, panel.y):
                        assert not title or title not in records.names, (name, panel.title, title)
                        axes += bool(title)
                for column in table(records, step).columns:
                    assert column not in records.names, (name, column)
                    columns += any(own in column for own in records.names)
    assert axes > 100
    assert columns > 100


def test_no_area_is_drawn_inside_out() -> None:
    areas = 0
    for _, _, steps in walks(*LESSONS):
        for step in steps:
            for panel in step.panels:
                for mark in panel.marks:
                    if isinstance(mark, Area) and len(mark.low):
                        assert (mark.low <= mark.high).all()
                        areas += 1
    assert areas > 20
