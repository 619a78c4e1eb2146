// AP2 (Agent Payments Protocol): the intent mandate of a user who is not present.
import { limitText } from "./export.ts";
import { purposeOf, withinAYear } from "./import.ts";
import { refuse, type Draft, type Imported, type ImportOptions, type MandateTerms } from "./types.ts";

/** The members of an intent mandate of AP2 0.1. */
export type Ap2IntentMandate = {
  readonly natural_language_description: string;
  /** Absent: any merchant. */
  readonly merchants?: readonly string[] | null;
  readonly skus?: readonly string[] | null;
  readonly requires_refundability?: boolean | null;
  /** ISO 8601. */
  readonly intent_expiry: string;
  readonly user_cart_confirmation_required?: boolean;
};

/** Result of `toAp2`. */
export type Ap2Export = { readonly intent: Ap2IntentMandate; readonly narrowed: readonly string[] };

/**
 * Returns an intent mandate. AP2 has no amounts in it, so it always requires the user to confirm each cart, and the limits are
 * only in its text.
 */
export function toAp2(terms: MandateTerms): Ap2Export {
  const { purpose, recipients, limits, validUntil, acts } = terms;
  if (!acts.includes("transfer")) refuse("The mandate has no transfers, and AP2 is about payments.");
  return {
    intent: {
      natural_language_description: `${purpose}. At most ${limits.map(limitText).join("; ")}.`,
      ...(recipients.includes("*") ? {} : { merchants: [...recipients] }),
      intent_expiry: new Date(validUntil * 1000).toISOString(),
      user_cart_confirmation_required: true,
    },
    narrowed: [
      "An intent mandate has no amounts, so the user confirms each cart.",
      "The beginning, the assets and the limits are in the text only, or left out.",
    ],
  };
}

/** Options of `fromAp2`: also the assets and limits, which an intent mandate does not have. */
export type Ap2ImportOptions = ImportOptions & Pick<Draft, "assets" | "limits">;

/**
 * Returns a draft with the given assets and limits. Throws `ConversionRefused` for constraints that a mandate cannot hold: a
 * confirmation of each cart, SKUs, refunds, and merchants without an address.
 */
export function fromAp2(
  intent: Ap2IntentMandate,
  { agent, now, assets, limits }: Ap2ImportOptions,
): Imported {
  const { merchants, skus, requires_refundability: refunds, intent_expiry: ends } = intent;
  const strange = (merchants ?? []).filter((one) => !/^eip155:[1-9]\d{0,15}:0x[0-9a-fA-F]{40}$/.test(one));
  const expiry = Math.floor(Date.parse(ends) / 1000);
  const reasons = [
    ...(intent.user_cart_confirmation_required === false
      ? []
      : ["The user wants to confirm each cart, which a mandate would skip."]),
    ...((skus ?? []).length > 0 ? ["A mandate cannot hold SKUs."] : []),
    ...(refunds === true ? ["A mandate cannot require that purchases are refundable."] : []),
    ...(merchants?.length === 0 ? ["The list of merchants is empty."] : []),
    ...strange.map((one) => `The merchant ${one} is not an address (CAIP-10).`),
    ...(Number.isNaN(expiry) ? ["intent_expiry is not a time."] : []),
  ];
  if (reasons.length > 0) refuse(...reasons);
  const { validUntil, narrowed } = withinAYear(now, expiry);
  const draft: Draft = {
    ...{ agent, purpose: purposeOf(intent.natural_language_description), acts: ["transfer"] },
    ...{ assets, limits, validFrom: now, validUntil },
    recipients: merchants == null ? ["*"] : merchants.map((one) => one.toLowerCase()),
  };
  return {
    drafts: [draft],
    narrowed: ["Assets and limits are yours: an intent mandate has none.", ...narrowed],
  };
}
