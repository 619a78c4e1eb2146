"""Sends one HTTP request, once. The default uses urllib; any similar function replaces it."""

import http.client
import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class Request:
    """A request to send. Its headers contain the API key, which `repr` leaves out."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None
    timeout: float
    """Seconds to wait for the connection, and then for each part of the response."""


@dataclass(frozen=True)
class Response:
    """A complete response. The names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class TransportError(Exception):
    """There is no complete response. The request may have arrived.

    The message is shown to people, so that it must not quote a header or a URL.
    """


class Transport(Protocol):
    """Sends a request without following redirects. Raises TransportError without a response."""

    def __call__(self, request: Request) -> Response: ...


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the API key to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def send_with_urllib(request: Request) -> Response:
    """Sends a request with the standard library. Uses the proxies of the environment."""
    outgoing = urllib.request.Request(
        request.url, data=request.body, headers=dict(request.headers), method=request.method
    )
    try:
        try:
            incoming = _opener.open(outgoing, timeout=request.timeout)
        except urllib.error.HTTPError as error:
            # urllib raises every status outside 2xx. The error is the response.
            incoming = error
        with incoming:
            headers = {name.lower(): value for name, value in incoming.headers.items()}
            return Response(incoming.status, headers, incoming.read())
    except (OSError, http.client.HTTPException) as error:
        # Without `from error`: its text may quote the request.
        raise TransportError(_reason_of(error, request.timeout)) from None


def _reason_of(error: BaseException, timeout: float) -> str:
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    match cause:
        case TimeoutError():
            return f"timed out after {timeout:g} s"
        case ConnectionRefusedError():
            return "nothing listens there"
        case ConnectionError() | http.client.IncompleteRead():
            return "the connection broke off"
        case socket.gaierror():
            return "its name could not be looked up"
        case ssl.SSLError():
            return "no secure connection: its certificate or its TLS version was not accepted"
    return "the connection failed"
