// Contract wallets on real chains, and the answers when the chain is down, slow or another one.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { receiptOf } from "@countersign/contracts/deploy";
import { devAccounts, makeSupervisor, readChainId } from "@countersign/tools/engines";
import { freePorts, makeTempDir, waitUntil } from "@countersign/tools/testing";
import {
  createWalletClient,
  encodeFunctionData,
  http,
  publicActions,
  serializeErc6492Signature,
  zeroHash,
  type Abi,
  type Hex,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeWallets, type SignedText, type Wallets } from "./index.ts";

const root = join(import.meta.dirname, "../../../../..");
const [deployer, owner, stranger, delegated] = devAccounts()
  .slice(0, 4)
  .map(({ privateKey }) => privateKeyToAccount(privateKey)) as [Account, Account, Account, Account];
type Account = ReturnType<typeof privateKeyToAccount>;

const sepolia = 11_155_111;
const elsewhere = 31_337;
const text = "Let me in.\nNonce: 1";
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const dir = makeTempDir("wallets");
const supervisor = makeSupervisor({ logDir: dir });
const servers: Server[] = [];
const urls: Record<number, string> = {};
let logged: string[] = [];
let wallets: Wallets;
let wallet: Hex;

async function startChain(chainId: number): Promise<void> {
  const [port = 0] = await freePorts(1);
  const child = supervisor.start({
    name: `anvil-${chainId}`,
    command: join(root, "node_modules/.bin/anvil"),
    args: ["--port", `${port}`, "--chain-id", `${chainId}`, "--hardfork", "prague", "--silent"],
    cwd: dir,
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntil("anvil answers", () => readChainId(url), { child });
  urls[chainId] = url;
}

/** Collects log lines with their fields. */
function aLog() {
  const keep = (message: string, fields = {}) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  return { debug: keep, info: keep, warn: keep, error: keep };
}

const makeFor = (urls: Record<number, string>, timeoutMs?: number): Wallets =>
  makeWallets({
    rpcUrls: Object.fromEntries(Object.entries(urls).map(([chainId, url]) => [chainId, [url]])),
    log: aLog(),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });

const clientOf = (chainId = sepolia) =>
  createWalletClient({ account: deployer, transport: http(urls[chainId]), pollingInterval: 20 }).extend(
    publicActions,
  );

async function readArtifact(file: string, name: string): Promise<{ abi: Abi; bytecode: { object: Hex } }> {
  const path = join(root, "contracts/out", `${file}.sol`, `${name}.json`);
  return JSON.parse(await readFile(path, "utf8")) as { abi: Abi; bytecode: { object: Hex } };
}

async function deploy(file: string, name: string, args: readonly unknown[] = []): Promise<Hex> {
  const { abi, bytecode } = await readArtifact(file, name);
  const client = clientOf();
  const hash = await client.deployContract({ abi, bytecode: bytecode.object, args, chain: null });
  const { contractAddress } = await receiptOf(clientOf(), hash);
  if (!contractAddress) throw new Error(`${name} was not deployed.`);
  return contractAddress;
}

const verify = async (changes: Partial<SignedText>, by: Wallets = wallets) => {
  const signature = await owner.signMessage({ message: text });
  return by.verifyText({ address: wallet, text, signature, chainId: sepolia, ...changes });
};

/** Listens on a loopback port until the test is over. */
async function listen(server: Server): Promise<string> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const listenHttp = (answer: RequestListener): Promise<string> => listen(createHttpServer(answer));

/**
 * Returns the promise's value unless it takes twice the limit. Twice, because timers of one process are late
 * together.
 */
const within = <T>(limitMs: number, promise: Promise<T>): Promise<T | "late"> =>
  Promise.race([promise, sleep(2 * limitMs, "late" as const, { ref: false })]);

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, "contracts/bin/forge.ts"), "build"]);
  await Promise.all([startChain(sepolia), startChain(elsewhere)]);
  wallets = makeFor(urls);
  wallet = await deploy("OwnerWallet", "OwnerWallet", [owner.address]);
});

afterEach(() => {
  logged = [];
  for (const server of servers.splice(0)) {
    server.close();
    if ("closeAllConnections" in server)
      (server as ReturnType<typeof createHttpServer>).closeAllConnections();
  }
});

afterAll(() => supervisor.stop());

