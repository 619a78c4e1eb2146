// Describes a transaction as a request: at a validator, or at the main service.
import { makeHttp, type Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import type { Call, Description, Hex } from "./types.ts";
import type { ValidateOptions } from "./validate.ts";

/** A transaction to describe. */
export type ToDescribe = {
  readonly tx: Call;
  /** Without it the sentence names no chain. */
  readonly chainId?: number;
  /** The account that would sign it: “my wallet” in the sentence. */
  readonly from?: Hex;
  /** The user's names of addresses. A name of one word is written next to its address. */
  readonly knownAddresses?: readonly { readonly address: Hex; readonly label: string }[];
};

/** Calls about transactions that are not proposed yet. */
export type Descriptions = {
  /**
   * Returns the request that asks for exactly this transaction: show it to the user, have it signed, and propose with it. If
   * there is none, `request` is null and `why` gives the reason. Records nothing, and is not a verdict.
   */
  readonly describe: (transaction: ToDescribe, options?: RequestOptions) => Promise<Description>;
};

const callOf = ({ to, value = 0n, data = "0x" }: Call) => ({ to, value: value.toString(), data });

export const makeDescriptions = (http: Http): Descriptions => ({
  describe: async ({ tx, ...more }, { signal } = {}) => {
    const body = { tx: callOf(tx), ...more };
    return (await http<Description>("/public/describe", { method: "POST", isRepeatable: true, body, signal }))
      .body;
  },
});

/**
 * Describes a transaction with a validator, without an account.
 *
 * @example
 * const { request, why } = await describe({ tx: { to, value: 10n ** 18n }, chainId: 8453, from }, { url });
 * console.log(request ?? why); // Send 1 ETH to 0x… on Base.
 */
export async function describe(transaction: ToDescribe, options: ValidateOptions): Promise<Description> {
  const { tx, chainId, from, knownAddresses } = transaction;
  const { body } = await makeHttp(options)<Description>("/public/describe", {
    // The validator is stateless, so the call is idempotent.
    ...{ method: "POST", isRepeatable: true, signal: options.signal },
    // Absent members are not sent.
    body: {
      proposed_tx: callOf(tx),
      metadata: { chain_id: chainId, from, known_addresses: knownAddresses },
    },
  });
  return body;
}
