// A database with as many transactions as a bench wants, the service before it, and an agent's key.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import autocannon from "autocannon";
import pg from "pg";
import { createSiweMessage } from "viem/siwe";
import { privateKeyToAccount } from "viem/accounts";
import {
  ensureDatabase,
  fetchOk,
  freePorts,
  startPostgres,
  waitUntil,
  type Supervisor,
} from "../engines/index.ts";

const many = "100000000";
/** Limits are not measured here. */
export const noLimits = {
  TRANSACTIONS_PER_MINUTE_PER_IP: many,
  TRANSACTIONS_PER_MINUTE_PER_USER: many,
  TRANSACTIONS_PER_MINUTE_PER_KEY: many,
  READS_PER_MINUTE_PER_IP: many,
};

export type Agent = {
  readonly url: string;
  readonly address: `0x${string}`;
  readonly authorization: string;
  readonly key: string;
};

type Json = Readonly<Record<string, string>>;
export async function call(url: string, headers: Json, body?: object): Promise<Json> {
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetchOk(url, { ...sent, headers: { "content-type": "application/json", ...headers } });
  return (await answer.json()) as Json;
}

/** A signed-in owner and a key for their agent. */
export async function signUp(url: string): Promise<Agent> {
  const wallet = privateKeyToAccount(`0x${randomBytes(32).toString("hex")}`);
  const { nonce = "" } = await call(`${url}/auth/siwe/nonce`, {}, { walletAddress: wallet.address });
  const message = createSiweMessage({
    ...{ domain: new URL(url).host, uri: url, address: wallet.address, version: "1", chainId: 1, nonce },
    issuedAt: new Date(),
  });
  const signature = await wallet.signMessage({ message });
  const { accessToken = "" } = await call(`${url}/auth/siwe/verify`, {}, { message, signature });
  const authorization = `Bearer ${accessToken}`;
  const { secret = "" } = await call(`${url}/user-api-keys`, { authorization }, { name: "bench" });
  return { url, address: wallet.address, authorization, key: secret };
}

export const aProposal = (escrowAddress: string): object => ({
  escrowAddress,
  userPrompt: "Send 0.001 ETH to 0x1111111111111111111111111111111111111111.",
  tx: { to: "0x1111111111111111111111111111111111111111", value: "1000000000000000", data: "0x" },
});

export type Stage = Agent & { readonly databaseUrl: string; readonly bareUrl: string };

type Options = { readonly supervisor: Supervisor; readonly dir: string };

/** The home of all databases of these benches. */
export async function startDatabases({
  supervisor,
  dir,
}: Options): Promise<(name: string) => Promise<string>> {
  const [port = 0] = await freePorts(1);
  const postgres = await startPostgres({ supervisor, dir: `${dir}/transactions-postgres`, port });
  return async (name) => {
    await ensureDatabase(postgres.url("postgres"), name);
    return postgres.url(name);
  };
}

