// Types and checks that all conversions share.
import { CountersignError } from "../errors.ts";
import type { Mandate, PostMandatesDraftData } from "../generated/api.ts";
import type { Hex } from "../types.ts";

/** A mandate as it is signed. */
export type MandateTerms = Mandate["terms"];

/** The part of a mandate that an owner writes. */
export type Draft = PostMandatesDraftData["body"];

/** Options of imports: members of a mandate that other formats do not have. */
export type ImportOptions = {
  /** The agent that the mandate is for: `key:<id>` or `oauth:<id>`. */
  readonly agent: string;
  /** Unix seconds, for formats that name no beginning. */
  readonly now: number;
  /** Decimals of tokens by CAIP-19 id. Without them the amounts are in base units. The native currency has 18. */
  readonly decimals?: Readonly<Record<string, number>>;
};

/** The result of an import: one draft for each permission, because separate permissions add up. */
export type Imported = {
  readonly drafts: readonly Draft[];
  /** Where the drafts allow less than the permissions, or leave out what a mandate does not have. */
  readonly narrowed: readonly string[];
};

/**
 * A conversion that would allow more than its source, or that meets something it does not know.
 */
export class ConversionRefused extends CountersignError {
  override readonly name = "ConversionRefused";
  /** A sentence for each obstacle. */
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(`Not converted: ${reasons.join(" ")}`);
    this.reasons = reasons;
  }
}

export const refuse = (...reasons: readonly string[]): never => {
  throw new ConversionRefused(reasons);
};

/** Reads data of others: throws `ConversionRefused` unless it is what was expected. */
export function requireThat(condition: boolean, reason: string): asserts condition {
  if (!condition) refuse(reason);
}

export const isAddress = (value: unknown): value is Hex =>
  typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value);

export const lower = (text: string): Hex => text.toLowerCase() as Hex;
