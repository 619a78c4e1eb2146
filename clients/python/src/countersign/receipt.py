"""Verifies a receipt offline.

Recomputes every hash and compares it with the facts that the reader already trusts: the
installation and its signer. The checks and their sentences are those of `verifyReceipt` in the
TypeScript SDK. A test compares both on random receipts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from .attestation import Attestation, read_attestation, recover_signer
from .canonical_json import hash_report
from .errors import CountersignError
from .payload import PAYLOAD_SHAPES, Payload, hash_payload
from .read_json import MISSING, is_decimal, member, read_address, read_count
from .typed_data import (
    Home,
    ShapedVerdictFields,
    Terms,
    VerdictFields,
    hash_data,
    hash_proposal,
    hash_sealed_proposal,
    hash_shaped_proposal,
    hash_text,
)

SignedTransactionVerdict: TypeAlias = VerdictFields
"""Version 1: a verdict about a transaction."""
SignedShapeVerdict: TypeAlias = ShapedVerdictFields
"""Version 2: a verdict about other data to sign, bound to the exact hash that is signed."""
SignedVerdict: TypeAlias = SignedTransactionVerdict | SignedShapeVerdict


@dataclass(frozen=True)
class Trust:
    """The trusted facts about an installation, from a source other than the receipt.

    `fetch_trust` reads them from the chain. Raises CountersignError if a member is malformed.
    """

    chain_id: int
    """The home chain of the installation."""
    inbox: str
    """Its Inbox contract there."""
    signer: str
    """The address that the verification service signs with, as the ServiceRegistry has it."""

    def __post_init__(self) -> None:
        if read_count(self.chain_id) is None or not isinstance(self.chain_id, int):
            raise CountersignError("chain_id must be a whole number")
        if read_address(self.inbox) is None or read_address(self.signer) is None:
            raise CountersignError("inbox and signer must be addresses: 0x and 40 hex digits")


@dataclass(frozen=True)
class ValidReceipt:
    """The receipt is what the trusted verification service signed. True in a condition."""

    verdict: SignedVerdict
    """Compare `valid_until` with the time yourself: an expired receipt is still valid."""
    signer: str
    is_valid: Literal[True] = True

    @property
    def decision(self) -> str:
        """APPROVED, REJECTED or UNDECIDED."""
        return self.verdict.decision

    def __bool__(self) -> bool:
        return True


@dataclass(frozen=True)
class InvalidReceipt:
    """The receipt proves nothing. False in a condition."""

    problems: tuple[str, ...]
    """All problems, one sentence each."""
    is_valid: Literal[False] = False

    def __bool__(self) -> bool:
        return False


Verification: TypeAlias = ValidReceipt | InvalidReceipt


def verify_receipt(receipt: Any, trust: Trust) -> Verification:
    """Verifies the proposal, the verdict, the report and the signer, offline.

    It does not verify `registration`, `execution`, `settlement` or `teeProof`: check those on
    chain. Accepts any parsed JSON and never raises for its content.
    """
    try:
        return _verify(receipt, trust)
    except (ValueError, RecursionError):
        return InvalidReceipt(("Not a receipt: a member is missing or malformed.",))


def _verify(receipt: Any, trust: Trust) -> Verification:
    written = member(receipt, "attestation")
    attestation = read_attestation(written)
    if attestation is None:
        problem = (
            "It has no signed verdict: verification did not finish in time."
            if written is None
            else "Its verdict is malformed: a member is missing or invalid."
        )
        return InvalidReceipt((problem,))
    proposal = member(receipt, "proposal")
    payload = _payload_of(proposal)
    problems = [
        *_domain_problems(receipt, attestation, trust, "1" if payload is None else "2"),
        *_request_problems(receipt, attestation, trust, payload),
        *_call_problems(proposal, attestation.verdict, payload),
        *_report_problems(receipt, attestation.verdict),
        *_signature_problems(receipt, attestation, trust),
    ]
    if problems:
        return InvalidReceipt(tuple(problems))
    return ValidReceipt(attestation.verdict, trust.signer)


def _same(one: Any, other: str) -> bool:
    """Compares hexadecimal text without regard to case."""
    return isinstance(one, str) and one.lower() == other.lower()


def _payload_of(proposal: Any) -> Payload | None:
    """Returns the payload of another shape than a transaction, or None for a transaction.

    Raises ValueError on malformed data. Receipts from before version 2 have no such members.
    """
    given = [
        (shape, value)
        for shape in PAYLOAD_SHAPES
        if (value := member(proposal, shape)) is not None and value is not MISSING
    ]
    if len(given) > 1:
        raise ValueError("More than one payload.")
    return hash_payload(*given[0]) if given else None


def _domain_problems(
    receipt: Any, attestation: Attestation, trust: Trust, version: str
) -> list[str]:
    """Compares both domains with the trusted installation."""
    domain = member(receipt, "domain")
    home = attestation.home
    is_trusted = (
        member(domain, "name") == "Countersign"
        and member(domain, "version") == version
        and read_count(member(domain, "chainId")) == trust.chain_id
        and _same(member(domain, "verifyingContract"), trust.inbox)
        and home.chain_id == trust.chain_id
        and _same(home.inbox, trust.inbox)
    )
    if is_trusted:
        return []
    return ["It was signed for another installation: its chain or its Inbox contract differs."]


def _request_problems(
    receipt: Any, attestation: Attestation, trust: Trust, payload: Payload | None
) -> list[str]:
    """Compares the request hash with the proposal."""
    problems = []
    request_hash = member(receipt, "requestHash")
    home = Home(trust.chain_id, trust.inbox)
    computed = _hash_of(member(receipt, "proposal"), home, payload)
    if computed is None:
        problems.append("Its proposal is malformed: a member is missing or invalid.")
    elif not _same(request_hash, computed):
        problems.append("Its request hash does not match its proposal.")
    if not _same(request_hash, attestation.verdict.request_hash):
        problems.append("Its verdict belongs to another proposal: the request hash differs.")
    return problems


def _is_sealed(proposal: Any) -> bool:
    return member(proposal, "ciphertext") is not None


def _hash_of(proposal: Any, home: Home, payload: Payload | None) -> str | None:
    """Returns the request hash, or None for a malformed proposal."""
    terms = _terms_of(proposal)
    if terms is None:
        return None
    to, value, data, user_prompt = (
        member(proposal, name) for name in ("to", "value", "data", "userPrompt")
    )
    ciphertext = member(proposal, "ciphertext")
    try:
        if ciphertext is not None:
            # Reject plaintext members next to a ciphertext, because no hash covers them.
            plain_members = (to, value, data, user_prompt, payload)
            is_bare = all(plain is None for plain in plain_members)
            if not is_bare or not isinstance(ciphertext, str):
                return None
            return hash_sealed_proposal(home, terms, ciphertext=ciphertext)
        if payload is not None:
            is_alone = all(plain is None for plain in (to, value, data))
            if not is_alone or not isinstance(user_prompt, str):
                return None
            return hash_shaped_proposal(
                home,
                terms,
                shape=payload.shape,
                signing_hash=payload.signing_hash,
                user_prompt=user_prompt,
            )
        if not all(isinstance(plain, str) for plain in (to, value, data, user_prompt)):
            return None
        if not is_decimal(value):
            return None
        return hash_proposal(
            home, terms, to=to, value=int(value), data=data, user_prompt=user_prompt
        )
    except ValueError:
        return None


def _terms_of(proposal: Any) -> Terms | None:
    escrow, salt = member(proposal, "escrow"), member(proposal, "salt")
    chain_id = read_count(member(proposal, "chainId"))
    execution_type = read_count(member(proposal, "executionType"))
    deadline = read_count(member(proposal, "deadline"))
    if chain_id is None or execution_type not in (0, 1, 2) or deadline is None:
        return None
    if not isinstance(escrow, str) or not isinstance(salt, str):
        return None
    return Terms(escrow, chain_id, execution_type, deadline, salt)


def _call_problems(
    proposal: Any, verdict: SignedVerdict, payload: Payload | None
) -> list[str]:
    """Compares the verdict with the call and the request.

    If the sender encrypted them, only the sender can.
    """
    problems = []
    is_sealed = _is_sealed(proposal)
    is_call = is_sealed or _is_signed(proposal, verdict, payload)
    is_call = is_call and _is_named(proposal, verdict)
    is_chain = read_count(member(proposal, "chainId")) == verdict.chain_id
    if not (is_call and is_chain and _same(member(proposal, "escrow"), verdict.escrow)):
        problems.append("Its verdict belongs to another call.")
    intent_hash = _hash_or_none(hash_text, member(proposal, "userPrompt"))
    if not is_sealed and not _same(intent_hash, verdict.intent_hash):
        problems.append("Its verdict belongs to another request.")
    if read_count(member(proposal, "deadline")) != verdict.valid_until:
        problems.append("Its verdict has another expiry than its proposal.")
    return problems


def _is_signed(proposal: Any, verdict: SignedVerdict, payload: Payload | None) -> bool:
    """Compares what would be signed: the call, or the hash of the data."""
    if isinstance(verdict, ShapedVerdictFields):
        return (
            payload is not None
            and payload.shape == verdict.shape
            and _same(payload.signing_hash, verdict.signing_hash)
        )
    return (
        payload is None
        and _same(member(proposal, "to"), verdict.to)
        and member(proposal, "value") == str(verdict.value)
        and _same(_hash_or_none(hash_data, member(proposal, "data")), verdict.data_hash)
    )


def _is_named(proposal: Any, verdict: SignedVerdict) -> bool:
    """Compares the shape and the hash that the receipt names. Older receipts name none."""
    shape, signing_hash = member(proposal, "shape"), member(proposal, "signingHash")
    if isinstance(verdict, ShapedVerdictFields):
        return shape in (MISSING, verdict.shape) and (
            signing_hash is MISSING or _same(signing_hash, verdict.signing_hash)
        )
    return shape in (MISSING, "tx") and signing_hash in (MISSING, None)


def _hash_or_none(hash_function: Callable[[str], str], value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    try:
        return hash_function(value)
    except ValueError:
        return None


def _report_problems(receipt: Any, verdict: SignedVerdict) -> list[str]:
    problems = []
    if member(receipt, "decision") != verdict.decision:
        problems.append("Its verdict and the receipt have different decisions.")
    report, report_hash = member(receipt, "report"), member(receipt, "reportHash")
    # There is no report if the sender encrypted the proposal.
    is_report = report is None or _same(_report_hash(report), verdict.report_hash)
    if not is_report or not (report_hash is None or _same(report_hash, verdict.report_hash)):
        problems.append("Its report does not match the verdict's report hash.")
    return problems


def _report_hash(report: Any) -> str | None:
    try:
        return None if report is MISSING else hash_report(report)
    except (ValueError, RecursionError):
        return None


def _signature_problems(receipt: Any, attestation: Attestation, trust: Trust) -> list[str]:
    try:
        found = recover_signer(attestation)
    except ValueError:
        return ["Its signature is malformed."]
    if not _same(found, trust.signer):
        return [f"It was signed by {found}, not by {trust.signer}."]
    service = member(receipt, "service")
    is_named = _same(attestation.signer, trust.signer) and (
        service is None or _same(member(service, "inbox"), trust.signer)
    )
    return [] if is_named else ["It names another signer than the one that signed."]
