"""Keccak-256, the hash function of Ethereum. Its padding differs from that of SHA3-256."""

_MASK = (1 << 64) - 1
_RATE = 136

_ROUND_CONSTANTS = (
    0x0000000000000001, 0x0000000000008082, 0x800000000000808A, 0x8000000080008000,
    0x000000000000808B, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008A, 0x0000000000000088, 0x0000000080008009, 0x000000008000000A,
    0x000000008000808B, 0x800000000000008B, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800A, 0x800000008000000A,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
)  # fmt: skip


def _lane_moves() -> tuple[tuple[int, int, int, int], ...]:
    """Returns (source, column, target, rotation) of every lane for the steps rho and pi."""
    moves = [(0, 0, 0, 0)]
    x, y = 1, 0
    for step in range(24):
        to_x, to_y = y, (2 * x + 3 * y) % 5
        moves.append((x + 5 * y, x, to_x + 5 * to_y, (step + 1) * (step + 2) // 2 % 64))
        x, y = to_x, to_y
    return tuple(moves)


_MOVES = _lane_moves()


def _permute(lanes: list[int]) -> list[int]:
    """Applies Keccak-f[1600] to 25 lanes of 64 bits.

    Rotations and rows are written out, because function calls would take half of the time.
    """
    moved = [0] * 25
    for constant in _ROUND_CONSTANTS:
        c = [
            lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20]
            for x in range(5)
        ]
        mixed = [c[x - 1] ^ ((c[x - 4] << 1 | c[x - 4] >> 63) & _MASK) for x in range(5)]
        for source, column, target, by in _MOVES:
            lane = lanes[source] ^ mixed[column]
            moved[target] = (lane << by | lane >> (64 - by)) & _MASK
        lanes = []
        for row in range(0, 25, 5):
            r0, r1, r2, r3, r4 = moved[row : row + 5]
            lanes += [r0 ^ ~r1 & r2, r1 ^ ~r2 & r3, r2 ^ ~r3 & r4, r3 ^ ~r4 & r0, r4 ^ ~r0 & r1]
        lanes[0] ^= constant
    return lanes


def keccak256(data: bytes) -> bytes:
    """Returns the 32-byte Keccak-256 hash of `data`."""
    padded = bytearray(data)
    padded += b"\x00" * (_RATE - len(data) % _RATE)
    padded[len(data)] ^= 0x01
    padded[-1] ^= 0x80
    lanes = [0] * 25
    for start in range(0, len(padded), _RATE):
        for lane in range(_RATE // 8):
            at = start + 8 * lane
            lanes[lane] ^= int.from_bytes(padded[at : at + 8], "little")
        lanes = _permute(lanes)
    return b"".join(lane.to_bytes(8, "little") for lane in lanes[:4])
