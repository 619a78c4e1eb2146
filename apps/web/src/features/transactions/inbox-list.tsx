import { useMemo, useRef, type JSX } from "react";
import { usePhone } from "../../lib/use-phone.ts";
import { useVisible, visiblePart } from "../../lib/use-window.ts";
import type { InboxItem, Section } from "./inbox-items.ts";
import { InboxRow, rowHeight } from "./inbox-row.tsx";
import { mayReject } from "./status.ts";

type Line =
  | { readonly kind: "heading"; readonly heading: string; readonly count: number }
  | { readonly kind: "row"; readonly item: InboxItem; readonly position: number };

const headingHeight = 40;

/** Headings and rows as one sequence. */
function linesOf(sections: readonly Section[]): readonly Line[] {
  let position = 0;
  return sections.flatMap(({ heading, items }) => [
    ...(heading === undefined ? [] : [{ kind: "heading", heading, count: items.length } as const]),
    ...items.map((item) => ({ kind: "row", item, position: ++position }) as const),
  ]);
}

type Props = {
  readonly sections: readonly Section[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (requestHash: string) => void;
};

/** Renders the rows in view only, whatever their number. */
export function InboxList({ sections, selected, onSelect }: Props): JSX.Element {
  const ref = useRef<HTMLUListElement>(null);
  const isPhone = usePhone();
  const lines = useMemo(() => linesOf(sections), [sections]);
  const heights = useMemo(
    () =>
      lines.map(({ kind }) =>
        kind === "heading" ? headingHeight : rowHeight[isPhone ? "phone" : "desktop"],
      ),
    [lines, isPhone],
  );
  const [top, bottom] = useVisible(ref);
  const { from, to, above, below } = visiblePart(heights, top, bottom);
  const total = lines.filter(({ kind }) => kind === "row").length;
  return (
    <ul
      ref={ref}
      aria-label="Proposals"
      className="overflow-hidden rounded-2xl border border-line bg-card"
      style={{ paddingTop: above, paddingBottom: below }}
    >
      {lines.slice(from, to).map((line) =>
        line.kind === "heading" ? (
          <li
            key={line.heading}
            className="flex h-10 items-center gap-2 border-b border-line bg-inset px-4 text-sm"
          >
            <h2 className="font-semibold">{line.heading}</h2>
            <span className="text-soft">{line.count}</span>
          </li>
        ) : (
          <InboxRow
            key={line.item.transaction.requestHash}
            item={line.item}
            position={line.position}
            total={total}
            isSelected={
              mayReject(line.item.transaction) ? selected.has(line.item.transaction.requestHash) : undefined
            }
            onSelect={onSelect}
          />
        ),
      )}
    </ul>
  );
}
