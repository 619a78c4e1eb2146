import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { systemClock } from "@countersign/platform/clock";
import { requestErrors } from "@countersign/platform/errors";
import { makeLog } from "@countersign/platform/log";
import { shapes, type Hex } from "@countersign/wire";
import { transactionErrors, type Transaction, type TransactionRecord } from "../transactions/index.ts";
import { makeBuildServer, type BuildServerParts } from "./build-server.ts";
import type { Principal } from "./principal.ts";
import { uriOf } from "./resource-uri.ts";
import { connectTo, eras, makeHandler, type Era } from "../../test/mcp/handlers.ts";

const account: Hex = `0x${"a1".repeat(20)}`;
const hash: Hex = `0x${"5e".repeat(32)}`;
const at = new Date("2026-11-15T12:00:00Z");
const allScopes = ["transactions:create:own", "transactions:approve:own", "transactions:read:own"];

const principalWith = (scopes: readonly string[]): Principal => ({
  caller: {
    ...{ scheme: "apiKey", subject: "k", scopes, keyId: "k", type: "user", label: "agent" },
    ...{ account, userId: "u" },
  },
  account,
  client: "key:k",
});

const aRecord: TransactionRecord = {
  id: "01990000-0000-7000-8000-000000000000",
  requestHash: hash,
  description: "Send it",
  status: "PENDING",
  execution: 1,
  createdAt: at.toISOString(),
  updatedAt: at.toISOString(),
  escrowAddress: account,
  chainId: 11_155_111,
  phase: "RECEIVED",
  intentProvenance: "agent-claimed",
  expiresAt: null,
  chainWatched: true,
  notice: null,
  shape: "tx",
  signingHash: null,
};

const aTransaction = (changes: Partial<Transaction>) =>
  ({
    ...{ id: aRecord.id, requestHash: hash, description: "Send it", executionType: 1, escrow: account },
    ...{
      createdAt: at,
      updatedAt: at,
      chainId: 1,
      isWatched: true,
      intentProvenance: "agent-claimed",
      expiresAt: null,
    },
    ...{ phase: "RECEIVED", orion: null, reason: null, needsOwner: null, shape: null, signingHash: null },
    ...changes,
  }) as Transaction;

type Seen = Pick<Transaction, "phase" | "orion"> & Partial<Pick<Transaction, "needsOwner" | "mandateId">>;

/** The service's functions with scripted answers: each status request returns the next of these states. */
function aHarness(script: readonly Seen[] = [{ phase: "RECEIVED", orion: null }], era: Era = "2025-11-25") {
  const subscribed: string[] = [];
  const proposed: unknown[] = [];
  let asked = 0;
  const latest = (): Seen => script[Math.min(asked, script.length) - 1] ?? script[0] ?? aTransaction({});
  const parts: BuildServerParts = {
    proposeTransaction: async (given) => {
      proposed.push(given);
      return { status: 201, body: { ...aRecord, reviewUrl: "https://app.example" } };
    },
    readTransaction: async () => ({
      transaction: aTransaction(latest()),
      approvals: [],
      owner: { id: "u", account },
    }),
    status: {
      read: async ({ requestHash }) => {
        if (requestHash !== hash) throw transactionErrors.notFound();
        asked++;
        const state = {
          needsOwner: null,
          mandateId: null,
          policyDecision: null,
          ...latest(),
          account,
          userId: "u",
          version: asked,
          user: null,
          verdictAt: null,
          isWatched: true,
          shape: null,
          useKind: null,
          onchain: null,
        };
        return {
          state: { ...state, createdAt: at, approvals: [] },
          etag: `"records-${asked}"`,
          isKnown: false,
          retryAfterSeconds: 2,
        };
      },
    },
    listTransactions: async () => ({ owner: { id: "u", account }, found: [], next: undefined }),
    readExecutionType: async () => 1,
    countProposal: async () => undefined,
    askForMandate: async ({ account: of, agent = "" }, draft) => ({
      ...{ id: "6f1c8a52-93d4-4d1f-9d53-0a4c1a6f7b11", account: of, agent, draft, createdAt: at },
    }),
    uiUrl: "https://app.example/",
    clock: systemClock,
    log: makeLog({ app: "api", level: "silent" }),
    waitSeconds: 0.2,
  };
  const session = {
    subscribe: async (requestHash: Hex) => void subscribed.push(requestHash),
    unsubscribe: async () => undefined,
  };
  const seen: Response[] = [];
  const connect = async (changes: Partial<BuildServerParts> = {}, scopes = allScopes): Promise<Client> => {
    const build = makeBuildServer({ ...parts, ...changes });
    const given = { principal: principalWith(scopes), ip: "10.0.0.1", session };
    const handle = makeHandler(era, () => build(given), scopes);
    return connectTo(async (request) => {
      const response = await handle(request);
      if (request.method === "POST") seen.push(response.clone());
      return response;
    }, era);
  };
  return { connect, subscribed, proposed, seen };
}

