import { useMutation } from "@tanstack/react-query";
import type { JSX } from "react";
import { useConnect, useConnectors } from "wagmi";
import { Button } from "./button.tsx";
import { Hex } from "./hex.tsx";
import { NoWallet } from "./no-wallet.tsx";
import { Notice, ProblemNotice } from "./notice.tsx";
import { Text } from "./text.tsx";
import type { WalletFor } from "../lib/use-wallet.ts";

type Props = {
  readonly wallet: WalletFor;
  readonly needed: string;
  /** Names the needed wallet in a sentence: "your account", "the funds". */
  readonly what: string;
};

/** Asks for the needed wallet. Renders nothing if it is connected. */
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
        <Notice tone="open" live="polite" title="Wrong account in your wallet">
          Your wallet uses <Hex value={wallet.address} label="wallet address" />. Switch to {what},{" "}
          <Hex value={needed} label="needed address" />, then try again.
        </Notice>
      ) : (
        <p className="text-sm">Connect the wallet that holds {what}.</p>
      )}
      {connectors.length === 0 ? (
        <NoWallet />
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
              Connect <Text>{connector.name}</Text>
            </Button>
          ))}
        </div>
      )}
      {open.isError ? <ProblemNotice title="Couldn’t connect the wallet" error={open.error} /> : null}
    </div>
  );
}
