import { defineErrors } from "@countersign/platform/errors";

export const policyErrors = defineErrors("policies", {
  otherAccount: { status: 400, message: "terms.account is not your account" },
  otherInstallation: {
    status: 400,
    message: "terms.homeChainId or terms.inbox is not this service's. Ask for a draft here.",
  },
  notValid: { status: 400, message: "The policy is not valid. POST /policies/check lists every fault." },
  invariantNotValid: {
    status: 400,
    message: "An invariant is not valid. GET /policies/schema has the schema of invariants.",
  },
  wrongSignature: {
    status: 400,
    message: "signature is not the account's EIP-712 signature over exactly these terms",
  },
  notNext: {
    status: 409,
    message: "terms.version and terms.previous do not follow the newest version. Ask for a new draft.",
  },
  notFound: { status: 404, message: "Policy version not found" },
  searchUnavailable: {
    status: 503,
    message: "Other searches are running, or this one took too long. Try again, or with fewer invariants.",
  },
  walletUnavailable: { status: 503, message: "The wallet's chain did not answer. Try again." },
});
