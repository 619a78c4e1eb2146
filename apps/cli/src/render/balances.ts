// Renders what the account holds before and after a transaction, or why that is not known.
import { formatUnits, readBalances, type AssetBalance, type Balances } from "@countersign/sdk/report";
import { plainLine } from "../terminal/plain-text.ts";
import { rows, wrap, type Page, type Row } from "./layout.ts";

type Known = Extract<Balances, { readonly isKnown: true }>;

const indent = { first: "  ", rest: "  " };

/** Returns a heading and its lines. */
export function renderBalances(
  report: unknown,
  { width }: Page,
): { readonly heading: string; readonly lines: readonly string[] } {
  const balances = readBalances(report, { text: plainLine });
  if (!balances.isKnown)
    return { heading: "Balances", lines: wrap(`Not known. ${balances.why}`, width, indent) };
  return {
    heading: `Balances, at block ${balances.block}`,
    lines: [
      ...rows(balances.assets.map(rowOf), width),
      ...notesOf(balances).flatMap((note) => wrap(note, width, indent)),
    ],
  };
}

const nameOf = ({ kind, symbol, address, id }: AssetBalance): string => {
  const name = symbol ?? (kind === "native" ? "native token" : (address ?? "?"));
  return kind === "nft" ? `${name} #${id ?? "?"}` : name;
};

function rowOf(asset: AssetBalance): Row {
  const shown = (units: string | null): string =>
    units === null ? "not known" : formatUnits(units, asset.decimals);
  return [nameOf(asset), `${shown(asset.before)} → ${shown(asset.after)}`];
}

function notesOf({ isFeeIncluded, isComplete, assets }: Known): readonly string[] {
  return [
    ...(assets.length === 0 ? ["No balance that changes was found."] : []),
    isFeeIncluded ? "With the network fee." : "Without the network fee.",
    ...(isComplete ? [] : ["Some events could not be read, so a balance may be missing."]),
  ];
}
