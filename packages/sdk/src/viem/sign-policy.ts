// The owner's signature over a version of a policy, which is the only thing that changes one.
import { policyTypedData, type Policy as Terms } from "@countersign/wire";
import type { SignedPolicy } from "../policies.ts";
import type { Hex } from "../types.ts";
import { signerOf, type Wallet } from "./signer.ts";

/** Options of `signPolicy`. */
export type SignPolicyOptions = {
  readonly wallet: Wallet;
  /** As returned by `policies.draft`. Show them to the owner first. */
  readonly terms: SignedPolicy["terms"];
};

/** Signs a version of a policy (EIP-712). Pass the result as `signature` of `policies.set`. */
export const signPolicy = ({ wallet, terms }: SignPolicyOptions): Promise<Hex> =>
  signerOf(wallet).signTypedData(policyTypedData(terms as Terms));
