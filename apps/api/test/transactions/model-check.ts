// Compares the service with the model: the public list, the poll, the database and its events.
import { expect } from "vitest";
import { statusOf } from "../../src/transactions/lifecycle.ts";
import type { Hex, Transaction } from "../../src/transactions/transaction.ts";
import type { Answer, Request, Harness } from "./model-harness.ts";
import { flagsOf, type Happened, type Modelled } from "./model.ts";

export type Model = {
  readonly owner: Awaited<ReturnType<Harness["anOwner"]>>;
  readonly transactions: Modelled[];
  /** Requests under an Idempotency-Key, which may be repeated at any time. */
  readonly kept: { readonly request: Request; readonly answer: Answer }[];
  /** The version of each that was last polled and compared. */
  readonly polled: Map<Hex, number>;
};

type Events = ReadonlyMap<Hex, readonly Happened[]>;

/** The events of each of the account's transactions, by request hash, in the order of the proposals. */
export async function readEvents({ client }: Harness, account: string): Promise<Events> {
  const { rows } = await client.query<Happened & { readonly requestHash: Hex }>(
    `select '0x' || encode(request_hash, 'hex') as "requestHash", version, event, status, phase, reason,
       needs_owner as "needsOwner"
     from account_events where account = $1 order by transaction_id, id`,
    [account],
  );
  const all = new Map<Hex, Happened[]>();
  for (const { requestHash, ...happened } of rows)
    all.set(requestHash, [...(all.get(requestHash) ?? []), happened]);
  return all;
}

type Listed = {
  readonly requestHash: Hex;
  readonly status: string;
  readonly phase: string;
  readonly reason: string | null;
  readonly alert: string | null;
  readonly needsOwner: { readonly code: string } | null;
  readonly execution: number;
  readonly expiresAt: string | null;
  readonly approvals: Readonly<
    Record<"user" | "orion" | "apiKey", readonly { decision: string; type: string; label?: string | null }[]>
  >;
};

const shownOf = (one: Modelled) => {
  const { state, said, requestHash, needsOwner } = one;
  const { phase, reason, alert, executionType: execution } = state;
  const status = statusOf(state);
  const of = (kind: "user" | "orion" | "key") =>
    said
      .filter((approval) => approval.kind === kind)
      .map(({ decision, type, label }) => ({ decision, type, ...(kind === "key" ? { label } : {}) }));
  const approvals = { user: of("user"), orion: of("orion"), apiKey: of("key") };
  const expires = status === "PENDING" || phase === "READY";
  return { requestHash, status, phase, reason, alert, needsOwner, execution, expires, approvals };
};

const listedOf = ({ approvals, expiresAt, ...listed }: Listed) => {
  const { requestHash, status, phase, reason, alert, execution } = listed;
  const of = (kind: keyof Listed["approvals"]) =>
    approvals[kind].map(({ decision, type, label }) => ({
      ...{ decision, type },
      ...(kind === "apiKey" ? { label } : {}),
    }));
  return {
    ...{ requestHash, status, phase, reason, alert, execution, expires: expiresAt !== null },
    needsOwner: listed.needsOwner?.code ?? null,
    approvals: { user: of("user"), orion: of("orion"), apiKey: of("apiKey") },
  };
};

/** The members of a transaction that lifecycle.ts knows. */
const stateOf = (transaction: Transaction, { state }: Modelled): Record<string, unknown> =>
  Object.fromEntries(Object.entries(transaction).filter(([name]) => name in state));

/** A poll that names a version gets nothing older, whatever the process has cached. */
async function checkPoll(one: Modelled, { owner }: Model, harness: Harness): Promise<void> {
  const etag = `"records-${one.version}"`;
  const headers = { ...owner.agent.headers, "if-none-match": etag };
  const url = `/transactions/${one.requestHash}/approval-status`;
  const known = await harness.send({ method: "GET", url, headers });
  expect([known.status, known.headers["etag"]]).toEqual([304, etag]);
  const flags = await harness.send({ method: "GET", url: `${url}?view=flags`, headers });
  expect(flags.body).toEqual(flagsOf(one));
}

async function checkRecord({ owner, transactions }: Model, harness: Harness): Promise<void> {
  const record = await harness.store.list(owner.account, { limit: 1000, beforeId: undefined });
  const states = record.map(({ transaction }, index) => {
    const { requestHash, version, isOverdue } = transaction;
    const one = transactions.at(-1 - index);
    return { requestHash, version, isOverdue, state: one && stateOf(transaction, one) };
  });
  const expected = transactions.map(({ requestHash, version, isOverdue, state }) => ({
    ...{ requestHash, version, isOverdue, state },
  }));
  expect(states).toEqual(expected.reverse());
}

async function checkList({ owner, transactions }: Model, harness: Harness): Promise<void> {
  const url = `/transactions/users/${owner.wallet.address}`;
  const { status, body } = await harness.send({ method: "GET", url, headers: owner.jwt });
  expect(status).toBe(200);
  expect((body as readonly Listed[]).map(listedOf)).toEqual(transactions.map(shownOf).reverse());
}

/** Compares everything. No request is in progress in the meantime. */
export async function checkAll(model: Model, harness: Harness): Promise<void> {
  const { owner, transactions } = model;
  const read = readEvents(harness, owner.account);
  const changed = transactions.filter(
    ({ requestHash, version }) => model.polled.get(requestHash) !== version,
  );
  await Promise.all([
    checkRecord(model, harness),
    checkList(model, harness),
    ...changed.map((one) => checkPoll(one, model, harness)),
  ]);
  const events = await read;
  expect([...events]).toEqual(transactions.map(({ requestHash, log }) => [requestHash, log]));
  for (const { requestHash, version } of changed) model.polled.set(requestHash, version);
}
