// Registrations on the home chain: which proposals are in which, and how far each has come.
import { newId } from "@countersign/platform/ids";
import { registrationRoot, type Registered, type Registrations } from "@countersign/wire";
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { asHex, bytesOf, type Hex } from "../../platform/db/hex.ts";
import { isTerminal, type Phase } from "../lifecycle.ts";
import type { Form } from "../transaction.ts";
import { envelopeColumn } from "./envelopes.ts";

/** A proposal, as its registration needs it. */
export type Registrable = {
  readonly id: string;
  readonly requestHash: Hex;
  readonly form: Form;
  readonly phase: Phase;
  readonly contentDigest: Hex | null;
  /** The address of the verification service that it is encrypted for. */
  readonly service: Hex | null;
  /** The registration that it is in. */
  readonly registrationId: string | null;
};

export type Registration = Registrations & {
  readonly id: string;
  readonly root: Hex;
  /** entries: the contract records no roots. */
  readonly form: "root" | "entries";
  readonly state: "open" | "recorded" | "final";
};

const bytesInPair = 64;

const entriesOf = (bytes: Buffer): readonly Registered[] =>
  Array.from({ length: bytes.length / bytesInPair }, (_, index) => {
    const pair = bytes.subarray(index * bytesInPair, (index + 1) * bytesInPair).toString("hex");
    return { requestHash: `0x${pair.slice(0, 64)}`, contentDigest: `0x${pair.slice(64)}` };
  });

const writeEntries = (entries: readonly Registered[]): Buffer =>
  Buffer.concat(
    entries.flatMap(({ requestHash, contentDigest }) => [bytesOf(requestHash), bytesOf(contentDigest)]),
  );

type Row = Omit<Registration, "entries"> & { readonly entries: Buffer };
const columns = sql`r.id, r.service as inbox, ${asHex("r.root")} as root, r.entries, r.form, r.state`;
const registrationOf = (row: Row): Registration => ({ ...row, entries: entriesOf(row.entries) });

/** A registration that was not recorded is looked at again after this time. */
const patience = sql`interval '60 seconds'`;
/** How often one is looked at until it is final. */
const pause = sql`interval '15 seconds'`;

export type RegistrationStore = ReturnType<typeof makeRegistrationStore>;

export function makeRegistrationStore(db: Db) {
  return {
    /** Those that are not known are left out. */
    async listRegistrable(requestHashes: readonly Hex[]): Promise<readonly Registrable[]> {
      const { rows } = await sql<Registrable>`
        select t.id, ${asHex("t.request_hash")} as "requestHash", t.form, t.phase, ${asHex("t.content_digest")} as "contentDigest",
          s.inbox as service, g.registration_id as "registrationId"
        from request_index i join transactions t on t.id = i.transaction_id
        left join verification_services s on s.id = t.service_id
        left join registered g on g.transaction_id = t.id
        where i.request_hash = any(${requestHashes.map(bytesOf)}::bytea[])`.execute(db);
      return rows;
    },

    /**
     * Puts proposals for one service into a new registration, except those that have ended or are in one already. Returns
     * undefined if none is left.
     */
    async assign(
      ids: readonly string[],
      {
        chainId,
        service,
        form,
      }: Pick<Registration, "form"> & { readonly chainId: number; readonly service: Hex },
    ): Promise<Registration | undefined> {
      const id = newId();
      return db.transaction().execute(async (tx) => {
        const { rows } = await sql<Registered & { readonly id: string; readonly phase: Phase }>`
          select t.id, ${asHex("t.request_hash")} as "requestHash", ${asHex("t.content_digest")} as "contentDigest", t.phase
          from transactions t where t.id = any(${[...ids]}::uuid[]) and t.content_digest is not null
          order by t.id for no key update`.execute(tx);
        const wanted = rows.filter((row) => !isTerminal(row));
        const put = await sql<{ id: string }>`
          insert into registered (transaction_id, account, registration_id)
          select t.id, t.account, ${id} from transactions t
          where t.id = any(${wanted.map((row) => row.id)}::uuid[]) order by t.id
          on conflict do nothing returning transaction_id as id`.execute(tx);
        const isPut = new Set(put.rows.map((row) => row.id));
        const entries = wanted
          .filter((row) => isPut.has(row.id))
          .map(({ requestHash, contentDigest }) => ({ requestHash, contentDigest }));
        if (entries.length === 0) return undefined;
        const root = registrationRoot({ inbox: service, entries });
        await sql`
          insert into registrations (id, chain_id, service, form, root, entries, sweep_at)
          values (${id}, ${chainId}, ${service}, ${form}, ${bytesOf(root)}, ${writeEntries(entries)}, now() + ${patience})`.execute(
          tx,
        );
        return { id, inbox: service, root, entries, form, state: "open" };
      });
    },

    async findRegistration(id: string): Promise<Registration | undefined> {
      const { rows } = await sql<Row>`select ${columns} from registrations r where r.id = ${id}`.execute(db);
      return rows[0] === undefined ? undefined : registrationOf(rows[0]);
    },

    /** The registration that a proposal is in. */
    async findRegistrationOf(transactionId: string): Promise<Registration | undefined> {
      const { rows } = await sql<Row>`
        select ${columns} from registered g join registrations r on r.id = g.registration_id
        where g.transaction_id = ${transactionId}`.execute(db);
      return rows[0] === undefined ? undefined : registrationOf(rows[0]);
    },

    /** The encrypted payloads of a registration. */
    async listEnvelopes(id: string): Promise<readonly Buffer[]> {
      const { rows } = await sql<{ envelope: Buffer | null }>`
        select ${envelopeColumn} as envelope from registered g join transactions t on t.id = g.transaction_id
        where g.registration_id = ${id}`.execute(db);
      return rows.flatMap(({ envelope }) => envelope ?? []);
    },

    /** Locks it for signing its transaction. Returns on whose behalf that is. */
    claimForSigning:
      (id: string) =>
      async (tx: Db): Promise<string | undefined> => {
        const { rows } = await sql<{ service: string }>`
          select service from registrations where id = ${id} for update`.execute(tx);
        return rows[0]?.service;
      },

    async noteState(id: string, state: "recorded" | "final"): Promise<void> {
      await sql`
        update registrations set state = ${state}, sweep_at = now() + ${pause} where id = ${id} and state <> ${state}`.execute(
        db,
      );
    },

    /** Claims some that are not final and were not looked at for a while. */
    async claimToFollow(limit: number): Promise<readonly Registration[]> {
      const { rows } = await sql<Row>`
        update registrations r set sweep_at = now() + case state when 'open' then ${patience} else ${pause} end
        where id in (
          select id from registrations where state <> 'final' and sweep_at <= now()
          order by sweep_at limit ${limit} for update skip locked)
        returning ${columns}`.execute(db);
      return rows.map(registrationOf);
    },
  };
}
