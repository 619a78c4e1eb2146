// An agent that pays for a resource with x402, with the real client, a real resource server and facilitator of x402, the
// real system, and a real chain with a token that has EIP-3009.
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { createTestClient, getAddress, http, publicActions, walletActions, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openShop, priceTo, type Offer } from "../../../../examples/pay-for-a-resource/shop.ts";
import { tokenCode } from "../../../../examples/pay-for-a-resource/token.ts";
import { setStage, type Stage } from "../../../../tools/stage/index.ts";
import { compileToken, tokenAbi, usdc } from "../../test/viem/token.ts";
import { createCountersign, type Countersign } from "../index.ts";
import { fetchTrust, type Trust } from "../receipt/index.ts";
import { signIn } from "../viem/index.ts";
import { guardPayments, type NotApprovedError, type PaymentOptions } from "./index.ts";

const account = privateKeyToAccount(generatePrivateKey());
const relayer = privateKeyToAccount(generatePrivateKey());
const payee = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const mallory = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const otherToken = getAddress(`0x${"7a".repeat(20)}`);
const words = `Pay at most 0.01 USDC to ${payee} within 5 minutes`;

let stage: Stage;
let owner: Countersign;
let agent: Countersign;
let trust: Trust;

const node = () =>
  createTestClient({ chain: sepolia, mode: "anvil", transport: http(stage.urls.anvil), pollingInterval: 100 })
    .extend(publicActions)
    .extend(walletActions);
const balanceOf = (of: Hex, address: Hex = usdc): Promise<bigint> =>
  node().readContract({ address, abi: tokenAbi, functionName: "balanceOf", args: [of] });

async function placeToken(address: Hex): Promise<void> {
  await node().setCode({ address, bytecode: compileToken() });
  const hash = await node().writeContract({
    ...{ account: relayer, address, abi: tokenAbi, functionName: "mint", gas: 500_000n },
    args: [account.address, 100_000_000n],
  });
  expect((await node().waitForTransactionReceipt({ hash })).status).toBe("success");
}

beforeAll(async () => {
  stage = await setStage();
  stage.chain.mineEvery(200);
  await stage.chain.giveMoney(relayer.address);
  for (const token of [usdc, otherToken] as const) await placeToken(token);
  const { api: url, anvil: rpcUrl } = stage.urls;
  owner = createCountersign({ url, session: await signIn({ url, wallet: account }) });
  const { secret } = await owner.keys.create({ name: "agent" });
  agent = createCountersign({ url, apiKey: secret });
  const { serviceRegistry, inbox } = stage.deployment;
  trust = await fetchTrust({ rpcUrl, serviceRegistry, inbox, serviceId: 1 });
});
afterAll(() => stage.end());

/** Buys the report with x402's own client, from a shop that accepts `option`. The owner approves what passes verification. */
async function buy(option: Offer, over: Partial<PaymentOptions> = {}) {
  const shop = await openShop(option, { rpcUrl: stage.urls.anvil, relayer });
  const decided = new Set<string>();
  const refusals: NotApprovedError[] = [];
  const signTypedData = vi.fn(account.signTypedData);
  const signer = guardPayments(Object.assign({}, account, { signTypedData }), {
    ...{ countersign: agent, words, trust, networks: ["eip155:11155111"] },
    onReview: () => undefined,
    onRefusal: (refusal) => refusals.push(refusal),
    onProgress: ({ requestHash, approvals }) => {
      const [verdict] = approvals.orion;
      if (verdict === undefined || verdict.decision === "REJECTED" || decided.has(requestHash)) return;
      decided.add(requestHash);
      // A failed decision shows as a timeout of the signer.
      void (verdict.decision === "APPROVED" ? owner.approve(requestHash) : owner.reject(requestHash));
    },
    ...over,
  });
  // The client's own limits are off: these tests are about ours.
  const client = new x402Client().register("eip155:*", new ExactEvmScheme(signer)).setSpendControls(false);
  const before = await Promise.all([payee, mallory].map((one) => balanceOf(one as Hex)));
  const pay = wrapFetchWithPayment(fetch, client);
  const answer = await pay(`${shop.url}/weather`).catch((error: unknown) => new Error(String(error)));
  const after = await Promise.all([payee, mallory].map((one) => balanceOf(one as Hex)));
  await shop.close();
  const paid = after.map((amount, at) => amount - (before[at] ?? 0n));
  return { answer, paid, refusals, signatures: signTypedData.mock.calls.length };
}

test("pays the price that was asked for, once, and gets the resource", async () => {
  const { answer, paid, refusals, signatures } = await buy(priceTo(payee));
  expect(refusals).toEqual([]);
  if (answer instanceof Error) throw answer;
  expect([answer.status, await answer.json()]).toEqual([200, { report: "sunny, 21 degrees" }]);
  expect(paid).toEqual([10_000n, 0n]);
  expect(signatures).toBe(1);
  const [done] = (await agent.transactions()).transactions;
  expect(done).toMatchObject({ status: "EXECUTED", shape: "typedData", description: words });
  await expect(agent.release(done?.requestHash ?? "", done?.signingHash ?? "")).rejects.toThrow("released");
});

describe("is not signed", () => {
  const honest = priceTo(payee);
  const asked = (asset: string, amount: string) => ({ asset, amount, extra: { name: "USDC", version: "2" } });
  const shops: [string, Offer, RegExp][] = [
    [
      "a higher price",
      { ...honest, price: asked(usdc, "10001") },
      /^Not signed: REJECTED.*at most 0.01 USDC/s,
    ],
    ["another payee", priceTo(mallory), /^Not signed: REJECTED/],
    ["another asset", { ...honest, price: asked(otherToken, "10000") }, /^Not signed: (REJECTED|FAILED)/],
    ["another network", { ...honest, network: "eip155:8453" }, /^Not signed: the payment is on eip155:8453/],
    ["a later deadline", { ...honest, maxTimeoutSeconds: 900 }, /^Not signed: REJECTED.*no later than/s],
  ];
  test.each(shops)("%s", async (_, option, why) => {
    const { answer, paid, refusals, signatures } = await buy(option);
    expect(refusals.map(({ message }) => message)).toEqual([expect.stringMatching(why)]);
    expect(answer).toBeInstanceOf(Error);
    expect((answer as Error).message).toContain("Not signed: ");
    expect([paid, signatures]).toEqual([[0n, 0n], 0]);
  });
});

test("the token of the example is the one of the tests", () => {
  expect(tokenCode).toBe(compileToken());
});
