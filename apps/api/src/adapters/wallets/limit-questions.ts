import type { SignatureState, SignedText, SignedTypedData, Wallets } from "./wallets.ts";

/**
 * A contract wallet's signature costs calls to a node that the operator pays for. Limited per minute and IP
 * address across all endpoints. Where a request may mean one of several texts, each text counts.
 */
export const contractWalletLimit = { max: 10, per: "ip", counts: "contract wallets" } as const;

export type LimitedWallets = {
  /** Checks whether the owner of this address signed exactly this text. Throws if that IP address asked too often. */
  readonly verifyText: (signed: SignedText & { readonly ip: string }) => Promise<SignatureState>;
  /** The same for typed data. */
  readonly verifyTypedData: (signed: SignedTypedData & { readonly ip: string }) => Promise<SignatureState>;
};

/** The wallets for endpoints: callers pass the client's IP address, and plain wallets are never counted. */
export const limitQuestions = (
  { verifyText, verifyTypedData }: Wallets,
  /** Throws above the limit. */
  countQuestion: (ip: string) => Promise<unknown>,
): LimitedWallets => ({
  verifyText: ({ ip, ...signed }) => verifyText(signed, () => countQuestion(ip)),
  verifyTypedData: ({ ip, ...signed }) => verifyTypedData(signed, () => countQuestion(ip)),
});
