"""The EIP-712 digest of typed data in a receipt: the hash that a wallet would sign.

The service writes typed data in one canonical form, and only that form is accepted here: decimal
text for integers, lower-case hexadecimal, and exactly the types that the message uses. A second
form would allow two receipts for one hash. The rules are those of `parseTypedData` in
packages/wire.
"""

import re
from typing import Any, TypeAlias

from .keccak import keccak256
from .read_json import read_count

_Fields: TypeAlias = list[tuple[str, str]]
_Types: TypeAlias = dict[str, _Fields]

_MEMBERS = {"domain", "types", "primaryType", "message"}
# In the order of EIP-712, which the type hash of the domain depends on.
_DOMAIN_FIELDS = [
    ("name", "string"),
    ("version", "string"),
    ("chainId", "uint256"),
    ("verifyingContract", "address"),
    ("salt", "bytes32"),
]
_MAX_DEPTH = 16


def hash_typed_data(value: Any) -> str:
    """Returns the digest. Raises ValueError if the value is not typed data in canonical form."""
    members = _object(value, _MEMBERS)
    primary_type = members["primaryType"]
    domain_fields, domain = _read_domain(members["domain"])
    types = _read_types(members["types"], primary_type)
    domain_types = {"EIP712Domain": domain_fields}
    return "0x" + (
        keccak256(
            b"\x19\x01"
            + _hash_struct(domain, "EIP712Domain", domain_types, 0)
            + _hash_struct(members["message"], primary_type, types, 0)
        ).hex()
    )


def _object(value: Any, names: set[str]) -> dict[str, Any]:
    """Accepts an object with exactly these members."""
    if not isinstance(value, dict) or set(value) != names:
        raise ValueError("Not an object with exactly its members.")
    return value


def _read_domain(value: Any) -> tuple[_Fields, dict[str, Any]]:
    if not isinstance(value, dict):
        raise ValueError("Not a domain.")
    fields = [(name, kind) for name, kind in _DOMAIN_FIELDS if name in value]
    if len(fields) != len(value):
        raise ValueError("Not a domain of EIP-712.")
    domain = dict(value)
    if "chainId" in domain:
        chain_id = read_count(domain["chainId"])
        if chain_id is None or chain_id == 0:
            raise ValueError("Not a chain id.")
        domain["chainId"] = str(chain_id)
    return fields, domain


def _is_name(value: Any) -> bool:
    if not isinstance(value, str) or value == "__proto__":
        return False
    return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,99}", value) is not None


def _size_of(kind: str, pattern: str, step: int, most: int) -> int | None:
    """Returns the number at the end of a type such as uint256, or None for another type."""
    found = re.fullmatch(pattern, kind)
    size = int(found[1]) if found else 0
    return size if 0 < size <= most and size % step == 0 else None


def _integer_size(kind: str) -> int | None:
    return _size_of(kind, r"u?int([1-9][0-9]{0,2})", 8, 256)


def _bytes_size(kind: str) -> int | None:
    return _size_of(kind, r"bytes([1-9][0-9]?)", 1, 32)


def _is_atomic(kind: str) -> bool:
    is_named = kind in ("address", "bool", "string", "bytes")
    return is_named or _integer_size(kind) is not None or _bytes_size(kind) is not None


def _element_of(kind: str) -> tuple[str, int | None] | None:
    """Splits `T[2]` into its element type and its length, None if the length is open."""
    found = re.fullmatch(r"([A-Za-z0-9_]+(?:\[[0-9]{0,4}\])*)\[([0-9]{0,4})\]", kind)
    if found is None:
        return None
    return found[1], int(found[2]) if found[2] else None


def _base_of(kind: str) -> str:
    element = _element_of(kind)
    return kind if element is None else _base_of(element[0])


def _is_struct_name(name: Any) -> bool:
    # Libraries disagree about structures that are named like a type of EIP-712.
    is_reserved = isinstance(name, str) and (
        _is_atomic(name) or re.match(r"u?int|bytes", name) is not None or name == "EIP712Domain"
    )
    return _is_name(name) and not is_reserved


