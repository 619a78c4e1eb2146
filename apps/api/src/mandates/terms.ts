// The terms of a mandate, and what they may not say. An empty list allows nothing; there is no "any asset".
import type { Hex, Mandate } from "@countersign/wire";
import { parseUnits } from "viem/utils";
import { z } from "zod";
import { EthereumAddress } from "../accounts/index.ts";
import { hasSeconds, Span } from "./span.ts";

/** Acts whose amounts can be counted. Borrowing, orders, roles and unreadable calls are in no mandate. */
const acts = [
  ...["transfer", "approve", "revoke", "swap", "wrap", "unwrap", "supply", "withdraw", "repay"],
  ...["stake", "unstake", "claim", "add_liquidity", "remove_liquidity", "buy_nft"],
] as const;

const minuteSeconds = 60;
const longestSeconds = 366 * 24 * 60 * 60;
const mostEntries = 50;

const lowerCase = (text: string): string => text.toLowerCase();
const isUnique = (list: readonly string[]): boolean => new Set(list).size === list.length;

const listOf = (entry: z.ZodType<string, string>) =>
  z.array(entry).min(1).max(mostEntries).refine(isUnique, "must not name anything twice");

const Asset = z
  .string()
  .regex(/^eip155:[1-9][0-9]{0,15}\/(?:slip44:[0-9]{1,9}|erc20:0x[0-9a-fA-F]{40})$/, {
    error: "must be a CAIP-19 id such as eip155:1/slip44:60 or eip155:1/erc20:0x…",
  })
  .transform(lowerCase);

const Recipient = z
  .string()
  .regex(/^(?:\*|eip155:[1-9][0-9]{0,15}:0x[0-9a-fA-F]{40})$/, {
    error: 'must be a CAIP-10 id such as eip155:1:0x…, or "*" for anyone',
  })
  .transform(lowerCase);

const Limit = z
  .object({
    measure: z.string().max(200).transform(lowerCase).meta({
      description: "One of the assets, count (transactions), or usd.",
    }),
    span: Span,
    seconds: z.int().min(0).max(longestSeconds).default(0).meta({
      description: "The length of a period or a rolling interval. 0 for other spans.",
    }),
    most: z
      .string()
      .regex(/^(?:0|[1-9][0-9]{0,59})(?:\.[0-9]{1,36})?$/, {
        error: "must be a decimal number such as 200 or 0.5",
        abort: true,
      })
      .meta({ description: "In whole tokens, transactions or dollars." }),
    decimals: z.int().min(0).max(36).default(0).meta({
      description:
        "Of the token. For usd 2, to count cents; amounts are rounded up to these places. 0 for count.",
    }),
  })
  .refine(({ span, seconds }) => (hasSeconds(span) ? seconds >= minuteSeconds : seconds === 0), {
    error: "seconds must be at least 60 for a period or a rolling interval, and 0 otherwise",
    path: ["seconds"],
  })
  .refine(({ most, decimals }) => (most.split(".")[1]?.length ?? 0) <= decimals, {
    error: "must not have more decimal places than `decimals`",
    path: ["most"],
  })
  .refine((limit) => unitsOf(limit) < 2n ** 256n, { error: "must be below 2^256", path: ["most"] });

const fields = {
  agent: z.string().regex(/^(?:key|oauth):[0-9a-f-]{36}$/, "must be key:<id> or oauth:<id>"),
  purpose: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\p{Cc}\p{Cf}]*$/u, "must have visible characters only"),
  acts: listOf(z.enum(acts)),
  assets: listOf(Asset),
  recipients: listOf(Recipient),
  limits: z.array(Limit).min(1).max(mostEntries),
};

type Bounds = {
  readonly assets: readonly string[];
  readonly recipients: readonly string[];
  readonly limits: readonly z.output<typeof Limit>[];
};

/** Checks the members against each other. */
function checkBounds({ assets, recipients, limits }: Bounds, context: z.RefinementCtx): void {
  const complain = (path: readonly (string | number)[], message: string): void => {
    context.addIssue({ code: "custom", path: [...path], message });
  };
  if (recipients.includes("*") && recipients.length > 1)
    complain(["recipients"], 'must be names, or only "*"');
  const measures = ["count", "usd", ...assets];
  for (const [index, { measure }] of limits.entries())
    if (!measures.includes(measure))
      complain(["limits", index, "measure"], "must be count, usd or one of the assets");
  // A limit per transaction alone bounds nothing: an agent makes as many transactions as it likes.
  for (const asset of assets)
    if (!limits.some(({ measure, span }) => measure === asset && span !== "transaction"))
      complain(["limits"], `must bound ${asset} over a period or in total`);
}

/** The owner's part of a mandate. The service adds the rest. */
export const Draft = z
  .object({
    ...fields,
    validFrom: z.int().positive().optional().meta({ description: "Unix seconds. Default: now." }),
    validUntil: z.int().positive().meta({ description: "Unix seconds, at most a year after validFrom." }),
  })
  .superRefine(checkBounds);
export type Draft = z.output<typeof Draft>;

/** A mandate as it is signed. */
export const Terms = z
  .object({
    account: EthereumAddress,
    homeChainId: z.int().positive(),
    inbox: EthereumAddress,
    ...fields,
    validFrom: z.int().positive(),
    validUntil: z.int().positive(),
    nonce: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/, "must be 32 bytes in hex")
      .transform((text) => text.toLowerCase() as Hex),
  })
  .superRefine(checkBounds);
export type Terms = z.output<typeof Terms>;

/** Whether it is valid for some time, and for a year at most. */
export const isPeriodAllowed = ({
  validFrom,
  validUntil,
}: Pick<Mandate, "validFrom" | "validUntil">): boolean =>
  validUntil > validFrom && validUntil - validFrom <= longestSeconds;

/** Returns the limit in base units. */
export const unitsOf = ({ most, decimals }: { readonly most: string; readonly decimals: number }): bigint =>
  parseUnits(most, decimals);

/** Chains have one native asset, whatever its number in SLIP-44. */
export const assetKey = (asset: string): string => asset.replace(/\/slip44:\d+$/, "/native");
