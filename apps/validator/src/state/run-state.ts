/** Verifies a state and executes its call. The result is a function of the state alone: it knows no request. */
import {
  hashWitness,
  isSentByContract,
  LimitExceeded,
  MissingBlockHash,
  MissingState,
  noCode,
  readWitness,
  sceneOf,
  simulate,
  Unproven,
  verifyWitness,
  type Asset as EvmAsset,
  type Effects,
  type ProvenWitness,
  type Simulation as Simulated,
} from "@countersign/evm";
import { nft, token, native, type Asset } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import type { Block, Funds, Simulation } from "../simulation.ts";

/** Plain data, so that it can be sent between threads. */
export type StateRun =
  | { readonly status: "refused"; readonly hash: Hex | null; readonly why: string }
  | {
      readonly status: "ran";
      readonly hash: Hex;
      readonly block: Block;
      /** The call that was executed. */
      readonly call: {
        readonly chainId: bigint;
        readonly from: Address;
        readonly to: Address;
        readonly value: bigint;
        readonly data: Hex;
        readonly gas: bigint;
      };
      readonly funds: Funds;
      /** Null: the account cannot pay for the transaction, so nothing was executed. */
      readonly simulation: Simulation | null;
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
    if (isSentByContract(witness))
      return refuseState("The account is a contract, so its transactions cannot be simulated yet.", hash);
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
  const { call, chainId, accounts } = witness;
  const [value, gas] = [BigInt(call.value), BigInt(call.gas)];
  const funds: Funds = {
    native: BigInt(accounts[call.from]?.balance ?? "0x0"),
    value,
    mostForGas: gas * BigInt(call.maxFeePerGas),
    tokens: new Map(simulated.held.map((one) => [one.token, one.amount])),
    isEnough: simulated.kind === "ran" && simulated.effects.outcome.succeeded,
  };
  const isShort = funds.native < funds.value + funds.mostForGas;
  if (simulated.kind === "not executable" && !isShort)
    return refuseState(`The transaction cannot be simulated: ${simulated.reason}.`, hash);
  return {
    status: "ran",
    hash,
    block: { number: header.number, hash: header.hash, timestamp: header.timestamp },
    call: { chainId: BigInt(chainId), from: call.from, to: call.to, value, data: call.data, gas },
    funds,
    simulation: simulated.kind === "ran" ? describeSimulation(call.from, simulated) : null,
  };
}

const assetOf = (asset: EvmAsset): Asset => {
  if (asset.kind === "native") return native;
  return asset.kind === "erc20" ? token(asset.token) : nft(asset.token, asset.id);
};

function describeSimulation(
  account: Address,
  { effects, divergences, runs, prices, held, holders }: Extract<Simulated, { kind: "ran" }>,
): Simulation {
  const { outcome } = effects;
  const [divergence] = divergences.filter(({ isDrift }) => !isDrift);
  return {
    reverted: outcome.succeeded ? null : (outcome.reason ?? "no reason given"),
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
    approvals: describeApprovals(account, effects),
    control: describeControl(account, effects),
    changesAccount:
      outcome.codes.some(({ address }) => address === account) ||
      effects.ownSlots.some(({ address }) => address === account),
    unreadable: effects.unreadable.length,
    gasUsed: outcome.gasUsed,
    fee: outcome.fee,
    prices: new Map(prices.map(({ asset, usd }) => [asset, usd])),
  };
}

/** An approval that its contract does not confirm counts as its event says. */
function describeApprovals(account: Address, { approvals }: Effects): Simulation["approvals"] {
  return (
    approvals
      .filter(({ owner }) => owner === account)
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
