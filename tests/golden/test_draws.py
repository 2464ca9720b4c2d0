"""What is drawn, and what is released by it, is the same with every release of every library.

The digests were written by ``plain_draws.py``, Python alone, before they were compared; those of refined
releases by ``interpreted.py``, the kernels without their compiler.
"""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import microagg
from microagg.io.writing import csv_bytes
from microagg.kernels.compiled import compiled
from microagg.kernels.random_numbers import arrivals, below, chosen, generator, permutation, uniform, uniforms
from microagg.measures.knowledge import Knowledge
from microagg.measures.linkage import sample_of
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.protection.protect import protect
from tests.golden import plain_draws
from tests.golden.plain_draws import COSTS, NAMES, SEEDS, SORTS, digest

DIGESTS = {
    "order 0": "9c32f82e47be2b7b",
    "chosen 0": "b57bc697cb8ca728",
    "folds 0": "e9db438d9fe52e3b",
    "numbers 0": "a9f117a074d52855",
    "sets 0": "6b99c5549a070bac",
    "loops 0": "094df0aee92fa4b9",
    "shuffle 0": "b6d9ade21d3ee7ef",
    "order 7": "ca568a4b7efed969",
    "chosen 7": "7812f0c2a2c39592",
    "folds 7": "cb99abdd0957f92c",
    "numbers 7": "30d9128e049530f6",
    "sets 7": "f43448adfe2588d8",
    "loops 7": "7f1b9ad8f06b1acf",
    "shuffle 7": "9fcc21489dd45411",
    "order 4503599627370507": "d385d55aff0aa50d",
    "chosen 4503599627370507": "e1267f8912570642",
    "folds 4503599627370507": "9149c42fba02502e",
    "numbers 4503599627370507": "c05bf53227136f4e",
    "sets 4503599627370507": "7085bd04ac9cae51",
    "loops 4503599627370507": "d521dafd6fc465c4",
    "shuffle 4503599627370507": "04d0694f07c3df2c",
    "order 9223372036854775807": "0b013fdc6f938258",
    "chosen 9223372036854775807": "12e17f0edc842313",
    "folds 9223372036854775807": "4afd9d84004eeda5",
    "numbers 9223372036854775807": "0bf245488fb10571",
    "sets 9223372036854775807": "e698d90c8f34cf0c",
    "loops 9223372036854775807": "877d7677b620398b",
    "shuffle 9223372036854775807": "e4f75d1bf3832c04",
    "genetic, first component, attributes, 0": "9e60201ae3eed443",
    "genetic, first component, attributes, 4503599627370507": "d0add821effe860d",
    "genetic, first component, projected, 0": "24123628c6a64a27",
    "genetic, first component, projected, 4503599627370507": "c34d990677386d5a",
    "genetic, zscores, attributes, 0": "e76915998a22ac77",
    "genetic, zscores, attributes, 4503599627370507": "c1c099d568e22640",
    "genetic, zscores, projected, 0": "21f0d7cf19b111a5",
    "genetic, zscores, projected, 4503599627370507": "3eba4508301b037a",
    "genetic, attribute, attributes, 0": "271e6c926b37423c",
    "genetic, attribute, attributes, 4503599627370507": "aa322a6b8d7dbdfa",
    "genetic, attribute, projected, 0": "25d19709cb7c333f",
    "genetic, attribute, projected, 4503599627370507": "ac33c44e3a520825",
    "genetic, zscores, attributes, 0, shuffle 7": "21e067b41a7684d8",
}
REFINED = {
    "refined": Plan(method="refined", k=3, options={"rounds": 20}, seed=5),
    "refined, seed 6": Plan(method="refined", k=3, options={"rounds": 20}, seed=6),
    "zscores, refined": Plan(method="zscores", k=4, refine=10, seed=2**52 + 11),
}
REFINED_DIGESTS = {
    "refined": "bf96a544c9216fb0",
    "refined, seed 6": "975f48c5b5432c49",
    "zscores, refined": "99700e6e02e800e0",
}


def released(plan: Plan) -> str:
    """Digest of a release of the made-up file, of some whole numbers whose means are whole."""
    frame = pd.DataFrame(plain_draws.people(), columns=list(NAMES)).assign(number=range(plain_draws.N))
    roles = dict.fromkeys(NAMES, "quasi_identifier") | {"number": "other"}
    return digest(csv_bytes(protect(Microdata.from_frame(frame, roles=roles), plan).protected).decode())


@compiled
def loops(random, found):
    for row in found:
        row[0] = uniform(random)
        row[1] = below(random, 1000)
        row[2] = arrivals(random, 0.01831563888873418)


