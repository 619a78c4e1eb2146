import type { Clock } from "@countersign/platform/clock";
import type { z } from "zod";
import type { Account } from "../accounts/index.ts";
import type { makeDraftMandate } from "./draft.ts";
import { previewView, type PreviewView } from "./preview-view.ts";
import { replay, type Replay } from "./replay.ts";
import type { Mandate, MandateStore } from "./store/mandates.ts";
import type { Draft, Terms } from "./terms.ts";

/** At most these, the newest. */
const transactionsAtMost = 500;
const dayMs = 24 * 60 * 60 * 1000;

type Parts = {
  readonly store: Pick<MandateStore, "readHistory" | "readWindows" | "readPrices">;
  readonly draftMandate: ReturnType<typeof makeDraftMandate>;
  readonly clock: Clock;
};

type Wanted = {
  readonly draft: Draft;
  readonly days: number;
  /** The mandate to compare with. */
  readonly base: Mandate | undefined;
};

/** Runs a draft over the agent's past transactions, and compares it with another mandate. Stores nothing. */
export const makePreviewMandate =
  ({ store, draftMandate, clock }: Parts) =>
  async (account: Account, { draft, days, base }: Wanted): Promise<z.infer<typeof PreviewView>> => {
    const { terms } = await draftMandate(account, draft);
    const since = new Date(clock.now().getTime() - days * dayMs);
    const wanted = { account, agent: terms.agent, since, limit: transactionsAtMost };
    const history = await store.readHistory(wanted);
    const times = history.map(({ at }) => at);
    // The prices of now, because past ones are not kept.
    const prices = await store.readPrices([
      ...new Set([terms, base?.terms].flatMap((of) => of?.assets ?? [])),
    ]);
    const run = async (of: Terms): Promise<Replay> =>
      replay(of, history, { windows: await store.readWindows(of, times), prices });
    const [ran, before] = [await run(terms), base && (await run(base.terms))];
    return previewView({ terms, since, ran, before, isCut: history.length === transactionsAtMost });
  };
