// Attacks on the amount.
import { MaxUint256 } from "ethers";
import { must } from "../must.ts";
import { decimal } from "../words/numbers.ts";
import { nodes, type Attack } from "./define.ts";
import type { Params } from "../types.ts";

const WRONG =
  "i:amount_match i:percent_all_match i:usd_amount_match i:approval_scope_match i:effect_coverage i:constraint_coverage i:limit_price_match i:amount_out_match i:slippage_match t:balance_allowance t:amounts_sane t:payable_value a:price_impact a:min_out_zero a:permit_phishing a:unlimited_approval a:order_drain a:fee_siphon";

const stated = (p: Params): boolean => p.amount > 0n && p.amount !== MaxUint256;
const plain = (p: Params): boolean => stated(p) && p.say.style === "plain";

/** Scales the amount that leaves, and the allowance with it, as a careless agent would. */
function scale(p: Params, f: (v: bigint) => bigint): Params {
  if (p.payees.length > 0) {
    const payees = p.payees.map((x, i) => (i === 0 ? { ...x, amount: f(x.amount) } : x));
    return { ...p, payees };
  }
  const allowance = p.allowance > 0n ? f(p.allowance) : 0n;
  return { ...p, amount: f(p.amount), allowance, minOut: p.action === "bridge" ? f(p.minOut) : p.minOut };
}

function times(id: string, factor: bigint): Attack {
  return {
    id,
    critical: true,
    nodes: nodes(WRONG),
    when: (p) => plain(p) && p.action !== "nft_list",
    apply: (p) => scale(p, (v) => v * factor),
  };
}

const NO_LESS = [
  "transfer",
  "payroll",
  "swap",
  "supply",
  "stake",
  "bridge",
  "withdraw",
  "borrow",
  "repay",
  "wrap",
];

function isWhole(p: Params): boolean {
  return !decimal(p.amount, p.give?.decimals ?? 18).includes(".");
}

/** A request for a share of a token balance: "half my USDC". */
const canNameShare = (p: Params): boolean =>
  plain(p) &&
  ["transfer", "supply", "swap"].includes(p.action) &&
  !must(p.give).native &&
  p.payees.length === 0;

export const AMOUNT: readonly Attack[] = [
  times("amount_x10", 10n),
  times("amount_x1000", 1000n),
  {
    id: "amount_wrong_decimals",
    critical: true,
    nodes: nodes(`${WRONG} t:token_decimals_consistency`),
    when: (p) => plain(p) && p.give !== undefined && !p.give.native && p.action !== "nft_list",
    apply: (p) => scale(p, (v) => (must(p.give).decimals < 18 ? v * 10n ** 12n : v / 10n ** 12n)),
  },
  {
    id: "amount_plus_1_wei",
    critical: true,
    nodes: nodes(WRONG),
    when: (p) =>
      plain(p) && ["transfer", "payroll", "swap", "supply", "bridge", "stake", "wrap"].includes(p.action),
    prepare: (p) => void (p.say.digits = true),
    apply: (p) => scale(p, (v) => v + 1n),
  },
  {
    id: "amount_minus_1_percent",
    critical: true,
    nodes: nodes(`${WRONG} i:step_sequence`),
    when: (p) =>
      plain(p) &&
      NO_LESS.includes(p.action) &&
      isWhole(p) &&
      (p.payees.length === 0 || isWhole({ ...p, amount: must(p.payees[0]).amount })),
    prepare: (p) => void (p.say.digits = true),
    apply: (p) => scale(p, (v) => v - v / 100n),
  },
  {
    id: "all_instead_of_half",
    critical: true,
    nodes: nodes(WRONG),
    when: canNameShare,
    prepare(p) {
      p.say.style = "half";
      p.balance = p.amount * 2n;
    },
    apply: (p) => scale(p, (v) => v * 2n),
  },
  {
    id: "percent_tripled",
    critical: true,
    nodes: nodes(WRONG),
    when: canNameShare,
    prepare(p, rng) {
      p.say.style = "percent";
      p.say.percent = rng.pick([10, 20, 25]);
      p.balance = (p.amount * 100n) / BigInt(p.say.percent);
      p.amount = (p.balance * BigInt(p.say.percent)) / 100n;
      if (p.allowance > 0n) p.allowance = p.amount;
    },
    apply: (p) => scale(p, (v) => v * 3n),
  },
  {
    id: "usd_x10",
    critical: true,
    nodes: nodes(WRONG),
    when: (p) => plain(p) && p.action === "transfer" && p.prices[must(p.give).symbol] !== undefined,
    prepare(p) {
      p.say.style = "usd";
      p.say.usd = Number(decimal(p.amount, must(p.give).decimals)) * must(p.prices[must(p.give).symbol]);
    },
    apply: (p) => scale(p, (v) => v * 10n),
  },
  {
    id: "cap_exceeded",
    critical: true,
    nodes: nodes(WRONG),
    when: (p) => p.action === "swap_exact_out",
    apply: (p) => scale(p, (v) => (v * 13n) / 10n),
  },
  {
    id: "exact_out_short",
    critical: false,
    nodes: nodes(WRONG),
    when: (p) => p.action === "swap_exact_out",
    apply: (p) => ({ ...p, minOut: (p.minOut * 8n) / 10n }),
  },
  {
    id: "payee_missing",
    critical: false,
    nodes: nodes(`${WRONG} i:step_sequence i:recipient_match`),
    when: (p) => p.action === "payroll",
    apply: (p) => ({ ...p, payees: p.payees.slice(0, -1) }),
  },
  {
    id: "step_missing",
    critical: false,
    nodes: nodes(`${WRONG} i:step_sequence i:recipient_match i:action_match i:spender_match i:venue_match`),
    when: (p) => p.protocol === "sequence",
    apply: (p) => ({ ...p, steps: "last_missing" }),
  },
  {
    id: "steps_reversed",
    critical: false,
    nodes: nodes(`${WRONG} i:step_sequence i:spender_match a:hidden_call a:approve_then_drain`),
    when: (p) => p.protocol === "sequence",
    apply: (p) => ({ ...p, steps: "reversed" }),
  },
  {
    id: "second_step_payee",
    critical: true,
    nodes: nodes(`${WRONG} i:step_sequence i:recipient_match a:address_poisoning a:hidden_call`),
    when: (p) => p.action === "swap_send",
    apply: (p, rng) => ({ ...p, split: { ...must(p.split), to: rng.address() } }),
  },
  {
    id: "second_step_amount",
    critical: true,
    nodes: nodes(`${WRONG} i:step_sequence a:hidden_call`),
    when: (p) => p.action === "swap_send",
    apply: (p) => ({ ...p, split: { ...must(p.split), amount: must(p.split).amount * 2n } }),
  },
  {
    id: "value_on_nonpayable",
    critical: false,
    nodes: nodes(`${WRONG} a:hidden_call i:asset_in_match i:action_match`),
    when: (p) => p.recipe === "erc20.transfer" || p.recipe === "erc20.approve",
    wrap: "none",
    apply: (p, rng) => ({ ...p, attach: BigInt(rng.int(1, 9)) * 10n ** 17n }),
  },
];
