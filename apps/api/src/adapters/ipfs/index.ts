export { makeIpfs, type Ipfs } from "./ipfs.ts";
