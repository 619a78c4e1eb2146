// Third-party clients, each through everything a user does with one: sign-in by OAuth, the tools, a resource, the
// notification of a verdict, an expired token, the end.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import {
  UnauthorizedError as UnauthorizedErrorOfV1,
  type OAuthDiscoveryState as OAuthDiscoveryStateOfV1,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as ClientOfV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as TransportOfV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { makeSupervisor, withClient, type Supervisor } from "@countersign/tools/engines";
import {
  freePorts,
  makeTempDir,
  makeTestDatabase,
  waitUntil,
  type TestDatabase,
} from "@countersign/tools/testing";
import {
  findAddress,
  getToken,
  makeBrowser,
  makeKeeper,
  mayDoWithoutPrograms,
  programFile,
  startInteropApi,
  type Browser,
  type InteropApi,
} from "../../../tools/mcp-interop/index.ts";

type Json = Readonly<Record<string, unknown>>;
const about = { name: "interop", version: "1" };
const ours = ["checkVerificationStatus", "requestMandate", "requestVerification"];

const dir = makeTempDir("interop");
let database: TestDatabase;
let supervisor: Supervisor;
let api: InteropApi;
let browser: Browser;

beforeAll(async () => {
  database = await makeTestDatabase();
  supervisor = makeSupervisor({ logDir: dir });
  const many = { TRANSACTIONS_PER_MINUTE_PER_USER: "1000" };
  api = await startInteropApi({ supervisor, databaseUrl: database.url, env: many });
  browser = makeBrowser(api.url);
});
afterAll(async () => {
  await supervisor.stop();
  await database.drop();
  rmSync(dir, { recursive: true });
});

const mcp = (): URL => new URL(`${api.url}/mcp`);
const aProposal = (): Json => ({
  escrowAddress: browser.wallet.address,
  userPrompt: "Send 0.001 ETH to 0x1111111111111111111111111111111111111111.",
  tx: { to: `0x${"11".repeat(20)}`, value: "1000000000000000", data: "0x" },
});

/** The number of sessions of all clients. */
const countSessions = (): Promise<number> =>
  withClient(database.url, async (client) => {
    const { rows } = await client.query<{ count: string }>("select count(*) from mcp_sessions");
    return Number(rows[0]?.count);
  });

/** A client of the 2025 revisions opens its stream concurrently with its requests, and misses earlier events. */
const waitForStream = (): Promise<unknown> =>
  waitUntil("the newest session has a stream", () =>
    withClient(database.url, async (client) => {
      const { rows } = await client.query<{ open: boolean }>(
        "select stream_id is not null as open from mcp_sessions order by created_at desc limit 1",
      );
      return rows[0]?.open ?? false;
    }),
  );

const readNewestHash = (): Promise<string> =>
  withClient(database.url, async (client) => {
    const { rows } = await client.query<{ hash: string }>(
      "select '0x' || encode(request_hash, 'hex') as hash from transactions order by created_at desc limit 1",
    );
    return rows[0]?.hash ?? "";
  });

/** The actions that every client is asked for, in a common form. */
type Agent = {
  readonly listTools: () => Promise<readonly { readonly name: string }[]>;
  readonly call: (name: string, given: Json) => Promise<Json>;
  readonly read: (uri: string) => Promise<Json>;
  readonly follow: (uri: string) => Promise<unknown>;
  /** Resources that it was notified about. */
  readonly updated: readonly string[];
};

async function tellStory({ listTools, call, read, follow, updated }: Agent): Promise<void> {
  expect((await listTools()).map(({ name }) => name).sort()).toEqual(ours);
  const proposed = await call("requestVerification", aProposal());
  expect(proposed).toMatchObject({ status: "PENDING", verdict: null });
  const { requestHash, resourceUri } = proposed as { requestHash: string; resourceUri: string };
  expect(await read(resourceUri)).toMatchObject({ requestHash, status: "PENDING", orion: [] });
  await follow(resourceUri);
  const told = updated.length;
  await api.decide(requestHash, "APPROVED");
  await waitUntil("the client is told", () => updated.length > told);
  expect(updated.at(-1)).toBe(resourceUri);
  const status = await call("checkVerificationStatus", { requestHash });
  expect(status).toMatchObject({ requestHash, verdict: "APPROVED", orion: [{ decision: "APPROVED" }] });
  expect(await read(resourceUri)).toMatchObject({ requestHash, verdict: "APPROVED" });
}

/** The structured answer of a tool, as its schema promises. The text contains the same, for clients without support. */
function structured(result: Json): Json {
  expect(result["isError"] ?? false).toBe(false);
  const { structuredContent, content } = result as {
    structuredContent: Json;
    content: readonly { type: string; text?: string }[];
  };
  expect(
    content.filter(({ type }) => type === "text").map(({ text = "" }) => JSON.parse(text) as Json),
  ).toEqual([structuredContent]);
  return structuredContent;
}

const textOf = (result: Json): Json => {
  const [first] = (result as { contents: readonly { text: string }[] }).contents;
  return JSON.parse(first?.text ?? "null") as Json;
};

