// Quorums at the wallet provider, and how its refusals and outages are answered.
import { newId } from "@countersign/platform/ids";
import { ProviderRefused, type WalletProvider } from "../adapters/wallet-provider/index.ts";
import { quorumErrors } from "./errors.ts";
import type { Wish } from "./quorum.ts";

type Quorums = Pick<WalletProvider, "createQuorum" | "updateQuorum" | "deleteQuorum">;

export type AtProvider = {
  /** Creates a quorum and returns its id. The same idempotency key gives the same quorum. */
  readonly create: (wish: Wish, idempotencyKey?: string) => Promise<string>;
  /** Returns the quorum's id. If we may not change the quorum, or it no longer exists, it is replaced by a new one. */
  readonly change: (quorumId: string, wish: Wish) => Promise<string>;
  /** Deletes the quorum. One that only its members may delete stays; a missing one is not an error. */
  readonly remove: (quorumId: string) => Promise<void>;
};

/**
 * Only members may change a quorum. If our key is not a member, or the quorum is gone, the request itself is
 * still valid.
 */
const isNotOurs = (error: unknown): boolean =>
  error instanceof ProviderRefused && [401, 403, 404].includes(error.status);

/** The provider's text stays out of the answer. The client can act on a refusal, but not on other failures. */
function explain(error: unknown): never {
  // Wrong credentials of this service are for the operator to fix, not for the client.
  const isAboutWish = error instanceof ProviderRefused && ![401, 403].includes(error.status);
  throw isAboutWish ? quorumErrors.refused({ cause: error }) : quorumErrors.unavailable({ cause: error });
}

export function askProvider(provider: Quorums): AtProvider {
  const create: AtProvider["create"] = async (wish, idempotencyKey) =>
    (await provider.createQuorum(wish, idempotencyKey).catch(explain)).id;
  return {
    create,
    change: async (quorumId, wish) => {
      const isChanged = await provider.updateQuorum(quorumId, wish).then(
        () => true,
        (error: unknown) => (isNotOurs(error) ? false : explain(error)),
      );
      return isChanged ? quorumId : create(wish);
    },
    remove: (quorumId) =>
      provider
        .deleteQuorum(quorumId)
        .catch((error: unknown) => (isNotOurs(error) ? undefined : explain(error))),
  };
}

/** Without a provider, a quorum is only a name for some keys, and nothing is sent with it. */
export const withoutProvider: AtProvider = {
  create: (_wish, idempotencyKey) => Promise.resolve(idempotencyKey ?? newId()),
  change: (quorumId) => Promise.resolve(quorumId),
  remove: () => Promise.resolve(),
};
