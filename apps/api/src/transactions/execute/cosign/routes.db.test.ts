import { createPublicKey, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { keccak256, serializeTransaction } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sizeOf } from "@countersign/tools/testing";
import { makeService } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import {
  startCustodianStandIn,
  type CustodianStandIn,
} from "../../../../../../tools/stand-ins/custodian/stand-in.ts";
import { anRsaKey } from "../../../../../../tools/stand-ins/custodian/testing.ts";
import { readToken, signToken, type Claims } from "../../../../../../tools/stand-ins/custodian/tokens.ts";
import { aWatchedApi, requestCsr, type WatchedApi } from "../../../../test/custody.ts";
import { connectDatabase, type Database } from "../../../platform/db/connect.ts";
import { bearer, signIn, type SignedIn } from "../../../../test/sign-in.ts";
import { makeCallbackKey } from "./callback-key.ts";
import {
  aCosignedWallet,
  aQuestion,
  proposed,
  rawOf,
  tokenOf,
  urlOf,
  type Cosigned,
} from "../../../../test/transactions/execute/cosign.ts";
import { makeTransition } from "../../transition.ts";
import type { LifecycleEvent } from "../../lifecycle.ts";
import { cosignRoutes } from "./routes.ts";
import { makeTransactionStore, type TransactionStore } from "../../store/index.ts";
import { aProposal, inDatabase, manyProposals, watchedChains } from "../../../../test/transactions.ts";
import { addVerdict } from "../../../../test/transactions/add-verdict.ts";
import type { Hex } from "../../transaction.ts";

const approved = ["pin", "register", "verdictApproved", "userApproves"] as const;
const begun = [...approved, "handOver", "startExecution"] as const;
const other = "0x1111111111111111111111111111111111111112";

let custodian: CustodianStandIn;
let api: WatchedApi;
let database: Database;
let store: TransactionStore;
let transition: ReturnType<typeof makeTransition>;
let owner: SignedIn;
let cosigned: Cosigned;
let ourKey: ReturnType<typeof createPublicKey>;
const tokens: string[] = [];

beforeAll(async () => {
  custodian = await startCustodianStandIn({});
  api = await aWatchedApi({ ...manyProposals, CUSTODIAN_URL: custodian.url });
  const log = makeLog({ app: "test", level: "silent" });
  database = connectDatabase({ url: api.databaseUrl, poolSize: 4, log });
  const { db } = database;
  store = makeTransactionStore({ db, approvedSeconds: 7200, watchedChains, compactStorage: true });
  transition = makeTransition({
    store,
    flows: { start: async () => undefined, wake: async () => undefined },
    poke: () => undefined,
  });
  owner = await signIn(api);
  cosigned = await aCosignedWallet(api, owner, { custodian });
  ourKey = createPublicKey((await makeCallbackKey(api.secrets)()).publicPem);
}, 60_000);
afterAll(async () => {
  await database.close();
  await api.close();
  await custodian.close();
});

type Made = {
  readonly who?: SignedIn;
  readonly escrow?: string;
  readonly changes?: Readonly<Record<string, unknown>>;
};

/** An amount that no other test uses, so that a lookup by call finds this one. */
let amounts = 10n ** 15n;
const anAmount = (): bigint => ++amounts;

/** Of the vault by default, advanced by the events. */
async function aTransaction(
  value: bigint,
  events: readonly LifecycleEvent[] = approved,
  { who = owner, escrow = cosigned.wallet, changes = {} }: Made = {},
): Promise<Hex> {
  const tx = { to: proposed.to, value: String(value), data: "0x" };
  const payload = aProposal(escrow, { tx, ...changes });
  const made = await api.http.send({
    ...{ method: "POST", url: "/transactions", payload, headers: bearer(who) },
  });
  const { requestHash } = made.json<{ requestHash: Hex }>();
  expect(made.statusCode).toBe(201);
  await transition.change({ requestHash }, () => ({ events }));
  return requestHash;
}

