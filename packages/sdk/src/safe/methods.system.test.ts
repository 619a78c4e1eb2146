// Every method of protocol-kit's Safe, on a chain with the real contracts. Only what is approved is signed or sent.
import { readFileSync } from "node:fs";
import { parseSafeTransaction, safeTypedData } from "@countersign/wire";
import { hashTypedData as hashByViem, parseEther, recoverAddress, type Hex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  aKey,
  Safe,
  startSafeWorld,
  type Kit,
  type SafeTransaction,
  type SafeWorld,
} from "../../test/safe/world.ts";
import { requestHash, scripted, type Script } from "../../test/viem/scripted.ts";
import { findNotApproved, guardSafe, type SafeOptions } from "./index.ts";

const [agent, friend] = [aKey(), aKey()];
const payee = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const mallory = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const words = `Send 0.1 ETH from the Safe to ${payee}`;
const payment = { to: payee, value: parseEther("0.1").toString(), data: "0x" };

let world: SafeWorld;
/** Both owners must confirm. */
let ofTwo: Hex;
/** One owner suffices, so that who executes confirms too. */
let ofOne: Hex;

beforeAll(async () => {
  world = await startSafeWorld();
  await world.fund(agent.address);
  ofTwo = await world.deploy([agent.address, friend.address], 2);
  ofOne = await world.deploy([agent.address, friend.address], 1);
});
afterAll(() => world.stop());

async function make(over: Partial<SafeOptions> = {}, script: Script = {}, address = ofTwo) {
  const { countersign, proposals, releases } = scripted(script);
  const bare = await world.open(address, agent.key);
  const safe = await guardSafe(bare, { countersign, words, ...over });
  return { safe, bare, proposals, releases };
}

const rejected: Script = { decide: () => ({ status: "REJECTED", reason: "because" }) };
const refusalOf = async (action: Promise<unknown>): Promise<string> => {
  const error: unknown = await action.then(
    () => "done",
    (thrown: unknown) => thrown,
  );
  return findNotApproved(error)?.message ?? expect.unreachable(`not a refusal: ${String(error)}`);
};
/** Changes if the agent's wallet sends anything, or if the Safe does. */
const traces = async () => [
  await world.node.getTransactionCount({ address: agent.address }),
  await world.node.getBalance({ address: payee }),
  await world.node.getBalance({ address: mallory }),
];

describe("a transaction of the Safe", () => {
  test("is proposed as typed data, and exactly its safeTxHash is signed and released", async () => {
    const { safe, proposals, releases } = await make();
    const tx = await safe.createTransaction({ transactions: [payment] });
    const signed = await safe.signTransaction(tx);
    const hash = (await safe.getTransactionHash(tx)) as Hex;
    expect(releases).toEqual([[requestHash, hash]]);
    const signature = signed.getSignature(agent.address)?.data as Hex;
    expect(await recoverAddress({ hash, signature })).toBe(agent.address);
    expect(proposals).toMatchObject([{ chainId: 1, escrowAddress: agent.address, userPrompt: words }]);
    const { safeTransaction } = proposals[0] ?? expect.unreachable("nothing was proposed");
    const parsed = parseSafeTransaction(safeTransaction);
    expect(parsed.safe).toBe(ofTwo.toLowerCase());
    expect(hashByViem(safeTypedData(parsed) as never)).toBe(hash);
  });

  test("is executed without a second proposal once both owners have confirmed it", async () => {
    const { safe, proposals } = await make();
    const friends = await world.open(ofTwo, friend.key);
    const signed = await safe.signTransaction(await safe.createTransaction({ transactions: [payment] }));
    const before = await world.node.getBalance({ address: payee });
    const { hash } = await safe.executeTransaction(await friends.signTransaction(signed));
    expect((await world.node.waitForTransactionReceipt({ hash: hash as Hex })).status).toBe("success");
    expect((await world.node.getBalance({ address: payee })) - before).toBe(parseEther("0.1"));
    expect(proposals).toHaveLength(1);
  });

  test("is passed to a function given as words", async () => {
    const { safe, proposals } = await make({ words: ({ to, value, nonce }) => `${to} ${value} ${nonce}` });
    const tx = await safe.createTransaction({ transactions: [payment] });
    await safe.signTransaction(tx);
    const { nonce } = tx.data;
    expect(proposals[0]?.userPrompt).toBe(`${payee.toLowerCase()} ${payment.value} ${nonce}`);
  });

  test("is not signed if it is not approved, and is proposed once", async () => {
    const { safe, proposals, releases } = await make({}, rejected);
    const tx = await safe.createTransaction({ transactions: [payment] });
    expect(await refusalOf(safe.signTransaction(tx))).toBe("Not signed: REJECTED. because");
    expect([proposals.length, releases]).toEqual([1, []]);
  });

  test("is proposed once if the service fails", async () => {
    const release = () => Promise.reject(new Error("no answer"));
    const { safe, releases } = await make({}, { release });
    const tx = await safe.createTransaction({ transactions: [payment] });
    await expect(safe.signTransaction(tx)).rejects.toThrow("no answer");
    expect(releases).toHaveLength(1);
  });
});

