"""A proxy that hands requests on to the service, and loses the first answers."""

import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class LossyProxy:
    """Loses so many answers after the service has acted. A context manager."""

    def __init__(self, target: str, *, losses: int) -> None:
        self.keys: list[str | None] = []
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                proxy.keys.append(self.headers.get("idempotency-key"))
                headers = {
                    name: value
                    for name, value in self.headers.items()
                    if name.lower() not in ("host", "connection", "content-length")
                }
                request = urllib.request.Request(
                    target + self.path, self.rfile.read(length), headers, method="POST"
                )
                try:
                    response = urllib.request.urlopen(request, timeout=60)
                except urllib.error.HTTPError as error:
                    response = error
                with response:
                    body = response.read()
                self.close_connection = True
                if len(proxy.keys) <= losses:
                    return
                self.send_response(response.status)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> "LossyProxy":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
