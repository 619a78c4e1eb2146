import type { Agent, TransactionView } from "@countersign/sdk";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { Badge, ToneIcon, type Tone } from "../../components/badge.tsx";
import { Card } from "../../components/card.tsx";
import { subjectOf, titleOf } from "../../components/report/effects.ts";
import { Said } from "../../components/report/said.tsx";
import { Time } from "../../components/time.tsx";
import { verdictWords } from "../../components/verdict-words.ts";
import { sessionQuery } from "../../lib/session.ts";
import { inboxQuery } from "../../lib/transactions.ts";

const shownAtMost = 5;

const inks: Partial<Record<Tone, string>> = { good: "text-good", bad: "text-bad", open: "text-open" };

type State = { readonly tone: Tone; readonly word: string };

const states: Readonly<Record<TransactionView["status"], State>> = {
  PENDING: { tone: "waiting", word: "Checking" },
  APPROVED: { tone: "good", word: "Approved" },
  REJECTED: { tone: "over", word: "Rejected" },
  EXECUTED: { tone: "good", word: "Executed" },
  FAILED: { tone: "bad", word: "Failed" },
};

function stateOf({ status, phase, reason }: TransactionView): State {
  if (phase === "AWAITING") return { tone: "waiting", word: "Needs you" };
  return status === "REJECTED" && reason === "ORION" ? { tone: "bad", word: "Blocked" } : states[status];
}

function Row({ transaction }: { readonly transaction: TransactionView }): JSX.Element {
  const { requestHash, chainId, approvals, createdAt } = transaction;
  const [verdict] = approvals.orion;
  const said =
    verdict === undefined ? ({ tone: "waiting", word: "Checking" } as const) : verdictWords[verdict.decision];
  const state = stateOf(transaction);
  const subject = subjectOf(transaction);
  return (
    <li>
      <Link
        to="/transactions/$requestHash"
        params={{ requestHash }}
        className="flex min-h-14 items-center gap-3 rounded-lg py-2 hover:bg-inset"
      >
        <ToneIcon tone={said.tone} className={inks[said.tone] ?? "text-soft"} />
        <span className="min-w-0 flex-1">
          <span className="line-clamp-1 text-sm font-semibold">
            <Said brief>{subject === undefined ? "Encrypted by the agent" : titleOf(subject, chainId)}</Said>
          </span>
          <span className="block text-xs text-soft">
            {said.word} · <Time at={createdAt} />
          </span>
        </span>
        <Badge tone={state.tone}>{state.word}</Badge>
      </Link>
    </li>
  );
}

/** The agent's newest proposals among those that the inbox has loaded. */
export function Recent({ agent }: { readonly agent: Agent }): JSX.Element | null {
  const account = useQuery(sessionQuery).data?.address ?? "";
  const { data } = useInfiniteQuery({ ...inboxQuery(account), enabled: account !== "" });
  if (data === undefined) return null;
  const rows = data.pages
    .flatMap(({ value }) => value)
    .filter((transaction) => transaction.agent === agent.agent)
    .slice(0, shownAtMost);
  return (
    <Card
      title="Recent proposals"
      aside={
        <Link
          to="/transactions"
          search={{ agent: agent.name }}
          className="inline-flex min-h-11 items-center text-sm font-semibold text-accent underline-offset-4 hover:underline"
        >
          See all
        </Link>
      }
    >
      {rows.length === 0 ? (
        <p className="text-sm text-soft">Nothing proposed lately.</p>
      ) : (
        <ul className="divide-y divide-line">
          {rows.map((transaction) => (
            <Row key={transaction.requestHash} transaction={transaction} />
          ))}
        </ul>
      )}
    </Card>
  );
}