describe("a nonce", () => {
  const at = async (safe: Kit, nonce: number) =>
    safe.signTransaction(await safe.createTransaction({ transactions: [payment], options: { nonce } }));

  test("that is not the next one is refused before it is proposed", async () => {
    const { safe, proposals } = await make();
    const next = await safe.getNonce();
    expect(await refusalOf(at(safe, next + 1))).toMatch(/is not the Safe's next one/);
    expect(await refusalOf(at(safe, next - 1))).toMatch(/is used/);
    expect(proposals).toEqual([]);
  });

  test("may be ahead if the options say so", async () => {
    const { safe, proposals } = await make({ maxAhead: 1 });
    const next = await safe.getNonce();
    await at(safe, next + 1);
    expect(await refusalOf(at(safe, next + 2))).toMatch(/set maxAhead/);
    expect(proposals).toHaveLength(1);
  });
});

describe("who executes confirms, if one owner suffices", () => {
  test("an execution is proposed as a transaction, and nothing is sent without approval", async () => {
    const { safe, proposals } = await make({}, rejected, ofOne);
    const before = await traces();
    const tx = await safe.createTransaction({ transactions: [payment] });
    expect(await refusalOf(safe.executeTransaction(tx))).toBe("Not sent: REJECTED. because");
    expect(proposals).toMatchObject([{ tx: { to: ofOne, value: 0n }, userPrompt: words }]);
    expect(await traces()).toEqual(before);
  });

  test("a signed transaction is executed with its signature, which counts for one nonce", async () => {
    const { safe, proposals } = await make({}, {}, ofOne);
    const signed = await safe.signTransaction(await safe.createTransaction({ transactions: [payment] }));
    const { hash } = await safe.executeTransaction(signed);
    await world.node.waitForTransactionReceipt({ hash: hash as Hex });
    expect(proposals).toHaveLength(1);
  });

  test("an approved transaction is not executed without its signature, which would work at any nonce", async () => {
    let isFirst = true;
    const decide: Script["decide"] = () => {
      const answer = isFirst ? {} : { status: "REJECTED" as const, reason: "because" };
      isFirst = false;
      return answer;
    };
    const { safe, proposals } = await make({}, { decide }, ofOne);
    const tx = await safe.createTransaction({ transactions: [payment] });
    await safe.signTransaction(tx);
    // `tx` has no signature, so the kit adds the one of the sender.
    expect(await refusalOf(safe.executeTransaction(tx))).toBe("Not sent: REJECTED. because");
    expect(proposals).toHaveLength(2);
  });
});

describe("a confirmation on the chain", () => {
  test("is refused for a hash that was not approved here", async () => {
    const { safe, proposals } = await make();
    const tx = await safe.createTransaction({ transactions: [payment] });
    const before = await traces();
    const hash = await safe.getTransactionHash(tx);
    expect(await refusalOf(safe.approveTransactionHash(hash))).toMatch(/does not say what it confirms/);
    expect([await traces(), proposals]).toEqual([before, []]);
  });

  test("is sent for a hash whose signature was released", async () => {
    const { safe } = await make();
    const tx = await safe.createTransaction({ transactions: [payment] });
    await safe.signTransaction(tx);
    const hash = await safe.getTransactionHash(tx);
    const { hash: sent } = await safe.approveTransactionHash(hash);
    await world.node.waitForTransactionReceipt({ hash: sent as Hex });
    expect(await safe.getOwnersWhoApprovedTx(hash)).toEqual([agent.address]);
  });
});

type Attempt = (safe: Kit, tx: SafeTransaction) => Promise<unknown>;
const hash = `0x${"ab".repeat(32)}`;
type Method = NonNullable<Parameters<Kit["signTransaction"]>[1]>;
/** The compiler rejects a list that lacks one. */
const listed: Readonly<Record<Method, true>> = {
  ...{ eth_sign: true, eth_signTypedData: true, eth_signTypedData_v3: true },
  ...{ eth_signTypedData_v4: true, safe_sign: true },
};
const methods = Object.keys(listed);

/** All methods that sign or send, in every way they can be called. With a service that rejects, each must refuse. */
const attempts: readonly (readonly [string, Attempt])[] = [
  ...methods.map((method): [string, Attempt] => [
    `signTransaction by ${method}`,
    (safe, tx) => safe.signTransaction(tx, method, mallory),
  ]),
  ...methods.map((method): [string, Attempt] => [
    `signMessage by ${method}`,
    (safe) => safe.signMessage(safe.createMessage("I owe Mallory everything"), method, mallory),
  ]),
  ["signHash", (safe) => safe.signHash(hash)],
  ["signTypedData of a transaction", (safe, tx) => safe.signTypedData(tx)],
  ["signTypedData of a transaction, v3", (safe, tx) => safe.signTypedData(tx, "v3")],
  [
    "signTypedData of a message",
    (safe) => safe.signTypedData(safe.createMessage("I owe Mallory everything")),
  ],
  ["approveTransactionHash", (safe) => safe.approveTransactionHash(hash)],
  ["executeTransaction", (safe, tx) => safe.executeTransaction(tx)],
];

/** Parts of the kit that it shows, each of which can sign or send. */
const parts: readonly (readonly [string, Attempt])[] = [
  ["getSafeProvider().signMessage", (safe) => safe.getSafeProvider().signMessage(hash)],
  [
    "getSafeProvider().signTypedData",
    async (safe, tx) =>
      safe.getSafeProvider().signTypedData({
        ...{ safeAddress: await safe.getAddress(), safeVersion: "1.4.1", chainId: 1n, data: tx.data },
      }),
  ],
  [
    "getSafeProvider().getExternalSigner(), which sends",
    async (safe) => (await signerOf(safe)).sendTransaction({ to: mallory, value: 1n } as never),
  ],
  [
    "getSafeProvider().getExternalSigner(), which signs messages",
    async (safe) => (await signerOf(safe)).signMessage({ message: "hello" }),
  ],
  [
    "getSafeProvider().getExternalProvider()",
    (safe) =>
      safe
        .getSafeProvider()
        .getExternalProvider()
        .request({ method: "personal_sign", params: [hash, agent.address] } as never),
  ],
  ["getContractManager().safeContract.approveHash", (safe) => contractOf(safe).approveHash(hash)],
  [
    "getContractManager().safeContract.execTransaction",
    (safe, tx) => contractOf(safe).execTransaction(tx, { gasLimit: 500_000 }),
  ],
  ["connect without a signer", async (safe, tx) => (await safe.connect({})).signTransaction(tx)],
  [
    "connect to another Safe",
    async (safe) => {
      const other = await safe.connect({ safeAddress: ofOne });
      return other.signTransaction(await other.createTransaction({ transactions: [payment] }));
    },
  ],
];

const signerOf = async (safe: Kit) =>
  (await safe.getSafeProvider().getExternalSigner()) ?? expect.unreachable();
const contractOf = (safe: Kit) => safe.getContractManager().safeContract ?? expect.unreachable();

describe.each([
  ["2 of 2", () => ofTwo],
  ["1 of 2", () => ofOne],
] as const)("without approval, in a Safe of %s", (_, address) => {
  let before: unknown;
  beforeEach(async () => {
    before = await traces();
  });
  test.each([...attempts, ...parts])("%s signs and sends nothing", async (name, attempt) => {
    const { safe, releases } = await make({}, rejected, address());
    let tx = await safe.createTransaction({ transactions: [{ ...payment, to: mallory }] });
    // Enough confirmations, so that the kit sends it.
    if (/exec/i.test(name)) tx = await (await world.open(address(), friend.key)).signTransaction(tx);
    const error: unknown = await attempt(safe, tx).then(
      () => expect.unreachable("it was done"),
      (thrown: unknown) => thrown,
    );
    expect(findNotApproved(error)?.message, String(error)).toMatch(/Not s|is not allowed/);
    expect([await traces(), releases]).toEqual([before, []]);
  });
});

/** If a version of protocol-kit adds a method, this fails until someone decides whether it signs. */
test("every method of a Safe is known", async () => {
  const { safe } = await make();
  const names = new Set<string>();
  for (let at: object = safe; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  names.delete("constructor");
  const attempted = attempts.map(([name]) => name.split(" ")[0] ?? "");
  const shown = ["connect", "getContractManager", "getSafeProvider"];
  /** They read, or return a transaction that no one has signed. */
  const harmless = [...names].filter((name) => /^(create|get|is)[A-Z]/.test(name) && !shown.includes(name));
  const others = ["copyTransaction", "toSafeTransactionType", "wrapSafeTransactionIntoDeploymentBatch"];
  expect([...names].sort()).toEqual([...new Set([...attempted, ...shown, ...harmless, ...others])].sort());
  const guide = readFileSync(new URL("../../../../docs/guides/use-your-library.md", import.meta.url), "utf8");
  expect(attempted.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  expect(harmless.sort()).toMatchInlineSnapshot(`
    [
      "createAddOwnerTx",
      "createAddSupportedInterfaceBatchTx",
      "createChangeThresholdTx",
      "createDisableFallbackHandlerTx",
      "createDisableGuardTx",
      "createDisableModuleGuardTx",
      "createDisableModuleTx",
      "createEnableFallbackHandlerTx",
      "createEnableGuardTx",
      "createEnableModuleGuardTx",
      "createEnableModuleTx",
      "createMessage",
      "createRejectionTransaction",
      "createRemoveOwnerTx",
      "createRemoveSupportedInterfaceBatchTx",
      "createSafeDeploymentTransaction",
      "createSetDomainVerifierTx",
      "createSetSafeMethodTx",
      "createSetSupportedInterfaceTx",
      "createSwapOwnerTx",
      "createTransaction",
      "createTransactionBatch",
      "getAddress",
      "getBalance",
      "getChainId",
      "getContractInfo",
      "getContractVersion",
      "getDomainVerifier",
      "getEncodedTransaction",
      "getFallbackHandler",
      "getGuard",
      "getInitCode",
      "getModuleGuard",
      "getModules",
      "getModulesPaginated",
      "getMultiSendAddress",
      "getMultiSendCallOnlyAddress",
      "getNonce",
      "getOnchainIdentifier",
      "getOwners",
      "getOwnersWhoApprovedTx",
      "getPredictedSafe",
      "getSafeMessageHash",
      "getSafeMethod",
      "getThreshold",
      "getTransactionHash",
      "isModuleEnabled",
      "isOwner",
      "isSafeDeployed",
      "isSafeInterfaceSupported",
      "isValidSignature",
      "isValidTransaction",
    ]
  `);
});

test("shows neither the key nor the bare kit's provider", async () => {
  const { safe, bare } = await make();
  const { signer, provider } = safe.getSafeProvider();
  expect(signer).toBe(agent.address);
  expect(Object.keys(provider)).toEqual(["request"]);
  expect(bare.getSafeProvider().signer).toBe(agent.key);
});

test("guards the wallet behind a provider too", async () => {
  const { countersign, proposals } = scripted(rejected);
  const provider = { request: (asked: never) => world.node.request(asked) };
  await world.node.impersonateAccount({ address: agent.address });
  const bare = await Safe.init({ provider: provider as never, signer: agent.address, safeAddress: ofTwo });
  const safe = await guardSafe(bare, { countersign, words });
  const tx = await safe.createTransaction({ transactions: [payment] });
  expect(await refusalOf(safe.signTransaction(tx))).toMatch("REJECTED");
  expect(
    await refusalOf(safe.executeTransaction(await (await world.open(ofTwo, friend.key)).signTransaction(tx))),
  ).toMatch("REJECTED");
  expect(proposals).toHaveLength(2);
});

describe("cannot guard", () => {
  test("a kit without a signer", async () => {
    const { countersign } = scripted();
    const provider = {
      request: async ({ method, params }: { method: string; params: never }) =>
        method === "eth_accounts" ? [] : world.node.request({ method, params } as never),
    };
    const bare = await Safe.init({ provider: provider as never, safeAddress: ofTwo });
    await expect(guardSafe(bare, { countersign, words })).rejects.toThrow("has no signer");
  });

  test("a Safe that is not deployed", async () => {
    const { countersign } = scripted();
    const predictedSafe = { safeAccountConfig: { owners: [agent.address], threshold: 1 } };
    const bare = await Safe.init({ provider: world.url, signer: agent.key, predictedSafe });
    await expect(guardSafe(bare, { countersign, words })).rejects.toThrow("is not deployed");
  });
});
