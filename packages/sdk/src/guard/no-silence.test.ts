// No guard waits in silence: each one names the page, once, reports progress, waits as long as the account's mode needs, and says what
// to do when the time is up.
import { BrowserProvider, Wallet } from "ethers";
import { keccak256, zeroAddress, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";
import { afterEach, describe, expect, test, vi } from "vitest";
import { makeWallet } from "../../test/eip1193/wallet.ts";
import { payee, payment } from "../../test/payment.ts";
import { recordingNode, scripted } from "../../test/viem/scripted.ts";
import { guardWalletProvider, type EvmWallet } from "../agentkit/index.ts";
import { walletTools as aiTools } from "../ai/index.ts";
import { guardProvider } from "../eip1193/index.ts";
import { WaitTimeoutError } from "../errors.ts";
import { guardSigner } from "../ethers/index.ts";
import { walletTools as langchainTools } from "../langchain/index.ts";
import { guardRpc } from "../rpc/index.ts";
import { guardSafe, type ProtocolKit } from "../safe/index.ts";
import { guard, type GuardOptions } from "../viem/index.ts";
import { guardPayments } from "../x402/index.ts";

type Act = (options: GuardOptions) => Promise<unknown>;

const key = generatePrivateKey();
const account = privateKeyToAccount(key);
const { address } = account;
const call = { to: payee, value: 1n } as const;
const send = { from: address, to: payee, value: "0x1" } as const;
const batch = {
  ...{ version: "2.0.0", chainId: "0xaa36a7", from: address, atomicRequired: true },
  calls: [{ to: payee, value: "0x1" }],
};
const known = {
  ...{ type: "0x2", chainId: "0xaa36a7", nonce: "0x7", gas: "0x5208", accessList: [] },
  ...{ from: address, to: payee, value: "0x1", input: "0x", blockHash: null, blockNumber: null },
  ...{ maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x1", gasPrice: "0x1", transactionIndex: null },
  ...{ v: "0x0", r: `0x${"11".repeat(32)}`, s: `0x${"11".repeat(32)}` },
};
const wallet = () =>
  makeWallet(
    {
      eth_sendRawTransaction: (raw: Hex) => keccak256(raw),
      eth_getTransactionByHash: (hash: string) => ({ ...known, hash }),
      wallet_sendCalls: { id: "0x0b" },
    },
    account,
  ).provider;
const inTwoMinutes = () => BigInt(Math.floor(Date.now() / 1000) + 120);
const paying = () => ({
  ...payment,
  message: { ...payment.message, from: address, validBefore: inTwoMinutes() },
});

/** A kit whose owner confirms a transaction of the Safe with nonce 0. */
const signSafe: Act = async (options) => {
  const safe = `0x${"5a".repeat(20)}` as const;
  const node = recordingNode({ eth_call: `0x${"00".repeat(32)}` });
  let provider: { request: (asked: object) => Promise<unknown> } | undefined;
  const kit: ProtocolKit = {
    getAddress: async () => safe,
    isSafeDeployed: async () => true,
    getSafeProvider: () => ({
      getExternalSigner: async () => node.wallet(account),
      isPasskeySigner: async () => false,
    }),
    connect: async (config: never) => (provider = (config as { provider: typeof provider }).provider),
  };
  await guardSafe(kit, options as never);
  const message = {
    ...{ to: payee, value: "1", data: "0x", operation: 0, safeTxGas: 0, baseGas: 0, gasPrice: 0 },
    ...{ gasToken: zeroAddress, refundReceiver: zeroAddress, nonce: 0 },
  };
  const kinds: Readonly<Record<string, string>> = { data: "bytes", operation: "uint8" };
  const SafeTx = Object.entries(message).map(([name, value]) => ({
    name,
    type: kinds[name] ?? (String(value).startsWith("0x") ? "address" : "uint256"),
  }));
  const typedData = {
    ...{ domain: { chainId: sepolia.id, verifyingContract: safe }, types: { SafeTx }, primaryType: "SafeTx" },
    message,
  };
  return provider?.request({ method: "eth_signTypedData_v4", params: [address, JSON.stringify(typedData)] });
};

/** A class as AgentKit's EvmWalletProvider, which is tested with the real one in agentkit/. */
abstract class EvmWalletProvider {
  readonly getAddress = (): string => address;
  readonly getName = (): string => "viem_wallet_provider";
  readonly getNetwork = () => ({ protocolFamily: "evm", chainId: "11155111" });
  readonly getBalance = async (): Promise<bigint> => 0n;
  readonly readContract = async (): Promise<unknown> => undefined;
  readonly waitForTransactionReceipt = async (): Promise<unknown> => undefined;
  readonly signTypedData = (): Promise<Hex> => Promise.reject(new Error("not used"));
  readonly sendTransaction = async (): Promise<Hex> => keccak256("0x");
  readonly getPublicClient = (): ReturnType<EvmWallet["getPublicClient"]> => recordingNode().wallet();
}
class Provider extends EvmWalletProvider {}

const bare = () => recordingNode().wallet(account);
const toolCall = { to: payee, value: "1" };
const guards: readonly (readonly [string, Act])[] = [
  ["viem, a transaction", (options) => guard(bare(), options).sendTransaction(call)],
  ["viem, typed data", (options) => guard(bare(), options).signTypedData(paying())],
  [
    "a batch",
    (options) => guardProvider(wallet(), options).request({ method: "wallet_sendCalls", params: [batch] }),
  ],
  [
    "EIP-1193",
    (options) => guardProvider(wallet(), options).request({ method: "eth_sendTransaction", params: [send] }),
  ],
  [
    "ethers",
    (options) => guardSigner(new Wallet(key, new BrowserProvider(wallet())), options).sendTransaction(call),
  ],
  [
    "x402",
    ({ words, ...options }) =>
      guardPayments(account, {
        ...{ ...options, words: words as string, networks: ["eip155:11155111"] },
      }).signTypedData(paying()),
  ],
  ["Safe", signSafe],
  [
    "AgentKit",
    (options) =>
      guardWalletProvider<EvmWallet>(EvmWalletProvider, new Provider(), options).sendTransaction({
        ...call,
        data: "0x",
      }),
  ],
  [
    "the AI SDK",
    async (options): Promise<unknown> =>
      aiTools(bare(), options)["send_transaction"]?.execute?.(toolCall, {} as never) as Promise<unknown>,
  ],
  [
    "LangChain",
    async (options): Promise<unknown> =>
      langchainTools(bare(), options)[0]?.invoke(toolCall) as Promise<unknown>,
  ],
  [
    "RPC",
    async (options) =>
      guardRpc(wallet(), options).request({
        method: "eth_sendRawTransaction",
        params: [
          await account.signTransaction({
            ...{ ...call, chainId: sepolia.id, type: "eip1559", nonce: 7, gas: 21_000n },
            ...{ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
          }),
        ],
      }),
  ],
];

const reviewUrl = "https://countersign.test/transactions/0xab";

function make(proposed: object = {}) {
  const { countersign } = scripted({ proposed: { reviewUrl, ...proposed } });
  const waits: { readonly timeoutMs?: number; readonly onProgress?: unknown }[] = [];
  const waitForStatus: typeof countersign.waitForStatus = (hash, statuses, options = {}) => {
    waits.push(options);
    return countersign.waitForStatus(hash, statuses, options);
  };
  return { options: { countersign: { ...countersign, waitForStatus }, words: "Send it" }, waits };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(guards)("%s", (name, act) => {
  test("prints one line with the page where the owner decides", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
    await act(make().options);
    expect(warn.mock.calls).toEqual([[`Countersign: waiting for approval. Review it at ${reviewUrl}`]]);
  });

  test("calls onReview instead, and reports progress", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
    const [onReview, onProgress] = [vi.fn(), vi.fn()];
    const { options, waits } = make();
    await act({ ...options, onReview, onProgress });
    expect([onReview.mock.calls, warn.mock.calls]).toEqual([[[reviewUrl]], []]);
    expect(waits[0]?.onProgress).toBe(onProgress);
  });

  test("waits an hour if the owner approves each transaction, else ten minutes", async () => {
    vi.spyOn(console, "warn").mockReturnValue(undefined);
    const [inPerson, alone] = [make({ execution: 1 }), make({ execution: 2 })];
    await act(inPerson.options);
    await act(alone.options);
    const waited = [...inPerson.waits, ...alone.waits].map(({ timeoutMs }) => timeoutMs ?? 600_000);
    // A payment is of no use after it has expired.
    if (name === "x402") for (const timeoutMs of waited) expect(timeoutMs).toBeLessThanOrEqual(120_000);
    else expect(waited).toEqual([3_600_000, 600_000]);
  });

  test("says what to do when the time is up", async () => {
    vi.spyOn(console, "warn").mockReturnValue(undefined);
    const { options } = make();
    const waitForStatus = () => Promise.reject(new WaitTimeoutError("0xab is still AWAITING after 600 s"));
    const error: unknown = await act({
      ...options,
      countersign: { ...options.countersign, waitForStatus },
    }).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/Not (sent|signed): 0xab is still AWAITING after 600 s/);
    expect(String(error)).toContain(`It stays open at ${reviewUrl}, but approving it now has no effect.`);
    expect(String(error)).toContain("Try again with a longer timeoutMs");
  });
});

test("an x402 payment that expired says how to pay without a person", async () => {
  vi.spyOn(console, "warn").mockReturnValue(undefined);
  const { options } = make();
  const message = { ...paying().message, validBefore: BigInt(Math.floor(Date.now() / 1000) + 1) };
  const waitForStatus = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    throw new WaitTimeoutError("0xab is still AWAITING after 1 s");
  };
  const signer = guardPayments(account, {
    ...{ ...options, countersign: { ...options.countersign, waitForStatus }, networks: ["eip155:11155111"] },
  });
  await expect(signer.signTypedData({ ...paying(), message })).rejects.toThrow(
    "expired before it was approved. For payments that no person has to approve, ask the owner for execution type 2",
  );
});

test("a transaction that the custodian has not sent in time may still be sent, and says so", async () => {
  vi.spyOn(console, "warn").mockReturnValue(undefined);
  const { countersign } = scripted({ proposed: { reviewUrl }, decide: () => ({ executor: "service" }) });
  const waitForStatus: typeof countersign.waitForStatus = (hash, statuses) =>
    statuses[0] === "EXECUTED"
      ? Promise.reject(new WaitTimeoutError("0xab is still EXECUTING after 600 s"))
      : countersign.waitForStatus(hash, statuses);
  const guarded = guard(bare(), { countersign: { ...countersign, waitForStatus }, words: "Send it" });
  await expect(guarded.sendTransaction(call)).rejects.toThrow("the owner's custodian may still send it");
});
