"""Recovers the address that made an Ethereum signature.

Everything here is public: the signature, the hash and the recovered key. The code is therefore not
constant-time, and must not be used to sign.
"""

from typing import TypeAlias

from .keccak import keccak256

_P = 2**256 - 2**32 - 977
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
"""The number of points of the curve."""

# A point in Jacobian coordinates: (x / z², y / z³). z is 0 for the point at infinity.
_Point: TypeAlias = tuple[int, int, int]

_INFINITY: _Point = (0, 1, 0)
_GENERATOR: _Point = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
    1,
)


def _double(point: _Point) -> _Point:
    x, y, z = point
    if z == 0 or y == 0:
        return _INFINITY
    y_squared = y * y % _P
    s = 4 * x * y_squared % _P
    m = 3 * x * x % _P
    new_x = (m * m - 2 * s) % _P
    new_y = (m * (s - new_x) - 8 * y_squared * y_squared) % _P
    return new_x, new_y, 2 * y * z % _P


def _add(one: _Point, other: _Point) -> _Point:
    if one[2] == 0:
        return other
    if other[2] == 0:
        return one
    x1, y1, z1 = one
    x2, y2, z2 = other
    z1_squared, z2_squared = z1 * z1 % _P, z2 * z2 % _P
    u1, u2 = x1 * z2_squared % _P, x2 * z1_squared % _P
    s1, s2 = y1 * z2_squared * z2 % _P, y2 * z1_squared * z1 % _P
    if u1 == u2:
        return _double(one) if s1 == s2 else _INFINITY
    h, r = (u2 - u1) % _P, (s2 - s1) % _P
    h_squared = h * h % _P
    h_cubed = h * h_squared % _P
    v = u1 * h_squared % _P
    new_x = (r * r - h_cubed - 2 * v) % _P
    new_y = (r * (v - new_x) - s1 * h_cubed) % _P
    return new_x, new_y, h * z1 * z2 % _P


def _sum_of_products(a: int, point_a: _Point, b: int, point_b: _Point) -> _Point:
    """Returns a · point_a + b · point_b, with one chain of doublings for both."""
    both = _add(point_a, point_b)
    result = _INFINITY
    for bit in range(255, -1, -1):
        result = _double(result)
        match (a >> bit & 1, b >> bit & 1):
            case (1, 1):
                result = _add(result, both)
            case (1, 0):
                result = _add(result, point_a)
            case (0, 1):
                result = _add(result, point_b)
    return result


def _lift(x: int, is_odd: bool) -> _Point:
    """Returns the point with this x and a y of this parity. Raises ValueError if there is none."""
    y_squared = (pow(x, 3, _P) + 7) % _P
    y = pow(y_squared, (_P + 1) // 4, _P)
    if y * y % _P != y_squared:
        raise ValueError("The signature belongs to no point of the curve.")
    return x, y if y % 2 == int(is_odd) else _P - y, 1


def recover_address(digest: bytes, signature: bytes) -> str:
    """Returns the address, in lower case, whose key signed this 32-byte digest.

    `signature` is r, s and v (27 or 28), 65 bytes. Raises ValueError if no key could have made it.
    """
    if len(digest) != 32 or len(signature) != 65 or signature[64] not in (27, 28):
        raise ValueError("A signature has 65 bytes, of which the last is 27 or 28.")
    r = int.from_bytes(signature[:32], "big")
    s = int.from_bytes(signature[32:64], "big")
    if not (0 < r < ORDER and 0 < s < ORDER):
        raise ValueError("A member of the signature is out of range.")
    inverse = pow(r, -1, ORDER)
    by_generator = -int.from_bytes(digest, "big") * inverse % ORDER
    nonce_point = _lift(r, signature[64] == 28)
    x, y, z = _sum_of_products(by_generator, _GENERATOR, s * inverse % ORDER, nonce_point)
    if z == 0:
        raise ValueError("The signature belongs to no key.")
    z_inverse = pow(z, -1, _P)
    affine_x = x * z_inverse**2 % _P
    affine_y = y * z_inverse**3 % _P
    key = affine_x.to_bytes(32, "big") + affine_y.to_bytes(32, "big")
    return "0x" + keccak256(key)[12:].hex()
