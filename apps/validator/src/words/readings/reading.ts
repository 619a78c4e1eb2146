/**
 * A reading of a request as data: which characters of the text are which part of it. It holds places and no values, because values are read from
 * the text by the validator's own functions. A reading is only a proposal: `check-reading.ts` decides whether it may be used.
 */
import { z } from "zod";

/** Increase it if the members change. Recorded readings name it. */
export const readingVersion = 1;

/** Acts that a proposed step can ask for. */
export const proposedActs = ["pay", "approve", "revoke", "wrap", "unwrap", "swap"] as const;
export type ProposedAct = (typeof proposedActs)[number];

/** Parts of a step, with their meaning. */
export const slotRoles = {
  act: "the verb that asks for the step",
  amount: "a number with its asset: what is paid, approved, wrapped or given in a swap",
  least: "a number with its asset: the least that a swap may return",
  asset: "an asset without a number",
  recipient: "the address that receives",
  spender: "the address that may spend",
  network: "the network",
  venue: "the exchange",
  fee: "the fee of the pool, as a percentage",
  frame: "words that ask or join: please, to, on, and",
} as const;

/** Parts that ask for nothing, with their meaning. */
export const inertRoles = {
  formula: "a greeting, thanks or sign-off",
  label: "the name of a value or of the whole request",
  purpose: "what the money is for",
  description: "says who a party is or what a value is",
  story: "a finished sentence before the request, about something else",
  remark: "a sentence after the request, about something else",
  restatement: "says a value of a step again",
} as const;

export type SlotRole = keyof typeof slotRoles;

const names = <Name extends string>(roles: Readonly<Record<Name, string>>): readonly Name[] =>
  Object.keys(roles) as Name[];
export const slotNames = names(slotRoles);
export const inertNames = names(inertRoles);

/** Longer texts and readings are not proposed. */
export const limits = { text: 2_000, steps: 16, pieces: 200 } as const;

const place = z.int().min(0).max(limits.text);

/** The half-open range of one part, in UTF-16 units of the text. `step`: which step a slot belongs to. */
const Piece = z.union([
  z.strictObject({
    start: place,
    end: place,
    as: z.enum(slotNames),
    step: z
      .int()
      .min(0)
      .max(limits.steps - 1),
  }),
  z.strictObject({ start: place, end: place, as: z.enum(inertNames), step: z.null() }),
]);

export const Reading = z.strictObject({
  version: z.literal(readingVersion),
  steps: z.array(z.enum(proposedActs)).max(limits.steps),
  pieces: z.array(Piece).max(limits.pieces),
});

export type Piece = Readonly<z.output<typeof Piece>>;
export type Reading = {
  readonly version: typeof readingVersion;
  readonly steps: readonly ProposedAct[];
  readonly pieces: readonly Piece[];
};