def _read_types(value: Any, primary_type: Any) -> _Types:
    """Returns the types that the primary type uses. Raises if there are others."""
    if not isinstance(value, dict):
        raise ValueError("Not types.")
    found: _Types = {}
    waiting = [primary_type]
    while waiting:
        name = waiting.pop()
        if not _is_struct_name(name) or name not in value:
            raise ValueError("A type is not defined.")
        if name in found:
            continue
        found[name] = _read_fields(value[name])
        bases = [_base_of(kind) for _, kind in found[name]]
        waiting.extend(base for base in bases if not _is_atomic(base))
    if len(found) != len(value):
        raise ValueError("A type is not used.")
    return found


def _read_fields(value: Any) -> _Fields:
    if not isinstance(value, list):
        raise ValueError("Not a list of fields.")
    fields: _Fields = []
    for one in value:
        field = _object(one, {"name", "type"})
        if not _is_name(field["name"]) or not isinstance(field["type"], str):
            raise ValueError("Not a field.")
        fields.append((field["name"], field["type"]))
    if len({name for name, _ in fields}) != len(fields):
        raise ValueError("A field is named twice.")
    return fields


def _type_text(primary_type: str, types: _Types) -> str:
    """Returns the type as EIP-712 writes it: itself, then the types it uses, sorted."""
    used: set[str] = set()
    waiting = [primary_type]
    while waiting:
        name = waiting.pop()
        if name not in used and name in types:
            used.add(name)
            waiting.extend(_base_of(kind) for _, kind in types[name])
    ordered = [primary_type, *sorted(used - {primary_type})]
    return "".join(
        f"{name}({','.join(f'{kind} {field}' for field, kind in types[name])})" for name in ordered
    )


def _hash_struct(value: Any, name: str, types: _Types, depth: int) -> bytes:
    _check_depth(depth)
    fields = types[name]
    members = _object(value, {field for field, _ in fields})
    words = [_encode(members[field], kind, types, depth + 1) for field, kind in fields]
    return keccak256(keccak256(_type_text(name, types).encode()) + b"".join(words))


def _encode(value: Any, kind: str, types: _Types, depth: int) -> bytes:
    """Returns the 32 bytes that stand for a value."""
    element = _element_of(kind)
    if element is not None:
        return _encode_list(value, element, types, depth)
    return _hash_struct(value, kind, types, depth) if kind in types else _encode_atom(value, kind)


def _encode_list(
    value: Any, element: tuple[str, int | None], types: _Types, depth: int
) -> bytes:
    _check_depth(depth)
    kind, length = element
    if not isinstance(value, list) or length not in (None, len(value)):
        raise ValueError("Not a list of this length.")
    return keccak256(b"".join(_encode(one, kind, types, depth + 1) for one in value))


def _check_depth(depth: int) -> None:
    if depth > _MAX_DEPTH:
        raise ValueError("Nested too deep.")


def _encode_atom(value: Any, kind: str) -> bytes:
    if kind == "bool":
        if not isinstance(value, bool):
            raise ValueError("Not a bool.")
        return int(value).to_bytes(32, "big")
    if not isinstance(value, str):
        raise ValueError("Not text.")
    if kind == "string":
        # Raises UnicodeEncodeError, a ValueError, on a lone surrogate.
        return keccak256(value.encode("utf-8"))
    if kind == "bytes":
        return keccak256(_bytes_of(value, None))
    if kind == "address":
        return _bytes_of(value, 20).rjust(32, b"\x00")
    size = _bytes_size(kind)
    if size is not None:
        return _bytes_of(value, size).ljust(32, b"\x00")
    return _encode_integer(value, kind)


def _bytes_of(text: str, size: int | None) -> bytes:
    if re.fullmatch(r"0x([0-9a-f]{2})*", text) is None or size not in (None, len(text) // 2 - 1):
        raise ValueError("Not lower-case hexadecimal bytes of this size.")
    return bytes.fromhex(text[2:])


def _encode_integer(text: str, kind: str) -> bytes:
    bits = _integer_size(kind)
    if bits is None or re.fullmatch(r"0|-?[1-9][0-9]{0,77}", text) is None:
        raise ValueError("Not a decimal integer.")
    value = int(text)
    is_signed = kind.startswith("int")
    least, most = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if is_signed else (0, 2**bits - 1)
    if not least <= value <= most:
        raise ValueError("An integer out of range.")
    return (value % 2**256).to_bytes(32, "big")
