// Answers the verification service's question about many proposals at once, before it checks them.
import type { TransactionStore } from "../store/index.ts";
import type { Hex } from "../transaction.ts";

type Parts = { readonly store: Pick<TransactionStore, "listStandings" | "listExecutedCalls"> };

type Verification = {
  readonly requestHash: Hex;
  readonly status: "unknown" | "open" | "decided";
  readonly attestation: unknown;
  readonly traceparent: string | null;
  readonly executed: readonly { readonly to: Hex; readonly data: Hex }[];
};

export type ReadStandings = (requestHashes: readonly Hex[]) => Promise<readonly Verification[]>;

/** In the order of the request hashes. */
export const makeReadStandings =
  ({ store }: Parts): ReadStandings =>
  async (requestHashes) => {
    const found = new Map((await store.listStandings(requestHashes)).map((one) => [one.requestHash, one]));
    const open = [...found.values()].filter(({ isDecided }) => !isDecided);
    const calls = open.length === 0 ? [] : await store.listExecutedCalls(open.map(({ escrow }) => escrow));
    const byAccount = Map.groupBy(calls, ({ account }) => account);
    return requestHashes.map((requestHash) => {
      const standing = found.get(requestHash);
      if (standing === undefined)
        return { requestHash, status: "unknown", attestation: null, traceparent: null, executed: [] };
      const { escrow, isDecided, attestation, traceparent } = standing;
      const executed = isDecided ? [] : (byAccount.get(escrow) ?? []);
      return {
        ...{ requestHash, attestation, traceparent, status: isDecided ? "decided" : "open" },
        executed: executed.map(({ to, data }) => ({ to, data })),
      };
    });
  };
