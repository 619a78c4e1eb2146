import type { Settings } from "@countersign/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { WalletNeeded } from "../../components/wallet-needed.tsx";
import { WithWallet } from "../../components/with-wallet.tsx";
import { api } from "../../lib/api.ts";
import { sessionQuery } from "../../lib/session.ts";
import { useServiceAddress } from "../../lib/transactions.ts";
import { useWalletFor } from "../../lib/use-wallet.ts";

type Props = Pick<Settings, "executionType" | "repeatWindowSeconds"> & {
  readonly onConfirmed: (settings: Settings) => void;
};

/** Saves a change that gives agents more freedom. A session alone is not enough: the wallet signs it. */
function Signing({ executionType, repeatWindowSeconds, onConfirmed }: Props): JSX.Element {
  const account = useQuery(sessionQuery).data?.address ?? "";
  const audience = useServiceAddress();
  const wallet = useWalletFor(account);
  const save = useMutation({
    mutationFn: async () => {
      if (wallet.state !== "ready" || audience === undefined) throw new Error("No wallet to sign with.");
      const [{ updateSettingsBySignature }, { signerOf }] = await Promise.all([
        import("../../lib/signing.ts"),
        import("../../lib/wallet.ts"),
      ]);
      const signer = await signerOf(wallet.connector, wallet.address);
      return updateSettingsBySignature(api, {
        ...{ wallet: signer, audience, executionType, repeatWindowSeconds },
      });
    },
    onSuccess: onConfirmed,
  });
  return (
    <div className="space-y-3">
      <WalletNeeded wallet={wallet} needed={account} what="your account" />
      {save.isPending ? (
        <Notice tone="waiting" live="polite" title="Waiting for your wallet">
          {`It should show: PUT /settings?executionType=${executionType}`}
        </Notice>
      ) : null}
      {save.error === null ? null : <ProblemNotice title="Couldn’t save the change" error={save.error} />}
      <div className="flex justify-end">
        <Button
          look="primary"
          isBusy={save.isPending}
          disabled={wallet.state !== "ready" || audience === undefined}
          onClick={() => {
            save.mutate();
          }}
        >
          Sign and save
        </Button>
      </div>
    </div>
  );
}

export const SignChange = (props: Props): JSX.Element => (
  <WithWallet>
    <Signing {...props} />
  </WithWallet>
);
