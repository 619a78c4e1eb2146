export { makeIpfs, type Ipfs } from "./ipfs.ts";
export { connectIpfs, ipfsSettings } from "./settings.ts";
