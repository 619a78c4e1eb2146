import type { Issue } from "@countersign/sdk/report";
import { useMemo, useState, type JSX } from "react";
import { cn } from "../../lib/class-names.ts";
import { counted } from "../../lib/format.ts";
import { Button } from "../button.tsx";
import { CopyButton } from "../copy-button.tsx";
import { Disclosure } from "../disclosure.tsx";
import { bytesIn, byteRows, offsetLabel, shortened, type BytePiece, type Shown } from "./byte-rows.ts";
import { Numeral } from "./numeral.tsx";
import type { rangesInData } from "./flags.ts";
import { Said } from "./said.tsx";

type Props = {
  readonly data: string;
  readonly flags: readonly Issue[];
  readonly ranges: ReturnType<typeof rangesInData>;
};

const first = 24;

/** The raw calldata on demand, with flagged bytes marked. */
export function RawBytes({ data, flags, ranges }: Props): JSX.Element {
  const count = bytesIn(data);
  if (count === 0) return <p className="text-sm text-soft">No data.</p>;
  return (
    <Disclosure summary={`Raw data (${counted(count, "byte")})`}>
      <Bytes data={data} flags={flags} ranges={ranges} />
    </Disclosure>
  );
}

function Bytes({ data, flags, ranges }: Props): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const rows = useMemo(() => byteRows(data, ranges), [data, ranges]);
  const shown = isWhole ? rows : shortened(rows, first);
  return (
    <div className="space-y-3">
      <Legend flags={flags} ranges={ranges} />
      <ol
        aria-label="Data, by offset"
        className="space-y-0.5 rounded-xl bg-inset p-2 font-mono text-xs sm:p-3"
      >
        {shown.map((row) => (
          <Row key={"gap" in row ? `gap before ${row.before}` : row.offset} row={row} flags={flags} />
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-3">
        {isWhole || shown.length === rows.length ? null : (
          <Button
            onClick={() => {
              setWhole(true);
            }}
          >
            Show all {counted(rows.length, "row")}
          </Button>
        )}
        <span className="inline-flex items-center text-sm text-soft">
          Copy data <CopyButton value={data} label="Copy data" />
        </span>
      </div>
    </div>
  );
}

function Legend({ flags, ranges }: Omit<Props, "data">): JSX.Element {
  const marked = [...new Set(ranges.map(({ by }) => by))];
  if (marked.length === 0) return <p className="text-sm text-soft">No bytes are flagged.</p>;
  return (
    <ul aria-label="Flagged bytes" className="space-y-1 text-sm">
      {marked.map((by) => {
        const issue = flags[by];
        return issue === undefined ? null : (
          <li key={by} className="flex gap-2">
            <Numeral of={by} isOpen={issue.isOpen} />
            <span className="min-w-0">
              <Said brief>{issue.title}</Said>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Row({ row, flags }: { readonly row: Shown; readonly flags: readonly Issue[] }): JSX.Element {
  if ("gap" in row) return <li className="py-1 text-soft">… {counted(row.gap, "row")} hidden …</li>;
  return (
    <li className="flex gap-3">
      <span className="shrink-0 text-soft select-none">{offsetLabel(row.offset)}</span>
      <span className="min-w-0 break-all">
        {row.pieces.map((piece, index) => (
          <Piece key={index} piece={piece} flags={flags} />
        ))}
      </span>
    </li>
  );
}

function Piece({
  piece: { hex, by },
  flags,
}: {
  readonly piece: BytePiece;
  readonly flags: readonly Issue[];
}): JSX.Element {
  if (by.length === 0) return <>{hex}</>;
  const isOpen = by.every((one) => flags[one]?.isOpen === true);
  return (
    <>
      <mark
        className={cn("rounded-sm", isOpen ? "bg-open text-page" : "bg-bad text-on-bad")}
        title={by.map((one) => flags[one]?.title ?? "").join("; ")}
      >
        {hex}
      </mark>
      {by.map((one) => (
        <Numeral key={one} of={one} isOpen={flags[one]?.isOpen === true} />
      ))}
    </>
  );
}
