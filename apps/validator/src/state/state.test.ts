/** A verdict with a proven state: what it adds, and what a state that is not proven costs. */
import { beforeAll, describe, expect, test } from "vitest";
import { hashWitness, type Witness } from "@countersign/evm";
import { startEngine, type RealEngine } from "../../test/real-engine.ts";
import { aRequest, aState, blockTime, friend, from, million, transferData, usdc } from "../../test/state.ts";
import type { Verdict } from "../validate/validate.ts";

let engine: RealEngine;
beforeAll(async () => {
  engine = await startEngine();
}, 120_000);

async function ask(request: Record<string, unknown>): Promise<Verdict> {
  const verdict = await engine.ask(JSON.stringify(request));
  if (verdict === null) throw new Error("the request was rejected");
  return verdict;
}
const failed = ({ results }: Verdict): readonly string[] =>
  Object.entries(results).flatMap(([id, { status }]) => (status === "FAIL" ? [id] : []));
const statusOf = ({ results }: Verdict, id: string): string | undefined => results[id]?.status;

const checks = [
  "technical_invariants.state_proven",
  "technical_invariants.funds_sufficient",
  "technical_invariants.simulation_result",
  "technical_invariants.simulated_arrival",
  "adversarial_detection.simulated_authority",
  "adversarial_detection.simulation_evasion",
];

describe("a transfer with its state", () => {
  test("passes every check of the simulation, and reports balances, block and the hash of the state", async () => {
    const state = await aState();
    const verdict = await ask(aRequest(state));
    expect(verdict).toMatchObject({ decision: "PASS", assessment: { kind: "entailed", missing: [] } });
    expect(checks.map((id) => statusOf(verdict, id))).toEqual(checks.map(() => "PASS"));
    expect(verdict.context).toMatchObject({
      state: {
        status: "proven",
        hash: hashWitness(state),
        block: { number: "24000000", hash: state.blockHash, timestamp: String(blockTime) },
      },
      simulation: {
        reverted: null,
        changes: [
          { holder: from, symbol: "USDC", change: "-100", measured: true },
          { holder: friend, symbol: "USDC", change: "100", measured: true },
        ],
        held: [
          { symbol: "ETH", amount: "1" },
          { symbol: "USDC", amount: "1000" },
        ],
      },
      balances: {
        ...{ status: "known", account: from, block: "24000000", fee_included: false, complete: true },
        assets: [
          {
            ...{ kind: "token", symbol: "USDC", address: usdc, decimals: 6 },
            ...{ before: "1000000000", after: "900000000", measured: true },
          },
        ],
      },
    });
  });

  describe("settles amounts that depend on the chain", () => {
    const half = 500n * million;
    const transferring = async (words: string, amount: bigint, held = 1_000n * million) => {
      const call = { data: transferData(amount) };
      return ask({
        human_intent: `${words} to ${friend}`,
        proposed_tx: { to: usdc, ...call },
        metadata: { ...metadata(), state: await aState({ call, held }) },
      });
    };
    test.each([
      ["Send all my USDC", 1_000n * million, "all USDC (1,000 USDC)"],
      ["Send half of my USDC", half, "50 % of your USDC (500 USDC)"],
      ["Send 25% of my USDC", 250n * million, "25 % of your USDC (250 USDC)"],
      ["Send all my USDC", 1_000n * million - 50_000n, "all USDC (1,000 USDC)"],
    ])("%s: %s base units match, and the report names the amount", async (words, amount, asked) => {
      const verdict = await transferring(words, amount);
      expect(verdict).toMatchObject({ decision: "PASS", assessment: { kind: "entailed" } });
      expect(JSON.stringify(verdict)).toContain(asked);
    });
    test.each([
      ["Send all my USDC", 900n * million],
      ["Send half of my USDC", 501n * million],
      ["Send 25% of my USDC", half],
    ])("%s: %s base units differ", async (words, amount) => {
      const verdict = await transferring(words, amount);
      expect(verdict).toMatchObject({ decision: "REJECT", assessment: { kind: "contradicted" } });
      expect(failed(verdict)).toContain("intent_alignment.percent_all_match");
    });
    test("with the proven balance, not the one that the caller sent", async () => {
      const call = { data: transferData(half) };
      const request = {
        human_intent: `Send half of my USDC to ${friend}`,
        proposed_tx: { to: usdc, ...call },
        metadata: { ...metadata(), balances: { USDC: "10" }, state: await aState({ call }) },
      };
      expect(await ask(request)).toMatchObject({ decision: "PASS" });
    });
    test("and does not settle them without a state, or on one where the call fails", async () => {
      const call = { data: transferData(half) };
      const request = {
        human_intent: `Send half of my USDC to ${friend}`,
        proposed_tx: { to: usdc, ...call },
        metadata: metadata(),
      };
      expect(await ask(request)).toMatchObject({ assessment: { kind: "not_checked" } });
      expect(await transferring("Send half of my USDC", half, 1n)).toMatchObject({ decision: "REJECT" });
    });
  });

  test("reports the native balance without the fee", async () => {
    const value = `0x${(10n ** 17n).toString(16)}` as const;
    const state = await aState({ call: { to: friend, data: "0x", value } });
    const verdict = await ask({
      human_intent: `Send 0.1 ETH to ${friend}`,
      proposed_tx: { to: friend, value },
      metadata: { ...metadata(), state },
    });
    expect(verdict.decision).toBe("PASS");
    expect(verdict.context["balances"]).toMatchObject({
      fee_included: false,
      assets: [{ kind: "native", before: String(10n ** 18n), after: String(9n * 10n ** 17n) }],
    });
  });

  test.each<[string, string, object]>([
    ["keeps a fee of what arrives", "FeeToken", { before: "1000000000", after: "900000000", measured: true }],
    [
      "logs a transfer and moves nothing",
      "LyingToken",
      { before: "1000000000", after: "1000000000", measured: true },
    ],
    ["grows with time", "RebasingToken", { before: "1120000000", after: "1020000000", measured: true }],
    ["does not answer", "MuteToken", { before: null, after: null, measured: false }],
    ["stops answering", "FallingSilentToken", { before: "1000000000", after: null, measured: false }],
    ["logs nothing", "SilentToken", { before: "1000000000", after: "900000000", measured: true }],
  ])("reports only balances that a token confirms: one that %s", async (_, contract, asset) => {
    const { context } = await ask(aRequest(await aState({ contract })));
    expect(context["balances"]).toMatchObject({ status: "known", assets: [asset] });
  });

  test.each<[string, Parameters<typeof aState>[0], string]>([
    ["behaves differently in another block", { contract: "WatchedToken" }, "in another block"],
    ["fails", { held: 40n * million }, "fails"],
    ["is not executed", { native: 10n ** 12n }, "cannot pay"],
  ])("reports no balances for a transaction that %s", async (_, given, why) => {
    const { context } = await ask(aRequest(await aState(given)));
    expect(context["balances"]).toEqual({ status: "unknown", why: expect.stringContaining(why) as string });
  });

  test("gives the same answer again, and another hash if a byte of the state changes", async () => {
    const state = await aState();
    const stable = ({ context, ...verdict }: Verdict) => ({
      ...verdict,
      context: { ...context, duration_ms: 0 } as Verdict["context"],
    });
    const first = stable(await ask(aRequest(state)));
    expect(stable(await ask(aRequest(JSON.parse(JSON.stringify(state)))))).toEqual(first);
    const tip = { ...state, call: { ...state.call, maxPriorityFeePerGas: "0x3b9aca01" } };
    expect(stable(await ask(aRequest(tip))).context).not.toMatchObject({ state: first.context["state"] });
  });

  test("answers without a state as before, and reports none", async () => {
    const verdict = await ask(aRequest(undefined));
    expect(verdict.decision).toBe("PASS");
    expect(checks.map((id) => statusOf(verdict, id))).toEqual(checks.map(() => "SKIP"));
    expect(verdict.context).not.toHaveProperty("state");
    expect(verdict.context).not.toHaveProperty("simulation");
    expect(verdict.context).not.toHaveProperty("balances");
    const { results } = await ask({ ...aRequest(undefined), metadata: { ...metadata(), state: null } });
    expect(results).toEqual(verdict.results);
  });
});

