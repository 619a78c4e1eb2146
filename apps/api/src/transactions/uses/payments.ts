// EIP-3009: payments by signature, as x402 uses them, and their cancellation.
import type { Hex } from "@countersign/wire";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { markOf, type EventLog, type Mined, type Proof } from "./proof.ts";
import { isEvent, topics } from "./topics.ts";
import { after, hexIn, integerIn, type Message } from "./typed-message.ts";
import { topicOf, wordAt, wordOf } from "./words.ts";

const abi = parseAbi(["function authorizationState(address authorizer, bytes32 nonce) view returns (bool)"]);

type Nonce = { readonly token: Hex; readonly signer: Hex; readonly nonce: Hex };

const marksOf = ({ token, signer, nonce }: Nonce): Proof["marks"] =>
  [topics.authorizationUsed, topics.authorizationCanceled].map((topic) =>
    markOf(token, topic, topicOf(signer), nonce),
  );

/** A token without the function, or with another meaning of it, proves nothing. */
const stateOf = ({ token, signer, nonce }: Nonce): NonNullable<Proof["state"]> => ({
  read: { to: token, data: encodeFunctionData({ abi, args: [signer, nonce] }) },
  isOpen: (answer) => {
    const state = wordAt(answer, 0);
    return state === undefined || state > 1n ? undefined : state === 0n;
  },
  // Every use has an event, so another reason to be used is one that we do not know.
  closedBy: "spent",
});

const isNamed = (log: EventLog, topic: Hex, { token, signer, nonce }: Nonce): boolean =>
  isEvent(log, token, topic, topicOf(signer), nonce);

/**
 * Two signatures may have the same nonce, and only one can be used. The event does not say which, but the payment next to it does.
 */
export function paymentProof(token: Hex, message: Message): Proof {
  const of: Nonce = { token, signer: hexIn(message, "from"), nonce: hexIn(message, "nonce") };
  const [to, value] = [topicOf(hexIn(message, "to")), wordOf(integerIn(message, "value"))];
  const pays = (log: EventLog | undefined): boolean =>
    log !== undefined &&
    isEvent(log, token, topics.transfer, topicOf(of.signer), to) &&
    log.topics.length === 3 &&
    log.data === value;
  const judge = ({ logs }: Mined) => {
    const at = logs.findIndex((log) => isNamed(log, topics.authorizationUsed, of));
    if (at >= 0) return { outcome: pays(logs[at + 1]) || pays(logs[at - 1]) ? "used" : "spent" } as const;
    return logs.some((log) => isNamed(log, topics.authorizationCanceled, of))
      ? ({ outcome: "unusable" } as const)
      : undefined;
  };
  // It can be used before this second.
  const endsAt = after(integerIn(message, "validBefore") - 1n);
  return { kind: "eip3009", contracts: [token], marks: marksOf(of), endsAt, judge, state: stateOf(of) };
}

export function cancellationProof(token: Hex, message: Message): Proof {
  const of: Nonce = { token, signer: hexIn(message, "authorizer"), nonce: hexIn(message, "nonce") };
  const judge = ({ logs }: Mined) => {
    if (logs.some((log) => isNamed(log, topics.authorizationCanceled, of)))
      return { outcome: "used" } as const;
    return logs.some((log) => isNamed(log, topics.authorizationUsed, of))
      ? ({ outcome: "unusable" } as const)
      : undefined;
  };
  return {
    ...{ kind: "eip3009", contracts: [token], marks: marksOf(of), endsAt: null },
    ...{ judge, state: stateOf(of) },
  };
}
