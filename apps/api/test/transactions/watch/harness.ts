// A real chain behind a node that can be told to misbehave, a real database, and wallets that send what a test says.
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { sql } from "kysely";
import { createTestClient, http, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { newId } from "@countersign/platform/ids";
import { hashPayload, type Payload } from "@countersign/wire";
import { makeLog } from "@countersign/platform/log";
import { makeSupervisor, startAnvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir, makeTestDatabase, waitUntil } from "@countersign/tools/testing";
import { makeAccountStore } from "../../../src/accounts/index.ts";
import { makeChainReader } from "../../../src/adapters/chain/index.ts";
import { connectDatabase } from "../../../src/platform/db/connect.ts";
import { makeTransition } from "../../../src/transactions/transition.ts";
import { begin, statusOf, type LifecycleEvent } from "../../../src/transactions/lifecycle.ts";
import { makeTransactionStore } from "../../../src/transactions/store/index.ts";
import type { Call, Hex, Transaction } from "../../../src/transactions/transaction.ts";
import { proofOf } from "../../../src/transactions/uses/index.ts";
import { makeSightings } from "../../../src/transactions/watch/sightings.ts";
import { makeWatchStore } from "../../../src/transactions/watch/store/executions.ts";
import { makeWatchUses } from "../../../src/transactions/watch/watch-uses.ts";
import { makeWatchChain, type WatchChain } from "../../../src/transactions/watch/watch-chain.ts";

const watchedChains: ReadonlySet<number> = new Set([11_155_111]);
const silent = makeLog({ app: "test", level: "silent" });

/** How the node handles a request. By default it forwards it. Called with the number of requests since then. */
type Mischief = (method: string, count: number) => "fail" | { readonly answer: unknown } | undefined;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

type Question = { readonly id: number; readonly method: string; readonly params?: readonly unknown[] };

/**
 * A node in front of the real one. Its last blocks become final later than anvil says, so that there is room
 * for reorgs.
 */
async function startNode(url: string, finalDepth: number) {
  let mischief: Mischief | undefined;
  let count = 0;
  const ask = async (question: object): Promise<{ result?: unknown }> => {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...question }),
    });
    return (await answer.json()) as { result?: unknown };
  };
  const answerTo = async ({ method, params = [] }: Question): Promise<object> => {
    if (params[0] !== "finalized") return ask({ method, params });
    const { result } = await ask({ method: "eth_blockNumber", params: [] });
    const number = Math.max(0, Number(result) - finalDepth);
    return ask({ method, params: [`0x${number.toString(16)}`, false] });
  };
  const server = createServer((request, response) => {
    void (async () => {
      const question = JSON.parse(await bodyOf(request)) as Question;
      const done = mischief?.(question.method, ++count);
      if (done === "fail") {
        response.writeHead(503).end();
        return;
      }
      const answer = done === undefined ? await answerTo(question) : { result: done.answer };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", ...answer, id: question.id }));
      // A request that a test aborts is not an error.
    })().catch(() => response.destroy());
  });
  const [port = 0] = await freePorts(1);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    /** Returns a function that ends it. */
    misbehave: (how: Mischief): (() => number) => {
      [mischief, count] = [how, 0];
      return () => {
        mischief = undefined;
        return count;
      };
    },
    behave: (): void => {
      mischief = undefined;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Harness = Awaited<ReturnType<typeof setHarness>>;
export type Wallet = Awaited<ReturnType<Harness["aWallet"]>>;

export const finalDepth = 10;
/** Until it may be executed. */
export const approved = ["pin", "register", "verdictApproved", "userApproves"] as const;

const hex = (bytes: number): Hex => `0x${randomBytes(bytes).toString("hex")}`;
const policy = { requireUser: false, adminMayApprove: false, external: true };

export async function setHarness() {
  const dir = makeTempDir("watch");
  const supervisor = makeSupervisor({ logDir: dir });
  const [port = 0] = await freePorts(1);
  const [anvil, testDatabase] = await Promise.all([
    startAnvil({ supervisor, dir: `${dir}/anvil`, port }),
    makeTestDatabase(),
  ]);
  const node = await startNode(anvil.url, finalDepth);
  const database = connectDatabase({ url: testDatabase.url, poolSize: 8, log: silent });
  const { db } = database;
  const chain = createTestClient({ mode: "anvil", transport: http(anvil.url), cacheTime: 0 }).extend(
    publicActions,
  );
  // From here on a block is mined for each transaction, and when a test says so.
  await chain.setIntervalMining({ interval: 0 });
  await chain.setAutomine(true);
  const store = makeTransactionStore({ db, approvedSeconds: 7200, watchedChains, compactStorage: true });
  const transition = makeTransition({
    store,
    flows: { start: async () => undefined, wake: async () => undefined },
    poke: () => undefined,
  });
  const watchStore = makeWatchStore(db);
  const { chainId } = anvil;

  /** A process that knows only what is in the database. */
  const aWatcher = (rpcUrl = node.url, log = silent): WatchChain => {
    const reader = makeChainReader({ chainId, rpcUrls: [rpcUrl], timeoutMs: 2_000 });
    return makeWatchChain({
      chain: reader,
      store: watchStore,
      sightings: makeSightings({ transition, chain: reader }),
      uses: makeWatchUses({ chain: reader, store: watchStore.uses, transition, log }),
      log,
    });
  };

  /** One that dies, as by a kill, right after its n-th change. */
  const aDyingWatcher = (at: number): WatchChain => {
    let changes = 0;
    const orDie = <T>(result: T): T => {
      if (++changes >= at) throw new Error("killed");
      return result;
    };
    const reader = makeChainReader({ chainId, rpcUrls: [node.url] });
    const dying = {
      change: async (...given: Parameters<typeof transition.change>) =>
        orDie(await transition.change(...given)),
    };
    const moveCursor: typeof watchStore.moveCursor = async (...given) =>
      orDie(await watchStore.moveCursor(...given));
    const sightings = makeSightings({ transition: dying, chain: reader });
    const uses = makeWatchUses({ chain: reader, store: watchStore.uses, transition: dying, log: silent });
    const dyingStore = { ...watchStore, moveCursor };
    return makeWatchChain({ chain: reader, store: dyingStore, sightings, uses, log: silent });
  };

  const rpc = (method: string, ...params: unknown[]): Promise<unknown> =>
    chain.request({ method, params } as never);

  /** Sends it and waits for the block that it is mined in. */
  const include = async (raw: Hex, seconds = 10): Promise<Hex> => {
    const hash = await chain.sendRawTransaction({ serializedTransaction: raw });
    await waitUntil("it is mined", () => chain.getTransactionReceipt({ hash }), { seconds });
    return hash;
  };

  return {
    node,
    chain,
    include,
    chainId,
    anvilUrl: anvil.url,
    db,
    store,
    transition,
    watchStore,
    aWatcher,
    aDyingWatcher,
    rpc,
    forgetCursor: () => sql`delete from chain_cursors`.execute(db),
    mine: (blocks: number) => chain.mine({ blocks }),
    /** Replaces the last blocks by as many others, with these transactions in the first of them. */
    reorganise: async (depth: number, raws: readonly Hex[] = []) => {
      await rpc(
        "anvil_reorg",
        depth,
        raws.map((raw) => [raw, 0]),
      );
    },
    /** Removes the last blocks. The following ones differ from them. */
    rollBack: async (depth: number) => {
      await rpc("anvil_rollback", depth);
      await rpc("anvil_setCoinbase", hex(20));
    },
    /** Runs rounds until there is nothing left to read. */
    watch: async (watcher: WatchChain = aWatcher()) => {
      for (let round = 0; round < 20; round++) if ((await watcher()) === 0) return;
      throw new Error("the watch does not come to an end");
    },
    async aWallet() {
      const account = privateKeyToAccount(generatePrivateKey());
      const address = account.address.toLowerCase() as Hex;
      await makeAccountStore(db).ensure(address, newId());
      await chain.setBalance({ address, value: 10n ** 24n });
      const signNext = async ({ to, value, data }: Call, tip = 1n): Promise<Hex> =>
        account.signTransaction({
          ...{ to, value, data, chainId, type: "eip1559", gas: 1_000_000n },
          ...{ maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: tip },
          nonce: await chain.getTransactionCount({ address }),
        });
      return {
        address,
        account,
        signNext,
        send: async (call: Call, tip?: bigint): Promise<{ hash: Hex; raw: Hex }> => {
          const raw = await signNext(call, tip);
          return { raw, hash: await include(raw) };
        },
      };
    },
    /** Inserts a proposal, after these events. */
    async aProposal(
      { address }: { readonly address: Hex },
      tx: Call,
      after: readonly LifecycleEvent[] = approved,
    ): Promise<Transaction> {
      const made = await store.insert({
        id: newId(),
        ...{ account: address, escrow: address, chainId, tx, salt: hex(32), requestHash: hex(32) },
        ...{ payload: null, signingHash: null },
        ...{ form: "standard", proposer: `jwt:${address}`, description: "as a test wants it" },
        ...{
          intentProvenance: "agent-claimed",
          serviceId: null,
          supersedes: null,
          extras: null,
          envelope: null,
        },
        deadline: new Date(Date.now() + 3_600_000),
        lifecycle: begin(1, policy),
      });
      if (after.length === 0) return made;
      return (await transition.change({ id: made.id }, () => ({ events: after })))?.after ?? made;
    },
    /** Inserts a proposal that is approved and released. */
    async aRelease({ address }: { readonly address: Hex }, payload: Payload): Promise<Transaction> {
      const made = await store.insert({
        id: newId(),
        ...{ account: address, escrow: address, chainId, tx: null, salt: hex(32), requestHash: hex(32) },
        ...{ payload, signingHash: hashPayload(payload), intentProvenance: "agent-claimed" },
        ...{ form: "standard", proposer: `jwt:${address}`, description: "as a test wants it" },
        ...{ serviceId: null, supersedes: null, extras: null, envelope: null },
        deadline: new Date(Date.now() + 3_600_000),
        lifecycle: begin(1, policy),
      });
      const useKind = proofOf(made)?.kind ?? null;
      const changed = await transition.change({ id: made.id }, () => ({
        ...{ events: [...approved, "release"], facts: { useKind } },
      }));
      return changed?.after ?? made;
    },
    /** Makes the next round read the state of all released signatures. */
    checkUsesNow: () => sql`update release_watches set check_at = now()`.execute(db),
    happen: async ({ id }: Pick<Transaction, "id">, ...events: LifecycleEvent[]) => {
      await transition.change({ id }, () => ({ events }));
    },
    /** As if it had been proposed at the time of the chain's newest block. */
    moveInTime: async ({ id }: Pick<Transaction, "id">) => {
      const { timestamp } = await chain.getBlock();
      await sql`update transactions set created_at = to_timestamp(${timestamp.toString()}::bigint)
        where id = ${id}`.execute(db);
    },
    /** Makes it expire. */
    expire: async ({ id }: Pick<Transaction, "id">) => {
      await sql`update transactions set expires_at = now() - interval '1 second'
        where id = ${id} and expires_at is not null`.execute(db);
      await transition.change({ id }, ({ phase }) =>
        phase === "READY" ? { events: ["expireReady"] } : undefined,
      );
    },
    async read({ requestHash }: Pick<Transaction, "requestHash">) {
      const found = await store.find(requestHash);
      if (found === undefined) throw new Error("it is not in the record");
      const { phase, reason, alert, late, execution, onchain, use, version, id } = found;
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from account_events where transaction_id = ${id}`.execute(db);
      if (rows[0]?.count !== version) throw new Error("a version without its event");
      return {
        phase,
        status: statusOf(found),
        reason,
        alert,
        late,
        onchain,
        use,
        hash: execution?.hash,
        execution,
      };
    },
    close: async () => {
      await node.close();
      await supervisor.stop();
      await database.close();
      await testDatabase.drop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export const somewhere = (): Hex => hex(20);
export const aCall = (changes: Partial<Call> = {}): Call => ({
  to: somewhere(),
  value: 1_000n,
  data: "0x",
  ...changes,
});
