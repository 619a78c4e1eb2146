// Where sealed payloads are kept: our own node, Kubo, and optionally a pinning service.
export { connectIpfs, makeIpfs, type Ipfs } from "@countersign/platform/ipfs";
