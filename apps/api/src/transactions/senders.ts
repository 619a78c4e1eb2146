// The keepers that could send a transaction for its owner: the custodian or the wallet provider.
import type { Account } from "../accounts/index.ts";
import type { Sender } from "../adapters/sender.ts";
import type { SenderName } from "./store/index.ts";
import type { Hex } from "./transaction.ts";

/** The purpose of an owner's setup: `agent` sends without the owner, `execution` on an administrator's request. */
export type SenderType = "execution" | "agent";

type Where = { readonly account: Account; readonly wallet: Hex; readonly type: SenderType };

/** One kind of keeper, as its slice provides it. */
type Keeper = {
  readonly find: (where: Where) => Promise<{ readonly id: string } | undefined>;
  readonly openSender: (id: string, purpose: "send" | "ask") => Promise<Sender | undefined>;
};

export type Senders = {
  /** Returns who would send from that wallet now. Undefined if the owner has to. */
  readonly find: (where: Where) => Promise<SenderName | undefined>;
  /** For sending, only while the owner still wants it; for status queries, also afterwards. */
  readonly open: (name: SenderName, purpose: "send" | "ask") => Promise<Sender | undefined>;
};

export const makeSenders = (keepers: Readonly<Record<SenderName["keptBy"], Keeper>>): Senders => ({
  find: async (where) => {
    for (const keptBy of ["custodian", "provider"] as const) {
      const found = await keepers[keptBy].find(where);
      if (found !== undefined) return { keptBy, senderId: found.id };
    }
    return undefined;
  },
  open: ({ keptBy, senderId }, purpose) => keepers[keptBy].openSender(senderId, purpose),
});
