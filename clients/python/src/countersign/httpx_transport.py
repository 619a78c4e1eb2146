"""Sends requests with httpx. Needs the package httpx; the rest of `countersign` does not.

    import httpx
    from countersign import Countersign
    from countersign.httpx_transport import HttpxTransport

    with httpx.Client() as http:
        client = Countersign(url, api_key=key, transport=HttpxTransport(http))
"""

import httpx

from .transport import Request, Response, TransportError


class HttpxTransport:
    """A transport on an `httpx.Client` of yours, with its proxies, certificates and connections.

    You close the client. Redirects are never followed, whatever it is set to: one would send the
    API key to another address.
    """

    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    def __call__(self, request: Request) -> Response:
        try:
            incoming = self._client.request(
                request.method,
                request.url,
                headers=dict(request.headers),
                content=request.body,
                timeout=request.timeout,
                follow_redirects=False,
            )
        except httpx.HTTPError as error:
            # Without `from error`: its text may quote the request.
            raise TransportError(_reason_of(error, request.timeout)) from None
        headers = {name.lower(): value for name, value in incoming.headers.items()}
        return Response(incoming.status_code, headers, incoming.content)


def _reason_of(error: httpx.HTTPError, timeout: float) -> str:
    match error:
        case httpx.TimeoutException():
            return f"timed out after {timeout:g} s"
        case httpx.ConnectError():
            return "no connection could be made"
        case httpx.NetworkError() | httpx.RemoteProtocolError():
            return "the connection broke off"
    return "the connection failed"
