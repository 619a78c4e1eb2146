"""The payload of a proposal of another shape, and the hash that a verdict commits to.

The rules are those of `packages/wire/src/shape.ts`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .data_to_sign import hash_typed_data
from .keccak import keccak256
from .read_json import read_count
from .user_operation import hash_user_operation


@dataclass(frozen=True)
class Payload:
    """A shape, and the exact hash of the payload."""

    shape: str
    signing_hash: str


_BATCH_VERSION = "2.0.0"
_MAX_CALLS = 64
_BATCH_TYPES = {
    "Batch": [
        {"name": "from", "type": "address"},
        {"name": "atomicRequired", "type": "bool"},
        {"name": "calls", "type": "Call[]"},
    ],
    "Call": [
        {"name": "to", "type": "address"},
        {"name": "value", "type": "uint256"},
        {"name": "data", "type": "bytes"},
    ],
}


def _calls_typed_data(value: Any) -> dict[str, Any]:
    """Returns the structure that the hash of a batch covers, in its canonical form only."""
    names = {"version", "chainId", "from", "atomicRequired", "calls"}
    if not isinstance(value, dict) or set(value) != names or value["version"] != _BATCH_VERSION:
        raise ValueError("Not a batch of calls.")
    calls = value["calls"]
    if not isinstance(calls, list) or not 1 <= len(calls) <= _MAX_CALLS:
        raise ValueError("Not a list of calls.")
    return {
        "domain": {"name": "Countersign", "version": "2", "chainId": value["chainId"]},
        "types": _BATCH_TYPES,
        "primaryType": "Batch",
        "message": {name: value[name] for name in ("from", "atomicRequired", "calls")},
    }


_SAFE_TYPES = {
    "SafeTx": [
        {"name": "to", "type": "address"},
        {"name": "value", "type": "uint256"},
        {"name": "data", "type": "bytes"},
        {"name": "operation", "type": "uint8"},
        {"name": "safeTxGas", "type": "uint256"},
        {"name": "baseGas", "type": "uint256"},
        {"name": "gasPrice", "type": "uint256"},
        {"name": "gasToken", "type": "address"},
        {"name": "refundReceiver", "type": "address"},
        {"name": "nonce", "type": "uint256"},
    ],
}


def _safe_typed_data(value: Any) -> dict[str, Any]:
    """Returns what the owners of a Safe sign, in its canonical form only."""
    members = [field["name"] for field in _SAFE_TYPES["SafeTx"]]
    if not isinstance(value, dict) or set(value) != {"chainId", "safe", *members}:
        raise ValueError("Not a transaction of a Safe.")
    operation = read_count(value["operation"])
    if operation not in (0, 1):
        raise ValueError("Not an operation of a Safe.")
    return {
        "domain": {"chainId": value["chainId"], "verifyingContract": value["safe"]},
        "types": _SAFE_TYPES,
        "primaryType": "SafeTx",
        "message": {**{name: value[name] for name in members}, "operation": str(operation)},
    }


_MAX_MESSAGE_LENGTH = 16_000


def _hash_message(value: Any) -> str:
    """Returns the EIP-191 hash of a text. Raises ValueError for one that the service rejects."""
    if not isinstance(value, str) or value == "":
        raise ValueError("Not a text.")
    # JavaScript counts UTF-16 units.
    if len(value.encode("utf-16-le")) // 2 > _MAX_MESSAGE_LENGTH:
        raise ValueError("Too long a text.")
    if re.fullmatch(r"-?0x[0-9a-f]*", value, re.IGNORECASE | re.ASCII) is not None:
        raise ValueError("Hex, which may be signed as bytes.")
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", value) is not None:
        raise ValueError("A text with characters that are not shown.")
    text = value.encode("utf-8")
    return "0x" + keccak256(f"\x19Ethereum Signed Message:\n{len(text)}".encode() + text).hex()


_MAX_SAFE_INTEGER = 2**53 - 1


def _rlp_bytes(value: bytes) -> bytes:
    """Returns the RLP item of less than 56 bytes."""
    if len(value) == 1 and value[0] < 0x80:
        return value
    return bytes([0x80 + len(value)]) + value


def _rlp_number(value: int) -> bytes:
    return _rlp_bytes(value.to_bytes((value.bit_length() + 7) // 8, "big"))


def _hash_authorization_list(value: Any) -> str:
    """Returns the hash that an account signs for its one EIP-7702 authorization."""
    if not isinstance(value, list) or len(value) != 1:
        raise ValueError("Not a list of one authorization.")
    authorization = value[0]
    if not isinstance(authorization, dict) or set(authorization) != {"chainId", "address", "nonce"}:
        raise ValueError("Not an authorization.")
    chain_id = read_count(authorization["chainId"])
    address, nonce = authorization["address"], authorization["nonce"]
    # 0 stands for every chain.
    if chain_id is None or chain_id == 0:
        raise ValueError("Not a chain.")
    if not isinstance(address, str) or re.fullmatch(r"0x[0-9a-f]{40}", address) is None:
        raise ValueError("Not an address.")
    if not isinstance(nonce, str) or re.fullmatch(r"0|[1-9][0-9]{0,15}", nonce) is None:
        raise ValueError("Not a nonce.")
    if int(nonce) > _MAX_SAFE_INTEGER:
        raise ValueError("Not the nonce of an account.")
    items = _rlp_number(chain_id) + _rlp_bytes(bytes.fromhex(address[2:])) + _rlp_number(int(nonce))
    # Three items of at most 38 bytes have the short form of a list.
    return "0x" + keccak256(b"\x05" + bytes([0xC0 + len(items)]) + items).hex()


_HASHES: dict[str, Callable[[Any], str]] = {
    "typedData": hash_typed_data,
    "calls": lambda value: hash_typed_data(_calls_typed_data(value)),
    "safeTransaction": lambda value: hash_typed_data(_safe_typed_data(value)),
    "message": _hash_message,
    "authorizationList": _hash_authorization_list,
    "userOperation": hash_user_operation,
}

PAYLOAD_SHAPES = tuple(_HASHES)


def hash_payload(shape: str, value: Any) -> Payload:
    """Returns the payload's hash. Raises ValueError if it is not in its canonical form."""
    return Payload(shape, _HASHES[shape](value))