const metadata = () => aRequest(undefined)["metadata"] as Record<string, unknown>;

describe("a transfer that the calldata does not show whole", () => {
  test.each<[string, string, string]>([
    ["a token that keeps a fee", "FeeToken", "technical_invariants.simulated_arrival"],
    ["a token that takes more than it is told", "WatchedToken", "technical_invariants.simulation_result"],
    ["a token that behaves only when watched", "WatchedToken", "adversarial_detection.simulation_evasion"],
    ["a token that grants an allowance", "GrantingToken", "adversarial_detection.simulated_authority"],
    [
      "a token that logs a transfer and moves nothing",
      "LyingToken",
      "technical_invariants.simulated_arrival",
    ],
  ])("is rejected: %s", async (_, contract, check) => {
    const verdict = await ask(aRequest(await aState({ contract })));
    expect(verdict.decision).toBe("REJECT");
    expect(failed(verdict)).toContain(check);
    expect((await ask(aRequest(undefined))).decision).toBe("PASS");
  });

  test("is rejected with both amounts if the account holds too little", async () => {
    const verdict = await ask(aRequest(await aState({ held: 40n * million })));
    expect(verdict).toMatchObject({
      decision: "REJECT",
      primary_failure_node: "technical_invariants.funds_sufficient",
      reason: "The account holds 40 USDC. The transaction sends 100 USDC.",
    });
    expect(failed(verdict)).toContain("technical_invariants.simulation_result");
  });

  test("is rejected if the account cannot pay for the gas", async () => {
    const verdict = await ask(aRequest(await aState({ native: 10n ** 12n })));
    expect(verdict.primary_failure_node).toBe("technical_invariants.funds_sufficient");
    expect(verdict.reason).toContain("The account holds 0.000001 ETH.");
    expect(statusOf(verdict, "technical_invariants.simulation_result")).toBe("SKIP");
  });

  test("is rejected if it sends 950 ether from an account with ten", async () => {
    const value = `0x${(950n * 10n ** 18n).toString(16)}` as const;
    const state = await aState({ native: 10n ** 19n, call: { to: friend, data: "0x", value } });
    const verdict = await ask({
      human_intent: `Send 950 ETH to ${friend}`,
      proposed_tx: { to: friend, value },
      metadata: { ...metadata(), state },
    });
    expect(verdict.reason).toContain("The account holds 10 ETH. The transaction sends 950 ETH");
  });
});

