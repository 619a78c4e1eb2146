// A signature is approved without its owner only if mandates and policies know how much it allows.
import { hashPayload, type Payload } from "@countersign/wire";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aMandate, anEffect, find, reportOf, shop, usdc, type Granted } from "../../../test/mandates.ts";
import { aPolicy } from "../../../test/policies.ts";
import {
  aDecideApi,
  aPerson,
  aServerKey,
  aService,
  aShapedAttestation,
  aSignature,
  post,
  registered,
  type DecideApi,
  type Person,
} from "../../../test/transactions/decide-api.ts";
import { authorization } from "../../../test/transactions/payloads.ts";
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

/** As the validator describes a signed transfer: someone else executes it. */
const order = anEffect({ terms: { order: true } });
const permitOf = (units: string | null) =>
  anEffect({
    // The contract of the typed data.
    ...{ act: "approve", gives: [], receiver: null, target: "0x1c7d4b196cb0c7b01d743fbc6116a902379c7238" },
    authority: {
      spender: shop,
      asset: { kind: "token", address: usdc },
      most: "5",
      units,
      decimals: 6,
    },
  });
const permit = permitOf("5000000");

let count = 0;
type Asked = { readonly effects: readonly unknown[]; readonly more?: Parameters<typeof aSignature>[2] };

/** Proposes data to sign, each with a nonce of its own, and posts a signed verdict with a report of these effects. */
async function sign(owner: Person, { effects, more = {} }: Asked): Promise<Transaction> {
  count += 1;
  const nonce = `0x${count.toString(16).padStart(64, "0")}`;
  const payload: Payload = { shape: "typedData", typedData: authorization(owner.account, { nonce }) };
  const signature = await aSignature(api, owner, {
    ...{ executionType: 2, after: registered, serviceId, proposer: `key:${owner.agent.id}` },
    ...{ payload, signingHash: hashPayload(payload), description: `Pay the shop, number ${count}.` },
    ...more,
  });
  const { report, reportHash } = reportOf(effects);
  const attestation = await aShapedAttestation(signature, verifier, { reportHash });
  const verdict = { decision: "APPROVED", attestation, report };
  expect((await post(api, signature, orion.headers, verdict)).statusCode).toBe(201);
  return find(api.store, signature);
}

const limitsOf = async (owner: Person, { id }: Granted): Promise<Granted["limits"]> =>
  (await api.api.http.send({ url: `/mandates/${id}`, headers: owner.jwt })).json<Granted>().limits;

test("a permit within a mandate reserves its limit, and its release spends it", async () => {
  const owner = await aPerson(api);
  const mandate = await aMandate(api.api, owner, { acts: ["approve"] });
  const granted = await sign(owner, { effects: [permit] });
  expect(granted).toMatchObject({ phase: "READY", granted: true, mandateId: mandate.id });
  expect(await limitsOf(owner, mandate)).toMatchObject([{ reserved: "5", spent: "0" }]);
  const released = await api.send({
    ...{ method: "POST", url: `/transactions/${granted.requestHash}/release`, headers: owner.agent.headers },
    payload: { signingHash: granted.signingHash },
  });
  expect(released.statusCode).toBe(200);
  expect(await limitsOf(owner, mandate)).toMatchObject([{ reserved: "0", spent: "5" }]);
});

const blockHash = `0x${"b1".repeat(32)}` as const;

