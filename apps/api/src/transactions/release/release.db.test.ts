import { hashTypedData, shapes } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aDecideApi,
  anAttestation,
  aPerson,
  aReleasable,
  aReport,
  aServerKey,
  aService,
  aShapedAttestation,
  aSignature,
  aTransaction,
  post,
  registered,
  secondsFromNow,
  type DecideApi,
  type Person,
} from "../../../test/transactions/decide-api.ts";
import { authorization } from "../../../test/transactions/payloads.ts";
import { payloadView } from "../record/payload-view.ts";
import { releaseNotices } from "../record/unseen.ts";
import type { Transaction } from "../transaction.ts";

let api: DecideApi;
let owner: Person;
let other: Person;
let orion: { id: string; headers: Record<string, string> };

beforeAll(async () => {
  api = await aDecideApi();
  [owner, other] = [await aPerson(api), await aPerson(api)];
  orion = await aServerKey(api, "orion");
});
afterAll(() => api.close());

const approved = [...registered, "verdictApproved", "userApproves"] as const;

const release = (
  { requestHash, signingHash }: Pick<Transaction, "requestHash" | "signingHash">,
  headers: Record<string, string> = owner.jwt,
) =>
  api.send({
    method: "POST",
    url: `/transactions/${requestHash}/release`,
    headers,
    payload: { signingHash: signingHash ?? `0x${"00".repeat(32)}` },
  });

const unseen = { outcome: null, transactionHash: null, blockNumber: null, final: false };

describe("POST /transactions/{requestHash}/release", () => {
  test.each(shapes)("200: an approved %s becomes EXECUTED, once", async (shape) => {
    const released = await aReleasable(api, owner, shape, { after: approved });
    const answer = await release(released);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      ...{ status: "EXECUTED", phase: "EXECUTED", shape, signingHash: released.signingHash },
      ...{ tx: null, ...payloadView(released), transactionHash: null },
      // Nothing on a chain shows the use of a signed text.
      notice: releaseNotices[shape][shape === "message" ? "unwatched" : "watched"],
      use: { ...unseen, watched: shape !== "message" },
    });
    const { rowCount } = await api.client.query("select from release_watches where transaction_id = $1", [
      released.id,
    ]);
    expect(rowCount).toBe(shape === "message" ? 0 : 1);
    expect(released.payload).toMatchObject({ shape, [shape]: answer.json<Record<string, unknown>>()[shape] });
    expect((await release(released)).statusCode).toBe(409);
  });

  test("200: of many calls at the same time exactly one succeeds", async () => {
    const signature = await aSignature(api, owner, { after: approved });
    const answers = await Promise.all(Array.from({ length: 8 }, () => release(signature)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
  });

  test("200: the key that proposed it releases it", async () => {
    const proposer = `key:${owner.agent.id}`;
    const signature = await aSignature(api, owner, { after: approved, proposer });
    expect((await release(signature, owner.agent.headers)).statusCode).toBe(200);
  });

  test("400: a transaction is sent, not released", async () => {
    const transaction = await aTransaction(api, owner, { after: approved });
    expect((await release(transaction)).json()).toMatchObject({
      message: "The transaction is neither a signature nor a batch",
    });
  });

  test("400: another hash than the approved one releases nothing", async () => {
    const signature = await aSignature(api, owner, { after: approved });
    const signingHash = hashTypedData(authorization(owner.account, { value: "10001" }));
    expect((await release({ ...signature, signingHash })).statusCode).toBe(400);
    expect(await api.store.find(signature.requestHash)).toMatchObject({ phase: "READY" });
  });

  test("400: a hash of another length", async () => {
    const signature = await aSignature(api, owner, { after: approved });
    expect((await release({ ...signature, signingHash: "0x00" })).statusCode).toBe(400);
  });

  test("401: without a credential", async () => {
    expect((await release(await aSignature(api, owner, { after: approved }), {})).statusCode).toBe(401);
  });

  test("403: another key of the account did not propose it", async () => {
    const signature = await aSignature(api, owner, { after: approved });
    expect((await release(signature, owner.agent.headers)).statusCode).toBe(403);
  });

  test("404: another account's signature, and one that does not exist", async () => {
    const signature = await aSignature(api, owner, { after: approved });
    expect((await release(signature, other.jwt)).statusCode).toBe(404);
    expect((await release({ ...signature, requestHash: `0x${"00".repeat(32)}` })).statusCode).toBe(404);
  });

  test.each([
    ["pending", []],
    ["without the owner's approval", [...registered, "verdictApproved"]],
    ["rejected by the verdict", [...registered, "verdictRejected"]],
    ["rejected by the owner after the approval", [...approved, "userRejects"]],
    ["superseded", ["supersede"]],
  ] as const)("409: while it is %s", async (_, after) => {
    const signature = await aSignature(api, owner, { after });
    expect((await release(signature)).statusCode).toBe(409);
  });

  test("409: once its approval has expired", async () => {
    const signature = await aSignature(api, owner, { after: approved });
    await api.client.query("update transactions set expires_at = now() - interval '1 second' where id = $1", [
      signature.id,
    ]);
    expect((await release(signature)).statusCode).toBe(409);
    await api.expireOverdue();
    expect(await api.store.find(signature.requestHash)).toMatchObject({ phase: "FAILED", reason: "EXPIRED" });
  });

  test("409: an approval without the owner needs a signed verdict", async () => {
    const proposer = `key:${owner.agent.id}`;
    const signature = await aSignature(api, owner, {
      ...{ executionType: 2, proposer, after: [...registered, "verdictApproved", "grant"] },
    });
    expect(await api.store.find(signature.requestHash)).toMatchObject({ phase: "READY", user: null });
    const answer = await release(signature, owner.agent.headers);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      message: "The signature is not released: no signed verdict approves it",
    });
  });

  test("429: too many from one address", async () => {
    const narrow = await aDecideApi(1);
    const url = `/transactions/0x${"00".repeat(32)}/release`;
    const codes = [];
    for (let count = 0; count < 2; count++)
      codes.push((await narrow.send({ method: "POST", url })).statusCode);
    await narrow.close();
    expect(codes).toEqual([401, 429]);
  });
});

