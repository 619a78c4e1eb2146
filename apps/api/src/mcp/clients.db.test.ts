// Uses the SDK's own clients, to show that real clients send what the other tests send message by message.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { waitUntil } from "@countersign/tools/testing";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../test/api-keys.ts";
import { bearer } from "../../test/sign-in.ts";
import { anOwner, inDatabase, manyProposals, withKey, type Owner } from "../../test/transactions.ts";
import { uriOf } from "./resource-uri.ts";
import { aClient } from "../../test/mcp/handlers.ts";
import { anotherAtItsOwnName, ask, ping, type Another } from "../../test/mcp/over-http.ts";

type Hex = `0x${string}`;

let api: TestApiWithKeys;
let endpoint: Another;
let owner: Owner;
beforeAll(async () => {
  api = await aTestApiWithKeys(manyProposals);
  endpoint = await anotherAtItsOwnName(api);
  owner = await anOwner(api);
});
afterAll(async () => {
  await endpoint.close();
  await api.close();
});

async function connect(client: Client): Promise<StreamableHTTPClientTransport> {
  const transport = new StreamableHTTPClientTransport(new URL(`${endpoint.origin}/mcp`), {
    requestInit: { headers: withKey(owner.key) },
  });
  await client.connect(transport);
  return transport;
}

const aCall = () => ({
  name: "requestVerification",
  arguments: {
    escrowAddress: owner.wallet.address,
    userPrompt: "Send nothing to me",
    tx: { to: owner.wallet.address, value: "0", data: "0x" },
  },
});
const hashIn = (result: unknown): Hex =>
  (result as { readonly structuredContent: { readonly requestHash: Hex } }).structuredContent.requestHash;
const withdraw = (hash: Hex) =>
  api.http.send({ method: "POST", url: `/transactions/${hash}/withdraw`, headers: bearer(owner.who) });

test("a client of 2025 proposes, is notified of the change on its stream, and ends its session", async () => {
  const client = aClient("2025-11-25");
  const told: string[] = [];
  client.setNotificationHandler(
    "notifications/resources/updated",
    ({ params }) => void told.push(params.uri),
  );
  const transport = await connect(client);
  const session = { ...withKey(owner.key), "mcp-session-id": transport.sessionId ?? "" };
  expect((await ask(api, { body: ping, headers: session })).status).toBe(200);
  expect((await client.listTools()).tools).toHaveLength(3);
  const hash = hashIn(await client.callTool(aCall()));
  await withdraw(hash);
  await waitUntil("it is told", () => told.includes(uriOf(hash)));
  await transport.terminateSession();
  await client.close();
  expect((await ask(api, { body: ping, headers: session })).status).toBe(404);
});

test("a client of 2026 proposes, and is notified of the change that it listens to", async () => {
  const client = aClient("2026-07-28");
  const told: string[] = [];
  client.setNotificationHandler(
    "notifications/resources/updated",
    ({ params }) => void told.push(params.uri),
  );
  const transport = await connect(client);
  expect(transport.sessionId).toBeUndefined();
  const hash = hashIn(await client.callTool(aCall()));
  const subscription = await client.listen({ resourceSubscriptions: [uriOf(hash)] });
  await withdraw(hash);
  await waitUntil("it is told", () => told.includes(uriOf(hash)));
  await subscription.close();
  await client.close();
});

test.each(["2025-11-25", "2026-07-28"] as const)(
  "a client of %s with a progress token gets progress before the answer",
  async (era) => {
    const client = aClient(era);
    await connect(client);
    const steps: number[] = [];
    const calling = client.callTool(aCall(), { onprogress: ({ progress }) => void steps.push(progress) });
    await waitUntil("it hears of it", () => steps.length > 0);
    const { rows } = await inDatabase(api, (database) =>
      database.query<{ hash: Hex }>(
        "select '0x' || encode(request_hash, 'hex') as hash from account_events order by id desc limit 1",
      ),
    );
    const { hash } = rows[0] ?? expect.fail();
    await withdraw(hash);
    expect(hashIn(await calling)).toBe(hash);
    expect(steps).toEqual([...new Set(steps)].sort());
    await client.close();
  },
);
