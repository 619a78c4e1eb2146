// A fake service with one proposal, for command tests.
import type { TransactionView } from "@countersign/sdk";
import { awaiting, captured, judged } from "./render/reports.ts";
import { aService, type Asked, type Reply } from "./run-cli.ts";

export const view = awaiting();
export const { requestHash } = view;
export const path = `/transactions/${requestHash}`;

type Routes = Parameters<typeof aService>[0];

/** Serves `views` one after the other; the last one repeats. */
export async function aProposal(views: readonly TransactionView[] = [view], more: Routes = {}) {
  let looks = 0;
  const service = await aService({
    [`GET ${path}`]: () => ({ body: views[Math.min(looks++, views.length - 1)] }),
    [`GET ${path}/approval-status`]: () => ({ body: {}, headers: { etag: `"${looks}"` } }),
    [`GET ${path}/receipt`]: { body: receiptOf("payment") },
    "GET /user-api-keys/self": {
      body: { ethereumAddress: view.escrowAddress, label: "agent", scopes: [] },
    },
    ...more,
  });
  const env = { COUNTERSIGN_URL: service.url, COUNTERSIGN_API_KEY: "cs_user_test_key" };
  return { ...service, env };
}

export function receiptOf(name: string): Reply["body"] {
  const { words, report } = captured(name);
  return { requestHash, proposal: { userPrompt: words }, attestation: null, report };
}

export const sent = (asked: readonly Asked[], method: string, at: string): readonly unknown[] =>
  asked.filter((one) => one.method === method && one.path === at).map(({ body }) => body);

/** The same proposal in a later state. */
export const later = (change: Partial<TransactionView>): TransactionView => ({
  ...view,
  updatedAt: "2026-11-15T19:00:00.000Z",
  ...change,
});

export const unjudged = (change: Partial<TransactionView> = {}): TransactionView =>
  later({ phase: "REGISTERED", approvals: { ...view.approvals, orion: [] }, ...change });

export const judgedAs = (
  decision: "REJECTED" | "UNDECIDED",
  change: Partial<TransactionView> = {},
): TransactionView => later({ ...judged(decision), ...change });
