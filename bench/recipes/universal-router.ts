// Universal Router plans, built by Uniswap's own planners.
import { must } from "../must.ts";
import type { Call, Params, Recipe, Token } from "../types.ts";
import { universalRouter } from "../data/protocols.ts";
import { Actions, CommandType, type Plan, RoutePlanner, V4Planner } from "../data/sdks.ts";
import { tokenOf } from "../data/tokens.ts";
import { universal } from "./abi.ts";
import { base } from "./base.ts";
import { packedPath, swapTerms } from "./swaps.ts";

const MSG_SENDER = "0x0000000000000000000000000000000000000001";
const ROUTER = "0x0000000000000000000000000000000000000002";
const ZERO = "0x0000000000000000000000000000000000000000";

/** Routers use a sentinel for the caller. Other addresses are written out. */
const payTo = (p: Params): string => (p.recipient === p.actor && p.variant % 2 ? MSG_SENDER : p.recipient);
const erc = (p: Params, t: Token): string => (t.native ? tokenOf(p.chain, "WETH").address : t.address);
const raw = (t: Token): string => (t.native ? ZERO : t.address);

function v3Plan(p: Params, viaV2: boolean): Plan {
  const plan = new RoutePlanner();
  const native = must(p.give).native ?? false;
  const unwrap = must(p.get).native ?? false;
  const moves = p.routerExtra.some((x) => x !== "wrong_sweep");
  const keep = unwrap || p.fee !== undefined || moves;
  if (native) plan.addCommand(CommandType.WRAP_ETH, [ROUTER, p.amount.toString()]);
  const swapTo = keep ? ROUTER : payTo(p);
  // If a later SWEEP enforces the minimum, the swap itself may pass a lower one.
  const swapMin = p.fee || p.routerExtra.includes("wrong_sweep") ? 0n : p.minOut;
  plan.addCommand(viaV2 ? CommandType.V2_SWAP_EXACT_IN : CommandType.V3_SWAP_EXACT_IN, [
    swapTo,
    p.amount.toString(),
    swapMin.toString(),
    viaV2 ? p.route.map((t) => erc(p, t)) : packedPath(p),
    !native,
  ]);
  finishPlan(p, plan, keep, unwrap);
  return plan;
}

/** Adds the commands of an attack. */
function addExtras(p: Params, plan: Plan, out: string): void {
  if (p.routerExtra.includes("transfer"))
    plan.addCommand(CommandType.TRANSFER, [out, p.thief, (p.minOut / 4n).toString()]);
  if (p.routerExtra.includes("permit2_pull"))
    plan.addCommand(CommandType.PERMIT2_TRANSFER_FROM, [erc(p, must(p.give)), p.thief, p.amount.toString()]);
  if (p.routerExtra.includes("wrong_sweep"))
    plan.addCommand(CommandType.SWEEP, [erc(p, must(p.give)), payTo(p), p.minOut.toString()]);
  if (p.routerExtra.includes("subplan")) {
    const sub = new RoutePlanner();
    sub.addCommand(CommandType.PERMIT2_TRANSFER_FROM, [erc(p, must(p.give)), p.thief, p.amount.toString()]);
    plan.addSubPlan(sub);
  }
}

function finishPlan(p: Params, plan: Plan, keep: boolean, unwrap: boolean): void {
  const out = erc(p, must(p.route[p.route.length - 1]));
  if (p.fee) plan.addCommand(CommandType.PAY_PORTION, [out, p.fee.to, p.fee.bps]);
  addExtras(p, plan, out);
  // A usual fee fits inside the slippage; a large one needs a lower minimum.
  const large = p.fee !== undefined && p.fee.bps > 100;
  const floor = large ? p.minOut - (p.minOut * BigInt(must(p.fee).bps)) / 10_000n : p.minOut;
  if (unwrap) {
    const least = p.routerExtra.includes("wrong_sweep") ? 0n : floor;
    plan.addCommand(CommandType.UNWRAP_WETH, [payTo(p), least.toString()]);
  }
  const sweepTo = p.routerExtra.includes("sweep") ? p.thief : payTo(p);
  if (!unwrap && keep) plan.addCommand(CommandType.SWEEP, [out, sweepTo, floor.toString()]);
}

function v4Plan(p: Params): Plan {
  const v4 = new V4Planner();
  const [first, last] = [raw(must(p.route[0])), raw(must(p.route[p.route.length - 1]))];
  const zeroForOne = first.toLowerCase() < last.toLowerCase();
  const [currency0, currency1] = zeroForOne ? [first, last] : [last, first];
  v4.addAction(Actions.SWAP_EXACT_IN_SINGLE, [
    {
      poolKey: { currency0, currency1, fee: 3000, tickSpacing: 60, hooks: ZERO },
      zeroForOne,
      amountIn: p.amount.toString(),
      amountOutMinimum: p.minOut.toString(),
      hookData: "0x",
    },
  ]);
  v4.addAction(Actions.SETTLE_ALL, [first, p.amount.toString()]);
  if (p.recipient === p.actor) v4.addAction(Actions.TAKE_ALL, [last, p.minOut.toString()]);
  else v4.addAction(Actions.TAKE, [last, p.recipient, "0"]);
  const plan = new RoutePlanner();
  plan.addCommand(CommandType.V4_SWAP, [v4.finalize()]);
  return plan;
}

function call(p: Params, plan: { commands: string; inputs: string[] }): Call {
  return {
    to: p.target,
    data: universal.encodeFunctionData("execute", [plan.commands, plan.inputs, p.deadline]),
    value: must(p.give).native ? p.amount : 0n,
  };
}

function routerRecipe(
  id: string,
  version: "1.2" | "2.0",
  kind: "v2" | "v3" | "v4",
  names: readonly string[],
): Recipe {
  return {
    id,
    protocol: "universal-router",
    action: "swap",
    chains: [1, 8453, 42161],
    wraps: ["none", "none", "erc7579"],
    make(g) {
      const p = base(g, id, "universal-router", "swap");
      swapTerms(g, p, "any");
      p.target = universalRouter(version, g.chain);
      p.spender = p.target;
      p.venueName = g.rng.pick(names);
      p.say.venue = g.rng.chance(0.6);
      return p;
    },
    encode: (p) => ({ calls: [call(p, kind === "v4" ? v4Plan(p) : v3Plan(p, kind === "v2"))] }),
  };
}

export const urV3 = routerRecipe("ur-1.2.v3-swap", "1.2", "v3", ["Uniswap", "Uniswap V3"]);
export const urV2 = routerRecipe("ur-2.0.v2-swap", "2.0", "v2", ["Uniswap", "Uniswap V2"]);
export const urV4 = routerRecipe("ur-2.0.v4-swap", "2.0", "v4", ["Uniswap", "Uniswap V4"]);
