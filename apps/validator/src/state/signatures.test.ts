/** Verdicts on data to be signed, with a proven state on which what it allows was executed. */
import { beforeAll, describe, expect, test } from "vitest";
import { signedCalls } from "@countersign/wire/signed-calls";
import type { Witness } from "@countersign/evm";
import { startEngine, type RealEngine } from "../../test/real-engine.ts";
import { aState, blockTime, friend, from, million, usdc } from "../../test/state.ts";
import type { Address } from "../proposal.ts";
import type { Verdict } from "../validate/validate.ts";

let engine: RealEngine;
beforeAll(async () => {
  engine = await startEngine();
  // The first state compiles the contracts, which takes longer than a test may.
  await aState();
}, 120_000);

const uniswap: Address = "0xe592427a0aece92de3edee1f18e0157c05861564";
const hundred = 100n * million;
const later = String(blockTime + 600);
type Fields = Readonly<Record<string, string>>;

const typed = (primaryType: string, types: Fields, message: Fields, contract = usdc) => ({
  domain: { name: "USD Coin", version: "2", chainId: 1, verifyingContract: contract },
  types: { [primaryType]: Object.entries(types).map(([name, type]) => ({ name, type })) },
  ...{ primaryType, message },
});

const payment = (value = hundred, payer = from) =>
  typed(
    "TransferWithAuthorization",
    {
      ...{ from: "address", to: "address", value: "uint256" },
      ...{ validAfter: "uint256", validBefore: "uint256", nonce: "bytes32" },
    },
    {
      ...{ from: payer, to: friend, value: value.toString(), validAfter: "0" },
      ...{ validBefore: later, nonce: `0x${"5e".repeat(32)}` },
    },
  );
const permit = (value = hundred) =>
  typed(
    "Permit",
    { owner: "address", spender: "address", value: "uint256", nonce: "uint256", deadline: "uint256" },
    { owner: from, spender: uniswap, value: value.toString(), nonce: "0", deadline: later },
  );
const nobody = `0x${"0".repeat(40)}`;
/** A Safe at the address of the sender pays ETH. */
const safeTx = (value = 10n ** 17n, over: Fields = {}) =>
  typed(
    "SafeTx",
    {
      ...{ to: "address", value: "uint256", data: "bytes", operation: "uint8", safeTxGas: "uint256" },
      ...{ baseGas: "uint256", gasPrice: "uint256", gasToken: "address", refundReceiver: "address" },
      nonce: "uint256",
    },
    {
      ...{ to: friend, value: value.toString(), data: "0x", operation: "0", safeTxGas: "0", baseGas: "0" },
      ...{ gasPrice: "0", gasToken: nobody, refundReceiver: nobody, nonce: "7" },
      ...over,
    },
    from,
  );
type Data = ReturnType<typeof typed>;

type Given = Parameters<typeof aState>[0];

/** The state of what this signature allows, as orion asks for it. */
function stateFor(data: Data, given: Given = {}, signer: Address = from): Promise<Witness> {
  const [call] = signedCalls(data, signer)?.calls ?? [];
  if (call === undefined) throw new Error("the signature has no calls");
  const value = `0x${BigInt(call.value).toString(16)}` as const;
  return aState({ ...given, signer, call: { to: call.to, data: call.data, value } });
}

async function ask(words: string, data: Data, state: unknown, signer: Address = from): Promise<Verdict> {
  const verdict = await engine.ask(
    JSON.stringify({
      human_intent: words,
      proposed_tx: { order: data, chainId: 1 },
      metadata: { from: signer, chain_id: 1, now: blockTime + 20, ...(state === undefined ? {} : { state }) },
    }),
  );
  if (verdict === null) throw new Error("the request was rejected");
  return verdict;
}
const failed = ({ results }: Verdict): readonly string[] =>
  Object.entries(results).flatMap(([id, { status }]) => (status === "FAIL" ? [id] : []));

describe("a payment by signature", () => {
  const words = `Pay 100 USDC to ${friend}`;

  test("passes with the balances before and after, also without ETH for gas", async () => {
    const verdict = await ask(words, payment(), await stateFor(payment(), { native: 0n }));
    expect(verdict).toMatchObject({ decision: "PASS", assessment: { kind: "entailed" } });
    expect(verdict.context).toMatchObject({
      state: { status: "proven" },
      simulation: { sent_by_others: true, reverted: null, fee: "0" },
      balances: { assets: [{ symbol: "USDC", before: "1000000000", after: "900000000" }] },
      bounds: { status: "unknown" },
    });
  });

  test("settles a share of the balance", async () => {
    const all = payment(1_000n * million);
    const request = `Send all my USDC to ${friend}`;
    expect(await ask(request, all, await stateFor(all))).toMatchObject({ decision: "PASS" });
    const half = payment(500n * million);
    expect(failed(await ask(request, half, await stateFor(half)))).toContain(
      "intent_alignment.percent_all_match",
    );
  });

  test.each<[string, Given, string]>([
    ["keeps a fee", { contract: "FeeToken" }, "technical_invariants.simulated_arrival"],
    ["takes double", { contract: "WatchedToken" }, "technical_invariants.simulation_result"],
    ["grants an allowance", { contract: "GrantingToken" }, "adversarial_detection.simulated_authority"],
    ["is not held", { held: 40n * million }, "technical_invariants.simulation_result"],
  ])("is rejected if the token %s", async (_, given, check) => {
    const verdict = await ask(words, payment(), await stateFor(payment(), given));
    expect(verdict.decision).toBe("REJECT");
    expect(failed(verdict)).toContain(check);
  });
});

