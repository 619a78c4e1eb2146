import { hashPayload, type Calls } from "@countersign/wire";
import { hashContent, isWhole } from "@countersign/wire/envelope";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../../test/api-keys.ts";
import { bearer } from "../../../test/sign-in.ts";
import {
  anOwner,
  aVerificationService,
  manyProposals,
  propose,
  sealedContentOf,
  type Proposed,
  type TestService,
} from "../../../test/transactions.ts";
import { authorization, someCalls } from "../../../test/transactions/payloads.ts";

let api: TestApiWithKeys;
let service: TestService;
beforeAll(async () => {
  api = await aTestApiWithKeys(manyProposals);
  service = await aVerificationService(api, { id: 2 });
});
afterAll(() => api.close());

const domain = { chainId: 11_155_111, inbox: `0x${"0".repeat(40)}` } as const;
const pay =
  "Send 1000 wei to 0x1111111111111111111111111111111111111111 and 2000 wei to 0x2222222222222222222222222222222222222222";
const batched = (calls: unknown) => ({ tx: undefined, userPrompt: pay, calls });
const hashOf = (calls: Calls) => hashPayload({ shape: "calls", calls });

describe("POST /transactions with calls", () => {
  test("201: records the hash of the batch, and encrypts every call", async () => {
    const owner = await anOwner(api);
    const calls = someCalls(owner.wallet.address);
    const answer = await propose(api, owner, batched(calls));
    expect(answer.statusCode).toBe(201);
    const { id, requestHash } = answer.json<Proposed>();
    expect(answer.json()).toMatchObject({
      ...{ status: "PENDING", shape: "calls", signingHash: hashOf(calls), description: pay },
      notice: expect.stringContaining("released to the wallet") as string,
    });
    const content = await sealedContentOf(api, service, id);
    if (content === undefined || !isWhole(content)) expect.unreachable("not a whole content");
    expect(content).toMatchObject({ version: 2, shape: "calls", calls });
    expect(hashContent(domain, content)).toBe(requestHash);
    const read = await api.http.send({ url: `/transactions/${requestHash}`, headers: bearer(owner.who) });
    expect(read.json()).toMatchObject({ tx: null, typedData: null, calls, executor: "wallet" });
  });

  test("201: the spelling of a wallet has the same hash", async () => {
    const owner = await anOwner(api);
    const calls = someCalls(owner.wallet.address);
    const spelled = {
      ...{ version: "2.0.0", chainId: "0xaa36a7", from: owner.wallet.address, atomicRequired: true },
      calls: calls.calls.map(({ to, value }) => ({ to, value: `0x${BigInt(value).toString(16)}` })),
    };
    const answer = await propose(api, owner, batched(spelled));
    expect(answer.json()).toMatchObject({ signingHash: hashOf(calls) });
  });

  const wrong: [string, (from: `0x${string}`) => Record<string, unknown>, RegExp][] = [
    ["a transaction next to it", (from) => ({ calls: someCalls(from) }), /next to tx/],
    [
      "typed data next to it",
      (from) => ({ ...batched(someCalls(from)), typedData: authorization(from) }),
      /next to typedData/,
    ],
    [
      "another chain than the proposal",
      (from) => ({ ...batched(someCalls(from)), chainId: 1 }),
      /calls\.chainId/,
    ],
    ["another sender than the account", () => batched(someCalls(`0x${"33".repeat(20)}`)), /calls\.from/],
    [
      "a capability",
      (from) =>
        batched({ ...someCalls(from), capabilities: { paymasterService: { url: "https://a.example" } } }),
      /capabilities/,
    ],
    ["no call", (from) => batched({ ...someCalls(from), calls: [] }), /1 to 64 calls/],
    ["a deployment", (from) => batched({ ...someCalls(from), calls: [{ data: "0x6000" }] }), /to/],
    [
      "a call with a gas limit",
      (from) => batched({ ...someCalls(from), calls: [{ to: from, value: "1", gas: "0x1" }] }),
      /gas/,
    ],
    [
      "more than 128 kB",
      (from) => batched({ ...someCalls(from), calls: [{ to: from, data: `0x${"00".repeat(66_000)}` }] }),
      /128 kB/,
    ],
    ["a list in its place", (from) => batched(someCalls(from).calls), /calls/],
  ];
  test.each(wrong)("400: %s", async (_, overrides, message) => {
    const owner = await anOwner(api);
    const answer = await propose(api, owner, overrides(owner.wallet.address));
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toMatch(message);
  });
});
