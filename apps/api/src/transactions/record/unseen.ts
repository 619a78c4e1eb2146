import type { Shape } from "@countersign/wire";

/** Notices for owners and agents where an execution cannot be seen. */
export const unseen = {
  chain: "We do not watch this chain. Check your wallet before proposing again.",
  gap: "We could not read this chain until the approval expired. Check your wallet before proposing again.",
  contractWallet:
    "This account is a contract wallet, and not every call of such a wallet can be seen. Check your wallet before proposing again.",
} as const;

/** While it can still be executed on a chain that is not watched. */
export const notWatchedNotice =
  "We do not watch this chain: an execution there will not be seen, and nothing is sent through custody.";

/**
 * Notices about proposals that are released, by their shape: EXECUTED means released. `watched` is for released ones whose use the
 * chain shows.
 */
export const releaseNotices = {
  typedData: {
    unwatched:
      "A signature is a deferred transaction: anyone who holds it can use it until it expires. We record when it is released, not whether it is used.",
    watched:
      "A signature is a deferred transaction: anyone who holds it can use it until it expires. We watch the chain for its use.",
  },
  calls: {
    unwatched:
      "A batch counts as executed once it is released to the wallet. We do not see whether the wallet sends it: check your wallet before proposing again.",
    watched:
      "A batch counts as executed once it is released to the wallet. We see it on the chain if the wallet sends all calls in one transaction, in a form that we can read: check your wallet before proposing again.",
  },
  safeTransaction: {
    unwatched:
      "A confirmation is a deferred transaction: with those of the other owners, anyone can have the Safe execute it while its nonce is unused. We record when it is released, not whether the Safe executes it.",
    watched:
      "A confirmation is a deferred transaction: with those of the other owners, anyone can have the Safe execute it while its nonce is unused. We watch the Safe for its execution.",
  },
  message: {
    unwatched:
      "A signed text moves nothing on a chain, and has no expiry there. Anyone who holds it can show that the wallet signed it. We record when it is released, not who sees it.",
    watched: "A signed text moves nothing on a chain.",
  },
  authorizationList: {
    unwatched:
      "An authorization is a deferred transaction: anyone who holds it can have the account run the delegate's code, until the account's nonce is another one. Used once, it is in force until it is revoked. We record when it is released, not whether it is used.",
    watched:
      "An authorization is a deferred transaction: anyone who holds it can have the account run the delegate's code, until the account's nonce is another one. Used once, it is in force until it is revoked. We watch the chain for its use.",
  },
  userOperation: {
    unwatched:
      "A signed user operation is a deferred transaction: anyone who holds it can have it executed while its nonce is unused. We record when it is released, not whether it is executed.",
    watched:
      "A signed user operation is a deferred transaction: anyone who holds it can have it executed while its nonce is unused. We watch the entry point for its execution.",
  },
} as const satisfies Record<Shape, { readonly unwatched: string; readonly watched: string }>;
