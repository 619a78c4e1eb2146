import { z } from "zod";
import type { Counts, Ran } from "./dry-run.ts";
import type { Rule } from "./rules.ts";
import type { StoredPolicy } from "./store/policies.ts";

const Outcome = z.enum(["allow", "ask", "deny"]);

export const TermsView = z
  .object({
    account: z.string(),
    homeChainId: z.number(),
    inbox: z.string(),
    version: z.number(),
    previous: z.string(),
    timeZone: z.string(),
    text: z.string(),
  })
  .meta({ id: "PolicyTerms", description: "A version of a policy exactly as the owner's wallet signs it." });

export const PolicyView = z
  .object({
    version: z.number(),
    digest: z.string().meta({ description: "The EIP-712 digest that was signed." }),
    previous: z.string(),
    timeZone: z.string(),
    text: z.string(),
    signature: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Policy", description: "A signed version of an owner's policy. The newest counts." });

export const policyView = ({
  account: _account,
  createdAt,
  ...rest
}: StoredPolicy): z.infer<typeof PolicyView> => ({ ...rest, createdAt: createdAt.toISOString() });

export const RuleView = z.object({ id: z.string(), outcome: z.enum(["ask", "deny"]), reason: z.string() });
export const ruleView = ({ id, outcome, reason }: Rule): z.infer<typeof RuleView> => ({
  id,
  outcome,
  reason,
});

export const CheckView = z
  .object({
    valid: z.boolean(),
    faults: z.array(
      z.object({
        message: z.string(),
        help: z.string().nullable(),
        line: z.number().nullable().meta({ description: "From 1. Null if it is about the whole text." }),
        column: z.number().nullable(),
      }),
    ),
    rules: z.array(RuleView),
    tests: z.array(
      z.object({ name: z.string(), passed: z.boolean(), outcome: Outcome, rules: z.array(z.string()) }),
    ),
    untested: z.array(z.string()).meta({ description: "Rules that decided no test." }),
  })
  .meta({ id: "PolicyCheck", description: "The faults of a policy with their positions, and its tests." });

const CountsView = z.object({ allow: z.number(), ask: z.number(), deny: z.number() });

export const DryRunView = z
  .object({
    transactions: z.number().meta({ description: "How many past transactions were looked at." }),
    since: z.iso.datetime(),
    counts: CountsView,
    before: CountsView.nullable().meta({
      description: "The same for the version that it is compared with. Null without such a version.",
    }),
    changed: z
      .array(
        z.object({
          requestHash: z.string(),
          description: z.string(),
          at: z.iso.datetime(),
          from: Outcome.meta({ description: "allow if there is no version to compare with." }),
          to: Outcome,
          rules: z.array(z.string()),
          message: z.string().nullable(),
        }),
      )
      .meta({ description: "Transactions with another outcome, newest first, at most 100." }),
    unused: z.array(z.string()).meta({ description: "Rules that decided none of them." }),
  })
  .meta({ id: "PolicyDryRun", description: "What a policy would have decided about past transactions." });

const shownAtMost = 100;

type Compared = {
  readonly since: Date;
  readonly ran: readonly Ran[];
  readonly before: readonly Ran[] | undefined;
  readonly rules: readonly Rule[];
  readonly countsOf: (ran: readonly Ran[]) => Counts;
};

export function dryRunView({ since, ran, before, rules, countsOf }: Compared): z.infer<typeof DryRunView> {
  const used = new Set(ran.flatMap(({ decision }) => decision.rules.map(({ id }) => id)));
  const changed = ran
    .map(({ past, decision }, index) => ({
      ...{ requestHash: past.requestHash, description: past.description, at: past.at.toISOString() },
      ...{ from: before?.[index]?.decision.outcome ?? ("allow" as const), to: decision.outcome },
      ...{ rules: decision.rules.map(({ id }) => id), message: decision.message },
    }))
    .filter(({ from, to }) => from !== to);
  return {
    transactions: ran.length,
    since: since.toISOString(),
    counts: countsOf(ran),
    before: before === undefined ? null : countsOf(before),
    changed: changed.reverse().slice(0, shownAtMost),
    unused: rules.map(({ id }) => id).filter((id) => !used.has(id)),
  };
}
