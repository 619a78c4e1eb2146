// Who could send a transaction for its owner: the custodian that keeps the wallet, or the wallet provider.
import type { Account } from "../accounts/index.ts";
import type { Sender } from "../adapters/sender.ts";
import type { SenderName } from "./store/index.ts";
import type { Hex } from "./transaction.ts";

/** What an owner has set up for which purpose: `agent` sends without them, `execution` when an administrator asks. */
export type SenderType = "execution" | "agent";

type Where = { readonly account: Account; readonly wallet: Hex; readonly type: SenderType };

/** One kind of keeper, as its slice offers it. */
type Keeper = {
  readonly find: (where: Where) => Promise<{ readonly id: string } | undefined>;
  readonly openSender: (id: string, purpose: "send" | "ask") => Promise<Sender | undefined>;
};

export type Senders = {
  /** Who would send from that wallet now. Undefined: nobody, so its owner has to. */
  readonly find: (where: Where) => Promise<SenderName | undefined>;
  /** To send with, only while the owner still wants it so; to ask about what was sent, also afterwards. */
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
