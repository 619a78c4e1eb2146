import fc from "fast-check";
import { expect } from "vitest";
import { isTerminal } from "../../../src/transactions/lifecycle.ts";
import { commands, type Real } from "./sending-commands.ts";
import type { SendingModel, Vault } from "./sending-model.ts";
import type { ExecutionStage, Owner } from "./harness.ts";

type Size = {
  readonly runs: number;
  /** On average: some runs are short, some twice as long. */
  readonly commandsEach: number;
  readonly seed: number;
};

type Tally = { commands: number; proposed: number; begun: number; orders: number };

export type Owners = Readonly<Record<Vault, Owner>>;

export const asItIs = (harness: ExecutionStage): Real => ({
  harness,
  execute: harness.execute,
  askAsAdmin: async (asked) =>
    (await harness.post("/custody/admin/transactions", { "x-api-key": harness.keys.admin }, asked))
      .statusCode,
});

async function readCurrent({ client }: ExecutionStage, { vault }: Owner): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    "select id from custody_integrations where wallet = $1 and replaced_at is null",
    [vault],
  );
  return rows[0]?.id ?? "";
}

/** Ends all proposals, so that the wallets are free for the next run. */
async function end(harness: ExecutionStage, { proposed }: SendingModel): Promise<void> {
  await harness.tidyUp();
  for (const { requestHash } of proposed)
    if (!isTerminal(await harness.find(requestHash)))
      await harness.transition.change({ requestHash }, () => ({ events: ["withdraw", "expireReady"] }));
}

/** Compares what left the wallets with the custodian's orders, each once. */
async function checkChain(harness: ExecutionStage, owners: Owners): Promise<void> {
  const orders = harness.custodian.accepted();
  for (const { vault } of Object.values(owners)) {
    const sent = await harness.sentFrom(vault);
    expect(new Set(sent.map(({ value }) => value)).size).toBe(sent.length);
    for (const { to, value, data, hash } of sent)
      expect(
        orders.some(
          (order) => order.txHash === hash && order.to === to && order.value === value && order.data === data,
        ),
      ).toBe(true);
  }
}

/** Runs random commands, and checks after each that nothing was sent without permission. */
export async function holdSending(
  real: Real,
  owners: Owners,
  { runs, commandsEach, seed }: Size,
): Promise<Tally> {
  const { harness } = real;
  const tally: Tally = { commands: 0, proposed: 0, begun: 0, orders: 0 };
  const counted = commands.map((arbitrary) =>
    arbitrary.map((command) => ({
      ...command,
      run: async (model: SendingModel, given: Real) => {
        tally.commands += 1;
        await command.run(model, given);
      },
    })),
  );
  await fc.assert(
    fc.asyncProperty(fc.commands(counted, { maxCommands: 2 * commandsEach, size: "max" }), async (chosen) => {
      const before = harness.custodian.accepted().length;
      const current = {
        agent: await readCurrent(harness, owners.agent),
        execution: await readCurrent(harness, owners.execution),
      };
      const model: SendingModel = { owners, proposed: [], current, seen: before };
      try {
        await fc.asyncModelRun(() => ({ model, real }), chosen);
      } finally {
        await end(harness, model);
      }
      tally.proposed += model.proposed.length;
      tally.begun += model.proposed.filter(({ senderId }) => senderId !== undefined).length;
      tally.orders += harness.custodian.accepted().length - before;
    }),
    // Unbiased, because short runs show little. Not shrunk: each run costs seconds, and the seed repeats it.
    { numRuns: runs, seed, unbiased: true, endOnFailure: true, includeErrorInReport: true },
  );
  await checkChain(harness, owners);
  return tally;
}
