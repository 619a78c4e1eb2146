import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import {
  startCustodianStandIn,
  type CustodianStandIn,
} from "../../../../../tools/stand-ins/custodian/stand-in.ts";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../../test/api-keys.ts";
import { connectDatabase, type Database } from "../../platform/db/connect.ts";
import { bearer, signIn, type SignedIn } from "../../../test/sign-in.ts";
import { exceedLimit } from "../../../test/test-api.ts";
import { makeTransition } from "../transition.ts";
import type { LifecycleEvent } from "../lifecycle.ts";
import { makeTransactionStore, type TransactionStore } from "../store/index.ts";
import { aProposal, manyProposals, watchedChains } from "../../../test/transactions.ts";
import { aCustodyWallet } from "../../../test/transactions/custody-wallet.ts";
import type { Hex } from "../transaction.ts";

const url = "/custody/admin/transactions";
const to = "0x1111111111111111111111111111111111111111";
const approved = ["pin", "register", "verdictApproved", "userApproves"] as const;

let custodian: CustodianStandIn;
let api: TestApiWithKeys;
let database: Database;
let store: TransactionStore;
let transition: ReturnType<typeof makeTransition>;
let owner: SignedIn;
let vault: string;
let admin: string;

beforeAll(async () => {
  custodian = await startCustodianStandIn({});
  api = await aTestApiWithKeys({
    ...{ ...manyProposals, CUSTODIAN_URL: custodian.url },
    // Nothing is sent on a chain that is not watched. The node itself is down.
    RPC_URLS: "11155111=http://127.0.0.1:9",
  });
  const log = makeLog({ app: "test", level: "silent" });
  database = connectDatabase({ url: api.databaseUrl, poolSize: 2, log });
  const { db } = database;
  store = makeTransactionStore({ db, approvedSeconds: 7200, watchedChains, compactStorage: true });
  transition = makeTransition({
    store,
    flows: { start: async () => undefined, wake: async () => undefined },
    poke: () => undefined,
  });
  owner = await signIn(api);
  vault = await aCustodyWallet(api, owner, { custodian, type: "execution" });
  admin = await api.issueServerKey("admin");
}, 60_000);
afterAll(async () => {
  await database.close();
  await api.close();
  await custodian.close();
});

type Made = { readonly events?: readonly LifecycleEvent[]; readonly isLookedAt?: boolean };

/** Of the vault, advanced by the events. Frees the wallet for it. */
async function aTransaction({ events = approved, isLookedAt = true }: Made = {}): Promise<Hex> {
  const made = await api.http.send({
    ...{ method: "POST", url: "/transactions", payload: aProposal(vault), headers: bearer(owner) },
  });
  const { requestHash } = made.json<{ requestHash: Hex }>();
  const changed = await transition.change({ requestHash }, () => ({ events }));
  if (isLookedAt && changed !== undefined) await store.keepSnapshot(changed.after, {});
  return requestHash;
}

const asked = (requestHash: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  escrowAddress: vault,
  ...{ to, value: "1000000000000000", data: "0x", requestHash, type: "execution" },
  ...changes,
});
const ask = (payload: object, headers: Record<string, string> = { "x-api-key": admin }) =>
  api.http.send({ method: "POST", url, payload, headers });
/** Frees the wallet for another transaction. */
const letGo = (requestHash: Hex) => transition.change({ requestHash }, () => ({ events: ["failPreflight"] }));
const phaseOf = async (requestHash: Hex) => (await store.find(requestHash))?.phase;

