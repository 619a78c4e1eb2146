"""The EIP-712 hashes of Countersign: of a proposal, of a sealed proposal and of a verdict.

Version 1 is about a transaction, version 2 about other data to sign. Each structure has only
members of 32 bytes, so that its encoding is their concatenation.
"""

import re
from dataclasses import dataclass

from .keccak import keccak256

_MAX_SAFE_INTEGER = 2**53 - 1

_DOMAIN_TYPE = (
    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
)
_PROPOSAL_TYPE = (
    "Proposal(address escrow,uint256 chainId,address to,uint256 value,bytes32 dataHash,"
    "bytes32 intentHash,uint8 executionType,uint256 deadline,bytes32 salt)"
)
_SEALED_PROPOSAL_TYPE = (
    "SealedProposal(address escrow,uint256 chainId,bytes32 payloadHash,uint8 executionType,"
    "uint256 deadline,bytes32 salt)"
)
_VERDICT_TYPE = (
    "Verdict(bytes32 requestHash,address escrow,uint256 chainId,address to,uint256 value,"
    "bytes32 dataHash,bytes32 intentHash,uint8 decision,bytes32 reportHash,uint64 issuedAt,"
    "uint64 validUntil)"
)

_SHAPED_PROPOSAL_TYPE = (
    "Proposal(address escrow,uint256 chainId,string shape,bytes32 signingHash,bytes32 intentHash,"
    "uint8 executionType,uint256 deadline,bytes32 salt)"
)
_SHAPED_VERDICT_TYPE = (
    "Verdict(bytes32 requestHash,address escrow,uint256 chainId,string shape,bytes32 signingHash,"
    "bytes32 intentHash,uint8 decision,bytes32 reportHash,uint64 issuedAt,uint64 validUntil)"
)

# Zero is unused, so that an empty word is not a decision.
DECISION_CODES = {"APPROVED": 1, "REJECTED": 2, "UNDECIDED": 3}


@dataclass(frozen=True)
class Home:
    """The installation that a hash is for: its home chain and its Inbox contract there."""

    chain_id: int
    inbox: str


@dataclass(frozen=True)
class Terms:
    """The members that every proposal has."""

    escrow: str
    chain_id: int
    execution_type: int
    deadline: int
    salt: str


@dataclass(frozen=True)
class VerdictFields:
    """What the verification service signs about a transaction. Times are Unix seconds."""

    request_hash: str
    escrow: str
    chain_id: int
    to: str
    value: int
    data_hash: str
    intent_hash: str
    decision: str
    report_hash: str
    issued_at: int
    valid_until: int


@dataclass(frozen=True)
class ShapedVerdictFields:
    """What the verification service signs about other data to sign. Times are Unix seconds."""

    request_hash: str
    escrow: str
    chain_id: int
    shape: str
    """typedData: EIP-712 data, such as a permit or a payment authorization."""
    signing_hash: str
    """The exact hash that is signed."""
    intent_hash: str
    decision: str
    report_hash: str
    issued_at: int
    valid_until: int


def hash_text(text: str) -> str:
    """Returns the hash of the UTF-8 text. Raises ValueError on a lone surrogate."""
    # UnicodeEncodeError is a ValueError.
    return "0x" + keccak256(text.encode("utf-8")).hex()


def hash_data(data: str) -> str:
    """Returns the hash of hexadecimal bytes. Raises ValueError on anything else."""
    if re.fullmatch(r"0x([0-9a-fA-F]{2})*", data) is None:
        raise ValueError("Not hexadecimal bytes.")
    return "0x" + keccak256(bytes.fromhex(data[2:])).hex()


def hash_proposal(
    home: Home, terms: Terms, *, to: str, value: int, data: str, user_prompt: str
) -> str:
    """Returns the request hash of a proposal whose content is known."""
    return _hash_typed(
        home,
        _PROPOSAL_TYPE,
        [
            _address(terms.escrow),
            _count(terms.chain_id),
            _address(to),
            _uint256(value),
            _word(hash_data(data)),
            _word(hash_text(user_prompt)),
            _count(terms.execution_type),
            _count(terms.deadline),
            _word(terms.salt),
        ],
    )


