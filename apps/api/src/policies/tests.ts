// Tests that an owner writes for a policy: transactions, and what the policy should say about them.
import { parseUnits } from "viem/utils";
import { z } from "zod";
import type { Move } from "../mandates/index.ts";
import type { Cedar } from "./cedar.ts";
import { decide, type Policy } from "./decide.ts";

const Party = z
  .string()
  .regex(/^eip155:\d{1,16}:0x[0-9a-fA-F]{40}$/, "must be a CAIP-10 id such as eip155:1:0x…");

const TestedEffect = z.object({
  act: z.string().max(40),
  recipient: Party.optional().meta({ description: "Default: the account itself benefits." }),
  asset: z.string().max(200).default("eip155:1/native"),
  units: z
    .string()
    .regex(/^\d{1,78}$/, "must be base units")
    .optional()
    .meta({ description: "Base units. Default: without a limit." }),
  decimals: z
    .int()
    .min(0)
    .max(36)
    .nullable()
    .default(18)
    .meta({ description: "Null: not known, so that the amount cannot be counted." }),
  price: z
    .string()
    .regex(/^\d{1,20}(?:\.\d{1,18})?$/, "must be a decimal number such as 3000 or 0.9998")
    .optional()
    .meta({ description: "Dollars for a whole unit of the asset. Default: no price is known." }),
  byEffect: z.boolean().default(false).meta({
    description: "Whether the contract is unknown, so that it was checked by its effect.",
  }),
});

/** One case. Members that are left out have values that no rule should object to. */
export const PolicyTest = z
  .object({
    name: z.string().min(1).max(200),
    agent: z.string().max(100).default("key:test"),
    chainId: z.int().positive().default(1),
    effects: z.array(TestedEffect).min(1).max(20),
    known: z.array(Party).max(50).default([]).meta({ description: "Recipients that were paid before." }),
    dayCount: z.int().min(1).default(1),
    signed: z.boolean().default(false),
    at: z.iso.datetime().default("2026-01-06T12:00:00Z"),
    expect: z.enum(["allow", "ask", "deny"]),
    by: z.string().max(64).optional().meta({ description: "A rule that must be among those that decide." }),
  })
  .meta({ id: "PolicyTest", description: "A transaction, and what a policy should say about it." });
export type PolicyTest = z.output<typeof PolicyTest>;

export type Tested = {
  readonly name: string;
  readonly passed: boolean;
  readonly outcome: "allow" | "ask" | "deny";
  readonly rules: readonly string[];
};

const moveOf = ({
  act,
  recipient,
  asset,
  units,
  decimals,
  byEffect,
}: z.output<typeof TestedEffect>): Move => ({
  act,
  parties: recipient === undefined ? [] : [recipient.toLowerCase()],
  amounts: units === undefined ? [] : [{ asset, units: BigInt(units), decimals }],
  uncountable: units === undefined ? "Its amount has no limit" : null,
  ...(byEffect ? { byEffect } : {}),
});

const pricesOf = (effects: readonly z.output<typeof TestedEffect>[]): ReadonlyMap<string, { usd: bigint }> =>
  new Map(
    effects.flatMap(({ asset, price }) =>
      price === undefined ? [] : [[asset, { usd: parseUnits(price, 18) }] as const],
    ),
  );

/** Runs the owner's cases against a policy, without history: each case brings its own facts. */
export const runTests = (
  cedar: Cedar,
  policy: Policy,
  {
    tests,
    timeZone,
    account,
  }: {
    readonly tests: readonly PolicyTest[];
    readonly timeZone: string;
    readonly account: string;
  },
): readonly Tested[] =>
  tests.map(({ name, effects, known, signed, at, expect, by, agent, chainId, dayCount }) => {
    const { outcome, rules } = decide(cedar, policy, {
      ...{ account, agent, chainId, dayCount, timeZone, isSigned: signed, at: new Date(at) },
      isSignature: false,
      moves: effects.map(moveOf),
      prices: pricesOf(effects),
      known: new Set(known.map((one) => one.toLowerCase())),
    });
    const ids = rules.map(({ id }) => id);
    return {
      name,
      passed: outcome === expect && (by === undefined || ids.includes(by)),
      outcome,
      rules: ids,
    };
  });
