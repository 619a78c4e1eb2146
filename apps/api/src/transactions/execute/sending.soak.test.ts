// The same as sending.system.test.ts at full size. `SENDING_SEED=… npm run soak` repeats a run.
import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { asItIs, holdSending } from "../../../test/transactions/execute/sending-run.ts";
import { setExecutionStage } from "../../../test/transactions/execute/harness.ts";

const seed = Number(process.env["SENDING_SEED"] ?? randomInt(2 ** 31));

// A session lasts 15 minutes, so the tests do not share a harness.
const shares = Array.from({ length: 5 }, (_, share) => share);

test.each(shares)(
  `40 runs of 40 random commands send nothing that was not allowed (SENDING_SEED=${seed}, share %i)`,
  async (share) => {
    const harness = await setExecutionStage();
    try {
      const owners = { agent: await harness.anOwner("agent"), execution: await harness.anOwner("execution") };
      const size = { runs: 40, commandsEach: 40, seed: seed + share };
      const tally = await holdSending(asItIs(harness), owners, size);
      console.log(`SENDING_SEED=${seed}, share ${share}: ${JSON.stringify(tally)}`);
      expect(tally.orders).toBeGreaterThan(10);
    } finally {
      await harness.close();
    }
  },
);
