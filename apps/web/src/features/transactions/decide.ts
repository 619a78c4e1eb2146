// An owner's decision by signature, step by step. What counts is the service's answer: until there is one, nothing is decided
// as far as anybody here knows.
import type { Approval, Countersign, TransactionView } from "@countersign/sdk";
import type { DecisionMessage } from "@countersign/sdk/viem";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../../lib/api.ts";
import { transactionKeys } from "../../lib/live.ts";
import { timeNow } from "../../lib/time.ts";
import { outcomeOf, type Progress } from "./outcome.ts";
import type { WalletFor } from "./use-wallet.ts";

export type Decision = "APPROVED" | "REJECTED";

type Ready = Extract<WalletFor, { readonly state: "ready" }>;

type Signing = {
  readonly transaction: TransactionView;
  readonly decision: Decision;
  readonly audience: string;
  readonly wallet: Ready;
  readonly message: DecisionMessage;
  /** The same for each attempt, so that two that arrive are one decision. */
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
  // The wallet has signed when the request is made.
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

/** A signature holds for five minutes: the text that is shown is made anew before it is too old to be signed in peace. */
const renewedEveryMs = 120_000;

type MessageFor = Pick<Signing, "transaction" | "decision"> & {
  readonly audience: string | undefined;
  readonly wallet: WalletFor;
  readonly attempt: number;
  readonly isStill: boolean;
};

/** What is going to be signed, as it is shown before. */
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
    // Not under the eyes of whoever compares it with what the wallet shows.
    refetchInterval: isStill ? false : renewedEveryMs,
  }).data;
};

export type Deciding = {
  readonly progress: Progress;
  readonly attempt: number;
  /** For another try, where the last one is over. What is under way or not known stays. */
  readonly begin: () => void;
  readonly run: (given: Pick<Signing, "audience" | "wallet" | "message">) => Promise<void>;
};

export function useDeciding(transaction: TransactionView, decision: Decision): Deciding {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress>({ kind: "asked" });
  const [attempt, setAttempt] = useState(0);
  const key = useRef<string>(undefined);
  const run: Deciding["run"] = async (given) => {
    key.current ??= crypto.randomUUID();
    let wasSent = false;
    setProgress({ kind: "signing" });
    const onSending = (): void => {
      wasSent = true;
      setProgress({ kind: "sending" });
    };
    try {
      const approval = await sign({
        ...given,
        transaction,
        decision,
        idempotencyKey: key.current,
        onSending,
      });
      setProgress({ kind: "recorded", approval });
    } catch (error) {
      setProgress(outcomeOf(error, wasSent, timeNow()));
    }
    // A text that was signed is used up.
    setAttempt((count) => count + 1);
    // Whatever was answered, what is so now is asked anew.
    await client.invalidateQueries({ queryKey: transactionKeys.one(transaction.requestHash) });
    await client.invalidateQueries({ queryKey: ["transactions", "list"] });
  };
  const begin = (): void => {
    setProgress((now) => (now.kind === "recorded" || now.kind === "refused" ? { kind: "asked" } : now));
  };
  return { progress, attempt, begin, run };
}
