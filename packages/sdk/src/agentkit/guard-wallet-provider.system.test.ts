// Guarded wallet providers under the real AgentKit. Every method that signs is attempted.
import { parseEther, parseTransaction, recoverTypedDataAddress, type Hex } from "viem";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  abstractMethodsOf,
  isSkipped,
  loadAgentKit,
  makeProvider,
  type Library,
  type Provider,
} from "../../test/agentkit/library.ts";
import { payee, payment } from "../../test/payment.ts";
import { account, scripted, transactionHash, type Script } from "../../test/viem/scripted.ts";
import { findNotApproved, guardWalletProvider } from "./index.ts";

const words = `Send 0.01 ETH to ${payee}`;
const value = parseEther("0.01");
const rejected: Script = { decide: () => ({ status: "REJECTED", reason: "because" }) };

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const refusalOf = async (action: Promise<unknown>): Promise<string> => {
  const error: unknown = await action.then(
    () => "done",
    (thrown: unknown) => thrown,
  );
  return findNotApproved(error)?.message ?? expect.unreachable(`not a refusal: ${String(error)}`);
};

describe.skipIf(isSkipped)("AgentKit", () => {
  let library: Library;
  beforeAll(() => {
    library = loadAgentKit();
  });

  const make = async (script: Script = {}, name?: string) => {
    const { bare, did, node, stop } = await makeProvider(library, name);
    stops.push(stop);
    const { countersign, proposals, releases } = scripted(script);
    const guarded = guardWalletProvider(library.EvmWalletProvider, bare, {
      ...{ countersign, words, onReview: () => undefined },
    });
    return { bare, did, node, guarded, proposals, releases };
  };

  test("proposes a transaction with the request, and has exactly that sent", async () => {
    const { guarded, proposals, did, node } = await make();
    expect(await guarded.sendTransaction({ to: payee, value, data: "0xabcd" })).toBe(transactionHash);
    const tx = { to: payee, value, data: "0xabcd" };
    expect(proposals).toEqual([
      { tx, chainId: 11_155_111, escrowAddress: account.address, userPrompt: words },
    ]);
    expect(did).toEqual(["sendTransaction"]);
    expect(node.sent()).toEqual([{ to: payee.toLowerCase(), value, data: "0xabcd", chainId: 11_155_111 }]);
  });

  test("serves AgentKit's own actions", async () => {
    const { guarded, proposals, node } = await make();
    const agentkit = await library.AgentKit.from({
      walletProvider: guarded,
      actionProviders: [library.walletActionProvider()],
    });
    const [transfer] = agentkit.getActions().filter(({ name }) => name.endsWith("native_transfer"));
    expect(await transfer?.invoke({ to: payee, value: "0.01" })).toMatch("Transferred 0.01 ETH");
    const [details] = agentkit.getActions().filter(({ name }) => name.endsWith("get_wallet_details"));
    expect(await details?.invoke({})).toMatch(account.address);
    expect(proposals).toMatchObject([{ tx: { to: payee, value } }]);
    expect(node.sent()).toHaveLength(1);
  });

  test("signs approved typed data, directly and as a signer", async () => {
    const { guarded, releases, did } = await make();
    const signatures = [
      await guarded.signTypedData(payment),
      await guarded.toSigner().signTypedData(payment),
    ];
    for (const signature of signatures)
      expect(await recoverTypedDataAddress({ ...payment, signature })).toBe(account.address);
    expect(releases).toHaveLength(2);
    expect(did).toEqual(["signTypedData", "signTypedData"]);
  });

  test("sends and signs nothing that is not approved", async () => {
    const { guarded, did, releases, node } = await make(rejected);
    expect(await refusalOf(guarded.sendTransaction({ to: payee, value }))).toBe(
      "Not sent: REJECTED. because",
    );
    expect(await refusalOf(guarded.nativeTransfer(payee, "1"))).toBe("Not sent: REJECTED. because");
    expect(await refusalOf(guarded.signTypedData(payment))).toBe("Not signed: REJECTED. because");
    expect(await refusalOf(guarded.toSigner().signTypedData(payment))).toBe("Not signed: REJECTED. because");
    expect([did, releases, node.sent()]).toEqual([[], [], []]);
  });

  test("returns the reason of a refusal as the text of an action", async () => {
    const { guarded, did } = await make(rejected);
    const agentkit = await library.AgentKit.from({
      walletProvider: guarded,
      actionProviders: [library.walletActionProvider(), library.erc20ActionProvider()],
    });
    const [transfer] = agentkit.getActions().filter(({ name }) => name.endsWith("native_transfer"));
    expect(await transfer?.invoke({ to: payee, value: "0.01" })).toMatch("Not sent: REJECTED. because");
    expect(did).toEqual([]);
  });

  const odd: [string, object][] = [
    ["a deployment", { data: "0x00" }],
    ["an access list", { to: payee, accessList: [] }],
    ["a blob", { to: payee, type: "eip4844", blobs: [] }],
    ["authorizations", { to: payee, authorizationList: [] }],
    ["another chain", { to: payee, chainId: 1 }],
    ["another sender", { to: payee, from: payee }],
  ];
  test.each(odd)("refuses %s", async (_, transaction) => {
    const { guarded, did, proposals } = await make();
    expect(await refusalOf(guarded.sendTransaction(transaction))).toMatch(/^Not sent: /);
    expect([did, proposals]).toEqual([[], []]);
  });

  test("is not affected by later changes of the transaction object", async () => {
    const { guarded, proposals } = await make();
    const transaction = { to: payee as string, value };
    const sending = guarded.sendTransaction(transaction);
    transaction.to = account.address;
    await sending;
    expect(proposals[0]?.tx?.to).toBe(payee);
  });

  test("leaves the fees to the provider, so that an agent cannot overpay", async () => {
    const { guarded, node } = await make();
    await guarded.sendTransaction({ to: payee, value, gas: 10n ** 7n, maxFeePerGas: 10n ** 15n });
    const [raw] = node.requests.filter(({ method }) => method === "eth_sendRawTransaction");
    expect(parseTransaction(raw?.params?.[0] as Hex)).toMatchObject({ gas: 25_200n });
  });

  const hash: Hex = `0x${"ab".repeat(32)}`;
  const attempts: [string, (provider: Provider) => Promise<unknown>][] = [
    ["sign", (provider) => provider.sign(hash)],
    ["signMessage", (provider) => provider.signMessage("hello")],
    ["signTransaction", (provider) => provider.signTransaction({ to: payee, value })],
    ["toSigner().sign", async (provider) => provider.toSigner().sign?.({ hash })],
    ["toSigner().signMessage", (provider) => provider.toSigner().signMessage({ message: "hello" })],
    [
      "toSigner().signTransaction",
      (provider) => provider.toSigner().signTransaction({ to: payee, value } as never),
    ],
  ];
  test.each(attempts)("%s is refused, and says what to do", async (name, attempt) => {
    const { guarded, did, proposals } = await make();
    expect(await refusalOf(attempt(guarded))).toMatch(`${name.replace(/^.*\./, "")} is not allowed: `);
    expect([did, proposals]).toEqual([[], []]);
  });

  test("a signer cannot sign authorizations", async () => {
    const { guarded } = await make();
    expect(guarded.toSigner().signAuthorization).toBeUndefined();
  });

  test("its public client reads, and reaches no account of the node", async () => {
    const { guarded, did, node } = await make();
    const client = guarded.getPublicClient();
    expect(await client.getBalance({ address: payee })).toBe(100n);
    const send = { method: "eth_sendTransaction", params: [{ to: payee }] };
    const sendRaw = { method: "eth_sendRawTransaction", params: ["0x00"] };
    const sign = { method: "personal_sign", params: ["0x00", account.address] };
    for (const asked of [send, sendRaw, sign])
      expect(await refusalOf(client.request(asked as never))).toMatch("is not allowed");
    expect([did, node.sent()]).toEqual([[], []]);
  });

  /** If a version of AgentKit adds a method, this fails until someone decides whether it signs. */
  test("every method of a wallet provider is known", async () => {
    const approved = ["nativeTransfer", "sendTransaction", "signTypedData"];
    const refused = ["sign", "signMessage", "signTransaction"];
    // They use the other members of the same object. trackInitialization is called by the constructor only.
    const inherited = ["toSigner", "trackInitialization"];
    const harmless = [
      ...["getAddress", "getBalance", "getName", "getNetwork", "getPublicClient", "readContract"],
      "waitForTransactionReceipt",
    ];
    const { bare, guarded } = await make();
    const names = new Set(["walletProvider.d.ts", "evmWalletProvider.d.ts"].flatMap(abstractMethodsOf));
    const parent = library.EvmWalletProvider.prototype as object;
    for (let at = parent; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
      for (const name of Object.getOwnPropertyNames(at)) names.add(name);
    names.delete("constructor");
    expect([...names].sort()).toEqual([...approved, ...refused, ...inherited, ...harmless].sort());
    expect(Object.keys(guarded).sort()).toEqual([...approved, ...refused, ...harmless].sort());
    expect(guarded).toBeInstanceOf(library.EvmWalletProvider);
    // The base class has no state that a guarded provider would lack.
    class Plain extends (library.EvmWalletProvider as unknown as new () => object) {
      readonly trackInitialization = (): undefined => undefined;
    }
    expect(Object.keys(new Plain())).toEqual(["trackInitialization"]);
    const reachable = Object.values(guarded).filter((one) => typeof one !== "function");
    expect(reachable).not.toContain(bare);
  });

  test.each(["cdp_smart_wallet_provider", "legacy_cdp_smart_wallet_provider", "zerodev_wallet_provider"])(
    "refuses %s, which sends user operations",
    async (name) => {
      await expect(make({}, name)).rejects.toThrow("A smart account cannot be guarded");
    },
  );

  test("refuses a provider of another copy of AgentKit", () => {
    const other = { getAddress: () => account.address } as Provider;
    const { countersign } = scripted();
    expect(() => guardWalletProvider(library.EvmWalletProvider, other, { countersign, words })).toThrow(
      "not an EvmWalletProvider of this copy",
    );
  });
});
