import { z } from "zod";
import { PolicyText } from "../terms.ts";
import type { Result } from "./find.ts";
import { builtInInvariants } from "./invariants.ts";

const ids = builtInInvariants.map(({ id }) => id);

/** The invariants to search for: some that the service brings, and the owner's own. */
export const Invariants = z.object({
  builtIn: z.array(z.enum(ids)).max(ids.length).optional().meta({
    description: "Ids of invariants that the service brings. Default: all, if `invariants` is empty.",
  }),
  invariants: z
    .array(PolicyText.max(5_000))
    .max(10)
    .default([])
    .meta({ description: "Your own, in Cedar. Each rule describes what must never pass without you." }),
});

/** Returns the texts of all invariants that a request names. */
export function textsOf({ builtIn, invariants }: z.output<typeof Invariants>): readonly string[] {
  const wanted = builtIn ?? (invariants.length === 0 ? ids : []);
  return [
    ...builtInInvariants.filter(({ id }) => wanted.includes(id)).map(({ text }) => text),
    ...invariants,
  ];
}

const Test = z
  .object({
    name: z.string(),
    agent: z.string(),
    chainId: z.number(),
    effects: z.array(
      z.object({
        act: z.string(),
        recipient: z.string().optional(),
        asset: z.string().optional(),
        units: z.string().optional(),
        decimals: z.number().nullable().optional(),
        price: z.string().optional(),
        byEffect: z.boolean().optional(),
      }),
    ),
    known: z.array(z.string()),
    dayCount: z.number(),
    signed: z.boolean(),
    at: z.iso.datetime(),
    expect: z.literal("ask"),
  })
  .meta({
    description: "A test for POST /policies/check. It fails until the policy asks about the transaction.",
  });

const BoundsView = z
  .object({
    facts: z.array(
      z.object({
        fact: z.string(),
        count: z.number().meta({ description: "How many values were tried." }),
        values: z.array(z.string()).meta({ description: "At most 20 of them." }),
      }),
    ),
    combinations: z.string().meta({
      description: "All combinations of these values. Most are excluded together, without trying each.",
    }),
    tried: z.number().meta({ description: "Choices that were evaluated." }),
    notVaried: z.array(z.string()),
  })
  .meta({ description: "What the search covered. Nothing is known beyond it." });

export const CounterexamplesView = z
  .object({
    results: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        outcome: z.enum(["broken", "none", "stopped", "not-searched"]).meta({
          description:
            "broken: the policy lets the transaction pass. none: none within the bounds. stopped: a limit ended the search. not-searched: see reason.",
        }),
        counterexample: z
          .object({ description: z.string(), test: Test })
          .nullable()
          .meta({ description: "A transaction that breaks the invariant, confirmed by Cedar." }),
        vacuous: z.boolean().meta({
          description:
            "Nothing within the bounds breaks it even without a policy, so that the result says little.",
        }),
        reason: z.string().nullable(),
        bounds: BoundsView.nullable(),
      }),
    ),
  })
  .meta({
    id: "PolicyCounterexamples",
    description: "Transactions that a policy lets pass and an invariant forbids.",
  });

export const counterexamplesView = (results: readonly Result[]): z.input<typeof CounterexamplesView> => ({
  results: structuredClone(results) as z.input<typeof CounterexamplesView>["results"],
});