const change = (requestHash: Hex, ...events: readonly LifecycleEvent[]) =>
  transition.change({ requestHash }, () => ({ events }));

const post = (payload: string, { url = urlOf(cosigned), type = "text/plain" } = {}) => {
  tokens.push(payload);
  return api.http.send({ method: "POST", url, payload, headers: { "content-type": type } });
};

/** Returns the status, and the answer if it is signed with our key. */
async function ask(question: Claims, by: Cosigned = cosigned) {
  const answer = await post(tokenOf(by, question), { url: urlOf(by) });
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "application/jwt"]);
  const told = readToken(answer.body, ourKey);
  expect(told?.["requestId"]).toBe(question["requestId"]);
  return told;
}
const about = (value: bigint, changes: Claims = {}) =>
  aQuestion(cosigned, { rawTx: [{ rawTx: rawOf({ value }) }], ...changes });
async function claim(requestHash: Hex, cosigned: { readonly theirId: string; readonly nonce: number }) {
  const transaction = await store.find(requestHash);
  return transaction && store.claimCosignature(transaction, cosigned);
}
const yes = { action: "APPROVE" };
const no = (reason = "") => ({
  action: "REJECT",
  rejectionReason: expect.stringContaining(reason) as string,
});

/** As stored. */
const aSnapshot = {
  ...{ block: "1", succeeded: true, reason: null, gained: "0", code: {} },
  effects: { out: [], in: [], allowances: [], unreadable: [] },
};