describe("a permit", () => {
  const words = "Permit Uniswap v3 to spend 100 USDC";

  test("passes if it gives that allowance and nothing else", async () => {
    const verdict = await ask(words, permit(), await stateFor(permit()));
    expect(verdict).toMatchObject({ decision: "PASS", assessment: { kind: "entailed" } });
    expect(verdict.context).toMatchObject({
      simulation: { changes: [], approvals: [{ spender: uniswap, before: "0", after: "100" }] },
      balances: { status: "known", assets: [] },
    });
  });

  test("is rejected for another amount, whatever the state", async () => {
    const large = permit(10n * hundred);
    expect(await ask(words, large, await stateFor(large))).toMatchObject({ decision: "REJECT" });
  });
});

describe("a transaction that an owner of a Safe signs", () => {
  const owner: Address = "0x7a16ff8270133f063aab6c9977183d9e72835428";
  const words = `Send 0.1 ETH from my Safe to ${friend}`;

  test("passes with the balances of the Safe, which the state shows to be the owner's", async () => {
    const verdict = await ask(words, safeTx(), await stateFor(safeTx(), { owners: [owner] }, owner), owner);
    expect(verdict).toMatchObject({ decision: "PASS", assessment: { kind: "entailed" } });
    expect(verdict.context["balances"]).toMatchObject({
      ...{ status: "known", account: from },
      assets: [{ symbol: "ETH", before: "1000000000000000000", after: "900000000000000000" }],
    });
    expect((await ask(words, safeTx(), undefined, owner)).assessment.kind).toBe("not_checked");
  });

  test("may approve a spender without an end, as every approval has none", async () => {
    const [approval] = signedCalls(permit(), from)?.calls ?? [];
    const data = safeTx(0n, { to: usdc, data: approval?.data ?? "0x" });
    const request = "Approve Uniswap v3 to spend 100 USDC from my Safe";
    const verdict = await ask(request, data, await stateFor(data, { owners: [owner] }, owner), owner);
    expect(failed(verdict)).toEqual([]);
    expect(verdict.decision).toBe("PASS");
  });

  test("is not proven if the Safe does not name the account as an owner", async () => {
    for (const owners of [[], [friend], undefined]) {
      const state = await stateFor(safeTx(), owners === undefined ? {} : { owners }, owner);
      const verdict = await ask(words, safeTx(), state, owner);
      expect(verdict.assessment.kind).toBe("not_checked");
      expect((verdict.context["state"] as { why: string }).why).toContain("does not name the account");
    }
  });

  test("is rejected if the Safe holds too little", async () => {
    const large = safeTx(5n * 10n ** 18n);
    const request = `Send 5 ETH from my Safe to ${friend}`;
    const verdict = await ask(request, large, await stateFor(large, { owners: [owner] }, owner), owner);
    expect(verdict.primary_failure_node).toBe("technical_invariants.funds_sufficient");
  });
});

describe("a state that is not of what the signature allows leaves the verdict open", () => {
  const words = `Pay 100 USDC to ${friend}`;
  const call = { data: signedCalls(payment(), from)?.calls[0]?.data ?? "0x" } as const;
  test.each<[string, Data, () => Promise<Witness>, string]>([
    ["of another amount", payment(), () => stateFor(payment(2n * hundred)), "calldata"],
    ["of another signer", payment(), () => aState({ signer: friend, call }), "does not name the account"],
    ["of a transaction of the account itself", payment(), () => aState({ call }), "signer"],
    [
      "of an order",
      typed("Order", { sellToken: "address" }, { sellToken: usdc }),
      () => stateFor(payment()),
      "is not known as calls",
    ],
    [
      "of a payment from another account",
      payment(hundred, friend),
      () => stateFor(payment()),
      "is not known as calls",
    ],
  ])("%s", async (_, data, state, because) => {
    const verdict = await ask(words, data, await state());
    expect(verdict.decision).toBe("REJECT");
    expect((verdict.context["state"] as { why: string }).why).toContain(because);
  });

  test("of a signature for a transaction", async () => {
    const state = await stateFor(payment());
    const { to, data } = signedCalls(payment(), from)?.calls[0] ?? {};
    const verdict = await engine.ask(
      JSON.stringify({
        human_intent: words,
        proposed_tx: { to, data },
        metadata: { from, chain_id: 1, now: blockTime + 20, state },
      }),
    );
    expect((verdict?.context["state"] as { why: string }).why).toContain("signer");
  });
});
