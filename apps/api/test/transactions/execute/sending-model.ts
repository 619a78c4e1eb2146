// The allowed orders, derived only from the answers that callers got. Written without the rules of lifecycle.ts, so
// that a flaw in those shows here.
import { expect } from "vitest";
import type { Call, Hex } from "../../../src/transactions/transaction.ts";
import type { Journal } from "./journal.ts";
import type { ExecutionStage, Owner } from "./harness.ts";

/** `agent`: sent by the worker alone. `execution`: only when an administrator asks. */
export type Vault = "agent" | "execution";

export type Proposed = {
  readonly requestHash: Hex;
  readonly vault: Vault;
  readonly call: Call;
  readonly journal: { current: Journal; turn: number };
  verdict: "APPROVED" | "REJECTED" | "UNDECIDED" | undefined;
  hasOwnersYes: boolean;
  /** Rejected, withdrawn or expired before it was begun. */
  isDead: boolean;
  /** The sender, once the intent was seen to be durable. */
  senderId: string | undefined;
};

export type SendingModel = {
  readonly owners: Readonly<Record<Vault, Owner>>;
  readonly proposed: Proposed[];
  /** The current integrations. */
  readonly current: Record<Vault, string>;
  /** The number of orders before this run, and at the last check. */
  seen: number;
};

/** Whether every required approval is there. */
const mayBegin = ({ verdict, hasOwnersYes, isDead }: Proposed): boolean =>
  !isDead && (verdict === "APPROVED" || (verdict === "UNDECIDED" && hasOwnersYes));

async function readBegun({ client }: ExecutionStage, hashes: readonly Hex[]) {
  const { rows } = await client.query<{ hash: Hex; senderId: string }>(
    `select '0x' || encode(t.request_hash, 'hex') as hash, e.sender_id as "senderId"
     from executions e join transactions t on t.id = e.transaction_id where t.request_hash = any($1)`,
    [hashes.map((hash) => Buffer.from(hash.slice(2), "hex"))],
  );
  return new Map(rows.map(({ hash, senderId }) => [hash, senderId]));
}

/**
 * After each command: checks that every new order was allowed when it came. `acted`: the proposal of a
 * command that may begin or send something.
 */
export async function checkSending(
  harness: ExecutionStage,
  model: SendingModel,
  acted: Proposed | undefined,
): Promise<void> {
  const begun = await readBegun(
    harness,
    model.proposed.map(({ requestHash }) => requestHash),
  );
  for (const one of model.proposed) {
    const senderId = begun.get(one.requestHash);
    if (senderId === one.senderId) continue;
    expect(one, "begun without a request").toBe(acted);
    expect(mayBegin(one), `begun without leave: ${JSON.stringify(one, show)}`).toBe(true);
    expect(senderId).toBe(model.current[one.vault]);
    one.senderId = senderId;
  }
  checkOrders(harness, model, acted);
}

const show = (_key: string, value: unknown): unknown =>
  typeof value === "bigint" ? value.toString() : value;

function checkOrders({ custodian }: ExecutionStage, model: SendingModel, acted: Proposed | undefined): void {
  const orders = custodian.accepted();
  for (const { externalTxId, to, value, data } of orders.slice(model.seen)) {
    const one = model.proposed.find(({ requestHash }) => requestHash === externalTxId);
    if (one === undefined || one !== acted) throw new Error(`sent without a request: ${externalTxId}`);
    expect({ to, value, data }, "sent with another byte").toEqual(one.call);
    expect(one.senderId, "sent without a durable intent").toBeDefined();
    expect(one.senderId, "sent through what was replaced").toBe(model.current[one.vault]);
    expect(orders.filter((order) => order.externalTxId === externalTxId)).toHaveLength(1);
  }
  model.seen = orders.length;
}
