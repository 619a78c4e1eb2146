import type { ServerEventBus } from "@modelcontextprotocol/server";
import type { Log } from "@countersign/platform/log";
import type { Tail } from "../events/index.ts";
import { uriOf } from "./resource-uri.ts";

type Parts = { readonly tail: Pick<Tail, "listen">; readonly log: Log };

/**
 * What streams of the 2026 revision hear: the events of the record, whichever process wrote them. Nothing is published here,
 * because whatever changes is in the record already.
 */
export const makeBus = ({ tail, log }: Parts): ServerEventBus => ({
  publish: () => undefined,
  subscribe: (listener) => {
    const listening = tail.listen(({ requestHash }) => {
      listener({ kind: "resource_updated", uri: uriOf(requestHash) });
    });
    listening.catch((error: unknown) => {
      log.warn("a stream hears nothing, because the events could not be read", { error });
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
