export { makeKeyring, type Keyring, type Keys, type KeySettings } from "./keyring.ts";
export type { Unsealer } from "./pgp-key.ts";
