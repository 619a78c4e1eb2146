// An agent that signs payments and permits with a guarded wallet, on the real system and a real chain with a real token.
// It gets the signature that was asked for, once; any other signature never leaves the wallet.
import { randomBytes } from "node:crypto";
import {
  createTestClient,
  createWalletClient,
  getAddress,
  http,
  maxUint256,
  parseSignature,
  publicActions,
  walletActions,
  type Hex,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setStage, type Stage } from "../../../../tools/stage/index.ts";
import { makeRealAgent, type RealAgent } from "../../test/real-agent.ts";
import { compileToken, tokenAbi, usdc } from "../../test/viem/token.ts";
import { verifyReceipt } from "../receipt/index.ts";
import { findNotApproved, guard } from "./index.ts";

const payee = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e" as const;
const mallory = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const words = `Pay 0.01 USDC to ${payee}`;

let stage: Stage;
let real: RealAgent;
let agent: RealAgent["agent"];
let trust: RealAgent["trust"];
let account: RealAgent["account"];
let address: Hex;

const node = () =>
  createTestClient({ chain: sepolia, mode: "anvil", transport: http(stage.urls.anvil), pollingInterval: 100 })
    .extend(publicActions)
    .extend(walletActions);

/** Anyone who has a signature can use it: another account sends it. */
const relayer = privateKeyToAccount(generatePrivateKey());

async function write(
  functionName: "mint" | "transferWithAuthorization" | "permit",
  args: readonly unknown[],
) {
  const hash = await node().writeContract({
    ...{ account: relayer, address: usdc, abi: tokenAbi, functionName, args: args as never },
    gas: 500_000n,
  });
  return (await node().waitForTransactionReceipt({ hash })).status;
}

const balanceOf = (of: Hex): Promise<bigint> =>
  node().readContract({ address: usdc, abi: tokenAbi, functionName: "balanceOf", args: [of] });

beforeAll(async () => {
  stage = await setStage();
  stage.chain.mineEvery(200);
  await stage.chain.giveMoney(relayer.address);
  await node().setCode({ address: usdc, bytecode: compileToken() });
  real = await makeRealAgent(stage);
  ({ agent, trust, account } = real);
  ({ address } = account);
  expect(await write("mint", [address, 1_000_000n])).toBe("success");
});
afterAll(() => stage.end());

function guarded(request = words) {
  const bare = createWalletClient({ account, chain: sepolia, transport: http(stage.urls.anvil) });
  return { wallet: guard(bare, real.optionsFor(request)), links: real.links };
}

const aNonce = (): Hex => `0x${randomBytes(32).toString("hex")}`;
const soon = (): bigint => BigInt(Math.floor(Date.now() / 1000) + 3600);

const domain = { name: "USDC", version: "2", chainId: sepolia.id, verifyingContract: usdc } as const;
const authorizationTypes = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;
const authorization = (message: object = {}, over: object = {}) =>
  ({
    ...{
      domain: { ...domain, ...over },
      types: authorizationTypes,
      primaryType: "TransferWithAuthorization" as const,
    },
    message: {
      ...{ from: address, to: payee, value: 10_000n, validAfter: 0n, validBefore: soon(), nonce: aNonce() },
      ...message,
    },
  }) as const;

describe("EIP-3009, the payment of x402", () => {
  test("signs the payment that was asked for, and the payee collects it", async () => {
    const { wallet, links } = guarded();
    const payment = authorization();
    const signature = await wallet.signTypedData(payment);
    const [done] = (await agent.transactions()).transactions;
    expect(done).toMatchObject({ status: "EXECUTED", phase: "EXECUTED", shape: "typedData", tx: null });
    expect(links).toEqual([expect.stringMatching(`/transactions/${done?.requestHash}$`)]);
    const receipt = await agent.receipt(done?.requestHash ?? "");
    expect(await verifyReceipt(receipt, trust)).toMatchObject({
      ...{ isValid: true, decision: "APPROVED" },
      verdict: { shape: "typedData", signingHash: done?.signingHash },
    });
    const before = await balanceOf(payee);
    const { from, to, value, validAfter, validBefore, nonce } = payment.message;
    const { v = 27n, r, s } = parseSignature(signature);
    const use = [from, to, value, validAfter, validBefore, nonce, Number(v), r, s];
    expect(await write("transferWithAuthorization", use)).toBe("success");
    expect((await balanceOf(payee)) - before).toBe(10_000n);
    // The service records one release: no one gets a second signature for this approval.
    await expect(agent.release(done?.requestHash ?? "", done?.signingHash ?? "")).rejects.toThrow("released");
  });

  const attacks: [string, () => ReturnType<typeof authorization>][] = [
    ["a higher price", () => authorization({ value: 10_000_000n })],
    ["another payee", () => authorization({ to: mallory })],
    ["another asset", () => authorization({}, { verifyingContract: getAddress(`0x${"7a".repeat(20)}`) })],
    ["another network", () => authorization({}, { chainId: 1 })],
    ["another payer", () => authorization({ from: mallory })],
    ["a payment that never expires", () => authorization({ validBefore: maxUint256 })],
  ];
  test.each(attacks)("does not sign %s", async (_, attack) => {
    const { wallet } = guarded();
    const error: unknown = await wallet.signTypedData(attack() as never).catch((thrown: unknown) => thrown);
    expect(findNotApproved(error)?.message, String(error)).toMatch(/^Not signed: /);
  });
});

describe("a permit", () => {
  const permitTypes = {
    Permit: [
      { name: "owner", type: "address" },
      { name: "spender", type: "address" },
      { name: "value", type: "uint256" },
      { name: "nonce", type: "uint256" },
      { name: "deadline", type: "uint256" },
    ],
  } as const;
  const request = `Allow ${payee} to spend up to 5 USDC`;
  const permit = (message: object = {}) =>
    ({
      ...{ domain, types: permitTypes, primaryType: "Permit" as const },
      message: { owner: address, spender: payee, value: 5_000_000n, nonce: 0n, deadline: soon(), ...message },
    }) as const;

  test("is signed as asked for, and sets the allowance", async () => {
    const asked = permit();
    const { v = 27n, r, s } = parseSignature(await guarded(request).wallet.signTypedData(asked));
    const { spender, value, deadline } = asked.message;
    expect(await write("permit", [address, spender, value, deadline, Number(v), r, s])).toBe("success");
    const allowance = await node().readContract({
      ...{ address: usdc, abi: tokenAbi, functionName: "allowance", args: [address, payee] },
    });
    expect(allowance).toBe(value);
  });

  test.each([
    ["an unlimited allowance", { value: maxUint256 }],
    ["another spender", { spender: mallory }],
    ["a larger allowance", { value: 5_000_001n }],
  ])("is not signed with %s", async (_, change) => {
    const signing = guarded(request).wallet.signTypedData(permit({ nonce: 1n, ...change }));
    const error: unknown = await signing.catch((thrown: unknown) => thrown);
    expect(findNotApproved(error)?.message, String(error)).toMatch(/^Not signed: /);
  });
});
