// Two processes decide about more proposals than a budget has room for, and are killed with SIGKILL at random moments.
// Nothing is overspent, and no decision is lost.
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { fetchOk, makeSupervisor, type Child } from "@countersign/tools/engines";
import {
  findRunSeed,
  freePorts,
  makeRandom,
  makeTempDir,
  sizeOf,
  waitUntil,
} from "@countersign/tools/testing";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aMandate, anEffect, audit, find, reportOf } from "../../../test/mandates.ts";
import {
  aDecideApi,
  anAttestation,
  aPerson,
  approvalsUrl,
  aServerKey,
  aService,
  aTransaction,
  registered,
  type DecideApi,
  type Person,
} from "../../../test/transactions/decide-api.ts";
import { domainOf } from "../../composition/transactions.ts";
import type { Transaction } from "../transaction.ts";

const size = {
  proposals: sizeOf({ part: 60, all: 200 }),
  kills: sizeOf({ part: 4, all: 50 }),
};
const budgetFor = 20;
const seed = findRunSeed();
const random = makeRandom(seed);

type Process = { readonly origin: string; readonly restart: () => Promise<void> };

const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
const dir = makeTempDir("kill-processes");
const supervisor = makeSupervisor({ logDir: dir });
let api: DecideApi;
let orion: { readonly headers: Record<string, string> };
let verifier: PrivateKeyAccount;
let serviceId: number;
let processes: readonly Process[];

async function startProcess(port: number): Promise<Process> {
  const origin = `http://127.0.0.1:${port}`;
  const { config } = api.api;
  const start = async (): Promise<Child> => {
    const child = supervisor.start({
      ...{ name: `api-${port}`, command: process.execPath, args: [main], cwd: dir },
      env: {
        ...{ PORT: String(port), LOG_LEVEL: "warn", DATABASE_URL: config.DATABASE_URL },
        ...{ SECRETS_KEY: config.SECRETS_KEY ?? "", BASE_URL: origin },
        ...{ RPC_URLS: "1=http://127.0.0.1:9" },
      },
    });
    await waitUntil("the API is ready", () => fetchOk(`${origin}/ready`), { seconds: 60, child });
    return child;
  };
  let child = await start();
  return {
    origin,
    restart: async () => {
      await child.kill();
      child = await start();
    },
  };
}

beforeAll(async () => {
  api = await aDecideApi();
  orion = await aServerKey(api, "orion");
  ({ wallet: verifier, id: serviceId } = await aService(api));
  processes = await Promise.all((await freePorts(2)).map(startProcess));
}, 120_000);
afterAll(async () => {
  await supervisor.stop();
  await api.close();
  rmSync(dir, { recursive: true, force: true });
});

const propose = (owner: Person, number: number): Promise<Transaction> =>
  aTransaction(api, owner, {
    ...{ executionType: 2, after: registered, serviceId, proposer: `key:${owner.agent.id}` },
    ...{ description: `Pay the shop, number ${number}.`, tx: { to: owner.account, value: 0n, data: "0x01" } },
  });

async function verdictOn(transaction: Transaction): Promise<string> {
  const { report, reportHash } = reportOf([anEffect()]);
  const attestation = await anAttestation(transaction, verifier, {
    reportHash,
    domain: domainOf(api.api.config),
  });
  return JSON.stringify({ decision: "APPROVED", attestation, report });
}

/** Posts the verdict again until a process answers it, as orion does. One that was recorded before is refused with 409. */
async function postUntilAnswered(transaction: Transaction, first: number): Promise<void> {
  const body = await verdictOn(transaction);
  const headers = { ...orion.headers, "content-type": "application/json" };
  for (let attempt = first; ; attempt++) {
    const to = processes[attempt % processes.length]?.origin ?? "";
    const answer = await fetch(`${to}${approvalsUrl(transaction)}`, { method: "POST", headers, body }).catch(
      () => undefined,
    );
    if (answer !== undefined && answer.status < 500) {
      expect([201, 409]).toContain(answer.status);
      return;
    }
    await sleep(50);
  }
}

type Done = { isDone: boolean };

/** Kills one process, or both at once, until the verdicts are posted. Returns how many were killed. */
async function killAtRandom(posting: Done, most: number): Promise<number> {
  let killed = 0;
  while (!posting.isDone && killed < most) {
    await sleep(random() * 400);
    const chosen = random() < 0.3 ? processes : processes.filter((_, index) => index === killed % 2);
    await Promise.all(chosen.map(({ restart }) => restart()));
    killed += chosen.length;
  }
  return killed;
}

/** Returns how often a process was killed while all verdicts of an account arrived. */
async function round(killsLeft: number): Promise<number> {
  const owner = await aPerson(api);
  await aMandate(api.api, owner);
  const all: Transaction[] = [];
  for (let made = 0; made < size.proposals; made++) all.push(await propose(owner, made));
  const posting: Done = { isDone: false };
  const posted = Promise.all(all.map(postUntilAnswered)).then(() => {
    posting.isDone = true;
  });
  const killed = await killAtRandom(posting, killsLeft);
  await posted;
  const decided = await Promise.all(all.map((one) => find(api.store, one)));
  const inPhase = (wanted: string): number => decided.filter(({ phase }) => phase === wanted).length;
  expect({ ready: inPhase("READY"), awaiting: inPhase("AWAITING") }).toEqual({
    ...{ ready: budgetFor, awaiting: size.proposals - budgetFor },
  });
  expect(await audit(api.client)).toEqual([]);
  return killed;
}

test(
  `of ${size.proposals} proposals at once, a budget for ${budgetFor} approves exactly ${budgetFor}, with ${size.kills} kills (seed ${seed})`,
  { timeout: 30 * 60 * 1000 },
  async () => {
    let kills = 0;
    let rounds = 0;
    for (; kills < size.kills; rounds++) kills += await round(size.kills - kills);
    console.log(`${rounds} times ${size.proposals} proposals, ${kills} processes killed, 0 overspent`);
  },
);
