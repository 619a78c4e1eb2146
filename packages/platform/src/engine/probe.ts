import * as restate from "@restatedev/restate-sdk";

export const probeName = (app: string): string => `${app}-probe`;

/** Answers through the engine. An engine that says it is healthy may still have nobody to do the work; this cannot lie. */
export const makeProbe = (app: string): ReturnType<typeof restate.service> =>
  restate.service({
    name: probeName(app),
    handlers: { answer: async (_context: restate.Context): Promise<string> => "here" },
    // Whoever asked has long given up when a retry would come, and while the worker is away the questions would pile up.
    options: { retryPolicy: { maxAttempts: 1, onMaxAttempts: "kill" } },
  });
