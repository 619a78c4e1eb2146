import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aDecideApi,
  aPerson,
  aServerKey,
  aTransaction,
  registered,
  type DecideApi,
  type Person,
} from "../../../test/transactions/decide-api.ts";
import type { Transaction } from "../transaction.ts";

let api: DecideApi;
let owner: Person;
let servers: readonly Record<string, string>[];
let orion: Record<string, string>;

beforeAll(async () => {
  api = await aDecideApi();
  owner = await aPerson(api);
  orion = (await aServerKey(api, "orion")).headers;
  servers = [orion, (await aServerKey(api, "admin")).headers];
});
afterAll(() => api.close());

const executed = [...registered, "verdictApproved", "userApproves", "seeSuccess", "finalize"] as const;
const unknown = { requestHash: `0x${"00".repeat(32)}` } as const;
const readMetadata = ({ id }: Transaction) => api.store.readMetadata(id);

describe.each(["tee-proof", "settlement"] as const)(
  "PATCH /internal/orion-metadata/{requestHash}/%s",
  (name) => {
    const member = name === "settlement" ? "settlement" : "teeProof";
    const patch = (
      { requestHash }: Pick<Transaction, "requestHash">,
      payload: object | string = { format: "nitro" },
      headers = orion,
    ) =>
      api.send({
        method: "PATCH",
        url: `/internal/orion-metadata/${requestHash}/${name}`,
        headers: { ...headers, "content-type": "application/json" },
        payload,
      });

    test("200: in any status, repeatedly; new members are added", async () => {
      for (const after of [[], ["withdraw"], executed] as const) {
        const made = await aTransaction(api, owner, { after });
        for (const headers of servers) {
          const answer = await patch(made, { format: "nitro", nested: { zero: -0, list: [1.5] } }, headers);
          expect(answer.statusCode).toBe(200);
          expect(answer.json()).toEqual({ requestHash: made.requestHash });
        }
        expect((await patch(made, { more: null })).statusCode).toBe(200);
        const kept = { format: "nitro", nested: { zero: 0, list: [1.5] }, more: null };
        expect((await readMetadata(made))[member]).toEqual(kept);
      }
    });
    test.each(["[]", "1", "null", "", "{", '{"n":1e999}'])(
      "400: %j is not a JSON object",
      async (payload) => {
        expect((await patch(await aTransaction(api, owner), payload)).statusCode).toBe(400);
      },
    );
    test("400: more than 64 kB in several parts; 413 in one", async () => {
      const made = await aTransaction(api, owner);
      expect((await patch(made, { a: "x".repeat(40_000) })).statusCode).toBe(200);
      expect((await patch(made, { b: "x".repeat(40_000) })).statusCode).toBe(400);
      expect((await patch(made, { c: "x".repeat(70_000) })).statusCode).toBe(413);
      expect(Object.keys((await readMetadata(made))[member] ?? {})).toEqual(["a"]);
    });
    test("401: without a credential, and with the owner's session", async () => {
      const made = await aTransaction(api, owner);
      for (const headers of [{}, owner.jwt]) expect((await patch(made, {}, headers)).statusCode).toBe(401);
    });
    test("403: a user's API key", async () => {
      expect((await patch(await aTransaction(api, owner), {}, owner.agent.headers)).statusCode).toBe(403);
    });
    test("404: an unknown or malformed hash", async () => {
      expect((await patch(unknown)).statusCode).toBe(404);
      expect((await patch({ requestHash: "0x12" })).statusCode).toBe(404);
    });
    test("409: a stored member does not change, and nothing of that request is stored", async () => {
      const made = await aTransaction(api, owner);
      await patch(made);
      expect((await patch(made, { format: "sgx", more: 1 })).statusCode).toBe(409);
      expect((await readMetadata(made))[member]).toEqual({ format: "nitro" });
    });
    test("409: of many concurrent requests that set the same member, all but one", async () => {
      const made = await aTransaction(api, owner);
      const answers = await Promise.all([1, 2, 3, 4, 5].map((value) => patch(made, { value })));
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409, 409]);
    });
    test("429: blocks an address that sends too often", async () => {
      const narrow = await aDecideApi(1);
      const url = `/internal/orion-metadata/${unknown.requestHash}/${name}`;
      const codes = [];
      for (let count = 0; count < 2; count++)
        codes.push((await narrow.send({ method: "PATCH", url, payload: {} })).statusCode);
      await narrow.close();
      expect(codes).toEqual([401, 429]);
    });
  },
);

