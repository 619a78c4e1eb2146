import { useQuery } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import type { JSX } from "react";
import { buttonClass } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Page } from "../../components/page.tsx";
import { sessionQuery } from "../../lib/session.ts";

const steps = [
  ["An agent proposes", "It sends the transaction together with the words it was asked in."],
  [
    "An independent arbiter compares",
    "It reads what the bytes do, whatever anybody says of them, and holds that against the words.",
  ],
  [
    "You decide",
    "You see what was asked, what it does and where the two differ. Nothing happens without you.",
  ],
] as const;

/** For who comes without an account; whoever has one goes to their inbox. */
export function HomePage(): JSX.Element {
  const { data: session } = useQuery(sessionQuery);
  if (session != null) return <Navigate to="/transactions" replace />;
  return (
    <Page
      title="Sign what you asked for, and nothing else"
      lead="Countersign stands between AI agents and your wallet. What an agent wants to send is compared with what you said, before it is signed."
    >
      <ol className="grid gap-3 sm:grid-cols-3">
        {steps.map(([title, told], index) => (
          <li key={title}>
            <Card title={`${index + 1}. ${title}`} className="h-full">
              <p className="text-sm text-soft">{told}</p>
            </Card>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3">
        <Link to="/sign-in" className={buttonClass("primary")}>
          Sign in with a wallet
        </Link>
        <Link to="/try" className={buttonClass("plain")}>
          Try a verdict without an account
        </Link>
      </div>
    </Page>
  );
}
