import type { Mandate, MandateDraft } from "@countersign/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { JSX } from "react";
import { Button } from "../../components/button.tsx";
import { DialogButtons } from "../../components/dialog.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { WalletNeeded } from "../../components/wallet-needed.tsx";
import { WithWallet } from "../../components/with-wallet.tsx";
import { api } from "../../lib/api.ts";
import { sessionQuery } from "../../lib/session.ts";
import { useWalletFor, type WalletFor } from "../../lib/use-wallet.ts";
import { isAsDrafted } from "./as-drafted.ts";

export type Signing = {
  readonly draft: MandateDraft;
  /** The agent's request that it grants. */
  readonly requestId?: string | undefined;
  /** The mandate that it replaces. */
  readonly replaces?: string | undefined;
};

type Props = Signing & { readonly onClose: () => void; readonly onGranted: () => void };

/** Has the service complete the draft, and the wallet sign exactly what the owner reviewed. */
async function grant({ draft, requestId, replaces }: Signing, wallet: WalletFor): Promise<Mandate> {
  if (wallet.state !== "ready") throw new Error("No wallet to sign with.");
  const { terms } = await api.mandates.draft(draft);
  if (!isAsDrafted(terms, draft, wallet.address))
    throw new Error("The service changed the terms. Nothing was signed.");
  const [{ signMandate }, { signerOf }] = await Promise.all([
    import("../../lib/signing.ts"),
    import("../../lib/wallet.ts"),
  ]);
  const signer = await signerOf(wallet.connector, wallet.address);
  // Wallets refuse typed data of another chain than the selected one.
  if ((await signer.getChainId()) !== terms.homeChainId) await signer.switchChain({ id: terms.homeChainId });
  const signature = await signMandate({ wallet: signer, terms });
  return api.mandates.grant({
    ...{ terms, signature },
    ...(requestId === undefined ? {} : { requestId }),
    ...(replaces === undefined ? {} : { replaces }),
  });
}

function Buttons({ onClose, onGranted, ...signing }: Props): JSX.Element {
  const client = useQueryClient();
  const account = useQuery(sessionQuery).data?.address ?? "";
  const wallet = useWalletFor(account);
  const sign = useMutation({
    mutationFn: () => grant(signing, wallet),
    onSuccess: onGranted,
    onSettled: () => client.invalidateQueries({ queryKey: ["agents"] }),
  });
  return (
    <>
      <WalletNeeded wallet={wallet} needed={account} what="your account" />
      {sign.isPending ? (
        <Notice tone="waiting" live="polite" title="Waiting for your wallet">
          It should show “Mandate” with the same limits, recipients and end.
        </Notice>
      ) : null}
      {sign.error === null ? null : <ProblemNotice title="Couldn’t sign the mandate" error={sign.error} />}
      <DialogButtons>
        <Button onClick={onClose}>Back</Button>
        <Button
          look="primary"
          isBusy={sign.isPending}
          disabled={wallet.state !== "ready"}
          onClick={() => {
            sign.mutate();
          }}
        >
          Sign mandate
        </Button>
      </DialogButtons>
    </>
  );
}

export const SignMandate = (props: Props): JSX.Element => (
  <WithWallet>
    <Buttons {...props} />
  </WithWallet>
);
