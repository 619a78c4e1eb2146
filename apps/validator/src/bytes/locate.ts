/** From the name of an argument (`params.recipient`, `amounts[2]`) to the bytes it stands in. */
import type { Node, Range } from "./abi-reader.ts";

const parts = (path: string): readonly string[] =>
  path.includes("[") ? path.replaceAll("[", ".").replaceAll("]", "").split(".") : path.split(".");

/** Where a path leads into bytes the reader did not open (a blob), the blob itself is the answer. */
export const locate = (nodes: readonly Node[], path: string): Range | undefined => {
  let found: Range | undefined;
  let level = nodes;
  for (const part of parts(path)) {
    const node = level === nodes ? level.find(({ name }) => name === part) : byName(level, part);
    if (node === undefined) break;
    found = node.bytes;
    level = node.children;
  }
  return found;
};

const byName = (level: readonly Node[], part: string): Node | undefined => {
  const atIndex = level[Number(part)];
  return atIndex?.name === part ? atIndex : level.find(({ name }) => name === part);
};
