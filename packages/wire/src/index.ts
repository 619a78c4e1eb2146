// The whole surface of the package's main door. It leans on viem and on the RFC 8785 serializer alone, and does no I/O.
export type { Hex } from "viem";
export { domainOf, type TypedDomain, type WireDomain } from "./domain.ts";
export {
  hashData,
  hashIntent,
  hashProposal,
  hashSealedProposal,
  type ExecutionType,
  type ProposalFields,
  type SealedProposalFields,
} from "./proposal.ts";
export { hashShapedProposal, type ShapedProposalFields } from "./shaped-proposal.ts";
export { hashPayload, isFor, originOf, parsePayload, type Payload } from "./shape.ts";
export { shapes, type Shape } from "./shape-names.ts";
export { parseAuthorizationList, type Authorization, type AuthorizationList } from "./authorization-list.ts";
export {
  entryPoints,
  parseUserOperation,
  type EntryPointVersion,
  type UserOperation,
} from "./user-operation.ts";
export { largestFee, packUserOperation, type PackedUserOperation } from "./packed-user-operation.ts";
export { maximumMessageLength, parseMessage } from "./message.ts";
export { parseSafeTransaction, safeTypedData, type SafeTransaction } from "./safe-transaction.ts";
export { maximumCalls, parseCalls, type BatchCall, type Calls } from "./calls.ts";
export {
  hashTypedData,
  parseTypedData,
  typedDataDefinition,
  TypedDataProblem,
  writeTypedData,
  type TypedData,
} from "./typed-data.ts";
export {
  findBreaches,
  readBounds,
  type AllowanceBound,
  type BalanceBound,
  type Bounds,
  type Fresh,
  type NoBounds,
} from "./bounds.ts";
export {
  registrationProof,
  registrationRoot,
  registrationRootFrom,
  type Registered,
  type Registrations,
} from "./registration.ts";
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
