import { useMutation } from "@tanstack/react-query";
import type { JSX } from "react";
import { useConnect, useConnectors } from "wagmi";
import { Button } from "../../components/button.tsx";
import { Hex } from "../../components/hex.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import type { WalletFor } from "./use-wallet.ts";

type Props = {
  readonly wallet: WalletFor;
  readonly needed: string;
  /** What the needed address is: "your account's address", "the address the money is at". */
  readonly what: string;
};

/** Which wallet is needed, and the way to it. Nothing when it is there. */
export function WalletNeeded({ wallet, needed, what }: Props): JSX.Element | null {
  const connectors = useConnectors();
  const connect = useConnect();
  const open = useMutation({
    mutationFn: (connector: (typeof connectors)[number]) => connect.mutateAsync({ connector }),
  });
  if (wallet.state === "ready") return null;
  return (
    <div className="space-y-3">
      {wallet.state === "other" ? (
        <Notice tone="open" live="polite" title="Your wallet is at another address">
          It is at <Hex value={wallet.address} label="wallet address" />. Needed is {what},{" "}
          <Hex value={needed} label="needed address" />. Change the account in your wallet, then open it here
          again.
        </Notice>
      ) : (
        <p className="text-sm">Open the wallet that has {what}.</p>
      )}
      {connectors.length === 0 ? (
        <Notice tone="open" title="No wallet was found in this browser">
          Install or unlock one, then reload this page.
        </Notice>
      ) : (
        <div className="flex flex-wrap gap-2">
          {connectors.map((connector) => (
            <Button
              key={connector.uid}
              isBusy={open.isPending}
              onClick={() => {
                open.mutate(connector);
              }}
            >
              Open <Text>{connector.name}</Text>
            </Button>
          ))}
        </div>
      )}
      {open.isError ? <ProblemNotice title="The wallet was not opened" error={open.error} /> : null}
    </div>
  );
}
