import type { TransactionView } from "@countersign/sdk";
import { Link } from "@tanstack/react-router";
import { Bot } from "lucide-react";
import { memo, type JSX } from "react";
import { ToneIcon, type Tone } from "../../components/badge.tsx";
import { Said } from "../../components/report/said.tsx";
import { Text } from "../../components/text.tsx";
import { Time } from "../../components/time.tsx";
import { cn } from "../../lib/class-names.ts";
import { Expiry } from "./expiry.tsx";
import type { InboxItem } from "./inbox-items.ts";
import { alertOf, flagReasonOf, statusOf } from "./status.ts";

const inks: Partial<Record<Tone, string>> = {
  good: "text-good",
  bad: "text-bad",
  open: "text-open",
  risk: "text-open",
};

/** Must be the row's height in the style below. */
export const rowHeight = { phone: 96, desktop: 64 } as const;

type Props = {
  readonly item: InboxItem;
  readonly position: number;
  readonly total: number;
  /** Undefined if it cannot be rejected. */
  readonly isSelected: boolean | undefined;
  readonly onSelect: (requestHash: string) => void;
};

/** One proposal in a row of fixed height: outcome, effect, why, agent, amount, time left. */
export const InboxRow = memo(function InboxRow(props: Props): JSX.Element {
  const { item, position, total, isSelected, onSelect } = props;
  const { transaction, title, amount, verdict, agent } = item;
  const { requestHash, createdAt } = transaction;
  return (
    <li
      aria-setsize={total}
      aria-posinset={position}
      className={cn(
        "relative flex h-24 items-center border-b border-line last:border-b-0 hover:bg-inset sm:h-16",
        isSelected === true && "bg-inset",
      )}
    >
      {isSelected === undefined ? (
        <span className="w-4 shrink-0 sm:w-11" />
      ) : (
        <label className="inline-flex h-full w-11 shrink-0 cursor-pointer items-center justify-center">
          <input
            type="checkbox"
            checked={isSelected}
            onChange={() => {
              onSelect(requestHash);
            }}
            aria-label={`Select ${title}`}
            className="size-5 accent-accent"
          />
        </label>
      )}
      <Link
        to="/transactions/$requestHash"
        params={{ requestHash }}
        data-row={requestHash}
        className="flex h-full min-w-0 flex-1 items-center gap-3 pr-3 outline-offset-[-3px] sm:pr-4"
      >
        <ToneIcon tone={verdict.tone} className={cn("size-5", inks[verdict.tone] ?? "text-soft")} />
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 leading-snug font-semibold sm:line-clamp-1 sm:leading-normal">
            <Said brief>{title}</Said>
          </span>
          <Why item={item} />
          <span className="line-clamp-1 text-xs text-soft sm:hidden">
            <Text>{agent}</Text> · <TimeLeft transaction={transaction} />
          </span>
        </span>
        <span className="hidden w-40 shrink-0 items-center gap-2 text-sm text-soft sm:flex">
          <Bot aria-hidden className="size-4 shrink-0 text-accent" />
          <span className="truncate">
            <Text>{agent}</Text>
          </span>
        </span>
        <span className="hidden w-24 shrink-0 text-right text-xs text-soft lg:block">
          <Time at={createdAt} />
        </span>
        {/* On a phone the title has the amount. */}
        <span className="hidden w-32 shrink-0 text-right text-sm sm:block">
          <span className="line-clamp-1 font-semibold tabular-nums">{amount ?? ""}</span>
          <span className="block text-xs text-soft">
            <TimeLeft transaction={transaction} />
          </span>
        </span>
      </Link>
    </li>
  );
});

/** The time left to decide, or the status if there is no deadline. */
function TimeLeft({ transaction }: { readonly transaction: TransactionView }): JSX.Element {
  const { expiresAt } = transaction;
  return expiresAt === null ? <>{statusOf(transaction).word}</> : <Expiry at={expiresAt} />;
}

/** The outcome in words, then the reason: an alert, why it was flagged, why the owner is asked, or the request. */
function Why({ item: { transaction, verdict } }: { readonly item: InboxItem }): JSX.Element {
  const alert = alertOf(transaction);
  const reason = flagReasonOf(transaction) ?? transaction.needsOwner?.message;
  const { description } = transaction;
  return (
    <span className="line-clamp-1 text-sm text-soft">
      <span className={cn("font-medium", inks[verdict.tone])}>{verdict.word}</span>
      <span className="sr-only">, {statusOf(transaction).word}</span>
      {alert === undefined ? null : <span className="font-semibold text-bad"> · {alert.word}</span>}
      {reason === undefined ? null : (
        <>
          {" · "}
          <Said brief>{reason}</Said>
        </>
      )}
      {description === "" ? null : (
        <>
          {" · "}
          <Said brief>{description}</Said>
        </>
      )}
    </span>
  );
}
