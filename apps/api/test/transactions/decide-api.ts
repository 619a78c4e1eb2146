// The endpoints about decisions on a separate database, with transactions inserted directly.
import { randomBytes } from "node:crypto";
import pg from "pg";
import type { PrivateKeyAccount } from "viem/accounts";
import { systemClock } from "@countersign/platform/clock";
import { makeService, type Route } from "@countersign/platform/http";
import { newId } from "@countersign/platform/ids";
import { makeLog } from "@countersign/platform/log";
import { hashPayload, hashProposal, type Shape } from "@countersign/wire";
import { makeAccountStore, type Account } from "../../src/accounts/index.ts";
import { aTestApiWithKeys, type TestApiWithKeys } from "../api-keys.ts";
import { makeEventStore, makeTail, makeWaitForChange } from "../../src/events/index.ts";
import { connectDatabase, type Database } from "../../src/platform/db/connect.ts";
import { makeFlowStore } from "../../src/platform/flows/index.ts";
import { makeIdempotency, makeIdempotencyStore } from "../../src/platform/idempotency/index.ts";
import { signatureHeaders } from "../signed-requests.ts";
import { aWallet, bearer, signIn } from "../sign-in.ts";
import { makeDecide } from "../../src/transactions/decide/decide.ts";
import { makeAttest } from "../../src/transactions/attest/attest.ts";
import { dropOnChange, makeApprovalStatus } from "../../src/transactions/decide/approval-status.ts";
import {
  makeCheckAttestation,
  makeRequireAttestation,
  type Service,
} from "../../src/transactions/decide/check-attestation.ts";
import { makeTransition } from "../../src/transactions/transition.ts";
import { makeExpireOverdue } from "../../src/transactions/watch/expire.ts";
import { makeRemindOwners } from "../../src/transactions/watch/remind.ts";
import { begin, type LifecycleEvent } from "../../src/transactions/lifecycle.ts";
import {
  makeListTransactions,
  makeReadTransaction,
} from "../../src/transactions/record/read-transactions.ts";
import { makeReadReceipt, makeReadReceiptWithBundle } from "../../src/transactions/attest/receipt.ts";
import { decideRoutes } from "../../src/transactions/decide/routes.ts";
import { internalRoutes } from "../../src/transactions/attest/routes.ts";
import { contentRoutes } from "../../src/transactions/verify/routes.ts";
import { makeReadAwaiting } from "../../src/transactions/verify/unsealed.ts";
import { readRoutes } from "../../src/transactions/read/routes.ts";
import { makeTransactionStore } from "../../src/transactions/store/index.ts";
import { standingsRoutes } from "../../src/transactions/verify/routes-standings.ts";
import { makeReadStandings } from "../../src/transactions/verify/standings.ts";
import type { Call, Hex, NewTransaction, Transaction } from "../../src/transactions/transaction.ts";
import { chainOf, readToTheEnd, watchedChains } from "../transactions.ts";
import { makeWithdraw } from "../../src/transactions/decide/withdraw.ts";
import { makeReadVerdict } from "../../src/transactions/execute/read-verdict.ts";
import { makeRelease } from "../../src/transactions/release/release.ts";
import { releaseRoutes } from "../../src/transactions/release/routes.ts";
import { anAttestation, aReport, aShapedAttestation, domain } from "./attestation.ts";
import { aPayload } from "./payloads.ts";

export { anAttestation, aReport, aShapedAttestation, domain };
const perMinute = 5_000;

/** One process: the parts that the composition root makes, with limits that a test can reach. */
function makeParts({ db }: Pick<Database, "db">, limit: number) {
  const log = makeLog({ app: "api", level: "silent" });
  const flows = { start: async () => undefined, wake: async () => undefined };
  const flowStore = makeFlowStore(db);
  const store = makeTransactionStore({ db, approvedSeconds: 7200, watchedChains, compactStorage: true });
  const readTrace = (key: string) => flowStore.readTraceparent({ flow: "verification", key });
  const tail = makeTail({ store: makeEventStore(db), log, everyMs: 100 });
  const accounts = makeAccountStore(db);
  const stopping = new AbortController().signal;
  const waitForChange = makeWaitForChange(tail, stopping);
  const status = makeApprovalStatus({ store, waitForChange, clock: systemClock, stopping });
  const transition = dropOnChange(makeTransition({ store, flows, poke: tail.poke }), status.drop);
  const { idempotently } = makeIdempotency({ store: makeIdempotencyStore(db) });
  const readTransaction = makeReadTransaction({ store, accounts });
  return { store, transition, accounts, status, idempotently, readTransaction, readTrace, tail, limit };
}
type Made = ReturnType<typeof makeParts>;

