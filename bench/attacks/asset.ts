// Attacks on the asset: the wrong token leaves or arrives, or the trade is reversed.
import { tokenOf, tokensOf } from "../data/tokens.ts";
import { NFTS } from "../data/protocols.ts";
import { must } from "../must.ts";
import { isSwap, isV4, nodes, type Attack } from "./define.ts";
import type { Params, Token } from "../types.ts";

const IN =
  "i:asset_in_match i:asset_out_match i:action_match i:direction_match i:effect_coverage i:constraint_coverage i:amount_match i:recipient_match i:step_sequence i:order_terms_match t:selector_known t:decodability t:target_kind t:protocol_address t:token_decimals_consistency a:token_impersonation a:hidden_call a:order_drain";
const OUT =
  "i:asset_out_match i:direction_match i:effect_coverage i:constraint_coverage i:amount_out_match i:action_match t:decodability a:token_impersonation a:order_drain a:min_out_zero a:price_impact i:asset_in_match";

const BRIDGED: Record<number, string> = { 10: "USDC.e", 137: "USDC.e", 42161: "USDC.e", 8453: "USDbC" };

function giveInstead(p: Params, token: Token): Params {
  const target = p.target === must(p.give).address ? token.address : p.target;
  return { ...p, give: token, target, route: p.route.length > 0 ? [token, ...p.route.slice(1)] : p.route };
}

function getInstead(p: Params, token: Token): Params {
  return { ...p, get: token, route: [...p.route.slice(0, -1), token] };
}

/** Converts the amount to the units of the other token. */
function rescale(p: Params, from: Token, to: Token): Params {
  const shift = 10n ** BigInt(Math.abs(to.decimals - from.decimals));
  const f = (v: bigint): bigint => (to.decimals >= from.decimals ? v * shift : v / shift);
  return {
    ...p,
    amount: f(p.amount),
    allowance: f(p.allowance),
    payees: p.payees.map((x) => ({ ...x, amount: f(x.amount) })),
  };
}

const tokenGiven = (p: Params): boolean => p.give !== undefined && !p.give.native && p.action !== "unwrap";
const MOVES = [
  "transfer",
  "payroll",
  "swap",
  "supply",
  "withdraw",
  "borrow",
  "repay",
  "approve",
  "bridge",
  "permit",
  "pay_signature",
  "limit_order",
];
const FLIPS: Record<string, Params["action"]> = {
  wrap: "unwrap",
  unwrap: "wrap",
  supply: "withdraw",
  withdraw: "supply",
  borrow: "repay",
  repay: "borrow",
  vault_deposit: "vault_withdraw",
  vault_withdraw: "vault_deposit",
};

const givesUsdc = (p: Params): boolean =>
  tokenGiven(p) && MOVES.includes(p.action) && must(p.give).symbol === "USDC";

export const ASSET: readonly Attack[] = [
  {
    id: "fake_token_in",
    critical: true,
    nodes: nodes(IN),
    when: (p) => tokenGiven(p) && MOVES.includes(p.action),
    apply: (p, rng) => giveInstead(p, { ...must(p.give), address: rng.address() }),
  },
  {
    id: "bridged_twin_in",
    critical: true,
    nodes: nodes(IN),
    when: (p) => givesUsdc(p) && BRIDGED[p.chain] !== undefined,
    apply: (p) => giveInstead(p, tokenOf(p.chain, must(BRIDGED[p.chain]))),
  },
  {
    id: "other_stable_in",
    critical: true,
    nodes: nodes(IN),
    when: (p) => givesUsdc(p) && p.chain !== 11155111 && p.get?.symbol !== "DAI" && p.amount < 1n << 200n,
    apply(p) {
      const dai = tokenOf(p.chain, "DAI");
      return giveInstead(rescale(p, must(p.give), dai), dai);
    },
  },
  {
    id: "fake_token_out",
    critical: true,
    nodes: nodes(OUT),
    when: (p) => isSwap(p) && !must(p.get).native,
    apply: (p, rng) => getInstead(p, { ...must(p.get), address: rng.address() }),
  },
  {
    id: "other_token_out",
    critical: true,
    nodes: nodes(OUT),
    when: (p) => isSwap(p) && !must(p.get).native,
    apply(p, rng) {
      const others = tokensOf(p.chain).filter(
        (t) => t.symbol !== must(p.get).symbol && !p.route.includes(t) && t.symbol !== "WETH",
      );
      return others.length > 0 ? getInstead(p, rng.pick(others)) : null;
    },
  },
  {
    id: "bridged_twin_out",
    critical: true,
    nodes: nodes(OUT),
    when: (p) => isSwap(p) && must(p.get).symbol === "USDC" && BRIDGED[p.chain] !== undefined,
    apply: (p) => getInstead(p, tokenOf(p.chain, must(BRIDGED[p.chain]))),
  },
  {
    id: "path_reversed",
    critical: true,
    nodes: nodes(`${IN} ${OUT}`),
    when: (p) => isSwap(p) && !must(p.give).native && !must(p.get).native && !isV4(p),
    apply: (p) => ({
      ...p,
      route: [...p.route].reverse(),
      withApproval: false,
      give: must(p.get),
      get: must(p.give),
    }),
  },
  {
    id: "direction_flipped",
    critical: true,
    nodes: nodes(
      `${IN} i:venue_match t:payable_value t:balance_allowance i:approval_scope_match i:spender_match`,
    ),
    when: (p) => FLIPS[p.action] !== undefined && p.recipe !== "compound-v2.supply-eth",
    prepare: (p) => void (p.withApproval = false),
    apply: (p) => ({ ...p, action: must(FLIPS[p.action]) }),
  },
  {
    id: "withdraw_becomes_borrow",
    critical: true,
    nodes: nodes(IN),
    when: (p) =>
      p.action === "withdraw" && ["aave-v3", "compound-v2"].includes(p.protocol) && p.say.style === "plain",
    apply: (p) => ({ ...p, action: "borrow" }),
  },
  {
    id: "nft_other_id",
    critical: true,
    nodes: nodes(`${IN} a:order_drain`),
    when: (p) => p.nft !== undefined,
    apply: (p) => ({ ...p, nft: { ...must(p.nft), id: must(p.nft).id + 7n } }),
  },
  {
    id: "nft_other_collection",
    critical: true,
    nodes: nodes(`${IN} a:order_drain`),
    when: (p) => p.nft?.standard === 721,
    apply(p, rng) {
      const other = rng.pick(NFTS.filter((n) => n.address !== must(p.nft).collection));
      return { ...p, nft: { ...must(p.nft), collection: other.address } };
    },
  },
];
