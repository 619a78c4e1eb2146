// Every method of a viem wallet is attempted on a service that rejects. A new one fails here until it is known what it does.
import { createWalletClient, custom } from "viem";
import { describe, expect, test } from "vitest";
import { account, recordingNode, scripted } from "../../test/viem/scripted.ts";
import { guard } from "./index.ts";

const to = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const payment = { to, value: 1n } as const;
const write = {
  ...{ address: to, functionName: "transfer", args: [to, 1n] },
  abi: [
    {
      ...{ type: "function", name: "transfer", stateMutability: "nonpayable" },
      inputs: [
        { name: "to", type: "address" },
        { name: "value", type: "uint256" },
      ],
      outputs: [],
    },
  ],
};
const typedData = {
  ...{ domain: {}, types: { Note: [{ name: "text", type: "string" }] } },
  ...{ primaryType: "Note", message: { text: "hello" } },
};

/** The arguments of the methods that sign, send or change the wallet. */
const attempts: Readonly<Record<string, object>> = {
  sendTransaction: payment,
  sendTransactionSync: payment,
  sendCalls: { calls: [payment] },
  sendCallsSync: { calls: [payment] },
  sendRawTransaction: { serializedTransaction: "0x02c0" },
  sendRawTransactionSync: { serializedTransaction: "0x02c0" },
  writeContract: write,
  writeContractSync: write,
  deployContract: { abi: [], bytecode: "0x00" },
  signMessage: { message: "hello" },
  signTransaction: { ...payment, type: "eip1559", gas: 21_000n, nonce: 0, maxFeePerGas: 1n },
  signTypedData: typedData,
  signAuthorization: { contractAddress: to, chainId: 1, nonce: 0 },
  addChain: { chain: { id: 1, name: "x", nativeCurrency: {}, rpcUrls: { default: { http: [] } } } },
  switchChain: { id: 1 },
  requestPermissions: { eth_accounts: {} },
  watchAsset: { type: "ERC20", options: { address: to, decimals: 18, symbol: "X" } },
  showCallsStatus: { id: "0x00" },
  request: { method: "eth_sign", params: [account.address, "0x00"] },
};

/** These read, prepare or wait. `extend` adds methods that use the guarded `request`. */
const others = [
  ...["extend", "fillTransaction", "getAddresses", "getCallsStatus", "getCapabilities", "getChainId"],
  ...["getPermissions", "prepareAuthorization", "prepareTransactionRequest", "requestAddresses"],
  "waitForCallsStatus",
];

const methodsOf = (wallet: object): readonly string[] =>
  Object.entries(wallet).flatMap(([name, member]) => (typeof member === "function" ? [name] : []));

const kinds = [
  ["a wallet with its key here", account],
  ["a wallet that holds the key", account.address],
] as const;

describe.each(kinds)("%s", (_, of) => {
  test.each(Object.entries(attempts))("%s signs and sends nothing", async (name, given) => {
    const node = recordingNode();
    const { countersign } = scripted({ decide: () => ({ status: "REJECTED" }) });
    const wallet = guard(node.wallet(of), { countersign, words: "Send 2 ETH" }) as unknown as Readonly<
      Record<string, (given: object) => Promise<unknown>>
    >;
    // A refusal before anything happens may also be thrown at once.
    await expect((async () => wallet[name]?.(given))()).rejects.toThrow();
    expect(node.methods().filter((method) => /send|sign|wallet_/i.test(method))).toEqual([]);
    expect(node.sent()).toEqual([]);
  });
});

test("every method of a wallet is known", () => {
  const bare = createWalletClient({ account, transport: custom({ request: async () => undefined }) });
  expect([...methodsOf(bare)].sort()).toEqual([...Object.keys(attempts), ...others].sort());
  const guarded = guard(recordingNode().wallet(), { countersign: scripted().countersign, words: "" });
  expect(methodsOf(guarded).filter((name) => !methodsOf(bare).includes(name))).toEqual([]);
});
