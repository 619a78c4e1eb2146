import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

const folder = new URL("../../../migrations/", import.meta.url);
const name = `own_wallet_${process.pid}`;
let server: pg.Pool;
let pool: pg.Pool;

beforeAll(async () => {
  server = new pg.Pool({ connectionString: inject("postgresUrl"), max: 1 });
  await server.query(`create database ${name}`);
  const url = Object.assign(new URL(inject("postgresUrl")), { pathname: name }).href;
  pool = new pg.Pool({ connectionString: url, max: 1 });
  // Its connection may still be closing when the database is dropped.
  pool.on("error", () => undefined);
});
afterAll(async () => {
  await pool.end();
  await server.query(`drop database ${name} with (force)`);
  await server.end();
});

const run = async (file: string): Promise<void> => {
  await pool.query(readFileSync(new URL(file, folder), "utf8"));
};

/** A key with its own account, in the state before the migration, with a transaction if it was signed. */
async function aKey(index: number, state: string, isSigned: boolean): Promise<void> {
  const account = `0x${String(index).padStart(40, "0")}`;
  const id = `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`;
  const hash = `0x${String(index).padStart(64, "0")}`;
  await pool.query("insert into users (id, account) values ($1, $2)", [id, account]);
  const signed = isSigned ? [11155111, `0x${"ab".repeat(20)}`, index, Buffer.from([2, index]), hash] : [];
  await pool.query(
    `insert into pgp_keys (id, account, fingerprint, armoured, signature, signature_hash, chain_state,
       chain_id, signer, nonce, signed_transaction, signed_hash, transaction_hash)
     values ($1, $2, repeat('ab', 20), 'armoured', '\\x01', decode(repeat('ab', 32), 'hex'), $3, $4, $5, $6, $7, $8, $9)`,
    [id, account, state, ...[0, 1, 2, 3, 4].map((at) => signed[at]), state === "recorded" ? hash : null],
  );
}

test("moves the keys' transactions with their outcomes and leaves the rest of the keys unchanged", async () => {
  const before = readdirSync(folder).filter((file) => file.endsWith(".sql") && file < "0008");
  for (const file of before.sort()) await run(file);
  const states = ["waiting", "signed", "recorded", "recorded-by-account", "replaced", "refused"];
  for (const [index, state] of states.entries()) await aKey(index, state, state !== "waiting");
  await aKey(6, "unasked", false);
  await run("0008_own_wallet.sql");

  const { rows } = await pool.query(
    `select k.chain_state, k.transaction_hash = t.hash as matches, t.state, t.purpose, t.nonce, t.chain_id,
       encode(t.bytes, 'hex') as bytes, t.account = k.account as same, t.created_at = k.registered_at as since
     from pgp_keys k left join own_transactions t on t.subject = k.id::text order by k.id`,
  );
  const moved = { purpose: "register-key", chain_id: "11155111", same: true, since: true };
  expect(rows).toMatchObject([
    { chain_state: "waiting", state: null },
    { chain_state: "signed", state: "signed", nonce: 1, bytes: "0201", ...moved },
    { chain_state: "recorded", state: "mined", nonce: 2, bytes: "0202", matches: true, ...moved },
    { chain_state: "recorded-by-account", state: "reverted", nonce: 3, bytes: "0203", ...moved },
    { chain_state: "replaced", state: "displaced", nonce: 4, bytes: "0204", ...moved },
    { chain_state: "refused", state: "reverted", nonce: 5, bytes: "0205", ...moved },
    { chain_state: "unasked", state: null },
  ]);
});
