import type { Service } from "../service.ts";
import type { ServiceStore } from "./services.ts";

/** How long a service that was switched off in another process may still count in this one. */
const keptMs = 1_000;

type Kept = { readonly services: readonly Service[]; readonly since: number };

/**
 * Caches the services for a second, because every proposal and every verdict asks for one. A change that this process makes
 * takes effect at once. Only a service that can be used is answered from the cache: one that is missing, inactive or without a
 * key is looked up each time, and so is an empty list.
 *
 * For proposals and the acceptance of verdicts. Execution checks the verdict again without a cache.
 */
export function rememberServices(store: ServiceStore): ServiceStore {
  let kept: Kept | undefined;
  /** Concurrent requests share one query. */
  let asked: Promise<readonly Service[]> | undefined;

  const ask = async (): Promise<readonly Service[]> => {
    // Counted from the query: a service may have been switched off elsewhere while the answer was on its way.
    const since = performance.now();
    const question = store.listServices();
    asked = question;
    // False after a change made here: the answer may predate it.
    const isLatest = (): boolean => asked === question;
    try {
      const services = await question;
      if (services.length > 0 && isLatest()) kept = { services, since };
      return services;
    } finally {
      if (isLatest()) asked = undefined;
    }
  };
  const listServices = async (): Promise<readonly Service[]> =>
    kept !== undefined && performance.now() - kept.since < keptMs ? kept.services : (asked ?? ask());

  const forgetAfter = async <T>(change: Promise<T>): Promise<T> => {
    try {
      return await change;
    } finally {
      // Also if it failed: the answer of a change that was committed may have been lost.
      kept = undefined;
      asked = undefined;
    }
  };

  return {
    ...store,
    listServices,
    findService: async (id) => {
      const found = (await listServices()).find((service) =>
        id === undefined ? service.active : service.id === id,
      );
      return found?.active === true && found.armoured !== null ? found : store.findService(id);
    },
    mirror: (...given) => forgetAfter(store.mirror(...given)),
    keepKey: (...given) => forgetAfter(store.keepKey(...given)),
  };
}
