"""An HTTP server that answers with a script, and remembers the requests."""

import json
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """One answer of the script."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    text: bytes | None = None
    """The body as it is, instead of JSON."""
    is_cut: bool = False
    """Closes the connection instead of answering."""
    held: threading.Event | None = None
    """Answers once it is set."""


@dataclass(frozen=True)
class Seen:
    """One request that arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


class ScriptedServer:
    """Answers the requests in order. The last answer is repeated. A context manager."""

    def __init__(self, *script: Reply) -> None:
        self.seen: list[Seen] = []
        self._script = list(script)
        server = self

        class Handler(BaseHTTPRequestHandler):
            def handle_one(self) -> None:
                # A client that timed out has closed its connection.
                with suppress(ConnectionError):
                    server._answer(self)

            do_GET = do_POST = do_PUT = do_DELETE = handle_one

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> "ScriptedServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("content-length") or 0)
        text = handler.rfile.read(length)
        headers = {name.lower(): value for name, value in handler.headers.items()}
        body = json.loads(text) if text else None
        self.seen.append(Seen(handler.command, handler.path, headers, body))
        reply = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        if reply.held is not None:
            reply.held.wait(60)
        handler.close_connection = True
        if reply.is_cut:
            return
        written = b"" if reply.body is None else json.dumps(reply.body).encode()
        content = written if reply.text is None else reply.text
        handler.send_response(reply.status)
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        handler.send_header("content-length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)
