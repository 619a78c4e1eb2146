// Servers of others behind the proxy, on the real system and real chains: what was requested is sent, and nothing else leaves a trace.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createTestClient, http, parseEther, publicActions, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCountersign } from "@countersign/sdk";
import { signIn } from "@countersign/sdk/viem";
import { makeSupervisor, startAnvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir, waitUntil } from "@countersign/tools/testing";
import { answerDocs, mayDoWithoutPrograms, programFile } from "../../../../tools/mcp-interop/index.ts";
import { setStage, type Stage } from "../../../../tools/stage/index.ts";

const bin = fileURLToPath(new URL("../../bin/countersign.js", import.meta.url));
const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const mallory = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const token = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238";
const key = generatePrivateKey();
const account = privateKeyToAccount(key);
const dir = makeTempDir("mcp-proxy");
const supervisor = makeSupervisor({ logDir: dir });

let stage: Stage;
let seiUrl = "";
let apiKey = "";

const isSkipped = mayDoWithoutPrograms();

beforeAll(async () => {
  if (isSkipped) return;
  stage = await setStage();
  stage.chain.mineEvery(200);
  const [port = 0] = await freePorts(1);
  seiUrl = (await startAnvil({ supervisor, dir: `${dir}/sei`, port, chainId: 1329 })).url;
  const url = stage.urls.api;
  const owner = createCountersign({ url, session: await signIn({ url, wallet: account }) });
  await owner.updateSettings({ executionType: 2 });
  apiKey = (await owner.keys.create({ name: "agent" })).secret;
  for (const rpcUrl of [seiUrl, stage.urls.anvil])
    await chainAt(rpcUrl).setBalance({ address: account.address, value: parseEther("100") });
});
afterAll(async () => {
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
  if (!isSkipped) await stage.end();
});

const chainAt = (url: string) =>
  createTestClient({ mode: "anvil", transport: http(url), cacheTime: 0 }).extend(publicActions);

const clients: Client[] = [];
const closeClients = async (): Promise<void> => {
  for (const client of clients.splice(0)) await client.close();
};

/** An MCP host that runs the proxy as it would run the server. */
async function openHost(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const noted: string[] = [];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "mcp-proxy", ...args],
    env: {
      ...{ PATH: process.env["PATH"] ?? "", HOME: dir, COUNTERSIGN_CONFIG_DIR: `${dir}/config` },
      ...{ COUNTERSIGN_URL: stage.urls.api, COUNTERSIGN_API_KEY: apiKey },
      ...env,
    },
    stderr: "pipe",
  });
  transport.stderr?.on("data", (chunk: Buffer) => noted.push(chunk.toString()));
  const client = new Client({ name: "host", version: "1" });
  clients.push(client);
  await client.connect(transport).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${noted.join("")}`);
  });
  const call = async (name: string, given: object) => {
    const result = await client.callTool({ name, arguments: { ...given } }, { timeout: 120_000 });
    const texts = (result.content as readonly { readonly text?: string }[]).map(({ text = "" }) => text);
    return { isError: result.isError === true, text: texts.join("\n") };
  };
  const tools = async () => (await client.listTools()).tools;
  return { call, tools, noted: () => noted.join("") };
}

type Host = Awaited<ReturnType<typeof openHost>>;

const seiEnv = (): Record<string, string> => ({
  ...{ WALLET_MODE: "private-key", PRIVATE_KEY: key, NODE_OPTIONS: `--import ${answerDocs}` },
});
const seiCommand = [process.execPath, programFile("sei")];

/** The same server over HTTP, which has the proxy's RPC in its own settings. */
async function openSeiOverHttp(): Promise<Host> {
  const [rpcPort = 0, port = 0] = await freePorts(2);
  const rpc = `http://127.0.0.1:${rpcPort}/`;
  supervisor.start({
    name: `sei-http-${port}`,
    command: process.execPath,
    args: [programFile("sei")],
    env: {
      ...{ ...seiEnv(), MAINNET_RPC_URL: rpc, TESTNET_RPC_URL: rpc, DEVNET_RPC_URL: rpc },
      ...{ SERVER_TRANSPORT: "streamable-http", SERVER_PORT: String(port), SERVER_HOST: "127.0.0.1" },
      PATH: process.env["PATH"] ?? "",
    },
    cwd: dir,
  });
  const mcpUrl = `http://127.0.0.1:${port}/mcp`;
  await waitUntil("the server answers", () =>
    fetch(mcpUrl).then(
      () => true,
      () => false,
    ),
  );
  const args = ["--rpc-url", seiUrl, "--rpc-port", String(rpcPort), "--mcp-url", mcpUrl, "--server", "sei"];
  return openHost(args);
}

