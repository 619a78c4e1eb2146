"""Reads a signed verdict, and recovers who signed it."""

from dataclasses import dataclass
from typing import Any

from .read_json import read_address, read_count, read_signature, read_uint256, read_word
from .secp256k1 import recover_address
from .typed_data import (
    DECISION_CODES,
    Home,
    ShapedVerdictFields,
    VerdictFields,
    hash_verdict,
)

_SHAPES = ("typedData", "calls", "safeTransaction", "message", "authorizationList", "userOperation")


@dataclass(frozen=True)
class Attestation:
    """A verdict with its domain, its signature and the address that claims to have signed it."""

    home: Home
    verdict: VerdictFields | ShapedVerdictFields
    signature: str
    signer: str


def read_attestation(value: Any) -> Attestation | None:
    """Returns None for anything that is not an attestation. Ignores unknown members."""
    if not isinstance(value, dict):
        return None
    version, home = _read_domain(value.get("domain"))
    read_verdict = _read_shaped_verdict if version == "2" else _read_verdict
    verdict = read_verdict(value.get("verdict"))
    signature = read_signature(value.get("signature"))
    signer = read_address(value.get("signer"))
    if home is None or verdict is None or signature is None or signer is None:
        return None
    return Attestation(home, verdict, signature, signer)


def recover_signer(attestation: Attestation) -> str:
    """Returns the address that signed this verdict. Raises ValueError on an invalid signature."""
    digest = hash_verdict(attestation.home, attestation.verdict)
    return recover_address(bytes.fromhex(digest[2:]), bytes.fromhex(attestation.signature[2:]))


def _read_domain(value: Any) -> tuple[Any, Home | None]:
    """Returns the version, which says how to read the verdict, and the installation."""
    if not isinstance(value, dict):
        return None, None
    version = value.get("version")
    chain_id = read_count(value.get("chainId"))
    inbox = read_address(value.get("verifyingContract"))
    is_ours = value.get("name") == "Countersign" and version in ("1", "2")
    if chain_id is None or inbox is None or not is_ours:
        return None, None
    return version, Home(chain_id, inbox)


def _read_verdict(value: Any) -> VerdictFields | None:
    if not isinstance(value, dict):
        return None
    amount = read_uint256(value.get("value"))
    members = {
        **_read_common(value),
        "to": read_address(value.get("to")),
        "value": None if amount is None else int(amount),
        "data_hash": read_word(value.get("dataHash")),
    }
    if any(found is None for found in members.values()):
        return None
    return VerdictFields(**members)  # type: ignore[arg-type]


def _read_shaped_verdict(value: Any) -> ShapedVerdictFields | None:
    if not isinstance(value, dict):
        return None
    shape = value.get("shape")
    members = {
        **_read_common(value),
        "shape": shape if isinstance(shape, str) and shape in _SHAPES else None,
        "signing_hash": read_word(value.get("signingHash")),
    }
    if any(found is None for found in members.values()):
        return None
    return ShapedVerdictFields(**members)  # type: ignore[arg-type]


def _read_common(value: dict[str, Any]) -> dict[str, Any]:
    decision = value.get("decision")
    return {
        "request_hash": read_word(value.get("requestHash")),
        "escrow": read_address(value.get("escrow")),
        "chain_id": read_count(value.get("chainId")),
        "intent_hash": read_word(value.get("intentHash")),
        "decision": decision if isinstance(decision, str) and decision in DECISION_CODES else None,
        "report_hash": read_word(value.get("reportHash")),
        "issued_at": read_count(value.get("issuedAt")),
        "valid_until": read_count(value.get("validUntil")),
    }
