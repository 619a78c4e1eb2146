import { lazy, Suspense, type JSX } from "react";

// Only a browser without a wallet needs it.
const NoWalletHelp = lazy(async () => ({ default: (await import("./no-wallet-help.tsx")).NoWalletHelp }));

export const NoWallet = (): JSX.Element => (
  <Suspense>
    <NoWalletHelp />
  </Suspense>
);