@pytest.mark.parametrize("seed", SEEDS)
def test_draws_are_those_of_the_rule(seed):
    assert digest(str(permutation(seed, 1000).tolist())) == DIGESTS[f"order {seed}"]
    assert digest(str(permutation(seed, 103, stream=1).tolist())) == DIGESTS[f"folds {seed}"]
    assert digest(str(chosen(seed, 1000, 50).tolist())) == DIGESTS[f"chosen {seed}"]
    assert sample_of(1000, 50, seed).tolist() == chosen(seed, 1000, 50).tolist()
    assert digest(str(uniforms(np.arange(1000), 1.5, seed).tolist())) == DIGESTS[f"numbers {seed}"]
    found = np.empty((1000, 3))
    loops(generator(seed, 2), found)
    told = [(number, int(limited), int(poisson)) for number, limited, poisson in found.tolist()]
    assert digest(str(told)) == DIGESTS[f"loops {seed}"]


@pytest.mark.parametrize("seed", SEEDS)
def test_sampled_sets_are_those_of_the_rule(seed):
    sets = [*Knowledge.sample(20, seed).sets(5), *Knowledge.sample(50, seed).sets(13)]
    assert digest(str(sets)) == DIGESTS[f"sets {seed}"]


def test_a_larger_sample_of_sets_begins_with_the_smaller():
    assert Knowledge.sample(200, 3).sets(9)[:50] == Knowledge.sample(50, 3).sets(9)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_shuffled_file_has_the_bytes_that_the_rule_gives(seed):
    plan = Plan(method="fixed", k=3, options={"sort": "zscores"}, shuffle=seed)
    assert released(plan) == DIGESTS[f"shuffle {seed}"]


def bred(sort, cost, seed, shuffle=None):
    attribute = {"attribute": "income"} if sort == "attribute" else {}
    options = {"sort": sort, "cost": cost, "generations": 12, "population": 10} | attribute
    return released(Plan(method="genetic", k=3, options=options, seed=seed, shuffle=shuffle))


@pytest.mark.parametrize("seed", [0, 2**52 + 11])
@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("sort", SORTS)
def test_a_bred_file_has_the_bytes_that_the_rule_gives(sort, cost, seed):
    assert bred(sort, cost, seed) == DIGESTS[f"genetic, {sort}, {cost}, {seed}"]


def test_a_bred_and_shuffled_file_has_the_bytes_that_the_rule_gives():
    assert bred("zscores", "attributes", 0, 7) == DIGESTS["genetic, zscores, attributes, 0, shuffle 7"]


@pytest.mark.parametrize("name", REFINED)
def test_a_refined_file_has_the_bytes_of_the_interpreted_kernels(name):
    assert released(REFINED[name]) == REFINED_DIGESTS[name]


def test_the_stored_digests_are_those_of_the_plain_twin():
    assert plain_draws.digests() == DIGESTS


def test_every_method_that_draws_has_a_digest():
    drawing = {name for name, method in microagg.METHODS.items() if "seed" in method.inputs}
    assert drawing == {"genetic", "refined"}


def test_orders_are_even():
    """Of 6,000 orders of 3, each about 1,000; chi-squared with 5 degrees of freedom."""
    orders = [tuple(permutation(seed, 3).tolist()) for seed in range(6_000)]
    counts = np.unique(orders, axis=0, return_counts=True)[1]
    assert len(counts) == 6
    assert ((counts - 1_000) ** 2 / 1_000).sum() < 20.5  # one time in a thousand


ELSEWHERE = {  # what draws by another's promise, and which
    "io/household_survey.py": {"random.Random"},  # Python keeps what random() gives
    "io/synthetic_surveys.py": {"random.Random"},
    "measures/prediction.py": {"random_state"},  # scikit-learn's forest, a model fitted to the release
    "protection/shuffle_seed.py": {"secrets"},
    "ui/server/own_media.py": {"secrets"},  # a seed that nobody can guess, written into the plan
    "io/writing.py": {"secrets"},  # a name of a file that is not there yet
    "distributed/result_writing.py": {"secrets"},
}
MODULES = ("random", "secrets", "numpy.random", "scipy.stats.sampling", "scipy.stats.qmc", "uuid")


def drawing(source: str) -> set[str]:
    """Where a module draws by other means than ours."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                found |= {name.name for name in names if name.name.startswith(MODULES)}
            case ast.ImportFrom(module=module, names=names) if (module or "").startswith(MODULES):
                found |= {f"{module}.{name.name}" for name in names}
            case ast.Attribute(value=ast.Name(id="np" | "numpy"), attr="random"):
                found.add("numpy.random")
            case ast.keyword(arg="random_state" | "rng" as name):
                found.add(name)
            case ast.Attribute(attr="rvs" | "default_rng" | "RandomState" | "urandom" as name):
                found.add(name)
    return found


def test_nothing_draws_but_by_the_rule():
    root = Path(microagg.__file__).parent
    found = {
        path.relative_to(root).as_posix(): drawing(path.read_text(encoding="utf-8"))
        for path in root.rglob("*.py")
    }
    assert {path: names for path, names in found.items() if names} == ELSEWHERE


@pytest.mark.parametrize(
    "source",
    [
        "import random",
        "from numpy.random import default_rng",
        "x = np.random.default_rng(0)",
        "x = frame.sample(9, random_state=0)",
        "x = norm.rvs(9)",
    ],
)
def test_a_draw_by_other_means_is_seen(source):
    assert drawing(source)