describe("a contract wallet (ERC-1271)", () => {
  it("is accepted for its owner's signature, in any letter case of its address", async () => {
    expect(await verify({})).toBe("valid");
    expect(await verify({ address: `0x${wallet.slice(2).toUpperCase()}` })).toBe("valid");
  });

  it("is rejected for another signer's signature, and for another text", async () => {
    expect(await verify({ signature: await stranger.signMessage({ message: text }) })).toBe("invalid");
    expect(await verify({ text: `${text} ` })).toBe("invalid");
    expect(await verify({ signature: "0x" })).toBe("invalid");
  });

  it("is rejected on a chain where it does not exist, and on one without a node", async () => {
    expect(await verify({ chainId: elsewhere })).toBe("invalid");
    expect(await verify({ chainId: 1 })).toBe("invalid");
    expect(logged).toEqual([]);
  });

  it("is accepted for the typed data its owner signed, and for no other", async () => {
    const typedData = (count: bigint) =>
      ({
        domain: { name: "Shop" },
        types: { Order: [{ name: "count", type: "uint256" }] },
        primaryType: "Order",
        message: { count },
      }) as const;
    const signature = await owner.signTypedData(typedData(1n));
    const about = (count: bigint, chainId = sepolia) =>
      wallets.verifyTypedData({ address: wallet, typedData: typedData(count), signature, chainId });
    expect(await about(1n)).toBe("valid");
    expect(await about(2n)).toBe("invalid");
    expect(await about(1n, elsewhere)).toBe("invalid");
  });

  it("is not asked about a signature of more than 2 KB", async () => {
    const { url, requests } = await aCountingRpc();
    const asked = makeFor({ [sepolia]: url });
    expect(await verify({ signature: `0x${"ab".repeat(2049)}` }, asked)).toBe("invalid");
    expect(requests()).toEqual([]);
    expect(await verify({ signature: `0x${"ab".repeat(2048)}` }, asked)).toBe("invalid");
    expect(requests()).toEqual(["eth_chainId", "eth_call"]);
  });

  it("is asked after the chain id was read once", async () => {
    const { url, requests } = await aCountingRpc();
    const asked = makeFor({ [sepolia]: url });
    expect(await verify({}, asked)).toBe("valid");
    expect(await verify({}, asked)).toBe("valid");
    expect(requests()).toEqual(["eth_chainId", "eth_call", "eth_call"]);
  });

  it.each([
    ["burns all gas", "BurningWallet"],
    ["stops at an invalid opcode", "InvalidOpcodeWallet"],
    ["reverts", "RevertingWallet"],
    ["says yes in 4 bytes", "ShortWallet"],
    ["returns true to every call", "AgreeableContract"],
  ])("is rejected if it %s", async (_what, name) => {
    expect(await verify({ address: await deploy("BadWallets", name) })).toBe("invalid");
    expect(logged).toEqual([]);
  });

  // Its input begins with the same four bytes that mean yes.
  it("is not the precompile that returns its input", async () => {
    expect(await verify({ address: `0x${"4".padStart(40, "0")}` })).toBe("invalid");
  });

  it("gets no more than 256 KB of answer read", async () => {
    expect(await verify({ address: await deploy("BadWallets", "BombWallet") })).toBe("unavailable");
  });

  // EIP-3668, which viem follows by default: a wallet could direct us to any address inside our own network.
  it("cannot make us fetch a URL that it names", async () => {
    let visits = 0;
    const trap = await listenHttp((_request, response) => {
      visits++;
      response.end(JSON.stringify({ data: "0x" }));
    });
    expect(await verify({ address: await deploy("BadWallets", "LookupWallet", [`${trap}/{sender}`]) })).toBe(
      "invalid",
    );
    expect(visits).toBe(0);
  });
});

