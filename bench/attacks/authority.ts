// Attacks that gain permission to take more, to take it later, or to own the account.
import { MaxUint256, ZeroHash } from "ethers";
import { AAVE_POOL, NFTS, PERMIT2, ROUTER_02 } from "../data/protocols.ts";
import { tokenOf, tokensOf } from "../data/tokens.ts";
import { must } from "../must.ts";
import { admin, erc20, erc721, permit2, safe } from "../recipes/abi.ts";
import type { Rng } from "../rng.ts";
import type { Call, Params, Wrap } from "../types.ts";
import { hasCalls, isTyped, lookAlike, nodes, type Attack } from "./define.ts";

const SPENDER =
  "i:spender_match i:effect_coverage i:constraint_coverage i:recipient_match a:permit_phishing a:unlimited_approval a:address_poisoning a:approve_then_drain a:hidden_call t:protocol_address t:target_kind";
const SCOPE =
  "i:approval_scope_match i:amount_match i:constraint_coverage i:effect_coverage a:unlimited_approval a:permit_phishing a:hidden_call";
const EXTRA =
  "i:effect_coverage i:step_sequence i:action_match i:recipient_match i:amount_match i:asset_in_match i:spender_match i:approval_scope_match a:hidden_call a:approve_then_drain a:unlimited_approval a:permit_phishing a:admin_takeover t:decodability";
const ADMIN =
  "a:admin_takeover a:hidden_call i:effect_coverage i:action_match i:constraint_coverage t:decodability a:delegatecall_risk i:step_sequence i:amount_match i:asset_in_match i:recipient_match t:selector_known";
const CODE =
  "a:delegation_7702 a:admin_takeover a:hidden_call i:effect_coverage i:recipient_match i:chain_match i:action_match i:constraint_coverage";

const grants = (p: Params): boolean =>
  ["approve", "permit"].includes(p.action) ||
  (p.withApproval && !isTyped(p) && p.give !== undefined && !p.give.native);
const maxFor = (p: Params): bigint => (p.recipe === "permit2.single" ? (1n << 160n) - 1n : MaxUint256);
const anyToken = (p: Params, rng: Rng): string => rng.pick(tokensOf(p.chain)).address;

type Maker = (p: Params, rng: Rng) => Call;
const call = (to: string, data: string): Call => ({ to, data, value: 0n });
const extraApprove: Maker = (p, rng) =>
  call(anyToken(p, rng), erc20.encodeFunctionData("approve", [p.thief, MaxUint256]));
const extraIncrease: Maker = (p, rng) =>
  call(anyToken(p, rng), erc20.encodeFunctionData("increaseAllowance", [p.thief, MaxUint256]));
const extraTransfer: Maker = (p, rng) => {
  const token = rng.pick(tokensOf(p.chain));
  return call(
    token.address,
    erc20.encodeFunctionData("transfer", [p.thief, 10n ** BigInt(token.decimals) * 25n]),
  );
};
const extraNative: Maker = (p) => ({ to: p.thief, data: "0x", value: 3n * 10n ** 17n });
const extraPermit2: Maker = (p, rng) =>
  call(
    PERMIT2,
    permit2.encodeFunctionData("approve", [anyToken(p, rng), p.thief, (1n << 160n) - 1n, (1n << 48n) - 1n]),
  );
const extraOperator: Maker = (p, rng) =>
  call(rng.pick(NFTS).address, erc721.encodeFunctionData("setApprovalForAll", [p.thief, true]));

function extra(id: string, make: Maker, wrap?: Wrap): Attack {
  return {
    id,
    critical: true,
    nodes: nodes(EXTRA),
    when: (p) => hasCalls(p) && !p.action.endsWith("7702") && p.recipe !== "multicall3.payout",
    ...(wrap ? { wrap } : {}),
    apply: (p, rng) => ({
      ...p,
      extra: [make(p, rng)],
      extraAt: rng.pick(["first", "middle", "last"] as const),
    }),
  };
}

