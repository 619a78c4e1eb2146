import { LRUCache } from "lru-cache";
import type { Clock } from "@countersign/platform/clock";
import { isId } from "@countersign/platform/ids";
import type { Log } from "@countersign/platform/log";
import type { ReadClientDocument } from "../adapters/client-documents/index.ts";
import type { Client, FindClient } from "./client.ts";
import { freshSecondsOf, isDocumentId, readClientDocument } from "./client-document.ts";
import { oauthErrors } from "./errors.ts";
import type { ClientStore } from "./store/clients.ts";

type Parts = {
  readonly store: Pick<ClientStore, "findDynamic" | "findDocument" | "keepDocument">;
  /** None: then a client is only what was registered here. */
  readonly readDocument: ReadClientDocument | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

/** How long a host that did not answer well is left in peace. */
const failureMs = 30_000;
const failuresAtMost = 1000;
/** Anybody may make us read an address; not so many at once that nothing else gets done. */
const readsAtMost = 16;

/** Those who ask for the same one at the same time share one answer. */
function sharing<T>(find: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (id) => {
    const shared = underWay.get(id) ?? find(id).finally(() => underWay.delete(id));
    underWay.set(id, shared);
    return shared;
  };
}

/** Reads a document anew and keeps it. */
function makeReadAnew({
  store,
  readDocument,
  clock,
  log,
}: Parts & { readonly readDocument: ReadClientDocument }) {
  let underWay = 0;
  const failedAt = new LRUCache<string, number>({ max: failuresAtMost });
  const readOnce = async (id: string): Promise<Client | undefined> => {
    let client: Client;
    let freshSeconds: number;
    try {
      const { document, cacheControl } = await readDocument(id);
      client = readClientDocument(id, document);
      freshSeconds = freshSecondsOf(cacheControl);
    } catch (error) {
      failedAt.set(id, clock.now().getTime());
      log.info("a client's metadata document could not be had", { address: new URL(id).host, error });
      return undefined;
    }
    failedAt.delete(id);
    await store.keepDocument(client, freshSeconds);
    return client;
  };
  /** Undefined if it cannot be had, or could not a moment ago. */
  return async function readAnew(id: string): Promise<Client | undefined> {
    if (clock.now().getTime() - (failedAt.get(id) ?? -Infinity) < failureMs) return undefined;
    if (underWay >= readsAtMost) return undefined;
    underWay += 1;
    try {
      return await readOnce(id);
    } finally {
      underWay -= 1;
    }
  };
}

/** The client of an id: registered here, or named by the address of a document that says what it is. */
export function makeFindClient({ readDocument, ...parts }: Parts): FindClient {
  const { store } = parts;
  const readAnew = readDocument === undefined ? undefined : makeReadAnew({ ...parts, readDocument });
  const findByDocument = sharing(async (id) => {
    const kept = await store.findDocument(id);
    if (kept?.isFresh === true) return kept.client;
    const read = await readAnew?.(id);
    if (read !== undefined) return read;
    // Its server may be down for a while without everybody who uses the client being sent away.
    if (kept?.isUsable === true) return kept.client;
    throw oauthErrors.documentUnavailable();
  });
  return async (id) => {
    if (isId(id)) return store.findDynamic(id);
    return readAnew === undefined || !isDocumentId(id) ? undefined : findByDocument(id);
  };
}