const call = {
  name: "requestVerification",
  arguments: {
    escrowAddress: account,
    userPrompt: "Send it",
    tx: { to: `0x${"11".repeat(20)}`, value: "1", data: "0x" },
  },
};
const textOf = ({ content }: Awaited<ReturnType<Client["callTool"]>>): string =>
  content[0]?.type === "text" ? content[0].text : "";

describe.each(eras)("to a client of %s the server", (era) => {
  test("offers exactly three tools, with their schemas and annotations", async () => {
    const { tools } = await (await aHarness([], era).connect()).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "requestVerification",
      "checkVerificationStatus",
      "requestMandate",
    ]);
    const [request, check] = tools;
    expect(request?.annotations).toEqual({
      ...{ readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    });
    expect(check?.annotations).toMatchObject({ readOnlyHint: true });
    expect(check).toMatchObject({
      inputSchema: {
        properties: { requestHash: { type: "string", pattern: "^0x[0-9a-fA-F]{64}$" } },
        required: ["requestHash"],
      },
      outputSchema: {
        required: expect.arrayContaining([
          ...["requestHash", "status", "user", "orion", "verdict", "final", "pollAfterSeconds"],
        ]) as unknown,
      },
    });
    // Models see the schemas as they are, so they contain no references.
    expect(JSON.stringify(tools)).not.toContain("$ref");
    // A client that caches them must accept answers with more members.
    for (const { outputSchema } of tools)
      expect(JSON.stringify(outputSchema)).not.toContain('Properties":false');
  });

  test("accepts the create fields of POST /transactions, each with a description", async () => {
    const { tools } = await (await aHarness([], era).connect()).listTools();
    const { properties = {}, required } = tools[0]?.inputSchema ?? {};
    // Exactly one of tx and the shapes, which a list of required members cannot express.
    expect(required).toEqual(["escrowAddress", "userPrompt"]);
    expect(Object.keys(properties)).toEqual([
      ...["escrowAddress", "userPrompt", "tx", ...shapes, "contextLogs", "chainId"],
      ...["verificationServiceId", "deadline", "supersedes", "intentSignature", "idempotencyKey"],
    ]);
    for (const property of Object.values(properties)) expect(property).toHaveProperty("description");
  });

  test("instructs the agent and names the page where the owner decides", async () => {
    const instructions = (await aHarness([], era).connect()).getInstructions();
    expect(instructions).toContain("exact words");
    expect(instructions).toContain("https://app.example/transactions/{requestHash}");
  });

  test("answers with data, the same as text, and a link to the resource", async () => {
    const harness = aHarness([], era);
    const result = await (await harness.connect()).callTool(call);
    expect(result.structuredContent).toMatchObject({
      ...{ id: aRecord.id, requestHash: hash, status: "PENDING", description: "Send it", execution: 1 },
      ...{ verdict: null, resourceUri: uriOf(hash), reviewUrl: `https://app.example/transactions/${hash}` },
    });
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    expect(result.content[1]).toMatchObject({ type: "resource_link", uri: uriOf(hash) });
    expect(harness.proposed).toMatchObject([
      { body: { form: "standard", chainId: 11_155_111 }, ip: "10.0.0.1", idempotencyKey: undefined },
    ]);
  });

  test("reports progress in strictly increasing steps, and answers with the latest state", async () => {
    const script: Seen[] = [
      { phase: "RECEIVED", orion: null },
      { phase: "PINNED", orion: null },
      { phase: "PINNED", orion: null },
      { phase: "REGISTERED", orion: null },
      { phase: "AWAITING", orion: "APPROVED" },
    ];
    const told: number[] = [];
    const client = await aHarness(script, era).connect({ waitSeconds: 20 });
    const result = await client.callTool(call, {
      onprogress: ({ progress, total }) => void told.push(progress, total ?? 0),
    });
    expect(told).toEqual([1, 4, 2, 4, 3, 4, 4, 4]);
    expect(result.structuredContent).toMatchObject({ phase: "AWAITING", verdict: "APPROVED" });
  });

  test("waits no longer than its limit", async () => {
    const told: number[] = [];
    const client = await aHarness([{ phase: "REGISTERED", orion: null }], era).connect();
    const result = await client.callTool(call, { onprogress: ({ progress }) => void told.push(progress) });
    expect(told).toEqual([1, 3]);
    expect(result.structuredContent).toMatchObject({ verdict: null, status: "PENDING" });
  });

  test("reports a wrong argument with a code and without its value", async () => {
    const client = await aHarness([], era).connect();
    const result = await client.callTool({
      ...call,
      arguments: { ...call.arguments, tx: { ...call.arguments.tx, value: "1.5e3" }, encrypted: false },
    });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("tx.value: must be a decimal number");
    expect(textOf(result)).toContain("(request.invalid)");
    expect(textOf(result)).not.toContain("1.5e3");
    expect(result._meta).toMatchObject({ errorCode: "request.invalid" });
  });

  test("reports when to retry after one proposal too many", async () => {
    const countProposal = async (): Promise<void> => {
      throw requestErrors.tooMany({ headers: { "Retry-After": "17" } });
    };
    const harness = aHarness([], era);
    const result = await (await harness.connect({ countProposal })).callTool(call);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe("Too many requests. (request.too-many) Try again in 17 seconds.");
    expect(harness.proposed).toEqual([]);
  });

  test("reveals nothing about its own failures", async () => {
    const failing = async (): Promise<never> => {
      throw new Error("password=hunter2 at row 7");
    };
    const client = await aHarness([], era).connect({
      ...{ proposeTransaction: failing, status: { read: failing }, listTransactions: failing },
      readExecutionType: failing,
    });
    const asked = [
      client.callTool(call),
      client.callTool({ name: "checkVerificationStatus", arguments: { requestHash: hash } }),
      client.readResource({ uri: uriOf(hash) }),
      client.readResource({ uri: "countersign://account" }),
      client.listResources(),
    ].map((answer) => answer.catch((error: unknown) => String(error)));
    const told = JSON.stringify(await Promise.all(asked));
    expect(told).toContain("Internal server error");
    expect(told).not.toMatch(/hunter2|row 7|\.ts:/);
  });

  test("attack 88: names the missing scope of a token, by status and header", async () => {
    const harness = aHarness([], era);
    const client = await harness.connect({}, ["transactions:read:own"]);
    await expect(client.callTool(call)).rejects.toThrow();
    const refused = harness.seen.find(({ status }) => status === 403);
    const challenge = refused?.headers.get("www-authenticate");
    expect(challenge).toContain('error="insufficient_scope"');
    expect(challenge).toContain('scope="transactions:create:own"');
    expect(challenge).toContain("resource_metadata=");
    expect(harness.proposed).toEqual([]);
  });
});