/** Only the first change of owner is an ordinary call; the others hand over the account. */
function safeAdmin(p: Params, rng: Rng): string {
  const prev = "0x0000000000000000000000000000000000000001";
  return rng.pick([
    safe.encodeFunctionData("addOwnerWithThreshold", [p.thief, 1]),
    safe.encodeFunctionData("swapOwner", [prev, p.sender, p.thief]),
    safe.encodeFunctionData("enableModule", [p.thief]),
    safe.encodeFunctionData("setGuard", [p.thief]),
    safe.encodeFunctionData("setFallbackHandler", [p.thief]),
    safe.encodeFunctionData("changeMasterCopy", [p.thief]),
    safe.encodeFunctionData("changeThreshold", [1]),
  ]);
}

function contractAdmin(p: Params, rng: Rng): Call {
  const data = rng.pick([
    admin.encodeFunctionData("transferOwnership", [p.thief]),
    admin.encodeFunctionData("upgradeTo", [p.thief]),
    admin.encodeFunctionData("grantRole", [ZeroHash, p.thief]),
    admin.encodeFunctionData("setOwner", [p.thief]),
  ]);
  return call(p.target, data);
}

function foreignSpender(p: Params): string | undefined {
  const table = p.spenderName === "Aave" ? AAVE_POOL : p.spenderName === "Uniswap" ? ROUTER_02 : undefined;
  return table && Object.values(table).find((a) => a !== table[p.chain]);
}

