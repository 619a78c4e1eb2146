/** Verdicts on a batch of calls, and on the calls of a contract, with a proven state. */
import { beforeAll, describe, expect, test } from "vitest";
import { encodeFunctionData, parseAbi } from "viem/utils";
import type { Witness } from "@countersign/evm";
import { startEngine, type RealEngine } from "../../test/real-engine.ts";
import { aRequest, aState, friend, million, usdc } from "../../test/state.ts";
import type { Hex } from "../proposal.ts";
import type { Verdict } from "../validate/validate.ts";

let engine: RealEngine;
beforeAll(async () => {
  engine = await startEngine();
}, 120_000);

const other = "0x3f5ce5fbfe3e9af3971dd833d26ba9b5c936f0be";
const abi = parseAbi(["function transfer(address to, uint256 value)"]);
const hundred = 100n * million;
const paying = (to: Hex, amount: bigint): Hex => encodeFunctionData({ abi, args: [to, amount] });

type Called = { readonly to: Hex; readonly value?: string; readonly data?: Hex };
const token = (to: Hex, amount: bigint): Called => ({ to: usdc, data: paying(to, amount) });
const ether: Called = { to: other, value: "100000000000000000" };
const words = `Send 100 USDC to ${friend} and send 0.1 ETH to ${other}`;

type Given = Parameters<typeof aState>[0] & { readonly calls: readonly [Called, ...Called[]] };

/** The state of these calls. The first is to the token. */
const stateOf = ({ calls: [first, ...following], ...given }: Given): Promise<Witness> =>
  aState({
    ...given,
    call: { to: first.to, data: first.data ?? "0x", value: quantity(first.value) },
    following: following.map(({ to, value, data = "0x" }) => ({
      ...{ to, data, value: quantity(value), gas: "0x30d40" },
    })),
  });
const quantity = (value = "0"): Hex => `0x${BigInt(value).toString(16)}`;

async function ask(request: string, calls: readonly Called[], state: unknown): Promise<Verdict> {
  const { metadata } = aRequest(state);
  const proposed_tx = { transactions: calls };
  const verdict = await engine.ask(JSON.stringify({ human_intent: request, proposed_tx, metadata }));
  if (verdict === null) throw new Error("the request was rejected");
  return verdict;
}
const failed = ({ results }: Verdict): readonly string[] =>
  Object.entries(results).flatMap(([id, { status }]) => (status === "FAIL" ? [id] : []));

