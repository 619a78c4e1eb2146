// From what a transaction does to the requests that Cedar decides.
import type { CedarValueJson, EntityJson, EntityUid } from "@cedar-policy/cedar-wasm/nodejs";
import { formatUnits } from "viem/utils";
import type { Move } from "../mandates/index.ts";
import { worthOf, type Price } from "../prices/index.ts";
import { acts } from "./schema.ts";

export type Facts = {
  readonly account: string;
  readonly agent: string;
  readonly chainId: number;
  readonly moves: readonly Move[];
  /** CAIP-10 ids that the account has paid before. */
  readonly known: ReadonlySet<string>;
  /** Transactions approved in the last 24 hours, with this one. */
  readonly dayCount: number;
  readonly isSigned: boolean;
  readonly at: Date;
  readonly timeZone: string;
  /** Prices that are known now, by asset. */
  readonly prices?: ReadonlyMap<string, Pick<Price, "usd">>;
};

export type Request = {
  readonly principal: EntityUid;
  readonly action: EntityUid;
  readonly resource: EntityUid;
  readonly context: Readonly<Record<string, CedarValueJson>>;
  /** Optional facts that this request lacks. */
  readonly missing: readonly string[];
};

export type Asked = {
  readonly requests: readonly Request[];
  readonly entities: readonly EntityJson[];
};

const uid = (type: string, id: string): { type: string; id: string } => ({
  type: `Countersign::${type}`,
  id,
});

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

function clockOf({ at, timeZone }: Facts): CedarValueJson {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    hourCycle: "h23",
    weekday: "short",
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    at: { __extn: { fn: "datetime", arg: at.toISOString() } },
    hour: Number(parts.get("hour")),
    weekday: weekdays.indexOf(parts.get("weekday") ?? "") + 1,
  };
}

const largest = BigInt(Number.MAX_SAFE_INTEGER);

/** Rounded up, so that `micro <= n` is never true if more leaves. */
function amountOf(units: bigint, decimals: number): CedarValueJson {
  const micro =
    decimals <= 6
      ? units * 10n ** BigInt(6 - decimals)
      : (units + 10n ** BigInt(decimals - 6) - 1n) / 10n ** BigInt(decimals - 6);
  return micro > largest
    ? { micro: Number(largest), unbounded: true }
    : { micro: Number(micro), unbounded: false };
}

type Flow = Move["amounts"][number] | undefined;

const usdPlaces = 4;
/** The largest decimal that Cedar has. */
const mostUsd = 2n ** 63n - 1n;

/** Returns the worth in dollars, rounded up. Undefined if an amount is not known or an asset has no price. */
function usdOf(moves: readonly Move[], flows: readonly Flow[], { prices = new Map() }: Facts) {
  const known = flows.filter((flow) => flow !== undefined);
  if (known.length < flows.length || moves.some(({ uncountable }) => uncountable !== null)) return undefined;
  const counted = worthOf(known, prices, usdPlaces);
  if (!("worth" in counted)) return undefined;
  const arg = formatUnits(counted.worth > mostUsd ? mostUsd : counted.worth, usdPlaces);
  return { usd: { __extn: { fn: "decimal", arg: arg.includes(".") ? arg : `${arg}.0` } } };
}

const isCounted = ({ uncountable }: Move, flow: Flow): boolean =>
  uncountable === null && flow !== undefined && flow.decimals !== null;

function requestOf(facts: Facts, move: Move, party: string | undefined, flow: Flow): Request {
  const { account, agent, chainId, known, isSigned } = facts;
  const amount =
    isCounted(move, flow) && flow?.decimals != null
      ? { amount: amountOf(flow.units, flow.decimals) }
      : undefined;
  const usd = usdOf([move], [flow], facts);
  return {
    principal: uid("Agent", agent),
    action: uid("Action", move.act),
    resource: party === undefined ? uid("Account", account) : uid("Recipient", party),
    context: {
      chain: chainId,
      ...(flow === undefined ? {} : { asset: flow.asset }),
      ...amount,
      ...usd,
      recipient: { known: party === undefined || known.has(party) },
      byEffect: move.byEffect === true,
      request: { signed: isSigned },
      clock: clockOf(facts),
    },
    missing: [
      ...(usd === undefined ? ["usd"] : []),
      ...(flow === undefined ? ["asset"] : []),
      ...(amount === undefined ? ["amount"] : []),
    ],
  };
}

const orNone = <T>(list: readonly T[]): readonly (T | undefined)[] =>
  list.length === 0 ? [undefined] : list;

const requestsOfMove = (facts: Facts, move: Move): readonly Request[] =>
  orNone(move.parties).flatMap((party) =>
    orNone(move.amounts).map((flow) => requestOf(facts, move, party, flow)),
  );

/** Returns the requests, or undefined if the schema has no name for one of the acts. */
export function requestsOf(facts: Facts): Asked | undefined {
  const { account, agent, chainId, moves, dayCount, isSigned } = facts;
  if (!moves.every(({ act }) => acts.has(act))) return undefined;
  const usd = usdOf(
    moves,
    moves.flatMap(({ amounts }) => amounts),
    facts,
  );
  const whole: Request = {
    principal: uid("Agent", agent),
    action: uid("Action", "execute"),
    resource: uid("Account", account),
    context: {
      ...{ chain: chainId, effects: moves.length, day: { count: dayCount } },
      byEffect: moves.some(({ byEffect }) => byEffect === true),
      ...{ request: { signed: isSigned }, clock: clockOf(facts), ...usd },
    },
    missing: usd === undefined ? ["usd"] : [],
  };
  const recipients = [...new Set(moves.flatMap(({ parties }) => parties))];
  return {
    requests: [...moves.flatMap((move) => requestsOfMove(facts, move)), whole],
    entities: [
      { uid: uid("Account", account), attrs: {}, parents: [] },
      { uid: uid("Agent", agent), attrs: {}, parents: [uid("Account", account)] },
      ...recipients.map((id) => ({ uid: uid("Recipient", id), attrs: {}, parents: [] })),
    ],
  };
}
