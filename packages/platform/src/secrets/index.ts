export {
  openSecret,
  rewrapDataKey,
  sealSecret,
  type Place,
  type SealedSecret,
  type WrappedKey,
} from "./envelope.ts";
export { SecretError } from "./errors.ts";
export { aesKeyText, makeLocalKek, type Keks } from "./key-encryption-key.ts";
export { loadKeks, type KekSettings } from "./load-keks.ts";
export { findPrivateFile, makePrivateFile, refuseFile, type PrivateFile } from "./private-file.ts";
export { kekSettings } from "./settings.ts";
export { refuseMadeKey } from "./refuse-made-key.ts";
