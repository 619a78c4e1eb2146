"""Files of the repository that the tests compare with."""

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]


def read_fixture(path: str) -> Any:
    """Returns the parsed JSON file, by its path in the repository."""
    return json.loads((ROOT / path).read_text("utf-8"))
