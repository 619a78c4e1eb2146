import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashContent, WholeContent } from "@countersign/wire/envelope";
import {
  aDecideApi,
  aPerson,
  aServerKey,
  aTransaction,
  domain,
  registered,
  type DecideApi,
  type Person,
} from "../../../test/transactions/decide-api.ts";
import type { Transaction } from "../transaction.ts";

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

const unsealed = { form: "unsealed", executionType: 0 } as const;

describe("GET /internal/proposals/{requestHash}/content", () => {
  const get = ({ requestHash }: { readonly requestHash: string }, headers = orion) =>
    api.send({ method: "GET", url: `/internal/proposals/${requestHash}/content`, headers });

  test("200: what the request hash covers, and the extras", async () => {
    const extras = { contextLogs: { note: "from the agent" } };
    const made = await aTransaction(api, owner, { ...unsealed, extras });
    for (const headers of [orion, admin]) {
      const answer = await get(made, headers);
      expect(answer.statusCode).toBe(200);
      const content = WholeContent.parse(answer.json());
      expect(hashContent(domain, content)).toBe(made.requestHash);
      expect(content).toMatchObject({ userPrompt: made.description, ...extras });
    }
  });
  test("400: a path parameter that is not valid UTF-8", async () => {
    expect((await get({ requestHash: "%ff" })).statusCode).toBe(400);
  });
  test("401: without a credential, and with the owner's session", async () => {
    const made = await aTransaction(api, owner, unsealed);
    for (const headers of [{}, owner.jwt]) expect((await get(made, headers)).statusCode).toBe(401);
  });
  test("403: a user's API key", async () => {
    const made = await aTransaction(api, owner, unsealed);
    expect((await get(made, owner.agent.headers)).statusCode).toBe(403);
  });
  test.each<[string, () => Promise<Pick<Transaction, "requestHash">>]>([
    ["an encrypted proposal", () => aTransaction(api, owner, { after: registered })],
    ["one that has ended", () => aTransaction(api, owner, { ...unsealed, after: ["withdraw"] })],
    ["one with a verdict", () => aTransaction(api, owner, { ...unsealed, after: ["verdictUndecided"] })],
    ["an unknown hash", async () => ({ requestHash: `0x${"00".repeat(32)}` })],
    ["a malformed hash", async () => ({ requestHash: "0x12" as const })],
  ])("404: %s", async (_, make) => {
    expect((await get(await make())).statusCode).toBe(404);
  });
  test("429: blocks an address that asks too often", async () => {
    const narrow = await aDecideApi(1);
    const url = `/internal/proposals/0x${"00".repeat(32)}/content`;
    const codes = [];
    for (let count = 0; count < 2; count++)
      codes.push((await narrow.send({ method: "GET", url })).statusCode);
    await narrow.close();
    expect(codes).toEqual([401, 429]);
  });
});
