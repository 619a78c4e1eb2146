"""httpx as the transport. Skipped without httpx; `.ci/run` installs Debian's python3-httpx."""

import sys
import threading
import unittest
from importlib.util import find_spec
from typing import Any

from countersign import AuthenticationError, Countersign, CountersignError, NoResponseError

from .scripted_server import Reply, ScriptedServer

# Debian's folder for packages without native code. Another Python does not look there.
sys.path.append("/usr/lib/python3/dist-packages")

if find_spec("httpx") is None:
    raise unittest.SkipTest("httpx is not installed")

import httpx

from countersign.httpx_transport import HttpxTransport

KEY = "ck_test_secret"
HEALTH = {"status": "ok", "version": "1.0", "uptimeSeconds": 1, "checks": {}, "timestamp": "now"}


class Httpx(unittest.TestCase):
    def setUp(self) -> None:
        # The worst settings of a user's client.
        self.http = httpx.Client(follow_redirects=True, headers={"x-of-the-user": "yes"})
        self.addCleanup(self.http.close)

    def connect(self, server: ScriptedServer, **options: Any) -> Countersign:
        options = {"retries": 0, **options}
        return Countersign(server.url, api_key=KEY, transport=HttpxTransport(self.http), **options)

    def test_sends_what_the_client_sends_and_reads_the_response(self) -> None:
        with ScriptedServer(Reply(body=HEALTH)) as server:
            self.assertEqual(self.connect(server).api.get_health(), HEALTH)
        (seen,) = server.seen
        self.assertEqual((seen.method, seen.path), ("GET", "/health"))
        self.assertIn(KEY, str(seen.headers))

    def test_raises_the_errors_of_the_client(self) -> None:
        with ScriptedServer(Reply(status=401, body={"code": "UNAUTHENTICATED"})) as server:
            with self.assertRaises(AuthenticationError):
                self.connect(server).api.get_health()

    def test_does_not_follow_redirects_even_if_its_client_does(self) -> None:
        with ScriptedServer(Reply(body=HEALTH)) as other:
            moved = Reply(status=302, headers={"location": f"{other.url}/health"})
            with ScriptedServer(moved) as server:
                with self.assertRaises(CountersignError):
                    self.connect(server).api.get_health()
            self.assertEqual(other.seen, [])

    def test_repeats_a_request_whose_connection_broke_off(self) -> None:
        with ScriptedServer(Reply(is_cut=True), Reply(body=HEALTH)) as server:
            self.assertEqual(self.connect(server, retries=1).api.get_health(), HEALTH)
        self.assertEqual(len(server.seen), 2)

    def test_says_why_there_is_no_response_without_the_key(self) -> None:
        with ScriptedServer(Reply()) as server:
            closed = server
        with self.assertRaisesRegex(NoResponseError, "no connection could be made") as raised:
            self.connect(closed).api.get_health()
        self.assertNotIn(KEY, str(raised.exception))

    def test_times_out(self) -> None:
        held = threading.Event()
        with ScriptedServer(Reply(held=held)) as server:
            with self.assertRaisesRegex(NoResponseError, "timed out after 0.2 s"):
                self.connect(server, timeout=0.2).api.get_health()
            held.set()


if __name__ == "__main__":
    unittest.main()
