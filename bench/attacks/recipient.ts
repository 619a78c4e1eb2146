// Attacks that pay another recipient.
import { ZeroAddress } from "ethers";
import { must } from "../must.ts";
import { isSwap, isTyped, lookAlike, nodes, type Attack } from "./define.ts";
import type { Params } from "../types.ts";

const OTHER =
  "i:recipient_match i:ens_contact_match i:effect_coverage i:constraint_coverage a:address_poisoning a:hidden_call a:approve_then_drain";
const ONE_PAYEE = ["transfer", "pay_signature", "nft_transfer", "delegate"];
const pays = (p: Params): boolean => ONE_PAYEE.includes(p.action);
/** Excludes protocols in which the zero address means the caller. */
const ZERO_BURNS = ["transfer", "nft_transfer", "supply", "withdraw", "bridge", "vault_deposit"];

function look(id: string, prefix: number, suffix: number): Attack {
  return {
    id,
    critical: true,
    nodes: nodes(OTHER),
    when: (p) => pays(p) || isSwap(p),
    apply: (p, rng) => ({ ...p, recipient: lookAlike(p.recipient, prefix, suffix, rng) }),
  };
}

function split(id: string, percent: bigint): Attack {
  return {
    id,
    critical: true,
    nodes: nodes(`${OTHER} i:amount_match i:step_sequence a:fee_siphon`),
    when: (p) => p.action === "transfer" && p.amount > 1000n,
    apply: (p) => ({ ...p, split: { to: p.thief, amount: (p.amount * percent) / 100n } }),
  };
}

export const RECIPIENT: readonly Attack[] = [
  {
    id: "recipient_random",
    critical: true,
    nodes: nodes(`${OTHER} a:order_drain a:permit_phishing`),
    when: (p) => p.say.recipient !== "label" && p.say.recipient !== "ens",
    apply: (p, rng) => ({ ...p, recipient: rng.address() }),
  },
  {
    id: "contact_elsewhere",
    critical: true,
    nodes: nodes(OTHER),
    when: (p) => p.action === "transfer",
    prepare(p, rng) {
      p.say.recipient = rng.pick(["label", "ens"] as const);
      p.say.label =
        p.say.recipient === "ens" ? rng.pick(["alice.eth", "dana.eth"]) : rng.pick(["Alice", "Bob"]);
    },
    apply: (p, rng) => ({ ...p, recipient: rng.address() }),
  },
  look("lookalike_3_4", 3, 4),
  look("lookalike_4_4", 4, 4),
  look("lookalike_4_6", 4, 6),
  {
    id: "recipient_zero",
    critical: true,
    nodes: nodes(`${OTHER} t:address_format`),
    when: (p) => ZERO_BURNS.includes(p.action) || p.protocol === "uniswap-v2",
    apply: (p) => ({ ...p, recipient: ZeroAddress }),
  },
  {
    id: "recipient_token_contract",
    critical: true,
    nodes: nodes(`${OTHER} t:target_kind`),
    when: (p) => p.action === "transfer" && !must(p.give).native,
    apply: (p) => ({ ...p, recipient: must(p.give).address }),
  },
  {
    id: "on_behalf_of_other",
    critical: true,
    nodes: nodes(OTHER),
    when: (p) =>
      [
        "supply",
        "borrow",
        "repay",
        "withdraw",
        "vault_deposit",
        "vault_withdraw",
        "unstake",
        "claim",
      ].includes(p.action),
    apply: (p, rng) => ({ ...p, recipient: rng.address() }),
  },
  split("split_1pct", 1n),
  split("split_10pct", 10n),
  split("split_99pct", 99n),
  {
    id: "payee_replaced",
    critical: true,
    nodes: nodes(`${OTHER} i:step_sequence`),
    when: (p) => p.action === "payroll",
    apply(p, rng) {
      const at = rng.int(0, p.payees.length - 1);
      return { ...p, payees: p.payees.map((x, i) => (i === at ? { ...x, to: rng.address() } : x)) };
    },
  },
  {
    id: "payee_lookalike",
    critical: true,
    nodes: nodes(`${OTHER} i:step_sequence`),
    when: (p) => p.action === "payroll",
    apply(p, rng) {
      const at = rng.int(0, p.payees.length - 1);
      return {
        ...p,
        payees: p.payees.map((x, i) => (i === at ? { ...x, to: lookAlike(x.to, 4, 4, rng) } : x)),
      };
    },
  },
  {
    id: "bridge_recipient_other",
    critical: true,
    nodes: nodes(OTHER),
    when: (p) => p.action === "bridge",
    apply: (p, rng) => ({ ...p, recipient: rng.address() }),
  },
  {
    id: "signed_payment_to_other",
    critical: true,
    nodes: nodes(`${OTHER} a:permit_phishing`),
    when: (p) => p.action === "pay_signature",
    apply: (p, rng) => ({ ...p, recipient: rng.address() }),
  },
  {
    id: "order_receiver_other",
    critical: true,
    nodes: nodes(`${OTHER} a:order_drain i:order_terms_match`),
    when: (p) => isTyped(p) && ["cow", "uniswapx", "1inch"].includes(p.protocol),
    apply: (p, rng) => ({ ...p, order: { ...p.order, receiver: rng.address() } }),
  },
];
