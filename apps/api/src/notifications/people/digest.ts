// Makes one notice of several.
import type { MessageType } from "../catalogue.ts";
import type { Notice } from "./notice.ts";

/** A notice about one transaction. */
export type About = { readonly type: MessageType; readonly notice: Notice };

/** Types that an owner should see first, the most important one first. */
const leading: readonly MessageType[] = [
  ...(["transaction.alert", "transaction.expiring", "transaction.needs_decision"] as const),
];

const linesAtMost = 12;
const lineLength = 200;

const clip = (text: string): string =>
  text.length <= lineLength ? text : `${text.slice(0, lineLength - 1)}…`;

const lineOf = ({ notice: { title, lines } }: About): string =>
  clip(lines[0] === undefined ? title : `${title}: ${lines[0]}`);

function titleOf(about: readonly About[]): string {
  const lead = leading.find((type) => about.some((one) => one.type === type));
  const first = about.find(({ type }) => type === lead);
  return first === undefined
    ? `${about.length} transactions changed`
    : `${first.notice.title}, and ${about.length - 1} more`;
}

/** Names the most important ones first and counts the rest. Links to the inbox, unless all are about one transaction. */
export function mergeNotices(
  about: readonly About[],
  { id, uiUrl }: { readonly id: string; readonly uiUrl: string },
): Notice {
  const [only] = about;
  if (only !== undefined && about.length === 1) return { ...only.notice, id };
  const rankOf = ({ type }: About): number => {
    const rank = leading.indexOf(type);
    return rank === -1 ? leading.length : rank;
  };
  const lines = about.toSorted((one, other) => rankOf(one) - rankOf(other)).map(lineOf);
  const rest = lines.length - linesAtMost;
  return {
    id,
    title: titleOf(about),
    lines: rest > 0 ? [...lines.slice(0, linesAtMost), `and ${rest} more`] : lines,
    agentName: null,
    url: uiUrl,
  };
}