describe("several calls with their state", () => {
  const calls = [token(friend, hundred), ether] as const;

  test("pass with the balances before and after all of them, and have no bounds", async () => {
    const verdict = await ask(words, calls, await stateOf({ calls }));
    expect(verdict).toMatchObject({ decision: "PASS", assessment: { kind: "entailed" } });
    expect(verdict.context).toMatchObject({
      state: { status: "proven" },
      simulation: { calls: 2, reverted: null, diverged: null },
      balances: {
        status: "known",
        assets: [
          { symbol: "ETH", before: "1000000000000000000", after: "900000000000000000" },
          { symbol: "USDC", before: "1000000000", after: "900000000" },
        ],
      },
      bounds: { status: "unknown", why: "There are several calls, which are not compared again." },
    });
  });

  test("settle shares of a balance that the calls together spend", async () => {
    const halves = [token(friend, 5n * hundred), token(other, 5n * hundred)] as const;
    const request = `Send half of my USDC to ${friend} and send half of my USDC to ${other}`;
    expect(await ask(request, halves, await stateOf({ calls: halves }))).toMatchObject({ decision: "PASS" });
    const more = [token(friend, 5n * hundred), token(other, 4n * hundred)] as const;
    expect(failed(await ask(request, more, await stateOf({ calls: more })))).toContain(
      "intent_alignment.percent_all_match",
    );
  });

  test.each<[string, Omit<Given, "calls">, string]>([
    ["keeps a fee", { contract: "FeeToken" }, "technical_invariants.simulated_arrival"],
    ["takes double", { contract: "WatchedToken" }, "technical_invariants.simulation_result"],
    ["grants an allowance", { contract: "GrantingToken" }, "adversarial_detection.simulated_authority"],
    ["is not held", { held: 40n * million }, "technical_invariants.funds_sufficient"],
    [
      "takes double if a wallet sends both at once",
      { contract: "WalletPill" },
      "adversarial_detection.simulation_evasion",
    ],
  ])("are rejected if the token of one of them %s", async (_, given, check) => {
    const verdict = await ask(words, calls, await stateOf({ calls, ...given }));
    expect(verdict.decision).toBe("REJECT");
    expect(failed(verdict)).toContain(check);
  });

  test("are rejected with the number of the call that fails", async () => {
    const twice = [token(friend, 6n * hundred), token(other, 6n * hundred)] as const;
    const request = `Send 600 USDC to ${friend} and send 600 USDC to ${other}`;
    const verdict = await ask(request, twice, await stateOf({ calls: twice }));
    expect(failed(verdict)).toContain("technical_invariants.simulation_result");
    expect(JSON.stringify(verdict.context["simulation"])).toContain("call 2 of 2: too little");
  });

  test("are rejected if the account can pay for each of them and not for all", async () => {
    const most = { to: other, value: "600000000000000000" } as const;
    const request = `Send 0.6 ETH to ${other} and send 0.6 ETH to ${other}`;
    const verdict = await ask(request, [most, most], await stateOf({ calls: [most, most] }));
    expect(verdict.primary_failure_node).toBe("technical_invariants.funds_sufficient");
    expect(verdict.reason).toContain("The account holds 1 ETH. The transaction sends 1.2 ETH");
  });

  test.each<[string, readonly Called[], string]>([
    ["a call less", [token(friend, hundred)], "is for 2 calls, and the transaction has 1 call."],
    ["a call more", [...calls, ether], "is for 2 calls, and the transaction has 3 calls."],
    ["another order", [ether, token(friend, hundred)], "target"],
    ["another amount in the second call", [calls[0], { ...ether, value: "5" }], "value"],
    ["other calldata in the second call", [calls[0], { ...ether, data: "0x00" }], "calldata"],
  ])("do not count for a transaction with %s", async (_, proposed, because) => {
    const verdict = await ask(words, proposed, await stateOf({ calls }));
    expect(verdict.decision).toBe("REJECT");
    expect(verdict.context["state"]).toMatchObject({
      ...{ status: "refused", why: expect.stringContaining(because) as string },
    });
  });

  test("leave a call to an unknown contract unverified, as one call of several is not measured alone", async () => {
    const unknown = { to: friend, data: "0x12345678" } as const;
    const verdict = await ask(
      `Swap 100 USDC for at least 0.03 ETH on ${friend}`,
      [unknown, ether],
      undefined,
    );
    expect(verdict.assessment.by_effect).toBeUndefined();
    const state = await stateOf({ calls: [unknown, ether] });
    expect(
      (await ask(`Pay 25 USDC to ${friend}`, [unknown, ether], state)).assessment.by_effect,
    ).toBeUndefined();
  });
});

describe("the calls of a contract, such as a Safe or a smart account", () => {
  const calls = [token(friend, hundred), ether] as const;
  const wallet = { owners: [] } as const;

  test("pass with what they do, without gas of the account and without bounds", async () => {
    const verdict = await ask(words, calls, await stateOf({ calls, ...wallet }));
    expect(verdict).toMatchObject({ decision: "PASS", assessment: { kind: "entailed" } });
    expect(verdict.context).toMatchObject({
      simulation: { calls: 2, fee: "0" },
      balances: { status: "known" },
      bounds: { status: "unknown", why: expect.stringContaining("Another account sends") as string },
    });
  });

  test("pass alone, and are rejected if they would fail", async () => {
    const [call] = calls;
    const one = await ask(`Send 100 USDC to ${friend}`, [call], await stateOf({ calls: [call], ...wallet }));
    expect(one).toMatchObject({ decision: "PASS" });
    const state = await stateOf({ calls: [call], held: 40n * million, ...wallet });
    expect(failed(await ask(`Send 100 USDC to ${friend}`, [call], state))).toContain(
      "technical_invariants.simulation_result",
    );
  });

  test("are rejected if a token behaves differently for another sender of the transaction", async () => {
    const state = await stateOf({ calls, contract: "WalletPill", ...wallet });
    expect(failed(await ask(words, calls, state))).toContain("technical_invariants.simulation_result");
  });
});
