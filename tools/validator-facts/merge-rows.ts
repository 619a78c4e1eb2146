// One row for each token, and only rows that can be true.
import type { Row } from "./read-sources.ts";

type Dropped = { readonly row: Row; readonly why: string };

export function mergeRows(all: readonly Row[]): {
  readonly rows: readonly Row[];
  readonly dropped: readonly Dropped[];
} {
  const dropped: Dropped[] = [];
  const merged = new Map<string, Row>();
  const disputed = new Set<string>();
  for (const row of all) {
    const why = findFault(row);
    const key = `${row.chain}:${row.address}`;
    const before = merged.get(key);
    if (why !== null) dropped.push({ row, why });
    else if (before === undefined) merged.set(key, row);
    else if (before.decimals === row.decimals) merged.set(key, betterSpelt(before, row));
    else disputed.add(key);
  }
  // Wrong decimals are worse than an unknown token: neither source is believed.
  for (const key of disputed) {
    const row = merged.get(key);
    if (row !== undefined) dropped.push({ row, why: "sources differ on decimals" });
    merged.delete(key);
  }
  return { rows: [...merged.values()].sort(inOrder), dropped };
}

function findFault({ address, symbol, decimals }: Row): string | null {
  if (!/^0x[0-9a-f]{40}$/.test(address)) return "address is not 20 bytes";
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 36) return "decimals are not 0 to 36";
  if (!/^[\x21-\x7e]{1,32}$/.test(symbol)) return "symbol is not 1 to 32 printable ASCII characters";
  return null;
}

// Ledger writes every symbol in capitals; Aave writes it as the contract does.
function betterSpelt(before: Row, row: Row): Row {
  const isSameWord = before.symbol.toLowerCase() === row.symbol.toLowerCase();
  return isSameWord && row.from === "aave" ? row : before;
}

const inOrder = (left: Row, right: Row): number =>
  left.chain - right.chain || (left.address < right.address ? -1 : left.address > right.address ? 1 : 0);
