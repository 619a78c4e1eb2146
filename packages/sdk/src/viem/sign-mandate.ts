// The owner's signature over a mandate, which is the only thing that grants one.
import { mandateTypedData, type Mandate as Terms } from "@countersign/wire";
import type { Hex, Mandate } from "../types.ts";
import { signerOf, type Wallet } from "./signer.ts";

/** Options of `signMandate`. */
export type SignMandateOptions = {
  readonly wallet: Wallet;
  /** As returned by `mandates.draft`. Show them to the owner first. */
  readonly terms: Mandate["terms"];
};

/** Signs the terms of a mandate (EIP-712). Pass the result as `signature` of `mandates.grant`. */
export const signMandate = ({ wallet, terms }: SignMandateOptions): Promise<Hex> =>
  signerOf(wallet).signTypedData(mandateTypedData(terms as Terms));
