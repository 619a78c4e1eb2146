// The whole surface of the package's main door. It leans on viem and on the RFC 8785 serializer alone, and does no I/O.
export type { Hex } from "viem";
export { domainOf, type TypedDomain, type WireDomain } from "./domain.ts";
export {
  hashData,
  hashIntent,
  hashProposal,
  hashSealedProposal,
  hashShapedProposal,
  type ExecutionType,
  type ProposalFields,
  type SealedProposalFields,
  type ShapedProposalFields,
} from "./proposal.ts";
export { hashPayload, shapes, type Payload, type Shape } from "./shape.ts";
export {
  hashTypedData,
  parseTypedData,
  typedDataDefinition,
  TypedDataProblem,
  writeTypedData,
  type TypedData,
} from "./typed-data.ts";
export { hashReport } from "./report.ts";
export {
  decisionCodes,
  hashVerdict,
  verdictTypedData,
  type Decision,
  type ShapedVerdict,
  type Verdict,
} from "./verdict.ts";
export {
  attest,
  readAttestation,
  recoverAttestationSigner,
  verdictOf,
  type Attestation,
  type WrittenVerdict,
} from "./attestation.ts";
export { intentTypedData, type Intent } from "./intent.ts";
export { hashMandate, mandateTypedData, type Mandate, type MandateLimit } from "./mandate.ts";
export { hashPolicy, policyTypedData, type Policy } from "./policy.ts";
