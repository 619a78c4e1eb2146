"""Errors, timeouts and retries of requests."""

import threading
import unittest
from typing import Any
from unittest.mock import patch

from countersign import (
    ApiError,
    AuthenticationError,
    ConflictError,
    Countersign,
    CountersignError,
    InvalidRequestError,
    NoResponseError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServiceError,
)
from countersign.http import Ask, Http
from countersign.retry import read_retry_after
from countersign.transport import Request, Response, TransportError, send_with_urllib

from .scripted_server import Reply, ScriptedServer

KEY = "ck_test_secret"


def connect(server: ScriptedServer, pauses: list[float], **options: Any) -> Http:
    """Connects to the server. Notes the pauses between attempts instead of taking them."""
    return Http(server.url, send_with_urllib, KEY, sleep=pauses.append, **options)


class Errors(unittest.TestCase):
    def test_raises_the_class_of_the_status(self) -> None:
        for status, error_class in [
            (400, InvalidRequestError),
            (401, AuthenticationError),
            (403, PermissionDeniedError),
            (404, NotFoundError),
            (409, ConflictError),
            (410, NotFoundError),
            (418, ApiError),
            (422, InvalidRequestError),
            (429, RateLimitError),
            (501, ServiceError),
            (503, ServiceError),
        ]:
            body = {"statusCode": status, "message": "This is why", "error": "Name"}
            headers = {"X-Error-Code": "some.code", "X-Request-Id": "r1", "Retry-After": "7"}
            with self.subTest(status), ScriptedServer(Reply(status, body, headers)) as server:
                with self.assertRaises(error_class) as raised:
                    connect(server, [], retries=0).send(Ask("GET", "/a?code=secret"))
                error = raised.exception
                self.assertIs(type(error), error_class)
                self.assertEqual(str(error), "This is why")
                found = (error.status, error.method, error.path, error.code, error.request_id)
                self.assertEqual(found, (status, "GET", "/a", "some.code", "r1"))
                self.assertEqual((error.retry_after, error.body), (7.0, body))

    def test_reads_problem_details(self) -> None:
        problem = {"type": "about:blank", "title": "Bad Request", "detail": "chain_id is unknown"}
        with ScriptedServer(Reply(400, problem)) as server:
            with self.assertRaisesRegex(InvalidRequestError, "^chain_id is unknown$"):
                connect(server, []).send(Ask("GET", "/"))

    def test_describes_an_error_without_a_readable_body(self) -> None:
        with ScriptedServer(Reply(400, text=b"<html>")) as server:
            with self.assertRaises(InvalidRequestError) as raised:
                connect(server, []).send(Ask("GET", "/path?code=secret"))
        self.assertEqual(str(raised.exception), f"{server.url} responded to GET /path with 400")
        self.assertIsNone(raised.exception.body)

    def test_hides_the_key_that_a_proxy_echoes(self) -> None:
        with ScriptedServer(Reply(400, {"message": f"bad header x-api-key: {KEY}"})) as server:
            with self.assertRaises(InvalidRequestError) as raised:
                connect(server, []).send(Ask("GET", "/"))
        self.assertEqual(str(raised.exception), "bad header x-api-key: (hidden)")
        self.assertNotIn(KEY, repr(raised.exception.body))

    def test_does_not_follow_redirects(self) -> None:
        for status in (301, 302, 303, 307, 308):
            reply = Reply(status, headers={"Location": "http://127.0.0.1:9/elsewhere"})
            with ScriptedServer(reply) as server:
                with self.assertRaisesRegex(NoResponseError, "Redirects are not followed"):
                    connect(server, []).send(Ask("GET", "/"))
                self.assertEqual(len(server.seen), 1)

    def test_rejects_a_response_that_is_not_json(self) -> None:
        for text in (b"<html>", b'{"a": NaN}', b"\xff"):
            with ScriptedServer(Reply(text=text)) as server:
                with self.assertRaisesRegex(NoResponseError, "is not JSON"):
                    connect(server, []).send(Ask("GET", "/"))

    def test_says_why_there_is_no_response(self) -> None:
        with ScriptedServer(Reply()) as server:
            pass
        with self.assertRaisesRegex(NoResponseError, "GET /: nothing listens there$"):
            connect(server, [], retries=0).send(Ask("GET", "/"))
        with ScriptedServer(Reply(is_cut=True)) as server:
            with self.assertRaisesRegex(NoResponseError, "the connection broke off$"):
                connect(server, [], retries=0).send(Ask("GET", "/"))

    def test_times_out(self) -> None:
        held = threading.Event()
        with ScriptedServer(Reply(held=held)) as server:
            with self.assertRaisesRegex(NoResponseError, "timed out after 0.2 s$"):
                connect(server, [], retries=0, timeout=0.2).send(Ask("GET", "/"))
            held.set()