describe("a settlement", () => {
  const settle = ({ requestHash }: Transaction, payload: object) =>
    api.send({
      method: "PATCH",
      url: `/internal/orion-metadata/${requestHash}/settlement`,
      headers: orion,
      payload,
    });
  const phaseOf = async ({ requestHash }: Transaction) => (await api.store.find(requestHash))?.phase;

  test("settles an executed transaction, once, with one event", async () => {
    const made = await aTransaction(api, owner, { after: executed });
    await settle(made, { blockNumber: 7 });
    await settle(made, { blockNumber: 7 });
    expect(await phaseOf(made)).toBe("SETTLED");
    const { rows } = await api.client.query(
      "select 1 from account_events where transaction_id = $1 and event = 'settleExecution'",
      [made.id],
    );
    expect(rows).toHaveLength(1);
  });
  test("that is pending settles nothing until it is final, with everything else unchanged", async () => {
    const made = await aTransaction(api, owner, { after: executed });
    expect((await settle(made, { blockNumber: 7, status: "pending" })).statusCode).toBe(200);
    await api.attest.settleIfTold(made.requestHash);
    expect(await phaseOf(made)).toBe("EXECUTED");
    expect((await settle(made, { blockNumber: 8, status: "final" })).statusCode).toBe(409);
    expect((await settle(made, { status: "final", settledAt: "2026-01-01T00:00:00Z" })).statusCode).toBe(200);
    expect(await phaseOf(made)).toBe("SETTLED");
    const settlement = { blockNumber: 7, status: "final", settledAt: "2026-01-01T00:00:00Z" };
    expect((await readMetadata(made)).settlement).toEqual(settlement);
  });
  test.each([
    ["final", "pending"],
    ["pending", "Final"],
    ["pending", null],
    ["failed", "final"],
  ])("409: a status that changes from %j to %j", async (from, to) => {
    const made = await aTransaction(api, owner);
    expect((await settle(made, { status: from })).statusCode).toBe(200);
    expect((await settle(made, { status: to })).statusCode).toBe(409);
    expect((await readMetadata(made)).settlement).toEqual({ status: from });
  });
  test("409: another member that changes from pending to final, and the status of an enclave proof", async () => {
    const made = await aTransaction(api, owner);
    await settle(made, { state: "pending" });
    expect((await settle(made, { state: "final" })).statusCode).toBe(409);
    const proof = (status: string) =>
      api.send({
        method: "PATCH",
        url: `/internal/orion-metadata/${made.requestHash}/tee-proof`,
        headers: orion,
        payload: { status },
      });
    expect((await proof("pending")).statusCode).toBe(200);
    expect((await proof("final")).statusCode).toBe(409);
  });
  test("that contradicts an earlier one settles nothing", async () => {
    const made = await aTransaction(api, owner);
    await settle(made, { blockNumber: 7 });
    await api.store.change({ id: made.id }, () => ({ events: executed }));
    expect((await settle(made, { blockNumber: 8 })).statusCode).toBe(409);
    expect(await phaseOf(made)).toBe("EXECUTED");
  });
  test("that came before the execution was seen counts when the flow looks", async () => {
    const made = await aTransaction(api, owner);
    await api.attest.settleIfTold(made.requestHash);
    await settle(made, { blockNumber: 7 });
    expect(await phaseOf(made)).toBe("RECEIVED");
    await api.attest.settleIfTold(made.requestHash);
    await api.store.change({ id: made.id }, () => ({ events: executed }));
    await api.attest.settleIfTold(made.requestHash);
    expect(await phaseOf(made)).toBe("SETTLED");
  });
});