type Server = {
  readonly open: () => Promise<Host>;
  readonly rpcUrl: () => string;
  readonly coin: string;
  readonly network: string;
  /** The tool that sends coin, with the names of its arguments. */
  readonly transfer: (to: string, amount: string) => readonly [string, Readonly<Record<string, unknown>>];
  readonly balance: string;
};

const sei: Omit<Server, "open"> = {
  ...{ rpcUrl: () => seiUrl, coin: "SEI", network: "sei", balance: "get_balance" },
  transfer: (to, amount) => ["transfer_sei", { to, amount, network: "sei" }],
};
const servers: [string, Server][] = [
  [
    "@sei-js/mcp-server over stdio",
    { ...sei, open: () => openHost(["--rpc-url", seiUrl, "--", ...seiCommand], seiEnv()) },
  ],
  ["@sei-js/mcp-server over HTTP", { ...sei, open: openSeiOverHttp }],
  [
    "@bnb-chain/mcp",
    {
      open: () =>
        openHost(["--rpc-url", stage.urls.anvil, "--", process.execPath, programFile("bnbChain")], {
          PRIVATE_KEY: key,
        }),
      ...{ rpcUrl: () => stage.urls.anvil, coin: "ETH", network: "sepolia", balance: "get_native_balance" },
      transfer: (toAddress, amount) => [
        "transfer_native_token",
        { toAddress, amount, network: "sepolia", skipConfirmation: true },
      ],
    },
  ],
];

/** Everything on the chain that an attempt could have moved. */
async function chainNow(rpcUrl: string) {
  const chain = chainAt(rpcUrl);
  const { address } = account;
  const [nonce, mine, theirs] = await Promise.all([
    chain.getTransactionCount({ address, blockTag: "pending" }),
    chain.getBalance({ address }),
    chain.getBalance({ address: mallory }),
  ]);
  return { nonce, mine, theirs };
}

describe.skipIf(isSkipped).each(servers)("%s", (_, server) => {
  const { open, rpcUrl, coin, network, transfer, balance } = server;
  let host: Host;
  beforeAll(async () => {
    if (!isSkipped) host = await open();
  });
  afterAll(closeClients);
  // Each with another amount, because a request is used once.
  const requestOf = (amount: string): string => `Send ${amount} ${coin} to ${alice}`;

  test("shows no key, and only tools that can be guarded", async () => {
    const { tools, noted } = host;
    const listed = await tools();
    expect(JSON.stringify(listed)).not.toContain(key.slice(2));
    const names = listed.map(({ name }) => name);
    const sending = listed.filter(({ inputSchema }) => inputSchema.required?.includes("userPrompt"));
    expect(names).toContain(balance);
    expect(sending.map(({ name }) => name)).toContain(transfer(alice, "1")[0]);
    for (const name of ["deploy_contract", "create_erc20_token", "gnfd_deposit_to_payment"])
      expect(names).not.toContain(name);
    expect(noted()).toMatch(/^Countersign: hidden/m);
  });

  test("passes reads unchanged", async () => {
    const { text } = await host.call(balance, { address: account.address, network });
    expect(text).toMatch(/9\d\.\d|100/);
  });

  test("sends what was requested, once, and returns the tool's own result", async () => {
    const before = await chainAt(rpcUrl()).getBalance({ address: alice });
    const amount = `0.0${Math.floor(Math.random() * 90_000) + 10_000}`;
    const [name, given] = transfer(alice, amount);
    const { isError, text } = await host.call(name, { ...given, userPrompt: requestOf(amount) });
    expect([isError, text]).toEqual([false, expect.stringMatching(/0x[0-9a-f]{64}/)]);
    const hash = /0x[0-9a-f]{64}/.exec(text)?.[0] as Hex;
    const { status } = await chainAt(rpcUrl()).waitForTransactionReceipt({ hash });
    expect(status).toBe("success");
    const after = await chainAt(rpcUrl()).getBalance({ address: alice });
    expect(after - before).toBe(parseEther(amount));
  });

  const attempts: [string, (host: Host) => ReturnType<Host["call"]>][] = [
    ["another recipient", ({ call }) => callOf(call, transfer(mallory, "0.01"), requestOf("0.01"))],
    ["another amount", ({ call }) => callOf(call, transfer(alice, "5"), requestOf("0.01"))],
    ["no request", ({ call }) => callOf(call, transfer(alice, "0.01"), undefined)],
    ["an empty request", ({ call }) => callOf(call, transfer(alice, "0.01"), " ")],
    [
      "an allowance",
      ({ call }) =>
        callOf(
          call,
          [
            "write_contract",
            {
              ...{ contractAddress: token, functionName: "approve", network, skipConfirmation: true },
              abi: [
                {
                  ...{ type: "function", name: "approve", stateMutability: "nonpayable" },
                  inputs: [
                    { name: "spender", type: "address" },
                    { name: "value", type: "uint256" },
                  ],
                  outputs: [],
                },
              ],
              args: [mallory, "1000000"],
            },
          ],
          requestOf("0.01"),
        ),
    ],
    [
      "a deployment",
      ({ call }) => callOf(call, ["deploy_contract", { bytecode: "0x00", abi: [], network }], "Deploy it"),
    ],
    ["an unknown tool", ({ call }) => callOf(call, ["sweep_wallet", { to: mallory }], "Sweep it")],
  ];
  test.each(attempts)("does not send: %s", async (_name, attempt) => {
    const before = await chainNow(rpcUrl());
    const { isError, text } = await attempt(host);
    expect([isError, text]).toEqual([true, expect.stringMatching(/^Nothing was (sent|done)/)]);
    expect(await chainNow(rpcUrl())).toEqual(before);
  });
});

