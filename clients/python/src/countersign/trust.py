"""Reads the signer of a verification service from the home chain, without trusting the service."""

from typing import Any

from .errors import CountersignError
from .http import read_json, write_json
from .keccak import keccak256
from .receipt import Trust
from .transport import Request, Transport, TransportError, send_with_urllib

_SERVICE_OF = keccak256(b"serviceOf(uint256)")[:4]


def fetch_trust(
    rpc_url: str,
    *,
    service_registry: str,
    inbox: str,
    service_id: int = 1,
    timeout: float = 30.0,
    transport: Transport = send_with_urllib,
) -> Trust:
    """Reads the trusted signer from the chain. Store the result to verify receipts offline.

    `rpc_url` is a node of the home chain that you trust. `service_registry` and `inbox` are the
    contracts of the installation there, as published by its operator. Raises CountersignError if
    the registry cannot be read.
    """

    def ask(method: str, parameters: list[Any]) -> Any:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        headers = {"content-type": "application/json", "accept": "application/json"}
        try:
            response = transport(Request("POST", rpc_url, headers, write_json(body), timeout))
        except (TransportError, ValueError):
            # Without `from`: the address of a node often contains a key.
            raise CountersignError(f"The node did not answer {method}") from None
        answer = read_json(response.body)
        if response.status != 200 or not isinstance(answer, dict) or "result" not in answer:
            raise CountersignError(f"The node answered {method} with an error")
        return answer["result"]

    try:
        chain_id = int(ask("eth_chainId", []), 16)
        data = "0x" + (_SERVICE_OF + service_id.to_bytes(32, "big")).hex()
        found = ask("eth_call", [{"to": service_registry, "data": data}, "latest"])
        return Trust(chain_id, inbox, _signer_of(bytes.fromhex(found.removeprefix("0x"))))
    except (AttributeError, OverflowError, TypeError, ValueError):
        raise CountersignError(
            f"Could not read the signer of service {service_id} from the registry "
            f"{service_registry}"
        ) from None


def _signer_of(answer: bytes) -> str:
    """Decodes the first member of the structure that serviceOf returns: the signer's address."""
    # A structure with dynamic members: the position of its data, then its members.
    if answer[:32] != (32).to_bytes(32, "big") or len(answer) < 64 or any(answer[32:44]):
        raise ValueError("Not a service.")
    signer = answer[44:64]
    if not any(signer):
        raise ValueError("The service has no signer.")
    return "0x" + signer.hex()
