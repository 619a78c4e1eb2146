// The proxy between a host and a server that are both of the test, with a real key and a node that records what reaches it.
import { keccak256, parseEther, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { makeWallet } from "../../../packages/sdk/test/eip1193/wallet.ts";
import { scripted, type Script } from "../../../packages/sdk/test/viem/scripted.ts";
import { guardMessages } from "../src/mcp-proxy/guard-messages.ts";
import type { Message } from "../src/mcp-proxy/message.ts";
import type { Tools } from "../src/mcp-proxy/server-file.ts";
import type { TurnOptions } from "../src/mcp-proxy/take-turns.ts";

export const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
export const words = `Send 0.01 ETH to ${alice}`;
const account = privateKeyToAccount(generatePrivateKey());

export type Server = {
  /** Does what a call asks for. It may send by `rpc`. */
  readonly call?: (message: Message, rpc: Rpc) => Promise<Message>;
  readonly tools?: readonly Message[];
};
type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

type Setting = {
  readonly script?: Script;
  readonly server?: Server;
  readonly tools?: Tools;
  readonly options?: Partial<TurnOptions>;
};

export const aTool = (name: string, more: object = {}): Message => ({
  ...{ name, description: `Does ${name}.`, inputSchema: { type: "object", properties: { to: {} } } },
  ...more,
});

/** Signs a transaction as a server does. */
export const sign = (over: object = {}): Promise<Hex> =>
  account.signTransaction({
    ...{ type: "eip1559", chainId: 11_155_111, to: alice, value: parseEther("0.01"), nonce: 7, gas: 21_000n },
    ...{ maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 1n, ...over },
  } as never);

/** A server that sends one transaction for each call, and returns its hash. */
export const sending: Server = {
  call: async (_, rpc) => text(String(await rpc("eth_sendRawTransaction", [await sign()]))),
};

export const text = (said: string, isError = false): Message => ({
  content: [{ type: "text", text: said }],
  ...(isError ? { isError } : {}),
});

export function aProxy({ script = {}, server = sending, tools, options = {} }: Setting = {}) {
  let nonce = 7;
  const node = makeWallet(
    {
      eth_getTransactionCount: () => `0x${nonce.toString(16)}`,
      eth_sendRawTransaction: (raw: Hex) => (nonce++, keccak256(raw)),
    },
    account,
  );
  const { countersign, proposals } = scripted({ proposed: { reviewUrl: "https://c.test/0xab" }, ...script });
  const toHost: Message[] = [];
  const toServer: Message[] = [];
  const notices: string[] = [];
  const proxy = guardMessages(
    tools ?? { transfer: "sends", look: "passes", deploy: "refused" },
    { node: node.provider, countersign, ...options },
    {
      toHost: (message) => toHost.push(message),
      toServer: (message) => {
        toServer.push(message);
        void answer(message);
      },
      notice: (said) => notices.push(said),
    },
  );
  const rpc: Rpc = (method, params) => proxy.request({ method, params });
  const answer = async (message: Message): Promise<void> => {
    const { id, method } = message;
    if (id === undefined || method === undefined) return;
    const result =
      method === "tools/list"
        ? { tools: server.tools ?? [aTool("transfer"), aTool("look"), aTool("deploy"), aTool("sweep")] }
        : await server.call?.(message, rpc).catch((error: unknown) => text(String(error), true));
    if (result !== undefined) proxy.fromServer({ jsonrpc: "2.0", id, result });
  };
  let lastId = 0;
  /** Calls a tool as a host does, and returns its id. */
  const call = (name: string, given: object = {}, more: object = {}): number => {
    const params = { name, arguments: { to: alice, ...given }, ...more };
    proxy.fromHost({ jsonrpc: "2.0", id: ++lastId, method: "tools/call", params });
    return lastId;
  };
  const answerTo = (id: number): Message | undefined => toHost.find((message) => message["id"] === id);
  const sent = () =>
    node.asked.filter(({ method }) => method === "eth_sendRawTransaction").map(({ params }) => params?.[0]);
  return { proxy, rpc, call, answerTo, toHost, toServer, notices, proposals, sent, node };
}

/** The text of a tool's result. */
export const saidIn = (message: Message | undefined): string => JSON.stringify(message?.["result"]);
