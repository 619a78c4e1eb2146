// The main service's answers about one proposal, as a list of what it goes through.
import type { TransactionView } from "../src/types.ts";
import { noPayload } from "./no-payload.ts";
import { says, type Handler, type Received } from "./server.ts";

export const aTransaction = (changes: Partial<TransactionView> = {}): TransactionView => ({
  ...{ id: "t", requestHash: "0xhash", description: "words", status: "PENDING", execution: 1 },
  ...{ createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
  ...{
    escrowAddress: "0xabc",
    chainId: 11155111,
    tx: null,
    shape: null,
    signingHash: null,
    ...noPayload,
    phase: "RECEIVED",
    reason: null,
    reasonDetail: null,
    needsOwner: null,
    agent: "key:0190a000-0000-7000-8000-000000000001",
    mandateId: null,
    policyDecision: null,
    chainWatched: true,
    notice: null,
  },
  ...{
    executor: "wallet",
    intentProvenance: "agent-claimed",
    expiresAt: null,
    transactionHash: null,
    use: null,
    alert: null,
  },
  approvals: { user: [], orion: [], apiKey: [] },
  ...changes,
});

export type Script = {
  readonly step: Handler;
  /** Advances to the next state and answers waiting long polls. */
  readonly advance: () => void;
  readonly polls: () => readonly Received[];
};

type Manner = {
  /** As something in between might have it: nothing is held back, or no state is named. */
  readonly holds?: boolean;
  readonly hasEtag?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
};

export function aScript(states: readonly TransactionView[], manner: Manner = {}): Script {
  const { holds = true, hasEtag = true, headers = {} } = manner;
  let at = 0;
  const polls: Received[] = [];
  const waiting = new Set<() => void>();
  const etag = (): string => `"records-${at}"`;
  const answer = (received: Received, response: Parameters<Handler>[1]): void => {
    const isKnown = received.headers["if-none-match"] === etag();
    void says(isKnown ? 304 : 200, isKnown ? undefined : {}, {
      ...(hasEtag ? { etag: etag() } : {}),
      ...headers,
    })(received, response);
  };
  return {
    polls: () => polls,
    advance: () => {
      at = Math.min(at + 1, states.length - 1);
      for (const wake of waiting) wake();
      waiting.clear();
    },
    step: (received, response) => {
      if (!received.path.endsWith("/approval-status")) {
        return says(200, states[at])(received, response);
      }
      polls.push(received);
      const isHeld =
        holds && received.headers["prefer"] !== undefined && received.headers["if-none-match"] === etag();
      if (!isHeld) {
        answer(received, response);
        return;
      }
      waiting.add(() => {
        answer(received, response);
      });
    },
  };
}