describe("a state that is not proven", () => {
  const changed = (change: (state: Witness) => unknown) => async () => change(await aState());
  test.each<[string, () => Promise<unknown>, string]>([
    [
      "another balance",
      changed((state) => {
        const accounts = {
          ...state.accounts,
          [from]: { ...state.accounts[from], balance: "0xde0b6b3a7640001" },
        };
        return { ...state, accounts };
      }),
      "the balance of",
    ],
    [
      "another slot",
      changed((state) => {
        const account = state.accounts[usdc];
        const [slot = "0x"] = Object.keys(account?.storage ?? {});
        return {
          ...state,
          accounts: { ...state.accounts, [usdc]: { ...account, storage: { [slot]: "0x77" } } },
        };
      }),
      "is not proven",
    ],
    ["another code", changed((state) => ({ ...state, codes: codesOf(state, "0x00") })), "has another hash"],
    ["a missing trie node", changed((state) => ({ ...state, nodes: state.nodes.slice(1) })), "not proven"],
    [
      "another block",
      changed((state) => ({ ...state, blockHash: `0x${"5e".repeat(32)}` })),
      "not that of block",
    ],
    [
      "a missing account",
      changed(({ accounts: { [friend]: _, ...accounts }, ...state }) => ({ ...state, accounts })),
      "incomplete",
    ],
    ["another version", changed((state) => ({ ...state, version: 2 })), "unknown version"],
    ["a member that is not known", changed((state) => ({ ...state, hint: "send it all" })), "malformed"],
    ["a text", async () => "trust me", "malformed"],
    ["a number", async () => 1, "malformed"],
  ])("leaves the verdict open: %s", async (_, state, because) => {
    const verdict = await ask(aRequest(await state()));
    expect(verdict).toMatchObject({
      decision: "REJECT",
      primary_failure_node: "technical_invariants.state_proven",
      assessment: { kind: "not_checked", missing: [{ what: "state" }] },
      context: { state: { status: "refused" }, simulation: null, balances: { status: "unknown" } },
    });
    expect(verdict.reason).toContain(because);
    expect(failed(verdict)).toEqual([]);
  });

  test.each<[string, (request: ReturnType<typeof aRequest>) => Record<string, unknown>, string]>([
    [
      "another call",
      (request) => ({ ...request, proposed_tx: { to: usdc, data: transferData(99n * million) } }),
      "calldata",
    ],
    [
      "another target",
      (request) => ({ ...request, proposed_tx: { to: friend, data: transferData(100n * million) } }),
      "target",
    ],
    [
      "another value",
      (request) => ({ ...request, proposed_tx: { ...(request["proposed_tx"] as object), value: "1" } }),
      "value",
    ],
    [
      "another gas limit",
      (request) => ({ ...request, proposed_tx: { ...(request["proposed_tx"] as object), gas: "90000" } }),
      "gas limit",
    ],
    [
      "another sender",
      (request) => ({ ...request, metadata: { ...(request["metadata"] as object), from: friend } }),
      "sender",
    ],
    [
      "another chain",
      (request) => ({ ...request, metadata: { ...(request["metadata"] as object), chain_id: 8453 } }),
      "chain",
    ],
    [
      "an old block",
      (request) => ({ ...request, metadata: { ...(request["metadata"] as object), now: blockTime + 601 } }),
      "601 seconds old",
    ],
    [
      "a block from the future",
      (request) => ({ ...request, metadata: { ...(request["metadata"] as object), now: blockTime - 121 } }),
      "121 seconds ahead",
    ],
    [
      "two calls",
      (request) => ({
        ...request,
        proposed_tx: { transactions: [request["proposed_tx"], { to: friend, value: "1" }] },
      }),
      "is for 1 call, and the transaction has 2 calls",
    ],
  ])("of this transaction leaves the verdict open: %s", async (_, change, because) => {
    const verdict = await ask(change(aRequest(await aState())));
    expect(verdict.decision).toBe("REJECT");
    expect(verdict.context["state"]).toMatchObject({ status: "refused" });
    expect((verdict.context["state"] as { why: string }).why).toContain(because);
    expect(verdict.results["technical_invariants.state_proven"]).toMatchObject({
      details: { skip_kind: "not_checked" },
    });
  });

  test("does not hide a difference", async () => {
    const request = { ...aRequest("nothing"), human_intent: `Send 5 USDC to ${friend}` };
    expect(await ask(request)).toMatchObject({
      assessment: { kind: "contradicted" },
      primary_failure_node: "intent_alignment.amount_match",
    });
  });
});

const codesOf = ({ codes }: Witness, code: string) =>
  Object.fromEntries(Object.keys(codes).map((hash) => [hash, code]));
