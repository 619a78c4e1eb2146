import { defineErrors } from "@countersign/platform/errors";

export const transactionErrors = defineErrors("transactions", {
  // POST /transactions
  flowNotAllowed: {
    status: 400,
    message: "Invalid flow combination: an unencrypted payload is for execution type 0 (DIRECT_USER) only",
  },
  deadlineOutOfRange: { status: 400, message: "deadline is too near or too far" },
  serviceUnknown: { status: 400, message: "verificationServiceId names no active verification service" },
  tooLarge: { status: 400, message: "The proposal is too large: its parts do not fit into an envelope" },
  intentInvalid: {
    status: 400,
    message:
      "intentSignature is not the account's signature over exactly this userPrompt, chainId, nonce and expiresAt",
  },
  intentExpired: { status: 400, message: "intentSignature has expired" },
  intentUsed: { status: 400, message: "The nonce of intentSignature was used before" },
  payloadMalformed: {
    status: 400,
    message: "encryptedPayload must be exactly one armoured, integrity-protected OpenPGP message",
  },
  payloadForUnknown: {
    status: 400,
    message: "encryptedPayload must name its recipients: hidden ones cannot be checked",
  },
  payloadForOthers: {
    status: 400,
    message: "encryptedPayload is not encrypted to the verification service's key",
  },
  serviceKeyUnknown: {
    status: 400,
    message: "The verification service's key is not available, so encryptedPayload cannot be checked",
  },
  ownerHasNoKey: {
    status: 400,
    message: "payloadSignature cannot be checked: the owner has registered no OpenPGP key",
  },
  payloadSignatureInvalid: {
    status: 400,
    message:
      "payloadSignature must be one armoured OpenPGP signature over exactly encryptedPayload by the owner's registered key",
  },
  supersedesUnknown: { status: 400, message: "supersedes names no transaction of this account" },
  supersedesNotPending: { status: 400, message: "supersedes names a transaction that is no longer pending" },
  mayNotPropose: { status: 403, message: "Insufficient permission: the key may not create transactions" },
  keyRequired: { status: 403, message: "API key required for an unencrypted payload" },
  unencryptedNotAllowed: { status: 403, message: "Unencrypted payload not allowed" },
  agentPaused: {
    status: 403,
    message: "The owner has paused this agent. It can propose again once the owner resumes it.",
  },
  escrowNotYours: { status: 403, message: "Not authorized for this escrow address" },
  noSuchUser: { status: 404, message: "User not found" },
  walletUnavailable: { status: 503, message: "The wallet's chain did not answer. Try again." },

  // POST /transactions/{requestHash}/approvals, POST …/withdraw
  onlyForOrion: {
    status: 400,
    message: "attestation, report, bundle and UNDECIDED are for ORION keys",
  },
  otherRequestHash: { status: 400, message: "requestHash differs from the one in the path" },
  otherDecision: { status: 400, message: "decision in the query differs from the one in the body" },
  attestationRequired: {
    status: 400,
    message: "An APPROVED or UNDECIDED verdict needs the attestation of a registered verification service",
  },
  wrongBundle: { status: 400, message: "The bundle is not the inputs of the verdict" },
  wrongAttestation: { status: 400, message: "The attestation is not valid" },
  notPending: { status: 400, message: "The transaction is not pending" },
  contradiction: { status: 400, message: "You have already decided otherwise" },
  otherVerdict: { status: 400, message: "The transaction already has another verdict" },
  notYours: { status: 403, message: "Not your transaction" },
  /** Also for another account's transaction wherever reading is refused, so that the answer does not reveal it. */
  notFound: { status: 404, message: "Transaction not found" },

  // GET /transactions/users/{ethereumAddress}, GET …/receipt
  badCursor: { status: 400, message: "The cursor is not valid" },
  onlyOwn: { status: 403, message: "You can list only your own transactions" },
  bundleNotYours: { status: 403, message: "The inputs of a verdict are for its owner" },
  noVerdict: { status: 404, message: "The transaction has no verdict yet" },

  // POST /transactions/{requestHash}/release
  nothingToRelease: { status: 400, message: "The transaction is neither a signature nor a batch" },
  otherSigningHash: { status: 400, message: "signingHash differs from the proposed one" },
  notReleasable: {
    status: 409,
    message: "The signature or batch is not approved, has expired, or was released before",
  },

  // POST /custody/admin/transactions
  notApproved: {
    status: 400,
    message: "requestHash names no transaction of this escrow that may be sent now",
  },
  notEqual: { status: 400, message: "to, value or data differs from the approved transaction" },
  chainNotWatched: {
    status: 400,
    message: "This chain is not watched, so nothing can be sent on it",
  },
  notLookedAt: {
    status: 400,
    message: "It was verified before its wallet was set up for custody. Propose it again.",
  },
  walletBusy: {
    status: 400,
    message: "Another transaction of this wallet is being sent. Try again once it is in a block.",
  },
  noSuchEscrow: { status: 404, message: "No user has this escrow address" },
  noIntegration: { status: 404, message: "No active integration of this type has this escrow address" },

  // PATCH /internal/orion-metadata/{requestHash}/…
  metadataTooLarge: { status: 400, message: "All members together exceed 64 kB" },
  onlyForServers: { status: 403, message: "Only for ORION and ADMIN keys" },
  alreadySet: { status: 409, message: "A stored member cannot change" },
});
