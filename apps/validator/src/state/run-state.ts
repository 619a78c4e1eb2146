/** Verifies a state and executes its calls. The result is a function of the state alone: it knows no request. */
import {
  callsOf,
  engineResultOf,
  hashWitness,
  LimitExceeded,
  MissingBlockHash,
  MissingState,
  noCode,
  readWitness,
  sceneOf,
  simulate,
  summarizeResult,
  Unproven,
  verifyWitness,
  type Asset as EvmAsset,
  type Effects,
  type EngineSummary,
  type ProvenWitness,
  type Simulation as Simulated,
} from "@countersign/evm";
import { toEventSelector } from "viem/utils";
import { nft, token, native, type Asset } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import type { Block, Engines, Funds, ProvenNames, Simulation } from "../simulation.ts";

/** Plain data, so that it can be sent between threads. */
export type StateRun =
  | { readonly status: "refused"; readonly hash: Hex | null; readonly why: string }
  | {
      readonly status: "ran";
      readonly hash: Hex;
      readonly block: Block;
      readonly chainId: bigint;
      readonly sender: Address;
      /** The account that has signed for the sender. Null: the sender sends the calls itself. */
      readonly signer: Address | null;
      /** The calls that were executed, in their order. */
      readonly calls: readonly {
        readonly to: Address;
        readonly value: bigint;
        readonly data: Hex;
        readonly gas: bigint;
      }[];
      readonly funds: Funds;
      /** Null: the account cannot pay for the transaction, so nothing was executed. */
      readonly simulation: Simulation | null;
      /** Empty if the state resolves none. */
      readonly names: ProvenNames;
      /** The result of the call, for comparison with that of a second engine. */
      readonly result: EngineSummary;
      /** The answer of a second engine. `withSecondEngine` fills it in. */
      readonly engines?: Engines;
    };

export const refuseState = (why: string, hash: Hex | null = null): StateRun => ({
  status: "refused",
  hash,
  why,
});

/** For requests without a state, where the operator requires one. */
export const missingState = refuseState(
  "The request has no state of the chain, and the operator requires one.",
);

/** `checkBudget` throws to stop the execution; its error is passed on. */
export async function runState(given: unknown, checkBudget: () => void): Promise<StateRun> {
  const witness = readWitness(given);
  if (witness === undefined)
    return refuseState("The state of the chain is malformed, too large or of an unknown version.");
  const hash = hashWitness(witness);
  try {
    const proven = verifyWitness(witness);
    return describeRun(hash, proven, await simulate(sceneOf(proven), { checkBudget }));
  } catch (error) {
    const why = reasonOf(error);
    if (why === undefined) throw error;
    return refuseState(why, hash);
  }
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof Unproven) return `The state of the chain is not proven: ${error.message}.`;
  if (error instanceof MissingState || error instanceof MissingBlockHash)
    return `The state of the chain is incomplete: ${error.message}.`;
  if (error instanceof LimitExceeded) return `The simulation was stopped: ${error.message}.`;
  return undefined;
}

function describeRun(hash: Hex, { witness, header }: ProvenWitness, simulated: Simulated): StateRun {
  const { call, chainId, accounts, signer } = witness;
  const calls = callsOf(witness).map(({ to, value, data, gas }) => ({
    ...{ to, data, value: BigInt(value), gas: BigInt(gas) },
  }));
  const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
  const isRelayed = simulated.kind === "ran" && simulated.effects.outcome.relayer !== null;
  const funds: Funds = {
    native: BigInt(accounts[call.from]?.balance ?? "0x0"),
    value: sum(calls.map(({ value }) => value)),
    // The account that sends the transaction of a contract pays for it.
    mostForGas: isRelayed ? 0n : sum(calls.map(({ gas }) => gas)) * BigInt(call.maxFeePerGas),
    tokens: new Map(simulated.held.map((one) => [one.token, one.amount])),
    isEnough: simulated.kind === "ran" && whyReverted(simulated, calls) === null,
  };
  if (simulated.isSigned === false)
    return refuseState("The contract does not name the account that signs as one of its owners.", hash);
  const isShort = funds.native < funds.value + funds.mostForGas;
  if (simulated.kind === "not executable" && !isShort)
    return refuseState(`The transaction cannot be simulated: ${simulated.reason}.`, hash);
  return {
    status: "ran",
    hash,
    block: { number: header.number, hash: header.hash, timestamp: header.timestamp },
    ...{ chainId: BigInt(chainId), sender: call.from, signer: signer ?? null, calls },
    funds,
    simulation:
      simulated.kind === "ran"
        ? describeSimulation(signer ?? call.from, simulated, whyReverted(simulated, calls))
        : null,
    names: new Map(simulated.names.map(({ name, ...resolved }) => [name, resolved])),
    result: summarizeResult(engineResultOf(simulated)),
  };
}

