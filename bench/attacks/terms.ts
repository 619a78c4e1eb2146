// Attacks on price, time, chain and venue.
import { AAVE_POOL, SUSHI_V2_ROUTER } from "../data/protocols.ts";
import { nativeOf, tokenOf, TOKENS } from "../data/tokens.ts";
import { must } from "../must.ts";
import { withSlippage } from "../recipes/base.ts";
import { isOrder, isRouter, isSwap, isTyped, isV4, lookAlike, nodes, type Attack } from "./define.ts";
import type { Params, ValidateRequest } from "../types.ts";

const PRICE =
  "i:amount_out_match i:slippage_match i:limit_price_match i:constraint_coverage a:min_out_zero a:price_impact a:order_drain t:amounts_sane";
const TIME =
  "i:deadline_match t:deadline_sane i:constraint_coverage i:order_terms_match a:order_drain a:permit_phishing";
const VENUE =
  "i:venue_match t:protocol_address t:decodability t:selector_known i:effect_coverage i:constraint_coverage i:spender_match a:hidden_call a:approve_then_drain i:recipient_match i:action_match";
const CHAIN =
  "i:chain_match i:constraint_coverage t:typed_data_wellformed t:context_conflict i:asset_in_match t:protocol_address";

function floor(p: Params, value: bigint): Params {
  return { ...p, minOut: value, order: isOrder(p) ? { ...p.order, buyAmount: value } : p.order };
}

function minOutClass(id: string, value: (p: Params) => bigint, when: (p: Params) => boolean): Attack {
  return { id, critical: false, nodes: nodes(PRICE), when, apply: (p) => floor(p, value(p)) };
}

const needsMin = (p: Params): boolean => isSwap(p) || p.action === "limit_order";
const otherChain = (p: Params): number => (p.chain === 1 ? 8453 : 1);

/** Encodes the same request honestly for another chain. */
function moveChain(p: Params): Params | null {
  const chain = otherChain(p);
  const native = p.give?.native ?? false;
  if (!native && !TOKENS.some((t) => t.chain === chain && t.symbol === must(p.give).symbol)) return null;
  const give = native ? nativeOf(chain) : tokenOf(chain, must(p.give).symbol);
  const target = p.protocol === "aave-v3" ? must(AAVE_POOL[chain]) : give.address;
  return { ...p, chain, give, target, spender: p.protocol === "aave-v3" ? target : p.spender };
}

function sayDeadline(p: Params): void {
  p.say.deadlineMinutes ??= 30;
}
const hasDeadline = (p: Params): boolean =>
  ["uniswap-v2", "universal-router", "cow", "uniswapx"].includes(p.protocol) ||
  ["uniswap-v3.swap", "swaprouter02.multicall", "1inch.limit-order"].includes(p.recipe);

