import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { Draft } from "../terms.ts";

/** A mandate that an agent asks for. */
export type MandateRequest = {
  readonly id: string;
  readonly account: Account;
  readonly agent: string;
  readonly draft: Draft;
  readonly createdAt: Date;
};

const columns = sql`r.id, r.account, r.agent, r.draft, r.created_at as "createdAt"`;

export type MandateRequestStore = ReturnType<typeof makeMandateRequestStore>;

export function makeMandateRequestStore(db: Db) {
  return {
    /** Returns undefined if the account has the maximum number of open requests. */
    async add(
      { id, account, agent, draft }: Omit<MandateRequest, "createdAt">,
      openAtMost: number,
    ): Promise<MandateRequest | undefined> {
      const { rows } = await sql<MandateRequest>`
        insert into mandate_requests as r (id, account, agent, draft)
        select ${id}, ${account}, ${agent}, ${JSON.stringify(draft)}
        where (select count(*) from mandate_requests where account = ${account} and closed_at is null) < ${openAtMost}
        returning ${columns}`.execute(db);
      return rows[0];
    },

    /** The open ones, newest first. Only those of one agent, if it is given. */
    async list(account: Account, agent: string | undefined): Promise<readonly MandateRequest[]> {
      const { rows } = await sql<MandateRequest>`
        select ${columns} from mandate_requests r
        where r.account = ${account} and r.closed_at is null
          and (${agent ?? null}::text is null or r.agent = ${agent ?? null})
        order by r.created_at desc, r.id desc`.execute(db);
      return rows;
    },

    /** Returns false if the account, or its agent, has no such open request. */
    async close(id: string, account: Account, agent: string | undefined): Promise<boolean> {
      const { rows } = await sql`
        update mandate_requests set closed_at = now()
        where id = ${id} and account = ${account} and closed_at is null
          and (${agent ?? null}::text is null or agent = ${agent ?? null})
        returning 1`.execute(db);
      return rows.length > 0;
    },
  };
}
