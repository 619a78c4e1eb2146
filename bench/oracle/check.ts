// Executes labels in an EVM. A benign case must move exactly what its request says, and an attack on the effect must
// not. A contradiction is a bug of the generator.
import { MaxUint256 } from "ethers";
import type { Labelled } from "../cases/pairs.ts";
import { ENTRYPOINT_07, MULTICALL3, MULTISEND_CALL_ONLY } from "../data/protocols.ts";
import { tokensOf } from "../data/tokens.ts";
import { must } from "../must.ts";
import { encode } from "../recipes/index.ts";
import type { Params, Token } from "../types.ts";
import { compileMocks, type Mocks } from "./compile.ts";
import { STANDING_ALLOWANCE, bump, expected, key, type Footprint } from "./expect.ts";
import { World } from "./world.ts";

const RICH = 10n ** 45n;
const ROUTERS = [
  "uniswap-v2.swap",
  "uniswap-v2.exact-out",
  "uniswap-v3.swap",
  "swaprouter02.multicall",
  "1inch.swap",
];
const POOLS = ["aave-v3.supply", "aave-v3.withdraw", "aave-v3.borrow", "aave-v3.repay"];
const PLAIN = [
  "native.transfer",
  "erc20.transfer",
  "erc20.payroll",
  "multicall3.payout",
  "erc20.approve",
  "erc20.revoke",
  "weth.wrap",
  "weth.unwrap",
];
const RUNNABLE = new Set([...ROUTERS, ...POOLS, ...PLAIN]);

/** Faults of form, time, request or context do not change the effect. */
const SAME_EFFECT = new Set([
  "deadline_far",
  "wrong_chain",
  "trailer_with_address",
  "trailer_commission",
  "dirty_padding",
  "shifted_offset",
  "context_contradiction",
  "homoglyph_symbol",
  "zero_width_in_amount",
  "bidi_around_address",
  "tag_character_orders",
  "orders_to_verifier",
  "question_not_request",
  "greeting_only",
  "condition_ignored",
  "illicit_purpose",
  "two_recipients",
  "sanctioned_recipient",
  "sanctioned_nested",
  "code_delegation_added",
  "extra_nft_operator",
  "extra_permit2_approve",
  "dirty_address_bits",
  "truncated_calldata",
  "other_venue",
  "contract_ownership",
  "safe_control_change",
  "value_on_nonpayable",
]);

function usable(x: Labelled): boolean {
  const { honest } = x;
  if (!RUNNABLE.has(honest.recipe) || honest.amount > RICH) return false;
  return x.case.expected === "PASS" || !SAME_EFFECT.has(x.case.klass ?? "");
}

function parties(x: Labelled): string[] {
  const of = (p: Params): string[] => [
    p.actor,
    p.sender,
    p.recipient,
    p.target,
    p.spender,
    p.thief,
    ...p.payees.map((y) => y.to),
    ...(p.split ? [p.split.to] : []),
    ...(p.refund ? [p.refund.receiver] : []),
    ...p.extra.map((c) => c.to),
    ...(p.give ? [p.give.address] : []),
  ];
  const all = [...of(x.honest), ...of(x.params)].map((a) => a.toLowerCase());
  return [...new Set(all)];
}

async function prepare(world: World, x: Labelled, code: Mocks, assets: readonly Token[]): Promise<void> {
  const { honest: h } = x;
  for (const token of assets) await world.setCode(token.address, code.Token);
  if (ROUTERS.includes(h.recipe)) await world.setCode(h.target, code.Router);
  if (POOLS.includes(h.recipe)) await world.setCode(h.target, code.Pool);
  if (h.wrap !== "none") await world.setCode(h.actor, code.Account);
  await world.setCode(MULTISEND_CALL_ONLY, code.MultiSend);
  await world.setCode(ENTRYPOINT_07, code.EntryPoint);
  await world.setCode(MULTICALL3, code.Multicall3);
  for (const holder of [h.actor, h.target]) {
    await world.setNative(holder, RICH);
    for (const token of assets) await world.setToken(token.address, holder, RICH);
  }
  await world.setNative(h.sender, RICH);
  for (const token of assets) if (token.symbol === "WETH") await world.setNative(token.address, RICH);
  await prepareAllowances(world, h);
}

