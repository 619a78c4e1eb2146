// A policy narrows: it denies, or asks the owner, where a transaction would be approved without them.
import { hashReport } from "@countersign/wire";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PrivateKeyAccount } from "viem/accounts";
import { aMandate, anEffect, asset, find, reportOf } from "../../../test/mandates.ts";
import { aPolicy, aPolicyText } from "../../../test/policies.ts";
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
import type { Verdict } from "../lifecycle.ts";
import type { Transaction } from "../transaction.ts";

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

let count = 0;
const propose = (owner: Person, more: Partial<Parameters<typeof aTransaction>[2]> = {}) =>
  aTransaction(api, owner, {
    ...{ executionType: 2, after: registered, serviceId, proposer: `key:${owner.agent.id}` },
    ...{
      description: `Pay the shop, number ${++count}.`,
      tx: { to: owner.account, value: 0n, data: "0x01" },
    },
    ...more,
  });

async function verify(transaction: Transaction, effects: readonly unknown[], decision: Verdict = "APPROVED") {
  const { report, reportHash } = reportOf(effects);
  const attestation = await anAttestation(transaction, verifier, { reportHash, decision });
  const answer = await post(api, transaction, orion.headers, { decision, attestation, report });
  expect(answer.statusCode).toBe(201);
  return find(api.store, transaction);
}
const pay = async (owner: Person, effects: readonly unknown[] = [anEffect()]): Promise<Transaction> =>
  verify(await propose(owner), effects);

const execute = ({ id }: Transaction) =>
  api.store.change({ id }, () => ({ events: ["seeSuccess", "finalize"] }));

const approve = anEffect({
  ...{ act: "approve", gives: [], receiver: null },
  authority: {
    spender: `0x${"5b".repeat(20)}`,
    asset: { kind: "token", address: `0x${"c0".repeat(20)}` },
    ...{ units: "5", decimals: 6 },
  },
});

test("asks about a new recipient, says so everywhere, and allows it once it was paid", async () => {
  const owner = await aPerson(api);
  await aPolicy(api.api, owner);
  const asked = await pay(owner);
  const decided = {
    ...{ version: 1, outcome: "ask", message: "New recipient" },
    rules: [{ id: "new-recipient", reason: "New recipient" }],
  };
  const needsOwner = { code: "POLICY", message: "New recipient", repeats: null };
  expect(asked).toMatchObject({ phase: "AWAITING", granted: false, needsOwner, policyDecision: decided });
  const url = `/transactions/${asked.requestHash}`;
  const view = await api.send({ url, headers: owner.jwt });
  expect(view.json()).toMatchObject({ status: "PENDING", needsOwner, policyDecision: decided });
  const status = await api.send({ url: `${url}/approval-status`, headers: owner.agent.headers });
  expect(status.json()).toMatchObject({ needsOwner, policyDecision: decided });
  const receipt = await api.send({ url: `${url}/receipt`, headers: owner.agent.headers });
  expect(receipt.json()).toMatchObject({ needsOwner, mandateId: null, policyDecision: decided });
  expect((await post(api, asked, owner.jwt)).statusCode).toBe(201);
  await execute(asked);
  expect(await pay(owner)).toMatchObject({
    phase: "READY",
    policyDecision: { version: 1, outcome: "allow", rules: [], message: null },
  });
});

test("denies what a rule denies, with its reason, and reserves nothing", async () => {
  const owner = await aPerson(api);
  await aMandate(api.api, owner, { acts: ["approve"] });
  await aPolicy(api.api, owner);
  const denied = await pay(owner, [approve]);
  expect(denied).toMatchObject({
    ...{ phase: "REJECTED", reason: "POLICY", reasonDetail: "Approvals are not allowed", mandateId: null },
    policyDecision: { outcome: "deny", rules: [{ id: "no-approvals" }] },
  });
  const uses = "select from budget_uses where transaction_id = $1";
  expect((await api.client.query(uses, [denied.id])).rows).toEqual([]);
  expect((await post(api, denied, owner.jwt)).statusCode).toBe(400);
});