test("a transaction that was approved under a mandate names it", async () => {
  const mandateId = "11111111-1111-4111-8111-111111111111";
  const client = await aHarness([{ phase: "READY", orion: "APPROVED", mandateId }]).connect();
  const { structuredContent } = await client.callTool({
    name: "checkVerificationStatus",
    arguments: { requestHash: hash },
  });
  expect(structuredContent).toMatchObject({ status: "APPROVED", mandateId, needsOwner: null });
});

describe("a transaction that the owner is asked about", () => {
  test("says why it was not approved without them", async () => {
    const message = "This repeats a payment made 3 minutes ago";
    const needsOwner = { code: "REPEATED_REQUEST", message, repeats: null } as const;
    const client = await aHarness([{ phase: "AWAITING", orion: "APPROVED", needsOwner }]).connect();
    const { structuredContent } = await client.callTool({
      name: "checkVerificationStatus",
      arguments: { requestHash: hash },
    });
    expect(structuredContent).toMatchObject({
      needsOwner,
      next: expect.stringContaining(
        `It matches the request. ${message}. Now the owner must decide`,
      ) as string,
    });
  });
});

describe("a proposal", () => {
  test("subscribes the session that made it", async () => {
    const harness = aHarness();
    await (await harness.connect()).callTool(call);
    expect(harness.subscribed).toEqual([hash]);
  });
  test("by a program without read access is neither followed nor subscribed to", async () => {
    const told: number[] = [];
    const harness = aHarness([{ phase: "AWAITING", orion: "APPROVED" }]);
    const client = await harness.connect({}, ["transactions:create:own"]);
    const result = await client.callTool(call, { onprogress: ({ progress }) => void told.push(progress) });
    expect(told).toEqual([1]);
    expect(result.structuredContent).toMatchObject({ requestHash: hash, verdict: null });
    expect(harness.subscribed).toEqual([]);
  });
  test("that is recorded is answered as recorded, even if it cannot be followed", async () => {
    const failing = async (): Promise<never> => {
      throw new Error("away");
    };
    const client = await aHarness().connect({ status: { read: failing } });
    const result = await client.callTool(call, { onprogress: () => undefined });
    expect(result.isError ?? false).toBe(false);
    expect(result.structuredContent).toMatchObject({ requestHash: hash });
  });
  test("without a progress token does not wait and sends no progress", async () => {
    const harness = aHarness([{ phase: "REGISTERED", orion: null }]);
    const neverAsked = async (): Promise<never> => {
      throw new Error("it waited");
    };
    const client = await harness.connect({ status: { read: neverAsked }, readTransaction: neverAsked });
    expect((await client.callTool(call)).structuredContent).toMatchObject({ verdict: null });
    const told = await Promise.all(harness.seen.map((response) => response.text()));
    expect(told.join("")).not.toContain("notifications/progress");
  });
});

