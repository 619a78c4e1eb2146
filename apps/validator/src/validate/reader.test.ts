import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "@countersign/platform/clock";
import { loadConfig } from "@countersign/platform/config";
import { bob, payment } from "../../test/some-requests.ts";
import { aLog } from "../../test/validate.ts";
import { Config } from "../config.ts";
import { readSnapshot } from "../lists/index.ts";
import { makeReplayClock, replay } from "../replay/replay.ts";
import { ValidateRequest } from "../request/index.ts";
import { placeProposal, type Proposal } from "../words/readings/parse-proposal.ts";
import { makeChecker, type Checker, type Lane } from "./checker.ts";
import { hashConfiguration } from "./configuration.ts";
import { loadEngine } from "./load-engine.ts";
import type { ProposedReading } from "./reader.ts";
import type { Verdict } from "./validate.ts";

// Loading an engine takes seconds of CPU time, and minutes where others use the machine.
const patient = 240_000;
const version = "test";

const story = "Last month I sent him 0.3 ETH.";
const text = `${story} Send 0.1 ETH to ${bob}.`;
const proposal: Proposal = {
  version: 1,
  steps: [{ act: "pay" }],
  pieces: [
    { text: story, as: "story" },
    { text: "Send", as: "act", step: 0 },
    { text: "0.1 ETH", as: "amount", step: 0 },
    { text: "to", as: "frame", step: 0 },
    { text: `${bob}.`, as: "recipient", step: 0 },
  ],
};
const right = placeProposal(proposal, text);
const wrong: ProposedReading | null = right && {
  ...right,
  pieces: right.pieces.map((piece) => (piece.as === "recipient" ? { ...piece, as: "spender" } : piece)),
};

const { log } = aLog();
const shipped = readSnapshot(null, { now: BigInt(Math.floor(Date.now() / 1000)), keys: [] });
const config = loadConfig(Config, { VALIDATE_WORKERS: "1", VALIDATE_CPU_MS: "60000" });

const asked: string[] = [];
let answer: ProposedReading | null = null;
const reader = {
  by: { model: "stand-in", prompt: 1 },
  propose: (said: string) => {
    asked.push(said);
    return Promise.resolve(answer);
  },
};

let checker: Checker;
beforeAll(async () => {
  const parts = { config, version, clock: systemClock, log, semantic: null, reader, lists: () => shipped };
  checker = makeChecker(parts);
  await checker.start();
}, patient);
afterAll(() => checker.close());
beforeEach(() => {
  asked.length = 0;
  answer = right;
});

const requestOf = (said: string) => ({ ...payment, human_intent: said });
const check = (said: string, lane: Lane = "ordinary", more: object = {}): Promise<Verdict> =>
  checker.check(ValidateRequest.parse({ ...requestOf(said), ...more }), lane);

/** Without what differs between two verdicts on the same request. */
function lasting({ context, ...verdict }: Verdict): unknown {
  const { duration_ms: _, inputs, ...rest } = context;
  const { at: _at, reading: _reading, ...named } = inputs as Record<string, unknown>;
  return { ...verdict, context: { ...rest, inputs: named } };
}

describe("a request that was not understood", () => {
  test("passes with a reading that the kernel accepts, which the report names", async () => {
    const verdict = await check(text);
    expect(verdict).toMatchObject({ decision: "PASS", assessment: { kind: "entailed" }, llm_calls: 0 });
    expect(verdict.context["inputs"]).toMatchObject({
      reading: { model: "stand-in", prompt: 1, proposal: right },
    });
    expect(asked).toEqual([text]);
  });

  test("has the verdict that it has without a model, if the proposal is wrong or there is none", async () => {
    answer = null;
    const without = await check(text);
    expect(without).toMatchObject({ decision: "REJECT", assessment: { kind: "not_understood" } });
    expect(without.context["inputs"]).not.toHaveProperty("reading");
    answer = wrong;
    expect(lasting(await check(text))).toEqual(lasting(without));
  });

  test("is still compared with the transaction", async () => {
    const other = { proposed_tx: { ...payment.proposed_tx, value: "300000000000000000" } };
    expect(await check(text, "ordinary", other)).toMatchObject({ decision: "REJECT" });
  });

  test("of an anonymous caller is not shown to the model", async () => {
    expect(await check(text, "public")).toMatchObject({ decision: "REJECT" });
    expect(asked).toEqual([]);
  });
});

test("the model is not asked about a request that was understood, or that a critical failure decides", async () => {
  expect(await check(payment.human_intent)).toMatchObject({ decision: "PASS" });
  const thief = { proposed_tx: { ...payment.proposed_tx, to: "0x00000000000000000000000000000000deadbeef" } };
  expect(await check(payment.human_intent, "ordinary", thief)).toMatchObject({ decision: "REJECT" });
  expect(asked).toEqual([]);
});

describe("a replay", () => {
  const repeat = async (verdict: Verdict, reading: (recorded: object) => object) => {
    const report = JSON.parse(JSON.stringify(verdict)) as Verdict;
    const inputs = report.context["inputs"] as { readonly reading: object };
    const changed = { ...inputs, reading: reading(inputs.reading) };
    const bundle = {
      request: requestOf(text),
      report: { ...report, context: { ...report.context, inputs: changed } },
    };
    const clock = makeReplayClock(systemClock.now());
    const engine = await loadEngine({ config, version, clock, log });
    const configuration = hashConfiguration(config, shipped);
    const parts = { engine, clock, configuration, requiresState: false, requiresSecondEngine: false };
    return replay(JSON.stringify(bundle), parts);
  };

  test("uses the recorded reading and asks no model", { timeout: patient }, async () => {
    const verdict = await check(text);
    asked.length = 0;
    expect(await repeat(verdict, (recorded) => recorded)).toMatchObject({
      outcome: "identical",
      decision: "PASS",
    });
    expect(await repeat(verdict, (recorded) => ({ ...recorded, proposal: wrong }))).toMatchObject({
      outcome: "differs",
    });
    expect(
      await repeat(verdict, (recorded) => ({ ...recorded, proposal: { version: 2, steps: [], pieces: [] } })),
    ).toMatchObject({ outcome: "cannot", why: expect.stringContaining("does not know") as string });
    expect(asked).toEqual([]);
  });
});