test("never turns a rejected or undecided verdict into an approval, and permits nothing beyond a mandate", async () => {
  const owner = await aPerson(api);
  await aPolicy(
    api.api,
    owner,
    `@id("never")\nforbid (principal, action == Countersign::Action::"admin", resource);`,
  );
  expect((await verify(await propose(owner), [anEffect()], "REJECTED")).phase).toBe("REJECTED");
  expect((await verify(await propose(owner), [anEffect()], "UNDECIDED")).phase).toBe("AWAITING");
  await aMandate(api.api, owner, { recipients: [`eip155:1:0x${"0b".repeat(20)}`] });
  expect(await pay(owner)).toMatchObject({
    needsOwner: { code: "OUTSIDE_MANDATE" },
    policyDecision: { outcome: "allow" },
  });
});

test("asks if no report says what the transaction does, or the sender encrypted it", async () => {
  const owner = await aPerson(api);
  await aPolicy(api.api, owner);
  const sealed = await propose(owner, { form: "sealed", tx: null });
  for (const decided of [await verify(sealed, [anEffect()]), await pay(owner, [{ act: "transfer" }])])
    expect(decided).toMatchObject({
      phase: "AWAITING",
      needsOwner: { code: "POLICY", message: "Your policy cannot tell what this transaction does" },
    });
});

test("a rule about dollars is decided with the current price, and asks without one", async () => {
  const owner = await aPerson(api);
  await aPolicy(
    api.api,
    owner,
    `@id("large")
@outcome("ask")
@reason("More than 12 dollars")
forbid (principal, action == Countersign::Action::"execute", resource)
when { context has usd && context.usd.greaterThan(decimal("12.0")) };`,
  );
  const setPrice = (dollars: number) =>
    api.client.query(
      `insert into prices (asset, usd, source, as_of, fresh_seconds)
       values ($1, $2::numeric * 1e18, 'eip155:1:0x5f', now(), 3600)
       on conflict (asset) do update set usd = excluded.usd`,
      [asset, dollars],
    );
  const message = async () => (await pay(owner)).needsOwner?.message;
  expect(await message()).toBe("The rule large needs a fact that is not known");
  await setPrice(2.4);
  expect(await pay(owner)).toMatchObject({ phase: "READY", needsOwner: null });
  await setPrice(2.41);
  expect(await message()).toBe("More than 12 dollars");
});

test("the newest version counts, and an empty one asks about nothing", async () => {
  const owner = await aPerson(api);
  await aPolicy(api.api, owner);
  await aPolicy(api.api, owner, "");
  expect(await pay(owner)).toMatchObject({ phase: "READY", policyDecision: null });
});

test("counts the transactions of the last 24 hours", async () => {
  const owner = await aPerson(api);
  await aPolicy(
    api.api,
    owner,
    `@id("two-a-day")
@outcome("ask")
forbid (principal, action == Countersign::Action::"execute", resource) when { context.day.count > 2 };`,
  );
  const phases = [await pay(owner), await pay(owner), await pay(owner)].map(({ phase }) => phase);
  expect(phases).toEqual(["READY", "READY", "AWAITING"]);
});

test("does not concern accounts whose owner approves everything", async () => {
  const owner = await aPerson(api);
  await aPolicy(api.api, owner);
  const typed = await propose(owner, { executionType: 1 });
  expect(await verify(typed, [approve])).toMatchObject({ phase: "AWAITING", policyDecision: null });
});