/** The 1.x client over any transport: HTTP itself, or a program in between. */
function agentOfV1(client: ClientOfV1): Agent {
  const updated: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    updated.push(params.uri);
  });
  return {
    updated,
    listTools: async () => (await client.listTools()).tools,
    call: async (name, given) => structured(await client.callTool({ name, arguments: given })),
    read: async (uri) => textOf(await client.readResource({ uri })),
    follow: async (uri) => {
      await client.subscribeResource({ uri });
      await waitForStream();
    },
  };
}

describe.each(["client_secret_post", "client_secret_basic", "none"])(
  "the 1.x client of the SDK, %s",
  (method) => {
    test("the whole story, with a token refresh in the middle of a session", async () => {
      const keeper = makeKeeper<OAuthClientInformationMixed, OAuthTokens, OAuthDiscoveryStateOfV1>(method);
      const refused = new TransportOfV1(mcp(), { authProvider: keeper });
      await expect(new ClientOfV1(about).connect(refused)).rejects.toThrow(UnauthorizedErrorOfV1);
      const { searchParams } = new URL(await browser.consent(keeper.whereTo()));
      expect(searchParams.get("state")).toBe(keeper.state());
      await refused.finishAuth(searchParams.get("code") ?? "");

      const transport = new TransportOfV1(mcp(), { authProvider: keeper });
      const client = new ClientOfV1(about);
      const agent = agentOfV1(client);
      await client.connect(transport);
      onTestFinished(() => client.close());
      expect(transport.protocolVersion).toBe("2025-11-25");
      await tellStory(agent);

      const { sessionId } = transport;
      const before = keeper.tokens();
      keeper.spoilToken();
      expect((await agent.listTools()).length).toBe(ours.length);
      expect(keeper.tokens()?.refresh_token).not.toBe(before?.refresh_token);
      expect(transport.sessionId).toBe(sessionId);
      await tellStory(agent);

      const known = await countSessions();
      await transport.terminateSession();
      expect(await countSessions()).toBe(known - 1);
      expect(transport.sessionId).toBeUndefined();
    });
  },
);

describe.each(["auto", { pin: "2026-07-28" }, "legacy"] as const)("the 2.x client of the SDK, %j", (mode) => {
  const aClient = (): Client => new Client(about, { versionNegotiation: { mode } });
  const isModern = mode !== "legacy";

  test("the whole story, with a token refresh in the middle", async () => {
    const keeper = makeKeeper<StoredOAuthClientInformation, StoredOAuthTokens, OAuthDiscoveryState>("none");
    const refused = new StreamableHTTPClientTransport(mcp(), { authProvider: keeper });
    await expect(aClient().connect(refused)).rejects.toThrow(UnauthorizedError);
    const { searchParams } = new URL(await browser.consent(keeper.whereTo()));
    // The client checks `iss` itself.
    await refused.finishAuth(searchParams);

    const transport = new StreamableHTTPClientTransport(mcp(), { authProvider: keeper });
    const client = aClient();
    const updated: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      updated.push(params.uri);
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    expect(client.getNegotiatedProtocolVersion()).toBe(isModern ? "2026-07-28" : "2025-11-25");
    const agent: Agent = {
      updated,
      listTools: async () => (await client.listTools()).tools,
      call: async (name, given) => structured(await client.callTool({ name, arguments: given })),
      read: async (uri) => textOf(await client.readResource({ uri })),
      follow: async (uri) => {
        if (!isModern) {
          await client.subscribeResource({ uri });
          return waitForStream();
        }
        const listening = await client.listen({ resourceSubscriptions: [uri] });
        onTestFinished(() => listening.close());
        expect(listening.honoredFilter).toEqual({ resourceSubscriptions: [uri] });
        return listening;
      },
    };
    await tellStory(agent);

    const before = keeper.tokens();
    keeper.spoilToken();
    expect((await agent.listTools()).length).toBe(ours.length);
    expect(keeper.tokens()?.refresh_token).not.toBe(before?.refresh_token);
    await tellStory(agent);

    const known = await countSessions();
    expect(transport.sessionId === undefined).toBe(isModern);
    await transport.terminateSession();
    expect(await countSessions()).toBe(isModern ? known : known - 1);
  });

  test("gets the progress of its proposal, in increasing steps", async () => {
    const keeper = makeKeeper<StoredOAuthClientInformation, StoredOAuthTokens, OAuthDiscoveryState>("none");
    keeper.saveTokens({ access_token: await getToken(api.url, browser), token_type: "bearer" });
    const client = aClient();
    await client.connect(new StreamableHTTPClientTransport(mcp(), { authProvider: keeper }));
    onTestFinished(() => client.close());
    const steps: number[] = [];
    const asked = client.callTool(
      {
        name: "requestVerification",
        arguments: { ...aProposal(), deadline: Math.floor(Date.now() / 1000) + 7777 },
      },
      { onprogress: ({ progress }) => steps.push(progress) },
    );
    await waitUntil("it was accepted", () => steps.length > 0);
    await api.decide(await readNewestHash(), "UNDECIDED");
    expect(structured(await asked)).toMatchObject({ verdict: "UNDECIDED" });
    expect(steps).toEqual([...new Set(steps)].sort());
    expect(steps.at(-1)).toBe(4);
  });
});

