"""Print the digests of refined releases, the kernels interpreted by Python instead of compiled.

``python -m tests.golden.interpreted``, from the root of the repository; `test_draws` holds what it prints.
"""

from __future__ import annotations

from microagg.kernels import compiled

if __name__ == "__main__":
    compiled._kernel = lambda function, **_: function
    from tests.golden.test_draws import REFINED, released

    for name, plan in REFINED.items():
        print(f'    "{name}": "{released(plan)}",')
