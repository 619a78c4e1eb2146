// All benign actions. A recipe that one of these modules exports is measured.
import type { Call, Params, Payload, Recipe } from "../types.ts";
import * as authority from "./authority.ts";
import * as bridge from "./bridge.ts";
import * as lending from "./lending.ts";
import * as orders from "./orders.ts";
import * as permits from "./permits.ts";
import * as sequences from "./sequences.ts";
import * as staking from "./staking.ts";
import * as swaps from "./swaps.ts";
import * as transfers from "./transfers.ts";
import * as routers from "./universal-router.ts";
import { tamperCall } from "./tamper.ts";
import { wrapCalls } from "./wrappers.ts";

const isRecipe = (x: unknown): x is Recipe =>
  typeof x === "object" && x !== null && "encode" in x && "make" in x && "wraps" in x;

export const RECIPES: readonly Recipe[] = [
  transfers,
  authority,
  swaps,
  routers,
  lending,
  sequences,
  staking,
  bridge,
  orders,
  permits,
]
  .flatMap((module): unknown[] => Object.values(module))
  .filter(isRecipe);

const BY_ID = new Map(RECIPES.map((r) => [r.id, r]));

function insertExtra(calls: Call[], p: Params): Call[] {
  if (p.extra.length === 0 || p.recipe === "multicall3.payout") return calls;
  const at = p.extraAt === "first" ? 0 : p.extraAt === "last" ? calls.length : Math.ceil(calls.length / 2);
  return [...calls.slice(0, at), ...p.extra, ...calls.slice(at)];
}

/** Encodes parameters as a payload. Every case, benign or not, is encoded here. */
export function encode(p: Params): Payload {
  const recipe = BY_ID.get(p.recipe);
  if (!recipe) throw new Error(`unknown recipe ${p.recipe}`);
  const inner = recipe.encode(p);
  const auth = p.auth ?? inner.auth;
  const calls = insertExtra(p.replace ?? inner.calls, p);
  const wrapped = calls.length > 0 ? wrapCalls(p, calls) : [];
  return {
    calls: wrapped.map((c, i) => (i === wrapped.length - 1 ? tamperCall(c, p) : c)),
    ...(inner.order ? { order: inner.order } : {}),
    ...(auth ? { auth } : {}),
  };
}
