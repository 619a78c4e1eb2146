// An agent that signs user operations of smart accounts, on the real system and through real entry points. The operation that was asked for
// is signed once and executed; any other is not signed.
import {
  createClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  http,
  parseAbi,
  parseEther,
  publicActions,
  walletActions,
  zeroAddress,
  type Hex,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import {
  entryPoint07Abi,
  entryPoint07Address,
  entryPoint08Address,
  getUserOperationHash,
  toPackedUserOperation,
  toSimple7702SmartAccount,
  toSmartAccount,
  type SmartAccount,
  type UserOperation,
} from "viem/account-abstraction";
import { sepolia } from "viem/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setStage, type Stage } from "../../../../tools/stage/index.ts";
import { accountAbstraction, placeEntryPoints } from "../../../../tools/world/index.ts";
import { makeRealAgent, type RealAgent } from "../../test/real-agent.ts";
import { verifyReceipt } from "../receipt/index.ts";
import { findNotApproved, guard, guardSmartAccount, type SmartAccountOptions } from "./index.ts";

const payee = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const mallory = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
const value = parseEther("0.01");
const delegate = accountAbstraction.simple7702Account;

let stage: Stage;
let real: RealAgent;
let factory: Hex;
/** The agent's own account, which runs the code of a smart account (EIP-7702). */
let delegated: SmartAccount;
/** A contract that the agent's account owns. */
let owned: SmartAccount;

const node = () =>
  createTestClient({ chain: sepolia, mode: "anvil", transport: http(stage.urls.anvil), pollingInterval: 100 })
    .extend(publicActions)
    .extend(walletActions);
const client = () => createClient({ chain: sepolia, transport: http(stage.urls.anvil) });

/** Anyone who has a signed operation can execute it. */
const bundler = privateKeyToAccount(generatePrivateKey());

const factoryAbi = parseAbi([
  "function createAccount(address owner, uint256 salt) returns (address)",
  "function getAddress(address owner, uint256 salt) view returns (address)",
]);
const accountAbi = parseAbi([
  "function execute(address target, uint256 value, bytes data)",
  "struct Call { address target; uint256 value; bytes data; }",
  "function executeBatch(Call[] calls)",
]);
const pay = (to: Hex, amount = value): Hex =>
  encodeFunctionData({ abi: accountAbi, functionName: "execute", args: [to, amount, "0x"] });

/** SimpleAccount of EntryPoint 0.7: its owner signs the hash as a message. */
const simpleAccount = (salt: bigint, address: Hex): Promise<SmartAccount> =>
  toSmartAccount({
    client: client(),
    entryPoint: { abi: entryPoint07Abi, address: entryPoint07Address, version: "0.7" },
    getAddress: async () => address,
    encodeCalls: async ([call]) => pay(call?.to ?? zeroAddress, call?.value),
    getFactoryArgs: async () => ({ factory, factoryData: creation(salt) }),
    getStubSignature: async () => `0x${"ff".repeat(65)}`,
    signMessage: ({ message }) => real.account.signMessage({ message }),
    signTypedData: (data) => real.account.signTypedData(data as never),
    signUserOperation: ({ chainId = sepolia.id, ...operation }) => {
      const userOperation = { sender: address, ...operation } as UserOperation<"0.7">;
      const raw = getUserOperationHash({
        ...{ chainId, entryPointAddress: entryPoint07Address, entryPointVersion: "0.7", userOperation },
      });
      return real.account.signMessage({ message: { raw } });
    },
  });

const creation = (salt: bigint): Hex =>
  encodeFunctionData({ abi: factoryAbi, functionName: "createAccount", args: [real.account.address, salt] });
const addressOf = (salt: bigint): Promise<Hex> =>
  node().readContract({
    ...{ abi: factoryAbi, address: factory, functionName: "getAddress" },
    args: [real.account.address, salt],
  });

async function mine(sending: object): Promise<string> {
  const hash = await node().sendTransaction({ account: bundler, gas: 2_000_000n, ...sending } as never);
  return (await node().waitForTransactionReceipt({ hash })).status;
}

beforeAll(async () => {
  stage = await setStage();
  stage.chain.mineEvery(200);
  ({ simpleAccountFactory: factory } = await placeEntryPoints({ url: stage.urls.anvil }));
  real = await makeRealAgent(stage);
  for (const { address } of [bundler, real.account]) await stage.chain.giveMoney(address);
  const bare = createWalletClient({
    account: real.account,
    chain: sepolia,
    transport: http(stage.urls.anvil),
  });
  const wallet = guard(bare, real.optionsFor(`Delegate my account code to ${delegate}`));
  const authorization = await wallet.signAuthorization({ contractAddress: delegate });
  expect(await mine({ to: zeroAddress, authorizationList: [authorization] })).toBe("success");
  delegated = await toSimple7702SmartAccount({ client: client(), owner: real.account });
  expect(await mine({ to: factory, data: creation(0n) })).toBe("success");
  owned = await simpleAccount(0n, await addressOf(0n));
  await stage.chain.giveMoney(owned.address);
});
afterAll(() => stage.end());

const fromDelegated = `Send 0.01 ETH to ${payee}`;

type Executed = {
  readonly name: string;
  readonly entryPoint: Hex;
  readonly accountOf: () => SmartAccount;
  readonly words: () => string;
};
const executed: readonly Executed[] = [
  {
    ...{ name: "0.8, of the agent's own account", entryPoint: entryPoint08Address },
    ...{ accountOf: () => delegated, words: () => fromDelegated },
  },
  {
    ...{ name: "0.7, of a smart account that the request names", entryPoint: entryPoint07Address },
    ...{ accountOf: () => owned, words: () => `Send 0.01 ETH from ${owned.address} to ${payee}` },
  },
];

type Operation = UserOperation<"0.8">;

async function operationOf(account: SmartAccount, over: object = {}): Promise<Operation> {
  return {
    ...{ sender: account.address, nonce: await account.getNonce(), callData: pay(payee) },
    ...{ callGasLimit: 100_000n, verificationGasLimit: 150_000n, preVerificationGas: 60_000n },
    ...{ maxFeePerGas: 2n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n, signature: "0x" },
    ...over,
  };
}

type Guarding = Partial<SmartAccountOptions> & { readonly words: string };

const guarded = (account: SmartAccount, { words, ...options }: Guarding): SmartAccount =>
  guardSmartAccount(account, {
    ...{ ...real.optionsFor(words), escrowAddress: real.account.address },
    ...options,
  });

const handleOps = ({ entryPoint }: SmartAccount, operation: Operation) => ({
  to: entryPoint.address,
  data: encodeFunctionData({
    ...{ abi: entryPoint07Abi, functionName: "handleOps" },
    args: [[toPackedUserOperation(operation)], bundler.address],
  }),
});

const balance = () => node().getBalance({ address: payee });

describe("a user operation", () => {
  test.each(executed)("of EntryPoint $name is signed once and executed", async (given) => {
    const { entryPoint, accountOf, words } = given;
    const account = accountOf();
    expect(account.entryPoint.address).toBe(entryPoint);
    const asked = await operationOf(account);
    const signature = await guarded(account, { words: words() }).signUserOperation(asked);
    const before = await balance();
    expect(await mine(handleOps(account, { ...asked, signature }))).toBe("success");
    expect((await balance()) - before).toBe(value);

    const [done] = (await real.agent.transactions()).transactions;
    expect(done).toMatchObject({
      ...{ status: "EXECUTED", phase: "EXECUTED", shape: "userOperation", tx: null },
      userOperation: { sender: account.address.toLowerCase(), nonce: String(asked.nonce) },
    });
    const receipt = await real.agent.receipt(done?.requestHash ?? "");
    const hash = await node().readContract({
      ...{ address: entryPoint, abi: entryPoint07Abi, functionName: "getUserOpHash" },
      args: [toPackedUserOperation(asked)],
    });
    expect(await verifyReceipt(receipt, real.trust)).toMatchObject({
      ...{ isValid: true, decision: "APPROVED" },
      verdict: { shape: "userOperation", signingHash: hash },
    });
    await expect(real.agent.release(done?.requestHash ?? "", hash)).rejects.toThrow("released");
  });

  test("that was signed cannot be executed with other fees, calls or nonces, or a second time", async () => {
    const asked = await operationOf(delegated);
    const words = `Send 0.01 ETH to ${payee} now`;
    const signature = await guarded(delegated, { words }).signUserOperation(asked);
    const signed = { ...asked, signature };
    for (const change of [
      { callData: pay(mallory) },
      { maxFeePerGas: asked.maxFeePerGas + 1n },
      { nonce: ((asked.nonce >> 64n) + 1n) << 64n },
      { paymaster: mallory, paymasterVerificationGasLimit: 1n, paymasterPostOpGasLimit: 0n } as const,
    ])
      await expect(
        node().call({ account: bundler, ...handleOps(delegated, { ...signed, ...change }) }),
      ).rejects.toThrow();
    expect(await mine(handleOps(delegated, signed))).toBe("success");
    expect(await mine(handleOps(delegated, signed))).toBe("reverted");
  });

  type Attack = {
    readonly name: string;
    readonly change: () => Promise<object> | object;
    readonly options?: Partial<Guarding>;
  };
  const attacks: readonly Attack[] = [
    { name: "for another recipient", change: () => ({ callData: pay(mallory) }) },
    { name: "for a higher amount", change: () => ({ callData: pay(payee, value * 2n) }) },
    {
      name: "with a second call",
      change: () => ({
        callData: encodeFunctionData({
          ...{ abi: accountAbi, functionName: "executeBatch" },
          args: [([payee, mallory] as const).map((target) => ({ target, value, data: "0x" }) as const)],
        }),
      }),
    },
    { name: "with calldata of an unknown function", change: () => ({ callData: "0xdeadbeef" }) },
    {
      name: "with a paymaster that was not asked for",
      change: () => ({
        ...{ paymaster: mallory, paymasterVerificationGasLimit: 1n, paymasterPostOpGasLimit: 0n },
      }),
    },
    { name: "with a fee above the limit of the guard", change: () => ({ maxFeePerGas: 10n ** 13n }) },
    {
      ...{ name: "with a fee that is a payment", change: () => ({ maxFeePerGas: 10n ** 13n }) },
      options: { maxFee: parseEther("100") },
    },
    {
      name: "with a nonce further ahead",
      change: async () => ({ nonce: (await delegated.getNonce()) + 1n }),
    },
    { name: "of another smart account", change: () => ({ sender: owned.address }) },
    { name: "for another chain", change: () => ({ chainId: 1 }) },
  ];

  test.each(attacks)("is not signed $name", async ({ change, options = {} }) => {
    const asked = await operationOf(delegated, await change());
    await isRefused(guarded(delegated, { words: fromDelegated, ...options }).signUserOperation(asked));
  });

  test("of a smart account that the request does not name is not signed", async () => {
    const asked = await operationOf(owned);
    await isRefused(guarded(owned, { words: fromDelegated }).signUserOperation(asked));
  });

  test("that creates an account although it was not asked for is not signed", async () => {
    const account = await simpleAccount(1n, await addressOf(1n));
    const asked = await operationOf(account, { factory, factoryData: creation(1n) });
    const words = `Send 0.01 ETH from ${account.address} to ${payee}`;
    await isRefused(guarded(account, { words }).signUserOperation(asked));
  });

  test("at another entry point than the account's is not signed", async () => {
    const elsewhere = { ...delegated, entryPoint: { ...delegated.entryPoint, address: mallory } } as const;
    const asked = await operationOf(delegated);
    await isRefused(guarded(elsewhere, { words: fromDelegated }).signUserOperation(asked));
  });
});

async function isRefused(signing: Promise<unknown>): Promise<void> {
  const error: unknown = await signing.then(
    () => "signed",
    (thrown: unknown) => thrown,
  );
  expect(findNotApproved(error)?.message, String(error)).toMatch(/^Not signed: /);
}
