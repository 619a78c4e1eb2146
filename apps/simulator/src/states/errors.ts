import { defineErrors } from "@countersign/platform/errors";

export const stateErrors = defineErrors("state", {
  unknownChain: { status: 404, message: "No node is configured for this chain." },
  notCapturable: { status: 422, message: "The state cannot be captured." },
  disagreement: { status: 503, message: "The nodes of this chain disagree on its newest blocks." },
  unavailable: { status: 503, message: "Too few nodes of this chain answer with proofs." },
  busy: { status: 503, message: "Too many states are being captured. Try again in a second." },
});