describe("POST /custody/cosigner/{integrationId}/v2/tx_sign_request", () => {
  test("200: approves what its owner may send, whatever the body's content type", async () => {
    const value = anAmount();
    await aTransaction(value);
    const question = about(value);
    for (const type of ["text/plain", "application/jwt", "application/json"]) {
      const answer = await post(tokenOf(cosigned, question), { type });
      expect(readToken(answer.body, ourKey)).toEqual({ ...yes, requestId: question["requestId"] });
    }
  });
  test("200: the same request gets the same answer, to the byte, also concurrently", async () => {
    const value = anAmount();
    await aTransaction(value);
    const token = tokenOf(cosigned, about(value));
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(token)));
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(readToken(answers[0]?.body ?? "", ourKey)).toMatchObject(yes);
  });
  test("200: finds it by the external id, and then by nothing else", async () => {
    const value = anAmount();
    const requestHash = await aTransaction(value);
    const otherHash = await aTransaction(anAmount());
    expect(await ask(about(value, { externalTxId: otherHash }))).toMatchObject(
      no("differs from the approved one"),
    );
    const nobody = `0x${"ab".repeat(32)}`;
    expect(await ask(about(value, { externalTxId: nobody }))).toMatchObject(no("no approved proposal"));
    expect(
      await ask(about(value, { externalTxId: requestHash.toUpperCase().replace("X", "x") })),
    ).toMatchObject(yes);
  });
  test("200: finds it by its call where they use their own id", async () => {
    const value = anAmount();
    await aTransaction(value);
    expect(await ask(about(value, { externalTxId: "invoice 17" }))).toMatchObject(yes);
  });
  test("200: accepts the other encodings of the same call, along with its hash", async () => {
    const value = anAmount();
    await aTransaction(value);
    const { gas = 0n, maxFeePerGas: gasPrice = 0n } = proposed;
    const call = { chainId: proposed.chainId, nonce: 0, to: proposed.to ?? null, value, gas, gasPrice };
    const txId = randomUUID();
    for (const raw of [
      serializeTransaction({ ...call, type: "legacy" }),
      serializeTransaction({ ...call, type: "eip2930" }),
    ])
      expect(
        await ask(about(value, { txId, rawTx: [{ rawTx: raw, payload: keccak256(raw) }] })),
      ).toMatchObject(yes);
  });

  test("200: one of theirs is signed for each of ours, and one of ours for each of theirs", async () => {
    const value = anAmount();
    const [first, second] = [await aTransaction(value), await aTransaction(value)];
    const txIds = [randomUUID(), randomUUID(), randomUUID()];
    const answers = [];
    for (const txId of txIds) answers.push((await ask(about(value, { txId })))?.["action"]);
    expect(answers).toEqual(["APPROVE", "APPROVE", "REJECT"]);
    // Each keeps its own, also when the first is over.
    expect(await store.findCosigned(owner.user.ethereumAddress.toLowerCase() as Hex, txIds[1] ?? "")).toBe(
      second,
    );
    await change(first, "seeSuccess", "finalize");
    expect(await ask(about(value, { txId: txIds[1] }))).toMatchObject(yes);
    expect(await ask(about(value, { txId: txIds[0] }))).toMatchObject(no("it is not approved"));
  });
  test("200: of many of theirs for one of ours, one is signed", async () => {
    const value = anAmount();
    await aTransaction(value);
    const told = await Promise.all(Array.from({ length: 20 }, () => ask(about(value))));
    expect(told.filter((one) => one?.["action"] === "APPROVE")).toHaveLength(1);
  });
  test("200: rejects the same one of theirs with another nonce, which could execute twice", async () => {
    const value = anAmount();
    await aTransaction(value);
    const txId = randomUUID();
    expect(await ask(about(value, { txId }))).toMatchObject(yes);
    const again = { txId, rawTx: [{ rawTx: rawOf({ value, nonce: 1 }) }] };
    expect(await ask(about(value, again))).toMatchObject(no("already signed"));
    const dearer = { txId, rawTx: [{ rawTx: rawOf({ value, maxFeePerGas: 10n ** 10n }) }] };
    expect(await ask(about(value, dearer))).toMatchObject(yes);
  });
  test("200: a rejection does not use up the one signature", async () => {
    const value = anAmount();
    const requestHash = await aTransaction(value, ["pin", "register", "verdictApproved"]);
    expect(await ask(about(value, { externalTxId: requestHash }))).toMatchObject(no("not approved"));
    await change(requestHash, "userApproves");
    expect(await ask(about(value, { externalTxId: requestHash }))).toMatchObject(yes);
  });

  test.each<[string, readonly LifecycleEvent[]]>([
    ["proposed only", []],
    ["verified, and not approved by its owner", ["pin", "register", "verdictApproved"]],
    ["rejected by the verifier", ["pin", "register", "verdictRejected"]],
    ["approved, and taken back by its owner", [...approved, "userRejects"]],
    ["approved, and stopped by an agent's key", [...approved, "agentRejects"]],
    ["expired", [...approved, "expireReady"]],
    ["withdrawn", ["withdraw"]],
    ["in a block already", [...approved, "seeSuccess"]],
    ["executed", [...approved, "seeSuccess", "finalize"]],
    ["found unfit before it was sent", [...begun, "failPreflight"]],
    ["not sent by the custodian, as it says", [...begun, "broadcast", "custodyFails"]],
  ])("200: rejects a transaction that is %s", async (_what, events) => {
    const value = anAmount();
    const externalTxId = await aTransaction(value, events);
    expect(await ask(about(value, { externalTxId }))).toMatchObject(no("it is not approved"));
    expect(await ask(about(value))).toMatchObject(no("no approved proposal"));
  });
  test("200: rejects a request that was approved before, once the approval is cancelled", async () => {
    const value = anAmount();
    const requestHash = await aTransaction(value);
    const question = about(value);
    expect(await ask(question)).toMatchObject(yes);
    await change(requestHash, "userRejects");
    expect(await ask(question)).toMatchObject(no("it is not approved"));
  });
  test.each<[string, readonly LifecycleEvent[], string]>([
    ["is flagged", [...approved, "noticeMismatch"], "needs review"],
    ["has a verdict that is too old", [...approved, "verdictGoesStale"], "it has expired"],
    ["is for us to send, and not begun", [...approved, "handOver"], "may not send it now"],
  ])("200: rejects a transaction that %s", async (_what, events, reason) => {
    const value = anAmount();
    const externalTxId = await aTransaction(value, events);
    expect(await ask(about(value, { externalTxId }))).toMatchObject(no(reason));
    expect(await ask(about(value))).toMatchObject(no(reason));
  });
  test.each(["expires_at", "deadline"])(
    "200: rejects a transaction past its %s, swept or not",
    async (column) => {
      const value = anAmount();
      const externalTxId = await aTransaction(value);
      await inDatabase(api, (client) =>
        client.query(
          `update transactions set ${column} = now() - interval '1 second' where request_hash = $1`,
          [Buffer.from(externalTxId.slice(2), "hex")],
        ),
      );
      expect(await ask(about(value, { externalTxId }))).toMatchObject(no("it has expired"));
    },
  );
  test("200: rejects a transaction that only an administrator has approved", async () => {
    const value = anAmount();
    const externalTxId = await aTransaction(value, [], {});
    await inDatabase(api, (client) =>
      client.query(
        `update transactions set execution_type = 0, admin_may_approve = true where request_hash = $1`,
        [Buffer.from(externalTxId.slice(2), "hex")],
      ),
    );
    await change(externalTxId, "adminApproves");
    expect(await store.find(externalTxId)).toMatchObject({ phase: "READY" });
    expect(await ask(about(value, { externalTxId }))).toMatchObject(no("no signed verdict approves it"));
  });
  test("200: rejects what its sender encrypted, though the verdict reveals its call", async () => {
    const value = anAmount();
    const externalTxId = await aTransaction(value);
    await inDatabase(api, (client) =>
      client.query(
        "update transactions set form = 'sealed', data = null, unsealed_extras = null where request_hash = $1",
        [Buffer.from(externalTxId.slice(2), "hex")],
      ),
    );
    expect(await ask(about(value, { externalTxId }))).toMatchObject(no("encrypted"));
    expect(await ask(about(value))).toMatchObject(no("encrypted"));
  });
  test("200: rejects a transaction whose effect has changed, or can no longer be simulated", async () => {
    const value = anAmount();
    const externalTxId = await aTransaction(value);
    const transaction = await store.find(externalTxId);
    await store.keepSnapshot({ id: "", account: "0x", ...transaction }, aSnapshot);
    // Simulated when it was verified, and now there is no node for that chain.
    expect(await ask(about(value, { externalTxId }))).toMatchObject(no("effect has changed"));
  });
  test("200: rejects a transaction of ours that was never simulated", async () => {
    const value = anAmount();
    const externalTxId = await aTransaction(value, [...begun, "broadcast"]);
    expect(await ask(about(value, { externalTxId }))).toMatchObject(no("no signed verdict approves it"));
    await addVerdict(api, store, externalTxId);
    expect(await ask(about(value, { externalTxId }))).toMatchObject(no("effect has changed"));
  });
  test("200: RETRY while the chain is unavailable", async () => {
    const value = anAmount();
    const externalTxId = await aTransaction(value, begun, { changes: { chainId: 1 } });
    await addVerdict(api, store, externalTxId);
    const transaction = await store.find(externalTxId);
    await store.keepSnapshot({ id: "", account: "0x", ...transaction }, aSnapshot);
    const question = about(value, { externalTxId, rawTx: [{ rawTx: rawOf({ value, chainId: 1 }) }] });
    expect(await ask(question)).toEqual({ action: "RETRY", requestId: question["requestId"] });
    expect(await claim(externalTxId, { theirId: "x", nonce: 0 })).toBe("claimed");
  });

  test("200: rejects every single change of the call, however it is found", async () => {
    const value = anAmount();
    const externalTxId = await aTransaction(value);
    const chainId = proposed.chainId;
    const byte = fc.integer({ min: 1, max: 255 });
    const anotherTo = fc.tuple(fc.nat(19), byte).map(([at, by]) => {
      const bytes = Buffer.from((proposed.to ?? "").slice(2), "hex");
      bytes[at] = (bytes[at] ?? 0) ^ by;
      return { to: `0x${bytes.toString("hex")}` as const };
    });
    const changes = fc.oneof(
      anotherTo,
      fc.bigInt({ min: 0n, max: 2n ** 100n }).map((any) => ({ value: any })),
      fc.constantFrom(1n, -1n).map((by) => ({ value: value + by })),
      fc.uint8Array({ minLength: 1, maxLength: 100 }).map((bytes) => ({
        data: `0x${Buffer.from(bytes).toString("hex")}` as const,
      })),
      fc.integer({ min: 1, max: 2 ** 31 }).map((any) => ({ chainId: any })),
    );
    const isOther = (made: Record<string, unknown>): boolean =>
      made["value"] !== value && made["chainId"] !== chainId;
    await fc.assert(
      fc.asyncProperty(changes.filter(isOther), fc.boolean(), async (made, isNamed) => {
        const rawTx = [{ rawTx: rawOf({ value, ...made }) }];
        const question = about(value, { rawTx, ...(isNamed ? { externalTxId } : {}) });
        expect(await ask(question)).toMatchObject(
          no(isNamed ? "differs from the approved one" : "no approved proposal"),
        );
      }),
      { numRuns: sizeOf({ part: 40, all: 150 }) },
    );
    expect(await ask(about(value, { externalTxId }))).toMatchObject(yes);
  });
  test("200: rejects any change of one byte of the transaction, except for fees", async () => {
    const value = anAmount();
    const externalTxId = await aTransaction(value);
    const raw = Buffer.from(rawOf({ value }), "hex");
    const cost = raw.indexOf(Buffer.from("01843b9aca00825208", "hex"));
    expect(cost).toBeGreaterThan(0);
    const isCost = (at: number): boolean => at >= cost && at < cost + 9;
    // The custodian chooses the nonce while nothing is signed.
    const places = [...raw.keys()].filter((at) => !isCost(at) && at !== cost - 1);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = Buffer.from(raw);
        changed[at] = (changed[at] ?? 0) ^ by;
        const rawTx = [{ rawTx: changed.toString("hex") }];
        expect(await ask(about(value, { externalTxId, rawTx }))).toMatchObject(no());
      }),
      { numRuns: sizeOf({ part: 40, all: 150 }) },
    );
  });
  test.each<[string, Claims, string]>([
    ["from another vault", { sourceId: "1000" }, "another vault"],
    ["from something else than a vault", { sourceType: "EXCHANGE" }, "another vault"],
    ["from nowhere", { sourceId: undefined, sourceType: undefined }, "another vault"],
    ["that is no transaction", { operation: "RAW" }, "only transfers and contract calls"],
    ["that is nothing in particular", { operation: undefined }, "only transfers and contract calls"],
    ["without the bytes", { rawTx: undefined }, "send the raw transaction"],
    ["with no bytes", { rawTx: [] }, "send the raw transaction"],
    ["with bytes twice", { rawTx: [{ rawTx: rawOf() }, { rawTx: rawOf() }] }, "more than one"],
    ["with malformed bytes", { rawTx: [{ rawTx: "02abc" }] }, "hexadecimal"],
    ["with bytes that say nothing", { rawTx: [{ rawTx: "02abcd" }] }, "cannot be read"],
    [
      "of which another hash is signed",
      { rawTx: [{ rawTx: rawOf(), payload: "00".repeat(32) }] },
      "differs from the hash",
    ],
  ])("200: rejects a request %s", async (_what, changes, reason) => {
    expect(await ask(aQuestion(cosigned, changes))).toMatchObject(no(reason));
  });
  test("200: rejects a transaction that delegates the wallet to code", async () => {
    const value = anAmount();
    await aTransaction(value);
    const authorization = await privateKeyToAccount(`0x${"12".repeat(32)}`).signAuthorization({
      ...{ contractAddress: other, chainId: proposed.chainId, nonce: 0 },
    });
    const raw = serializeTransaction({
      ...{ ...proposed, value, type: "eip7702", authorizationList: [authorization] },
    } as never);
    expect(await ask(about(value, { rawTx: [{ rawTx: raw }] }))).toMatchObject(no("of this type"));
  });
  test("200: another account's co-signer cannot approve it, and does not learn of it", async () => {
    const stranger = await signIn(api);
    const theirs = await aCosignedWallet(api, stranger, { custodian });
    const value = anAmount();
    const externalTxId = await aTransaction(value);
    const rawTx = [{ rawTx: rawOf({ value }) }];
    const reason = "no approved proposal";
    expect(await ask(aQuestion(theirs, { externalTxId, rawTx }), theirs)).toMatchObject(no(reason));
    expect(await ask(aQuestion(theirs, { rawTx }), theirs)).toMatchObject(no(reason));
    const nobody = `0x${"cd".repeat(32)}`;
    expect(await ask(aQuestion(theirs, { externalTxId: nobody, rawTx }), theirs)).toMatchObject(no(reason));
    // As if it were from the first account's vault, claimed by the second's co-signer.
    expect(await ask(about(value, { externalTxId }), theirs)).toMatchObject(no("another vault"));
  });
  test("200: an approval for the owner's other wallet does not count for this one", async () => {
    const value = anAmount();
    const externalTxId = await aTransaction(value, approved, { escrow: owner.user.ethereumAddress });
    expect(await ask(about(value, { externalTxId }))).toMatchObject(no("no approved proposal"));
  });
  test("200: approves nothing without a known wallet", async () => {
    const who = await signIn(api);
    const mine = await aCosignedWallet(api, who, { custodian });
    await inDatabase(api, (client) =>
      client.query("update custody_integrations set wallet = null where id = $1", [mine.integrationId]),
    );
    expect(await ask(aQuestion(mine), mine)).toMatchObject(no("not known yet"));
  });

  test.each<[string, Claims]>([
    ["no requestId", { requestId: undefined }],
    ["no txId", { txId: undefined }],
    ["a malformed txId", { txId: "a b" }],
    ["bytes of another form", { rawTx: "02" }],
  ])("400: a valid token with %s", async (_what, changes) => {
    const answer = await post(tokenOf(cosigned, aQuestion(cosigned, changes)));
    expect([answer.statusCode, answer.headers["x-error-code"]]).toEqual([400, "cosigner.malformed"]);
  });
  test("401: a token with another key, algorithm or time, and a malformed one", async () => {
    const value = anAmount();
    await aTransaction(value);
    const question = about(value);
    const seconds = Math.floor(Date.now() / 1000);
    const bad = [
      signToken(question, anRsaKey().privateKey),
      tokenOf(cosigned, question).replace(/^[^.]+/, Buffer.from('{"alg":"none"}').toString("base64url")),
      tokenOf(cosigned, { ...question, iat: seconds - 400 }),
      tokenOf(cosigned, { ...question, iat: seconds + 120 }),
      JSON.stringify(question),
      "",
    ];
    for (const token of bad) {
      const answer = await post(token);
      expect([answer.statusCode, answer.headers["x-error-code"]]).toEqual([401, "cosigner.unproven"]);
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
    }
  });
  test("401: another integration's co-signer, and any where none was set", async () => {
    const theirs = await aCosignedWallet(api, await signIn(api), { custodian });
    const mute = await aCosignedWallet(api, await signIn(api), { custodian, isKeyNamed: false });
    expect((await post(tokenOf(theirs, aQuestion(cosigned)))).statusCode).toBe(401);
    expect((await post(tokenOf(mute, aQuestion(mute)), { url: urlOf(mute) })).statusCode).toBe(401);
  });
  test("401: other credentials do not count here", async () => {
    const headers = { ...bearer(owner), "content-type": "text/plain" };
    const answer = await api.http.send({ method: "POST", url: urlOf(cosigned), headers, payload: "x" });
    expect(answer.statusCode).toBe(401);
  });
  test("404: a malformed id, an incomplete integration, and a replaced one", async () => {
    const who = await signIn(api);
    const replaced = await aCosignedWallet(api, who, { custodian });
    await requestCsr(api, who, { recreate: true });
    const { rows } = await inDatabase(api, (client) =>
      client.query<{ id: string }>("select id from custody_integrations where completed_at is null"),
    );
    const pending = rows[0]?.id ?? "";
    for (const integrationId of [randomUUID(), "x", pending, replaced.integrationId]) {
      const url = urlOf({ integrationId });
      expect((await post(tokenOf(replaced, aQuestion(replaced)), { url })).statusCode).toBe(404);
    }
  });
  test("413: a body larger than the largest request", async () => {
    expect((await post("x".repeat(1024 * 1024 + 1))).statusCode).toBe(413);
  });
  test("429: blocks an address that asks too often", async () => {
    const answerCosigner = async () => "a";
    const routes = cosignRoutes({ answerCosigner, questionsPerMinute: 2 });
    const service = await makeService({ ...api.app.service, routes });
    const statuses = [];
    for (let count = 0; count < 3; count++)
      statuses.push(
        (
          await service.inject({
            method: "POST",
            url: urlOf(cosigned),
            payload: "x",
            remoteAddress: "10.9.0.1",
          })
        ).statusCode,
      );
    await service.close();
    expect(statuses).toEqual([200, 200, 429]);
    const [real] = api.app.routes.filter(({ path }) => path.startsWith("/custody/cosigner/"));
    expect(real?.limit).toEqual([{ max: 6_000, per: "ip" }]);
  });
});

