"""All errors of the client. The message is a sentence for people; programs use the members."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .generated.types import TransactionView


class CountersignError(Exception):
    """The base class of all errors of the client. Raised directly for invalid arguments."""


@dataclass(frozen=True)
class Refusal:
    """The response that an ApiError was made from."""

    status: int
    method: str
    path: str
    """Without the query, which may contain a code."""
    message: str
    code: str | None
    request_id: str | None
    retry_after: float | None
    body: Any


class ApiError(CountersignError):
    """The service responded with an error status."""

    status: int
    method: str
    path: str
    code: str | None
    """The stable error code of docs/reference/errors.md. None if it is not from the service."""
    request_id: str | None
    """Identifies the request in the service's log."""
    retry_after: float | None
    """Seconds to wait before a retry, if the service sent Retry-After."""
    body: Any

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.status = refusal.status
        self.method = refusal.method
        self.path = refusal.path
        self.code = refusal.code
        self.request_id = refusal.request_id
        self.retry_after = refusal.retry_after
        self.body = refusal.body


class InvalidRequestError(ApiError):
    """400 or 422: the request is invalid. The message names the member."""


class AuthenticationError(ApiError):
    """401: no API key, or an invalid one."""


class PermissionDeniedError(ApiError):
    """403: the API key is valid but not allowed to do this."""


class NotFoundError(ApiError):
    """404 or 410: the object does not exist, or no longer exists."""


class ConflictError(ApiError):
    """409: the request conflicts with existing state."""


class RateLimitError(ApiError):
    """429, after all retries. See `retry_after`."""


class ServiceError(ApiError):
    """5xx, after all retries."""


class NoResponseError(CountersignError):
    """No response, or an unreadable one.

    The request may have arrived: repeat it only with the same idempotency key.
    """


class WaitTimeoutError(CountersignError):
    """The wait timed out. The proposal is still active."""

    transaction: "TransactionView | None"
    """The last known state."""

    def __init__(self, message: str, transaction: "TransactionView | None" = None) -> None:
        super().__init__(message)
        self.transaction = transaction


_CLASSES: dict[int, type[ApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    422: InvalidRequestError,
    429: RateLimitError,
}


def error_of(refusal: Refusal) -> ApiError:
    """Returns the error of the class that belongs to the status."""
    fallback = ServiceError if refusal.status >= 500 else ApiError
    return _CLASSES.get(refusal.status, fallback)(refusal)


def is_temporary(error: CountersignError) -> bool:
    """Returns whether the same request may succeed later."""
    return isinstance(error, (NoResponseError, ServiceError, RateLimitError))
