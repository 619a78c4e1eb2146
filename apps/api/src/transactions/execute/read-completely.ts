// Checks that the validator's report permits custody to send. Until transactions are executed on captured state, a
// contract can behave well only in simulations, so custody sends only calls to contracts that the validator knows and
// read completely.
import { z } from "zod";

const Call = z.object({
  known: z.boolean(),
  get calls() {
    return z.array(Call);
  },
});

const Report = z.object({
  decision: z.string(),
  assessment: z.object({
    kind: z.string(),
    unread: z.array(z.unknown()),
    missing: z.array(z.unknown()),
  }),
  context: z.object({
    calls: z.array(Call).min(1),
    effects: z.array(z.unknown()).min(1),
    limit: z.null(),
  }),
});

const isKnown = ({ known, calls }: z.infer<typeof Call>): boolean => known && calls.every(isKnown);

/** Tokens that are in no table of the validator have no symbol there. */
function namesUnknownToken(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if ("kind" in value && (value.kind === "token" || value.kind === "nft") && "symbol" in value)
    return value.symbol === null;
  return Object.values(value).some(namesUnknownToken);
}

/** Returns why custody must not send the transaction of this report. Empty if it may. */
export function whyNotComplete(report: unknown): readonly string[] {
  const read = Report.safeParse(report);
  if (!read.success) return ["its report does not show that the whole transaction was read"];
  const { decision, assessment, context } = read.data;
  const { kind, unread, missing } = assessment;
  if (decision !== "PASS" || kind !== "entailed" || unread.length > 0 || missing.length > 0)
    return ["its report does not say that it does what was asked and nothing else"];
  return context.calls.every(isKnown) && !context.effects.some(namesUnknownToken)
    ? []
    : ["it calls a contract that the validator does not know"];
}