type Ran = Extract<Simulated, { kind: "ran" }>;

const assetOf = (asset: EvmAsset): Asset => {
  if (asset.kind === "native") return native;
  return asset.kind === "erc20" ? token(asset.token) : nft(asset.token, asset.id);
};

/** A Safe logs this, and its transaction succeeds, if the call inside fails and the Safe was given gas for it. */
const executionFailure = toEventSelector("ExecutionFailure(bytes32,uint256)");

function whyReverted(
  { effects: { outcome }, account }: Pick<Ran, "effects" | "account">,
  calls: readonly { readonly to: Address }[],
): string | null {
  if (!outcome.succeeded) {
    const reason = outcome.reason ?? "no reason given";
    return calls.length === 1 ? reason : `call ${outcome.calls} of ${calls.length}: ${reason}`;
  }
  const hasFailed = outcome.logs.some(
    ({ address, topics }) =>
      topics[0] === executionFailure && (address === account || calls.some(({ to }) => to === address)),
  );
  return hasFailed ? "the call of the Safe fails" : null;
}

/** A Safe counts its transactions in this slot. */
const safeNonce: Hex = `0x${"0".repeat(63)}5`;

function describeSimulation(
  sender: Address,
  { account, effects, divergences, runs, prices, decimals, held, holders, parties, symbols }: Ran,
  reverted: string | null,
): Simulation {
  const { outcome } = effects;
  const isCounted = ({ slot }: { readonly slot: Hex }): boolean => account !== sender && slot === safeNonce;
  const [divergence] = divergences.filter(({ isDrift }) => !isDrift);
  return {
    account,
    sender,
    reverted,
    ...{ calls: outcome.calls, isRelayed: outcome.relayer !== null },
    diverged:
      divergence === undefined
        ? null
        : `with another ${divergence.knob} (${divergence.name}): ${divergence.what.slice(0, 3).join("; ")}`,
    variants: runs,
    changes: effects.balances.map(({ asset, holder, measured, logged }) => ({
      holder,
      asset: assetOf(asset),
      amount: measured ?? logged ?? 0n,
      isMeasured: measured !== null,
    })),
    balances: effects.balances
      .filter(({ holder }) => holder === account)
      .map(({ asset, before, after }) => ({ asset: assetOf(asset), before, after })),
    holders,
    tokens: held.map((one) => one.token),
    approvals: describeApprovals([account, sender], effects),
    control: describeControl(account, effects),
    changesAccount:
      outcome.codes.some(({ address }) => address === account || address === sender) ||
      effects.ownSlots.some((one) => one.address === sender || (one.address === account && !isCounted(one))),
    unreadable: effects.unreadable.length,
    gasUsed: outcome.gasUsed,
    fee: outcome.fee,
    decimals: new Map(decimals.map((one) => [one.token, one.decimals])),
    ...{ parties, proxies: effects.proxies },
    symbols: new Map(symbols.map((one) => [one.token, one.symbol])),
    prices: new Map(prices.map(({ asset, usd }) => [asset, usd])),
  };
}

/** An approval that its contract does not confirm counts as its event says. */
function describeApprovals(owners: readonly Address[], { approvals }: Effects): Simulation["approvals"] {
  return (
    approvals
      .filter(({ owner }) => owners.includes(owner))
      .map(({ kind, token: address, id, spender, logged, before, after }) => ({
        spender,
        asset: kind === "item" || kind === "all" ? nft(address, id) : token(address),
        before: before ?? 0n,
        after: after ?? logged,
      }))
      // A transferred NFT is logged as approved for the zero address, which means for none.
      .filter(({ spender, before, after }) => after > before && BigInt(spender) !== 0n)
  );
}

/** A contract that is created names its first owner; that is no change. */
function describeControl(account: Address, { control, outcome }: Effects): Simulation["control"] {
  const created = new Set(
    outcome.codes.filter(({ before }) => before === noCode).map(({ address }) => address),
  );
  return control
    .filter(({ address }) => address !== account && !created.has(address))
    .map(({ kind, address, to }) => ({ kind, address, to }));
}
