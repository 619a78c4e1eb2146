export { makePgpKeys } from "./pgp-keys.ts";
export { readPublicKey } from "./read-public-key.ts";
export { makePgpKeyStore } from "./store.ts";
