// EIP-2612, and the form that DAI had before it. No event names the nonce, so the state before and after the block does.
import type { Hex } from "@countersign/wire";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { markOf, type Mined, type Proof } from "./proof.ts";
import { isEvent, topics } from "./topics.ts";
import { hexIn, after, integerIn, type Message } from "./typed-message.ts";
import { topicOf, wordAt, wordOf } from "./words.ts";

const everything = 2n ** 256n - 1n;
const abi = parseAbi(["function nonces(address owner) view returns (uint256)"]);

type Permit = {
  readonly kind: string;
  readonly token: Hex;
  readonly owner: Hex;
  readonly spender: Hex;
  readonly value: bigint;
  readonly nonce: bigint;
  readonly endsAt: bigint | null;
};

function proofOf({ kind, token, owner, spender, value, nonce, endsAt }: Permit): Proof {
  const wanted = [topics.approval, topicOf(owner), topicOf(spender)] as const;
  // The owner's own call of `approve` has the same event.
  const isOwnCall = ({ from, to }: Mined): boolean => from === owner && to === token;
  return {
    ...{ kind, contracts: [token], marks: [markOf(token, ...wanted)], endsAt },
    judge: (mined) =>
      !isOwnCall(mined) &&
      mined.logs.some((log) => isEvent(log, token, ...wanted) && log.data === wordOf(value))
        ? { outcome: "used", closesHere: true }
        : undefined,
    state: {
      read: { to: token, data: encodeFunctionData({ abi, args: [owner] }) },
      isOpen: (answer) => {
        const next = wordAt(answer, 0);
        return next === undefined ? undefined : next <= nonce;
      },
      // Another permit with the same nonce was used, or this one in a way that its event does not show.
      closedBy: "spent",
    },
  };
}

export const permitProof = (token: Hex, message: Message): Proof =>
  proofOf({
    ...{ kind: "eip2612", token, owner: hexIn(message, "owner"), spender: hexIn(message, "spender") },
    ...{ value: integerIn(message, "value"), nonce: integerIn(message, "nonce") },
    endsAt: after(integerIn(message, "deadline")),
  });

export function daiPermitProof(token: Hex, message: Message): Proof {
  const expiry = integerIn(message, "expiry");
  return proofOf({
    ...{
      kind: "daiPermit",
      token,
      owner: hexIn(message, "holder"),
      spender: hexIn(message, "spender"),
    },
    ...{ value: message["allowed"] === true ? everything : 0n, nonce: integerIn(message, "nonce") },
    // 0 stands for no end.
    endsAt: expiry === 0n ? null : after(expiry),
  });
}
