/**
 * Answers a request by the effect of a call to a contract that is in no table. The calldata proves nothing, so everything must follow
 * from the execution on a proven state: what leaves, what arrives, and that nothing else happens. Anything else stays open.
 */
import type { ByEffect } from "../../by-effect.ts";
import { netOf } from "../../bytes/net.ts";
import type { Entailment } from "../../entailment.ts";
import type { Effect, Reading } from "../../effects.ts";
import type { Intent } from "../../intent.ts";
import type { Registry } from "../../registry.ts";
import type { Engines, Simulation, State } from "../../simulation.ts";
import { isSettled } from "../admit.ts";
import { entailPlainly } from "../entail.ts";
import { showFlow } from "../show.ts";
import type { World } from "../world.ts";
import { findCallee } from "./callee.ts";
import { findObstacle } from "./conditions.ts";
import { measureEffect } from "./measured-effect.ts";
import { namesContract, readPlaces } from "./read-places.ts";

type Proof = {
  /** The comparison with the calldata. If it settles the request, nothing else is asked. */
  readonly entailment: Entailment;
  readonly state: State | undefined;
  readonly engines: Engines | undefined;
};

type Matched = {
  readonly reading: Reading;
  readonly intent: Intent;
  readonly entailment: Entailment;
  readonly byEffect: ByEffect & { readonly status: "matches" };
};
type Open = { readonly byEffect: ByEffect & { readonly status: "open" } };

/** Returns nothing if the calldata answers, if no unknown contract is called, or if there is no proven state. */
export function entailByEffect(given: World, proof: Proof): Matched | Open | undefined {
  const { state, engines } = proof;
  if (isSettled(proof.entailment)) return undefined;
  const callee = findCallee(given);
  if (callee === null || state?.status !== "proven") return undefined;
  const { contract, call } = callee;
  const open = (why: string): Open => ({ byEffect: { status: "open", contract, why } });
  const { simulation } = given;
  if (simulation === undefined) return open("The account cannot pay for the transaction.");
  const obstacle = findObstacle(simulation, engines);
  if (obstacle !== null) return open(obstacle);
  if (!namesContract(given, contract))
    return open("The request does not name the contract by its address, as in “on 0x…”.");
  const world = { ...given, intent: readPlaces(given, contract), registry: withDecimals(given, simulation) };
  const effect = measureEffect(world, { contract, call, simulation });
  if (typeof effect === "string") return open(effect);
  const reading = { ...given.reading, effects: [effect], net: netOf([effect]) };
  const entailment = entailPlainly({ ...world, reading });
  if (!isSettled(entailment)) return open(firstDoubt(entailment));
  const shown = show(effect, world);
  const { variants } = simulation;
  const byEffect = { status: "matches" as const, contract, block: state.block, shown, variants };
  return { reading, intent: world.intent, entailment, byEffect };
}

/** A token that our tables do not have counts in the decimals that it claims itself: the request names it by its address. */
function withDecimals({ registry, proposal }: World, { decimals }: Simulation): Registry {
  return {
    ...registry,
    token: (chain, address) => {
      const known = registry.token(chain, address);
      const claimed = decimals.get(address);
      if (known !== null || claimed === undefined || chain !== proposal.chain.id) return known;
      return { chain, address, symbol: address, decimals: claimed, core: false };
    },
  };
}

function show({ gives, gets }: Effect, { proposal, registry }: World): string {
  const place = { chain: proposal.chain.id, registry };
  const all = (flows: Effect["gives"]): string =>
    flows.map(({ asset, amount }) => showFlow(asset, amount, place)).join(" and ");
  return [
    ...(gives.length === 0 ? [] : [`${all(gives)} leaves`]),
    ...(gets.length === 0 ? [] : [`${all(gets)} arrives`]),
  ].join(", ");
}

/** The first thing that keeps the measured effect from answering the request, as a sentence. */
function firstDoubt({ comparisons, unlicensed, unmet, unread, ambiguous }: Entailment): string {
  const doubt = comparisons.find(({ outcome }) => outcome !== "same");
  if (doubt !== undefined) return `Asked for ${doubt.asked}. The effect of the call: ${doubt.does}.`;
  const [extra] = unlicensed;
  if (extra !== undefined) return `The request does not ask for this effect: ${extra.what}.`;
  const part = [...unmet, ...unread][0];
  if (part !== undefined) return `Part of the request was not matched: ${part.why}.`;
  return ambiguous.length > 0 ? "The request can be read in two ways." : "The request was not matched.";
}
