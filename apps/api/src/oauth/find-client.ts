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
  /** Undefined: only registered clients are known. */
  readonly readDocument: ReadClientDocument | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

/** How long a host that failed is not asked again. */
const failureMs = 30_000;
const failuresAtMost = 1000;
/** Anyone can make us fetch a URL, so concurrent fetches are limited. */
const readsAtMost = 16;

/** Concurrent requests for the same id share one answer. */
function sharing<T>(find: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (id) => {
    const shared = underWay.get(id) ?? find(id).finally(() => underWay.delete(id));
    underWay.set(id, shared);
    return shared;
  };
}

/** Fetches a document again and stores it. */
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
      log.info("client metadata document not available", { address: new URL(id).host, error });
      return undefined;
    }
    failedAt.delete(id);
    await store.keepDocument(client, freshSeconds);
    return client;
  };
  /** Returns undefined if it is unavailable, or was a moment ago. */
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

/** Returns the client with that id: registered here, or described by the document at that URL. */
export function makeFindClient({ readDocument, ...parts }: Parts): FindClient {
  const { store } = parts;
  const readAnew = readDocument === undefined ? undefined : makeReadAnew({ ...parts, readDocument });
  const findByDocument = sharing(async (id) => {
    const kept = await store.findDocument(id);
    if (kept?.isFresh === true) return kept.client;
    const read = await readAnew?.(id);
    if (read !== undefined) return read;
    // Its server may be down for a while without locking out the client's users.
    if (kept?.isUsable === true) return kept.client;
    throw oauthErrors.documentUnavailable();
  });
  return async (id) => {
    if (isId(id)) return store.findDynamic(id);
    return readAnew === undefined || !isDocumentId(id) ? undefined : findByDocument(id);
  };
}
