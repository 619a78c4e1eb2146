import type { TransactionView } from "@countersign/sdk";
import { Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { Badge } from "../../components/badge.tsx";
import { Text } from "../../components/text.tsx";
import { Time } from "../../components/time.tsx";
import { shortHex } from "../../lib/format.ts";
import { chainName } from "../../lib/chains.ts";
import { Expiry } from "./expiry.tsx";
import { alertOf, flagReasonOf, statusOf, verdictOf } from "./status.ts";

const wordsOf = ({ description, tx }: TransactionView): string =>
  description !== "" ? description : tx === null ? "Encrypted by the agent" : "No request given";

/** One transaction. The whole row is a link. */
export function InboxRow({ transaction }: { readonly transaction: TransactionView }): JSX.Element {
  const { requestHash, chainId, escrowAddress, createdAt, expiresAt } = transaction;
  const [verdict, status, alert] = [verdictOf(transaction), statusOf(transaction), alertOf(transaction)];
  const flag = flagReasonOf(transaction);
  return (
    <li>
      <Link
        to="/transactions/$requestHash"
        params={{ requestHash }}
        className="block space-y-2 rounded-2xl border border-line bg-card p-4 hover:bg-inset"
      >
        <span className="line-clamp-2 font-semibold">
          <Text>{wordsOf(transaction)}</Text>
        </span>
        <span className="flex flex-wrap gap-2">
          <Badge tone={verdict.tone}>{verdict.word}</Badge>
          <Badge tone={status.tone}>{status.word}</Badge>
          {alert === undefined ? null : <Badge tone={alert.tone}>{alert.word}</Badge>}
        </span>
        {flag === undefined ? null : (
          <span className={`line-clamp-3 text-sm ${verdict.tone === "bad" ? "text-bad" : "text-open"}`}>
            <Text>{flag}</Text>
          </span>
        )}
        <span className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft">
          <span>{chainName(chainId)}</span>
          <span>
            from <span className="font-mono">{shortHex(escrowAddress)}</span>
          </span>
          <span>
            proposed <Time at={createdAt} />
          </span>
          {expiresAt === null ? null : <Expiry at={expiresAt} />}
        </span>
      </Link>
    </li>
  );
}
