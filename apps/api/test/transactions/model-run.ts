import fc from "fast-check";
import type { Model } from "./model-check.ts";
import { commands } from "./model-commands.ts";
import type { Harness } from "./model-harness.ts";

type Size = {
  readonly runs: number;
  /** On average: some runs are short, some twice as long. */
  readonly commandsEach: number;
  readonly seed: number;
};

/** How much happened, and which events and phases occurred. */
export type Tally = { commands: number; readonly events: Set<string>; readonly phases: Set<string> };

/** Runs random commands on the service and on the model, with a new account for each run. */
export async function holdAgainstModel(harness: Harness, { runs, commandsEach, seed }: Size): Promise<Tally> {
  const tally: Tally = { commands: 0, events: new Set(), phases: new Set() };
  const counted = commands.map((arbitrary) =>
    arbitrary.map((command) => ({
      ...command,
      run: async (model: Model, real: Harness) => {
        tally.commands += 1;
        await command.run(model, real);
      },
    })),
  );
  await fc.assert(
    fc.asyncProperty(fc.commands(counted, { maxCommands: 2 * commandsEach, size: "max" }), async (chosen) => {
      const owner = await harness.anOwner();
      const model: Model = { owner, transactions: [], kept: [], polled: new Map() };
      await fc.asyncModelRun(() => ({ model, real: harness }), chosen);
      for (const { event, phase } of model.transactions.flatMap(({ log }) => log)) {
        tally.events.add(event);
        tally.phases.add(phase);
      }
    }),
    // Unbiased, because the bias favours short runs, which show little.
    { numRuns: runs, seed, unbiased: true },
  );
  return tally;
}