/** A separate home directory for a program, without a browser that it could open. */
function aHome() {
  const HOME = makeTempDir("home");
  onTestFinished(() => {
    rmSync(HOME, { recursive: true });
  });
  return { HOME, PATH: "/nowhere" };
}

/** Files under a folder that contain the text. */
const filesWith = (folder: string, text: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file, "utf8").includes(text));

/** Invalidates the access token that a program has stored, so that it has to get another. */
function spoilToken(folder: string): void {
  const files = filesWith(folder, "access_token");
  expect(files).toHaveLength(1);
  for (const file of files) {
    const kept = readFileSync(file, "utf8");
    writeFileSync(file, kept.replace(/(access_token[\\": ]+)[\w.-]+/, "$1spoilt"));
  }
}

describe.skipIf(mayDoWithoutPrograms())("mcp-remote", () => {
  /** Sends the owner to the browser only when it has no token. */
  async function connect(env: ReturnType<typeof aHome>, port: number, isNew: boolean) {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [programFile("mcpRemote"), mcp().href, String(port)],
      env: { ...env, MCP_REMOTE_CONFIG_DIR: env.HOME },
      stderr: "pipe",
    });
    let said = "";
    transport.stderr?.on("data", (bytes: Buffer) => (said += bytes.toString()));
    const client = new ClientOfV1(about);
    const agent = agentOfV1(client);
    const connected = client.connect(transport);
    onTestFinished(() => client.close());
    const address = /http\S+\/oauth\/authorize\?\S+(?=\s)/;
    if (isNew) await browser.visit(await waitUntil("it asks", () => address.exec(said)?.[0] ?? false));
    await connected;
    expect(address.test(said)).toBe(isNew);
    return { client, agent };
  }

  test("the whole story; an expired token is refreshed without asking the owner", async () => {
    const env = aHome();
    const [port = 0] = await freePorts(1);
    const first = await connect(env, port, true);
    await tellStory(first.agent);
    // It disconnects without ending its session, which is deleted after a long idle time.
    await first.client.close();

    spoilToken(env.HOME);
    const second = await connect(env, port, false);
    await tellStory(second.agent);
    await second.client.close();
  });
});

describe.skipIf(mayDoWithoutPrograms())("the inspector", () => {
  let runs = 0;

  /** One command: connects, sends one request, ends. */
  async function ask(
    env: Readonly<Record<string, string>>,
    args: readonly string[],
    isNew = false,
  ): Promise<Json> {
    const output = join(dir, `inspector-${runs}.json`);
    const [port = 0] = await freePorts(1);
    const child = supervisor.start({
      name: `inspector-${runs++}`,
      command: process.execPath,
      args: [
        ...[programFile("inspector"), "--server-url", mcp().href, "--transport", "http", "--output", output],
        ...["--callback-url", `http://127.0.0.1:${port}/oauth/callback`, ...args],
      ],
      cwd: "/",
      env: { ...env, MCP_AUTO_OPEN_ENABLED: "true", MCP_INSPECTOR_SECRET_STORE: "file" },
    });
    if (isNew) await browser.visit(await findAddress(child, api.url));
    const { reason, logFile } = await child.exited;
    const said = readFileSync(logFile, "utf8");
    expect(reason, said).toBe("exit code 0");
    expect(said.includes("/oauth/authorize?")).toBe(isNew);
    return JSON.parse(readFileSync(output, "utf8")) as Json;
  }

  const namesIn = (result: Json): readonly string[] =>
    (result as { tools: readonly { name: string }[] }).tools.map(({ name }) => name).sort();
  const call = (name: string, given: Json): readonly string[] => [
    ...["--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(given)],
  ];

  test("with a given token", async () => {
    const header = ["--header", `Authorization: Bearer ${await getToken(api.url, browser)}`];
    const listed = await ask(aHome(), [...header, "--method", "tools/list", "--strict"]);
    expect(namesIn(listed)).toEqual(ours);
  });

  test.each(["legacy", "modern"])("by OAuth, and with a token that is refreshed (%s)", async (era) => {
    const env = aHome();
    const kept = ["--stored-auth-only", "--protocol-era", era];
    expect(namesIn(await ask(env, ["--method", "tools/list", "--protocol-era", era], true))).toEqual(ours);
    const proposed = structured(await ask(env, [...call("requestVerification", aProposal()), ...kept]));
    const { requestHash, resourceUri } = proposed as { requestHash: string; resourceUri: string };
    await api.decide(requestHash, "APPROVED");
    spoilToken(env.HOME);
    const status = structured(await ask(env, [...call("checkVerificationStatus", { requestHash }), ...kept]));
    expect(status).toMatchObject({ requestHash, verdict: "APPROVED" });
    expect(filesWith(env.HOME, "spoilt")).toEqual([]);
    const resource = await ask(env, ["--method", "resources/read", "--uri", resourceUri, ...kept]);
    expect(textOf(resource)).toMatchObject({ requestHash, verdict: "APPROVED" });
  });
});
