import { setTimeout as sleep } from "node:timers/promises";
import type { Journalled, Steps } from "@countersign/platform/engine";
import type { Registered } from "@countersign/wire";
import type { Inbox, Standing } from "../../../src/adapters/inbox/index.ts";
import type { Plan } from "../../../src/adapters/own-wallet/index.ts";
import { sendOnce } from "../../../src/platform/own-wallet/send-once.ts";
import type { OwnTransactionStore } from "../../../src/platform/own-wallet/store.ts";

export const purpose = "test-record";

/**
 * Runs steps like the engine, without a journal: each is retried until it succeeds. With `stopBefore` it
 * never gets past that step.
 */
export function stepsThat({ stopBefore }: { readonly stopBefore?: string | undefined } = {}): Steps["step"] {
  return async <T extends Journalled>(name: string, effect: () => Promise<T>): Promise<T> => {
    if (name === stopBefore) {
      console.log(`stopped before ${name}`);
      await sleep(600_000);
    }
    for (let attempt = 1; ; attempt++) {
      try {
        return await effect();
      } catch (error) {
        if (attempt === 50) throw error;
        await sleep(100);
      }
    }
  };
}

/** An entry to record, and the service that it is for. */
export type InboxRecord = Registered & { readonly inbox: `0x${string}` };

export const standingOf = (inbox: Inbox, what: InboxRecord): Promise<Standing> =>
  inbox.standingOf(what.inbox, what);

/** Plans a record of this entry alone. */
export async function planRecord(
  inbox: Inbox,
  { inbox: service, ...entry }: InboxRecord,
): Promise<Plan | "recorded" | "taken"> {
  if ((await inbox.standingOf(service, entry)) === "taken") return "taken";
  return inbox.planEntries({ inbox: service, entries: [entry] });
}

type Parts = { readonly store: OwnTransactionStore; readonly inbox: Inbox; readonly step?: Steps["step"] };

/** The smallest flow that records an entry on the Inbox. */
export const record = ({ store, inbox, step = stepsThat() }: Parts, what: InboxRecord) =>
  sendOnce({
    purpose,
    subject: what.requestHash,
    step,
    store,
    wallet: inbox.wallet,
    plan: () => planRecord(inbox, what),
    claim: async () => "0xaccount",
  });
