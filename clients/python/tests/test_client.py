"""Proposals and waits, against a scripted service."""

import threading
import time
import unittest
from datetime import datetime, timezone
from typing import Any

from countersign import (
    Call,
    Countersign,
    CountersignError,
    NotFoundError,
    Trust,
    WaitTimeoutError,
    fetch_trust,
)
from countersign.http import Http
from countersign.transport import send_with_urllib
from countersign.wait import Wait

from .scripted_server import Reply, ScriptedServer

ADDRESS = "0x" + "ea" * 20
BOB = "0x" + "b0" * 20
HASH = "0x" + "11" * 32


def view(status: str = "PENDING", phase: str = "AWAITING", **members: Any) -> dict[str, Any]:
    approvals = {"user": [], "orion": members.pop("orion", []), "apiKey": []}
    return {"status": status, "phase": phase, "reason": None, "approvals": approvals, **members}


class Propose(unittest.TestCase):
    def test_sends_amounts_as_decimal_strings_and_the_account_of_the_key(self) -> None:
        script = [Reply(200, {"ethereumAddress": ADDRESS}), Reply(201, {"requestHash": HASH})]
        with ScriptedServer(*script) as server:
            client = Countersign(server.url, api_key="k")
            largest = Call(to=BOB, value=2**256 - 1, data="0xabcd")
            deadline = datetime(2027, 1, 1, tzinfo=timezone.utc)
            client.propose("Pay Bob", largest, chain_id=1, deadline=deadline)
            client.propose("Pay Bob", Call(to=BOB))
        _, first, second = server.seen
        self.assertEqual(
            first.body,
            {
                "escrowAddress": ADDRESS,
                "userPrompt": "Pay Bob",
                "tx": {"to": BOB, "value": str(2**256 - 1), "data": "0xabcd"},
                "chainId": 1,
                "deadline": 1798761600,
            },
        )
        self.assertEqual(second.body["tx"], {"to": BOB, "value": "0", "data": "0x"})
        keys = {seen.headers["idempotency-key"] for seen in (first, second)}
        self.assertEqual(len(keys), 2)

    def test_sends_the_options_by_their_documented_names(self) -> None:
        with ScriptedServer(Reply(201, {})) as server:
            Countersign(server.url, api_key="k").propose(
                "Pay Bob",
                Call(to=BOB),
                escrow_address=ADDRESS,
                context_logs={"a": 1},
                intent_signature={"signature": "0x00", "nonce": HASH, "expiresAt": 1},
                supersedes=HASH,
                verification_service_id=1,
                idempotency_key="mine",
            )
        (seen,) = server.seen
        self.assertEqual(seen.headers["idempotency-key"], "mine")
        self.assertEqual(
            set(seen.body) - {"escrowAddress", "userPrompt", "tx"},
            {"contextLogs", "intentSignature", "supersedes", "verificationServiceId"},
        )

    def test_rejects_amounts_that_are_not_whole_numbers_of_wei(self) -> None:
        bad: list[Any] = [0.01, 1e16, True, "1", None, -1, 2**256]
        for value in bad:
            with self.subTest(value), self.assertRaisesRegex(CountersignError, "^value must be"):
                Call(to=BOB, value=value)

    def test_rejects_malformed_calls_and_deadlines(self) -> None:
        for to, data in [("bob.eth", "0x"), (BOB + "\n", "0x"), (BOB, "0xa"), (BOB, "")]:
            with self.assertRaises(CountersignError):
                Call(to=to, data=data)
        client = Countersign("https://a.example")
        with self.assertRaisesRegex(CountersignError, "time zone"):
            client.propose("a", Call(to=BOB), escrow_address=ADDRESS, deadline=datetime.now())

    def test_needs_an_escrow_address_with_a_service_key(self) -> None:
        with ScriptedServer(Reply(200, {"ethereumAddress": None})) as server:
            with self.assertRaisesRegex(CountersignError, "set escrow_address"):
                Countersign(server.url, api_key="k").propose("a", Call(to=BOB))


