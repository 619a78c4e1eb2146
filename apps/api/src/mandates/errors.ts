import { defineErrors } from "@countersign/platform/errors";

export const mandateErrors = defineErrors("mandates", {
  otherAccount: { status: 400, message: "terms.account is not your account" },
  otherInstallation: {
    status: 400,
    message: "terms.homeChainId or terms.inbox is not this service's. Ask for a draft here.",
  },
  agentUnknown: { status: 400, message: "agent names no active API key or connected program of the account" },
  periodNotAllowed: {
    status: 400,
    message: "validUntil must be in the future, after validFrom, and at most a year after it",
  },
  wrongSignature: {
    status: 400,
    message: "signature is not the account's EIP-712 signature over exactly these terms",
  },
  otherAgent: { status: 400, message: "agent is not this key: an agent asks for its own mandate" },
  nonceUsed: { status: 409, message: "A mandate with this nonce exists already" },
  notFound: { status: 404, message: "Mandate not found" },
  noAccount: { status: 403, message: "Server keys have no mandates" },
  notReplaceable: {
    status: 400,
    message: "replaces names no mandate of the same agent that is scheduled or active",
  },
  busy: { status: 503, message: "The agent's transactions are being approved. Try again." },
  requestNotFound: { status: 404, message: "Mandate request not found" },
  tooManyRequests: {
    status: 409,
    message: "The account has 20 open requests for mandates. The owner decides first.",
  },
  walletUnavailable: { status: 503, message: "The wallet's chain did not answer. Try again." },
});
