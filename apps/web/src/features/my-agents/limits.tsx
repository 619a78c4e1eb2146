import type { Mandate } from "@countersign/sdk";
import type { JSX } from "react";
import { Badge } from "../../components/badge.tsx";
import { Card } from "../../components/card.tsx";
import { Facts } from "../../components/facts.tsx";
import { Hex } from "../../components/hex.tsx";
import { Meter } from "../../components/meter.tsx";
import { Text } from "../../components/text.tsx";
import { exactTime } from "../../lib/format.ts";
import {
  actWords,
  assetWords,
  limitWords,
  recipientsOf,
  useOfLimit,
  type Chosen,
  type Use,
} from "./mandate-words.ts";

/** One limit: what is left, as a bar. */
function UseBar({ use: { label, text, share, isReached } }: { readonly use: Use }): JSX.Element {
  return (
    <div className="space-y-1 text-sm">
      <p className="flex justify-between gap-3">
        <span className="text-soft">{label}</span>
        <span className="font-semibold tabular-nums">{text}</span>
      </p>
      <Meter
        label={`${label}: ${text}`}
        parts={[{ share, className: isReached ? "fill-open" : "fill-accent" }]}
      />
    </div>
  );
}

/** The recipients, or a warning that there is no restriction. */
function Recipients({ chosen }: { readonly chosen: Chosen }): JSX.Element {
  const all = recipientsOf(chosen);
  if (all === undefined) return <span className="font-semibold text-open">Anyone</span>;
  return (
    <ul>
      {all.map(({ address, chain }) => (
        <li key={`${chain} ${address}`}>
          <Hex value={address} label="recipient" /> <span className="text-soft">on {chain}</span>
        </li>
      ))}
    </ul>
  );
}

/** The terms as facts, for a mandate or a request for one. */
export function TermFacts({
  chosen,
  validUntil,
}: {
  readonly chosen: Chosen;
  readonly validUntil: number;
}): JSX.Element {
  return (
    <Facts
      facts={[
        ["For", <Text key="purpose">{chosen.purpose}</Text>],
        ["May", actWords(chosen)],
        ["Using", assetWords(chosen)],
        [
          "At most",
          <ul key="limits">
            {chosen.limits.map((limit) => (
              <li key={limitWords(limit)}>{limitWords(limit)}</li>
            ))}
          </ul>,
        ],
        ["To", <Recipients key="to" chosen={chosen} />],
        ["Until", exactTime(new Date(validUntil * 1000))],
      ]}
    />
  );
}

type RowProps = { readonly mandate: Mandate; readonly actions: JSX.Element };

function One({ mandate, actions }: RowProps): JSX.Element {
  const { terms, limits, status } = mandate;
  const uses = limits.map(useOfLimit).filter((use) => use !== undefined);
  return (
    <li className="space-y-3 py-3 first:pt-0 last:pb-0">
      {status === "SCHEDULED" ? (
        <Badge tone="waiting">Begins {exactTime(new Date(terms.validFrom * 1000))}</Badge>
      ) : null}
      {uses.map((use, index) => (
        <UseBar key={index} use={use} />
      ))}
      <TermFacts chosen={terms} validUntil={terms.validUntil} />
      {actions}
    </li>
  );
}

type Props = {
  readonly mandates: readonly Mandate[];
  readonly actionsOf: (mandate: Mandate) => JSX.Element;
  readonly aside: JSX.Element | null;
  /** A sentence about proposals outside of the limits. */
  readonly note: string;
};

/** The agent's mandates with what is left of each limit. */
export function Limits({ mandates, actionsOf, aside, note }: Props): JSX.Element {
  return (
    <Card title="Limits" aside={aside}>
      {mandates.length === 0 ? null : (
        <ul className="mb-3 divide-y divide-line border-b border-line pb-3">
          {mandates.map((mandate) => (
            <One key={mandate.id} mandate={mandate} actions={actionsOf(mandate)} />
          ))}
        </ul>
      )}
      <p className="text-sm text-soft">{note}</p>
    </Card>
  );
}
