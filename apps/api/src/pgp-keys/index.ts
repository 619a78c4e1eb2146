export { makePgpKeys } from "./pgp-keys.ts";
export { makeRegistrarKey } from "./registrar-key.ts";
export { makePgpKeyStore } from "./store.ts";
