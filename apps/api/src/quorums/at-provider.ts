// Quorums at the wallet provider, and what becomes of the request when it refuses or is away.
import { newId } from "@countersign/platform/ids";
import { ProviderRefused, type WalletProvider } from "../adapters/wallet-provider/index.ts";
import { quorumErrors } from "./errors.ts";
import type { Wish } from "./quorum.ts";

type Quorums = Pick<WalletProvider, "createQuorum" | "updateQuorum" | "deleteQuorum">;

export type AtProvider = {
  /** What it is called. The same key for idempotency is the same quorum. */
  readonly create: (wish: Wish, idempotencyKey?: string) => Promise<string>;
  /** What it is called from now on: a quorum that we may not change, or that is gone, is replaced by another. */
  readonly change: (quorumId: string, wish: Wish) => Promise<string>;
  /** One that only its members may delete stays there, and one that is gone is gone. */
  readonly remove: (quorumId: string) => Promise<void>;
};

/** A quorum answers to its own members. If our key is not among them, or it is not there, that is no fault of the wish. */
const isNotOurs = (error: unknown): boolean =>
  error instanceof ProviderRefused && [401, 403, 404].includes(error.status);

/** The provider's words stay out of the answer: the client can do something about a refusal, and nothing about the rest. */
function explain(error: unknown): never {
  // Wrong credentials of this service are the operator's to mend, not the client's.
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

/** Without a provider a quorum is a name for a few keys, and nothing is sent with it. */
export const withoutProvider: AtProvider = {
  create: (_wish, idempotencyKey) => Promise.resolve(idempotencyKey ?? newId()),
  change: (quorumId) => Promise.resolve(quorumId),
  remove: () => Promise.resolve(),
};
