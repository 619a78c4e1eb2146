// The document that is pinned to IPFS, its content, and its CID.
export {
  Content,
  hashContent,
  isWhole,
  proposalOf,
  readContent,
  WholeContent,
  writeContent,
} from "./content.ts";
export { cidOf, digestOf, digestOfCid } from "./cid.ts";
export { Envelope, readEnvelope, writeEnvelope } from "./envelope.ts";
export { TypedDataField } from "./fields.ts";
export { maximumEnvelopeBytes } from "./read-json-text.ts";
