/** English prohibitions that a rule compares with the transaction, and what each forbids. */
import type { Negation } from "../../intent.ts";

type Ban = { readonly phrases: string; readonly kind: Negation["kind"]; readonly acts?: Negation["acts"] };

export const bans: readonly Ban[] = [
  { kind: "approval", phrases: "no approvals, no approval, no allowances, no allowance, without any approval, without an approval, without approvals, don't approve anything, do not approve anything, don't grant any approvals, no approvals please, no token approvals" },
  { kind: "unlimited_approval", phrases: "no unlimited approval, no unlimited approvals, not unlimited, no unlimited allowance, no infinite approval, no infinite approvals, not infinite, don't make it unlimited, do not make it unlimited, never unlimited" },
  { kind: "act", acts: ["borrow"], phrases: "don't borrow anything, do not borrow anything, don't borrow, do not borrow, do not borrow anything yet, no borrowing, don't borrow anything yet, no borrow" },
  { kind: "act", acts: ["swap"], phrases: "don't swap anything, do not swap anything, no swaps, no swap, don't swap it, don't convert it, do not convert it, no conversion, no conversions, no swapping, don't swap them" },
  { kind: "act", acts: ["bridge"], phrases: "no bridging, don't bridge it, do not bridge it, no bridge, don't bridge anything" },
  { kind: "act", acts: ["stake"], phrases: "no staking, don't stake it, do not stake it" },
  { kind: "act", acts: ["wrap"], phrases: "i don't want it wrapped, don't wrap it, do not wrap it, no wrapping" },
  { kind: "fee", phrases: "no fees, no fee, no tip, without fees, no fee on top" },
  { kind: "partial_fill", phrases: "no partial fills, no partial fill, no partials, not partially, fill or kill" },
  { kind: "other", phrases: "don't send anything else, do not send anything else, don't move anything else, do not move anything else, no extra transfers, no extra calls, no extra steps, no other calls, no other steps, no other tokens, no other assets, nothing beyond that, nothing on top" },
];
