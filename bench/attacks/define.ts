// An attack class changes typed parameters (the same encoder then runs), the text of the request, or the envelope. It
// never writes calldata by hand.
import { getAddress } from "ethers";
import type { Rng } from "../rng.ts";
import type { Params, ValidateRequest, Wrap } from "../types.ts";

export type Attack = {
  id: string;
  critical: boolean;
  /** Ids of the checks (validator.md 5.5) that describe the fault correctly. */
  nodes: readonly string[];
  /** Limits the class to scenarios that it applies to. */
  when(p: Params): boolean;
  /** Forces an account type, for attacks that need it. */
  wrap?: Wrap;
  /** Adjusts the honest scenario first, so that twin and attack share the change. */
  prepare?(p: Params, rng: Rng): void;
  apply?(p: Params, rng: Rng): Params | null;
  text?(text: string, p: Params, rng: Rng): string | null;
  request?(request: ValidateRequest, p: Params, rng: Rng): void;
  /** Applied to the twin's request, if the field must exist in both. */
  twinRequest?(request: ValidateRequest, p: Params, rng: Rng): void;
};

const FAMILY: Record<string, string> = {
  i: "intent_alignment",
  t: "technical_invariants",
  l: "legal_compliance",
  a: "adversarial_detection",
};

/** Expands "i:recipient_match a:address_poisoning" to full check ids. */
export function nodes(text: string): string[] {
  return text.split(" ").map((item) => {
    const [family = "", name = ""] = item.split(":");
    return `${FAMILY[family]}.${name}`;
  });
}

/** Keeps the first and last hex digits and draws the others at random. */
export function lookAlike(address: string, prefix: number, suffix: number, rng: Rng): string {
  const own = address.slice(2).toLowerCase();
  const fill = rng.bytes(20).slice(2);
  const body = own.slice(0, prefix) + fill.slice(prefix, 40 - suffix) + own.slice(40 - suffix);
  return getAddress("0x" + body);
}

export const isSwap = (p: Params): boolean => p.action === "swap";
export const isOrder = (p: Params): boolean =>
  ["cow.order", "uniswapx.order", "1inch.limit-order"].includes(p.recipe);
export const isTyped = (p: Params): boolean =>
  isOrder(p) || ["permit", "pay_signature", "nft_list"].includes(p.action);
export const isRouter = (p: Params): boolean => p.protocol === "universal-router";
export const isV4 = (p: Params): boolean => p.recipe.includes(".v4-");
export const hasCalls = (p: Params): boolean => !isTyped(p);
