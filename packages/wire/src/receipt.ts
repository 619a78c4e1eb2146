// The functions that verify a receipt about a transaction. An entry of its own, so that a page about one does not load every shape.
export { readAttestation, recoverAttestationSigner, verdictOf, type Attestation } from "./attestation.ts";
export {
  hashData,
  hashIntent,
  hashProposal,
  hashSealedProposal,
  type ExecutionType,
  type Terms,
} from "./proposal.ts";
export { hashReport } from "./report.ts";
