/** The request of `POST /validate`, as wide as its specification: a wrong type is a 422, a wrong value is a finding. */
import { z } from "zod";
import { isWrittenNumber } from "./lossless-json.ts";

// null is how many clients say "absent".
const optional = <T extends z.ZodType>(type: T) => type.nullish();

const numeric = z
  .custom<unknown>(
    (value) => typeof value === "number" || typeof value === "bigint" || isWrittenNumber(value),
    "expected a number",
  )
  .meta({ type: "number" });
const quantity = z.union([z.string(), numeric]);
const members = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !isWrittenNumber(value),
  "expected an object",
);
const freeForm = members.meta({ type: "object" });

const ProposedTx = z.looseObject({
  protocol: optional(z.string()).describe("A hint; found from the bytes when absent."),
  to: optional(z.string()).describe("Address called; absent for a deployment."),
  data: optional(z.string()).describe("Calldata, 0x-prefixed."),
  value: optional(quantity).describe("Wei: decimal digits, 0x-prefixed hex, or an integer of any length."),
  gas: optional(quantity),
  metadata: optional(freeForm),
  context: optional(freeForm),
  order: optional(z.union([freeForm, z.string()])).describe(
    "Typed data to be signed {domain, types, primaryType, message}, or a bare CoW order.",
  ),
  transactions: optional(z.array(z.unknown())).describe("Several calls, judged together."),
});

export const ValidateRequest = z.looseObject({
  human_intent: z.string().describe("What the person asked for, in their words."),
  proposed_tx: optional(ProposedTx).describe("What would be signed."),
  metadata: optional(freeForm).describe(
    "What the caller knows: from, chain_id, now, known_addresses, recent_counterparties, balances, prices_usd.",
  ),
  preferences: optional(
    z.looseObject({
      slippage_bps: optional(numeric),
      aggressiveness: optional(numeric),
      protocol_allowlist: optional(z.array(z.string())),
    }),
  ).describe("Accepted, reported, not enforced."),
  return_prompts: optional(z.boolean()),
});

export type ValidateRequest = z.output<typeof ValidateRequest>;
