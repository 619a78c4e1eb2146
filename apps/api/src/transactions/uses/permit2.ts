// Permit2: allowances have an event with everything that was signed. Transfers have none: only the bit of their nonce shows that one of
// this nonce was used.
import type { Hex } from "@countersign/wire";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { markOf, type EventLog, type Mined, type Proof } from "./proof.ts";
import { isEvent, topics } from "./topics.ts";
import { hexIn, after, integerIn, structsIn, type Message } from "./typed-message.ts";
import { topicOf, wordAt } from "./words.ts";

/** The same on almost every chain. A contract at another address may have other rules. */
export const permit2: Hex = "0x000000000022d473030f116ddee9f6b43ac78ba3";

const abi = parseAbi([
  "function allowance(address owner, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)",
  "function nonceBitmap(address owner, uint256 word) view returns (uint256)",
]);

type Allowance = { readonly token: Hex; readonly members: readonly [bigint, bigint, bigint] };

const allowancesIn = (message: Message): readonly Allowance[] =>
  structsIn(message, "details").map((details) => ({
    token: hexIn(details, "token"),
    members: [
      integerIn(details, "amount"),
      integerIn(details, "expiration"),
      integerIn(details, "nonce"),
    ] as const,
  }));

const isInvalidated = ({ data }: EventLog, nonce: bigint): boolean => {
  const [next, before] = [wordAt(data, 0), wordAt(data, 1)];
  return next !== undefined && before !== undefined && before <= nonce && nonce < next;
};

export function allowanceProof(owner: Hex, message: Message): Proof | undefined {
  const spender = hexIn(message, "spender");
  const allowances = allowancesIn(message);
  const [first] = allowances;
  if (first === undefined) return undefined;
  const isOf = (log: EventLog, topic: Hex, token: Hex): boolean =>
    isEvent(log, permit2, topic, topicOf(owner), topicOf(token), topicOf(spender));
  const isGiven = ({ logs }: Mined, { token, members }: Allowance): boolean =>
    logs.some(
      (log) =>
        isOf(log, topics.permit, token) &&
        members.every((member, index) => wordAt(log.data, index) === member),
    );
  const isCancelled = ({ logs }: Mined, { token, members: [, , nonce] }: Allowance): boolean =>
    logs.some((log) => isOf(log, topics.nonceInvalidation, token) && isInvalidated(log, nonce));
  return {
    ...{ kind: "permit2Allowance", contracts: [permit2] },
    marks: allowances.flatMap(({ token }) =>
      [topics.permit, topics.nonceInvalidation].map((topic) =>
        markOf(permit2, topic, topicOf(owner), topicOf(token), topicOf(spender)),
      ),
    ),
    endsAt: after(integerIn(message, "sigDeadline")),
    judge: (mined) => {
      // All of a batch take effect together.
      if (allowances.every((allowance) => isGiven(mined, allowance))) return { outcome: "used" };
      return allowances.some((allowance) => isCancelled(mined, allowance))
        ? { outcome: "unusable" }
        : undefined;
    },
    state: {
      read: {
        to: permit2,
        data: encodeFunctionData({ abi, functionName: "allowance", args: [owner, first.token, spender] }),
      },
      isOpen: (answer) => {
        const next = wordAt(answer, 2);
        return next === undefined ? undefined : next <= first.members[2];
      },
      closedBy: "unusable",
    },
  };
}

export function transferProof(owner: Hex, message: Message): Proof {
  const nonce = integerIn(message, "nonce");
  const tokens = [...new Set(structsIn(message, "permitted").map((one) => hexIn(one, "token")))];
  return {
    ...{ kind: "permit2Transfer", contracts: [permit2, ...tokens] },
    // They prove nothing, but the nonce is looked at when one happens.
    marks: [
      markOf(permit2, topics.unorderedNonceInvalidation, topicOf(owner)),
      ...tokens.map((token) => markOf(token, topics.transfer, topicOf(owner))),
    ],
    endsAt: after(integerIn(message, "deadline")),
    judge: () => undefined,
    state: {
      read: {
        to: permit2,
        data: encodeFunctionData({ abi, functionName: "nonceBitmap", args: [owner, nonce >> 8n] }),
      },
      isOpen: (answer) => {
        const bits = wordAt(answer, 0);
        return bits === undefined ? undefined : ((bits >> (nonce & 255n)) & 1n) === 0n;
      },
      closedBy: "spent",
    },
  };
}
