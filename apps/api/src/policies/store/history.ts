// Past transactions as a policy sees them, for dry runs.
import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import { readMoves, type Move } from "../../mandates/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import { asHex } from "../../platform/db/hex.ts";

type Row = {
  readonly requestHash: string;
  readonly agent: string;
  readonly chainId: string;
  readonly value: string | null;
  readonly to: string | null;
  readonly escrow: string;
  readonly description: string;
  readonly isSigned: boolean;
  readonly isSignature: boolean;
  readonly at: Date;
  readonly isExecuted: boolean;
  readonly effects: unknown;
};

export type Past = Omit<Row, "chainId" | "value" | "to" | "escrow" | "effects"> & {
  readonly chainId: number;
  /** Undefined if the report does not say what it moves. */
  readonly moves: readonly Move[] | undefined;
};

/** Returns the account's transactions with an approving verdict since then, oldest first. The newest `limit` of them. */
export async function readHistory(
  db: Db,
  { account, since, limit }: { readonly account: Account; readonly since: Date; readonly limit: number },
): Promise<readonly Past[]> {
  const { rows } = await sql<Row>`
    select ${asHex("t.request_hash")} as "requestHash", t.proposer as agent, t.chain_id as "chainId", t.value,
      t.to_address as "to", t.escrow, t.description, t.intent_provenance = 'user-signed' as "isSigned",
      t.shape is not null as "isSignature", t.verdict_at as at,
      t.onchain is not distinct from 'success' as "isExecuted", r.report #> '{context,effects}' as effects
    from transactions t left join reports r on r.transaction_id = t.id and t.form <> 'sealed'
    where t.account = ${account} and t.orion = 'APPROVED' and t.verdict_at >= ${since}
    order by t.verdict_at desc, t.id desc limit ${limit}`.execute(db);
  return rows.reverse().map(({ chainId, value, to, escrow, effects, ...rest }) => ({
    ...rest,
    chainId: Number(chainId),
    moves: readMoves(effects, {
      ...{ chainId: Number(chainId), value: BigInt(value ?? 0), to, own: [account, escrow] },
    }),
  }));
}
