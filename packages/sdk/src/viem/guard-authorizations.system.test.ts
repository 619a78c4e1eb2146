// An agent that signs EIP-7702 authorizations with a guarded wallet, on the real system and a real chain. The account runs the
// delegate's code once another account includes the authorization; any other authorization is not signed.
import { createTestClient, createWalletClient, http, publicActions, walletActions, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setStage, type Stage } from "../../../../tools/stage/index.ts";
import { makeRealAgent, type RealAgent } from "../../test/real-agent.ts";
import { verifyReceipt } from "../receipt/index.ts";
import { findNotApproved, guard } from "./index.ts";

const delegate = "0x63c0c19a282a1b52b07dd5a65b58948a07dae32b";
const mallory = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
const delegation = `Delegate my account code to ${delegate}`;
const revocation = "Revoke the code delegation of my account";

let stage: Stage;
let real: RealAgent;

const node = () =>
  createTestClient({ chain: sepolia, mode: "anvil", transport: http(stage.urls.anvil), pollingInterval: 100 })
    .extend(publicActions)
    .extend(walletActions);

/** Anyone who has an authorization can include it in a transaction. */
const relayer = privateKeyToAccount(generatePrivateKey());

beforeAll(async () => {
  stage = await setStage();
  stage.chain.mineEvery(200);
  await stage.chain.giveMoney(relayer.address);
  real = await makeRealAgent(stage);
});
afterAll(() => stage.end());

function guarded(words: string) {
  const { account } = real;
  const bare = createWalletClient({ account, chain: sepolia, transport: http(stage.urls.anvil) });
  return guard(bare, real.optionsFor(words));
}

type Signed = Awaited<ReturnType<ReturnType<typeof guarded>["signAuthorization"]>>;

async function include(authorization: Signed) {
  const hash = await node().sendTransaction({
    ...{ account: relayer, to: zeroAddress, authorizationList: [authorization], gas: 200_000n },
  });
  const { status, type } = await node().waitForTransactionReceipt({ hash });
  expect([status, type]).toEqual(["success", "eip7702"]);
}

const codeOfAccount = () => node().getCode({ address: real.account.address });

describe("an authorization", () => {
  test("that was asked for is signed once, and the account then runs the delegate's code", async () => {
    await include(await guarded(delegation).signAuthorization({ contractAddress: delegate }));
    expect(await codeOfAccount()).toBe(`0xef0100${delegate.slice(2)}`);
    const [done] = (await real.agent.transactions()).transactions;
    expect(done).toMatchObject({
      ...{ status: "EXECUTED", phase: "EXECUTED", shape: "authorizationList", tx: null },
      authorizationList: [{ chainId: sepolia.id, address: delegate, nonce: "0" }],
    });
    const receipt = await real.agent.receipt(done?.requestHash ?? "");
    expect(await verifyReceipt(receipt, real.trust)).toMatchObject({
      ...{ isValid: true, decision: "APPROVED" },
      verdict: { shape: "authorizationList", signingHash: done?.signingHash },
    });
    await expect(real.agent.release(done?.requestHash ?? "", done?.signingHash ?? "")).rejects.toThrow(
      "released",
    );
  });

  test.each([
    ["another delegate", delegation, { contractAddress: mallory }],
    ["a delegate for a payment", `Send 0.01 ETH to ${mallory}`, { contractAddress: delegate }],
    ["a delegate for a payment to it", `Send 0.01 ETH to ${delegate}`, { contractAddress: delegate }],
    ["every chain", delegation, { contractAddress: delegate, chainId: 0 }],
    ["another chain", delegation, { contractAddress: delegate, chainId: 1 }],
    ["a delegation in place of a revocation", revocation, { contractAddress: delegate }],
    ["a later nonce", delegation, { contractAddress: delegate, nonce: 9 }],
  ] as const)("is not signed for %s", async (_, words, given) => {
    const error: unknown = await guarded(words)
      .signAuthorization(given)
      .catch((thrown: unknown) => thrown);
    expect(findNotApproved(error)?.message, String(error)).toMatch(/^Not signed: /);
  });
});
