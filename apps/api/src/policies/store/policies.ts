import type { Hex } from "@countersign/wire";
import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import { lockLedger, readHistory, type Past } from "../../mandates/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import { asHex, bytesOf } from "../../platform/db/hex.ts";
import { readPrices, type Price } from "../../prices/index.ts";
import { policyErrors } from "../errors.ts";
import type { Terms } from "../terms.ts";

export type StoredPolicy = {
  readonly account: Account;
  readonly version: number;
  readonly digest: Hex;
  readonly previous: Hex;
  readonly timeZone: string;
  readonly text: string;
  readonly signature: Hex;
  readonly createdAt: Date;
};

const columns = sql`p.account, p.version, ${asHex("p.digest")} as digest, ${asHex("p.previous")} as previous,
  p.time_zone as "timeZone", p.text, ${asHex("p.signature")} as signature, p.created_at as "createdAt"`;

/** Returns the newest version of the account. */
export async function findCurrent(db: Db, account: Account): Promise<StoredPolicy | undefined> {
  const { rows } = await sql<StoredPolicy>`
    select ${columns} from policies p where p.account = ${account} order by p.version desc limit 1`.execute(
    db,
  );
  return rows[0];
}

type Signed = { readonly terms: Terms; readonly digest: Hex; readonly signature: Hex };

export type PolicyStore = ReturnType<typeof makePolicyStore>;

export function makePolicyStore(db: Db) {
  return {
    /** Whether any account has a policy. */
    async isUsed(): Promise<boolean> {
      const { rows } = await sql`select from policies limit 1`.execute(db);
      return rows.length > 0;
    },

    current: (account: Account): Promise<StoredPolicy | undefined> => findCurrent(db, account),

    /** Throws unless it follows the newest version. Decisions in progress are made before or after it. */
    add: ({ terms, digest, signature }: Signed): Promise<void> =>
      db.transaction().execute(async (tx) => {
        await lockLedger(tx, terms.account);
        const current = await findCurrent(tx, terms.account);
        if (terms.version !== nextVersion(current) || terms.previous !== previousOf(current))
          throw policyErrors.notNext();
        await sql`
          insert into policies (account, version, digest, previous, time_zone, text, signature)
          values (${terms.account}, ${terms.version}, ${bytesOf(digest)}, ${bytesOf(terms.previous)},
            ${terms.timeZone}, ${terms.text}, ${bytesOf(signature)})`.execute(tx);
      }),

    readHistory: (of: Parameters<typeof readHistory>[1]): Promise<readonly Past[]> => readHistory(db, of),

    /** The prices of these assets that may be used now. */
    readPrices: (assets: readonly string[]): Promise<ReadonlyMap<string, Price>> => readPrices(db, assets),

    /** Newest first. */
    async list(account: Account): Promise<readonly StoredPolicy[]> {
      const { rows } = await sql<StoredPolicy>`
        select ${columns} from policies p where p.account = ${account} order by p.version desc limit 100`.execute(
        db,
      );
      return rows;
    },

    async find(account: Account, version: number): Promise<StoredPolicy | undefined> {
      const { rows } = await sql<StoredPolicy>`
        select ${columns} from policies p where p.account = ${account} and p.version = ${version}`.execute(
        db,
      );
      return rows[0];
    },
  };
}

const none: Hex = `0x${"00".repeat(32)}`;
type Newest = Pick<StoredPolicy, "version" | "digest"> | undefined;
export const nextVersion = (current: Newest): number => (current?.version ?? 0) + 1;
export const previousOf = (current: Newest): Hex => current?.digest ?? none;