class Retries(unittest.TestCase):
    def test_repeats_a_keyed_request_with_the_same_key_and_body(self) -> None:
        script = [Reply(503), Reply(is_cut=True), Reply(201, {"id": 1})]
        pauses: list[float] = []
        with ScriptedServer(*script) as server:
            ask = Ask("POST", "/transactions", body={"a": 1}, idempotency_key="key-1")
            self.assertEqual(connect(server, pauses).send(ask).body, {"id": 1})
        self.assertEqual(len(pauses), 2)
        sent = [(seen.headers["idempotency-key"], seen.body) for seen in server.seen]
        self.assertEqual(sent, [("key-1", {"a": 1})] * 3)

    def test_waits_for_its_own_request_that_is_still_in_progress(self) -> None:
        script = [Reply(is_cut=True), Reply(409), Reply(201, {"id": 1})]
        with ScriptedServer(*script) as server:
            ask = Ask("POST", "/transactions", body={}, idempotency_key="key-1")
            self.assertEqual(connect(server, []).send(ask).body, {"id": 1})

    def test_reports_a_conflict_with_another_request(self) -> None:
        with ScriptedServer(Reply(409)) as server:
            with self.assertRaises(ConflictError):
                connect(server, []).send(Ask("POST", "/a", body={}, idempotency_key="key-1"))
            self.assertEqual(len(server.seen), 1)

    def test_does_not_repeat_a_request_without_a_key(self) -> None:
        for reply, error in [(Reply(503), ServiceError), (Reply(is_cut=True), NoResponseError)]:
            with ScriptedServer(reply) as server:
                with self.assertRaises(error):
                    connect(server, []).send(Ask("POST", "/a", body={}))
                self.assertEqual(len(server.seen), 1)

    def test_repeats_any_request_after_a_rate_limit_when_it_is_told_to(self) -> None:
        pauses: list[float] = []
        script = [Reply(429, headers={"Retry-After": "2"}), Reply(200, {})]
        with ScriptedServer(*script) as server:
            connect(server, pauses).send(Ask("POST", "/a", body={}))
        self.assertTrue(2.0 <= pauses[0] <= 2.1, pauses)

    def test_leaves_a_long_rate_limit_to_the_caller(self) -> None:
        with ScriptedServer(Reply(429, headers={"Retry-After": "61"})) as server:
            with self.assertRaises(RateLimitError) as raised:
                connect(server, []).send(Ask("GET", "/a"))
        self.assertEqual(raised.exception.retry_after, 61.0)

    def test_gives_up_after_the_last_retry(self) -> None:
        with ScriptedServer(Reply(503)) as server:
            with self.assertRaises(ServiceError):
                connect(server, [], retries=2).send(Ask("GET", "/a"))
            self.assertEqual(len(server.seen), 3)

    def test_reads_retry_after(self) -> None:
        date = "Wed, 21 Oct 2026 07:28:00 GMT"
        later = "Wed, 21 Oct 2026 07:28:30 GMT"
        for headers, seconds in [
            ({"retry-after": "3"}, 3.0),
            ({"retry-after": later, "date": date}, 30.0),
            ({"retry-after": date, "date": later}, 0.0),
            ({"retry-after": "-1"}, None),
            ({"retry-after": "soon"}, None),
            ({}, None),
        ]:
            self.assertEqual(read_retry_after(headers), seconds)


class Arguments(unittest.TestCase):
    def test_rejects_addresses_that_are_not_an_origin_without_quoting_them(self) -> None:
        for url in ("", "a.example", "ftp://a.example", "http://", "http://a:b", "http://a b"):
            with self.assertRaisesRegex(CountersignError, "must begin with https://"):
                Countersign(url)
        with self.assertRaises(CountersignError) as raised:
            Countersign("https://user:password@a.example")
        self.assertNotIn("password@", str(raised.exception))
        with self.assertRaisesRegex(CountersignError, "use https://a.example$"):
            Countersign("https://a.example/api?x=1")

    def test_rejects_a_malformed_key_without_quoting_it(self) -> None:
        for key in ("", "a b", "a\r\nx: y", "ключ"):
            with self.assertRaises(CountersignError) as raised:
                Countersign("https://a.example", api_key=key)
            self.assertNotIn("x: y", str(raised.exception))

    def test_does_not_show_the_key(self) -> None:
        client = Countersign("https://a.example", api_key=KEY)
        request = Request("GET", "https://a.example", {"x-api-key": KEY}, None, 1.0)
        for value in (client, vars(client), request):
            self.assertNotIn(KEY, repr(value))

    def test_rejects_paths_that_name_another_host(self) -> None:
        client = Countersign("https://a.example", api_key=KEY)
        for path in ("", "a", "//b.example", "/\\b.example", "/a b", "/a\r\nb"):
            with self.assertRaisesRegex(CountersignError, "A path must begin"):
                client.request("GET", path)

    def test_encodes_identifiers_in_paths(self) -> None:
        with ScriptedServer(Reply(200, {})) as server:
            client = Countersign(server.url)
            client.transaction("../settings?a=b#c")
            for request_hash in ("", ".", ".."):
                with self.assertRaises(CountersignError):
                    client.transaction(request_hash)
        paths = [seen.path for seen in server.seen]
        self.assertEqual(paths, ["/transactions/..%2Fsettings%3Fa%3Db%23c"])

    def test_rejects_bodies_and_keys_that_cannot_be_sent(self) -> None:
        client = Countersign("https://a.example")
        for body in (float("nan"), {1, 2}, "\ud800"):
            with self.assertRaisesRegex(CountersignError, "cannot be written as JSON"):
                client.request("POST", "/a", body=body)
        for key in ("", "a b", "x" * 256, "a\n"):
            with self.assertRaisesRegex(CountersignError, "An idempotency key has"):
                client.request("POST", "/a", idempotency_key=key)

    def test_uses_another_transport(self) -> None:
        sent: list[Request] = []

        def transport(request: Request) -> Response:
            sent.append(request)
            if len(sent) == 1:
                raise TransportError("the line is busy")
            return Response(200, {}, b"[]")

        client = Countersign("https://a.example", api_key=KEY, timeout=5, transport=transport)
        with patch("countersign.retry.back_off", return_value=0.0):
            self.assertEqual(client.api.get_chains(), [])
        self.assertEqual([request.url for request in sent], ["https://a.example/chains"] * 2)
        self.assertEqual((sent[0].headers["x-api-key"], sent[0].timeout), (KEY, 5))
