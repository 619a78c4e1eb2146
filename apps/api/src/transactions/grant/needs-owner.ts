// Why the owner is asked about a transaction that could have been approved without them.
import type { Hex } from "@countersign/wire";
import { z } from "zod";

const codes = [
  "REPEATED_REQUEST",
  "UNKNOWN_REQUEST",
  "NO_MANDATE",
  "OUTSIDE_MANDATE",
  "UNKNOWN_EFFECTS",
  "MANDATE_ENDED",
  "POLICY",
  "AGENT_PAUSED",
  "BY_EFFECT",
] as const;

/** The member of every view. Stays after the owner's decision. */
export const NeedsOwner = z
  .object({
    code: z.enum(codes).meta({
      description:
        "REPEATED_REQUEST: the agent proposed the same before, within the account's repeatWindowSeconds. UNKNOWN_REQUEST: what the sender encrypted cannot be compared with earlier requests. NO_MANDATE: none of the agent's mandates is valid now. OUTSIDE_MANDATE: none covers it, or has room for it. UNKNOWN_EFFECTS: no signed report says what it moves. MANDATE_ENDED: the mandate that allowed it was revoked or replaced before it was sent. POLICY: a rule of the owner's policy asks, or could not be evaluated. AGENT_PAUSED: the owner paused the agent after it proposed this. BY_EFFECT: the contract is unknown, so the transaction was checked by its effect on one block, and no rule of the owner's policy is about that.",
    }),
    message: z.string().meta({ description: "The reason in a sentence, as of the verdict." }),
    repeats: z
      .object({
        requestHash: z.string(),
        at: z.iso.datetime().meta({ description: "When that one was approved or executed." }),
      })
      .nullable()
      .meta({ description: "The earlier transaction. Null for other reasons." }),
  })
  .meta({
    id: "NeedsOwner",
    description: "Why the owner is asked although the transaction could have been approved automatically.",
  });
export type NeedsOwner = z.infer<typeof NeedsOwner>;

/** An earlier use of the same request. */
export type EarlierUse = {
  readonly requestHash: Hex;
  readonly state: "held" | "made";
  readonly at: Date;
  /** Its age by the database's clock. */
  readonly seconds: number;
};

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** Whole units, rounded down: "3 minutes ago". */
export function ago(seconds: number): string {
  const unit = units.find(([, size]) => seconds >= size);
  if (unit === undefined) return "less than a minute ago";
  const [name, size] = unit;
  const count = Math.floor(seconds / size);
  return `${count} ${name}${count === 1 ? "" : "s"} ago`;
}

const pastTense = { held: "approved", made: "made" } as const;

export const repeatedRequest = ({ requestHash, state, at, seconds }: EarlierUse): NeedsOwner => ({
  code: "REPEATED_REQUEST",
  message: `This repeats a payment ${pastTense[state]} ${ago(seconds)}`,
  repeats: { requestHash, at: at.toISOString() },
});

export const unknownRequest: NeedsOwner = {
  code: "UNKNOWN_REQUEST",
  message: "The encrypted request cannot be compared with earlier ones",
  repeats: null,
};

export const mandateEnded: NeedsOwner = {
  code: "MANDATE_ENDED",
  message: "The mandate that allowed this was revoked or replaced before it was sent",
  repeats: null,
};

export const agentPaused: NeedsOwner = {
  code: "AGENT_PAUSED",
  message: "You paused this agent after it proposed this",
  repeats: null,
};

export const checkedByEffect: NeedsOwner = {
  code: "BY_EFFECT",
  message: "The contract is unknown. It was checked by its effect on one block only",
  repeats: null,
};

export const policyAsks = (message: string): NeedsOwner => ({ code: "POLICY", message, repeats: null });

/** The mandates' reason, as it is shown. */
export const outsideMandate = ({ code, message }: Pick<NeedsOwner, "code" | "message">): NeedsOwner => ({
  code,
  message,
  repeats: null,
});
