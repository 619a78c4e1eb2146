import { AMOUNT } from "./amount.ts";
import { ASSET } from "./asset.ts";
import { AUTHORITY } from "./authority.ts";
import type { Attack } from "./define.ts";
import { RECIPIENT } from "./recipient.ts";
import { STRUCTURE } from "./structure.ts";
import { TERMS } from "./terms.ts";
import { WORDS } from "./words.ts";

/** All attack classes. To add one, add an entry to one of these files. */
export const ATTACKS: readonly Attack[] = [
  ...RECIPIENT,
  ...AMOUNT,
  ...ASSET,
  ...TERMS,
  ...AUTHORITY,
  ...STRUCTURE,
  ...WORDS,
];