export const AUTHORITY: readonly Attack[] = [
  {
    id: "spender_unknown",
    critical: true,
    nodes: nodes(SPENDER),
    when: (p) => grants(p),
    apply: (p, rng) => ({ ...p, spender: rng.address() }),
  },
  {
    id: "spender_lookalike",
    critical: true,
    nodes: nodes(SPENDER),
    when: (p) => grants(p),
    apply: (p, rng) => ({ ...p, spender: lookAlike(p.spender, 4, 4, rng) }),
  },
  {
    id: "spender_of_other_chain",
    critical: true,
    nodes: nodes(SPENDER),
    when: (p) => p.action === "approve" && foreignSpender(p) !== undefined,
    apply: (p) => ({ ...p, spender: must(foreignSpender(p)) }),
  },
  {
    id: "allowance_max",
    critical: false,
    nodes: nodes(SCOPE),
    when: (p) => grants(p),
    apply: (p) => ({ ...p, allowance: maxFor(p) }),
  },
  {
    id: "allowance_x10",
    critical: false,
    nodes: nodes(SCOPE),
    when: (p) => grants(p),
    apply: (p) => ({ ...p, allowance: p.allowance * 10n }),
  },
  {
    id: "revoke_becomes_grant",
    critical: true,
    nodes: nodes(`${SCOPE} ${SPENDER} i:action_match i:direction_match`),
    when: (p) => p.action === "revoke",
    apply: (p) => ({ ...p, allowance: MaxUint256 }),
  },
  {
    id: "revoke_other_spender",
    critical: false,
    nodes: nodes(SPENDER),
    when: (p) => p.action === "revoke",
    apply: (p, rng) => ({ ...p, spender: rng.address() }),
  },
  extra("extra_approve", extraApprove),
  extra("extra_transfer", extraTransfer),
  extra("extra_native", extraNative),
  extra("extra_permit2_approve", extraPermit2),
  extra("extra_nft_operator", extraOperator),
  extra("extra_increase_allowance", extraIncrease),
  extra("nested_multisend", extraTransfer, "multisend"),
  extra("nested_erc7579", extraApprove, "erc7579"),
  extra("nested_erc4337", extraTransfer, "entrypoint"),
  extra("nested_erc7821", extraApprove, "erc7821"),
  {
    id: "multicall3_extra_leg",
    critical: true,
    nodes: nodes(EXTRA),
    when: (p) => p.recipe === "multicall3.payout",
    apply: (p) => ({ ...p, extra: [{ to: p.thief, data: "0x", value: must(p.payees[0]).amount / 2n }] }),
  },
  {
    id: "order_plus_call",
    critical: true,
    nodes: nodes(EXTRA),
    when: (p) => isTyped(p),
    apply: (p, rng) => ({ ...p, extra: [extraTransfer(p, rng)] }),
  },
  {
    id: "transfer_becomes_approve",
    critical: true,
    nodes: nodes(EXTRA),
    when: (p) => p.recipe === "erc20.transfer",
    apply: (p) => ({
      ...p,
      replace: [
        call(must(p.give).address, erc20.encodeFunctionData("increaseAllowance", [p.recipient, MaxUint256])),
      ],
    }),
  },
  {
    // Some pools accept plain coin as a deposit, so coin always goes to the attacker.
    id: "deposit_becomes_transfer",
    critical: true,
    nodes: nodes(`${EXTRA} i:venue_match t:target_kind`),
    when: (p) => ["supply", "vault_deposit", "stake", "bridge"].includes(p.action),
    apply: (p, rng) => ({
      ...p,
      replace: [plainPay(p, !must(p.give).native && rng.chance(0.5) ? p.target : p.thief)],
    }),
  },
  {
    id: "nft_operator_for_all",
    critical: true,
    nodes: nodes(`${EXTRA} ${SCOPE}`),
    when: (p) => p.action === "nft_transfer",
    apply: (p) => ({ ...p, nftMode: "all" }),
  },
  {
    id: "safe_control_change",
    critical: true,
    nodes: nodes(ADMIN),
    when: (p) => hasCalls(p) && !p.action.endsWith("7702"),
    wrap: "safe",
    apply: (p, rng) =>
      rng.chance(0.5)
        ? { ...p, extra: [call(p.actor, safeAdmin(p, rng))] }
        : { ...p, replace: [call(p.actor, safeAdmin(p, rng))] },
  },
  {
    id: "contract_ownership",
    critical: true,
    nodes: nodes(ADMIN),
    when: (p) => hasCalls(p) && !p.action.endsWith("7702") && p.recipe !== "multicall3.payout",
    apply: (p, rng) =>
      rng.chance(0.5) ? { ...p, extra: [contractAdmin(p, rng)] } : { ...p, replace: [contractAdmin(p, rng)] },
  },
  {
    id: "code_delegation_added",
    critical: true,
    nodes: nodes(CODE),
    when: (p) => hasCalls(p) && !p.action.endsWith("7702"),
    apply: (p) => ({ ...p, auth: [{ chainId: String(p.chain), address: p.thief, nonce: String(p.nonce) }] }),
  },
  {
    id: "code_delegation_any_chain",
    critical: true,
    nodes: nodes(CODE),
    when: (p) => p.action === "delegate_7702",
    apply: (p) => ({ ...p, auth: must(p.auth).map((a) => ({ ...a, chainId: "0" })) }),
  },
  {
    id: "code_delegation_other",
    critical: true,
    nodes: nodes(CODE),
    when: (p) => p.action.endsWith("7702"),
    apply: (p) => ({ ...p, auth: must(p.auth).map((a) => ({ ...a, address: p.thief })) }),
  },
  {
    id: "votes_to_other",
    critical: true,
    nodes: nodes(`${ADMIN} i:ens_contact_match a:address_poisoning`),
    when: (p) => p.action === "delegate",
    apply: (p, rng) => ({ ...p, recipient: rng.address() }),
  },
  {
    id: "permit2_batch_padding",
    critical: true,
    nodes: nodes(`${SCOPE} ${EXTRA}`),
    when: (p) => p.recipe === "permit2.single",
    apply: (p) => ({
      ...p,
      order: { ...p.order, padding: tokenOf(p.chain, must(p.give).symbol === "WETH" ? "USDC" : "WETH") },
    }),
  },
  {
    id: "permit2_far_expiry",
    critical: false,
    nodes: nodes(`${SCOPE} t:deadline_sane i:deadline_match`),
    when: (p) => p.recipe === "permit2.single",
    apply: (p) => ({ ...p, order: { ...p.order, expiration: (1n << 48n) - 1n } }),
  },
  {
    id: "permit_far_deadline",
    critical: false,
    nodes: nodes(`${SCOPE} t:deadline_sane i:deadline_match`),
    when: (p) => p.recipe === "eip2612.permit" || p.recipe === "permit2.signature-transfer",
    apply: (p) => ({ ...p, deadline: MaxUint256 }),
  },
  {
    id: "permit2_witness_smuggled",
    critical: true,
    nodes: nodes(`${EXTRA} t:typed_data_wellformed`),
    when: (p) => p.recipe === "permit2.signature-transfer",
    apply: (p) => ({ ...p, order: { ...p.order, witness: true } }),
  },
];

function plainPay(p: Params, to: string): Call {
  if (must(p.give).native) return { to, data: "0x", value: p.amount };
  return call(must(p.give).address, erc20.encodeFunctionData("transfer", [to, p.amount]));
}
