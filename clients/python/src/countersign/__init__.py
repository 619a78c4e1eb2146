"""Client of Countersign: checks an AI agent's transactions before they reach the chain."""

from .client import Call, Countersign, OnProgress, Status
from .errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    CountersignError,
    InvalidRequestError,
    NoResponseError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServiceError,
    WaitTimeoutError,
)
from .generated import types
from .http import Answer
from .receipt import (
    InvalidReceipt,
    SignedShapeVerdict,
    SignedTransactionVerdict,
    SignedVerdict,
    Trust,
    ValidReceipt,
    Verification,
    verify_receipt,
)
from .transport import Request, Response, Transport, TransportError
from .trust import fetch_trust
from .version import VERSION as __version__

__all__ = [
    "Answer",
    "ApiError",
    "AuthenticationError",
    "Call",
    "ConflictError",
    "Countersign",
    "CountersignError",
    "InvalidReceipt",
    "InvalidRequestError",
    "NoResponseError",
    "NotFoundError",
    "OnProgress",
    "PermissionDeniedError",
    "RateLimitError",
    "Request",
    "Response",
    "ServiceError",
    "SignedShapeVerdict",
    "SignedTransactionVerdict",
    "SignedVerdict",
    "Status",
    "Transport",
    "TransportError",
    "Trust",
    "ValidReceipt",
    "Verification",
    "WaitTimeoutError",
    "__version__",
    "fetch_trust",
    "types",
    "verify_receipt",
]
