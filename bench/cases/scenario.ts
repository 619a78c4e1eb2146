// Draws one honest scenario: recipe, chain, account type, and how much detail the request gives.
import { decimal } from "../words/numbers.ts";
import type { Rng } from "../rng.ts";
import type { Params, Recipe, Wrap } from "../types.ts";

/** A fixed time in November 2026. A case's clock is `metadata.now`, never the system clock. */
const EPOCH = 1_794_000_000;
const OWN_LABELS: Partial<Record<Wrap, string>> = {
  safe: "Treasury Safe",
  multisend: "Treasury Safe",
  entrypoint: "my smart account",
};

export function drawScenario(rng: Rng, recipe: Recipe, wrap?: Wrap): Params {
  const chain = rng.pick(recipe.chains);
  const actor = rng.address();
  const p = recipe.make({ rng, chain, now: EPOCH + rng.int(0, 8_000_000), actor });
  p.wrap = wrap ?? rng.pick(recipe.wraps);
  const label = OWN_LABELS[p.wrap];
  if (label) {
    p.ourLabel = label;
    p.sender = rng.address();
    // Self-bundled: the account itself is the sender and the beneficiary.
    if (p.wrap === "entrypoint" && rng.chance(0.5)) p.sender = p.actor;
  }
  if (rng.chance(0.25) && !p.action.startsWith("nft") && p.recipe !== "lido.stake") p.say.chain = true;
  styleAmount(rng, p);
  return p;
}

const STYLED = ["transfer", "swap", "supply", "wrap"];

/** Writes the amount as "half my USDC" or "$800 of ETH" in some requests. */
function styleAmount(rng: Rng, p: Params): void {
  if (!STYLED.includes(p.action) || p.say.style !== "plain" || p.payees.length > 0 || !p.give) return;
  const roll = rng.next();
  const price = p.prices[p.give.symbol];
  if (roll < 0.06 && price !== undefined) {
    p.say.style = "usd";
    p.say.usd = Number((Number(decimal(p.amount, p.give.decimals)) * price).toFixed(2));
  } else styleShare(rng, roll, p);
}

/** The request names a share of the balance, so the balance is set to match. */
function styleShare(rng: Rng, roll: number, p: Params): void {
  if (p.give?.native || p.wrap !== "none") return;
  if (roll < 0.1) {
    p.say.style = "half";
    p.balance = p.amount * 2n;
  } else if (roll < 0.14) {
    p.say.style = "all";
    p.balance = p.amount;
  } else if (roll < 0.18) {
    p.say.style = "percent";
    p.say.percent = rng.pick([10, 20, 25, 50, 75]);
    p.balance = (p.amount * 100n) / BigInt(p.say.percent);
    // Keeps the style only if the percentage of the balance is exact.
    if ((p.balance * BigInt(p.say.percent)) / 100n !== p.amount) resetStyle(p);
  }
}

function resetStyle(p: Params): void {
  p.say.style = "plain";
  delete p.balance;
}
