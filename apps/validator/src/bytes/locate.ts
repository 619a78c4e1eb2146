/** Resolves the name of an argument (`params.recipient`, `amounts[2]`) to its bytes. */
import type { Hex } from "../proposal.ts";
import type { InnerCall } from "../protocol.ts";
import type { Node, Range } from "./abi-reader.ts";

export const pathParts = (path: string): readonly string[] =>
  path.includes("[") ? path.replaceAll("[", ".").replaceAll("]", "").split(".") : path.split(".");

/** If a path points into bytes that the reader did not open (a blob), returns the blob. */
export const locate = (nodes: readonly Node[], path: string): Range | undefined => {
  let found: Range | undefined;
  let level = nodes;
  for (const part of pathParts(path)) {
    const node = level === nodes ? level.find(({ name }) => name === part) : byName(level, part);
    if (node === undefined) break;
    found = node.bytes;
    level = node.children;
  }
  return found;
};

/** Returns the node at the end of the path, or null. */
export const findNode = (nodes: readonly Node[], path: readonly string[]): Node | null => {
  let level = nodes;
  let found: Node | null = null;
  for (const part of path) {
    const node = byName(level, part);
    if (node === undefined) return null;
    found = node;
    level = node.children;
  }
  return found;
};

const byName = (level: readonly Node[], part: string): Node | undefined => {
  const atIndex = level[Number(part)];
  return atIndex?.name === part ? atIndex : level.find(({ name }) => name === part);
};

/** The data of a call, and the arguments in it. */
export type Opened = { readonly data: Hex; readonly nodes: readonly Node[] };

/**
 * Returns where the data of an inner call begins in the outer call's data. Null: the outer data does not contain it
 * verbatim.
 */
export const findInner = ({ data, nodes }: Opened, inner: InnerCall): number | null => {
  const range = locate(nodes, inner.at);
  if (range === undefined) return null;
  const [from, to] = inner.within ?? [0, range[1] - range[0]];
  const digits = inner.data.slice(2).toLowerCase();
  const isWhole = digits.length === (to - from) * 2 && range[0] + to <= range[1];
  return isWhole && data.startsWith(digits, 2 + (range[0] + from) * 2) ? range[0] + from : null;
};
