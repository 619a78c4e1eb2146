// A real chain, a real database, the whole service with its custody, and a custodian that can be told to misbehave.
// The tests drive by hand what the engine would drive.
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { privateKeyToAccount, generatePrivateKey } from "viem/accounts";
import { systemClock } from "@countersign/platform/clock";
import { makeMetrics } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { hashReport } from "@countersign/wire";
import { makeSupervisor, startAnvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir } from "@countersign/tools/testing";
import { makeChain } from "../../../../../tools/stage/chain.ts";
import { startFaultyProxy } from "../../../../../tools/stage/faulty-proxy.ts";
import { startCustodianStandIn } from "../../../../../tools/stand-ins/custodian/stand-in.ts";
import { aTestApiWithKeys } from "../../api-keys.ts";
import { makeChainReaders } from "../../../src/composition/chain-readers.ts";
import { makeCustody } from "../../../src/composition/custody.ts";
import { chooseSenders, makeExecution } from "../../../src/composition/execution.ts";
import { domainOf } from "../../../src/composition/transactions.ts";
import { makeServiceStore } from "../../../src/directory/index.ts";
import { connectDatabase } from "../../../src/platform/db/connect.ts";
import type { FlowSteps } from "../../../src/platform/flows/index.ts";
import { bearer, signIn, type SignedIn } from "../../sign-in.ts";
import { isOurs } from "../../../src/transactions/execute/execute.ts";
import { makeTransition } from "../../../src/transactions/transition.ts";
import { makeExpireOverdue } from "../../../src/transactions/watch/expire.ts";
import { isTerminal, type Verdict } from "../../../src/transactions/lifecycle.ts";
import { makeTransactionStore } from "../../../src/transactions/store/index.ts";
import { manyProposals, watchedChains } from "../../transactions.ts";
import { aCustodyWallet } from "../custody-wallet.ts";
import { aReport, anAttestation } from "../decide-api.ts";
import type { Call, Hex, Transaction } from "../../../src/transactions/transaction.ts";
import { makeWatchStore, startWatching } from "../../../src/transactions/watch/index.ts";
import { makeReadSent, type Sent } from "./sent.ts";
import { CutOff, makeJournal, type Edge, type Journal } from "./journal.ts";

const chainId = 11_155_111;
const nowhere = "0x0000000000000000000000000000000000000000";
/** A reorg of this depth reaches no final block. */
const finalDepth = 6n;

let sent = 0;
let proposals = 0;
/** Every request from its own address, because these tests are not about limits. */
const someAddress = (): string => `10.${(++sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`;

/** A clock that can be moved past deadlines. */
function makeMovableClock() {
  let aheadMs = 0;
  return {
    now: () => new Date(systemClock.now().getTime() + aheadMs),
    moveTo: (moment: Date): void => {
      aheadMs = moment.getTime() - systemClock.now().getTime() + 1_000;
    },
    moveBack: (): void => {
      aheadMs = 0;
    },
  };
}

