/** Turns the measured changes of balances into one effect, if they have the form that the request asks for. */
import type { Amount, Effect, EffectAct } from "../../effects.ts";
import type { Step } from "../../intent.ts";
import type { World } from "../world.ts";
import { boundArrival, boundOutflow } from "./bounds.ts";
import { readChanges, type Change, type Executed, type Moved } from "./changes.ts";

/** One asset leaves and another arrives. Debts, orders and other chains do not show in balances. */
const exchanges: readonly EffectAct[] = [
  "swap",
  "supply",
  "stake",
  "withdraw",
  "unstake",
  "wrap",
  "unwrap",
  "mint",
];
/** Something arrives, and nothing leaves. */
const returns: readonly EffectAct[] = ["claim", "withdraw", "unstake"];

type Given = Executed & {
  /** The effect that the reader of the calldata found. */
  readonly call: Effect;
};

/** Returns the effect, or why there is none, as a sentence. */
export function measureEffect(world: World, { call, ...executed }: Given): Effect | string {
  const [step, ...more] = world.intent.steps;
  if (step === undefined || more.length > 0)
    return "Only a request of one step can be checked by its effect.";
  const act = actOf(step);
  if (act === undefined) return whyNoAct(step);
  const moved = readChanges(step, world, executed);
  if (typeof moved === "string") return moved;
  const { out, into, receiver } = moved;
  const bounds = boundFlows(step, moved, world);
  if (typeof bounds === "string") return bounds;
  const { gives, gets } = bounds;
  const flow = ({ asset }: Change, amount: Amount) => ({ asset, amount, where: call.where });
  return {
    ...call,
    act,
    gives: out === null || gives === null ? [] : [flow(out, gives)],
    gets: into === null || gets === null ? [] : [flow(into, gets)],
    ...{ payer: "self", receiver, authority: null, fees: [], venue: null, protocol: "", toChain: null },
    ...{ deadline: null, terms: {}, admin: null, choices: [], knowledge: "measured", places: {} },
  };
}

function boundFlows(
  step: Step,
  { out, into }: Pick<Moved, "out" | "into">,
  world: World,
): { readonly gives: Amount | null; readonly gets: Amount | null } | string {
  const gives = out && boundOutflow(step.gives[0], out, world);
  if (typeof gives === "string") return gives;
  const gets = into && boundArrival(step.gets[0], into, world);
  return typeof gets === "string" ? gets : { gives, gets };
}

/** Only the first meaning of the verb counts. */
function actOf({ acts: [first], gives, gets }: Step): EffectAct | undefined {
  const among = (list: readonly EffectAct[]): EffectAct | undefined => list.find((act) => act === first);
  if (gives.length === 1 && gets.length === 0) return among(["transfer"]);
  if (gives.length === 1 && gets.length === 1) return among(exchanges);
  return gives.length === 0 && gets.length === 1 ? among(returns) : undefined;
}

function whyNoAct({ acts: [first], gives, gets, verb }: Step): string {
  return gives.length === 1 && gets.length === 0 && exchanges.some((act) => act === first)
    ? "The request does not say how much must arrive, as in “for at least 0.03 ETH” or “and get at least 49 shares of 0x…”."
    : `“${verb.word}” with these assets cannot be checked by its effect.`;
}