describe("a signature", () => {
  test("is claimed by one of theirs with one nonce, repeatedly, and by no other", async () => {
    const [one, two] = [await aTransaction(anAmount()), await aTransaction(anAmount())];
    const [mine, other] = [randomUUID(), randomUUID()];
    for (let time = 0; time < 2; time++)
      expect(await claim(one, { theirId: mine, nonce: 7 })).toBe("claimed");
    expect(await claim(one, { theirId: mine, nonce: 8 })).toBe("taken");
    expect(await claim(one, { theirId: other, nonce: 7 })).toBe("taken");
    expect(await claim(two, { theirId: mine, nonce: 7 })).toBe("taken");
    expect(await claim(two, { theirId: other, nonce: 7 })).toBe("claimed");
  });
  test("is not claimed for a transaction that changed since it was read, or is being changed", async () => {
    const requestHash = await aTransaction(anAmount());
    const read = await store.find(requestHash);
    if (read === undefined) throw new Error("it is gone");
    const cosigned = { theirId: randomUUID(), nonce: 0 };
    const claiming = await store.inTransaction(async (tx) => {
      await store.change({ requestHash }, () => ({ events: ["userRejects"] }), tx);
      const early = store.claimCosignature(read, cosigned);
      expect(await Promise.race([early, sleep(100, "waits")])).toBe("waits");
      return { early };
    });
    expect(await claiming.early).toBe("changed");
    expect(await store.findCosigned(read.account, cosigned.theirId)).toBeUndefined();
  });
});

describe("the log", () => {
  test("has a line for each answer, with the hash, the action and the reason, and never the token", async () => {
    const value = anAmount();
    const externalTxId = await aTransaction(value);
    await ask(about(value, { externalTxId }));
    await ask(about(value, { externalTxId }));
    const lines = api
      .said()
      .split("\n")
      .filter((line) => line.includes("co-signer answered") && line.includes(externalTxId));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { key: externalTxId, status: "APPROVE" },
      { key: externalTxId, status: "REJECT", reason: expect.stringContaining("already signed") as string },
    ]);
    const long = tokens.filter((token) => token.length > 100);
    expect(long.length).toBeGreaterThan(100);
    const said = api.said();
    for (const token of long) {
      const [, claims = "", signature = ""] = token.split(".");
      expect(claims.length < 40 || !said.includes(claims)).toBe(true);
      expect(signature.length < 40 || !said.includes(signature)).toBe(true);
    }
  });
});