describe("a status", () => {
  test.each<[Seen, Record<string, unknown>]>([
    [
      { phase: "RECEIVED", orion: null },
      { status: "PENDING", verdict: null, final: false, pollAfterSeconds: 2 },
    ],
    [
      { phase: "AWAITING", orion: "UNDECIDED" },
      { status: "PENDING", verdict: "UNDECIDED", final: false },
    ],
    [
      { phase: "READY", orion: "APPROVED" },
      { status: "APPROVED", verdict: "APPROVED", final: false },
    ],
    [
      { phase: "REJECTED", orion: "REJECTED" },
      { status: "REJECTED", final: true, pollAfterSeconds: null },
    ],
    [
      { phase: "EXECUTED", orion: "APPROVED" },
      { status: "EXECUTED", final: true, pollAfterSeconds: null },
    ],
    [
      { phase: "FAILED", orion: "APPROVED" },
      { status: "FAILED", final: true, pollAfterSeconds: null },
    ],
  ])("of %j returns %j", async (state, expected) => {
    const client = await aHarness([state]).connect();
    const { structuredContent } = await client.callTool({
      name: "checkVerificationStatus",
      arguments: { requestHash: hash.toUpperCase().replace("0X", "0x") },
    });
    expect(structuredContent).toMatchObject({ requestHash: hash, user: [], orion: [], ...expected });
  });
});
