"""The client against the whole system, which tools/clients/python.system.test.ts starts."""

import os
import unittest
from dataclasses import replace
from pathlib import Path

from countersign import (
    AuthenticationError,
    Call,
    ConflictError,
    Countersign,
    InvalidReceipt,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    Trust,
    WaitTimeoutError,
    fetch_trust,
    verify_receipt,
)

from .lossy_proxy import LossyProxy

URL = os.environ["COUNTERSIGN_URL"]
API_KEY = os.environ["COUNTERSIGN_API_KEY"]
RPC_URL = os.environ["RPC_URL"]
SERVICE_REGISTRY = os.environ["SERVICE_REGISTRY"]
INBOX = os.environ["INBOX"]
OWNER = os.environ["OWNER"]
OWNER_AUTHORIZATION = os.environ["OWNER_AUTHORIZATION"]

BOB = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e"
MALLORY = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"
REQUEST = f"Send 0.01 ETH to {BOB}"
PAYMENT = Call(to=BOB, value=10**16)

client = Countersign(URL, api_key=API_KEY)


def trusted() -> Trust:
    return fetch_trust(RPC_URL, service_registry=SERVICE_REGISTRY, inbox=INBOX)


def approve_as_owner(request_hash: str) -> None:
    Countersign(URL).request(
        "POST",
        f"/transactions/{request_hash}/approvals",
        headers={"authorization": OWNER_AUTHORIZATION},
        body={"decision": "APPROVED"},
    )


class Lifecycle(unittest.TestCase):
    def test_proposes_waits_and_verifies_the_receipt(self) -> None:
        request_hash = client.propose(REQUEST, PAYMENT)["requestHash"]
        phases: list[str] = []
        verdict = client.wait_for_verdict(
            request_hash, on_progress=lambda view: phases.append(view["phase"])
        )
        self.assertEqual(verdict["decision"], "APPROVED")
        self.assertGreater(len(phases), 0)
        self.assertEqual(client.transaction(request_hash)["status"], "PENDING")
        approve_as_owner(request_hash)
        view = client.wait_for_status(request_hash, ["APPROVED"])
        self.assertEqual(view["status"], "APPROVED")
        self.assertEqual(view["escrowAddress"].lower(), OWNER.lower())
        receipt = client.receipt(request_hash)
        trust = trusted()
        result = verify_receipt(receipt, trust)
        if isinstance(result, InvalidReceipt):
            self.fail(" ".join(result.problems))
        self.assertEqual((result.decision, result.verdict.value), ("APPROVED", 10**16))
        self.assertEqual(result.verdict.to, BOB.lower())
        # The same receipt under another signer, and with another amount.
        self.assertFalse(verify_receipt(receipt, replace(trust, signer=MALLORY)))
        receipt["proposal"]["value"] = "10000000000000001"
        self.assertFalse(verify_receipt(receipt, trust))

    def test_returns_a_rejection_as_a_verdict(self) -> None:
        request_hash = client.propose(REQUEST, Call(to=MALLORY, value=10**16))["requestHash"]
        verdict = client.wait_for_verdict(request_hash)
        self.assertEqual(verdict["decision"], "REJECTED")
        self.assertNotEqual(verdict["analysis"], "")
        view = client.wait_for_status(request_hash, ["APPROVED"])
        self.assertEqual((view["status"], view["reason"]), ("REJECTED", "ORION"))
        result = verify_receipt(client.receipt(request_hash), trusted())
        self.assertEqual((bool(result), result.is_valid), (True, True))

    def test_times_out_while_nothing_is_executed(self) -> None:
        request_hash = client.propose(REQUEST, PAYMENT)["requestHash"]
        client.wait_for_verdict(request_hash)
        with self.assertRaises(WaitTimeoutError) as raised:
            client.wait_for_status(request_hash, ["EXECUTED"], timeout=5)
        seen = raised.exception.transaction
        self.assertEqual(None if seen is None else seen["requestHash"], request_hash)

    def test_rejects_a_proposal(self) -> None:
        request_hash = client.propose(REQUEST, PAYMENT)["requestHash"]
        self.assertEqual(client.reject(request_hash)["decision"], "REJECTED")
        self.assertEqual(client.transaction(request_hash)["status"], "REJECTED")

    def test_withdraws_a_proposal(self) -> None:
        request_hash = client.propose(REQUEST, PAYMENT)["requestHash"]
        self.assertEqual(client.withdraw(request_hash)["status"], "REJECTED")


class Idempotency(unittest.TestCase):
    def test_returns_the_first_proposal_for_the_same_key(self) -> None:
        first = client.propose(REQUEST, PAYMENT, idempotency_key="python-first")
        again = client.propose(REQUEST, PAYMENT, idempotency_key="python-first")
        self.assertEqual(first["requestHash"], again["requestHash"])
        with self.assertRaises(ConflictError):
            client.propose("Another request", PAYMENT, idempotency_key="python-first")

    def test_makes_one_proposal_although_two_answers_are_lost(self) -> None:
        before = self.hashes()
        with LossyProxy(URL, losses=2) as proxy:
            lossy = Countersign(proxy.url, api_key=API_KEY)
            made = lossy.propose(REQUEST, PAYMENT, escrow_address=OWNER)
        self.assertEqual(len(proxy.keys), 3)
        self.assertEqual(len(set(proxy.keys)), 1)
        self.assertEqual(self.hashes() - before, {made["requestHash"]})

    def hashes(self) -> set[str]:
        views = client.api.get_transactions_users_by_ethereum_address(OWNER)
        return {view["requestHash"] for view in views}


class Refusals(unittest.TestCase):
    def test_raises_on_a_wrong_or_missing_key(self) -> None:
        for api_key in ("ck_wrong", None):
            stranger = Countersign(URL, api_key=api_key)
            with self.assertRaises(AuthenticationError) as raised:
                stranger.propose(REQUEST, PAYMENT, escrow_address=OWNER)
            self.assertEqual(raised.exception.status, 401)
            self.assertNotIn("ck_wrong", str(raised.exception))

    def test_raises_on_an_invalid_request(self) -> None:
        with self.assertRaises(InvalidRequestError) as raised:
            client.propose("", PAYMENT)
        error = raised.exception
        self.assertEqual((error.status, error.path), (400, "/transactions"))
        self.assertIn("userPrompt", str(error))
        self.assertIsNotNone(error.code)
        self.assertIsNotNone(error.request_id)

    def test_raises_on_the_account_of_another_owner(self) -> None:
        with self.assertRaises(PermissionDeniedError):
            client.propose(REQUEST, PAYMENT, escrow_address=MALLORY)

    def test_raises_on_an_unknown_transaction(self) -> None:
        for call in (client.transaction, client.receipt, client.wait_for_verdict, client.withdraw):
            with self.assertRaises(NotFoundError):
                call("0x" + "00" * 32)


class Documents(unittest.TestCase):
    def test_runs_the_example_of_the_readme(self) -> None:
        readme = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
        example = readme.split("```python\n")[1].split("```")[0]
        names = {"url": URL, "api_key": API_KEY, "trust": trusted()}
        exec(compile(example, "README.md", "exec"), names)
        self.assertTrue(names["result"])

    def test_calls_generated_operations(self) -> None:
        self.assertEqual(client.api.get_health()["status"], "ok")
        self.assertEqual(client.address().lower(), OWNER.lower())
        services = client.api.get_verification_services_active()
        self.assertEqual([service["inbox"].lower() for service in services], [trusted().signer])
