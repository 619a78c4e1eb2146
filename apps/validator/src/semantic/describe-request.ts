/** Describes a request to a model: the intent, the steps read in it, and the effects in whole units. Contains no calldata. */
import type { Authority, Effect, Fee, Flow } from "../effects.ts";
import { showFlow, showParty, showPartyRef, showQuantity } from "../entail/show.ts";
import type { PartyRef, Portion, Step } from "../intent.ts";
import type { Registry } from "../registry.ts";
import type { SemanticInput } from "../validate/semantic.ts";
import type { Json } from "./canonical.ts";
import { cleanText } from "./clean-text.ts";

type Place = { readonly chain: number; readonly registry: Registry };

/** `words` must already be clean. All other text is cleaned here. */
export function describeRequest(
  { intent, reading, chain }: SemanticInput,
  words: string,
  registry: Registry,
): Readonly<Record<string, Json>> {
  const place = { chain, registry };
  return {
    words,
    chain: registry.chain(chain)?.name ?? `chain ${chain}`,
    steps: intent.steps.map(describeStep),
    negations: intent.negations.map(({ kind }) => kind),
    effects: reading.effects.map((effect) => describeEffect(effect, place)),
  };
}

const clean = (text: string): string => cleanText(text.slice(0, 120)).text;
const portions = (all: readonly Portion[]): Json =>
  all.map(({ quantity, asset }) => clean(showQuantity(quantity, asset)));
const party = (one: PartyRef | null): Json => (one === null ? null : clean(showPartyRef(one)));

const describeStep = (step: Step): Json => ({
  acts: step.acts.slice(0, 3),
  gives: portions(step.gives),
  gets: portions(step.gets),
  to: step.to.map(party),
  from: party(step.from),
  spender: party(step.spender),
  on_behalf_of: party(step.onBehalfOf),
  venues: step.venues.map(({ venue, mode }) => clean(`${mode} ${venue}`)),
  chain: step.chain?.value ?? null,
  to_chain: step.toChain?.value ?? null,
  slippage_bps: step.slippageBps?.value.toString() ?? null,
  conditions: step.conditions.map(({ said }) => clean(said)),
  admin: step.admin === null ? null : clean(step.admin.kind),
});

const flows = (all: readonly Flow[], place: Place): Json =>
  all.map(({ asset, amount }) => clean(showFlow(asset, amount, place)));

const describeEffect = (effect: Effect, place: Place): Json => ({
  act: effect.act,
  gives: flows(effect.gives, place),
  gets: flows(effect.gets, place),
  payer: showParty(effect.payer),
  receiver: showParty(effect.receiver),
  authority: effect.authority === null ? null : describeAuthority(effect.authority, place),
  fees: effect.fees.map((fee) => describeFee(fee, place)),
  venue: effect.venue,
  function: clean(effect.function),
  to_chain: effect.toChain,
  deadline: effect.deadline?.toString() ?? null,
  admin:
    effect.admin === null ? null : { kind: clean(effect.admin.kind), party: showParty(effect.admin.party) },
  unread: effect.act === "opaque",
});

const describeAuthority = ({ spender, asset, amount, until }: Authority, place: Place): Json => ({
  spender: showParty(spender),
  over: asset === null ? "everything" : clean(showFlow(asset, amount, place)),
  until: until?.toString() ?? null,
});

const describeFee = ({ to, asset, share }: Fee, place: Place): Json => ({
  to: showParty(to),
  amount: "bps" in share ? `${share.bps.toString()} bps` : clean(showFlow(asset, share, place)),
});
