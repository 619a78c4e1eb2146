// The measure for a proposal on its way to a verdict: as many steps that do nothing, through the engine and back.
import { createServer } from "node:http2";
import * as restate from "@restatedev/restate-sdk";

const [, , port = ""] = process.argv;

const idle = restate.workflow({
  name: "Idle",
  handlers: {
    run: async (context: restate.WorkflowContext, { steps }: { readonly steps: number }): Promise<void> => {
      for (let step = 1; step <= steps; step++) await context.run(`step ${step}`, () => step);
    },
  },
});
const handler = restate.createEndpointHandler({ services: [idle], logger: () => undefined });
createServer(handler).listen(Number(port), "127.0.0.1");
