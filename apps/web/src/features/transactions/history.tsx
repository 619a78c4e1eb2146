import type { TransactionView } from "@countersign/sdk";
import type { JSX } from "react";
import { Fold } from "../../components/fold.tsx";
import { loadedWhenOpened } from "../../components/loaded-when-opened.tsx";
import { eventsOf } from "./history-events.ts";

const HistoryList = loadedWhenOpened(
  "the history",
  async () => (await import("./history-list.tsx")).HistoryList,
);

/** Lists who decided what, when and how. */
export function History({ transaction }: { readonly transaction: TransactionView }): JSX.Element {
  const { who = "", what = "", how } = eventsOf(transaction).at(-1) ?? {};
  return (
    <Fold title="History" summary={`${who} ${what}${how === undefined ? "" : `, ${how}`}`.trim()}>
      <HistoryList events={eventsOf(transaction)} />
    </Fold>
  );
}