def hash_shaped_proposal(
    home: Home, terms: Terms, *, shape: str, signing_hash: str, user_prompt: str
) -> str:
    """Returns the request hash, version 2, of a proposal to sign other data than a transaction."""
    return _hash_typed(
        home,
        _SHAPED_PROPOSAL_TYPE,
        [
            _address(terms.escrow),
            _count(terms.chain_id),
            keccak256(shape.encode()),
            _word(signing_hash),
            _word(hash_text(user_prompt)),
            _count(terms.execution_type),
            _count(terms.deadline),
            _word(terms.salt),
        ],
        version=b"2",
    )


def hash_sealed_proposal(home: Home, terms: Terms, *, ciphertext: str) -> str:
    """Returns the request hash of a proposal that its sender encrypted."""
    return _hash_typed(
        home,
        _SEALED_PROPOSAL_TYPE,
        [
            _address(terms.escrow),
            _count(terms.chain_id),
            _word(hash_text(ciphertext)),
            _count(terms.execution_type),
            _count(terms.deadline),
            _word(terms.salt),
        ],
    )


def hash_verdict(home: Home, verdict: VerdictFields | ShapedVerdictFields) -> str:
    """Returns the digest that the verification service signs."""
    if isinstance(verdict, ShapedVerdictFields):
        return _hash_shaped_verdict(home, verdict)
    return _hash_typed(
        home,
        _VERDICT_TYPE,
        [
            _word(verdict.request_hash),
            _address(verdict.escrow),
            _count(verdict.chain_id),
            _address(verdict.to),
            _uint256(verdict.value),
            _word(verdict.data_hash),
            _word(verdict.intent_hash),
            _count(DECISION_CODES[verdict.decision]),
            _word(verdict.report_hash),
            _count(verdict.issued_at),
            _count(verdict.valid_until),
        ],
    )


def _hash_shaped_verdict(home: Home, verdict: ShapedVerdictFields) -> str:
    return _hash_typed(
        home,
        _SHAPED_VERDICT_TYPE,
        [
            _word(verdict.request_hash),
            _address(verdict.escrow),
            _count(verdict.chain_id),
            keccak256(verdict.shape.encode()),
            _word(verdict.signing_hash),
            _word(verdict.intent_hash),
            _count(DECISION_CODES[verdict.decision]),
            _word(verdict.report_hash),
            _count(verdict.issued_at),
            _count(verdict.valid_until),
        ],
        version=b"2",
    )


def _hash_typed(
    home: Home, struct_type: str, members: list[bytes], version: bytes = b"1"
) -> str:
    domain = _hash_struct(
        _DOMAIN_TYPE,
        [
            keccak256(b"Countersign"),
            keccak256(version),
            _count(home.chain_id),
            _address(home.inbox),
        ],
    )
    return "0x" + keccak256(b"\x19\x01" + domain + _hash_struct(struct_type, members)).hex()


def _hash_struct(struct_type: str, members: list[bytes]) -> bytes:
    return keccak256(keccak256(struct_type.encode()) + b"".join(members))


def _address(text: str) -> bytes:
    # The service writes 0x; a reader may have shown the address in upper case, prefix included.
    if re.fullmatch(r"0[xX][0-9a-fA-F]{40}", text) is None:
        raise ValueError("Not an address.")
    return bytes.fromhex(text[2:]).rjust(32, b"\x00")


def _word(text: str) -> bytes:
    if re.fullmatch(r"0x[0-9a-fA-F]{64}", text) is None:
        raise ValueError("Not 32 bytes.")
    return bytes.fromhex(text[2:])


def _count(value: int) -> bytes:
    """Encodes a whole number that a double holds exactly, as all JSON numbers must be."""
    if not 0 <= value <= _MAX_SAFE_INTEGER:
        raise ValueError("Not a whole number from 0 to 2^53 - 1.")
    return value.to_bytes(32, "big")


def _uint256(value: int) -> bytes:
    if not 0 <= value < 2**256:
        raise ValueError("Not a uint256.")
    return value.to_bytes(32, "big")
