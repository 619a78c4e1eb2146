import type { Hex } from "../../../platform/db/hex.ts";

/** A block that was read. In a list each is the child of the one before. */
export type ReadBlock = { readonly number: bigint; readonly hash: Hex };