describe("a verdict about data to sign", () => {
  const decide = async (
    signature: Transaction,
    attestation: unknown,
  ): Promise<{ readonly statusCode: number; readonly message: unknown }> => {
    const payload = { decision: "APPROVED", attestation, report: aReport() };
    const answer = await post(api, signature, orion.headers, payload);
    return { statusCode: answer.statusCode, message: answer.json<{ message?: unknown }>().message };
  };

  const changed = (path: string, value: string): string =>
    `update approvals set attestation = jsonb_set(attestation, '{verdict,${path}}', '${value}')
     where kind = 'orion' and transaction_id = $1`;
  test.each([
    [
      ...(["its service is not active any more", 10, "active verification service"] as const),
      "update verification_services s set active = false from transactions t where s.id = t.service_id and t.id = $1",
    ],
    ["its stored verdict was changed", 11, "not signed by its signer", changed("issuedAt", "1")],
    [
      ...(["its stored verdict names another hash", 12, "signingHash differs"] as const),
      changed("signingHash", `"0x${"77".repeat(32)}"`),
    ],
  ])("releases nothing once %s", async (_, id, problem, statement) => {
    const { wallet } = await aService(api, { id });
    const signature = await aSignature(api, owner, { after: registered, serviceId: id });
    await decide(signature, await aShapedAttestation(signature, wallet));
    expect((await post(api, signature, owner.jwt)).statusCode).toBe(201);
    // An intruder with the rights of the database's owner, whom no trigger stops.
    await api.client.query("set session_replication_role = replica");
    await api.client.query(statement, [signature.id]);
    await api.client.query("reset session_replication_role");
    const answer = await release(signature);
    await api.client.query("update verification_services set active = false where id = $1", [id]);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ message: expect.stringContaining(problem) as string });
    expect(await api.store.find(signature.requestHash)).toMatchObject({ phase: "READY" });
  });

  test("approves exactly the hash that would be signed", async () => {
    const { wallet } = await aService(api, { id: 7 });
    const signature = await aSignature(api, owner, { after: registered, serviceId: 7 });
    const wrong: [string, Promise<unknown>][] = [
      ["shape", anAttestation(signature, wallet)],
      ["signingHash", aShapedAttestation(signature, wallet, { signingHash: `0x${"77".repeat(32)}` })],
      ["intentHash", aShapedAttestation(signature, wallet, { intentHash: `0x${"77".repeat(32)}` })],
      ["chainId", aShapedAttestation(signature, wallet, { chainId: 1 })],
      ["escrow", aShapedAttestation(signature, wallet, { escrow: other.account })],
    ];
    for (const [member, attestation] of wrong)
      expect(await decide(signature, await attestation)).toEqual({
        statusCode: 400,
        message: `attestation: ${member} differs from the transaction's`,
      });
    const right = await aShapedAttestation(signature, wallet);
    expect(await decide(signature, right)).toMatchObject({ statusCode: 201 });
    expect((await post(api, signature, owner.jwt)).statusCode).toBe(201);
    const receipt = await api.send({
      url: `/transactions/${signature.requestHash}/receipt`,
      headers: owner.jwt,
    });
    expect(receipt.json()).toMatchObject({
      domain: { version: "2" },
      proposal: {
        ...{ shape: "typedData", signingHash: signature.signingHash, to: null, value: null, data: null },
        ...signature.payload,
      },
      attestation: { domain: { version: "2" }, verdict: { signingHash: signature.signingHash } },
    });
    expect((await release(signature)).statusCode).toBe(200);
    await api.client.query("update verification_services set active = false where id = 7");
  });

  test("of version 2 does not approve a transaction", async () => {
    const { wallet } = await aService(api, { id: 8 });
    const transaction = await aTransaction(api, owner, { after: registered, serviceId: 8 });
    expect(await decide(transaction, await aShapedAttestation(transaction, wallet))).toEqual({
      statusCode: 400,
      message: "attestation: to differs from the transaction's",
    });
    await api.client.query("update verification_services set active = false where id = 8");
  });

  test("names the shape of a payload that its sender encrypted, which is released by that hash", async () => {
    const { wallet } = await aService(api, { id: 9 });
    const sealed = await aTransaction(api, owner, {
      ...{ after: registered, serviceId: 9, form: "sealed", tx: null, description: "(encrypted)" },
      deadline: secondsFromNow(3600),
    });
    expect((await release(sealed)).statusCode).toBe(400);
    const signingHash = hashTypedData(authorization(owner.account));
    const attestation = await aShapedAttestation(sealed, wallet, { signingHash });
    expect(await decide(sealed, attestation)).toMatchObject({ statusCode: 201 });
    expect((await post(api, sealed, owner.jwt)).statusCode).toBe(201);
    expect((await release({ ...sealed, signingHash })).json()).toMatchObject({
      ...{ status: "EXECUTED", shape: "typedData", signingHash, typedData: null },
      use: { watched: false, outcome: null },
    });
    await api.client.query("update verification_services set active = false where id = 9");
  });
});
