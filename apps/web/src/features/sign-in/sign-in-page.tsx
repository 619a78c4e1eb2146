import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type JSX } from "react";
import { useConnect, useConnectors, type Connector } from "wagmi";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { NoWallet } from "../../components/no-wallet.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { Text } from "../../components/text.tsx";
import { WithWallet } from "../../components/with-wallet.tsx";
import { clockTime } from "../../lib/format.ts";
import { sessionEnd, signInWith } from "../../lib/session.ts";
import { signerOf, wagmiConfig } from "../../lib/wallet.ts";

function useSignIn() {
  const client = useQueryClient();
  const connect = useConnect();
  return useMutation({
    mutationFn: async (connector: Connector) => {
      const isOpen = await connector.isAuthorized();
      if (!isOpen || wagmiConfig.state.current !== connector.uid) await connect.mutateAsync({ connector });
      const wallet = await signerOf(connector);
      await signInWith(wallet, wallet.chain.id, client);
    },
  });
}

export function SignInPage(): JSX.Element {
  return (
    <WithWallet>
      <Wallets />
    </WithWallet>
  );
}

const done = { APPROVED: "approval", REJECTED: "rejection" } as const;

/** Says why this page is shown, and that a decision which was just made counts. */
function SessionEnded(): JSX.Element | null {
  const { isEnded, decided } = sessionEnd(useQueryClient());
  if (!isEnded) return null;
  return (
    <Notice tone="open" live="polite" title="Your session has ended">
      {decided === undefined
        ? "Nothing was decided. Sign in again to continue."
        : `Your ${done[decided.decision]} was recorded at ${clockTime(new Date(decided.at))}. Sign in again to see it.`}
    </Notice>
  );
}

/** One button for each wallet in this browser. */
function Wallets(): JSX.Element {
  const connectors = useConnectors();
  const [chosen, setChosen] = useState<string>();
  const signIn = useSignIn();
  return (
    <Page
      title="Sign in"
      lead="You’ll sign a message to prove the wallet is yours. It’s free and moves nothing."
    >
      <SessionEnded />
      <Card title="Wallets in this browser" className="max-w-md">
        {connectors.length === 0 ? (
          <NoWallet />
        ) : (
          <ul className="space-y-2">
            {connectors.map((connector) => (
              <li key={connector.uid}>
                <Button
                  className="w-full justify-start"
                  isBusy={signIn.isPending && chosen === connector.uid}
                  disabled={signIn.isPending}
                  onClick={() => {
                    setChosen(connector.uid);
                    signIn.mutate(connector);
                  }}
                >
                  {connector.icon?.startsWith("data:image/") === true ? (
                    <img src={connector.icon} alt="" className="size-6 rounded" />
                  ) : null}
                  <Text>{connector.name}</Text>
                </Button>
              </li>
            ))}
          </ul>
        )}
        {signIn.isPending ? (
          <p role="status" className="mt-3 text-sm text-soft">
            Check your wallet. It may have opened in another window.
          </p>
        ) : null}
        {signIn.isError ? (
          <div className="mt-3">
            <ProblemNotice title="Couldn’t sign in" error={signIn.error} />
          </div>
        ) : null}
      </Card>
    </Page>
  );
}
