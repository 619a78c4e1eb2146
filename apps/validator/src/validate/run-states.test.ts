import { afterAll, describe, expect, test, vi } from "vitest";
import { loadConfig } from "@countersign/platform/config";
import { buildWitness, coinbase, from, to } from "../../../../packages/evm/test/build-witness.ts";
import { Config } from "../config.ts";
import { aState } from "../../test/state.ts";
import { aLog } from "../../test/validate.ts";
import type { Hex } from "../proposal.ts";
import { makeStateRunner, type StateRunner } from "./run-states.ts";

const patient = 120_000;
const { log } = aLog();
const made: StateRunner[] = [];
afterAll(() => Promise.all(made.map((runner) => runner.close())));

async function startRunner(given: Record<string, string>): Promise<StateRunner> {
  const runner = makeStateRunner({ config: loadConfig(Config, given), log });
  made.push(runner);
  await runner.start();
  return runner;
}

/** The state of a call to this code, with all the gas of a transaction. */
const callOf = (code: Hex) =>
  buildWitness({
    accounts: { [from]: { balance: 10n ** 21n }, [coinbase]: { balance: 1n }, [to]: { nonce: 1n, code } },
    call: { data: "0x12345678", gas: "0x1000000" },
  });
/** JUMPDEST, PUSH0, JUMP: without end. */
const loop: Hex = "0x5b5f56";
/** JUMPDEST, then KECCAK256 of 1 MB, again and again: few jumps, much time. */
const hashing: Hex = "0x5b620fffff5f205f5f56";

describe("a state that takes too long", { timeout: patient }, () => {
  test("is refused by the number of its jumps", async () => {
    const { run } = await startRunner({ SIMULATE_CPU_MS: "60000" });
    expect(await run(await callOf(loop))).toMatchObject({
      status: "refused",
      why: "The simulation was stopped: more than 1000000 jumps and calls.",
    });
  });

  test("is stopped at its budget, and the next one is executed", async () => {
    const { run, pool } = await startRunner({ SIMULATE_CPU_MS: "600" });
    for (const code of [loop, hashing])
      expect(await run(await callOf(code))).toEqual({
        ...{ status: "refused", hash: null, why: "The simulation took too long and was stopped." },
      });
    await vi.waitFor(() => {
      expect(pool.threads()).toBe(1);
    }, patient);
    expect(pool.waiting()).toBe(0);
    // A thread that has just started is slow, so this one may be stopped as well.
    const runs = [await run(await aState()), await run(await aState()), await run(await aState())];
    expect(runs.some(({ status }) => status === "ran")).toBe(true);
  });

  test("is ended with its thread if it does not stop", async () => {
    const { run, pool } = await startRunner({ SIMULATE_CPU_MS: "1" });
    expect(await run(await aState())).toMatchObject({ status: "refused" });
    await vi.waitFor(() => {
      expect(pool.threads()).toBe(1);
    }, patient);
    expect(pool.endedThreads()).toBeLessThanOrEqual(1);
  });
});
