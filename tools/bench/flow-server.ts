// Runs one durable flow of four empty steps twice over: through our harness with its row in the record, and bare.
import { createServer } from "node:http2";
import * as restate from "@restatedev/restate-sdk";
import { systemClock } from "@countersign/platform/clock";
import { makeLog } from "@countersign/platform/log";
import { connectDatabase } from "../../apps/api/src/platform/db/connect.ts";
import { defineDurableFlow, makeFlowStore } from "../../apps/api/src/platform/flows/index.ts";

const [, , databaseUrl = "", port = ""] = process.argv;
const log = makeLog({ app: "bench", level: "silent" });
const store = makeFlowStore(connectDatabase({ url: databaseUrl, poolSize: 8, log }).db);
const steps = ["one", "two", "three", "four"];

const harness = defineDurableFlow(
  {
    name: "Harness",
    run: async ({ step }) => {
      for (const name of steps) await step(name, () => Promise.resolve(name));
    },
  },
  { store, clock: systemClock },
);
const bare = restate.workflow({
  name: "Bare",
  handlers: {
    run: async (context: restate.WorkflowContext): Promise<void> => {
      for (const name of steps) await context.run(name, () => name);
    },
  },
});
const handler = restate.createEndpointHandler({
  services: [harness.definition, bare],
  logger: () => undefined,
});
createServer(handler).listen(Number(port), "127.0.0.1");
