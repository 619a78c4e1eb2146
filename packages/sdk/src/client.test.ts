import { describe, expect, test } from "vitest";
import { createCountersign } from "./client.ts";
import { describe as describeTx } from "./describe.ts";
import { aTransaction } from "../test/script.ts";
import { aServer, breaksOff, says, type Server } from "../test/server.ts";

const session = { accessToken: "a", refreshToken: "h.eyJleHAiOjE4OTM0NTYwMDB9.s" };
const me = says(200, { id: "u", ethereumAddress: "0xabc" });
const asked = ({ received }: Server) =>
  received.map(({ method, path, body }) => [
    method,
    path,
    ...(body === "" ? [] : [JSON.parse(body) as unknown]),
  ]);
const to = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";

describe("propose", () => {
  test("sends the escrow address, fetched once, and an idempotency key", async () => {
    const self = says(200, { id: "k", type: "user", label: "agent", scopes: [], ethereumAddress: "0xabc" });
    await using server = await aServer(self, says(201, { requestHash: "0x1" }));
    const agent = createCountersign({ url: server.url, apiKey: "key" });
    const proposal = {
      userPrompt: "words",
      tx: { to, value: 2n ** 200n },
      deadline: new Date(1_900_000_000_999),
    } as const;
    await agent.propose(proposal);
    await agent.propose(proposal);
    const sent = {
      ...{ userPrompt: "words", escrowAddress: "0xabc", deadline: 1_900_000_000 },
      tx: { to, value: (2n ** 200n).toString(), data: "0x" },
    };
    expect(asked(server)).toEqual([
      ["GET", "/user-api-keys/self"],
      ["POST", "/transactions", sent],
      ["POST", "/transactions", sent],
    ]);
    const [, first, second] = server.received.map(({ headers }) => headers["idempotency-key"]);
    expect(first).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(second).not.toBe(first);
  });

  test("retries with the same key after a lost response", async () => {
    await using server = await aServer(breaksOff, says(201, { requestHash: "0x1" }));
    const agent = createCountersign({ url: server.url, apiKey: "key" });
    const proposal = { userPrompt: "words", tx: { to }, escrowAddress: "0xabc" } as const;
    expect(await agent.propose(proposal)).toEqual({ requestHash: "0x1" });
    const keys = server.received.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  test("uses the caller's idempotency key", async () => {
    await using server = await aServer(says(201, {}));
    const proposal = { userPrompt: "words", tx: { to }, escrowAddress: "0xabc" } as const;
    await createCountersign({ url: server.url, apiKey: "key" }).propose(proposal, { idempotencyKey: "mine" });
    expect(server.received[0]?.headers["idempotency-key"]).toBe("mine");
  });

  test("needs an escrow address for a key without an account", async () => {
    await using server = await aServer(
      says(200, { id: "k", type: "admin", label: "", scopes: [], ethereumAddress: null }),
    );
    const admin = createCountersign({ url: server.url, apiKey: "key" });
    await expect(admin.propose({ userPrompt: "words", tx: { to } })).rejects.toThrow("set escrowAddress");
    expect((await admin.whoami()).address).toBeNull();
  });
});

test("sends decisions with idempotency keys, and a withdrawal once", async () => {
  await using server = await aServer(says(201, {}), says(201, {}), says(503, {}));
  const owner = createCountersign({ url: server.url, session });
  await owner.approve("0x1");
  await owner.reject("0x1", { idempotencyKey: "no", reason: "Wrong invoice" });
  await expect(owner.withdraw("0x1")).rejects.toThrow();
  expect(asked(server)).toEqual([
    ["POST", "/transactions/0x1/approvals", { decision: "APPROVED" }],
    ["POST", "/transactions/0x1/approvals", { decision: "REJECTED", reason: "Wrong invoice" }],
    ["POST", "/transactions/0x1/withdraw"],
  ]);
  expect(server.received.map(({ headers }) => headers["idempotency-key"])).toEqual([
    expect.any(String),
    "no",
    undefined,
  ]);
});

test("lists transactions page by page", async () => {
  const link = '<https://countersign.example/transactions/users/0xabc?limit=1&cursor=a%3Db>; rel="next"';
  await using server = await aServer(me, says(200, [aTransaction()], { link }), says(200, []));
  const owner = createCountersign({ url: server.url, session });
  const { transactions, cursor } = await owner.transactions({ limit: 1 });
  expect([transactions.length, cursor]).toEqual([1, "a=b"]);
  expect(await owner.transactions({ limit: 1, cursor: "a=b" })).toEqual({
    transactions: [],
    cursor: undefined,
  });
  expect(server.received.map(({ path, query }) => [path, query]).slice(1)).toEqual([
    ["/transactions/users/0xabc", { limit: "1" }],
    ["/transactions/users/0xabc", { limit: "1", cursor: "a=b" }],
  ]);
});

test("encodes hashes and ids in the path", async () => {
  await using server = await aServer(says(404, {}));
  const owner = createCountersign({ url: server.url, session });
  await expect(owner.transaction("../user-api-keys")).rejects.toThrow();
  await expect(owner.keys.revoke("../auth/me")).rejects.toThrow();
  expect(server.received.map(({ path }) => path)).toEqual([
    "/transactions/..%2Fuser-api-keys",
    "/user-api-keys/..%2Fauth%2Fme",
  ]);
});

test("whoami distinguishes a session from a key and returns the session's expiry", async () => {
  await using server = await aServer(me);
  const known = await createCountersign({ url: server.url, session }).whoami();
  expect(known).toEqual({
    kind: "session",
    id: "u",
    address: "0xabc",
    expiresAt: new Date(1_893_456_000_000),
  });
  const opaque = createCountersign({ url: server.url, session: { ...session, refreshToken: "opaque" } });
  expect(await opaque.whoami()).toMatchObject({ expiresAt: undefined });
  await expect(createCountersign({ url: server.url }).whoami()).rejects.toThrow("an API key or a session");
});

describe("logout", () => {
  test("sends the current refresh token", async () => {
    const renewed = { accessToken: "a2", refreshToken: "r2" };
    await using server = await aServer(says(401, {}), says(200, renewed), me, says(204));
    await createCountersign({ url: server.url, session }).logout();
    expect(asked(server).at(-1)).toEqual(["POST", "/auth/logout", { refreshToken: "r2" }]);
  });

  test("succeeds if the session has already ended", async () => {
    await using server = await aServer(says(401, {}));
    await expect(createCountersign({ url: server.url, session }).logout()).resolves.toBeUndefined();
  });

  test("rejects API keys", async () => {
    await expect(createCountersign({ url: "http://127.0.0.1:1", apiKey: "k" }).logout()).rejects.toThrow(
      "Revoke an API key",
    );
  });
});

test("sends the owner's other calls as the API expects them", async () => {
  await using server = await aServer(says(200, {}));
  const owner = createCountersign({ url: server.url, session });
  await owner.logoutEverywhere();
  await owner.settings();
  await owner.updateSettings({ executionType: 2 });
  await owner.updateSettings({ executionType: 2, repeatWindowSeconds: 60 });
  await owner.setPublicProfile(false);
  await owner.connections.info("code");
  await owner.connections.approve("code");
  await owner.keys.create({ name: "n", expiresAt: new Date(0) });
  await owner.keys.list();
  await owner.keys.revoke("id");
  await owner.receipt("0x1");
  await owner.receipt("0x1", { bundle: true });
  expect(asked(server)).toEqual([
    ["POST", "/auth/logout-all"],
    ["GET", "/settings"],
    ["PUT", "/settings", { executionType: 2 }],
    ["PUT", "/settings", { executionType: 2, repeatWindowSeconds: 60 }],
    ["PATCH", "/settings", { publicProfile: false }],
    ["GET", "/auth/connect/info"],
    ["POST", "/auth/connect/approve", { code: "code" }],
    ["POST", "/user-api-keys", { name: "n", expiresAt: "1970-01-01T00:00:00.000Z" }],
    ["GET", "/user-api-keys"],
    ["DELETE", "/user-api-keys/id"],
    ["GET", "/transactions/0x1/receipt"],
    ["GET", "/transactions/0x1/receipt"],
  ]);
  expect(server.received.slice(-2).map(({ query }) => query)).toEqual([{}, { bundle: "1" }]);
});

test("sends calls about mandates as the API expects them", async () => {
  await using server = await aServer(says(200, {}));
  const { mandates } = createCountersign({ url: server.url, session });
  const draft = { agent: "key:1", validUntil: 1 } as Parameters<typeof mandates.draft>[0];
  const terms = { nonce: "0x1" } as Parameters<typeof mandates.grant>[0]["terms"];
  await mandates.draft(draft);
  await mandates.preview(draft);
  await mandates.preview(draft, { days: 7, against: "id" });
  await mandates.grant({ terms, signature: "0x12", requestId: "r" });
  await mandates.list();
  await mandates.get("a/b");
  await mandates.revoke("id");
  await mandates.ask(draft);
  await mandates.requests();
  await mandates.close("r");
  await mandates.prices();
  expect(asked(server)).toEqual([
    ["POST", "/mandates/draft", draft],
    ["POST", "/mandates/preview", draft],
    ["POST", "/mandates/preview", { ...draft, days: 7, against: "id" }],
    ["POST", "/mandates", { terms, signature: "0x12", requestId: "r" }],
    ["GET", "/mandates"],
    ["GET", "/mandates/a%2Fb"],
    ["DELETE", "/mandates/id"],
    ["POST", "/mandates/requests", draft],
    ["GET", "/mandates/requests"],
    ["DELETE", "/mandates/requests/r"],
    ["GET", "/prices"],
  ]);
});

test("sends calls about contacts and recipients as the API expects them", async () => {
  await using server = await aServer(says(200, {}));
  const owner = createCountersign({ url: server.url, session });
  await owner.contacts.list();
  await owner.contacts.save({ address: "0x1", name: "Alice" });
  await owner.contacts.save({ address: "a/b", name: "Alice", note: "Design" });
  await owner.contacts.remove("a/b");
  await owner.recipients("a/b");
  expect(asked(server)).toEqual([
    ["GET", "/contacts"],
    ["PUT", "/contacts/0x1", { name: "Alice" }],
    ["PUT", "/contacts/a%2Fb", { name: "Alice", note: "Design" }],
    ["DELETE", "/contacts/a%2Fb"],
    ["GET", "/transactions/a%2Fb/recipients"],
  ]);
});

test("sends calls about channels as the API expects them", async () => {
  await using server = await aServer(says(200, {}));
  const { channels } = createCountersign({ url: server.url, session });
  const draft = { kind: "telegram", botToken: "1:a", chatId: "7" } as const;
  await channels.create(draft);
  await channels.list();
  await channels.get("a/b");
  await channels.update("id", { active: false });
  await channels.delete("id");
  await channels.kinds();
  await channels.sendCode("id");
  await channels.confirm("id", "12345678");
  await channels.test("id");
  await channels.deliveries("id", { status: "failed", limit: 2, cursor: "7" });
  await channels.redeliver("id", "one");
  expect(asked(server)).toEqual([
    ["POST", "/channels", draft],
    ["GET", "/channels"],
    ["GET", "/channels/a%2Fb"],
    ["PATCH", "/channels/id", { active: false }],
    ["DELETE", "/channels/id"],
    ["GET", "/channel-kinds"],
    ["POST", "/channels/id/code"],
    ["POST", "/channels/id/confirm", { code: "12345678" }],
    ["POST", "/channels/id/test"],
    ["GET", "/channels/id/deliveries"],
    ["POST", "/channels/id/deliveries/one/redeliver"],
  ]);
  expect(server.received.at(-2)?.query).toEqual({ status: "failed", limit: "2", cursor: "7" });
});

test("sends calls about webhooks as the API expects them", async () => {
  await using server = await aServer(says(200, {}));
  const { webhooks } = createCountersign({ url: server.url, session });
  const url = "https://receiver.example/hook";
  await webhooks.create({ url });
  await webhooks.list();
  await webhooks.get("a/b");
  await webhooks.update("id", { active: false });
  await webhooks.delete("id");
  await webhooks.rotateSecret("id");
  await webhooks.rotateSecret("id", { graceHours: 1 });
  await webhooks.test("id");
  await webhooks.deliveries("id");
  await webhooks.deliveries("id", { status: "failed", limit: 2, cursor: "7" });
  await webhooks.redeliver("id", "one");
  expect(asked(server)).toEqual([
    ["POST", "/webhooks", { url }],
    ["GET", "/webhooks"],
    ["GET", "/webhooks/a%2Fb"],
    ["PATCH", "/webhooks/id", { active: false }],
    ["DELETE", "/webhooks/id"],
    ["POST", "/webhooks/id/rotate-secret", {}],
    ["POST", "/webhooks/id/rotate-secret", { graceHours: 1 }],
    ["POST", "/webhooks/id/test"],
    ["GET", "/webhooks/id/deliveries"],
    ["GET", "/webhooks/id/deliveries"],
    ["POST", "/webhooks/id/deliveries/one/redeliver"],
  ]);
  expect(server.received.at(-2)?.query).toEqual({ status: "failed", limit: "2", cursor: "7" });
});

test("sends calls about policies as the API expects them", async () => {
  await using server = await aServer(says(200, {}));
  const { policies } = createCountersign({ url: server.url, session });
  const terms = { version: 1 } as Parameters<typeof policies.set>[0]["terms"];
  const draft = { text: "", timeZone: "UTC" };
  await policies.schema();
  await policies.check({ ...draft, tests: [] });
  await policies.dryRun({ ...draft, against: 1 });
  await policies.counterexamples({ ...draft, builtIn: ["control"] });
  await policies.draft(draft);
  await policies.set({ terms, signature: "0x12" });
  await policies.list();
  await policies.get(2);
  expect(asked(server)).toEqual([
    ["GET", "/policies/schema"],
    ["POST", "/policies/check", { ...draft, tests: [] }],
    ["POST", "/policies/dry-run", { ...draft, against: 1 }],
    ["POST", "/policies/counterexamples", { ...draft, builtIn: ["control"] }],
    ["POST", "/policies/draft", draft],
    ["POST", "/policies", { terms, signature: "0x12" }],
    ["GET", "/policies"],
    ["GET", "/policies/2"],
  ]);
});

test("sends calls about agents as the API expects them", async () => {
  await using server = await aServer(says(200, {}));
  const { agents } = createCountersign({ url: server.url, session });
  const agent = { kind: "key", id: "a/b" } as const;
  await agents.list();
  await agents.list({ days: 7 });
  await agents.get(agent, { days: 90 });
  await agents.pause(agent);
  await agents.resume(agent);
  expect(asked(server)).toEqual([
    ["GET", "/agents"],
    ["GET", "/agents"],
    ["GET", "/agents/key/a%2Fb"],
    ["PUT", "/agents/key/a%2Fb/pause"],
    ["DELETE", "/agents/key/a%2Fb/pause"],
  ]);
  expect(server.received.slice(0, 3).map(({ query }) => query)).toEqual([{}, { days: "7" }, { days: "90" }]);
});

describe("validate", () => {
  const validation = { intent: "words", tx: { to, value: 5n }, metadata: { chain_id: 1 } } as const;

  test("calls the validator without a credential, with retries", async () => {
    await using validator = await aServer(says(503, { detail: "starting" }), says(200, { decision: "PASS" }));
    const countersign = createCountersign({
      url: "http://127.0.0.1:1",
      apiKey: "key",
      validatorUrl: validator.url,
    });
    expect(await countersign.validate(validation)).toEqual({ decision: "PASS" });
    const sent = {
      human_intent: "words",
      proposed_tx: { to, value: "5", data: "0x" },
      metadata: { chain_id: 1 },
    };
    expect(asked(validator)).toEqual([
      ["POST", "/validate", sent],
      ["POST", "/validate", sent],
    ]);
    expect(validator.received[0]?.headers["x-api-key"]).toBeUndefined();
  });

  test("needs a validator address", async () => {
    await expect(createCountersign({ url: "http://127.0.0.1:1" }).validate(validation)).rejects.toThrow(
      "validatorUrl",
    );
  });
});

describe("describe", () => {
  const answer = { request: "Send 1 ETH to Alice (0x1) on Base.", why: null, steps: [] };
  const knownAddresses = [{ address: to, label: "Alice" }] as const;
  const transaction = { tx: { to, value: 5n }, chainId: 8453, from: to, knownAddresses } as const;

  test("calls the service without a credential, with retries", async () => {
    await using service = await aServer(says(503, {}), says(200, answer));
    const countersign = createCountersign({ url: service.url, apiKey: "key" });
    expect(await countersign.describe(transaction)).toEqual(answer);
    const sent = { tx: { to, value: "5", data: "0x" }, chainId: 8453, from: to, knownAddresses };
    expect(asked(service)).toEqual([
      ["POST", "/public/describe", sent],
      ["POST", "/public/describe", sent],
    ]);
    expect(service.received[0]?.headers["x-api-key"]).toBeUndefined();
  });

  test("sends only the call if nothing else is known", async () => {
    await using service = await aServer(says(200, answer));
    await createCountersign({ url: service.url }).describe({ tx: { to } });
    expect(asked(service)).toEqual([["POST", "/public/describe", { tx: { to, value: "0", data: "0x" } }]]);
  });

  test("calls a validator in its own format", async () => {
    await using validator = await aServer(says(200, answer));
    expect(await describeTx(transaction, { url: validator.url })).toEqual(answer);
    await describeTx({ tx: { to } }, { url: validator.url });
    const metadata = { chain_id: 8453, from: to, known_addresses: knownAddresses };
    expect(asked(validator)).toEqual([
      ["POST", "/public/describe", { proposed_tx: { to, value: "5", data: "0x" }, metadata }],
      ["POST", "/public/describe", { proposed_tx: { to, value: "0", data: "0x" }, metadata: {} }],
    ]);
  });
});

describe("without a credential, behind a server that adds one", () => {
  test("can call everything except whoami", async () => {
    await using server = await aServer(says(200, []));
    const page = createCountersign({ url: server.url });
    await page.transactions({ address: "0xabc" });
    await page.transaction("0x1");
    await page.receipt("0x1");
    await page.settings();
    await page.keys.list();
    expect(asked(server).map(([, path]) => path)).toEqual([
      "/transactions/users/0xabc",
      "/transactions/0x1",
      "/transactions/0x1/receipt",
      "/settings",
      "/user-api-keys",
    ]);
    for (const { headers } of server.received) {
      expect(headers.authorization).toBeUndefined();
      expect(headers["x-api-key"]).toBeUndefined();
    }
    await expect(page.whoami()).rejects.toThrow("API key or a session");
  });

  test("receives events", async () => {
    await using server = await aServer((_received, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('id: 1\nevent: transaction\ndata: {"version":7}\n\n');
    });
    for await (const { version } of createCountersign({ url: server.url }).events()) {
      expect(version).toBe(7);
      break;
    }
    expect(server.received[0]?.headers.authorization).toBeUndefined();
  });
});