describe("a plain wallet on a chain with a node", () => {
  it("is rejected for other forms of a signature", async () => {
    const signature = await owner.signMessage({ message: text });
    const isOdd = signature.endsWith("1c");
    const s = BigInt(`0x${signature.slice(66, 130)}`);
    const twin = `${signature.slice(0, 66)}${(order - s).toString(16)}${isOdd ? "1b" : "1c"}`;
    const compact = `${signature.slice(0, 66)}${(s | (isOdd ? 1n << 255n : 0n)).toString(16).padStart(64, "0")}`;
    // Shows that the twin is mathematically valid: viem accepts it.
    const asked = { address: owner.address, message: text, signature: twin as Hex };
    expect(await clientOf().verifyMessage(asked)).toBe(true);
    expect(await verify({ address: owner.address, signature: twin })).toBe("invalid");
    expect(await verify({ address: owner.address, signature: compact })).toBe("invalid");
  });

  it("is accepted for its own key when it is delegated to code (EIP-7702), and for what the code accepts", async () => {
    const client = clientOf();
    const authorization = await createWalletClient({
      account: delegated,
      transport: http(urls[sepolia]),
    }).signAuthorization({ contractAddress: wallet });
    const hash = await client.sendTransaction({
      to: deployer.address,
      authorizationList: [authorization],
      chain: null,
    });
    await receiptOf(clientOf(), hash);
    expect(await client.getCode({ address: delegated.address })).toBe(
      `0xef0100${wallet.slice(2).toLowerCase()}`,
    );
    const own = await delegated.signMessage({ message: text });
    const { address } = delegated;
    expect(await verify({ address, signature: own })).toBe("valid");
    expect(await verify({ address })).toBe("valid");
    expect(await verify({ address, signature: await stranger.signMessage({ message: text }) })).toBe(
      "invalid",
    );
  });
});

describe("a wallet that is not deployed yet (ERC-6492)", () => {
  it("is accepted for its owner's signature, before and after it is deployed", async () => {
    const { address, wrap, deployIt } = await aCounterfactualWallet();
    const owners = await owner.signMessage({ message: text });
    const strangers = await stranger.signMessage({ message: text });
    expect(await verify({ address, signature: wrap(owners) })).toBe("valid");
    expect(await verify({ address, signature: wrap(strangers) })).toBe("invalid");
    expect(await verify({ address, signature: wrap(owners), chainId: elsewhere })).toBe("invalid");
    expect(await verify({ address: stranger.address, signature: wrap(owners) })).toBe("invalid");
    expect(await clientOf().getCode({ address })).toBeUndefined();

    await deployIt();
    expect(await verify({ address, signature: wrap(owners) })).toBe("valid");
    expect(await verify({ address, signature: wrap(strangers) })).toBe("invalid");
    expect(await verify({ address, signature: owners })).toBe("valid");
  });

  // A plain wallet has no code either, and the wrapper must not accept its other signature forms.
  it("is not a plain wallet", async () => {
    const { wrap } = await aCounterfactualWallet();
    const signature = wrap(await owner.signMessage({ message: text }));
    expect(await verify({ address: owner.address, signature })).toBe("invalid");
  });

  // ERC-6492 lets the sender make any call before the check; here it would turn a no into a yes.
  it("is not a deployed one: nothing is called on it first", async () => {
    const address = await deploy("BadWallets", "LooseWallet");
    const { abi } = await readArtifact("BadWallets", "LooseWallet");
    const data = encodeFunctionData({ abi, functionName: "loosen" });
    const signature = serializeErc6492Signature({ address, data, signature: "0x00" });
    expect(await clientOf().verifyMessage({ address, message: text, signature })).toBe(true);
    expect(await verify({ address, signature })).toBe("invalid");
  });

  it("is not asked about a wrapper that is malformed or greater than 8 KB", async () => {
    const mark = "6492".repeat(16);
    expect(await verify({ signature: `0x${mark}` })).toBe("invalid");
    expect(await verify({ signature: `0x${"ff".repeat(200)}${mark}` })).toBe("invalid");
    const { url, requests } = await aCountingRpc();
    const large = `0x${"00".repeat(8192 - 32 + 1)}${mark}`;
    expect(await verify({ signature: large }, makeFor({ [sepolia]: url }))).toBe("invalid");
    expect(requests()).toEqual([]);
  });
});

