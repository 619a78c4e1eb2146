/** The request of `POST /validate`, as permissive as its specification: a wrong type returns 422, a wrong value becomes a defect. */
import { z } from "zod";
import { isWrittenNumber } from "./lossless-json.ts";

// Many clients send null for an absent member.
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
  protocol: optional(z.string()).describe("A hint. Detected from the calldata if absent."),
  to: optional(z.string()).describe("The address to call. Absent for a deployment."),
  data: optional(z.string()).describe("Calldata, 0x-prefixed."),
  value: optional(quantity).describe("Wei: decimal digits, 0x-prefixed hex, or an integer of any length."),
  gas: optional(quantity),
  metadata: optional(freeForm),
  context: optional(freeForm),
  order: optional(z.union([freeForm, z.string()])).describe(
    "Typed data to be signed {domain, types, primaryType, message}, or a bare CoW order.",
  ),
  transactions: optional(z.array(z.unknown())).describe("Several calls, checked together."),
  personal_message: optional(z.string()).describe("A text to be signed with EIP-191 (personal_sign)."),
});

export const ValidateRequest = z.looseObject({
  human_intent: z.string().describe("The user's request, unchanged."),
  proposed_tx: optional(ProposedTx).describe("The transaction to be signed."),
  metadata: optional(freeForm).describe(
    "Facts from the caller: from, chain_id, now, known_addresses, recent_counterparties, balances, prices_usd; state, the proven part of the chain's state that the call reads; and second_engine, what a second engine says about its execution.",
  ),
  preferences: optional(
    z.looseObject({
      slippage_bps: optional(numeric),
      aggressiveness: optional(numeric),
      protocol_allowlist: optional(z.array(z.string())),
    }),
  ).describe("Accepted and reported, but not enforced."),
  return_prompts: optional(z.boolean()),
});

/** The request of `POST /public/describe`. A request in words has no effect on a description, so it is not accepted. */
export const DescribeRequest = z.looseObject({
  proposed_tx: ProposedTx.describe("The transaction to describe."),
  metadata: ValidateRequest.shape.metadata,
});

export type DescribeRequest = z.output<typeof DescribeRequest>;
export type ValidateRequest = z.output<typeof ValidateRequest>;
