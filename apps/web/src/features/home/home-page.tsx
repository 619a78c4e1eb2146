import { useQuery } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import { lazy, Suspense, type JSX, type ReactNode } from "react";
import { ToneIcon, type Tone } from "../../components/badge.tsx";
import { buttonClass } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { sessionQuery } from "../../lib/session.ts";

const LiveCheck = lazy(async () => ({ default: (await import("./live-check.tsx")).LiveCheck }));

const steps = [
  ["An agent proposes", "It sends the transaction together with your request, in your words."],
  [
    "We check it",
    "A separate service reads what the transaction really does and compares it with your request.",
  ],
  [
    "You decide",
    "You see the difference in plain words. Approve with your wallet, or sign a budget and let small payments through.",
  ],
] as const;

const answers: readonly (readonly [tone: Tone, ink: string, title: string, told: string, example: string])[] =
  [
    [
      "good",
      "text-good",
      "Matches",
      "It does what you asked, and nothing else.",
      "“Pay Alice 250 USDC” → sends 250 USDC to Alice",
    ],
    [
      "bad",
      "text-bad",
      "Differs",
      "Another amount, another recipient, or something extra. It’s blocked.",
      "“Pay Acme 500 USDC” → also sends 25,000 USDC elsewhere",
    ],
    [
      "open",
      "text-open",
      "Could not be verified",
      "We can’t read part of it. You get the facts and decide.",
      "“Claim my rewards” → calls a contract that we can’t read",
    ],
  ];

const snippet = `import { guard } from "@countersign/sdk/viem";

// Nothing reaches the wallet unless it matches.
const wallet = guard(bare, {
  countersign,
  words: "Send 0.01 ETH to 0x742d…f44e",
});
await wallet.sendTransaction({ to, value });`;

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): JSX.Element {
  return (
    <section className="space-y-4 border-t border-line pt-8">
      <h2 className="text-2xl font-bold tracking-tight">{title}</h2>
      {children}
    </section>
  );
}

function Start(): JSX.Element {
  return (
    <div className="flex flex-wrap gap-3">
      <Link to="/sign-in" className={buttonClass("primary")}>
        Connect wallet
      </Link>
      <Link to="/try" className={buttonClass("plain")}>
        Try a check
      </Link>
    </div>
  );
}

function HowItWorks(): JSX.Element {
  return (
    <Section title="How it works">
      <ol className="grid gap-3 sm:grid-cols-3">
        {steps.map(([title, told], index) => (
          <li key={title}>
            <Card title={`${index + 1}. ${title}`} level={3} className="h-full">
              <p className="text-sm text-soft">{told}</p>
            </Card>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function ThreeAnswers(): JSX.Element {
  return (
    <Section title="Three answers, no guessing">
      <ul className="grid gap-3 sm:grid-cols-3">
        {answers.map(([tone, ink, title, told, example]) => (
          <li key={title} className="space-y-2 rounded-2xl border border-line bg-card p-4">
            <h3 className="flex items-center gap-2 font-semibold">
              <ToneIcon tone={tone} className={ink} />
              {title}
            </h3>
            <p className="text-sm">{told}</p>
            <p className="text-sm text-soft">{example}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function WorksWith(): JSX.Element {
  return (
    <Section title="Works with the agent you have">
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <ul className="list-disc space-y-1 pl-5">
          <li>Connect over MCP: add one address, then approve access in your browser.</li>
          <li>Wrap a viem wallet in one line.</li>
          <li>Call the HTTP API, or use the command line.</li>
          <li>Give each agent a budget that your wallet signs. You can pause it at any time.</li>
        </ul>
        <pre
          tabIndex={0}
          role="region"
          aria-label="Example in TypeScript"
          className="overflow-x-auto rounded-2xl border border-line bg-card p-4 font-mono text-sm"
        >
          {snippet}
        </pre>
      </div>
    </Section>
  );
}

function Incident(): JSX.Element {
  return (
    <Section title="See it catch a real attack">
      <p className="max-w-prose">
        In February 2025, the signers of a shared wallet saw a transfer on their screens. What they signed
        gave away 401,347 ETH. “Try a check” has that transaction as an example: it differs from the request,
        and it says why.
      </p>
      <p className="max-w-prose text-soft">
        Every verdict is signed. Your browser checks the signature, and anyone can repeat the check offline.
      </p>
      <Start />
    </Section>
  );
}

/** The landing page. Redirects signed-in owners to the inbox. */
export function HomePage(): JSX.Element {
  const { data: session } = useQuery(sessionQuery);
  if (session != null) return <Navigate to="/transactions" replace />;
  return (
    <Page
      title="Sign what you asked for. Nothing else."
      lead="Your AI agent proposes a transaction. Countersign checks that it does what you asked, before your wallet signs."
    >
      <div className="grid items-start gap-6 pb-4 lg:grid-cols-[18rem_minmax(0,1fr)]">
        <div className="space-y-3">
          <Start />
          <p className="text-sm text-soft">Your own wallet signs. No agent can approve for you.</p>
        </div>
        <Suspense fallback={<Loading what="a live check" lines={4} />}>
          <LiveCheck />
        </Suspense>
      </div>
      <div className="space-y-10">
        <HowItWorks />
        <ThreeAnswers />
        <WorksWith />
        <Incident />
      </div>
    </Page>
  );
}
