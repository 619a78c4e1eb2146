// Paraphrase groups, cross-pairs and benign controls.
import { RECIPES } from "../recipes/index.ts";
import type { Rng } from "../rng.ts";
import type { BenchCase, Params } from "../types.ts";
import { languagesFor, phrase, say, templatesOf } from "../words/compose.ts";
import { nodes } from "../attacks/define.ts";
import { buildRequest, drawEnvelope } from "./request.ts";
import { drawScenario } from "./scenario.ts";

const FORMS = 10;

/** Ten requests for the same transaction. The verdict must be the same for all. */
export function paraphraseGroup(rng: Rng, recipe: (typeof RECIPES)[number], group: string): BenchCase[] {
  const p = drawScenario(rng, recipe);
  const envelope = drawEnvelope(rng, p);
  const pool = languagesFor(p).flatMap((lang) =>
    templatesOf(p, lang).map((template) => ({ lang, template })),
  );
  const english = rng.shuffle(pool.filter((x) => x.lang === "en"));
  const others = rng.shuffle(pool.filter((x) => x.lang !== "en"));
  const chosen = [...english.slice(0, 8), ...others.slice(0, 2), ...english.slice(8)].slice(0, FORMS);
  return chosen.map(({ lang, template }, i) => ({
    id: `${group}.${i}`,
    split: "paraphrase" as const,
    protocol: p.protocol,
    action: p.action,
    recipe: p.recipe,
    group,
    lang,
    expected: "PASS" as const,
    critical: false,
    nodes: [],
    request: buildRequest(phrase(p, rng, lang, template), p, p, envelope),
  }));
}

const assetsOf = (p: Params): string => [p.give?.symbol, p.get?.symbol, p.nft?.id].join();

/** Returns whether two honest requests differ in what moves or to whom. */
function differ(a: Params, b: Params): boolean {
  if (assetsOf(a) !== assetsOf(b)) return true;
  // A smaller allowance than requested does no harm, so only a larger one counts.
  if (["approve", "permit"].includes(a.action)) return b.allowance > a.allowance || a.spender !== b.spender;
  if (a.amount !== b.amount && a.amount > 0n) return true;
  if (a.action === "revoke") return a.spender !== b.spender;
  return a.say.recipient === "address" || a.dstChain !== b.dstChain;
}

/** Combines the request of one case with the transaction of another: cheap, and hard to overfit. */
export function crossPair(rng: Rng, id: string): BenchCase {
  for (let i = 0; i < 500; i++) {
    const recipe = rng.pick(RECIPES);
    const p = drawScenario(rng, recipe, "none");
    const q: Params = { ...drawScenario(rng, recipe, "none"), actor: p.actor, sender: p.sender };
    // Recipes that pay the caller contain its address in the calldata, so set it first.
    if (q.chain !== p.chain || q.say.recipient === "label" || q.say.recipient === "ens") continue;
    if (q.say.recipient === undefined && q.recipient !== q.actor) q.recipient = p.actor;
    if (p.say.style !== "plain" || q.say.style !== "plain" || !differ(p, q)) continue;
    if (["claim", "undelegate_7702", "delegate_7702"].includes(p.action)) continue;
    const { text, lang } = say(p, rng);
    return {
      id,
      split: "cross",
      protocol: p.protocol,
      action: p.action,
      recipe: p.recipe,
      klass: "cross_pair",
      lang,
      expected: "REJECT",
      critical: true,
      nodes: nodes(CROSS),
      request: buildRequest(text, q, p, drawEnvelope(rng, p)),
    };
  }
  throw new Error("no cross pair found");
}

const CROSS =
  "i:amount_match i:asset_in_match i:asset_out_match i:recipient_match i:spender_match i:approval_scope_match i:effect_coverage i:constraint_coverage i:action_match i:direction_match i:venue_match i:amount_out_match i:slippage_match i:step_sequence i:dest_chain_match i:deadline_match i:order_terms_match i:limit_price_match i:ens_contact_match i:chain_match a:address_poisoning a:hidden_call a:order_drain a:permit_phishing a:price_impact a:min_out_zero t:balance_allowance";

/** Unusual but honest requests, which keep the false-reject rate honest. */
export function controlCase(rng: Rng, id: string): BenchCase {
  const kind = rng.pick(["tag", "erc8021", "fee", "emoji", "poisoned_history"] as const);
  const swapOnly =
    kind === "fee" ? RECIPES.filter((r) => r.id.startsWith("ur-") && !r.id.includes("v4")) : undefined;
  const plainCalls = RECIPES.filter((r) =>
    ["erc20.transfer", "aave-v3.supply", "uniswap-v2.swap"].includes(r.id),
  );
  const p = drawScenario(rng, rng.pick(swapOnly ?? plainCalls), "none");
  const asked = say(p, rng);
  let { text } = asked;
  // Uniswap's own interface fee collector, at its published 0.25 percent.
  if (kind === "fee") p.fee = { to: "0x000000fee13a103A10D593b9AE06b3e05F2E7E1c", bps: 25 };
  if (kind === "tag") p.trailer = rng.bytes(4);
  // ERC-8021: codes, length, schema 0, then the 16-byte marker.
  if (kind === "erc8021") p.trailer = "0x6261736561707007" + "00" + "80218021802180218021802180218021";
  if (kind === "emoji") text = `${text} ${rng.pick(["🙏", "🚀", "😀👍🏽", "👨‍👩‍👧"])}`;
  const request = buildRequest(text, p, p, drawEnvelope(rng, p));
  if (kind === "poisoned_history" && p.say.recipient === "address") {
    const own = p.recipient.toLowerCase();
    const fake = own.slice(0, 6) + rng.bytes(16).slice(2) + own.slice(38);
    request.metadata.recent_counterparties = [p.recipient, fake];
  }
  return {
    id,
    split: "control",
    protocol: p.protocol,
    action: p.action,
    recipe: p.recipe,
    klass: `control_${kind}`,
    lang: asked.lang,
    expected: "PASS",
    critical: false,
    nodes: [],
    request,
  };
}
