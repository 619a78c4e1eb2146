/** Describes the basis of the verdict: effects, chain, lists, and what was not checked. */
import { describeEffects } from "../canonical/describe.ts";
import type { AddressList, Amount, Asset, Effect, Facts, Flow, Registry } from "../facts.ts";
import type { ValidateRequest } from "../request/index.ts";
import type { Ran } from "./2-run-nodes.ts";
import type { Decision } from "./3-decide.ts";
import { describeCalls } from "./describe-calls.ts";
import { describeState } from "./describe-state.ts";
import type { Engine } from "./engine.ts";
import { plain } from "./plain.ts";
import { boundless, makeShow, type Show } from "./show.ts";

type Told = {
  readonly body: ValidateRequest;
  readonly facts: Partial<Facts>;
  readonly ran: readonly Ran[];
  readonly decision: Decision;
  readonly engine: Engine;
  readonly prompts: readonly string[];
};

export function describeContext({
  body,
  facts,
  ran,
  decision,
  engine,
  prompts,
}: Told): Record<string, unknown> {
  return {
    ...describeTransaction(facts, engine.registry),
    described: describeAsRequest(facts, engine),
    ...describeState(facts, engine.registry),
    confidence: decision.confidence,
    not_checked: ran.flatMap(({ id, finding }) =>
      finding.status === "SKIP" && finding.kind !== "not_applicable"
        ? [{ node: id, why: finding.reasoning, kind: finding.kind }]
        : [],
    ),
    lists: [engine.lists.sanctions, engine.lists.scams, engine.lists.blockedProtocols].flatMap(describeList),
    engine: { version: engine.version, catalogue: engine.catalogueVersion, checks: engine.nodes.length },
    ...(body.preferences === undefined || body.preferences === null
      ? {}
      : { preferences_ignored: plain(body.preferences) }),
    ...(body.return_prompts === true ? { prompts } : {}),
  };
}

function describeTransaction(
  { proposal, reading, usd }: Partial<Facts>,
  registry: Registry,
): Record<string, unknown> {
  const id = proposal?.chain.id ?? 0;
  const show = makeShow(registry, id, usd);
  const about = {
    chain: { ...proposal?.chain, name: registry.chain(id)?.name ?? null },
    actor: proposal?.actor ?? null,
  };
  if (reading === undefined) return { ...about, effects: [], net_effect: null, calls: [], limit: null };
  return {
    ...about,
    effects: reading.effects.map((effect) => describeEffect(effect, show)),
    net_effect: describeNet(reading.net, show),
    calls: describeCalls(reading),
    limit: reading.limit,
  };
}

/** The sentences of a canonical request, or null if one of the effects has none. They were not read back. */
function describeAsRequest(
  { proposal, reading }: Partial<Facts>,
  { registry, protocols }: Engine,
): readonly string[] | null {
  if (proposal === undefined || reading === undefined) return null;
  const steps = describeEffects(reading, { proposal, registry, protocols, withLabels: true });
  const sentences = steps.flatMap(({ sentence }) => sentence ?? []);
  return sentences.length === 0 || sentences.length < steps.length ? null : sentences;
}

const describeList = (list: AddressList | null): readonly unknown[] =>
  list === null ? [] : [{ name: list.name, as_of: list.asOf, entries: list.size, fresh: list.fresh }];

/** `least` and `most` are for people. `units` is `most` in base units for programs, null if it has no bound. */
const describeAmount = (asset: Asset, amount: Amount, show: Show): Record<string, unknown> => ({
  least: show.units(asset, amount.least),
  most: amount.everything === true ? "everything" : show.units(asset, amount.most),
  units: amount.everything === true || amount.most >= boundless ? null : amount.most.toString(),
  decimals: show.decimals(asset),
});

const describeFlow = ({ asset, amount, where }: Flow, show: Show): Record<string, unknown> => ({
  ...show.asset(asset),
  ...describeAmount(asset, amount, show),
  where,
});

/** Faults appear as sentences: their topic only decides which check reports them. */
const describeTerms = ({ faults, ...terms }: Effect["terms"]): unknown =>
  plain({ ...terms, ...(faults === undefined ? {} : { faults: faults.map(({ text }) => text) }) });

function describeEffect(effect: Effect, show: Show): Record<string, unknown> {
  const { act, gives, gets, payer, receiver, authority, fees, venue, protocol, knowledge, target, where } =
    effect;
  return {
    act,
    gives: gives.map((flow) => describeFlow(flow, show)),
    gets: gets.map((flow) => describeFlow(flow, show)),
    payer,
    receiver,
    authority:
      authority === null
        ? null
        : {
            spender: authority.spender,
            asset: authority.asset === null ? null : show.asset(authority.asset),
            ...(authority.asset === null ? {} : describeAmount(authority.asset, authority.amount, show)),
            until: authority.until?.toString() ?? null,
            signed: authority.signed,
          },
    fees: plain(fees),
    venue,
    protocol,
    knowledge,
    function: effect.function,
    target,
    to_chain: effect.toChain,
    deadline: effect.deadline?.toString() ?? null,
    terms: describeTerms(effect.terms),
    admin: effect.admin === null ? null : { kind: effect.admin.kind, party: effect.admin.party },
    where,
  };
}

const describeNet = (net: NonNullable<Facts["reading"]>["net"], show: Show): Record<string, unknown> => ({
  leaves: net.leaves.map(({ asset, most, everything }) => ({
    ...show.asset(asset),
    most: everything ? "everything" : show.units(asset, most),
    ...(everything ? {} : show.worth(asset, most)),
  })),
  arrives: net.arrives.map(({ asset, least }) => ({
    ...show.asset(asset),
    least: show.units(asset, least),
    ...show.worth(asset, least),
  })),
  authority: net.authority.map(({ spender, asset, amount, until, signed }) => ({
    spender,
    asset: asset === null ? null : show.asset(asset),
    most: asset === null ? null : show.units(asset, amount.most),
    until: until?.toString() ?? null,
    signed,
  })),
  others: net.others.map(({ party, asset, most }) => ({
    party,
    ...show.asset(asset),
    most: show.units(asset, most),
    ...show.worth(asset, most),
  })),
  admin: net.admin.map(({ kind, party }) => ({ kind, party })),
});
