import type { Clock } from "@countersign/platform/clock";
import type { z } from "zod";
import type { Account } from "../accounts/index.ts";
import type { Past } from "../mandates/index.ts";
import { loadCedar } from "./cedar.ts";
import { draftPolicy } from "./check.ts";
import { countsOf, dryRun } from "./dry-run.ts";
import { policyErrors } from "./errors.ts";
import { readPolicy } from "./rules.ts";
import { parsePolicy } from "./store/judge.ts";
import type { PolicyStore, StoredPolicy } from "./store/policies.ts";
import { dryRunView, type DryRunView } from "./views.ts";

const transactionsAtMost = 500;
const dayMs = 24 * 60 * 60 * 1000;

type Draft = {
  readonly text: string;
  readonly timeZone: string;
  readonly days: number;
  /** The version to compare with. */
  readonly base: StoredPolicy | undefined;
};

const assetsIn = (history: readonly Past[]): readonly string[] => [
  ...new Set(
    history.flatMap(({ moves = [] }) => moves.flatMap(({ amounts }) => amounts.map(({ asset }) => asset))),
  ),
];

/** Runs a draft over the account's past transactions, and compares it with another version. */
export const makePreviewPolicy =
  ({
    store,
    clock,
  }: {
    readonly store: Pick<PolicyStore, "readHistory" | "readPrices">;
    readonly clock: Clock;
  }) =>
  async (account: Account, { text, timeZone, days, base }: Draft): Promise<z.infer<typeof DryRunView>> => {
    const cedar = await loadCedar();
    const read = readPolicy(cedar, text);
    if ("faults" in read) throw policyErrors.notValid();
    const since = new Date(clock.now().getTime() - days * dayMs);
    const history = await store.readHistory({ account, since, limit: transactionsAtMost });
    const past = { account, history, prices: await store.readPrices(assetsIn(history)) };
    const ran = dryRun(cedar, { policy: draftPolicy(text, read.rules), timeZone }, past);
    const before = base && dryRun(cedar, { policy: parsePolicy(cedar, base), timeZone: base.timeZone }, past);
    return dryRunView({ since, ran, before, rules: read.rules, countsOf });
  };
