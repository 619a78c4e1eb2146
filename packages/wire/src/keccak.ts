// keccak256 in JavaScript, for browsers and for users of the SDK. Node uses `keccak-node.ts`; `#keccak` in package.json chooses.
import { keccak256 } from "viem/utils";

/** Returns the 32 bytes of keccak256. */
export const keccak = (bytes: Uint8Array): Uint8Array => keccak256(bytes, "bytes");
