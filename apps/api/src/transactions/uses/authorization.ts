// EIP-7702: a transaction that contains the tuple, signed by the account.
import type { AuthorizationList, Hex } from "@countersign/wire";
import { markOf, type Mark, type Proof } from "./proof.ts";

/** Also made of the tuples of each block. */
export const delegationMark = (address: Hex, nonce: bigint): Mark =>
  markOf("delegation", address, nonce.toString());

/** The code of an account that is delegated to that address. Without a delegation it has none. */
const delegatedTo = (address: Hex): Hex => (BigInt(address) === 0n ? "0x" : `0xef0100${address.slice(2)}`);

export function authorizationProof(account: Hex, [{ chainId, address, nonce }]: AuthorizationList): Proof {
  const number = BigInt(nonce);
  return {
    ...{ kind: "eip7702", contracts: [], marks: [delegationMark(address, number)], endsAt: null },
    // A tuple with another nonce than the account's is skipped, whether the transaction succeeds or not.
    judge: ({ delegations }) =>
      delegations.some(
        (one) =>
          one.authority === account &&
          one.address === address &&
          one.nonce === number &&
          one.chainId === chainId,
      )
        ? {
            ...{ outcome: "used", closesHere: true },
            confirm: {
              read: { codeOf: account },
              holds: (code) => code === delegatedTo(address),
              otherwise: "spent",
            },
          }
        : undefined,
    state: {
      read: { nonceOf: account },
      isOpen: (answer) => BigInt(answer) <= number,
      // The account sent a transaction, or used another authorization, with this nonce.
      closedBy: "unusable",
    },
  };
}
