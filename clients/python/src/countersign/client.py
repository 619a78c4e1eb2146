"""The client of the main service: propose, wait, fetch the receipt."""

import re
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias, cast

from .errors import CountersignError
from .generated.operations import Operations
from .generated.types import (
    ApiKeyApproval,
    NewTransaction,
    NewTransactionIntentSignature,
    OrionApproval,
    Receipt,
    Transaction,
    TransactionView,
)
from .http import Answer, Ask, Http, read_api_key, read_origin
from .transport import Transport, send_with_urllib
from .wait import Wait

Status: TypeAlias = Literal["PENDING", "APPROVED", "REJECTED", "EXECUTED", "FAILED"]
"""The status of a transaction. Send only on APPROVED."""

OnProgress: TypeAlias = Callable[[TransactionView], None]
"""Called with the first state and after each change."""

_FINAL = ("REJECTED", "EXECUTED", "FAILED")


@dataclass(frozen=True)
class Call:
    """A call: recipient, value in wei and calldata. Raises CountersignError if it is malformed."""

    to: str
    value: int = 0
    data: str = "0x"

    def __post_init__(self) -> None:
        # A float loses digits beyond 2^53 wei, which is less than a hundredth of an ether.
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise CountersignError("value must be an int, in wei")
        if not 0 <= self.value < 2**256:
            raise CountersignError("value must be from 0 to 2^256 - 1")
        if re.fullmatch(r"0x[0-9a-fA-F]{40}", self.to) is None:
            raise CountersignError("to must be an address: 0x and 40 hex digits")
        if re.fullmatch(r"0x([0-9a-fA-F]{2})*", self.data) is None:
            raise CountersignError("data must be 0x and whole bytes in hex digits")


