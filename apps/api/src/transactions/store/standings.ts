import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { asHex, bytesOf, type Hex } from "../../platform/db/hex.ts";
import { verificationFlow } from "../transaction.ts";

/** How far the verification of a proposal has come. */
export type Standing = {
  readonly requestHash: Hex;
  readonly escrow: Hex;
  readonly isDecided: boolean;
  /** The signed verdict. Null if there is none, or if it is not signed. */
  readonly attestation: unknown;
  /** Of the request that proposed it. */
  readonly traceparent: string | null;
};

/** Those that are not known are left out. */
export async function listStandings(db: Db, requestHashes: readonly Hex[]): Promise<readonly Standing[]> {
  const { rows } = await sql<Standing>`
    select ${asHex("t.request_hash")} as "requestHash", t.escrow, t.orion is not null as "isDecided", a.attestation, f.traceparent
    from request_index i join transactions t on t.id = i.transaction_id
    left join approvals a on a.transaction_id = t.id and a.kind = 'orion'
    left join flows f on f.flow = ${verificationFlow} and f.key = ${asHex("t.request_hash")}
    where i.request_hash = any(${requestHashes.map(bytesOf)}::bytea[])`.execute(db);
  return rows;
}

/** A call that an account has executed. Of its data only what names a recipient. */
export type ExecutedCall = { readonly account: Hex; readonly to: Hex; readonly data: Hex };

/** Of so many of an account's latest transactions. */
const latest = 200;

/** Calls that accounts have executed, each once, newest first, except encrypted ones. */
export async function listExecutedCalls(db: Db, accounts: readonly Hex[]): Promise<readonly ExecutedCall[]> {
  const { rows } = await sql<ExecutedCall>`
    select x.account, x.to_address as "to", '0x' || encode(x.data, 'hex') as data
    from unnest(${[...new Set(accounts)]}::text[]) as a(account), lateral (
      select t.account, t.to_address, substr(t.data, 1, 68) as data, max(t.id::text) as last
      from (select * from transactions where account = a.account order by id desc limit ${latest}) t
      where t.phase in ('EXECUTED', 'SETTLED') and t.to_address is not null and t.data is not null
      group by 1, 2, 3) x
    order by x.last desc`.execute(db);
  return rows;
}