test.each([
  ["used", ["seeUse", "confirmUse"], "5"],
  ["spent", ["seeUse", "confirmUse"], "5"],
  ["unusable", ["endUnused"], "0"],
  ["expired", ["endUnused"], "0"],
] as const)(
  "of a released permit that is %s in a final block, %j leaves %s spent",
  async (outcome, events, spent) => {
    const owner = await aPerson(api);
    const mandate = await aMandate(api.api, owner, { acts: ["approve"] });
    const { requestHash, signingHash } = await sign(owner, { effects: [permit] });
    const url = `/transactions/${requestHash}/release`;
    await api.send({ method: "POST", url, headers: owner.agent.headers, payload: { signingHash } });
    const use = { outcome, hash: null, block: 77n, blockHash };
    // Known, and not final: nothing is given back.
    await api.transition.change({ requestHash }, () => ({ facts: { use } }));
    expect(await limitsOf(owner, mandate)).toMatchObject([{ reserved: "0", spent: "5" }]);
    await api.transition.change({ requestHash }, () => ({ events }));
    expect(await limitsOf(owner, mandate)).toMatchObject([{ reserved: "0", spent }]);
    const { rows } = await api.client.query<{ state: string }>(
      "select u.state from request_uses u join transactions t on t.id = u.transaction_id where t.request_hash = $1",
      [Buffer.from(requestHash.slice(2), "hex")],
    );
    expect(rows).toEqual([{ state: spent === "5" ? "made" : "released" }]);
  },
);

test.each([
  ["someone else executes", [order], "OUTSIDE_MANDATE"],
  ["has no limit", [permitOf(null)], "OUTSIDE_MANDATE"],
  ["the report does not describe", [], "UNKNOWN_EFFECTS"],
  ["the report calls harmless", [anEffect({ act: "harmless", gives: [] })], "UNKNOWN_EFFECTS"],
])("no mandate covers a signature that %s", async (_, effects, code) => {
  const owner = await aPerson(api);
  const mandate = await aMandate(api.api, owner, { acts: ["approve", "transfer"] });
  expect(await sign(owner, { effects })).toMatchObject({ phase: "AWAITING", needsOwner: { code } });
  expect(await limitsOf(owner, mandate)).toMatchObject([{ reserved: "0", spent: "0" }]);
});

const aRule = `@id("never")\nforbid (principal, action == Countersign::Action::"admin", resource);`;

test("a policy that does not object asks about a signature whose amount it cannot tell", async () => {
  const owner = await aPerson(api);
  await aPolicy(api.api, owner, aRule);
  expect(await sign(owner, { effects: [permit] })).toMatchObject({ phase: "READY" });
  expect(await sign(owner, { effects: [order] })).toMatchObject({
    phase: "AWAITING",
    needsOwner: { code: "POLICY", message: "Your policy cannot tell how much this signature allows" },
  });
});

test("a dry run decides about a signature as the policy does", async () => {
  const owner = await aPerson(api);
  await aPolicy(api.api, owner, aRule);
  for (const effects of [[permit], [order]]) await sign(owner, { effects });
  const payload = { text: aRule };
  const answer = await api.api.http.send({
    ...{ method: "POST", url: "/policies/dry-run", payload, headers: owner.jwt },
  });
  expect(answer.json()).toMatchObject({ counts: { allow: 1, ask: 1, deny: 0 } });
});

test("a signature that its sender encrypted is not approved under a mandate or a policy", async () => {
  const more = { form: "sealed", payload: null, signingHash: null } as const;
  const owner = await aPerson(api);
  await aPolicy(api.api, owner, aRule);
  expect(await sign(owner, { effects: [permit], more })).toMatchObject({
    ...{ phase: "AWAITING", needsOwner: { code: "POLICY" } },
  });
  const other = await aPerson(api);
  await aMandate(api.api, other, { acts: ["approve"] });
  expect(await sign(other, { effects: [permit], more })).toMatchObject({
    ...{ phase: "AWAITING", needsOwner: { code: "UNKNOWN_EFFECTS" } },
  });
});

test("the same payment signed again with another nonce waits for the owner", async () => {
  const owner = await aPerson(api);
  const more = { description: "Pay the shop." };
  expect(await sign(owner, { effects: [order], more })).toMatchObject({ phase: "READY", granted: true });
  expect(await sign(owner, { effects: [order], more })).toMatchObject({
    ...{ phase: "AWAITING", needsOwner: { code: "REPEATED_REQUEST" } },
  });
});
