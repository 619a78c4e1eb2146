// Guarded providers under the libraries that apps use. Every action that signs is attempted.
import { createWalletClient, custom, parseEther, publicActions } from "viem";
import { mainnet, sepolia } from "viem/chains";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createConfig, injected } from "wagmi";
import * as wagmi from "wagmi/actions";
import { account, recordingNode, scripted, transactionHash } from "../../test/viem/scripted.ts";
import { makeWallet } from "../../test/eip1193/wallet.ts";
import { payee, payment } from "../../test/payment.ts";
import { findNotApproved, guardProvider } from "./index.ts";

const words = `Send 0.01 ETH to ${payee}`;
const value = parseEther("0.01");

function make() {
  const wallet = makeWallet({ wallet_sendCalls: { id: "0x0b", capabilities: {} } });
  const { countersign, proposals } = scripted();
  return { wallet, proposals, provider: guardProvider(wallet.provider, { countersign, words }) };
}

describe("viem", () => {
  const clientOf = (provider: ReturnType<typeof make>["provider"]) =>
    createWalletClient({ account: account.address, chain: sepolia, transport: custom(provider) }).extend(
      publicActions,
    );
  type Client = ReturnType<typeof clientOf>;

  test("sends and signs what is approved, and reads", async () => {
    const { provider, wallet } = make();
    const client = clientOf(provider);
    expect(await client.requestAddresses()).toEqual([account.address]);
    expect(await client.sendTransaction({ to: payee, value })).toBe(transactionHash);
    expect(await client.signTypedData(payment)).toMatch(/^0x/);
    expect(await client.sendCalls({ calls: [{ to: payee, value }], forceAtomic: true })).toEqual({
      id: "0x0b",
    });
    expect(await client.getBalance({ address: payee })).toBe(100n);
    expect(wallet.did()).toEqual(["eth_sendTransaction", "eth_signTypedData_v4", "wallet_sendCalls"]);
  });

  const others: [string, (client: Client) => Promise<unknown>][] = [
    ["signMessage of bytes", (client) => client.signMessage({ message: { raw: `0x${"ff".repeat(32)}` } })],
    [
      "signTransaction",
      (client) => client.signTransaction({ to: payee, value, gas: 1n, type: "eip1559" } as never),
    ],
    ["sendRawTransaction", (client) => client.sendRawTransaction({ serializedTransaction: "0x02c0" })],
    [
      "sendRawTransactionSync",
      (client) => client.sendRawTransactionSync({ serializedTransaction: "0x02c0" }),
    ],
    ["deployContract", (client) => client.deployContract({ abi: [], bytecode: "0x00" })],
    ["addChain", (client) => client.addChain({ chain: mainnet })],
    ["switchChain", (client) => client.switchChain({ id: 1 })],
    ["requestPermissions", (client) => client.requestPermissions({ eth_accounts: {} })],
    [
      "watchAsset",
      (client) =>
        client.watchAsset({ type: "ERC20", options: { address: payee, decimals: 6, symbol: "USDC" } }),
    ],
  ];
  test.each(others)("%s signs nothing", async (_, attempt) => {
    const { provider, wallet, proposals } = make();
    const error: unknown = await attempt(clientOf(provider)).catch((thrown: unknown) => thrown);
    expect(findNotApproved(error)?.message, String(error)).toMatch(/is not allowed|Not sent|Not signed/);
    expect([wallet.did(), proposals]).toEqual([[], []]);
  });

  test("signAuthorization signs nothing", async () => {
    const { provider, wallet } = make();
    await expect(clientOf(provider).signAuthorization({ contractAddress: payee } as never)).rejects.toThrow();
    expect(wallet.did()).toEqual([]);
  });
});

describe("wagmi", () => {
  // Its connector looks for a page before it uses the provider it is given.
  beforeEach(() => vi.stubGlobal("window", {}));
  afterEach(() => vi.unstubAllGlobals());

  async function connected() {
    const made = make();
    const connector = injected({
      target: { id: "guarded", name: "Guarded", provider: () => made.provider },
    });
    const config = createConfig({
      chains: [sepolia, mainnet],
      connectors: [connector],
      ...{ multiInjectedProviderDiscovery: false, storage: null },
      transports: {
        [sepolia.id]: custom({ request: recordingNode().request }),
        [mainnet.id]: custom({ request: recordingNode().request }),
      },
    });
    const [first] = config.connectors;
    await wagmi.connect(config, { connector: first });
    return { ...made, config };
  }

  test("connects, sends and signs what is approved", async () => {
    const { config, wallet } = await connected();
    expect(wagmi.getConnection(config).address).toBe(account.address);
    expect(await wagmi.sendTransaction(config, { to: payee, value })).toBe(transactionHash);
    expect(await wagmi.signTypedData(config, payment)).toMatch(/^0x/);
    expect(await wagmi.sendCalls(config, { calls: [{ to: payee, value }] })).toEqual({ id: "0x0b" });
    expect(wallet.did()).toEqual(["eth_sendTransaction", "eth_signTypedData_v4", "wallet_sendCalls"]);
  });

  type Config = Awaited<ReturnType<typeof connected>>["config"];
  const others: [string, (config: Config) => Promise<unknown>][] = [
    [
      "signMessage of bytes",
      (config) => wagmi.signMessage(config, { message: { raw: `0x${"ff".repeat(32)}` } }),
    ],
    ["deployContract", (config) => wagmi.deployContract(config, { abi: [], bytecode: "0x00" })],
    ["switchChain", (config) => wagmi.switchChain(config, { chainId: mainnet.id })],
    [
      "watchAsset",
      (config) =>
        wagmi.watchAsset(config, {
          type: "ERC20",
          options: { address: payee, decimals: 6, symbol: "USDC" },
        }),
    ],
  ];
  test.each(others)("%s signs nothing", async (_, attempt) => {
    const { config, wallet, proposals } = await connected();
    const error: unknown = await attempt(config).catch((thrown: unknown) => thrown);
    expect(findNotApproved(error)?.message, String(error)).toMatch(/is not allowed|Not sent|Not signed/);
    expect([wallet.did(), proposals]).toEqual([[], []]);
  });
});