class Waiting(unittest.TestCase):
    def test_polls_with_the_etag_until_there_is_a_verdict(self) -> None:
        verdict = {"decision": "REJECTED", "analysis": "Another recipient"}
        script = [
            Reply(200, {}, {"ETag": '"1"'}),
            Reply(200, view()),
            Reply(304, headers={"ETag": '"1"'}),
            Reply(200, {}, {"ETag": '"2"'}),
            Reply(200, view(orion=[verdict])),
        ]
        phases: list[str] = []
        with ScriptedServer(*script) as server:
            found = Countersign(server.url).wait_for_verdict(
                HASH, timeout=60, on_progress=lambda seen: phases.append(seen["phase"])
            )
        self.assertEqual(found, verdict)
        self.assertEqual(phases, ["AWAITING", "AWAITING"])
        polls = [seen.headers for seen in server.seen if seen.path.endswith("/approval-status")]
        self.assertEqual([headers.get("if-none-match") for headers in polls], [None, '"1"', '"1"'])
        self.assertEqual(polls[1]["prefer"], "wait=25")

    def test_raises_without_a_verdict(self) -> None:
        ended = view("FAILED", "FAILED", reason="EXPIRED")
        with ScriptedServer(Reply(200, {}), Reply(200, ended)) as server:
            with self.assertRaisesRegex(CountersignError, r"is FAILED \(EXPIRED\), without a"):
                Countersign(server.url).wait_for_verdict(HASH)

    def test_ends_with_a_final_status_or_a_lapsed_approval(self) -> None:
        for status, phase in [
            ("APPROVED", "READY"),
            ("REJECTED", "REJECTED"),
            ("FAILED", "FAILED"),
            ("APPROVED", "LAPSED"),
        ]:
            with ScriptedServer(Reply(200, {}), Reply(200, view(status, phase))) as server:
                statuses = ["EXECUTED"] if phase == "LAPSED" else ["APPROVED"]
                found = Countersign(server.url).wait_for_status(HASH, statuses)  # type: ignore
                self.assertEqual((found["status"], found["phase"]), (status, phase))

    def test_survives_a_temporary_error_after_the_first_state(self) -> None:
        script = [
            *[Reply(200, {}), Reply(200, view()), Reply(503)],
            *[Reply(200, {}), Reply(200, view("APPROVED"))],
        ]
        with ScriptedServer(*script) as server:
            client = Countersign(server.url, retries=0)
            self.assertEqual(client.wait_for_status(HASH, ["APPROVED"])["status"], "APPROVED")

    def test_raises_the_error_of_the_first_request(self) -> None:
        with ScriptedServer(Reply(404)) as server:
            with self.assertRaises(NotFoundError):
                Countersign(server.url).wait_for_verdict(HASH)

    def test_times_out_with_the_last_state(self) -> None:
        pending = view()
        with ScriptedServer(Reply(200, {}), Reply(200, pending)) as server:
            http = Http(server.url, send_with_urllib)
            wait = Wait(http, HASH, is_done=lambda _: False, timeout=60)

            def end_now(_: object) -> None:
                wait.ends_at = time.monotonic()

            wait.on_progress = end_now
            with self.assertRaisesRegex(WaitTimeoutError, "is still AWAITING after 60 s") as raised:
                wait.run()
        self.assertEqual(raised.exception.transaction, pending)

    def test_times_out_while_the_service_is_silent(self) -> None:
        held = threading.Event()
        with ScriptedServer(Reply(held=held)) as server:
            with self.assertRaisesRegex(WaitTimeoutError, "was not seen after 0.3 s") as raised:
                Countersign(server.url).wait_for_verdict(HASH, timeout=0.3)
            held.set()
        self.assertIsNone(raised.exception.transaction)


class FetchTrust(unittest.TestCase):
    WORD = (32).to_bytes(32, "big").hex()
    SIGNER = "0x" + "5e" * 20

    def fetch(self, *script: Reply) -> Trust:
        with ScriptedServer(*script) as server:
            return fetch_trust(server.url, service_registry=BOB, inbox=ADDRESS, service_id=7)

    def test_reads_the_signer_of_the_service(self) -> None:
        answer = "0x" + self.WORD + "00" * 12 + self.SIGNER[2:] + "00" * 96
        with ScriptedServer(
            Reply(200, {"result": "0xaa36a7"}), Reply(200, {"result": answer})
        ) as server:
            trust = fetch_trust(server.url, service_registry=BOB, inbox=ADDRESS, service_id=7)
        self.assertEqual(trust, Trust(11155111, ADDRESS, self.SIGNER))
        call = server.seen[1].body["params"][0]
        self.assertEqual(call, {"to": BOB, "data": call["data"][:10] + (7).to_bytes(32).hex()})

    def test_rejects_answers_that_name_no_signer(self) -> None:
        for result in [
            None,
            "0x",
            "0x" + self.WORD + "00" * 32,
            "0x" + self.WORD + "ff" * 32,
            "0x" + "00" * 64,
            "0xzz",
        ]:
            with self.subTest(result), self.assertRaisesRegex(CountersignError, "Could not read"):
                self.fetch(Reply(200, {"result": "0x1"}), Reply(200, {"result": result}))
        with self.assertRaisesRegex(CountersignError, "answered eth_chainId with an error"):
            self.fetch(Reply(200, {"error": {"code": -32000}}))
        with self.assertRaisesRegex(CountersignError, "did not answer eth_chainId"):
            self.fetch(Reply(is_cut=True))