const callOf = (
  call: Host["call"],
  [name, given]: readonly [string, Readonly<Record<string, unknown>>],
  userPrompt: string | undefined,
) => call(name, userPrompt === undefined ? given : { ...given, userPrompt });

describe.skipIf(isSkipped)("a transfer in two steps", () => {
  const open = () =>
    openHost(["--rpc-url", stage.urls.anvil, "--", process.execPath, programFile("bnbChain")], {
      PRIVATE_KEY: key,
    });
  const preview = async ({ call }: Host, amount: string, words: string): Promise<string> => {
    const given = { toAddress: alice, amount, network: "sepolia", userPrompt: words };
    const { text } = await call("transfer_native_token", given);
    return (JSON.parse(text) as { confirmToken: string }).confirmToken;
  };

  afterAll(closeClients);

  test("is verified in the step that sends, against the request of that step", async () => {
    const host = await open();
    const words = `Send 0.0777 ETH to ${alice}`;
    const confirmToken = await preview(host, "0.0777", words);
    const before = await chainNow(stage.urls.anvil);
    const other = await preview(host, "3", words);
    const refused = await host.call("confirm_transfer", { confirmToken: other, userPrompt: words });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Nothing was sent/) as string,
    });
    expect(await chainNow(stage.urls.anvil)).toEqual(before);
    const sent = await host.call("confirm_transfer", { confirmToken, userPrompt: words });
    expect(sent).toMatchObject({ isError: false, text: expect.stringMatching(/txHash/) as string });
  });
});

test.skipIf(isSkipped)("stops a server that has another node than the guard", async () => {
  // The known server, but with the real node in its settings.
  const args = [
    "--rpc-url",
    seiUrl,
    "--server",
    "sei",
    "--",
    "env",
    `MAINNET_RPC_URL=${seiUrl}`,
    ...seiCommand,
  ];
  const { call, noted } = await openHost(args, seiEnv());
  const given = { to: alice, amount: "0.01", network: "sei", userPrompt: `Send 0.01 SEI to ${alice}` };
  const first = await call("transfer_sei", given);
  expect(first).toMatchObject({ isError: true, text: expect.stringMatching(/was not verified/) as string });
  const second = await call("transfer_sei", given);
  expect(second).toMatchObject({ isError: true, text: expect.stringMatching(/^Nothing was sent/) as string });
  expect(noted()).toMatch("without the guard");
  await closeClients();
});
