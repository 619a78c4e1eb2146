import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { bytesOf, type Hex } from "../../platform/db/hex.ts";
import type { Facts } from "../people/facts.ts";

type Row = Omit<Facts, "chainId" | "value"> & { readonly chainId: string; readonly value: string | null };

export type ReadFacts = (key: {
  readonly account: string;
  readonly requestHash: Hex;
}) => Promise<Facts | undefined>;

/** Reads what is known about a transaction. The request and encrypted content are not read. */
export const makeReadFacts =
  (db: Db): ReadFacts =>
  async ({ account, requestHash }) => {
    const { rows } = await sql<Row>`
      select t.chain_id as "chainId", t.to_address as "to", t.value::text,
        coalesce(octet_length(t.data) > 0, false) as "hasCalldata", t.deadline,
        coalesce(k.name, g.client_name) as "agentName",
        case when t.form <> 'sealed' then coalesce(r.summary, r.report) #> '{context,net_effect}' end as net
      from transactions t
        left join api_keys k on t.proposer = 'key:' || k.id and k.account = t.account
        left join oauth_grants g on t.proposer = 'oauth:' || g.id and g.account = t.account
        left join reports r on r.transaction_id = t.id
      where t.request_hash = ${bytesOf(requestHash)} and t.account = ${account}`.execute(db);
    const [row] = rows;
    if (row === undefined) return undefined;
    return { ...row, chainId: Number(row.chainId), value: row.value === null ? null : BigInt(row.value) };
  };
