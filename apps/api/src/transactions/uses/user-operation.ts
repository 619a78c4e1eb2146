// An ERC-4337 user operation: the entry point's event names the userOpHash.
import type { Hex } from "@countersign/wire";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { markOf, type Proof } from "./proof.ts";
import { isEvent, topics } from "./topics.ts";
import { wordAt } from "./words.ts";

const abi = parseAbi(["function getNonce(address sender, uint192 key) view returns (uint256)"]);

type Operation = { readonly entryPoint: Hex; readonly sender: Hex; readonly nonce: string };

export function userOperationProof({ entryPoint, sender, nonce }: Operation, userOpHash: Hex): Proof {
  const wanted = [topics.userOperation, userOpHash] as const;
  return {
    ...{ kind: "userOperation", contracts: [entryPoint], marks: [markOf(entryPoint, ...wanted)] },
    // Its end, if any, is known to the account's code only.
    endsAt: null,
    judge: ({ logs }) => {
      const event = logs.find((log) => isEvent(log, entryPoint, ...wanted));
      // The second word says whether the account's call succeeded.
      return event === undefined ? undefined : { outcome: wordAt(event.data, 1) === 1n ? "used" : "failed" };
    },
    state: {
      // The upper 192 bits of a nonce are its key, and each key has its own sequence.
      read: { to: entryPoint, data: encodeFunctionData({ abi, args: [sender, BigInt(nonce) >> 64n] }) },
      isOpen: (answer) => {
        const next = wordAt(answer, 0);
        return next === undefined ? undefined : next <= BigInt(nonce);
      },
      closedBy: "unusable",
    },
  };
}
