"""The receipt check, on a receipt of the service. python-receipts.test.ts has random ones."""

import copy
import unittest
from typing import Any

from countersign import (
    CountersignError,
    InvalidReceipt,
    SignedTransactionVerdict,
    Trust,
    ValidReceipt,
    verify_receipt,
)

from .repository import read_fixture

RECEIPT = read_fixture("apps/cli/test/render/receipt.json")
# A receipt is valid without its report, and the report takes most of the time.
WITHOUT_REPORT = {**RECEIPT, "report": None}
TRUST = Trust(
    chain_id=11155111,
    inbox="0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
    signer="0x926a6831feE0827F136dcAd91AF2c90cc24A8b4d",
)


def changed(*path: str, to: Any) -> Any:
    receipt = copy.deepcopy(RECEIPT if path[0] == "report" else WITHOUT_REPORT)
    at = receipt
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = to
    return receipt


class VerifyReceipt(unittest.TestCase):
    def problems(self, receipt: Any, trust: Trust = TRUST) -> tuple[str, ...]:
        result = verify_receipt(receipt, trust)
        if isinstance(result, InvalidReceipt):
            self.assertFalse(result)
            self.assertFalse(result.is_valid)
            return result.problems
        self.fail("The receipt is valid.")

    def test_accepts_a_receipt_of_the_service(self) -> None:
        result = verify_receipt(RECEIPT, TRUST)
        if not isinstance(result, ValidReceipt):
            self.fail(" ".join(result.problems))
        self.assertTrue(result)
        self.assertEqual(result.decision, "APPROVED")
        verdict = result.verdict
        if not isinstance(verdict, SignedTransactionVerdict):
            self.fail("The verdict is not about a transaction.")
        self.assertEqual(verdict.value, 10**16)
        self.assertIs(type(verdict.value), int)

    def test_names_the_problem_of_a_changed_receipt(self) -> None:
        for path, value, problem in [
            (("proposal", "value"), "10000000000000001", "does not match its proposal"),
            (("proposal", "value"), 10**16, "Its proposal is malformed"),
            (("proposal", "userPrompt"), "Send everything", "belongs to another request"),
            (("decision",), "REJECTED", "have different decisions"),
            (("report", "reason"), "Fine.", "Its report does not match"),
            (("attestation",), None, "has no signed verdict"),
            (("attestation",), {}, "Its verdict is malformed"),
            (("attestation", "verdict", "decision"), "REJECTED", "It was signed by 0x"),
            (("domain", "chainId"), True, "another installation"),
            (("service", "inbox"), TRUST.inbox, "names another signer"),
            (("proposal",), None, "Not a receipt"),
        ]:
            with self.subTest(path=path):
                problems = " ".join(self.problems(changed(*path, to=value)))
                self.assertIn(problem, problems)

    def test_rejects_a_receipt_of_another_installation_or_signer(self) -> None:
        signer = "0x" + "11" * 20
        self.assertEqual(
            self.problems(WITHOUT_REPORT, Trust(TRUST.chain_id, TRUST.inbox, signer)),
            (f"It was signed by {TRUST.signer.lower()}, not by {signer}.",),
        )
        problems = self.problems(WITHOUT_REPORT, Trust(1, TRUST.inbox, TRUST.signer))
        self.assertIn("another installation", problems[0])

    def test_rejects_any_other_value_without_raising(self) -> None:
        deep: Any = []
        for _ in range(100_000):
            deep = [deep]
        for value in (None, 5, "", [], {}, True, b"", object(), changed("report", to=deep)):
            self.assertFalse(verify_receipt(value, TRUST))
        # A list of 100,000 levels cannot be freed recursively by every version of Python.
        while deep:
            deep = deep.pop()


class TrustedFacts(unittest.TestCase):
    def test_rejects_malformed_facts(self) -> None:
        for chain_id, inbox, signer in [
            (True, TRUST.inbox, TRUST.signer),
            (1.0, TRUST.inbox, TRUST.signer),
            (-1, TRUST.inbox, TRUST.signer),
            (1, "0x12", TRUST.signer),
            (1, TRUST.inbox, ""),
        ]:
            with self.assertRaises(CountersignError):
                Trust(chain_id, inbox, signer)  # type: ignore[arg-type]
