/**
 * The bounds that an approval sets for the execution: how the balances may change at worst, in base units, when the same call is simulated again
 * just before it is sent. They are signed with the report, so that the parties that send do not choose them.
 */
import type { Facts, NetEffect } from "../facts.ts";
import type { Intent, Step } from "../intent.ts";
import { statesMaximum, statesMinimum } from "../stated-limits.ts";
import type { Address } from "../proposal.ts";
import { sameAsset } from "../effects.ts";
import type { Simulation } from "../simulation.ts";
import { whyUnknown } from "./describe-balances.ts";
import { boundless, type Show } from "./show.ts";

type Told = {
  readonly [Name in "state" | "simulation" | "intent" | "reading"]?: Facts[Name] | undefined;
} & { readonly account: Address | null };

type Change = Simulation["changes"][number];

/** The source of a bound: the simulated amount itself, the request, or our default. */
type Basis = "exact" | "stated" | "slippage" | "tolerance";

type Bound = Change & { readonly least: bigint; readonly basis: Basis };

/** Of an amount that arrives, if the request states neither a minimum nor a slippage. The same as custody's default. */
const toleranceBps = 100n;
const wholeBps = 10_000n;

export function describeBounds(told: Told, show: Show): Record<string, unknown> {
  const { state, simulation, account } = told;
  const why = whyUnknown(told) ?? whyNotCompared(told);
  if (why !== null || state?.status !== "proven" || simulation === undefined)
    return { status: "unknown", why };
  const { number, hash } = state.block;
  return {
    status: "known",
    account,
    block: { number: number.toString(), hash },
    changes: boundsOf(told).map(({ holder, asset, amount, least, basis }) => ({
      holder,
      ...show.asset(asset),
      decimals: show.decimals(asset),
      approved: amount.toString(),
      least: least.toString(),
      basis,
    })),
    allowances: simulation.approvals.flatMap(({ spender, asset, after }) =>
      asset.kind === "token" ? [{ spender, token: asset.address, most: after.toString() }] : [],
    ),
  };
}

/** Only balances that a contract answers for can be measured again. */
function whyNotCompared({ simulation, account }: Told): string | null {
  if (simulation === undefined || account === null) return "The account is not known.";
  if (simulation.account !== simulation.sender)
    return "A Safe acts, and its balances are not compared again.";
  if (simulation.isRelayed)
    return "Another account sends the transaction, so the balances are not compared again.";
  if (simulation.calls > 1) return "There are several calls, which are not compared again.";
  const own = simulation.changes.filter(({ holder }) => holder === account);
  if (
    own.some(({ asset }) => asset.kind === "nft") ||
    simulation.approvals.some(({ asset }) => asset.kind === "nft")
  )
    return "The transaction moves NFTs, which are not compared again.";
  if (own.some(({ isMeasured }) => !isMeasured) || simulation.unreadable > 0)
    return "A balance could not be measured, so it cannot be compared again.";
  return null;
}

function boundsOf({ simulation, account, intent, reading }: Told): readonly Bound[] {
  const changes = simulation?.changes ?? [];
  const own = changes.filter(({ holder }) => holder === account);
  const [leaves, arrives] = [
    own.filter(({ amount }) => amount < 0n),
    own.filter(({ amount }) => amount > 0n),
  ];
  // Bounds of a request with several steps belong to one of them, and it does not say which.
  const step = onlyStep(intent);
  return [
    ...leaves.map((change) => outgoing(change, leaves.length === 1 ? step : null, reading?.net)),
    ...arrives.map((change) => incoming(change, arrives.length === 1 ? step : null, reading?.net)),
    // Without a return it is a payment, and a recipient who gets less has not been paid.
    ...(arrives.length > 0 ? [] : changes.filter(isReceived(account)).map(exactly)),
  ];
}

const onlyStep = (intent: Intent | undefined): Step | null => {
  const [step, ...rest] = intent?.steps ?? [];
  return step === undefined || rest.length > 0 ? null : step;
};

const isReceived =
  (account: Address | null) =>
  ({ holder, asset, amount, isMeasured }: Change): boolean =>
    holder !== account && amount > 0n && isMeasured && (asset.kind === "token" || asset.kind === "native");

const exactly = (change: Change): Bound => ({ ...change, least: change.amount, basis: "exact" });

/** No more than was simulated, unless the request states a maximum. The calldata's maximum was compared with it. */
function outgoing(change: Change, step: Step | null, net: NetEffect | undefined): Bound {
  const found = net?.leaves.find(({ asset }) => sameAsset(asset, change.asset));
  const isStated = step !== null && statesMaximum(step);
  if (!isStated || found === undefined || found.everything || found.most >= boundless) return exactly(change);
  return { ...change, least: -found.most < change.amount ? -found.most : change.amount, basis: "stated" };
}

function incoming(change: Change, step: Step | null, net: NetEffect | undefined): Bound {
  const { amount } = change;
  const isSame = ({ asset, toChain }: NetEffect["arrives"][number]): boolean =>
    toChain === undefined && sameAsset(asset, change.asset);
  const least = net?.arrives.find(isSame)?.least ?? 0n;
  if (step !== null && statesMinimum(step) && least > 0n && least <= amount)
    return { ...change, least, basis: "stated" };
  return step?.slippageBps
    ? { ...change, least: without(amount, step.slippageBps.value), basis: "slippage" }
    : { ...change, least: without(amount, toleranceBps), basis: "tolerance" };
}

/** Rounded up, in favour of the account. */
const without = (amount: bigint, bps: bigint): bigint =>
  bps >= wholeBps ? 0n : (amount * (wholeBps - bps) + wholeBps - 1n) / wholeBps;