const readServices = async (client: pg.Client, where = "true"): Promise<readonly Service[]> => {
  const { rows } = await client.query<Service>(
    `select id::int, inbox, active, fingerprint from verification_services where ${where} order by id`,
  );
  return rows;
};

function makeRoutes(made: Made, client: pg.Client): readonly Route[] {
  const { store, transition, accounts, status, idempotently, readTransaction, readTrace, limit } = made;
  const findService = async (id: number) => (await readServices(client, `id = ${id}`))[0];
  const services = { findService, listServices: () => readServices(client) };
  const checkAttestation = makeCheckAttestation({ domain, ...services, clock: systemClock });
  const requireAttestation = makeRequireAttestation(services);
  const findRegistration = async () => ({ transactionHash: null, root: null, proof: null });
  const readReceipt = makeReadReceipt({ readTransaction, store, findService, findRegistration, domain });
  return [
    ...decideRoutes({
      decide: makeDecide({ store, transition, accounts, checkAttestation, requireAttestation, idempotently }),
      withdraw: makeWithdraw({ transition }),
      readTransaction,
      decisionsPerMinute: limit,
    }),
    ...releaseRoutes({
      release: makeRelease({ store, transition, readVerdict: makeReadVerdict({ store, checkAttestation }) }),
      readTransaction,
      releasesPerMinute: limit,
    }),
    ...readRoutes({
      status,
      listTransactions: makeListTransactions({ store, accounts }),
      readTransaction,
      readContextLogs: store.readContextLogs,
      readTrace,
      readReceipt,
      readReceiptWithBundle: makeReadReceiptWithBundle({ store, readReceipt }),
      baseUrl: "https://api.example",
      readsPerMinute: limit,
    }),
    ...internalRoutes({ attest: makeAttest({ store, transition }), metadataPerMinute: limit }),
    ...contentRoutes({ readAwaiting: makeReadAwaiting({ store }), readsPerMinute: limit }),
    ...standingsRoutes({ readStandings: makeReadStandings({ store }), readsPerMinute: limit }),
  ];
}

type Sent = {
  readonly method?: "GET" | "POST" | "PATCH";
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly payload?: object | string;
  readonly remoteAddress?: string;
};

export type DecideApi = Awaited<ReturnType<typeof aDecideApi>>;

/** A service with these and all other endpoints, on the database of `api`. */
async function serve(api: TestApiWithKeys, limit: number) {
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  await client.query(readToTheEnd);
  const log = makeLog({ app: "api", level: "silent" });
  const database = connectDatabase({ url: api.config.DATABASE_URL, poolSize: 5, log });
  const made = makeParts(database, limit);
  const routes = makeRoutes(made, client);
  const isMine = ({ method, path }: Route) =>
    routes.some((route) => route.method === method && route.path === path);
  const others = api.app.routes.filter((route) => !isMine(route));
  const service = await makeService({ ...api.app.service, routes: [...others, ...routes] });
  return {
    ...made,
    client,
    send: (sent: Sent) => service.inject(sent),
    expireOverdue: makeExpireOverdue({ ...made, chainOf, log }),
    remindOwners: makeRemindOwners(made),
    attest: makeAttest(made),
    close: async () => {
      await service.close();
      made.tail.close();
      await database.close();
      await client.end();
    },
  };
}

export async function aDecideApi(limit = perMinute) {
  const api = await aTestApiWithKeys();
  const own = await serve(api, limit);
  return {
    ...own,
    api,
    /** Another process on the same database. */
    another: () => serve(api, limit),
    close: async () => {
      await own.close();
      await api.close();
    },
  };
}

type Headers = Record<string, string>;

/** An owner with an account and every kind of credential. */
export async function aPerson({ api }: Pick<DecideApi, "api">) {
  const wallet = aWallet();
  const who = await signIn(api, wallet);
  const account = wallet.address.toLowerCase() as Account;
  const key = async (label: "user" | "agent" | "arbiter" = "agent") => {
    const { id, secret } = await api.issueKey({ account, type: "user", label });
    return { id, headers: { "x-api-key": secret } as Headers };
  };
  return {
    wallet,
    account,
    user: who.user,
    jwt: bearer(who) as Headers,
    agent: await key(),
    key,
    sign: (method: string, target: string, body = ""): Promise<Headers> =>
      signatureHeaders(wallet, { method, target, body }),
  };
}
export type Person = Awaited<ReturnType<typeof aPerson>>;

