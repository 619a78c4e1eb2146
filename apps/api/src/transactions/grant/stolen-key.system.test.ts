// Someone has an agent's key, and its mandate allows 200 USDC a day to one shop. Whatever they propose, nothing above that is approved
// without the owner. The reports come from the validator; every verdict approves.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchOk, makeSupervisor } from "@countersign/tools/engines";
import { freePorts, makeTempDir, sizeOf, waitUntil } from "@countersign/tools/testing";
import { hashReport } from "@countersign/wire";
import { aMandate, find } from "../../../test/mandates.ts";
import {
  aDecideApi,
  anAttestation,
  aPerson,
  aServerKey,
  aService,
  aTransaction,
  post,
  registered,
  type DecideApi,
  type Person,
} from "../../../test/transactions/decide-api.ts";
import {
  families,
  mainnet,
  shop,
  splitting,
  usdc,
  type Attack,
  type Family,
} from "../../../test/transactions/stolen-key-attacks.ts";

const dir = makeTempDir("stolen-key");
const supervisor = makeSupervisor({ logDir: `${dir}/logs` });
let api: DecideApi;
let orion: { readonly headers: Record<string, string> };
let verifier: PrivateKeyAccount;
let serviceId: number;
let validator: string;
beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  validator = `http://127.0.0.1:${port}`;
  const main = fileURLToPath(new URL("../../../../validator/src/main.ts", import.meta.url));
  const child = supervisor.start({
    ...{ name: "validator", command: process.execPath, args: [main], cwd: dir },
    env: { PORT: String(port), VALIDATE_CPU_MS: "5000" },
  });
  api = await aDecideApi();
  orion = await aServerKey(api, "orion");
  ({ wallet: verifier, id: serviceId } = await aService(api));
  await waitUntil("the validator is ready", () => fetchOk(`${validator}/ready`), { seconds: 180, child });
}, 300_000);
afterAll(async () => {
  await api.close();
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
});

const day = 24 * 60 * 60;
const most = 200_000_000n;
const asset = `eip155:${mainnet}/erc20:${usdc}`;
const mandate = {
  ...{ acts: ["transfer", "approve"], assets: [asset], recipients: [`eip155:${mainnet}:${shop}`] },
  limits: [{ measure: asset, span: "rolling", seconds: day, most: "200", decimals: 6 }],
};

type Report = { readonly decision: string; readonly assessment: { readonly kind: string } };

/** The report as it would be if the request had deceived the validator. */
const deceived = (report: Report): Report => ({
  ...{ ...report, decision: "PASS" },
  assessment: { ...report.assessment, kind: "entailed" },
});

async function validate(me: Person, { words, chainId, call }: Attack): Promise<Report> {
  const body = {
    human_intent: words,
    proposed_tx: { to: call.to, value: call.value.toString(), data: call.data, chainId },
    metadata: { from: me.account, chain_id: chainId, now: Math.floor(Date.now() / 1000) },
  };
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${validator}/validate`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Report;
}

/** Whether it was approved without the owner. */
async function attempt(me: Person, attack: Attack, index: number): Promise<boolean> {
  const report = deceived(await validate(me, attack));
  const transaction = await aTransaction(api, me, {
    ...{ executionType: 2, after: registered, serviceId, proposer: `key:${me.agent.id}` },
    ...{ description: `${attack.words} (${index})`, tx: attack.call, chainId: attack.chainId },
  });
  const attestation = await anAttestation(transaction, verifier, { reportHash: hashReport(report) });
  const answer = await post(api, transaction, orion.headers, { decision: "APPROVED", attestation, report });
  expect(answer.statusCode).toBe(201);
  return (await find(api.store, transaction)).granted;
}

/**
 * The attacks of a family that were approved. Several at a time, because that is one of the ways. Every fourth for each
 * change, all of them in soak.
 */
async function attemptAll(family: Family, me: Person): Promise<readonly Attack[]> {
  const waiting = [...family.attacks(me.account).entries()].filter(
    ([index]) => family === splitting || index % sizeOf({ part: 4, all: 1 }) === 0,
  );
  const granted: Attack[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      if (await attempt(me, next[1], next[0])) granted.push(next[1]);
  };
  await Promise.all(Array.from({ length: 5 }, work));
  return granted;
}

const sum = (attacks: readonly Attack[]): bigint =>
  attacks.reduce((total, { takes }) => total + (takes === "other" ? 0n : takes), 0n);

test("there are 500 ways", () => {
  expect(families.flatMap(({ attacks }) => attacks(shop)).length).toBeGreaterThanOrEqual(500);
});

test.each(families.map((family) => [family.name, family] as const))(
  "%s: no more than the limit, and only to the shop",
  { timeout: 300_000 },
  async (_, family) => {
    const me = await aPerson(api);
    await aMandate(api.api, me, mandate);
    const granted = await attemptAll(family, me);
    expect(granted.filter(({ takes }) => takes === "other").map(({ name }) => name)).toEqual([]);
    expect(sum(granted)).toBeLessThanOrEqual(most);
    // Split payments use the budget, so that the others fail for a reason.
    if (family === splitting) expect(sum(granted)).toBeGreaterThan(most - 13_000_000n);
  },
);
