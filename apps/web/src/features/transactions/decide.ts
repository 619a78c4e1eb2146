// Signs and sends an owner's decision. It counts only once the service has answered.
import type { Approval, Countersign, TransactionView } from "@countersign/sdk";
import type { DecisionMessage } from "@countersign/sdk/viem";
import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../../lib/api.ts";
import { transactionKeys } from "../../lib/live.ts";
import { noteDecided } from "../../lib/session.ts";
import { timeNow } from "../../lib/time.ts";
import { readAgain } from "../../lib/transactions.ts";
import { outcomeOf, type Progress } from "./outcome.ts";
import { mayApprove, ownersDecision } from "./status.ts";
import type { WalletFor } from "../../lib/use-wallet.ts";

export type Decision = "APPROVED" | "REJECTED";

type Ready = Extract<WalletFor, { readonly state: "ready" }>;

type Signing = {
  readonly transaction: TransactionView;
  readonly decision: Decision;
  readonly audience: string;
  readonly wallet: Ready;
  readonly message: DecisionMessage;
  /** Shared by all attempts, so that retries count as one decision. */
  readonly idempotencyKey: string;
  readonly onSending: () => void;
};

async function sign(signing: Signing): Promise<Approval> {
  const { transaction, decision, audience, wallet, message, idempotencyKey, onSending } = signing;
  const [{ decideBySignature }, { signerOf }] = await Promise.all([
    import("../../lib/signing.ts"),
    import("../../lib/wallet.ts"),
  ]);
  const { address, connector } = wallet;
  const signer = await signerOf(connector, address);
  const { timestamp, nonce } = message;
  // The request is made only after the wallet has signed.
  const client: Countersign = {
    ...api,
    request: (path, ask) => {
      onSending();
      return api.request(path, ask);
    },
  };
  const { requestHash, chainId } = transaction;
  return decideBySignature(client, {
    ...{ wallet: signer, requestHash, chainId, decision, audience, timestamp, nonce, idempotencyKey },
  });
}

/** Signatures are valid for five minutes. Renews the displayed text well before that. */
const renewedEveryMs = 120_000;

type MessageFor = Pick<Signing, "transaction" | "decision"> & {
  readonly audience: string | undefined;
  readonly wallet: WalletFor;
  readonly attempt: number;
  readonly isStill: boolean;
};

/** Returns the text to sign, for display before signing. */
export const useDecisionMessage = ({
  transaction,
  decision,
  audience,
  wallet,
  attempt,
  isStill,
}: MessageFor): DecisionMessage | undefined => {
  const address = wallet.state === "ready" ? wallet.address : undefined;
  const { requestHash, chainId } = transaction;
  return useQuery({
    queryKey: ["decision-message", requestHash, decision, audience, address, attempt],
    queryFn: async () => {
      if (address === undefined || audience === undefined)
        throw new Error("There is no wallet to sign with.");
      const { decisionMessage } = await import("../../lib/signing.ts");
      return decisionMessage({ requestHash, chainId, decision, audience, address });
    },
    enabled: address !== undefined && audience !== undefined,
    networkMode: "always",
    staleTime: Infinity,
    gcTime: 0,
    // Does not change the text while the owner compares it with the wallet.
    refetchInterval: isStill ? false : renewedEveryMs,
  }).data;
};

export type Deciding = {
  readonly progress: Progress;
  readonly attempt: number;
  /** Resets a finished attempt. Keeps one that is pending or unknown. */
  readonly begin: () => void;
  readonly run: (given: Pick<Signing, "audience" | "wallet" | "message">) => Promise<void>;
};

/**
 * Reads the record again before the wallet is prompted. Throws if the session has ended: a signature needs none, so the
 * approval would count although the page could not confirm it.
 */
async function checkStillOpen(client: QueryClient, shown: TransactionView): Promise<void> {
  const { value } = await readAgain(client, shown.requestHash);
  if (!mayApprove(value) && ownersDecision(value) !== "APPROVED")
    throw new Error("It can’t be approved any more. Nothing was signed.");
}

export function useDeciding(transaction: TransactionView, decision: Decision): Deciding {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress>({ kind: "asked" });
  const [attempt, setAttempt] = useState(0);
  const key = useRef<string>(undefined);
  const run: Deciding["run"] = async (given) => {
    key.current ??= crypto.randomUUID();
    let wasSent = false;
    const onSending = (): void => {
      wasSent = true;
      setProgress({ kind: "sending" });
    };
    try {
      if (decision === "APPROVED") {
        setProgress({ kind: "checking" });
        await checkStillOpen(client, transaction);
      }
      setProgress({ kind: "signing" });
      const approval = await sign({
        ...given,
        transaction,
        decision,
        idempotencyKey: key.current,
        onSending,
      });
      setProgress({ kind: "recorded", approval });
      noteDecided(client, decision, approval.createdAt);
    } catch (error) {
      setProgress(outcomeOf(error, wasSent, timeNow()));
    }
    // A signed text cannot be reused.
    setAttempt((count) => count + 1);
    // Reloads the state whatever the answer was.
    await client.invalidateQueries({ queryKey: transactionKeys.one(transaction.requestHash) });
    await client.invalidateQueries({ queryKey: ["transactions", "list"] });
  };
  const begin = (): void => {
    setProgress((now) => (now.kind === "recorded" || now.kind === "refused" ? { kind: "asked" } : now));
  };
  return { progress, attempt, begin, run };
}
