// Compares the terms to sign with the draft that the owner reviewed, so that a service cannot change them in between.
import type { Mandate, MandateDraft } from "@countersign/sdk";

const normal = (value: unknown): string => JSON.stringify(value).toLowerCase();

type Limit = {
  readonly measure: string;
  readonly span: string;
  readonly seconds?: number;
  readonly most: string;
  readonly decimals?: number;
};

const limitOf = ({ measure, span, seconds = 0, most, decimals = 0 }: Limit): readonly unknown[] => [
  ...[measure, span, seconds, most, decimals],
];

/** Whether the terms are the owner's draft for this account, and nothing else. */
export const isAsDrafted = (terms: Mandate["terms"], draft: MandateDraft, account: string): boolean =>
  terms.account.toLowerCase() === account.toLowerCase() &&
  terms.agent === draft.agent &&
  terms.purpose === draft.purpose &&
  normal(terms.acts) === normal(draft.acts) &&
  normal(terms.assets) === normal(draft.assets) &&
  normal(terms.recipients) === normal(draft.recipients) &&
  normal(terms.limits.map(limitOf)) === normal(draft.limits.map(limitOf)) &&
  terms.validUntil === draft.validUntil &&
  (draft.validFrom === undefined || terms.validFrom === draft.validFrom);
