/** Opens the contents of arguments, keeps what it finds, and rejects openings that the arguments' uses do not declare. */
import type { OpenedPart } from "../effects.ts";
import type { Hex } from "../proposal.ts";
import { useAt, type Opening, type Use, type UseTree } from "../uses.ts";
import type { Node } from "./abi-reader.ts";
import { findNode, pathParts } from "./locate.ts";

/** The call whose arguments are opened. */
export type Opener = {
  readonly where: string;
  readonly nodes: readonly Node[];
  readonly uses: UseTree | "unread";
  /** Byte of the outermost call's data at which this call's data begins. */
  readonly base: number | null;
  /** Prefix of the argument's name that is not part of the declaration: `message`. */
  readonly prefix?: string;
  readonly opened: OpenedPart[];
};

type Found = { readonly use: Use | null; readonly base: number | null };

const findInside = (opened: readonly OpenedPart[], where: string, at: string): Found | null => {
  const parts = pathParts(at);
  for (const part of opened) {
    const head = pathParts(part.at);
    if (part.where !== where || !head.every((name, i) => name === parts[i])) continue;
    const path = parts.slice(head.length).join(".");
    const leaf = part.leaves.find((each) => each.path === path);
    if (leaf !== undefined)
      return { use: leaf.use, base: part.base === null ? null : part.base + leaf.bits[0] };
  }
  return null;
};

/** Returns the byte of the outermost call's data at which something inside an opened argument begins, or null. */
export const findOpened = (opened: readonly OpenedPart[], where: string, at: string): number | null => {
  const base = findInside(opened, where, at)?.base ?? null;
  return base === null || base % 8 !== 0 ? null : base / 8;
};

const findArgument = (opener: Opener, at: string): Found => {
  const parts = pathParts(at);
  const path = parts[0] === opener.prefix ? parts.slice(1) : parts;
  const node = findNode(opener.nodes, parts);
  const base = node === null || opener.base === null ? null : (opener.base + node.bytes[0]) * 8;
  return { use: typeof opener.uses === "string" ? null : useAt(opener.uses, path), base };
};

const mayOpen = (use: Use | null, opening: Opening): boolean =>
  use?.kind === "opened" && use.as !== "calls" && use.as.includes(opening);

export const makeOpen =
  (opener: Opener) =>
  <V>(opening: Opening<V>, data: Hex, at: string): V => {
    const { use, base } = findInside(opener.opened, opener.where, at) ?? findArgument(opener, at);
    if (!mayOpen(use, opening))
      throw new Error(`${at} is opened as "${opening.name}", which its declaration does not allow`);
    const { values, leaves } = opening.read(data.toLowerCase() as Hex);
    opener.opened.push({ where: opener.where, at, base, leaves: leaves() });
    return values;
  };
