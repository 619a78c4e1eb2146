/**
 * Collects all prose in a request other than the intent. None of it is consent, and some of it may be written by attackers
 * and addressed to the verifier.
 */
import type { Context } from "../proposal.ts";
import { isWrittenNumber } from "./lossless-json.ts";
import { asList, shown, type Json, type Notes } from "./values.ts";

const limits = { texts: 10_000, nodes: 200_000, depth: 64 } as const;

type Texts = Context["texts"];
type Node = { readonly at: string; readonly value: unknown; readonly depth: number };

/** Uses its own stack, so that a request nested a million levels deep does not overflow the call stack. */
export function collectTexts(roots: readonly Omit<Node, "depth">[], { defects }: Notes): Texts {
  const texts: { at: string; text: string }[] = [];
  const stack: Node[] = roots.map((root) => ({ ...root, depth: 0 })).reverse();
  let visited = 0;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    visited += 1;
    if (visited > limits.nodes || texts.length >= limits.texts || node.depth > limits.depth) {
      defects.push({
        check: "payload_present",
        at: node.at,
        found: node.depth > limits.depth ? "members nested too deep" : "too many members",
        expected: `at most ${limits.depth} levels and ${limits.texts} texts`,
      });
      break;
    }
    if (typeof node.value === "string") {
      if (isProse(node.value)) texts.push({ at: node.at, text: node.value });
    } else for (const child of childrenOf(node, texts)) stack.push(child);
  }
  return texts;
}

function childrenOf({ at, value, depth }: Node, texts: { at: string; text: string }[]): readonly Node[] {
  if (typeof value !== "object" || value === null || isWrittenNumber(value)) return [];
  const list = asList(value);
  if (list !== null) {
    return list.map((item, index) => ({ at: `${at}[${index}]`, value: item, depth: depth + 1 })).reverse();
  }
  const entries = Object.entries(value as Json).filter(([key]) => key !== "types");
  // A key can contain a sentence too.
  for (const [key] of entries) if (/\s/.test(key)) texts.push({ at, text: key });
  return entries
    .map(([key, item]) => ({ at: `${at}.${shown(key)}`, value: item, depth: depth + 1 }))
    .reverse();
}

/** Returns false for numbers, addresses and calldata. */
const isProse = (text: string): boolean =>
  text.length > 0 && !(text.startsWith("0x") ? !/[^0-9a-fA-F]/.test(text.slice(2)) : !/[^0-9.]/.test(text));