class Countersign:
    """A client for one installation and one API key. Safe to use from several threads.

    `url` is the address of the service, without a path. Without `api_key` only public endpoints
    work. `retries` says how often an idempotent request is retried, `timeout` how many seconds one
    attempt waits for the service. `transport` replaces urllib. Raises CountersignError if `url` or
    `api_key` is malformed, and makes no request.
    """

    def __init__(
        self,
        url: str,
        *,
        api_key: str | None = None,
        retries: int = 3,
        timeout: float = 30.0,
        transport: Transport = send_with_urllib,
    ) -> None:
        self._http = Http(
            origin=read_origin(url),
            transport=transport,
            api_key=None if api_key is None else read_api_key(api_key),
            retries=retries,
            timeout=timeout,
        )
        self._address: str | None = None
        self.api = Operations(self._send)
        """Every endpoint that an API key may call, with the same retries and errors."""

    def __repr__(self) -> str:
        return f"Countersign({self._http.origin!r})"

    def request(self, method: str, path: str, **options: Any) -> Answer:
        """Calls any endpoint. `options` are those of `Ask`, for example `query` and `body`."""
        return self._http.send(Ask(method, path, **options))

    def address(self) -> str:
        """Returns the account of the API key. Cached after the first call."""
        if self._address is None:
            found = self.api.get_user_api_keys_self()["ethereumAddress"]
            if found is None:
                raise CountersignError("This key does not belong to an account: set escrow_address")
            self._address = found
        return self._address

    def propose(
        self,
        user_prompt: str,
        tx: Call,
        *,
        chain_id: int | None = None,
        escrow_address: str | None = None,
        deadline: datetime | None = None,
        context_logs: dict[str, Any] | None = None,
        intent_signature: NewTransactionIntentSignature | None = None,
        supersedes: str | None = None,
        verification_service_id: int | None = None,
        idempotency_key: str | None = None,
    ) -> Transaction:
        """Proposes a transaction. Once it returns, the proposal is stored and will be processed.

        `user_prompt` is the user's request, unchanged. `escrow_address` is the wallet whose funds
        move, by default the account of the API key. The proposal expires if undecided by
        `deadline`, by default after 24 hours. Repeating a call with the same `idempotency_key`
        returns the first proposal; by default each call has a random key.

        Raises InvalidRequestError for invalid input and PermissionDeniedError if the escrow belongs
        to another account.
        """
        body: NewTransaction = {
            "escrowAddress": escrow_address or self.address(),
            "userPrompt": user_prompt,
            "tx": {"to": tx.to, "value": str(tx.value), "data": tx.data},
        }
        if chain_id is not None:
            body["chainId"] = chain_id
        if deadline is not None:
            body["deadline"] = _seconds_of(deadline)
        if context_logs is not None:
            body["contextLogs"] = context_logs
        if intent_signature is not None:
            body["intentSignature"] = intent_signature
        if supersedes is not None:
            body["supersedes"] = supersedes
        if verification_service_id is not None:
            body["verificationServiceId"] = verification_service_id
        return self.api.post_transactions(body, idempotency_key=_key(idempotency_key))

    def transaction(self, request_hash: str) -> TransactionView:
        """Returns one transaction. Raises NotFoundError if it is unknown to this account."""
        return self.api.get_transactions_by_request_hash(request_hash)

    def wait_for_verdict(
        self, request_hash: str, *, timeout: float = 600.0, on_progress: OnProgress | None = None
    ) -> OrionApproval:
        """Waits for the verdict of the verification service and returns it, whatever the decision.

        A rejection is not an error, and an APPROVED verdict is not yet permission to send: see
        `wait_for_status`. Raises WaitTimeoutError after `timeout` seconds, and CountersignError if
        the proposal ended without a verdict.
        """

        def is_judged(view: TransactionView) -> bool:
            return len(view["approvals"]["orion"]) > 0 or view["status"] in _FINAL

        view = Wait(self._http, request_hash, is_judged, timeout, on_progress).run()
        verdicts = view["approvals"]["orion"]
        if verdicts:
            return verdicts[0]
        why = "" if view["reason"] is None else f" ({view['reason']})"
        raise CountersignError(f"{request_hash} is {view['status']}{why}, without a verdict")

    def wait_for_status(
        self,
        request_hash: str,
        statuses: Collection[Status],
        *,
        timeout: float = 600.0,
        on_progress: OnProgress | None = None,
    ) -> TransactionView:
        """Waits until the transaction has one of these statuses or a final one.

        Raises WaitTimeoutError after `timeout` seconds.
        """

        def is_there(view: TransactionView) -> bool:
            # LAPSED: the approval expired, and the status stays APPROVED.
            return view["status"] in (*statuses, *_FINAL) or view["phase"] == "LAPSED"

        return Wait(self._http, request_hash, is_there, timeout, on_progress).run()

    def reject(self, request_hash: str, *, idempotency_key: str | None = None) -> ApiKeyApproval:
        """Rejects a transaction. A rejection is final."""
        approval = self.api.post_transactions_by_request_hash_approvals(
            request_hash, {"decision": "REJECTED"}, idempotency_key=_key(idempotency_key)
        )
        return cast(ApiKeyApproval, approval)

    def withdraw(self, request_hash: str) -> TransactionView:
        """Withdraws a pending proposal."""
        return self.api.post_transactions_by_request_hash_withdraw(request_hash)

    def receipt(self, request_hash: str) -> Receipt:
        """Returns everything needed to verify the verdict offline: see `verify_receipt`."""
        return self.api.get_transactions_by_request_hash_receipt(request_hash)

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
    ) -> Any:
        ask = Ask(method, path, query=query or {}, body=body, idempotency_key=idempotency_key)
        return self._http.send(ask).body


def _key(idempotency_key: str | None) -> str:
    return secrets.token_urlsafe(24) if idempotency_key is None else idempotency_key


def _seconds_of(deadline: datetime) -> int:
    # Without a time zone, the same datetime means another moment on another machine.
    if deadline.tzinfo is None:
        raise CountersignError("deadline must have a time zone")
    return int(deadline.timestamp())