async function startOutside() {
  const dir = makeTempDir("execute");
  const supervisor = makeSupervisor({ logDir: dir });
  const [port = 0] = await freePorts(1);
  const anvil = await startAnvil({ supervisor, dir: `${dir}/anvil`, port });
  const node = await startFaultyProxy(anvil.url);
  const chain = makeChain(anvil.url);
  const custodian = await startCustodianStandIn({ rpcUrl: anvil.url });
  let shown: bigint | undefined;
  let onQuestion: ((question: string) => Promise<void>) | undefined;
  const numberOf = (block: bigint): string => `"0x${(block > 0n ? block : 0n).toString(16)}"`;
  /** Simulates a chain with slower finality and, on request, a node that is behind. */
  const rewrites = async (body: string): Promise<string> => {
    await onQuestion?.(body);
    if (!body.includes("eth_getBlockByNumber")) return body;
    const head = shown ?? (await chain.client.getBlockNumber({ cacheTime: 0 }));
    const later = body.replaceAll('"finalized"', numberOf(head - finalDepth));
    return shown === undefined ? later : later.replaceAll('"latest"', numberOf(head));
  };
  node.fail({ rewrites });
  chain.mineEvery(150);
  return {
    ...{ node, chain, custodian },
    /** Runs something before a request reaches the node. */
    whenAsked: (doThis: typeof onQuestion): void => {
      onQuestion = doThis;
    },
    /** Makes the node hide new blocks, or show all of them again. */
    standStill: async (isStill: boolean): Promise<void> => {
      shown = isStill ? await chain.client.getBlockNumber({ cacheTime: 0 }) : undefined;
    },
    end: async (): Promise<void> => {
      chain.stopMining();
      await custodian.close();
      await supervisor.stop();
      node.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The worker's side of the service, on its own connections. */
async function hireWorker(api: Awaited<ReturnType<typeof aTestApiWithKeys>>) {
  const lines: string[] = [];
  const log = makeLog({ app: "worker", level: "warn", to: { write: (line) => void lines.push(line) } });
  const { db, close } = connectDatabase({ url: api.config.DATABASE_URL, poolSize: 8, log });
  const store = makeTransactionStore({ db, approvedSeconds: 7200, watchedChains, compactStorage: false });
  const transition = makeTransition({
    store,
    flows: { start: async () => undefined, wake: async () => undefined },
    poke: () => undefined,
  });
  const parts = { config: api.config, db, clock: systemClock, log, secrets: api.secrets };
  const nobody = { findWalletToSendFrom: async () => undefined, openSender: async () => undefined };
  const senders = chooseSenders({ custody: makeCustody(parts).offered, quorums: nobody });
  const clock = makeMovableClock();
  const readers = makeChainReaders({ config: api.config, metrics: makeMetrics("worker"), log });
  const bound = { domain: domainOf(api.config), services: makeServiceStore(db), readers };
  const execution = makeExecution({ config: api.config, clock, log, store, transition, senders, ...bound });
  const chains = [...readers.values()];
  const watching = startWatching({ chains, store: makeWatchStore(db), transition, log, everyMs: 60 });
  return {
    ...{ db, store, transition, clock, senders, log, ...bound, ...execution },
    expireOverdue: makeExpireOverdue({ store, transition, log, chainOf: execution.chainOf }),
    /** Its warnings so far. */
    complaints: (): string => lines.join(""),
    dismiss: async (): Promise<void> => {
      await watching.stop();
      await close();
    },
  };
}

export type Owner = SignedIn & { readonly vault: Hex };
export type ExecutionStage = Awaited<ReturnType<typeof setExecutionStage>>;

export async function setExecutionStage() {
  const outside = await startOutside();
  const { chain, custodian, node } = outside;
  const api = await aTestApiWithKeys({
    ...manyProposals,
    CUSTODIAN_URL: custodian.url,
    RPC_URLS: `${chainId}=${node.url}`,
    SENDER_TIMEOUT_MS: "700",
  });
  const worker = await hireWorker(api);
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  const arbiter = privateKeyToAccount(generatePrivateKey());
  await client.query(
    `insert into verification_services (id, chain_id, name, inbox, active, fingerprint, key_uri)
     values (1, ${chainId}, 'Orion', $1, true, $2, 'data:,')`,
    [arbiter.address.toLowerCase(), "ab".repeat(20)],
  );
  const keys = { orion: await api.issueServerKey("orion"), admin: await api.issueServerKey("admin") };
  const { store, transition } = worker;

  const post = (url: string, headers: Readonly<Record<string, string>>, payload: object = {}) =>
    api.http.send({ method: "POST", url, headers, payload, remoteAddress: someAddress() });
  const find = async (requestHash: Hex): Promise<Transaction> => {
    const found = await store.find(requestHash);
    if (found === undefined) throw new Error("it is not in the record");
    return found;
  };

  const driving: (() => Promise<void>)[] = [];
  /** Like the flow: until it has ended, or there is nothing for us to do. */
  const takeTurns = async (requestHash: Hex, steps: FlowSteps): Promise<void> => {
    for (let turn = 1; ; turn++) {
      const found = await find(requestHash);
      if (isTerminal(found)) return;
      if (turn > 100) throw new Error("it is taken up again and again, without a pause");
      if (isOurs(found)) await worker.execute(requestHash, steps, turn);
      else {
        await steps.waitFor("ours", async () => undefined, new Date(Date.now() + 40));
        turn -= 1;
      }
    }
  };
  const readSent = makeReadSent(chain);

  return {
    ...{ ...worker, ...outside, api, client, keys, find, post },

    /** An owner whose agent's transactions are sent through the custodian. */
    anOwner: async (type: "agent" | "execution" = "agent"): Promise<Owner> => {
      const who = await signIn(api);
      const payload = { executionType: 2 };
      await api.http.send({ method: "PUT", url: "/settings", payload, headers: bearer(who) });
      const vault = (await aCustodyWallet(api, who, { custodian, type })).toLowerCase() as Hex;
      return { ...who, vault };
    },

    /** Recorded, simulated and registered, as in the flow. */
    propose: async (owner: Owner, tx: Call, deadline?: number): Promise<Hex> => {
      const body = {
        escrowAddress: owner.vault,
        // Each request is another one: these tests are not about repeated payments.
        userPrompt: `as a test wants it, number ${++proposals}`,
        tx: { to: tx.to, value: tx.value.toString(), data: tx.data },
        ...(deadline === undefined ? {} : { deadline }),
      };
      const answer = await post("/transactions", bearer(owner), body);
      if (answer.statusCode !== 201) throw new Error(`not proposed: ${answer.body}`);
      const { requestHash } = answer.json<{ requestHash: Hex }>();
      await worker.takeSnapshot(await find(requestHash));
      await transition.change({ requestHash }, () => ({ events: ["pin", "register"] }));
      return requestHash;
    },

    /** Posts a signed verdict with its report. */
    postVerdict: async (requestHash: Hex, decision: Verdict = "APPROVED", report = aReport()) => {
      const domain = { chainId, inbox: nowhere } as const;
      const changes = { decision, domain, reportHash: hashReport(report) };
      const attestation = await anAttestation(await find(requestHash), arbiter, changes);
      const body = { decision, attestation, report };
      return post(`/transactions/${requestHash}/approvals`, { "x-api-key": keys.orion }, body);
    },

    /** Drives it until it has ended or the condition is met. Runs are numbered as in the flow. */
    drive: async (
      requestHash: Hex,
      { onEdge, until = isTerminal, seconds = 20, journal = makeJournal(requestHash) }: Driving = {},
    ): Promise<Transaction> => {
      const limit = Date.now() + seconds * 1000;
      const given = { isStopped: false, failure: undefined as Error | undefined };
      const edge: Edge = async (step, where) => {
        if (given.isStopped) throw new CutOff(`before ${step}`);
        await onEdge?.(step, where);
      };
      const turns = takeTurns(requestHash, journal.steps(edge)).catch((error: unknown) => {
        given.failure = error as Error;
      });
      driving.push(async () => {
        given.isStopped = true;
        await turns;
      });
      for (;;) {
        const found = await find(requestHash);
        if (until(found)) return found;
        if (given.failure !== undefined) throw given.failure;
        if (Date.now() > limit)
          throw new Error(
            `not within ${seconds} s: ${JSON.stringify({ phase: found.phase, reason: found.reason })}`,
          );
        await sleep(25);
      }
    },

    /** The custodian's orders for it. */
    ordersOf: (requestHash: Hex) =>
      custodian.accepted().filter(({ externalTxId }) => externalTxId === requestHash),

    /** The reason as a sentence. */
    reasonOf: async (requestHash: Hex): Promise<string | null> => {
      const { rows } = await client.query<{ detail: string | null }>(
        "select reason_detail as detail from transactions where request_hash = $1",
        [Buffer.from(requestHash.slice(2), "hex")],
      );
      return rows[0]?.detail ?? null;
    },

    /** Every transaction of a wallet that is in a block. */
    sentFrom: async (wallet: Hex): Promise<readonly Sent[]> =>
      (await readSent()).filter(({ from }) => from === wallet),

    /** Ends whatever a test has left in progress. */
    tidyUp: async (): Promise<void> => {
      for (const stop of driving.splice(0)) await stop();
      custodian.behave("good");
      await outside.standStill(false);
      worker.clock.moveBack();
      const { rows } = await client.query<{ id: string }>(
        "select transaction_id as id from executions where is_open",
      );
      for (const { id } of rows)
        await transition.change({ id }, () => ({ events: ["failPreflight", "loseNonce"] }));
    },

    close: async (): Promise<void> => {
      await worker.dismiss();
      await client.end();
      await api.close();
      await outside.end();
    },
  };
}

type Driving = {
  readonly onEdge?: Edge | undefined;
  readonly until?: (transaction: Transaction) => boolean;
  readonly seconds?: number;
  readonly journal?: Journal;
};
