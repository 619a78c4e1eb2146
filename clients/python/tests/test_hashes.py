"""Hashes and signatures, compared with the vectors that packages/wire publishes."""

import unittest
from typing import Any

from countersign.canonical_json import canonicalize
from countersign.data_to_sign import hash_typed_data
from countersign.keccak import keccak256
from countersign.payload import hash_payload
from countersign.secp256k1 import ORDER, recover_address
from countersign.typed_data import (
    Home,
    ShapedVerdictFields,
    Terms,
    VerdictFields,
    hash_data,
    hash_proposal,
    hash_sealed_proposal,
    hash_shaped_proposal,
    hash_text,
    hash_verdict,
)

from .repository import read_fixture

VECTORS = read_fixture("packages/wire/vectors.json")


def home_of(vector: Any) -> Home:
    return Home(vector["domain"]["chainId"], vector["domain"]["inbox"])


def terms_of(fields: Any) -> Terms:
    return Terms(
        fields["escrow"],
        fields["chainId"],
        fields["executionType"],
        fields["deadline"],
        fields["salt"],
    )


class Keccak256(unittest.TestCase):
    def test_hashes_the_published_examples(self) -> None:
        examples = {
            b"": "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
            b"abc": "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
        }
        for data, digest in examples.items():
            self.assertEqual(keccak256(data).hex(), digest)

    def test_pads_every_length_around_a_block(self) -> None:
        digests = {keccak256(b"\x00" * length) for length in range(130, 280)}
        self.assertEqual(len(digests), 150)


class TypedData(unittest.TestCase):
    def test_hashes_the_proposals_of_the_vectors(self) -> None:
        for vector in VECTORS["proposals"]:
            fields = vector["fields"]
            with self.subTest(vector["name"]):
                self.assertEqual(hash_data(fields["data"]), vector["dataHash"])
                self.assertEqual(hash_text(fields["userPrompt"]), vector["intentHash"])
                request_hash = hash_proposal(
                    home_of(vector),
                    terms_of(fields),
                    to=fields["to"],
                    value=int(fields["value"]),
                    data=fields["data"],
                    user_prompt=fields["userPrompt"],
                )
                self.assertEqual(request_hash, vector["requestHash"])

    def test_hashes_the_sealed_proposals_of_the_vectors(self) -> None:
        for vector in VECTORS["sealedProposals"]:
            fields = vector["fields"]
            with self.subTest(vector["name"]):
                request_hash = hash_sealed_proposal(
                    home_of(vector), terms_of(fields), ciphertext=fields["ciphertext"]
                )
                self.assertEqual(request_hash, vector["requestHash"])

    def test_recovers_the_signer_of_the_verdicts_of_the_vectors(self) -> None:
        for vector in VECTORS["verdicts"]:
            written = vector["verdict"]
            verdict = VerdictFields(
                request_hash=written["requestHash"],
                escrow=written["escrow"],
                chain_id=written["chainId"],
                to=written["to"],
                value=int(written["value"]),
                data_hash=written["dataHash"],
                intent_hash=written["intentHash"],
                decision=written["decision"],
                report_hash=written["reportHash"],
                issued_at=written["issuedAt"],
                valid_until=written["validUntil"],
            )
            with self.subTest(vector["name"]):
                digest = hash_verdict(home_of(vector), verdict)
                self.assertEqual(digest, vector["digest"])
                signer = recover_address(
                    bytes.fromhex(digest[2:]), bytes.fromhex(vector["signature"][2:])
                )
                self.assertEqual(signer, vector["signer"].lower())

    def test_hashes_the_data_to_sign_and_its_proposals_of_the_vectors(self) -> None:
        for vector in VECTORS["shapedProposals"]:
            fields = vector["fields"]
            with self.subTest(vector["name"]):
                shape = fields["shape"]
                signing_hash = hash_payload(shape, fields[shape]).signing_hash
                self.assertEqual(signing_hash, vector["signingHash"])
                request_hash = hash_shaped_proposal(
                    home_of(vector),
                    terms_of(fields),
                    shape=fields["shape"],
                    signing_hash=signing_hash,
                    user_prompt=fields["userPrompt"],
                )
                self.assertEqual(request_hash, vector["requestHash"])

    def test_hashes_the_verdicts_about_data_to_sign_of_the_vectors(self) -> None:
        for vector in VECTORS["shapedVerdicts"]:
            written = vector["verdict"]
            verdict = ShapedVerdictFields(
                request_hash=written["requestHash"],
                escrow=written["escrow"],
                chain_id=written["chainId"],
                shape=written["shape"],
                signing_hash=written["signingHash"],
                intent_hash=written["intentHash"],
                decision=written["decision"],
                report_hash=written["reportHash"],
                issued_at=written["issuedAt"],
                valid_until=written["validUntil"],
            )
            with self.subTest(vector["name"]):
                self.assertEqual(hash_verdict(home_of(vector), verdict), vector["digest"])

    def test_rejects_data_to_sign_in_another_form(self) -> None:
        def typed(kind: str, value: Any, **more: Any) -> dict[str, Any]:
            types = {"Letter": [{"name": "a", "type": kind}]}
            message = {"a": value}
            base = {"domain": {}, "types": types, "primaryType": "Letter", "message": message}
            return {**base, **more}

        hash_typed_data(typed("uint8", "255"))
        for kind, value in [
            ("uint8", "256"),
            ("uint8", 1),
            ("uint8", "01"),
            ("int8", "-0"),
            ("int8", "128"),
            ("uint", "1"),
            ("uint7", "1"),
            ("bool", 1),
            ("bytes", "0xAB"),
            ("bytes2", "0xab"),
            ("address", "0x" + "AB" * 20),
            ("string", "\ud800"),
            ("bool[1]", []),
            ("Other", {}),
        ]:
            with self.subTest(kind), self.assertRaises(ValueError):
                hash_typed_data(typed(kind, value))
        for more in (
            {"note": 1},
            {"domain": {"chainId": "1"}},
            {"domain": {"chain": 1}},
            {"message": {"a": True, "b": True}},
            {"primaryType": "EIP712Domain"},
        ):
            with self.subTest(more), self.assertRaises(ValueError):
                hash_typed_data(typed("bool", True, **more))

    def test_rejects_values_that_would_hash_ambiguously(self) -> None:
        for data in ("", "0x1", "0xzz", "0Xab", "0xab\n", "ab"):
            with self.assertRaises(ValueError):
                hash_data(data)
        with self.assertRaises(ValueError):
            hash_text("\ud800")


