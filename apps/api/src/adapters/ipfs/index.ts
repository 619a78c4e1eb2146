// Storage for encrypted payloads: our own Kubo node, and optionally a pinning service.
export { connectIpfs, makeIpfs, type Ipfs } from "@countersign/platform/ipfs";
