"""Writes JSON in the one form of RFC 8785, so that equal reports have equal hashes."""

import json
import math
import re
from typing import Any

from .typed_data import hash_text


def hash_report(report: Any) -> str:
    """Returns the hash of the validator's whole response, whatever the order of its members.

    Raises ValueError on values that JSON cannot hold, and on text that is not well-formed Unicode.
    """
    return hash_text(canonicalize(report))


def canonicalize(value: Any) -> str:
    """Returns the RFC 8785 text of a JSON value. Raises ValueError if it is not one."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return _write_number(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(canonicalize(item) for item in value) + "]"
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        members = (
            f"{json.dumps(name, ensure_ascii=False)}:{canonicalize(value[name])}"
            for name in sorted(value, key=_utf16)
        )
        return "{" + ",".join(members) + "}"
    raise ValueError("Not a JSON value.")


def _utf16(name: str) -> bytes:
    """Orders by UTF-16 code units. Code points have another order beyond U+FFFF."""
    return name.encode("utf-16-be", "surrogatepass")


def _write_number(value: int | float) -> str:
    """Writes a number as ECMAScript does: the shortest digits that read back as the same double."""
    try:
        double = float(value)
    except OverflowError:
        double = math.inf
    if not math.isfinite(double):
        raise ValueError("JSON has no infinite number.")
    if double == 0:
        return "0"
    sign = "-" if double < 0 else ""
    return sign + _place_point(*_digits_of(abs(double)))


def _digits_of(double: float) -> tuple[str, int]:
    """Returns (digits, point) for the number 0.digits · 10^point."""
    match = re.fullmatch(r"([0-9]+)(?:\.([0-9]+))?(?:e([+-][0-9]+))?", repr(double))
    if match is None:
        raise ValueError("Not a number.")
    whole, fraction, exponent = match[1], match[2] or "", int(match[3] or "0")
    digits = (whole + fraction).lstrip("0")
    leading_zeros = len(whole + fraction) - len(digits)
    return digits.rstrip("0"), len(whole) - leading_zeros + exponent


def _place_point(digits: str, point: int) -> str:
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    mantissa = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{point - 1:+d}"
