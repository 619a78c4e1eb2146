import { sql } from "kysely";
import type { Account } from "../accounts/index.ts";
import { gather } from "../platform/ask-together.ts";
import type { Db } from "../platform/db/connect.ts";
import type { Completed, Completion, Integration, IntegrationType } from "./integration.ts";

type Place = { readonly account: Account; readonly type: IntegrationType };
type NewIntegration = Pick<Integration, "id" | "account" | "type" | "csr" | "keySecretId">;
type Row = Omit<Integration, "completion"> & {
  readonly [Member in keyof Completion]: Completion[Member] | null;
};

const columns = sql`id, account, type, csr, key_secret_id as "keySecretId",
  credential_secret_id as "credentialSecretId", vault_account_id as "vaultAccountId", environment, region,
  wallet, cosigner_public_key as "cosignerPublicKey", created_at as "createdAt"`;

// A constraint of the table ensures that either all of them are set or none.
function completionOf({ credentialSecretId, vaultAccountId, environment, region }: Row): Completion | null {
  return credentialSecretId === null || vaultAccountId === null || environment === null || region === null
    ? null
    : { credentialSecretId, vaultAccountId, environment, region };
}

function integrationOf(row: Row): Integration {
  const { id, account, type, csr, keySecretId, wallet, cosignerPublicKey, createdAt } = row;
  const completion = completionOf(row);
  return { id, account, type, csr, keySecretId, completion, wallet, cosignerPublicKey, createdAt };
}

export type CustodyStore = ReturnType<typeof makeCustodyStore>;

/** An integration is current until another replaces it. Unless stated otherwise, statements see only current ones. */
export function makeCustodyStore(db: Db) {
  // Batched: asked about every proposal of a moment.
  const listOfAccounts = gather(async (accounts: readonly Account[]) => {
    const { rows } = await sql<Place & { readonly id: string; readonly wallet: Account }>`
      select id, account, type, wallet from custody_integrations
      where account = any(${[...accounts]}::text[]) and completed_at is not null and replaced_at is null`.execute(
      db,
    );
    return rows;
  });
  return {
    async find({ account, type }: Place): Promise<Integration | undefined> {
      const { rows } = await sql<Row>`
        select ${columns} from custody_integrations
        where account = ${account} and type = ${type} and replaced_at is null`.execute(db);
      return rows.map(integrationOf)[0];
    },

    async list(account: Account): Promise<readonly Integration[]> {
      const { rows } = await sql<Row>`
        select ${columns} from custody_integrations
        where account = ${account} and replaced_at is null`.execute(db);
      return rows.map(integrationOf);
    },

    /** Also finds a replaced one and says so. For internal use: ownership was checked when the id was stored. */
    async findById(
      id: string,
    ): Promise<{ readonly integration: Integration; readonly isCurrent: boolean } | undefined> {
      const { rows } = await sql<Row & { readonly isCurrent: boolean }>`
        select ${columns}, replaced_at is null as "isCurrent" from custody_integrations
        where id = ${id}`.execute(db);
      return rows.map((row) => ({ integration: integrationOf(row), isCurrent: row.isCurrent }))[0];
    },

    async findByWallet({ account, type, wallet }: Place & { readonly wallet: Account }) {
      const found = (await listOfAccounts(account)).find(
        (one) => one.account === account && one.type === type && one.wallet === wallet,
      );
      return found && { id: found.id };
    },

    /**
     * Replaces exactly the given integration, or none. Returns undefined if another was added in the
     * meantime: of concurrent calls one succeeds; the others wait for its row or its index entry and then
     * find it taken.
     */
    async add(
      { id, account, type, csr, keySecretId }: NewIntegration,
      inPlaceOf: string | undefined,
    ): Promise<Integration | undefined> {
      return db.transaction().execute(async (tx) => {
        if (inPlaceOf !== undefined)
          await sql`
            update custody_integrations set replaced_at = now()
            where id = ${inPlaceOf} and account = ${account} and replaced_at is null`.execute(tx);
        const { rows } = await sql<Row>`
          insert into custody_integrations (id, account, type, csr, key_secret_id)
          values (${id}, ${account}, ${type}, ${csr}, ${keySecretId})
          on conflict (account, type) where replaced_at is null do nothing
          returning ${columns}`.execute(tx);
        return rows.map(integrationOf)[0];
      });
    },

    /**
     * Stores the custodian's answer and clears the wallet: another credential may belong to another customer,
     * whose vaults have the same numbers. An undefined co-signer key leaves the stored one unchanged.
     */
    async complete(
      { account, type }: Place,
      given: Completion & { readonly cosignerPublicKey: string | null | undefined },
    ): Promise<{ readonly completed: Completed; readonly formerSecretId: string | null } | undefined> {
      const { credentialSecretId, vaultAccountId, environment, region, cosignerPublicKey } = given;
      return db.transaction().execute(async (tx) => {
        const { rows: found } = await sql<{ readonly id: string; readonly former: string | null }>`
          select id, credential_secret_id as former from custody_integrations
          where account = ${account} and type = ${type} and replaced_at is null
          for update`.execute(tx);
        const [current] = found;
        if (current === undefined) return undefined;
        const { rows } = await sql<Row>`
          update custody_integrations
          set credential_secret_id = ${credentialSecretId}, vault_account_id = ${vaultAccountId},
            environment = ${environment}, region = ${region}, completed_at = now(), wallet = null,
            cosigner_public_key =
              case when ${cosignerPublicKey === undefined} then cosigner_public_key else ${cosignerPublicKey ?? null} end
          where id = ${current.id} returning ${columns}`.execute(tx);
        return rows.map((row) => ({
          completed: {
            ...integrationOf(row),
            completion: { credentialSecretId, vaultAccountId, environment, region },
          },
          formerSecretId: current.former,
        }))[0];
      });
    },

    /** Returns false if the integration changed while the custodian was asked. */
    async noteWallet({ id, account, completion }: Completed, wallet: Account): Promise<boolean> {
      const { rows } = await sql`
        update custody_integrations set wallet = ${wallet}
        where id = ${id} and account = ${account} and credential_secret_id = ${completion.credentialSecretId}
          and replaced_at is null
        returning 1`.execute(db);
      return rows.length === 1;
    },
  };
}
