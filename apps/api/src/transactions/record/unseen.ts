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

/** For a signature: EXECUTED means that it was released. */
export const signatureNotice =
  "A signature is a deferred transaction: anyone who holds it can use it until it expires. We record when it is released, not whether it is used.";
