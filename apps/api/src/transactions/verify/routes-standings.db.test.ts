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

let api: DecideApi;
let owner: Person;
let orion: Record<string, string>;
let admin: Record<string, string>;

beforeAll(async () => {
  api = await aDecideApi();
  owner = await aPerson(api);
  orion = (await aServerKey(api, "orion")).headers;
  admin = (await aServerKey(api, "admin")).headers;
});
afterAll(() => api.close());

const unknown = `0x${"00".repeat(32)}`;
const url = "/internal/verifications";
const ask = (payload: object | string, headers: Record<string, string> = orion) =>
  api.send({ method: "POST", url, headers: { ...headers, "content-type": "application/json" }, payload });
const executed = [...registered, "verdictApproved", "userApproves", "seeSuccess", "finalize"] as const;

describe("POST /internal/verifications", () => {
  test("200: how far each has come, in the order that was asked for", async () => {
    const decided = await aTransaction(api, owner, { after: [...registered, "verdictApproved"] });
    const open = await aTransaction(api, owner, { after: registered });
    const requestHashes = [open.requestHash, unknown, decided.requestHash];
    for (const headers of [orion, admin]) {
      const answer = await ask({ requestHashes }, headers);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({
        verifications: [
          { requestHash: open.requestHash, status: "open", attestation: null },
          { requestHash: unknown, status: "unknown", attestation: null, executed: [] },
          { requestHash: decided.requestHash, status: "decided", executed: [] },
        ],
      });
    }
  });
  test("200: an open one comes with the calls that its account has executed, each once, and no others", async () => {
    const [first, other] = [await aPerson(api), await aPerson(api)];
    const [paid] = [
      await aTransaction(api, first, { after: executed }),
      await aTransaction(api, first, { after: executed }),
      await aTransaction(api, other, { after: executed }),
    ];
    const open = await aTransaction(api, first, { after: registered });
    const answer = (await ask({ requestHashes: [open.requestHash] })).json<{
      verifications: readonly { readonly executed: readonly { readonly to: string }[] }[];
    }>();
    expect(answer.verifications[0]?.executed).toEqual([
      { to: paid.tx?.to, data: paid.tx?.data.slice(0, 2 + 68 * 2) },
    ]);
  });
  test.each([
    ["no list", {}],
    ["an empty list", { requestHashes: [] }],
    ["too many", { requestHashes: Array.from({ length: 201 }, () => unknown) }],
    ["what is no request hash", { requestHashes: ["0x12"] }],
    ["upper case", { requestHashes: [`0x${"AB".repeat(32)}`] }],
    ["no JSON", "{"],
  ])("400: %s", async (_, payload) => {
    expect((await ask(payload)).statusCode).toBe(400);
  });
  test("401: without a credential, and with the owner's session", async () => {
    for (const headers of [{}, owner.jwt])
      expect((await ask({ requestHashes: [unknown] }, headers)).statusCode).toBe(401);
  });
  test("403: a user's API key", async () => {
    expect((await ask({ requestHashes: [unknown] }, owner.agent.headers)).statusCode).toBe(403);
  });
  test("429: blocks an address that asks too often", async () => {
    const narrow = await aDecideApi(1);
    const codes = [];
    for (let count = 0; count < 2; count++)
      codes.push((await narrow.send({ method: "POST", url, payload: {} })).statusCode);
    await narrow.close();
    expect(codes).toEqual([401, 429]);
  });
});
