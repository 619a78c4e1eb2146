import type { Hex as HexString, TransactionView } from "@countersign/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Hex } from "../../components/hex.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { WithWallet } from "../../components/with-wallet.tsx";
import { clockTime } from "../../lib/format.ts";
import { transactionKeys } from "../../lib/live.ts";
import type { Sending } from "../../lib/sent.ts";
import { timeNow } from "../../lib/time.ts";
import { sendExactly, wasRefused, type Provider } from "./execute.ts";
import { dropSending, noteSending, useSending } from "./use-sending.ts";
import { useWalletFor, type WalletFor } from "../../lib/use-wallet.ts";
import { WalletNeeded } from "../../components/wallet-needed.tsx";

/** Shows what the wallet reported, which is not the service's confirmation. */
function SentByWallet({ sending }: { readonly sending: Sending }): JSX.Element {
  if (sending.hash === undefined)
    return (
      <Notice tone="open" live="polite" title="Your wallet may have sent this">
        We asked it at {clockTime(sending.askedAt)} and got no answer. Check your wallet first: sending twice
        pays twice.
      </Notice>
    );
  return (
    <Notice tone="waiting" live="polite" title="Sent by your wallet. Waiting for confirmation.">
      <Hex value={sending.hash} label="transaction hash" />
    </Notice>
  );
}

type Sender = {
  readonly sending: Sending | undefined;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly send: (wallet: Extract<WalletFor, { readonly state: "ready" }>) => Promise<void>;
};

function useSender({ requestHash, chainId, tx }: TransactionView): Sender {
  const client = useQueryClient();
  const sending = useSending(requestHash);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const keep = (next: Sending): void => {
    noteSending(requestHash, next);
  };
  const send: Sender["send"] = async ({ address, connector }) => {
    if (tx === null) return;
    setBusy(true);
    setError(null);
    const askedAt = timeNow();
    try {
      const provider = (await connector.getProvider()) as Provider;
      const from: HexString = address;
      // Stores the attempt before asking the wallet, so that it survives a closed page.
      const hash = await sendExactly(provider, { from, chainId, tx }, () => {
        keep({ askedAt, hash: undefined });
      });
      keep({ askedAt, hash });
    } catch (problem) {
      setError(problem);
      if (wasRefused(problem)) dropSending(requestHash);
    } finally {
      setBusy(false);
    }
    await client.invalidateQueries({ queryKey: transactionKeys.one(requestHash) });
  };
  return { sending, isBusy, error, send };
}

type Props = { readonly transaction: TransactionView; readonly isConfirmed: boolean };

/** Sends with the wallet, after the calldata was compared with the signed verdict. */
function SendPanel({ transaction, isConfirmed }: Props): JSX.Element {
  const { escrowAddress } = transaction;
  const wallet = useWalletFor(escrowAddress);
  const { sending, isBusy, error, send } = useSender(transaction);
  const [isSure, setSure] = useState(false);
  const isHeld = sending !== undefined && !isSure && !isBusy;
  return (
    <>
      {isHeld ? (
        <SentByWallet sending={sending} />
      ) : (
        <WalletNeeded wallet={wallet} needed={escrowAddress} what="the funds" />
      )}
      {isBusy ? <Notice tone="waiting" live="polite" title="Waiting for your wallet" /> : null}
      {error === null ? null : (
        <ProblemNotice title="Your wallet doesn’t seem to have sent it" error={error} />
      )}
      {isHeld ? (
        <Button
          onClick={() => {
            setSure(true);
          }}
        >
          I checked: it wasn’t sent
        </Button>
      ) : (
        <Button
          look="primary"
          isBusy={isBusy}
          disabled={wallet.state !== "ready" || !isConfirmed}
          onClick={() => {
            setSure(false);
            if (wallet.state === "ready") void send(wallet);
          }}
        >
          Send with {wallet.state === "ready" ? <Text>{wallet.connector.name}</Text> : "your wallet"}
        </Button>
      )}
    </>
  );
}

export const Send = (props: Props): JSX.Element => (
  <WithWallet>
    <SendPanel {...props} />
  </WithWallet>
);
