import type { SignatureState, SignedText, SignedTypedData, Wallets } from "./wallets.ts";

/**
 * A contract wallet's signature cannot be checked here: each costs calls to a node that somebody pays for. So many a minute
 * for each address of the network, in all endpoints together; each text by itself where a request may mean one of several.
 */
export const contractWalletLimit = { max: 10, per: "ip", counts: "contract wallets" } as const;

export type LimitedWallets = {
  /** Did the owner of this address sign exactly this text? Throws when that address of the network asked too often. */
  readonly verifyText: (signed: SignedText & { readonly ip: string }) => Promise<SignatureState>;
  /** The same for typed data. */
  readonly verifyTypedData: (signed: SignedTypedData & { readonly ip: string }) => Promise<SignatureState>;
};

/** The wallets as endpoints use them: whoever asks says for whom, and plain wallets are never counted. */
export const limitQuestions = (
  { verifyText, verifyTypedData }: Wallets,
  /** Throws when it is one too many. */
  countQuestion: (ip: string) => Promise<unknown>,
): LimitedWallets => ({
  verifyText: ({ ip, ...signed }) => verifyText(signed, () => countQuestion(ip)),
  verifyTypedData: ({ ip, ...signed }) => verifyTypedData(signed, () => countQuestion(ip)),
});
