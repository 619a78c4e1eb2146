/**
 * Parses the answer of a proposer. It quotes the text piece by piece, in order, because a language model cannot count characters. Every piece
 * is looked for where the last one ended, so an answer that leaves out, adds or changes a character is no reading.
 */
import { z } from "zod";
import {
  inertNames,
  limits,
  proposedActs,
  Reading,
  readingVersion,
  slotNames,
  type Piece,
} from "./reading.ts";

/** The published schema of an answer: see docs/reference/model-reader.md. */
export const Proposal = z.strictObject({
  version: z.literal(readingVersion),
  steps: z
    .array(z.strictObject({ act: z.enum(proposedActs) }))
    .max(limits.steps)
    .describe("The acts that the text asks for, in the order of the text. Empty if it asks for nothing."),
  pieces: z
    .array(
      z.strictObject({
        text: z.string().min(1).max(limits.text).describe("A part of the text, character by character."),
        as: z.enum([...slotNames, ...inertNames]).describe("What the part is."),
        step: z
          .int()
          .min(0)
          .max(limits.steps - 1)
          .optional()
          .describe("For a part of a step: its index in `steps`. Absent for a part that asks for nothing."),
      }),
    )
    .max(limits.pieces)
    .describe("All parts of the text, in order. Empty if `steps` is."),
});
export type Proposal = z.output<typeof Proposal>;

/** Null if the answer is malformed, does not quote the text completely, or says that the text asks for nothing. */
export function parseProposal(answer: string, text: string): Reading | null {
  const proposal = Proposal.safeParse(parseJson(answer)).data;
  return proposal === undefined ? null : placeProposal(proposal, text);
}

export function placeProposal({ version, steps, pieces }: Proposal, text: string): Reading | null {
  if (steps.length === 0 || text.length > limits.text) return null;
  const placed: unknown[] = [];
  let at = 0;
  for (const piece of pieces) {
    const span = placeOf(piece.text, text, at);
    if (span === null) return null;
    placed.push({ start: span[0], end: span[1], as: piece.as, step: piece.step ?? null });
    at = span[1];
  }
  if (text.slice(at).trim() !== "") return null;
  const reading = Reading.safeParse({ version, steps: steps.map(({ act }) => act), pieces: placed });
  return reading.success ? reading.data : null;
}

/** Where `quote` is, if nothing but white space is before it. White space may differ. */
function placeOf(quote: string, text: string, from: number): readonly [number, number] | null {
  let at = from;
  let start = -1;
  for (const unit of quote.replace(/\s+/gu, "")) {
    while (/\s/u.test(text[at] ?? "")) at += 1;
    if (!text.startsWith(unit, at)) return null;
    if (start < 0) start = at;
    at += unit.length;
  }
  return start < 0 ? null : [start, at];
}

/** The proposal that `placeProposal` gives back as this reading. */
export const quoteReading = (
  { version, steps, pieces }: Pick<Reading, "version" | "steps"> & { readonly pieces: readonly Piece[] },
  text: string,
): Proposal => ({
  version,
  steps: steps.map((act) => ({ act })),
  pieces: pieces.map(({ start, end, as, step }) => ({
    text: text.slice(start, end),
    as,
    ...(step === null ? {} : { step }),
  })),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