class RecoverAddress(unittest.TestCase):
    def test_rejects_signatures_that_no_key_could_have_made(self) -> None:
        one, order = (1).to_bytes(32, "big"), ORDER.to_bytes(32, "big")
        # No point of the curve has x = 5.
        five = (5).to_bytes(32, "big")
        for r, s, v in [
            (bytes(32), one, 27),
            (one, bytes(32), 27),
            (order, one, 27),
            (one, order, 27),
            (five, one, 27),
            (one, one, 0),
        ]:
            with self.assertRaises(ValueError):
                recover_address(bytes(32), r + s + bytes([v]))
        with self.assertRaises(ValueError):
            recover_address(bytes(31), one + one + bytes([27]))


class Canonicalize(unittest.TestCase):
    def test_writes_numbers_as_ecmascript_does(self) -> None:
        # Appendix B of RFC 8785, and the limits of the exponent form.
        for number, text in [
            (0.0, "0"),
            (-0.0, "0"),
            (5e-324, "5e-324"),
            (-5e-324, "-5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
            (9007199254740992, "9007199254740992"),
            (9007199254740993, "9007199254740992"),
            (295147905179352830000, "295147905179352830000"),
            (9.999999999999997e22, "9.999999999999997e+22"),
            (1e23, "1e+23"),
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (333333333.3333332, "333333333.3333332"),
            (-0.0000033333333333333333, "-0.0000033333333333333333"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (1.5, "1.5"),
            (100, "100"),
        ]:
            self.assertEqual(canonicalize(number), text)

    def test_sorts_members_by_utf16_and_escapes_only_what_it_must(self) -> None:
        value = {"\ufb33": 1, "\U0001f600": 2, "b": [True, None], "a": "\u20ac$\x0f\nA'B\"\\\x7f"}
        self.assertEqual(
            canonicalize(value),
            '{"a":"\u20ac$\\u000f\\nA\'B\\"\\\\\x7f","b":[true,null],"\U0001f600":2,"\ufb33":1}',
        )

    def test_rejects_values_that_json_cannot_hold(self) -> None:
        for value in (float("nan"), float("inf"), 10**400, {1: 2}, b"bytes", {"a": {1, 2}}):
            with self.assertRaises(ValueError):
                canonicalize(value)