export const aServerKey = async (
  { api }: Pick<DecideApi, "api">,
  type: "admin" | "orion",
  label?: "agent" | "arbiter",
): Promise<{ id: string; headers: Headers }> => {
  const { id, secret } = await api.issueKey({ type, ...(label === undefined ? {} : { label }) });
  return { id, headers: { "x-api-key": secret } };
};

/** Whole seconds, as deadlines are. */
export const secondsFromNow = (seconds: number): Date =>
  new Date((Math.floor(Date.now() / 1000) + seconds) * 1000);

const word = (): Hex => `0x${randomBytes(32).toString("hex")}`;
const prompt = "Send 0.001 ETH to 0x1111111111111111111111111111111111111111.";

type Changes = Partial<NewTransaction> & {
  readonly executionType?: 0 | 1 | 2;
  /** The events that have happened so far. */
  readonly after?: readonly LifecycleEvent[];
};

/** Inserted as if it had been proposed. A test changes only what it is about. */
export async function aTransaction(
  { store }: Pick<DecideApi, "store">,
  { account }: Pick<Person, "account">,
  { executionType = 1, after = [], ...changes }: Changes = {},
): Promise<Transaction> {
  const policy = { requireUser: false, adminMayApprove: false, external: true };
  const deadline = changes.deadline ?? secondsFromNow(3600);
  const fields = { escrow: account, chainId: 11_155_111, executionType, salt: word() };
  const tx: Call = { to: `0x${"11".repeat(20)}`, value: 1_000_000_000_000_000n, data: "0x" };
  const requestHash = hashProposal(domain, {
    ...fields,
    ...tx,
    userPrompt: prompt,
    deadline: deadline.getTime() / 1000,
  });
  const { escrow, chainId, salt } = fields;
  const made = await store.insert({
    id: newId(),
    ...{ account, escrow, requestHash, chainId, salt, tx, deadline },
    ...{ payload: null, signingHash: null },
    form: "standard",
    proposer: `jwt:${account}`,
    description: prompt,
    intentProvenance: "agent-claimed",
    serviceId: null,
    supersedes: null,
    lifecycle: begin(executionType, policy),
    extras: null,
    envelope: null,
    ...changes,
  });
  const changed =
    after.length === 0 ? undefined : await store.change({ id: made.id }, () => ({ events: after }));
  return changed?.after ?? made;
}

/** A proposal of a shape to be released, inserted as if it had been proposed. */
export const aReleasable = (
  api: Pick<DecideApi, "store">,
  { account }: Pick<Person, "account">,
  shape: Shape,
  changes: Changes = {},
): Promise<Transaction> => {
  const payload = aPayload[shape](account);
  return aTransaction(api, { account }, { tx: null, payload, signingHash: hashPayload(payload), ...changes });
};

/** A signature to be released. */
export const aSignature = (
  api: Pick<DecideApi, "store">,
  person: Pick<Person, "account">,
  changes: Changes = {},
): Promise<Transaction> => aReleasable(api, person, "typedData", changes);

/** Registered, so that a verdict takes effect at once. */
export const registered = ["pin", "register"] as const;

export async function aService(
  { client }: Pick<DecideApi, "client">,
  { id = 1, active = true }: { readonly id?: number; readonly active?: boolean } = {},
): Promise<{ readonly id: number; readonly wallet: PrivateKeyAccount }> {
  const wallet = aWallet();
  await client.query(
    `insert into verification_services (id, chain_id, name, inbox, active, fingerprint, key_uri)
     values ($1, 11155111, 'Orion', $2, $3, $4, 'data:,')`,
    [id, wallet.address.toLowerCase(), active, "ab".repeat(20)],
  );
  return { id, wallet };
}

export const approvalsUrl = ({ requestHash }: Pick<Transaction, "requestHash">): string =>
  `/transactions/${requestHash}/approvals`;

export const post = (
  { send }: Pick<DecideApi, "send">,
  transaction: Pick<Transaction, "requestHash">,
  headers: Headers,
  payload: object = { decision: "APPROVED" },
) => send({ method: "POST", url: approvalsUrl(transaction), headers, payload });
