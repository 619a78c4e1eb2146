// The document that is pinned to IPFS, its content, and its CID.
export {
  Content,
  hashContent,
  isWhole,
  payloadIn,
  proposalOf,
  readContent,
  WholeContent,
  writeContent,
} from "./content.ts";
export { cidOf, digestOf, digestOfCid } from "./cid.ts";
export { Envelope, readEnvelope, writeEnvelope } from "./envelope.ts";
export {
  AuthorizationListField,
  CallsField,
  MessageField,
  SafeTransactionField,
  TypedDataField,
  UserOperationField,
} from "./fields.ts";
export { maximumEnvelopeBytes } from "./read-json-text.ts";
export { maximumRegistrations, readRegistrations, writeRegistrations } from "./registration-list.ts";
