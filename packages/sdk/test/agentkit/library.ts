// The real AgentKit, which only an example installs, and a provider of it that records every use of its key.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { LocalAccount, PublicClient } from "viem";
import { sepolia } from "viem/chains";
import { mayDoWithout } from "../../../../tools/testing/own-packages.ts";
import type { EvmWallet } from "../../src/agentkit/index.ts";
import type { Hex } from "../../src/types.ts";
import { account, recordingNode } from "../viem/scripted.ts";

const folder = "examples/guard-agentkit";
export const isSkipped = mayDoWithout(folder, "guarded wallet providers of the real AgentKit are");

/** The members that tests use. Its types are not installed with ours. */
export type Provider = Omit<EvmWallet, "getPublicClient" | "sendTransaction"> & {
  readonly sign: (hash: Hex) => Promise<Hex>;
  readonly signMessage: (message: string | Uint8Array) => Promise<Hex>;
  readonly signTransaction: (transaction: object) => Promise<Hex>;
  readonly sendTransaction: (transaction: object) => Promise<Hex>;
  readonly nativeTransfer: (to: string, value: string) => Promise<string>;
  readonly getPublicClient: () => PublicClient;
  readonly toSigner: () => LocalAccount;
};
type Action = { readonly name: string; readonly invoke: (args: object) => Promise<string> };
export type Library = {
  readonly EvmWalletProvider: abstract new () => Provider;
  readonly ViemWalletProvider: new (client: unknown, options: { readonly rpcUrl: string }) => Provider;
  readonly AgentKit: {
    readonly from: (options: object) => Promise<{ readonly getActions: () => readonly Action[] }>;
  };
  readonly walletActionProvider: () => unknown;
  readonly erc20ActionProvider: () => unknown;
};

const root = join(import.meta.dirname, "../../../..", folder);
const requireThere = createRequire(join(root, "package.json"));

/** Loads the library. It reports usage to Coinbase, and does not catch the errors of that. */
export function loadAgentKit(): Library {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) =>
    input === "https://cca-lite.coinbase.com/amp" ? new Response() : fetch(input, init);
  return requireThere("@coinbase/agentkit") as Library;
}

/** The abstract methods of a base class, which have no trace at run time. */
export const abstractMethodsOf = (file: string): string[] => {
  const path = join(root, "node_modules/@coinbase/agentkit/dist/wallet-providers", file);
  return [...readFileSync(path, "utf8").matchAll(/^ {4}abstract (\w+)[(<]/gm)].map(([, name = ""]) => name);
};

const signing = ["sign", "signMessage", "signTypedData", "signTransaction", "sendTransaction"] as const;

/** A provider on a recorded node, in which every use of the key is written down. */
export async function makeProvider({ ViemWalletProvider }: Library, name = "viem_wallet_provider") {
  const viem = requireThere("viem") as typeof import("viem");
  const node = recordingNode({
    eth_feeHistory: { baseFeePerGas: ["0x1", "0x1"], gasUsedRatio: [0], oldestBlock: "0x1", reward: [] },
    eth_getTransactionReceipt: { status: "0x1", transactionHash: `0x${"cd".repeat(32)}`, logs: [] },
    eth_blockNumber: "0x1",
  });
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as { id: number; method: string };
      const answer = await node.request(asked).then(
        (result) => ({ result }),
        (error: unknown) => ({ error: { code: -32_000, message: String(error) } }),
      );
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id: asked.id, ...answer }));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = viem.createWalletClient({
    account,
    chain: sepolia,
    transport: viem.http(rpcUrl, { retryCount: 0 }),
  });
  const did: string[] = [];
  const bare = new ViemWalletProvider(client, { rpcUrl });
  const recorded = signing.map((method) => {
    const original = bare[method].bind(bare) as (given: unknown) => Promise<Hex>;
    const record = (given: unknown): Promise<Hex> => {
      did.push(method);
      return original(given);
    };
    return [method, record] as const;
  });
  Object.assign(bare, Object.fromEntries(recorded), { getName: () => name });
  return { bare, did, node, stop: () => new Promise((resolve) => server.close(resolve)) };
}
