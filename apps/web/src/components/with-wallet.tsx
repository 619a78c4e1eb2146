import { useEffect, useState, type JSX, type ReactNode } from "react";
import { WagmiProvider } from "wagmi";
import { reopenWallets, wagmiConfig } from "../lib/wallet.ts";

/**
 * For what asks a wallet. Wallets' code is more than all the rest together, so only what needs it stands in here, and whatever
 * stands in here is fetched when somebody comes to it. A wallet that was open before is opened first: otherwise a button to
 * open it would be there for a moment, and gone under the finger.
 */
export function WithWallet({ children }: { readonly children: ReactNode }): JSX.Element {
  const [hasLooked, setLooked] = useState(false);
  useEffect(() => {
    let isWanted = true;
    void reopenWallets().finally(() => {
      if (isWanted) setLooked(true);
    });
    return () => {
      isWanted = false;
    };
  }, []);
  return (
    <WagmiProvider config={wagmiConfig} reconnectOnMount={false}>
      {hasLooked ? children : <p role="status">Looking for your wallet…</p>}
    </WagmiProvider>
  );
}
