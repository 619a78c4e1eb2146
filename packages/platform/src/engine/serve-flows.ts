import { createServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import * as restate from "@restatedev/restate-sdk";
import type { Log } from "../log/index.ts";
import type { Flow } from "./define-flow.ts";
import { makeProbe } from "./probe.ts";

type Options = {
  readonly app: string;
  readonly flows: readonly Flow[];
  /** Public keys of the engines whose calls are accepted. Never empty: an open endpoint would run any call. */
  readonly identityKeys: readonly [string, ...string[]];
  readonly host: string;
  readonly port: number;
  readonly log: Log;
};

export type FlowServer = { readonly port: number; readonly close: () => Promise<void> };

/**
 * Where the engine calls us to run steps. The library's own listener would bind every interface; this one binds the
 * given address only, and answers 401 to whatever the engine did not sign.
 */
export async function serveFlows({
  app,
  flows,
  identityKeys,
  host,
  port,
  log,
}: Options): Promise<FlowServer> {
  const handler = restate.createEndpointHandler({
    services: [makeProbe(app), ...flows.map(({ definition }) => definition)],
    identityKeys: [...identityKeys],
    logger: ({ level, context }, message: unknown) => {
      // The library declares the levels as an enum that it does not export at run time; their values are these words.
      if (!["warn", "error"].includes(level)) return;
      log.warn("the engine's library says", {
        reason: message instanceof Error ? message.message : String(message),
        ...(context === undefined ? {} : { flow: context.serviceName, key: context.key ?? "" }),
      });
    },
  });
  const server = createServer(handler);
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        // The next worker runs an interrupted step again.
        for (const session of sessions) session.destroy();
      }),
  };
}