export const TERMS: readonly Attack[] = [
  minOutClass("min_out_zero", () => 0n, needsMin),
  minOutClass("min_out_one", () => 1n, needsMin),
  minOutClass(
    "min_out_below_stated",
    (p) => (p.minOut * 8n) / 10n,
    (p) => needsMin(p) && p.say.minOut === true,
  ),
  minOutClass(
    "slippage_10x",
    (p) => withSlippage(p.quote, must(p.say.slippageBps) * 10),
    (p) => isSwap(p) && p.say.slippageBps !== undefined && p.say.slippageBps >= 30,
  ),
  minOutClass(
    "price_half",
    (p) => (p.quote * 4n) / 10n,
    (p) => needsMin(p) && Object.keys(p.prices).length > 0,
  ),
  {
    id: "min_out_on_wrong_token",
    critical: false,
    nodes: nodes(PRICE),
    when: (p) => isRouter(p) && !isV4(p),
    apply: (p) => ({ ...p, routerExtra: ["wrong_sweep"] }),
  },
  {
    id: "order_buy_amount_1",
    critical: true,
    nodes: nodes(PRICE),
    when: isOrder,
    apply: (p) => ({ ...p, order: { ...p.order, buyAmount: 1n } }),
  },
  {
    id: "bridge_output_halved",
    critical: false,
    nodes: nodes(`${PRICE} a:fee_siphon i:effect_coverage`),
    when: (p) => p.action === "bridge",
    apply: (p) => ({ ...p, minOut: p.minOut / 2n }),
  },
  {
    id: "deadline_past",
    critical: false,
    nodes: nodes(TIME),
    when: (p) => hasDeadline(p),
    prepare: sayDeadline,
    apply: (p) => ({ ...p, deadline: BigInt(p.now - 3600) }),
  },
  {
    id: "deadline_far",
    critical: false,
    nodes: nodes(TIME),
    when: (p) => hasDeadline(p) && !isOrder(p),
    prepare: sayDeadline,
    apply: (p) => ({ ...p, deadline: (1n << 256n) - 1n }),
  },
  {
    id: "order_valid_forever",
    critical: false,
    nodes: nodes(TIME),
    when: (p) => isOrder(p) || p.action === "nft_list",
    prepare: (p) => void (p.say.deadlineMinutes ??= 30),
    apply: (p) => ({ ...p, order: { ...p.order, validTo: 4_294_967_295 } }),
  },
  {
    id: "order_partial_fill",
    critical: false,
    nodes: nodes("i:order_terms_match i:constraint_coverage"),
    when: (p) => ["cow.order", "1inch.limit-order"].includes(p.recipe),
    prepare: (p) => void (p.say.noPartial = true),
    apply: (p) => ({ ...p, order: { ...p.order, partial: true } }),
  },
  {
    id: "order_kind_flipped",
    critical: false,
    nodes: nodes(
      "i:order_terms_match i:constraint_coverage i:amount_match i:direction_match i:amount_out_match",
    ),
    when: (p) => p.recipe === "cow.order",
    apply: (p) => ({ ...p, order: { ...p.order, kind: "buy" } }),
  },
  {
    id: "wrong_chain",
    critical: true,
    nodes: nodes(CHAIN),
    when: (p) => ["native.transfer", "erc20.transfer"].includes(p.recipe) || p.protocol === "aave-v3",
    prepare: (p) => void (p.say.chain = true),
    apply: moveChain,
  },
  {
    id: "domain_other_chain",
    critical: true,
    nodes: nodes(CHAIN),
    when: (p) => isTyped(p),
    apply: (p) => ({ ...p, domainChain: otherChain(p) }),
  },
  {
    id: "domain_other_contract",
    critical: true,
    nodes: nodes(`${CHAIN} ${VENUE} a:token_impersonation a:permit_phishing a:order_drain`),
    when: (p) =>
      [
        "eip2612.permit",
        "permit2.single",
        "permit2.signature-transfer",
        "eip3009.pay",
        "cow.order",
        "seaport.list",
      ].includes(p.recipe),
    apply: (p, rng) => ({ ...p, verifying: rng.address() }),
  },
  {
    id: "bridge_other_destination",
    critical: true,
    nodes: nodes("i:dest_chain_match i:chain_match i:constraint_coverage i:asset_out_match"),
    when: (p) => p.action === "bridge",
    apply(p, rng) {
      const dstChain = rng.pick([1, 10, 8453, 42161].filter((c) => c !== p.chain && c !== p.dstChain));
      const symbol = must(p.give).native ? "WETH" : must(p.give).symbol;
      return { ...p, dstChain, dstToken: tokenOf(dstChain, symbol).address };
    },
  },
  {
    id: "bridge_other_token",
    critical: true,
    nodes: nodes(
      "i:dest_chain_match i:asset_out_match i:constraint_coverage a:token_impersonation t:decodability i:effect_coverage",
    ),
    when: (p) => p.action === "bridge",
    apply: (p, rng) => ({ ...p, dstToken: rng.address() }),
  },
  {
    id: "other_venue",
    critical: false,
    nodes: nodes(VENUE),
    when: (p) => p.protocol === "uniswap-v2" && p.chain === 1,
    prepare: (p) => void (p.say.venue = true),
    apply: (p) => ({ ...p, target: SUSHI_V2_ROUTER, spender: SUSHI_V2_ROUTER }),
  },
  {
    id: "fake_router",
    critical: true,
    nodes: nodes(VENUE),
    when: (p) => isSwap(p) && !isTyped(p),
    apply: (p, rng) => fakeTarget(p, rng.address()),
    twinRequest: hint,
    request: hint,
  },
  {
    id: "lookalike_router",
    critical: true,
    nodes: nodes(`${VENUE} a:address_poisoning`),
    when: (p) => isSwap(p) && !isTyped(p),
    apply: (p, rng) => fakeTarget(p, lookAlike(p.target, 4, 4, rng)),
  },
  {
    id: "fake_pool",
    critical: true,
    nodes: nodes(VENUE),
    when: (p) => ["supply", "stake", "bridge", "vault_deposit", "repay"].includes(p.action),
    apply: (p, rng) => fakeTarget(p, rng.address()),
  },
];

function fakeTarget(p: Params, target: string): Params {
  return { ...p, target, spender: p.withApproval ? target : p.spender };
}

/** A forged hint proves nothing, so the twin carries it too. */
function hint(request: ValidateRequest, p: Params): void {
  if (p.venueName?.toLowerCase().startsWith("uni")) request.proposed_tx.protocol = "uniswap";
}
