export { makeIpfs, type Ipfs } from "./ipfs.ts";
export { connectIpfs, ipfsSettings, type IpfsSettings } from "./settings.ts";
