"""Reads JSON from outside, strictly: every value has one accepted form.

A reader returns None for a value that it does not accept, and never raises.
"""

import re
from typing import Any, Final

from .secp256k1 import ORDER

_MAX_SAFE_INTEGER = 2**53 - 1


class Missing:
    """The type of `MISSING`."""


MISSING: Final = Missing()
"""Marks a member that an object does not have. JSON null becomes None."""


def member(value: Any, name: str) -> Any:
    """Returns the member, or MISSING. Raises ValueError if the value itself is null or missing."""
    if value is None or value is MISSING:
        raise ValueError(f"There is no object to read {name} of.")
    return value.get(name, MISSING) if isinstance(value, dict) else MISSING


def read_count(value: Any) -> int | None:
    """Accepts a whole number that a double holds exactly. 1.0 is 1: JSON has one number type."""
    # A bool is an int in Python, and is not a number in JSON.
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float) and not value.is_integer():
        return None
    return int(value) if 0 <= value <= _MAX_SAFE_INTEGER else None


def read_address(value: Any) -> str | None:
    """Accepts an address and returns it in lower case."""
    return _read_hex(value, 20)


def read_word(value: Any) -> str | None:
    """Accepts 32 bytes and returns them in lower case."""
    return _read_hex(value, 32)


def read_uint256(value: Any) -> str | None:
    """Accepts decimal digits without leading zeros, below 2^256."""
    is_amount = isinstance(value, str) and is_decimal(value)
    return value if is_amount and int(value) < 2**256 else None


def is_decimal(text: str) -> bool:
    """Returns whether the text is a whole number of at most 78 digits without leading zeros."""
    return re.fullmatch(r"0|[1-9][0-9]{0,77}", text) is not None


def read_signature(value: Any) -> str | None:
    """Accepts 65 bytes with v 27 or 28 and s in the lower half.

    A second valid signature can be made from a first one without the key. Accepting only one form
    excludes the second.
    """
    signature = _read_hex(value, 65)
    if signature is None or int(signature[66:130], 16) > ORDER // 2:
        return None
    return signature if signature.endswith(("1b", "1c")) else None


def _read_hex(value: Any, size: int) -> str | None:
    if not isinstance(value, str) or len(value) != 2 + 2 * size:
        return None
    return value.lower() if re.fullmatch(r"0x[0-9a-fA-F]+", value) else None
