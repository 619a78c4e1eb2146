import type { ReadReport } from "@countersign/sdk/report";
import type { JSX, ReactNode } from "react";
import { Badge } from "../badge.tsx";
import { Card } from "../card.tsx";
import { Facts } from "../facts.tsx";
import { Hex } from "../hex.tsx";
import { Notice } from "../notice.tsx";
import { Text } from "../text.tsx";
import { bytesIn } from "./byte-rows.ts";
import { CallTree } from "./call-tree.tsx";
import { Net } from "./net-effect.tsx";
import { coinAmount, isPartlyUnread, sentenceCase } from "./plain-words.ts";
import { Said } from "./said.tsx";
import { simulationOf } from "./simulation.ts";

/** The transaction as proposed. */
export type ProposedTx = { readonly to: string | null; readonly value: string; readonly data: string };

type Props = {
  readonly report: ReadReport | undefined;
  readonly tx: ProposedTx | null;
  readonly chainId: number;
  readonly alike: readonly (readonly string[])[];
  readonly balances: ReactNode;
};

export function Does({ report, tx, chainId, alike, balances }: Props): JSX.Element {
  const simulation = simulationOf(report);
  return (
    <Card title="What it does" aside={<Badge tone={simulation.tone}>{simulation.word}</Badge>}>
      <div className="space-y-4">
        {alike.map((group) => (
          <LookAlikes key={group.join()} group={group} />
        ))}
        {report?.described == null ? null : <Described>{report.described}</Described>}
        {report === undefined || report.effects.length === 0 ? (
          <Unread tx={tx} chainId={chainId} isRead={report !== undefined} />
        ) : (
          <Net net={report.net} value={tx?.value ?? null} chainId={chainId} isPart={isPartlyUnread(report)} />
        )}
        {balances}
        {report === undefined ? null : <Calls report={report} chainId={chainId} />}
        {report?.limit == null ? null : (
          <Notice tone="open" title="Part of it couldn’t be read">
            <Text>{report.limit}</Text>
          </Notice>
        )}
        <p className="text-sm text-soft">
          <Text>{simulation.told}</Text>
        </p>
      </div>
    </Card>
  );
}

/** The transaction in one sentence for each act, with every address and amount. */
function Described({ children }: { readonly children: string }): JSX.Element {
  return (
    <p className="border-l-4 border-line pl-3 text-lg">
      <Said>{children}</Said>
    </p>
  );
}

type UnreadProps = { readonly tx: ProposedTx | null; readonly chainId: number; readonly isRead: boolean };

/** Shows the raw transaction if it could not be decoded. */
function Unread({ tx, chainId, isRead }: UnreadProps): JSX.Element {
  return (
    <>
      <Notice tone="open" title={isRead ? "We can’t read what it does" : "What it does isn’t known yet"}>
        This would be sent:
      </Notice>
      {tx === null ? null : (
        <Facts
          facts={[
            ["Native amount", <strong key="value">{coinAmount(tx.value, chainId)}</strong>],
            ["To", tx.to === null ? "New contract" : <Hex key="to" value={tx.to} label="recipient" />],
            ["Data", `${bytesIn(tx.data).toLocaleString("en")} bytes`],
          ]}
        />
      )}
    </>
  );
}

function Calls({
  report,
  chainId,
}: {
  readonly report: ReadReport;
  readonly chainId: number;
}): JSX.Element | null {
  if (report.calls.length > 0)
    return (
      <div>
        <h3 className="mb-2 text-sm font-semibold">Calls</h3>
        <CallTree calls={report.calls} chainId={chainId} />
      </div>
    );
  if (report.effects.length === 0) return null;
  return (
    <div>
      <h3 className="mb-2 text-sm font-semibold">Steps</h3>
      <ol className="list-decimal space-y-1 pl-5">
        {report.effects.map(({ sentence }, index) => (
          <li key={index}>
            <Said>{`${sentenceCase(sentence)}.`}</Said>
          </li>
        ))}
      </ol>
    </div>
  );
}

function LookAlikes({ group }: { readonly group: readonly string[] }): JSX.Element {
  return (
    <Notice tone="bad" title="Two addresses here look alike">
      Their first and last four characters are the same. Compare every character.
      <ul className="mt-1">
        {group.map((address) => (
          <li key={address}>
            <Hex value={address} label="look-alike address" full />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
