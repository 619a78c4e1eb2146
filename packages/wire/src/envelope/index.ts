// What is pinned to IPFS, what is inside, and how it is named there.
export { Content, isWhole, proposalOf, readContent, WholeContent, writeContent } from "./content.ts";
export { cidOf, digestOf, digestOfCid } from "./cid.ts";
export { Envelope, readEnvelope, writeEnvelope } from "./envelope.ts";
export { maximumEnvelopeBytes } from "./read-json-text.ts";
