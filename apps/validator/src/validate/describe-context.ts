/** Describes the basis of the verdict: effects, chain, lists, and what was not checked. */
import { describeEffects } from "../canonical/describe.ts";
import type { AddressList, Amount, Asset, Effect, Facts, Flow } from "../facts.ts";
import type { ListKind } from "../lists/index.ts";
import type { ValidateRequest } from "../request/index.ts";
import type { Ran } from "./2-run-nodes.ts";
import type { Decision } from "./3-decide.ts";
import { describeCalls } from "./describe-calls.ts";
import { describeState } from "./describe-state.ts";
import type { Engine } from "./engine.ts";
import { nameCall } from "./name-call.ts";
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
    ...describeTransaction(facts, engine),
    described: describeAsRequest(facts, engine),
    ...describeState(facts, engine.registry),
    confidence: decision.confidence,
    not_checked: ran.flatMap(({ id, finding }) =>
      finding.status === "SKIP" && finding.kind !== "not_applicable"
        ? [{ node: id, why: finding.reasoning, kind: finding.kind }]
        : [],
    ),
    lists: describeLists(engine.lists),
    engine: { version: engine.version, catalogue: engine.catalogueVersion, checks: engine.nodes.length },
    ...(body.preferences === undefined || body.preferences === null
      ? {}
      : { preferences_ignored: plain(body.preferences) }),
    ...(body.return_prompts === true ? { prompts } : {}),
  };
}

function describeTransaction(
  { proposal, reading, usd, simulation }: Partial<Facts>,
  { registry, contractData }: Engine,
): Record<string, unknown> {
  const id = proposal?.chain.id ?? 0;
  const showOn: ShowOn = (chain) =>
    makeShow(registry, chain ?? id, usd && ((asset, units) => usd(asset, units, chain)));
  const about = {
    chain: { ...proposal?.chain, name: registry.chain(id)?.name ?? null },
    actor: proposal?.actor ?? null,
  };
  if (reading === undefined) return { ...about, effects: [], net_effect: null, calls: [], limit: null };
  return {
    ...about,
    effects: reading.effects.map((effect) => describeEffect(effect, showOn)),
    net_effect: describeNet(reading.net, showOn),
    calls: describeCalls(reading, (leaf) =>
      nameCall(leaf, { contractData, chain: id, proxies: simulation?.proxies ?? [] }),
    ),
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

type DescribedList = {
  readonly kind: ListKind;
  readonly name: string;
  readonly as_of: string;
  /** At the time of the check. */
  readonly age_days: number;
  readonly entries: number;
  readonly fresh: boolean;
};

/** Describes the lists that there are. */
export function describeLists({ sanctions, scams, blockedProtocols }: Engine["lists"]): DescribedList[] {
  const describe = (kind: ListKind, list: AddressList | null): DescribedList[] => {
    if (list === null) return [];
    const { name, asOf, ageDays, size, fresh } = list;
    return [{ kind, name, as_of: asOf, age_days: ageDays, entries: size, fresh }];
  };
  return [
    ...describe("sanctions", sanctions),
    ...describe("scam", scams),
    ...describe("blocked-protocols", blockedProtocols),
  ];
}

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

/** Null: the chain of the proposal. The same address is another token elsewhere. */
type ShowOn = (chain: number | null) => Show;

function describeEffect(effect: Effect, showOn: ShowOn): Record<string, unknown> {
  const { act, gives, gets, payer, receiver, authority, fees, venue, protocol, knowledge, target, where } =
    effect;
  const [show, showArriving] = [showOn(null), showOn(effect.toChain)];
  return {
    act,
    gives: gives.map((flow) => describeFlow(flow, show)),
    gets: gets.map((flow) => describeFlow(flow, showArriving)),
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

/** `to_chain` is absent on the chain of the proposal. */
const placed = (
  asset: Asset,
  toChain: number | undefined,
  showOn: ShowOn,
): { readonly show: Show; readonly about: Record<string, unknown> } => {
  const show = showOn(toChain ?? null);
  const about = { ...show.asset(asset), ...(toChain === undefined ? {} : { to_chain: toChain }) };
  return { show, about };
};

function describeNet(
  { leaves, arrives, authority, others, admin }: NonNullable<Facts["reading"]>["net"],
  showOn: ShowOn,
): Record<string, unknown> {
  const here = showOn(null);
  return {
    leaves: leaves.map(({ asset, most, everything }) => ({
      ...here.asset(asset),
      most: everything ? "everything" : here.units(asset, most),
      ...(everything ? {} : here.worth(asset, most)),
    })),
    arrives: arrives.map(({ asset, least, toChain }) => {
      const { show, about } = placed(asset, toChain, showOn);
      return { ...about, least: show.units(asset, least), ...show.worth(asset, least) };
    }),
    authority: authority.map(({ spender, asset, amount, until, signed }) => ({
      spender,
      asset: asset === null ? null : here.asset(asset),
      most: asset === null ? null : here.units(asset, amount.most),
      until: until?.toString() ?? null,
      signed,
    })),
    others: others.map(({ party, asset, most, toChain }) => {
      const { show, about } = placed(asset, toChain, showOn);
      return { party, ...about, most: show.units(asset, most), ...show.worth(asset, most) };
    }),
    admin: admin.map(({ kind, party }) => ({ kind, party })),
  };
}
