"""Sends requests to the service: headers, timeouts, retries, and responses as values or errors."""

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import SplitResult, urlencode, urlsplit

from .errors import ApiError, CountersignError, NoResponseError, Refusal, error_of
from .retry import Course, pause_after_error, pause_after_loss, read_retry_after
from .transport import Request, Response, Transport, TransportError
from .version import VERSION

_REDIRECTS = (301, 302, 303, 307, 308)


@dataclass(frozen=True)
class Answer:
    """A successful response. The names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True)
class Ask:
    """A request to any endpoint."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: Any = None
    idempotency_key: str | None = None
    accept: tuple[int, ...] = ()
    """Statuses other than 2xx that are not errors."""
    timeout: float | None = None
    """Seconds for one attempt. None for the timeout of the client."""
    ends_at: float | None = None
    """No attempt begins after this time, by `time.monotonic`."""

    @property
    def name(self) -> str:
        """The method and the path without its query, which may contain a code."""
        return f"{self.method} {re.split('[?#]', self.path)[0]}"


@dataclass(frozen=True)
class Http:
    """The connection to one service with one API key."""

    origin: str
    transport: Transport = field(repr=False)
    api_key: str | None = field(default=None, repr=False)
    retries: int = 3
    timeout: float = 30.0
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    def send(self, ask: Ask) -> Answer:
        """Sends the request until there is a final response or no retry is allowed."""
        is_keyed = ask.idempotency_key is not None
        course = Course(is_repeatable=is_keyed or ask.method in ("GET", "PUT"), is_keyed=is_keyed)
        request = self._write(ask)
        while True:
            outcome = self._attempt(request, ask)
            if isinstance(outcome, Answer):
                return outcome
            pause = self._pause_after(outcome, course, ask)
            if pause is None:
                raise outcome
            is_refused = isinstance(outcome, ApiError) and outcome.status == 429
            course = replace(
                course,
                count=course.count + 1,
                # Unless it was rate limited, an earlier attempt may still be in progress.
                may_be_under_way=course.may_be_under_way or not is_refused,
            )
            self.sleep(pause)

    def _attempt(self, request: Request, ask: Ask) -> Answer | ApiError | NoResponseError:
        remaining = _remaining(ask)
        if remaining <= 0:
            return NoResponseError(f"No response from {self.origin} to {ask.name} in time")
        try:
            response = self.transport(replace(request, timeout=min(request.timeout, remaining)))
        except TransportError as error:
            return NoResponseError(f"No response from {self.origin} to {ask.name}: {error}")
        if response.status in _REDIRECTS:
            raise NoResponseError(
                f"{self.origin} redirects {ask.name}. Redirects are not followed: "
                "check the service's address"
            )
        if 200 <= response.status < 300 or response.status in ask.accept:
            return self._read(response, ask)
        return self._refusal(response, ask)

    def _pause_after(
        self, error: ApiError | NoResponseError, course: Course, ask: Ask
    ) -> float | None:
        if course.count >= self.retries:
            return None
        if isinstance(error, NoResponseError):
            pause = pause_after_loss(course)
        else:
            pause = pause_after_error(course, error.status, error.retry_after)
        return None if pause is None or pause >= _remaining(ask) else pause

    def _write(self, ask: Ask) -> Request:
        key = ask.idempotency_key
        if key is not None and re.fullmatch(r"[!-~]{1,255}", key) is None:
            raise CountersignError("An idempotency key has 1 to 255 visible ASCII characters")
        headers = {"accept": "application/json", "user-agent": f"countersign-python/{VERSION}"}
        if ask.body is not None:
            headers["content-type"] = "application/json"
        if key is not None:
            headers["idempotency-key"] = key
        if self.api_key is not None:
            headers["x-api-key"] = self.api_key
        return Request(
            method=ask.method,
            url=self.origin + _address_of(ask),
            headers={**headers, **ask.headers},
            body=None if ask.body is None else write_json(ask.body),
            timeout=self.timeout if ask.timeout is None else ask.timeout,
        )

    def _read(self, response: Response, ask: Ask) -> Answer:
        body = read_json(response.body) if response.body else None
        if response.body and body is _UNREADABLE:
            raise NoResponseError(
                f"The response of {self.origin} to {ask.name} is not JSON: "
                "check the service's address"
            )
        return Answer(response.status, response.headers, body)

    def _refusal(self, response: Response, ask: Ask) -> ApiError:
        body = read_json(self._hide_key(response.body))
        method, path = ask.name.split(" ", 1)
        fallback = f"{self.origin} responded to {ask.name} with {response.status}"
        return error_of(
            Refusal(
                status=response.status,
                method=method,
                path=path,
                message=_message_of(body) or fallback,
                code=response.headers.get("x-error-code"),
                request_id=response.headers.get("x-request-id"),
                retry_after=read_retry_after(response.headers),
                body=None if body is _UNREADABLE else body,
            )
        )

    def _hide_key(self, text: bytes) -> bytes:
        """Errors end up in logs. The service does not echo the key, but a proxy might."""
        return text if self.api_key is None else text.replace(self.api_key.encode(), b"(hidden)")


def read_origin(url: str) -> str:
    """Returns the origin of a service. Does not quote an invalid one: it may contain a password."""
    parts = _split(url)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise CountersignError("The address of a service must begin with https:// or http://")
    if "@" in parts.netloc:
        raise CountersignError(
            "The address of a service must not contain a password: pass the API key separately"
        )
    origin = f"{parts.scheme}://{parts.netloc}"
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise CountersignError(f"The address of a service must not have a path: use {origin}")
    return origin


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        # Raises ValueError for a port that is not a number.
        _ = parts.port
    except ValueError:
        return None
    return parts if re.fullmatch(r"[!-~]+", url) else None


def read_api_key(api_key: str) -> str:
    """Rejects keys that cannot be sent. Does not quote them."""
    if re.fullmatch(r"[!-~]+", api_key) is None:
        raise CountersignError(
            "Invalid API key: it is empty or contains whitespace or other invalid characters"
        )
    return api_key


def write_json(body: Any) -> bytes:
    """Returns the JSON text. Raises CountersignError for values that JSON cannot hold."""
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError):
        # Without `from`: the text of the error may quote the body.
        raise CountersignError("The body cannot be written as JSON") from None


_UNREADABLE: Any = object()


def read_json(text: bytes) -> Any:
    """Returns the JSON value, or a marker that is no JSON value if the text is not JSON."""
    try:
        return json.loads(text, parse_constant=_reject_constant)
    except (ValueError, RecursionError):
        return _UNREADABLE


def _reject_constant(name: str) -> Any:
    raise ValueError(f"JSON has no {name}.")


def _remaining(ask: Ask) -> float:
    return float("inf") if ask.ends_at is None else ask.ends_at - time.monotonic()


def _address_of(ask: Ask) -> str:
    # A path that begins with two slashes names another host, which would receive the API key.
    if re.fullmatch(r"/([!-.0-\[\]-~][!-~]*)?", ask.path) is None:
        raise CountersignError("A path must begin with one slash and have no spaces")
    query = {name: value for name, value in ask.query.items() if value is not None}
    return f"{ask.path}?{urlencode(query)}" if query else ask.path


def _message_of(body: Any) -> str | None:
    """The service uses `message`, a proxy or the validator may use `detail` (RFC 9457)."""
    if not isinstance(body, dict):
        return None
    text = body.get("message", body.get("detail"))
    return text if isinstance(text, str) and text != "" else None
