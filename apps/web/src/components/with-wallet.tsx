import { useEffect, useState, type JSX, type ReactNode } from "react";
import { WagmiProvider } from "wagmi";
import { reopenWallets, wagmiConfig } from "../lib/wallet.ts";

/**
 * Provides wallet access. The wallet code outweighs everything else, so only components that need it are inside and are loaded
 * on demand. Reconnects known wallets before rendering: otherwise a connect button would flash and vanish.
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
