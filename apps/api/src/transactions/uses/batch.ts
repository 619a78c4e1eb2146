// A batch of calls: one transaction in which the account makes exactly these calls.
import type { Calls, Hex } from "@countersign/wire";
import { entryPoints } from "../../adapters/chain/index.ts";
import { accountCallsIn, type AccountCall } from "./account-batches.ts";
import { markOf, type Mark, type Proof } from "./proof.ts";
import { topics } from "./topics.ts";

/** Also made of the senders of each block's transactions, and of the senders in the events of entry points. */
export const senderMark = (account: Hex): Mark => markOf("sender", account);

const isSame = (calls: readonly AccountCall[], wanted: Calls["calls"]): boolean =>
  calls.length === wanted.length &&
  wanted.every(({ to, value, data }, index) => {
    const call = calls[index];
    return call?.to === to && call.value === BigInt(value) && call.data === data;
  });

export const batchProof = (account: Hex, { calls }: Calls): Proof => ({
  ...{ kind: "calls", contracts: [account, ...entryPoints], endsAt: null, state: null },
  marks: [senderMark(account), markOf(account, topics.executionSuccess)],
  judge: (mined) => {
    if (!isSame(accountCallsIn(mined, account), calls)) return undefined;
    // Without code, an account that calls itself does nothing.
    const isOwnCode = mined.from === account && mined.to === account;
    const read = { codeOf: account };
    return {
      outcome: "used",
      ...(isOwnCode ? { confirm: { read, holds: (code: Hex) => code !== "0x", otherwise: undefined } } : {}),
    };
  },
});
