import { hashTypedData, parseTypedData } from "@countersign/wire";
import {
  AbstractProvider,
  AbstractSigner,
  BrowserProvider,
  Contract,
  getAddress,
  keccak256,
  Network,
  parseEther,
  Transaction,
  verifyTypedData,
  Wallet,
  type BaseContractMethod,
  type ContractTransactionResponse,
  type Signer,
  type TransactionRequest,
  hashAuthorization,
  hashMessage,
  verifyAuthorization,
  verifyMessage,
} from "ethers";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { makeWallet } from "../../test/eip1193/wallet.ts";
import { payee, writtenPayment } from "../../test/payment.ts";
import { requestHash, scripted, transactionHash, type Script } from "../../test/viem/scripted.ts";
import { findNotApproved, guardSigner, type GuardOptions } from "./index.ts";

const words = `Send 0.01 ETH to ${payee}`;
const key = Wallet.createRandom().privateKey;
const account = privateKeyToAccount(key as `0x${string}`);
const { address } = account;
const value = parseEther("0.01");
const token = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238";
const types = { TransferWithAuthorization: [...writtenPayment.types.TransferWithAuthorization] };
const message = { ...writtenPayment.message, from: address };
const { domain } = writtenPayment;

/** As a node returns it. The signature is a valid one of some transaction. */
const known = {
  ...{ type: "0x2", chainId: "0xaa36a7", nonce: "0x7", gas: "0x5208", accessList: [] },
  ...{ from: address, to: payee, value: "0x1", input: "0x", blockHash: null, blockNumber: null },
  ...{ maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x1", gasPrice: "0x1", transactionIndex: null },
  ...{ v: "0x0", r: `0x${"11".repeat(32)}`, s: `0x${"11".repeat(32)}` },
};

type Kind = "local" | "remote";
type Case = {
  readonly kind?: Kind;
  readonly script?: Script;
  readonly over?: Readonly<Record<string, unknown>>;
  readonly options?: Partial<GuardOptions>;
  readonly wrap?: (signer: Signer) => Signer;
};

async function make({
  kind = "local",
  script = {},
  over = {},
  options = {},
  wrap = (one) => one,
}: Case = {}) {
  const answers = {
    eth_sendRawTransaction: (raw: string) => keccak256(raw),
    eth_getTransactionByHash: (hash: string) => ({ ...known, hash }),
    ...over,
  };
  const wallet = makeWallet(answers, account);
  const provider = new BrowserProvider(wallet.provider);
  const bare = wrap(kind === "local" ? new Wallet(key, provider) : await provider.getSigner());
  const { countersign, proposals, releases } = scripted(script);
  const signer = guardSigner(bare, { countersign, words, ...options });
  /** Everything that left the wallet, and every use of its key. */
  const did = () => wallet.did().filter((method) => method !== "eth_getTransactionByHash");
  const raw = () =>
    Transaction.from(
      String(wallet.asked.find((one) => one.method === "eth_sendRawTransaction")?.params?.[0]),
    );
  const hash = () => (kind === "local" ? raw().hash : transactionHash);
  return { signer, bare, wallet, proposals, releases, did, raw, hash };
}

const refusalOf = async (action: Promise<unknown>): Promise<string> => {
  const error: unknown = await action.then(
    () => "done",
    (thrown: unknown) => thrown,
  );
  return findNotApproved(error)?.message ?? expect.unreachable(`not a refusal: ${String(error)}`);
};

describe.each(["local", "remote"] as const)("a %s key", (kind) => {
  const method = kind === "local" ? "eth_sendRawTransaction" : "eth_sendTransaction";

  test("proposes the transaction with the request and sends exactly that", async () => {
    const { signer, proposals, did, hash } = await make({ kind });
    const response = await signer.sendTransaction({ to: payee, value, data: "0xabcd" });
    expect(response.hash).toBe(hash());
    const tx = { to: payee, value, data: "0xabcd" };
    expect(proposals).toEqual([{ tx, chainId: 11_155_111, escrowAddress: address, userPrompt: words }]);
    expect(did()).toEqual([method]);
  });

  test("sends for a contract", async () => {
    const { signer, proposals, did, hash } = await make({ kind });
    const contract = new Contract(token, ["function transfer(address to, uint256 value)"], signer);
    const transfer = contract["transfer"] as BaseContractMethod<
      [string, bigint],
      unknown,
      ContractTransactionResponse
    >;
    expect((await transfer(payee, 5n)).hash).toBe(hash());
    expect(proposals[0]?.tx).toMatchObject({
      to: token,
      data: expect.stringMatching(/^0xa9059cbb/) as string,
    });
    expect(did()).toEqual([method]);
  });

  test("signs approved typed data, and releases exactly that digest", async () => {
    const { signer, releases, proposals } = await make({ kind });
    const signature = await signer.signTypedData(domain, types, message);
    expect(verifyTypedData(domain, types, message, signature)).toBe(address);
    const signingHash = hashTypedData(parseTypedData({ ...writtenPayment, message }));
    expect(releases).toEqual([[requestHash, signingHash]]);
    expect(proposals[0]?.userPrompt).toBe(words);
  });

  test("sends and signs nothing that is not approved", async () => {
    const script: Script = { decide: () => ({ status: "REJECTED", reason: "because" }) };
    const { signer, did, releases } = await make({ kind, script });
    expect(await refusalOf(signer.sendTransaction({ to: payee, value }))).toBe("Not sent: REJECTED. because");
    expect(await refusalOf(signer.signTypedData(domain, types, message))).toBe(
      "Not signed: REJECTED. because",
    );
    expect([did(), releases]).toEqual([[], []]);
  });

  const odd: [string, TransactionRequest][] = [
    ["a deployment", { data: "0x00" }],
    ["an access list", { to: payee, accessList: [] }],
    ["a blob", { to: payee, type: 3, blobVersionedHashes: [] }],
    ["custom data", { to: payee, customData: {} }],
    ["another chain", { to: payee, chainId: 1 }],
    ["another sender", { to: payee, from: token }],
    ["a fee above the limit", { to: payee, gasLimit: 10n ** 6n, maxFeePerGas: 10n ** 12n, type: 2 }],
  ];
  test.each(odd)("refuses %s", async (_, request) => {
    const { signer, did } = await make({ kind });
    expect(await refusalOf(signer.sendTransaction(request))).toMatch(/^Not sent: /);
    expect(did()).toEqual([]);
  });

  test("is not affected by later changes of the request object", async () => {
    const { signer, proposals } = await make({ kind });
    const request = { to: payee as string, value };
    const sending = signer.sendTransaction(request);
    request.to = token;
    await sending;
    expect(proposals[0]?.tx?.to).toBe(payee);
  });

  test("signs an approved text, and releases its hash", async () => {
    const text = "I agree to the terms of example.com";
    const { signer, proposals, releases } = await make({ kind });
    expect(verifyMessage(text, await signer.signMessage(text))).toBe(address);
    expect(proposals).toMatchObject([{ message: text, userPrompt: words }]);
    expect(releases).toEqual([[requestHash, hashMessage(text)]]);
  });

  test("leaves sending to the service if it is the executor", async () => {
    const executed = { executor: "service", status: "EXECUTED", transactionHash } as const;
    const { signer, did } = await make({
      kind,
      script: { decide: () => ({ executor: "service" }), executed },
    });
    expect((await signer.sendTransaction({ to: payee, value })).hash).toBe(transactionHash);
    expect(did()).toEqual([]);
  });

  const attempts: [string, (signer: Signer) => Promise<unknown>][] = [
    ["signTransaction", (signer) => signer.signTransaction({ to: payee, value })],
    ["signMessage of bytes", (signer) => signer.signMessage(new Uint8Array(32))],
  ];
  test.each(attempts)("%s is refused, and says what to do", async (name, attempt) => {
    const { signer, did, proposals } = await make({ kind });
    expect(await refusalOf(attempt(signer))).toMatch(`${name} is not allowed: `);
    expect([did(), proposals]).toEqual([[], []]);
  });

  test("its provider, and that of a response, signs nothing either", async () => {
    const { signer, did, wallet } = await make({ kind });
    const response = await signer.sendTransaction({ to: payee, value });
    const before = did().length;
    for (const shown of [signer.provider, response.provider]) {
      expect(shown).toBeInstanceOf(BrowserProvider);
      const provider = shown as BrowserProvider;
      for (const name of ["eth_sign", "eth_sendRawTransaction", "wallet_sendPreparedCalls"])
        await expect(provider.send(name, [])).rejects.toThrow("is not allowed");
      // A batch is proposed like a transaction, and this one is malformed.
      await expect(provider.send("wallet_sendCalls", [])).rejects.toThrow("user rejected action");
      await expect(provider.broadcastTransaction(signedElsewhere)).rejects.toThrow("is not allowed");
      const inner = await provider.getSigner();
      await expect(inner.signMessage(new Uint8Array(32))).rejects.toThrow("Not signed");
      await expect(inner._legacySignMessage("hello")).rejects.toThrow("is not allowed");
      await expect(inner.signTransaction({ to: payee })).rejects.toThrow("is not allowed");
      await expect(inner.unlock("")).rejects.toThrow("is not allowed");
    }
    expect(did()).toHaveLength(before);
    expect(Object.values(signer)).not.toContain(wallet.provider);
  });

  test("shows neither the signer nor its provider", async () => {
    const { signer, bare } = await make({ kind });
    const reachable = [signer, signer.provider ?? {}].flatMap((one): unknown[] => Object.values(one));
    for (const secret of [bare, bare.provider]) expect(reachable).not.toContain(secret);
    expect(JSON.stringify(Object.keys(signer))).not.toMatch(/key|signer/i);
  });
});

const signedElsewhere = await new Wallet(key).signTransaction({
  ...{ to: payee, value: 1n, nonce: 0, gasLimit: 21_000n, chainId: 11_155_111, type: 2 },
  ...{ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
});

/** If a version of ethers adds a method, this fails until someone decides whether it signs. */
test("every method of a Signer is known", () => {
  const approved = ["authorize", "sendTransaction", "signMessage", "signTypedData"];
  const refused = ["signTransaction"];
  const harmless = [
    ...["call", "connect", "estimateGas", "getAddress", "getNonce"],
    ...["populateAuthorization", "populateCall", "populateTransaction", "resolveName"],
  ];
  const wallet = new Wallet(key, fixedProvider());
  const guarded = guardSigner(wallet, { countersign: scripted().countersign, words });
  const names = new Set<string>();
  for (let at: object = guarded; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  for (const name of ["constructor", "provider"]) names.delete(name);
  expect([...names].sort()).toEqual([...approved, ...refused, ...harmless].sort());
  expect(guarded).toBeInstanceOf(AbstractSigner);
});

/** A provider that holds no accounts, so it is shown as it is. */
const fixedProvider = () => new AbstractProvider(Network.from(11_155_111));

describe("authorize", () => {
  const delegate = "0x63c0c19a282a1b52b07dd5a65b58948a07dae32b";

  test("signs an approved authorization, and releases its hash", async () => {
    const { signer, proposals, releases } = await make();
    const nonce = await signer.getNonce("pending");
    const { signature, ...tuple } = await signer.authorize({ address: delegate });
    expect(tuple).toEqual({ address: getAddress(delegate), chainId: 11_155_111n, nonce: BigInt(nonce) });
    expect(verifyAuthorization(tuple, signature)).toBe(address);
    expect(proposals).toMatchObject([
      { authorizationList: [{ chainId: 11_155_111, address: delegate, nonce: String(nonce) }] },
    ]);
    expect(releases).toEqual([[requestHash, hashAuthorization(tuple)]]);
  });

  test.each([
    ["for every chain", { chainId: 0 }, /0 would be valid on every chain/],
    ["for another chain", { chainId: 1 }, /the wallet is on chain 11155111/],
    ["with a nonce further ahead", { nonce: 1000 }, /nonce 1000 is not the account's next one/],
  ] as const)("proposes none %s", async (_, given, why) => {
    const { signer, proposals } = await make();
    expect(await refusalOf(signer.authorize({ address: delegate, ...given }))).toMatch(why);
    expect(proposals).toEqual([]);
  });

  test("signs none that is not approved", async () => {
    const { signer, releases } = await make({ script: { decide: () => ({ status: "REJECTED" }) } });
    expect(await refusalOf(signer.authorize({ address: delegate }))).toMatch(/^Not signed: REJECTED/);
    expect(releases).toEqual([]);
  });

  test("asks no wallet that holds the key, because no method signs authorizations", async () => {
    const { signer, did, proposals } = await make({ kind: "remote" });
    expect(await refusalOf(signer.authorize({ address: delegate }))).toMatch("signs no authorizations");
    expect([did(), proposals]).toEqual([[], []]);
  });
});

describe("a local key", () => {
  test("signs the approved call with the caller's fees, and takes nothing else from the node", async () => {
    const { signer, raw } = await make();
    await signer.sendTransaction({ to: payee, value, gasLimit: 50_000n, gasPrice: 7n, nonce: 3, type: 0 });
    expect(raw()).toMatchObject({ type: 0, to: payee, value, data: "0x", gasLimit: 50_000n, gasPrice: 7n });
    const second = await make();
    await second.signer.sendTransaction({ to: payee, value });
    expect(second.raw()).toMatchObject({
      type: 2,
      to: payee,
      value,
      data: "0x",
      nonce: 7,
      chainId: 11_155_111n,
    });
    expect([second.raw().accessList, second.raw().authorizationList]).toEqual([[], null]);
  });

  test("sends nothing if the signer signs another transaction", async () => {
    const wrap = (signer: Signer): Signer =>
      Object.assign(Object.create(signer) as Signer, { signTransaction: async () => signedElsewhere });
    const { signer, did } = await make({ wrap });
    await expect(signer.sendTransaction({ to: payee, value })).rejects.toThrow(
      "Approved, but the wallet did not send it: it signed another transaction",
    );
    expect(did()).toEqual([]);
  });

  test("hands over no signature of other data", async () => {
    const other = await new Wallet(key).signMessage("other");
    const wrap = (signer: Signer): Signer =>
      Object.assign(Object.create(signer) as Signer, { signTypedData: async () => other });
    const { signer, releases } = await make({ wrap });
    await expect(signer.signTypedData(domain, types, message)).rejects.toThrow(
      "did not sign the approved digest",
    );
    expect(releases).toEqual([]);
  });

  test("stays guarded when it is connected to another provider", async () => {
    const { signer } = await make({ script: { decide: () => ({ status: "REJECTED" }) } });
    const other = makeWallet({}, account);
    const connected = signer.connect(new BrowserProvider(other.provider));
    expect(await refusalOf(connected.sendTransaction({ to: payee, value }))).toMatch(/^Not sent: REJECTED/);
    expect(await refusalOf(connected.signMessage("hello"))).toMatch(/^Not signed: REJECTED/);
    expect(other.did()).toEqual([]);
    expect(() => signer.connect(null)).toThrow("no provider");
  });

  test("needs a provider", () => {
    expect(() => guardSigner(new Wallet(key), { countersign: scripted().countersign, words })).toThrow(
      "connect it to one",
    );
  });
});