async function prepareAllowances(world: World, h: Params): Promise<void> {
  const pulls = ROUTERS.includes(h.recipe) || POOLS.includes(h.recipe);
  if (h.give && !h.give.native && !h.withApproval && pulls)
    await world.setAllowance(h.give.address, h.actor, h.target, MaxUint256);
  if (h.action === "revoke")
    await world.setAllowance(must(h.give).address, h.actor, h.spender, STANDING_ALLOWANCE);
}

type Snapshot = Map<string, bigint>;

async function snapshot(world: World, x: Labelled, assets: readonly Token[]): Promise<Snapshot> {
  const out: Snapshot = new Map();
  const { honest: h } = x;
  for (const party of parties(x)) {
    out.set(key("balance", "native", party), await world.native(party));
    for (const token of assets) {
      out.set(key("balance", token.address, party), await world.token(token.address, party));
      out.set(key("allowance", token.address, party), await world.allowance(token.address, h.actor, party));
      if (!POOLS.includes(h.recipe)) continue;
      for (const name of ["position", "debt"] as const)
        out.set(key(name, token.address, party), await world.ledger(h.target, name, party, token.address));
    }
  }
  for (const token of assets)
    if (token.symbol === "WETH")
      out.set(key("balance", "native", token.address), await world.native(token.address));
  return out;
}

function changes(before: Snapshot, after: Snapshot): Footprint {
  const f: Footprint = new Map();
  for (const [name, value] of after) bump(f, name, value - (before.get(name) ?? 0n));
  return f;
}

const sameFootprint = (a: Footprint, b: Footprint): boolean =>
  a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);

/** Tokens this case could touch. Probing all tokens would be slow. */
function involved(x: Labelled): Token[] {
  const named = [x.honest, x.params].flatMap((p) => [
    p.give?.address,
    p.get?.address,
    p.target,
    ...p.extra.map((c) => c.to),
  ]);
  return tokensOf(x.honest.chain).filter((t) => t.symbol === "WETH" || named.includes(t.address));
}

type Execution = {
  ok: boolean;
  moved: Footprint;
};

function execute(x: Labelled, code: Mocks): Promise<Execution> {
  const assets = involved(x);
  return World.with(x.honest.now, async (world) => {
    await prepare(world, x, code, assets);
    const before = await snapshot(world, x, assets);
    const from = x.honest.wrap === "none" ? x.honest.actor : x.honest.sender;
    let ok = true;
    for (const call of encode(x.params).calls) ok = (await world.send(from, call)) && ok;
    return { ok, moved: changes(before, await snapshot(world, x, assets)) };
  });
}

const printable = (f: Footprint): string => [...f].map(([k, v]) => `${k} ${v}`).join("; ");

export async function checkLabels(
  labelled: readonly Labelled[],
  limit = Math.max(800, Math.ceil(labelled.length / 8)),
): Promise<{ checked: number; labels: number }> {
  const all = labelled.filter(usable);
  // Spreads the sample evenly, so that every class and recipe is in it.
  const share = Math.min(1, limit / Math.max(1, all.length));
  const chosen = all.filter((_, i) => Math.floor((i + 1) * share) > Math.floor(i * share));
  const code = compileMocks();
  for (const x of chosen) {
    const { ok, moved } = await execute(x, code);
    const agrees = ok && sameFootprint(moved, expected(x.honest));
    if (agrees !== (x.case.expected === "PASS"))
      throw new Error(
        `label contradicted: ${x.case.id} (${x.case.recipe}, wrap ${x.honest.wrap}) expected ${x.case.expected}, executed ok=${ok}\n` +
          `words:  ${x.case.request.human_intent}\nmoved:  ${printable(moved)}\nwanted: ${printable(expected(x.honest))}`,
      );
  }
  return { checked: chosen.length, labels: labelled.length };
}
