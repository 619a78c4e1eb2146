import type { ServerEventBus } from "@modelcontextprotocol/server";
import type { Log } from "@countersign/platform/log";
import type { Tail } from "../events/index.ts";
import { uriOf } from "./resource-uri.ts";

type Parts = { readonly tail: Pick<Tail, "listen">; readonly log: Log };

/**
 * Feeds streams of the 2026 revision with the events in the database, whichever process wrote them.
 * Publishing does nothing, because every change is already in the database.
 */
export const makeBus = ({ tail, log }: Parts): ServerEventBus => ({
  publish: () => undefined,
  subscribe: (listener) => {
    const listening = tail.listen(({ requestHash }) => {
      listener({ kind: "resource_updated", uri: uriOf(requestHash) });
    });
    listening.catch((error: unknown) => {
      log.warn("events not read, stream receives no notifications", { error });
    });
    return () => {
      listening.then(
        ({ stop }) => {
          stop();
        },
        () => undefined,
      );
    };
  },
});
