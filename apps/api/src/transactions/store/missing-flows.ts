// Flows that a process of an earlier version did not accept, while two versions run side by side. Up to 0040 one flow had a
// proposal's whole way in it.
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { asHex, bytesOf, type Hex } from "../../platform/db/hex.ts";
import { transactionFlow, verificationFlow } from "../transaction.ts";

/** Accepts the verification of a proposal that has none. Returns whether it has one only now. */
export async function acceptVerification(db: Db, requestHash: Hex): Promise<boolean> {
  const { rows } = await sql`
    insert into flows (flow, key, account, allowance, due_at, sweep_at, traceparent)
    select ${verificationFlow}, f.key, f.account, f.allowance, now() + f.allowance, now(), f.traceparent
    from flows f where f.flow = ${transactionFlow} and f.key = ${requestHash}
    on conflict (flow, key) do nothing returning 1`.execute(db);
  return rows.length > 0;
}

/** Accepts the execution of those that the service may send and whose execution was not accepted. Returns them. */
export async function acceptExecutions(db: Db, requestHashes: readonly Hex[]): Promise<readonly Hex[]> {
  const { rows } = await sql<{ key: Hex }>`
    insert into flows (flow, key, account, allowance, due_at, sweep_at, traceparent)
    select ${transactionFlow}, v.key, v.account, v.allowance, now() + v.allowance, now(), v.traceparent
    from transactions t join flows v on v.flow = ${verificationFlow} and v.key = ${asHex("t.request_hash")}
    where t.id = any(array(select transaction_id from request_index where request_hash = any(${requestHashes.map(bytesOf)}::bytea[]))) and t.phase in ('READY', 'EXECUTING', 'BROADCAST')
      and not t.external
    on conflict (flow, key) do nothing returning key`.execute(db);
  return rows.map(({ key }) => key);
}