/** The service with role http, next to the bare one on the same database. */
export async function openStage(
  { supervisor, dir }: Options,
  name: string,
  databaseUrl: string,
): Promise<Stage> {
  const [port = 0, barePort = 0] = await freePorts(2);
  const [url, bareUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${barePort}`];
  supervisor.start({
    name: `api-${name}`,
    command: process.execPath,
    args: [join(import.meta.dirname, "../../apps/api/src/main.ts")],
    cwd: dir,
    env: {
      PORT: String(port),
      ROLE: "http",
      DATABASE_URL: databaseUrl,
      ENGINE_INGRESS_URL: bareUrl,
      SECRETS_KEY: randomBytes(32).toString("base64"),
      ...noLimits,
    },
  });
  await waitUntil("the api answers", () => fetchOk(`${url}/ready`), { seconds: 60 });
  const agent = await signUp(url);
  supervisor.start({
    name: `bare-${name}`,
    command: process.execPath,
    args: [
      join(import.meta.dirname, "bare-transactions-server.ts"),
      ...[String(barePort), databaseUrl, agent.address.toLowerCase()],
    ],
    cwd: dir,
  });
  await waitUntil("the bare server answers", () => fetchOk(bareUrl), { seconds: 30 });
  return { ...agent, databaseUrl, bareUrl };
}

const people = 1000;

/** So many transactions of so many other people, decided and seen through in the usual proportions. */
export async function fill({ databaseUrl }: Pick<Stage, "databaseUrl">, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const run = (text: string): Promise<unknown> => client.query(text);
  const account = `'0x' || lpad(to_hex(n % ${people}), 40, '0')`;
  const id = `lpad(to_hex(n), 32, '0')::uuid`;
  const hash = `sha256(n::text::bytea)`;
  const phase = `(array['REJECTED','SETTLED','FAILED','AWAITING'])[1 + n % 4]`;
  const rows = `generate_series(1, ${count}) n`;
  await run(
    `insert into users (id, account) select gen_random_uuid(), ${account} from generate_series(0, ${people - 1}) n`,
  );
  await run(`insert into transactions (id, account, escrow, request_hash, chain_id, form, proposer, description,
      to_address, value, data, data_hash, intent_provenance, deadline, salt, execution_type, require_user,
      admin_may_approve, external, phase, verdict_fresh, nonce_held, final, late, execs, expires_at)
    select ${id}, ${account}, ${account}, ${hash}, 11155111, 'standard', 'jwt:' || ${account}, 'Send 0.001 ETH.',
      '0x' || repeat('11', 20), 1000000000000000, '\\x', sha256(''), 'agent-claimed', now() + interval '1 day', ${hash},
      1, false, false, true, ${phase}, true, false, false, false, 0,
      case when n % 4 = 3 then now() + interval '1 day' end from ${rows}`);
  await run(`insert into request_index select ${hash}, ${account}, ${id} from ${rows}`);
  await run(`insert into approvals (id, account, transaction_id, kind, decision, type)
    select ${id}, ${account}, ${id}, 'orion', 'APPROVED', 'orion' from ${rows}`);
  await run(`insert into account_events (account, transaction_id, request_hash, version, event, status, phase)
    select ${account}, ${id}, ${hash}, 1, 'propose', 'PENDING', 'RECEIVED' from ${rows}`);
  await run(`insert into flows (flow, key, account, allowance, due_at, sweep_at, status)
    select 'verification', '0x' || encode(${hash}, 'hex'), ${account}, interval '8 days', now() + interval '8 days',
      now() + interval '8 days', 'finished' from ${rows}`);
  await run("vacuum analyze");
  await client.end();
}

export type Load = {
  readonly url: string;
  readonly headers?: Json;
  readonly body?: object;
  readonly status: number;
};

type Lasting = { readonly duration: number } | { readonly amount: number };

async function send({ url, headers = {}, body, status }: Load, lasting: Lasting): Promise<number> {
  const post = body === undefined ? {} : ({ method: "POST", body: JSON.stringify(body) } as const);
  const json = body === undefined ? {} : { "content-type": "application/json" };
  const { requests, statusCodeStats, errors } = await autocannon({
    ...{ url, connections: 32, headers: { ...json, ...headers } },
    ...lasting,
    ...post,
  });
  const others = Object.keys(statusCodeStats ?? {}).filter((code) => code !== String(status));
  if (errors > 0 || others.length > 0) throw new Error(`${url}: ${errors} errors, also ${others.join(", ")}`);
  return requests.average;
}

/** Requests per second, all of them answered as they should be. */
export const hammer =
  (load: Load, duration = 2) =>
  (): Promise<number> =>
    send(load, { duration });

/** By number and not by time: code that is not compiled yet is slow, and on a busy machine it stays so for long. */
export const warm = (load: Load): Promise<number> =>
  send(load, { amount: load.body === undefined ? 30_000 : 5_000 });
