// A Safe's transaction: its events name the safeTxHash.
import type { Hex } from "@countersign/wire";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { markOf, type EventLog, type Proof } from "./proof.ts";
import { topics } from "./topics.ts";
import { wordAt, wordOf } from "./words.ts";

const abi = parseAbi(["function nonce() view returns (uint256)"]);

const hashIn = ({ topics: [, indexed], data }: EventLog): Hex | undefined => {
  // Indexed since version 1.4.0.
  if (indexed !== undefined) return indexed;
  const first = wordAt(data, 0);
  return first === undefined ? undefined : wordOf(first);
};

export function safeProof(safe: Hex, safeTxHash: Hex, nonce: bigint): Proof {
  const isOf = (log: EventLog, topic: Hex): boolean =>
    log.address === safe && log.topics[0] === topic && hashIn(log) === safeTxHash;
  return {
    ...{ kind: "safe", contracts: [safe], endsAt: null },
    marks: [markOf(safe, topics.executionSuccess), markOf(safe, topics.executionFailure)],
    judge: ({ logs }) => {
      if (logs.some((log) => isOf(log, topics.executionSuccess))) return { outcome: "used" };
      return logs.some((log) => isOf(log, topics.executionFailure)) ? { outcome: "failed" } : undefined;
    },
    state: {
      read: { to: safe, data: encodeFunctionData({ abi }) },
      isOpen: (answer) => {
        const next = wordAt(answer, 0);
        return next === undefined ? undefined : next <= nonce;
      },
      // The Safe executed another transaction with this nonce.
      closedBy: "unusable",
    },
  };
}
