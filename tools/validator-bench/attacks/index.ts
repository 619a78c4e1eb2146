import { AMOUNT } from "./amount.ts";
import { ASSET } from "./asset.ts";
import { AUTHORITY } from "./authority.ts";
import type { Attack } from "./define.ts";
import { RECIPIENT } from "./recipient.ts";
import { STRUCTURE } from "./structure.ts";
import { TERMS } from "./terms.ts";
import { WORDS } from "./words.ts";

/** Every class. A new one is a new entry in one of these files, nothing else. */
export const ATTACKS: readonly Attack[] = [
  ...RECIPIENT,
  ...AMOUNT,
  ...ASSET,
  ...TERMS,
  ...AUTHORITY,
  ...STRUCTURE,
  ...WORDS,
];
