/** Finds a fraction in words that counts nothing: "Buy USDC with 1 rETH. A tenth.", "Send 110 DAI to 0x…. (Make it half)" */
import type { Portion, Span, Step } from "../intent.ts";

export function findUncounted(steps: readonly Step[], text: string): Span | null {
  const sides = steps.flatMap(({ gives, gets }) => [gives, gets]);
  const found = sides.flatMap((side) => side.filter((portion) => isUncounted(portion, side, text)));
  return found[0]?.quantity?.span ?? null;
}

function isUncounted({ asset, quantity }: Portion, side: readonly Portion[], text: string): boolean {
  if (asset !== null || quantity === null || /\d/.test(text.slice(...quantity.span))) return false;
  return quantity.kind === "share" ? side.length > 1 : quantity.kind === "exact" && quantity.n.scale > 0;
}
