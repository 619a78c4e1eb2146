// The inbox by keyboard. Letters never decide: they move, select, or open something.
import { useEffect, useRef } from "react";
import { isPlainKey } from "../../lib/keys.ts";

export type InboxActions = {
  /** The request hashes in the order of the list. */
  readonly order: readonly string[];
  readonly onApprove: (requestHash: string) => void;
  readonly onReject: (requestHash: string) => void;
  readonly onSelect: (requestHash: string) => void;
  readonly onClear: () => void;
  readonly onSearch: () => void;
  readonly onHelp: () => void;
};

const rowOf = (requestHash: string): HTMLElement | null =>
  document.querySelector(`[data-row="${CSS.escape(requestHash)}"]`);

const current = (): string | undefined =>
  document.activeElement instanceof HTMLElement ? document.activeElement.dataset["row"] : undefined;

/** Rows out of view are not rendered: scrolls towards the wanted one until it is. */
function focusRow(requestHash: string, step: 1 | -1): void {
  const row = rowOf(requestHash);
  if (row === null) {
    scrollBy({ top: step * innerHeight });
    requestAnimationFrame(() => {
      rowOf(requestHash)?.focus();
    });
    return;
  }
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

function move({ order }: InboxActions, step: 1 | -1): void {
  const at = order.indexOf(current() ?? "");
  const next = at === -1 ? 0 : Math.min(order.length - 1, Math.max(0, at + step));
  const wanted = order[next];
  if (wanted !== undefined) focusRow(wanted, step);
}

/** Returns what a key does, or undefined. */
function actionOf(key: string, actions: InboxActions): (() => void) | undefined {
  const row = current();
  const { onApprove, onReject, onSelect, onClear, onSearch, onHelp } = actions;
  const onRow = (act: (requestHash: string) => void) =>
    row === undefined
      ? undefined
      : () => {
          act(row);
        };
  const all: Readonly<Record<string, (() => void) | undefined>> = {
    j: () => {
      move(actions, 1);
    },
    k: () => {
      move(actions, -1);
    },
    a: onRow(onApprove),
    r: onRow(onReject),
    x: onRow(onSelect),
    "/": onSearch,
    "?": onHelp,
    Escape: onClear,
  };
  return all[key];
}

export function useInboxKeys(actions: InboxActions): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const act = isPlainKey(event) ? actionOf(event.key, actions) : undefined;
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("keydown", press);
    };
  });
}

let lastOpened: string | undefined;

/** Puts the focus back on the proposal that was opened last, after Back. Keeps the scroll position. */
export function useReturn(order: readonly string[]): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current || order.length === 0) return;
    isDone.current = true;
    if (lastOpened === undefined || document.activeElement !== document.body) return;
    rowOf(lastOpened)?.focus({ preventScroll: true });
  }, [order]);
  useEffect(() => {
    const note = ({ target }: MouseEvent): void => {
      const row = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
      if (row !== null) lastOpened = row.dataset["row"];
    };
    document.addEventListener("click", note, { capture: true });
    return () => {
      document.removeEventListener("click", note, { capture: true });
    };
  }, []);
}