describe("an unavailable chain", () => {
  const limitMs = 500;

  it("is reported in time, with one connection, if it accepts connections and never answers", async () => {
    let connections = 0;
    const url = await listen(
      createServer((socket) => {
        connections++;
        socket.on("error", () => socket.destroy()).resume();
      }),
    );
    expect(await within(limitMs, verify({}, makeFor({ [sepolia]: url }, limitMs)))).toBe("unavailable");
    expect(connections).toBe(1);
    expect(logged).toHaveLength(1);
  });

  it("is reported in time if it stops in the middle of its answer", async () => {
    const url = await listenHttp((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write('{"jsonrpc":');
    });
    expect(await within(limitMs, verify({}, makeFor({ [sepolia]: url }, limitMs)))).toBe("unavailable");
  });

  it("is reported if each answer is in time, but all together are not", async () => {
    const longMs = 3 * limitMs;
    const { url, requests } = await aCountingRpc(0.6 * longMs);
    expect(await within(longMs, verify({}, makeFor({ [sepolia]: url }, longMs)))).toBe("unavailable");
    expect(requests()).toEqual(["eth_chainId", "eth_call"]);
  });

  it("is reported if it is down, without its URL in the log", async () => {
    const [port = 0] = await freePorts(1);
    const url = `http://127.0.0.1:${port}/v3/access-key`;
    expect(await verify({}, makeFor({ [sepolia]: url }))).toBe("unavailable");
    expect(logged).toEqual([
      `Chain ${sepolia} did not answer about a wallet. {"reason":"HTTP request failed."}`,
    ]);
  });

  it.each([
    ["a status of 500", 500, "oops"],
    ["a status of 429", 429, "slow down"],
    ["no JSON", 200, "<html>"],
    ["null", 200, "null"],
    ["no result", 200, "{}"],
    ["an internal error", 200, '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal"}}'],
    ["a limit", 200, '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"limit exceeded"}}'],
  ])("is reported, and asked once, if it answers %s", async (_what, status, body) => {
    let requests = 0;
    const url = await listenHttp((_request, response) => {
      requests++;
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
    expect(await verify({}, makeFor({ [sepolia]: url }))).toBe("unavailable");
    expect(requests).toBe(1);
    // The same when it fails later, at the call itself.
    const later = await aCountingRpc(0, { status, body });
    expect(await verify({}, makeFor({ [sepolia]: later.url }))).toBe("unavailable");
    expect(later.requests()).toEqual(["eth_chainId", "eth_call"]);
  });

  it("is reported if it is another chain than configured, and logged", async () => {
    const crossed = makeFor({ [sepolia]: urls[elsewhere] ?? "", 1: urls[sepolia] ?? "" });
    expect(await verify({}, crossed)).toBe("unavailable");
    expect(await verify({ chainId: 1 }, crossed)).toBe("unavailable");
    expect(logged).toEqual([
      `The RPC configured for chain ${sepolia} serves another chain. {}`,
      "The RPC configured for chain 1 serves another chain. {}",
    ]);
  });

  it("is not asked about a plain wallet", async () => {
    const [port = 0] = await freePorts(1);
    const away = makeFor({ [sepolia]: `http://127.0.0.1:${port}` });
    expect(await verify({ address: owner.address }, away)).toBe("valid");
    expect(logged).toEqual([]);
  });
});

/** Forwards everything to the chain and records the requests. Can be slow, or change the answer to eth_call. */
async function aCountingRpc(
  delayMs = 0,
  spoiled?: { readonly status: number; readonly body: string },
): Promise<{ url: string; requests: () => readonly string[] }> {
  const seen: string[] = [];
  const answer: RequestListener = (request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray()).toString("utf8");
      const { method } = JSON.parse(body) as { method: string };
      seen.push(method);
      await sleep(delayMs);
      response.setHeader("content-type", "application/json");
      if (spoiled && method === "eth_call") return response.writeHead(spoiled.status).end(spoiled.body);
      const headers = { "content-type": "application/json" };
      const real = await fetch(urls[sepolia] ?? "", { method: "POST", headers, body });
      return response.end(await real.text());
      // A delayed request may come after the test, when the chain is gone.
    })().catch(() => response.destroy());
  };
  return { url: await listenHttp(answer), requests: () => seen };
}

async function aCounterfactualWallet() {
  const factory = await deploy("OwnerWallet", "OwnerWalletFactory");
  const { abi } = await readArtifact("OwnerWallet", "OwnerWalletFactory");
  const args = [owner.address, zeroHash];
  const data = encodeFunctionData({ abi, functionName: "deploy", args });
  const { result } = await clientOf().simulateContract({
    address: factory,
    abi,
    functionName: "deploy",
    args,
  });
  return {
    address: result as Hex,
    wrap: (signature: Hex): Hex => serializeErc6492Signature({ address: factory, data, signature }),
    deployIt: async () => {
      const hash = await clientOf().sendTransaction({ to: factory, data, chain: null });
      await receiptOf(clientOf(), hash);
    },
  };
}
