// Attacks on the encoding of the payload and on the calls around it.
import { concat, zeroPadValue } from "ethers";
import { must } from "../must.ts";
import { hasCalls, isRouter, isV4, nodes, type Attack } from "./define.ts";
import type { Params } from "../types.ts";

const CARRY =
  "a:delegatecall_risk a:hidden_call a:admin_takeover i:effect_coverage i:action_match i:amount_match i:recipient_match i:asset_in_match t:decodability i:constraint_coverage";
const FEE =
  "a:fee_siphon i:effect_coverage i:recipient_match a:hidden_call i:amount_out_match i:slippage_match i:amount_match i:constraint_coverage a:approve_then_drain a:min_out_zero a:price_impact";
const BYTES =
  "t:abi_canonical t:decodability t:decoder_agreement t:trailing_data t:hex_encoding t:selector_known t:address_format i:effect_coverage i:recipient_match";

const single = (p: Params): boolean => hasCalls(p) && !p.action.endsWith("7702") && p.action !== "payroll";
const bare = (p: Params): boolean => single(p) && p.wrap === "none";
/** Functions whose first argument word is an address. */
const ADDRESS_FIRST = [
  "erc20.transfer",
  "erc20.approve",
  "aave-v3.supply",
  "aave-v3.borrow",
  "aave-v3.withdraw",
  "votes.delegate",
  "compound-v3.supply",
];
/** Functions whose first argument word is an offset. */
const DYNAMIC_FIRST = [
  "ur-1.2.v3-swap",
  "ur-2.0.v2-swap",
  "ur-2.0.v4-swap",
  "multicall3.payout",
  "lido.unstake",
  "seaport.buy",
];

function routerClass(
  id: string,
  extra: Params["routerExtra"][number],
  extraRecipes: readonly string[] = [],
): Attack {
  return {
    id,
    critical: true,
    nodes: nodes(FEE),
    when: (p) => (isRouter(p) && !isV4(p)) || extraRecipes.includes(p.recipe),
    apply: (p) => ({ ...p, routerExtra: [extra] }),
  };
}

export const STRUCTURE: readonly Attack[] = [
  {
    id: "safe_delegatecall",
    critical: true,
    nodes: nodes(CARRY),
    when: (p) => single(p) && !p.withApproval,
    wrap: "safe",
    apply: (p) => ({ ...p, operation: 1 }),
  },
  {
    id: "safe_delegatecall_unknown",
    critical: true,
    nodes: nodes(CARRY),
    when: (p) => single(p) && !p.withApproval && p.recipe === "erc20.transfer",
    wrap: "safe",
    apply: (p, rng) => ({ ...p, operation: 1, give: { ...must(p.give), address: rng.address() } }),
  },
  {
    id: "multisend_inner_delegatecall",
    critical: true,
    nodes: nodes(CARRY),
    when: (p) => p.recipe === "erc20.payroll",
    wrap: "multisend",
    apply: (p) => ({ ...p, innerOperation: 1 }),
  },
  {
    id: "erc7579_delegatecall",
    critical: true,
    nodes: nodes(CARRY),
    when: (p) => single(p) && !p.withApproval,
    wrap: "erc7579",
    apply: (p) => ({ ...p, operation: 1 }),
  },
  {
    id: "safe_refund_drain",
    critical: true,
    nodes: nodes(`${FEE} ${CARRY}`),
    when: single,
    wrap: "safe",
    apply: (p, rng) => ({
      ...p,
      refund: { gasPrice: BigInt(rng.int(1, 9)) * 10n ** 13n, receiver: p.thief },
    }),
  },
  {
    id: "router_fee_30_percent",
    critical: false,
    nodes: nodes(FEE),
    when: (p) => isRouter(p) && !isV4(p),
    apply: (p) => ({ ...p, fee: { to: p.thief, bps: 3000 } }),
  },
  routerClass("router_extra_transfer", "transfer"),
  routerClass("router_permit2_pull", "permit2_pull"),
  routerClass("router_subplan_pull", "subplan"),
  routerClass("router_sweep_to_thief", "sweep", ["swaprouter02.multicall"]),
  {
    id: "seaport_proceeds_to_other",
    critical: true,
    nodes: nodes(`${FEE} a:order_drain i:order_terms_match`),
    when: (p) => p.action === "nft_list",
    apply: (p) => ({ ...p, order: { ...p.order, considerationTo: p.thief } }),
  },
  {
    id: "seaport_extra_item",
    critical: true,
    nodes: nodes(
      `${FEE} a:order_drain i:order_terms_match i:asset_in_match i:approval_scope_match i:step_sequence`,
    ),
    when: (p) => p.action === "nft_list",
    apply: (p) => ({ ...p, order: { ...p.order, extraOffer: { ...must(p.nft), id: must(p.nft).id + 11n } } }),
  },
  {
    id: "seaport_price_1000th",
    critical: true,
    nodes: nodes(`${FEE} a:order_drain i:order_terms_match i:limit_price_match i:amount_out_match`),
    when: (p) => p.action === "nft_list",
    apply: (p) => ({ ...p, order: { ...p.order, buyAmount: p.amount / 1000n } }),
  },
  {
    id: "seaport_buy_extra_recipient",
    critical: true,
    nodes: nodes(FEE),
    when: (p) => p.action === "nft_buy",
    apply: (p) => ({ ...p, split: { to: p.thief, amount: p.amount / 5n } }),
  },
  {
    id: "trailer_with_address",
    critical: false,
    nodes: nodes(`${BYTES} a:fee_siphon`),
    when: (p) => bare(p) && p.recipe !== "native.transfer",
    wrap: "none",
    apply: (p, rng) => ({ ...p, trailer: concat([rng.bytes(64), zeroPadValue(p.thief, 32)]) }),
  },
  {
    id: "trailer_commission",
    critical: false,
    nodes: nodes(`${BYTES} a:fee_siphon`),
    when: (p) => bare(p) && p.action === "swap",
    wrap: "none",
    // The documented form of an aggregator's commission: marker, rate, referrer.
    apply: (p) => ({ ...p, trailer: concat(["0x3ca20afc2aaa", "0x00000081b320", p.thief]) }),
  },
  {
    id: "dirty_address_bits",
    critical: false,
    nodes: nodes(BYTES),
    when: (p) => bare(p) && ADDRESS_FIRST.includes(p.recipe),
    wrap: "none",
    apply: (p) => ({ ...p, tamper: "dirty_address" }),
  },
  {
    id: "shifted_offset",
    critical: false,
    nodes: nodes(BYTES),
    when: (p) => DYNAMIC_FIRST.includes(p.recipe),
    wrap: "none",
    apply: (p) => ({ ...p, tamper: "offset" }),
  },
  {
    id: "truncated_calldata",
    critical: false,
    nodes: nodes(BYTES),
    when: (p) => bare(p) && ADDRESS_FIRST.includes(p.recipe),
    wrap: "none",
    apply: (p) => ({ ...p, tamper: "truncate" }),
  },
  {
    id: "dirty_padding",
    critical: false,
    nodes: nodes(BYTES),
    when: (p) => p.recipe === "1inch.swap",
    wrap: "none",
    apply: (p) => ({ ...p, tamper: "padding" }),
  },
];
