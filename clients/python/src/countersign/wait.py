"""Waits for a proposal to change, by long polling.

If the service responds at once instead, it polls with backoff.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import quote

from .errors import ApiError, CountersignError, WaitTimeoutError, is_temporary
from .generated.types import TransactionView
from .http import Ask, Http
from .retry import back_off, read_retry_after

# The duration of a long poll.
_HELD = 25
# A response that is faster than this was not a long poll.
_SOON = 1.0


def path_of(request_hash: str, below: str = "") -> str:
    """Encodes the hash, so that it cannot change the path."""
    return f"/transactions/{quote(request_hash, safe='')}{below}"


@dataclass
class Wait:
    """One wait for one proposal."""

    http: Http
    request_hash: str
    is_done: Callable[[TransactionView], bool]
    timeout: float
    on_progress: Callable[[TransactionView], None] | None = None
    seen: TransactionView | None = None
    trouble: CountersignError | None = None
    etag: str | None = None
    is_changed: bool = False
    ends_at: float = field(init=False)

    def __post_init__(self) -> None:
        self.ends_at = time.monotonic() + self.timeout

    def run(self) -> TransactionView:
        """Polls until `is_done`. Raises WaitTimeoutError after `timeout` seconds."""
        idle = 0
        while True:
            began = time.monotonic()
            known = self.etag
            retry_after = self._look()
            if self.seen is not None and self.is_done(self.seen):
                return self.seen
            is_news = self.is_changed if self.etag is None else self.etag != known
            idle = 0 if is_news else idle + 1
            # After a long poll the next request can follow at once.
            if time.monotonic() - began < _SOON:
                self._sleep(back_off(0) if is_news else max(back_off(idle), retry_after))

    def _look(self) -> float:
        """Reads the state once. Returns the service's Retry-After, or 0."""
        count = 2
        while True:
            try:
                retry_after = self._round()
                self.trouble = None
                return retry_after
            except CountersignError as error:
                if self._remaining() <= 0:
                    raise self._late() from None
                # An error of the first request is raised. Later temporary ones are retried.
                if self.seen is None or not is_temporary(error):
                    raise
                self.trouble = error
                asked = error.retry_after if isinstance(error, ApiError) else None
                self._sleep(max(back_off(count), asked or 0.0))
                count += 1

    def _round(self) -> float:
        """Requests the status first, so that the transaction is never older than its ETag."""
        held = max(1, min(_HELD, int(self._remaining())))
        etag = self.etag
        headers = {} if etag is None else {"prefer": f"wait={held}", "if-none-match": etag}
        status = self.http.send(
            Ask(
                "GET",
                path_of(self.request_hash, "/approval-status"),
                headers=headers,
                accept=(304,),
                timeout=_HELD + 15.0,
                ends_at=self.ends_at,
            )
        )
        self.is_changed = False
        if status.status != 304:
            ask = Ask("GET", path_of(self.request_hash), ends_at=self.ends_at)
            self._note(cast(TransactionView, self.http.send(ask).body))
        self.etag = status.headers.get("etag")
        return read_retry_after(status.headers) or 0.0

    def _note(self, transaction: TransactionView) -> None:
        self.is_changed = transaction != self.seen
        self.seen = transaction
        if self.is_changed and self.on_progress is not None:
            self.on_progress(transaction)

    def _remaining(self) -> float:
        return self.ends_at - time.monotonic()

    def _sleep(self, seconds: float) -> None:
        remaining = self._remaining()
        if remaining <= 0:
            raise self._late()
        self.http.sleep(min(seconds, remaining))

    def _late(self) -> WaitTimeoutError:
        state = "was not seen" if self.seen is None else f"is still {self.seen['phase']}"
        why = "" if self.trouble is None else f" (last: {self.trouble})"
        return WaitTimeoutError(
            f"{self.request_hash} {state} after {self.timeout:g} s{why}", self.seen
        )
