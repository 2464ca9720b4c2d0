"""Print the lowest version of everything that pyproject.toml asks for, as constraints for pip."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
for requirement in [*project["dependencies"], *project["optional-dependencies"]["test"]]:
    name, lowest = re.split(r">=", requirement.partition(",")[0])
    print(f"{re.sub(r'[[].*', '', name)}=={lowest}")
