// Measures verdicts and approvals with mandates and policies, alternately with the same work without them. Prints the figures of
// docs/measurements.md.
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compare, type Comparison } from "../../../../../tools/bench/ratio.ts";
import { aMandate, anEffect, asset, reportOf } from "../../../test/mandates.ts";
import { aPolicy, harmlessRules } from "../../../test/policies.ts";
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
import type { LifecycleEvent } from "../lifecycle.ts";
import type { Transaction } from "../transaction.ts";

const perMeasurement = 30;
const pairs = 7;

let api: DecideApi;
let orion: { readonly headers: Record<string, string> };
let verifier: PrivateKeyAccount;
let serviceId: number;
beforeAll(async () => {
  api = await aDecideApi();
  orion = await aServerKey(api, "orion");
  ({ wallet: verifier, id: serviceId } = await aService(api));
});
afterAll(() => api.close());

const roomy = {
  limits: [{ measure: asset, span: "period", seconds: 24 * 60 * 60, most: "1000000000", decimals: 6 }],
};

type Rules = { readonly mandate?: boolean; readonly policy?: string };

async function anOwner({ mandate = false, policy }: Rules): Promise<Person> {
  const owner = await aPerson(api);
  if (mandate) await aMandate(api.api, owner, roomy);
  if (policy !== undefined) await aPolicy(api.api, owner, policy);
  return owner;
}

let count = 0;
const propose = (
  owner: Person,
  executionType: 1 | 2,
  after: readonly LifecycleEvent[],
): Promise<Transaction> =>
  aTransaction(api, owner, {
    ...{ executionType, after, serviceId, proposer: `key:${owner.agent.id}` },
    ...{
      description: `Pay the shop, number ${++count}.`,
      tx: { to: owner.account, value: 0n, data: "0x01" },
    },
  });

async function perSecond(
  posts: readonly (() => Promise<{ readonly statusCode: number }>)[],
): Promise<number> {
  const began = performance.now();
  for (const send of posts) expect((await send()).statusCode).toBe(201);
  return (posts.length * 1000) / (performance.now() - began);
}

/** Verdicts per second, one after the other. */
const verdictsFor = (owner: Person) => async (): Promise<number> => {
  const posts = [];
  for (let made = 0; made < perMeasurement; made++) {
    const transaction = await propose(owner, 2, registered);
    const { report, reportHash } = reportOf([anEffect()]);
    const attestation = await anAttestation(transaction, verifier, { reportHash });
    const verdict = { decision: "APPROVED", attestation, report };
    posts.push(() => post(api, transaction, orion.headers, verdict));
  }
  return perSecond(posts);
};

/** Approvals of an owner per second. */
const approvalsFor = (owner: Person) => async (): Promise<number> => {
  const posts = [];
  for (let made = 0; made < perMeasurement; made++) {
    const transaction = await propose(owner, 1, [...registered, "verdictApproved"]);
    posts.push(() => post(api, transaction, owner.jwt));
  }
  return perSecond(posts);
};

test("verdicts and approvals with rules, compared with the same without", { timeout: 600_000 }, async () => {
  const bare = await anOwner({});
  const variants: Readonly<Record<string, Rules>> = {
    "a mandate": { mandate: true },
    "a policy of 3 rules": { policy: harmlessRules(3) },
    "a policy of 100 rules": { policy: harmlessRules(100) },
    "a mandate and a policy of 3 rules": { mandate: true, policy: harmlessRules(3) },
  };
  const table: Record<string, Comparison> = {};
  await verdictsFor(bare)();
  for (const [name, rules] of Object.entries(variants)) {
    const owner = await anOwner(rules);
    await verdictsFor(owner)();
    table[`verdict with ${name} ÷ without (per second)`] = await compare(
      pairs,
      verdictsFor(owner),
      verdictsFor(bare),
    );
  }
  const ruled = await anOwner({ mandate: true, policy: harmlessRules(3) });
  await approvalsFor(bare)();
  table["owner's approval with both ÷ without (per second)"] = await compare(
    pairs,
    approvalsFor(ruled),
    approvalsFor(bare),
  );
  console.table(table);
  for (const { ratio } of Object.values(table)) expect(ratio).toBeGreaterThan(0.2);
});
