// Payloads of proposals that are not a single transaction. Version 2 of requestHash and Verdict commit to the shape
// and to the exact hash that the wallet would sign.
import type { Hex } from "viem";
import { hashTypedData, type TypedData } from "./typed-data.ts";

/** The members are named as in `POST /transactions`. */
export type Payload = { readonly shape: "typedData"; readonly typedData: TypedData };

export type Shape = Payload["shape"];

/** In the order of the documentation. `tx` is not among them: version 1 covers it. */
export const shapes = ["typedData"] as const satisfies readonly Shape[];

/** Returns the hash that would be signed: for typed data the EIP-712 digest. */
export const hashPayload = ({ typedData }: Payload): Hex => hashTypedData(typedData);