describe("POST /custody/admin/transactions", () => {
  test("201: the intent to send is durable, and the custodian will know it by its hash", async () => {
    const requestHash = await aTransaction();
    const answer = await ask(asked(requestHash, { type: undefined, data: undefined }));
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      { requestHash, status: "APPROVED", externalTxId: requestHash },
    ]);
    const transaction = await store.find(requestHash);
    expect(transaction).toMatchObject({ phase: "EXECUTING", policy: { external: false } });
    expect(await store.findExecution(transaction?.id ?? "")).toMatchObject({ keptBy: "custodian" });
    await letGo(requestHash);
  });
  test("201: repeated or concurrent requests send it once", async () => {
    const requestHash = await aTransaction();
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(asked(requestHash))));
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(answers[0]?.statusCode).toBe(201);
    await letGo(requestHash);
  });
  test("201: under an Idempotency-Key the same request gets the same answer, also after the end", async () => {
    const requestHash = await aTransaction();
    const headers = { "x-api-key": admin, "idempotency-key": "a-key" };
    const first = await ask(asked(requestHash), headers);
    await letGo(requestHash);
    const second = await ask(asked(requestHash), headers);
    expect([second.statusCode, second.body]).toEqual([201, first.body]);
    expect((await ask(asked(requestHash), { "x-api-key": admin })).statusCode).toBe(400);
  });
  test.each([
    ["to", { to: "0x1111111111111111111111111111111111111112" }],
    ["value", { value: "1000000000000001" }],
    ["data", { data: "0x00" }],
  ])("400: another %s than was approved", async (_member, changes) => {
    const requestHash = await aTransaction();
    const answer = await ask(asked(requestHash, changes));
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain("differs from the approved transaction");
    expect(await phaseOf(requestHash)).toBe("READY");
  });
  test.each<[string, readonly LifecycleEvent[]]>([
    ["proposed only", []],
    ["verified, and not approved by its owner", ["pin", "register", "verdictApproved"]],
    ["rejected by the verifier", ["pin", "register", "verdictRejected"]],
    ["rejected by its owner after approval", [...approved, "userRejects"]],
    ["expired", [...approved, "expireReady"]],
    ["withdrawn", ["withdraw"]],
    ["sent by its owner", [...approved, "seeSuccess"]],
  ])("400: a transaction that is %s", async (_what, events) => {
    const requestHash = await aTransaction({ events });
    const before = await phaseOf(requestHash);
    expect((await ask(asked(requestHash))).statusCode).toBe(400);
    expect(await phaseOf(requestHash)).toBe(before);
  });
  test("400: a transaction that was not simulated when it was verified", async () => {
    const requestHash = await aTransaction({ isLookedAt: false });
    expect((await ask(asked(requestHash))).body).toContain("Propose it again");
  });
  test("400: while another transaction of the wallet is being sent", async () => {
    const [first, second] = [await aTransaction(), await aTransaction()];
    expect((await ask(asked(first))).statusCode).toBe(201);
    const answer = await ask(asked(second));
    expect([answer.statusCode, await phaseOf(second)]).toEqual([400, "READY"]);
    await letGo(first);
    expect((await ask(asked(second))).statusCode).toBe(201);
    await letGo(second);
  });
  test("400: an unknown hash, or another account's transaction", async () => {
    const stranger = await signIn(api);
    const theirs = await api.http.send({
      ...{ method: "POST", url: "/transactions", headers: bearer(stranger) },
      payload: aProposal(stranger.user.ethereumAddress),
    });
    for (const requestHash of [`0x${"ab".repeat(32)}`, theirs.json<{ requestHash: Hex }>().requestHash])
      expect((await ask(asked(requestHash))).statusCode).toBe(400);
  });
  test.each([
    { to: "0x12" },
    { value: "-1" },
    { value: "1e18" },
    { value: 1 },
    { data: "0x1" },
    { requestHash: "0x12" },
    { type: "other" },
    { escrowAddress: undefined },
  ])("400: %j", async (changes) => {
    expect((await ask(asked(`0x${"00".repeat(32)}`, changes))).statusCode).toBe(400);
  });
  test("401: with anything but an ADMIN key, whatever the body", async () => {
    const { secret } = (
      await api.http.send({
        ...{ method: "POST", url: "/user-api-keys", payload: { name: "a" }, headers: bearer(owner) },
      })
    ).json<{ secret: string }>();
    const others = [
      {},
      bearer(owner),
      { "x-api-key": secret },
      { "x-api-key": await api.issueServerKey("orion") },
    ];
    const requestHash = await aTransaction();
    for (const headers of others)
      for (const payload of [asked(requestHash), {}])
        expect((await ask(payload, headers)).statusCode).toBe(401);
    expect(await phaseOf(requestHash)).toBe("READY");
  });
  test("404: an unknown escrow address, and one without an integration of that type", async () => {
    const requestHash = await aTransaction();
    expect((await ask(asked(requestHash, { escrowAddress: to }))).statusCode).toBe(404);
    expect((await ask(asked(requestHash, { escrowAddress: owner.user.ethereumAddress }))).statusCode).toBe(
      404,
    );
    expect((await ask(asked(requestHash, { type: "agent" }))).statusCode).toBe(404);
  });
  test("409: an Idempotency-Key that was used for another request", async () => {
    const requestHash = await aTransaction();
    const headers = { "x-api-key": admin, "idempotency-key": "another-key" };
    expect((await ask(asked(requestHash), headers)).statusCode).toBe(201);
    expect((await ask(asked(requestHash, { value: "1" }), headers)).statusCode).toBe(409);
    await letGo(requestHash);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url })).toBe(429);
  });
});