test("a dry run lists what a draft would have decided, and the difference to another version", async () => {
  const owner = await aPerson(api);
  await pay(owner);
  await execute(await pay(owner));
  await pay(owner);
  await pay(owner, [approve]);
  await aPolicy(api.api, owner);
  const run = async (payload: object) => {
    const answer = await api.api.http.send({
      ...{ method: "POST", url: "/policies/dry-run", payload, headers: owner.jwt },
    });
    return answer.json<Record<string, unknown>>();
  };
  const { text } = (await api.api.http.send({ url: "/policies/1", headers: owner.jwt })).json<{
    text: string;
  }>();
  expect(await run({ text })).toMatchObject({
    ...{ transactions: 4, counts: { allow: 1, ask: 2, deny: 1 }, before: null, unused: [] },
    changed: [{ to: "deny", rules: ["no-approvals"] }, { to: "ask" }, { to: "ask" }],
  });
  expect(await run({ text: "", against: 1 })).toMatchObject({
    ...{ counts: { allow: 4, ask: 0, deny: 0 }, before: { allow: 1, ask: 2, deny: 1 } },
    changed: [{ from: "deny", to: "allow" }, { from: "ask" }, { from: "ask" }],
  });
  expect(await run({ text, against: 9 })).toMatchObject({ statusCode: 404 });
  expect(await run({ text: "permit" })).toMatchObject({ statusCode: 400 });
});

test("a dry run takes no effects from a report that does not pass, or that no signed verdict covers", async () => {
  const owner = await aPerson(api);
  await aPolicy(api.api, owner);
  const { report, reportHash } = reportOf([anEffect()]);
  const failed = { ...report, decision: "FAIL" };
  const [first, second] = [await propose(owner), await propose(owner)];
  const attestation = await anAttestation(first, verifier, { reportHash: hashReport(failed) });
  const verdict = { decision: "APPROVED", attestation, report: failed };
  expect((await post(api, first, orion.headers, verdict)).statusCode).toBe(201);
  const unsigned = await anAttestation(second, verifier, { reportHash });
  expect(
    (await post(api, second, orion.headers, { decision: "APPROVED", attestation: unsigned, report }))
      .statusCode,
  ).toBe(201);
  await api.client.query("set session_replication_role = replica");
  await api.client.query("update approvals set attestation = null where transaction_id = $1", [second.id]);
  await api.client.query("set session_replication_role = origin");
  const payload = { text: aPolicyText };
  const answer = await api.api.http.send({
    ...{ method: "POST", url: "/policies/dry-run", payload, headers: owner.jwt },
  });
  const message = "Your policy cannot tell what this transaction does";
  expect(answer.json()).toMatchObject({ changed: [{ message }, { message }] });
});

test("asks about an unknown contract that was checked by its effect, unless a rule is about that", async () => {
  const byEffect = [anEffect({ knowledge: "measured" })];
  const code = { needsOwner: { code: "BY_EFFECT", repeats: null } };
  const owner = await aPerson(api);
  await aMandate(api.api, owner);
  expect(await pay(owner, byEffect)).toMatchObject({ phase: "AWAITING", granted: false, ...code });
  expect(await pay(owner)).toMatchObject({ phase: "READY", needsOwner: null });
  const silent = await aPerson(api);
  await aPolicy(api.api, silent, rule("context.day.count > 1000", "execute"));
  expect(await pay(silent, byEffect)).toMatchObject({ phase: "AWAITING", granted: false, ...code });
  const large = "context.byEffect && !(context has amount && context.amount.micro <= 5000000)";
  const telling = await aPerson(api);
  await aPolicy(api.api, telling, rule(large, "transfer"));
  expect(await pay(telling, byEffect)).toMatchObject({ phase: "READY", granted: true, needsOwner: null });
  const more = [{ kind: "token", address: `0x${"c0".repeat(20)}`, units: "5000001", decimals: 6 }];
  const asked = await pay(telling, [anEffect({ knowledge: "measured", gives: more })]);
  expect(asked).toMatchObject({ phase: "AWAITING", needsOwner: { code: "POLICY" } });
});

const rule = (when: string, action: string): string =>
  `@id("rule")\n@outcome("ask")\nforbid (principal, action == Countersign::Action::"${action}", resource) when { ${when} };`;
