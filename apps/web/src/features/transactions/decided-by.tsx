import type { PolicyDecision, TransactionView } from "@countersign/sdk";
import { Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { Notice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";

const outcomes: Readonly<Record<PolicyDecision["outcome"], string>> = {
  allow: "had no objection",
  ask: "asks you",
  deny: "blocked it",
};

function OfPolicy({ decision }: { readonly decision: PolicyDecision }): JSX.Element {
  const { version, outcome, message } = decision;
  return (
    <p className="text-sm text-soft">
      Your policy (version {version}) {outcomes[outcome]}
      {message === null ? null : (
        <>
          : <Text>{message}</Text>
        </>
      )}
      .
    </p>
  );
}

function ToAgent({ agent }: Pick<TransactionView, "agent">): JSX.Element {
  const [kind = "", id = ""] = agent.split(":");
  return (
    <Link
      to="/agents/$kind/$id"
      params={{ kind, id }}
      className="font-semibold text-accent underline-offset-4 hover:underline"
    >
      See the agent’s limits
    </Link>
  );
}

/** Why the owner is asked about a payment that could have been approved without them. */
function Asked({ transaction }: { readonly transaction: TransactionView }): JSX.Element | null {
  const { needsOwner, phase } = transaction;
  if (needsOwner === null || phase !== "AWAITING") return null;
  const { code, message, repeats } = needsOwner;
  return (
    <Notice tone="waiting" title="Needs you because">
      <Text>{message}</Text>.{" "}
      {repeats === null ? null : (
        <Link
          to="/transactions/$requestHash"
          params={{ requestHash: repeats.requestHash }}
          className="font-semibold text-accent underline-offset-4 hover:underline"
        >
          See the earlier payment
        </Link>
      )}
      {/MANDATE|PAUSED/.test(code) ? <ToAgent {...transaction} /> : null}
    </Notice>
  );
}

/** Why the owner is asked; or the mandate that approved it without them. And what the policy decided. */
export function DecidedBy({ transaction }: { readonly transaction: TransactionView }): JSX.Element {
  const { mandateId, policyDecision } = transaction;
  return (
    <>
      <Asked transaction={transaction} />
      {mandateId === null ? null : (
        <p className="text-sm text-soft">
          Approved by your mandate, without asking you. <ToAgent {...transaction} />
        </p>
      )}
      {policyDecision === null ? null : <OfPolicy decision={policyDecision} />}
    </>
  );
}
