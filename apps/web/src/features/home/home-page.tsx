import { useQuery } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import type { JSX } from "react";
import { buttonClass } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Page } from "../../components/page.tsx";
import { sessionQuery } from "../../lib/session.ts";

const steps = [
  ["An agent proposes", "It sends the transaction together with your request, in your words."],
  [
    "We check it",
    "A separate service reads what the transaction really does and compares it with your request.",
  ],
  [
    "You decide",
    "You see what you asked, what it does, and any difference. Nothing is sent until you approve.",
  ],
] as const;

/** The landing page. Redirects signed-in owners to the inbox. */
export function HomePage(): JSX.Element {
  const { data: session } = useQuery(sessionQuery);
  if (session != null) return <Navigate to="/transactions" replace />;
  return (
    <Page
      title="Sign what you asked for. Nothing else."
      lead="Your AI agent proposes a transaction. Countersign checks that it does what you asked, before your wallet signs."
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
          Connect wallet
        </Link>
        <Link to="/try" className={buttonClass("plain")}>
          Try a check
        </Link>
      </div>
    </Page>
  );
}
