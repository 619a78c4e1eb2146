import * as restate from "@restatedev/restate-sdk";

export const probeName = (app: string): string => `${app}-probe`;

/** Makes a real call through the engine. An engine that reports healthy may still have no worker. */
export const makeProbe = (app: string): ReturnType<typeof restate.service> =>
  restate.service({
    name: probeName(app),
    handlers: { answer: async (_context: restate.Context): Promise<string> => "here" },
    // No retries: the caller has timed out by then, and calls would pile up while the worker is down.
    options: { retryPolicy: { maxAttempts: 1, onMaxAttempts: "kill" } },
  });
