"""Decides whether and when to retry a request. Times are in seconds."""

import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

# Statuses of temporary errors.
_TEMPORARY = (408, 429, 500, 502, 503, 504)

# A longer Retry-After is passed on to the caller instead of being waited for.
_LONGEST = 60.0


@dataclass(frozen=True)
class Course:
    """The attempts of a request so far."""

    is_repeatable: bool
    """The request is idempotent."""
    is_keyed: bool
    """It carries an idempotency key."""
    count: int = 0
    """The number of retries."""
    may_be_under_way: bool = False
    """An earlier attempt may have arrived although its response was lost."""


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Reads Retry-After, which contains seconds or a date by the service's clock."""
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    date = _read_date(text)
    if date is None:
        return None
    now = _read_date(headers.get("date", ""))
    return max(0.0, date - (time.time() if now is None else now))


def _read_date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None


def back_off(count: int) -> float:
    """Returns the pause before the next attempt: exponential, with jitter."""
    return min(8.0, 0.25 * 2.0 ** min(count, 10)) * (0.5 + random.random() / 2)


def pause_after_loss(course: Course) -> float | None:
    """Returns the pause before a retry after a lost response, or None for no retry."""
    return back_off(course.count) if course.is_repeatable else None


def pause_after_error(course: Course, status: int, retry_after: float | None) -> float | None:
    """Returns the pause before a retry after an error status, or None for no retry."""
    # A 429 is sent before the request has any effect.
    is_safe = course.is_repeatable or status == 429
    if not is_safe or not (status in _TEMPORARY or _is_own(course, status, retry_after)):
        return None
    if retry_after is None:
        return back_off(course.count)
    # Jitter, so that clients do not retry at the same moment.
    return None if retry_after > _LONGEST else retry_after + 0.1 * random.random()


def _is_own(course: Course, status: int, retry_after: float | None) -> bool:
    """A 409 for an idempotency key means that the same request is still in progress."""
    is_expected = course.may_be_under_way or retry_after is not None
    return status == 409 and course.is_keyed and is_expected
