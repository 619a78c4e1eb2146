// The form of a mandate: what the owner entered → the draft that the service completes.
import type { MandateDraft } from "@countersign/sdk";
import { assetChain, assetSymbol } from "../../lib/assets.ts";
import { isAddress } from "../../lib/format.ts";
import { knownAssets } from "../../lib/tokens.ts";

export type Fields = {
  readonly purpose: string;
  readonly asset: string;
  /** Empty: no limit per payment. */
  readonly each: string;
  readonly most: string;
  /** Seconds, or `total`. */
  readonly period: string;
  /** One address per line. */
  readonly recipients: string;
  readonly isAnyone: boolean;
  /** A date, as a date field has it. Valid to its end in UTC. */
  readonly until: string;
};

export type Problems = Partial<Record<keyof Fields, string>>;

export const periodChoices = [
  ["86400", "any day"],
  ["604800", "any week"],
  ["2592000", "any 30 days"],
  ["total", "total"],
] as const;

/** Every asset that the form offers, with its name. */
export const assetChoices: readonly (readonly [asset: string, name: string])[] = knownAssets.map(
  ({ asset }) => [asset, `${assetSymbol(asset)} on ${assetChain(asset)}`],
);

const yearMs = 365 * 86_400_000;
const dayMs = 86_400_000;

export const emptyFields = (now: Date): Fields => ({
  ...{ purpose: "", asset: knownAssets[0]?.asset ?? "", each: "", most: "", period: "86400" },
  ...{ recipients: "", isAnyone: false },
  until: new Date(now.getTime() + 30 * dayMs).toISOString().slice(0, 10),
});

const decimalsOf = (asset: string): number => knownAssets.find((one) => one.asset === asset)?.decimals ?? 0;

function amountProblem(amount: string, decimals: number): string | undefined {
  if (!/^\d{1,30}(\.\d+)?$/.test(amount) || /^0+(\.0+)?$/.test(amount)) return "Enter an amount above 0.";
  const places = amount.split(".")[1]?.length ?? 0;
  return places > decimals ? `At most ${decimals} decimal places.` : undefined;
}

const linesOf = (text: string): readonly string[] =>
  text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

function recipientsProblem({ recipients, isAnyone }: Fields): string | undefined {
  if (isAnyone) return undefined;
  const lines = linesOf(recipients);
  if (lines.length === 0) return "Enter at least one address.";
  if (lines.length > 50) return "At most 50 addresses.";
  const wrong = lines.find((line) => !isAddress(line));
  if (wrong !== undefined) return `Not an address: ${wrong}`;
  const isTwice = new Set(lines.map((line) => line.toLowerCase())).size < lines.length;
  return isTwice ? "An address is in the list twice." : undefined;
}

const endOf = (until: string): number => Date.parse(`${until}T23:59:59Z`);

function untilProblem({ until }: Fields, now: Date): string | undefined {
  const end = endOf(until);
  if (Number.isNaN(end) || end <= now.getTime()) return "Choose a date in the future.";
  return end > now.getTime() + yearMs ? "At most a year from now." : undefined;
}

export function problemsOf(fields: Fields, now: Date): Problems {
  const decimals = decimalsOf(fields.asset);
  const found: Record<string, string | undefined> = {
    purpose: fields.purpose.trim() === "" ? "Say what it’s for." : undefined,
    each: fields.each.trim() === "" ? undefined : amountProblem(fields.each.trim(), decimals),
    most: amountProblem(fields.most.trim(), decimals),
    recipients: recipientsProblem(fields),
    until: untilProblem(fields, now),
  };
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined));
}

/** Returns the draft of fields without problems. */
export function draftOf(fields: Fields, agent: string): MandateDraft {
  const { asset, period, isAnyone } = fields;
  const chain = /^eip155:\d+/.exec(asset)?.[0] ?? "";
  const limit = { measure: asset, decimals: decimalsOf(asset) };
  return {
    ...{ agent, purpose: fields.purpose.trim(), acts: ["transfer"], assets: [asset] },
    recipients: isAnyone ? ["*"] : linesOf(fields.recipients).map((line) => `${chain}:${line}`),
    limits: [
      ...(fields.each.trim() === ""
        ? []
        : [{ ...limit, span: "transaction" as const, seconds: 0, most: fields.each.trim() }]),
      period === "total"
        ? { ...limit, span: "total", seconds: 0, most: fields.most.trim() }
        : // Holds for every interval, also around the start of a day.
          { ...limit, span: "rolling", seconds: Number(period), most: fields.most.trim() },
    ],
    validUntil: Math.floor(endOf(fields.until) / 1000),
  };
}

type Simple = Pick<MandateDraft, "acts" | "assets" | "recipients" | "limits" | "purpose" | "validUntil">;

/** Fixed periods become rolling ones, which are stricter. */
const simpleSpans: readonly string[] = ["transaction", "period", "rolling", "total"];

/** Whether the form has a field for everything in the terms. */
const isSimple = ({ acts, assets, limits }: Simple, asset: string, period: string): boolean =>
  assets.length === 1 &&
  assetChoices.some(([known]) => known === asset) &&
  acts.join() === "transfer" &&
  limits.filter(({ span }) => span === "transaction").length <= 1 &&
  limits.filter(({ span }) => span !== "transaction").length === 1 &&
  limits.every(({ measure, span }) => measure === asset && simpleSpans.includes(span)) &&
  periodChoices.some(([value]) => value === period);

/** Returns the fields of terms that the form can express; undefined for all others. */
export function fieldsOf(terms: Simple): Fields | undefined {
  const [asset = ""] = terms.assets;
  const each = terms.limits.find(({ span }) => span === "transaction")?.most ?? "";
  const over = terms.limits.find(({ span }) => span !== "transaction");
  if (over === undefined) return undefined;
  const period = over.span === "total" ? "total" : String(over.seconds ?? "");
  if (!isSimple(terms, asset, period)) return undefined;
  const isAnyone = terms.recipients.includes("*");
  return {
    ...{ purpose: terms.purpose, asset, each, most: over.most, period, isAnyone },
    recipients: isAnyone ? "" : terms.recipients.map((one) => one.split(":").at(-1) ?? "").join("\n"),
    until: new Date(terms.validUntil * 1000).toISOString().slice(0, 10),
  };
}
