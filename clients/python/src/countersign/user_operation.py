"""The hash of an ERC-4337 user operation, for the entry points of version 0.7 and 0.8.

Only the canonical form is accepted. The rules are those of `parseUserOperation` in packages/wire.
"""

import re
from typing import Any

from .data_to_sign import hash_typed_data
from .keccak import keccak256
from .read_json import read_count

_ENTRY_POINTS = {
    "0.7": "0x0000000071727de22e5e9d8baf0edac6f37da032",
    "0.8": "0x4337084d9e255ff0702461cf8895ce9e3b5ff108",
}
_SIZES = {
    "nonce": 256,
    "callGasLimit": 128,
    "verificationGasLimit": 128,
    "preVerificationGas": 256,
    "maxFeePerGas": 128,
    "maxPriorityFeePerGas": 128,
    "paymasterVerificationGasLimit": 128,
    "paymasterPostOpGasLimit": 128,
}
_BYTES = ("factoryData", "callData", "paymasterData")
_ADDRESSES = ("sender", "factory", "paymaster")
_MEMBERS = {"chainId", "entryPoint", "entryPointVersion", *_SIZES, *_BYTES, *_ADDRESSES}

_PACKED_TYPES = {
    "PackedUserOperation": [
        {"name": "sender", "type": "address"},
        {"name": "nonce", "type": "uint256"},
        {"name": "initCode", "type": "bytes"},
        {"name": "callData", "type": "bytes"},
        {"name": "accountGasLimits", "type": "bytes32"},
        {"name": "preVerificationGas", "type": "uint256"},
        {"name": "gasFees", "type": "bytes32"},
        {"name": "paymasterAndData", "type": "bytes"},
    ],
}


def hash_user_operation(value: Any) -> str:
    """Returns the userOpHash. Raises ValueError if the value is not in its canonical form."""
    if not isinstance(value, dict) or set(value) != _MEMBERS:
        raise ValueError("Not a user operation.")
    chain_id = _check(value)
    packed = _pack(value)
    if value["entryPointVersion"] == "0.7":
        return _hash_words(packed, value["entryPoint"], chain_id)
    return hash_typed_data(
        {
            "domain": {
                "name": "ERC4337",
                "version": "1",
                "chainId": value["chainId"],
                "verifyingContract": value["entryPoint"],
            },
            "types": _PACKED_TYPES,
            "primaryType": "PackedUserOperation",
            "message": packed,
        }
    )


def _check(value: dict[str, Any]) -> int:
    """Returns the chain id."""
    version = value["entryPointVersion"]
    if version not in ("0.7", "0.8") or value["entryPoint"] != _ENTRY_POINTS[version]:
        raise ValueError("Not an entry point whose hash is known.")
    chain_id = read_count(value["chainId"])
    if chain_id is None or chain_id == 0:
        raise ValueError("Not a chain.")
    for name, bits in _SIZES.items():
        _check_amount(value[name], bits)
    for name in _BYTES:
        _check_hex(value[name], r"(?:[0-9a-f]{2})*")
    for name in _ADDRESSES:
        if name == "sender" or value[name] is not None:
            _check_hex(value[name], "[0-9a-f]{40}")
    # It stands for an EIP-7702 delegation, whose hash depends on the account's code.
    if value["factory"] == "0x7702" + "0" * 36:
        raise ValueError("Not a factory.")
    # Entry points read it as no paymaster.
    if value["paymaster"] == "0x" + "0" * 40:
        raise ValueError("Not a paymaster.")
    _check_unused(value)
    return chain_id


def _check_unused(value: dict[str, Any]) -> None:
    """The hash does not cover what belongs to a factory or paymaster that is not there."""
    if value["factory"] is None and value["factoryData"] != "0x":
        raise ValueError("Data for no factory.")
    limits = (value["paymasterVerificationGasLimit"], value["paymasterPostOpGasLimit"])
    if value["paymaster"] is None and (limits != ("0", "0") or value["paymasterData"] != "0x"):
        raise ValueError("Data for no paymaster.")


def _check_amount(value: Any, bits: int) -> None:
    if not isinstance(value, str) or re.fullmatch(r"0|[1-9][0-9]{0,77}", value) is None:
        raise ValueError("Not an amount.")
    if int(value) >= 2**bits:
        raise ValueError("An amount that is too large.")


def _check_hex(value: Any, digits: str) -> None:
    if not isinstance(value, str) or re.fullmatch("0x" + digits, value) is None:
        raise ValueError("Not lower-case hexadecimal.")


def _digits(value: dict[str, Any], name: str) -> str:
    """Returns a member of 16 bytes in hexadecimal."""
    return f"{int(value[name]):032x}"


def _pack(value: dict[str, Any]) -> dict[str, str]:
    """Returns the members as entry points read them."""
    init_code, paid_by = "0x", "0x"
    if value["factory"] is not None:
        init_code = value["factory"] + value["factoryData"][2:]
    if value["paymaster"] is not None:
        limits = ("paymasterVerificationGasLimit", "paymasterPostOpGasLimit")
        gas = "".join(_digits(value, name) for name in limits)
        paid_by = value["paymaster"] + gas + value["paymasterData"][2:]
    fees = ("maxPriorityFeePerGas", "maxFeePerGas")
    gas_limits = ("verificationGasLimit", "callGasLimit")
    return {
        "sender": value["sender"],
        "nonce": value["nonce"],
        "initCode": init_code,
        "callData": value["callData"],
        "accountGasLimits": "0x" + "".join(_digits(value, name) for name in gas_limits),
        "preVerificationGas": value["preVerificationGas"],
        "gasFees": "0x" + "".join(_digits(value, name) for name in fees),
        "paymasterAndData": paid_by,
    }


def _word(value: str) -> bytes:
    """Returns the 32 bytes of a decimal number, or of hexadecimal of at most 32 bytes."""
    number = int(value, 16) if value.startswith("0x") else int(value)
    return number.to_bytes(32, "big")


def _hash_bytes(value: str) -> bytes:
    return keccak256(bytes.fromhex(value[2:]))


def _hash_words(packed: dict[str, str], entry_point: str, chain_id: int) -> str:
    """Returns the hash of version 0.7: words, with the hash of each member of type bytes."""
    words = [
        _hash_bytes(packed[field["name"]])
        if field["type"] == "bytes"
        else _word(packed[field["name"]])
        for field in _PACKED_TYPES["PackedUserOperation"]
    ]
    inner = keccak256(b"".join(words))
    chain = chain_id.to_bytes(32, "big")
    return "0x" + keccak256(inner + _word(entry_point) + chain).hex()
