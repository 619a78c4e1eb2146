/** Several steps on Compound III in one call: each has a name and its own encoded arguments. */
import { stringToHex } from "viem/utils";
import { blob } from "../../bytes/openings.ts";
import { exactly, native, token, unsaid, type Amount, type Party } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import { fn, type CallView, type Draft, type DraftChoice, type ProtocolFunction } from "../../protocol.ts";
import { feeds, feedsAll, inert, openedBy } from "../../uses.ts";
import { picking } from "./admin-drafts.ts";
import { allOrExactly } from "./amounts.ts";
import { baseOf } from "./comet-deployments.ts";
import { reserve, supply, withdraw } from "./lending.ts";

/** A position that changes hands inside a market, and the places of its parts. */
export type Handed = {
  readonly comet: Address;
  readonly to: Party;
  readonly asset: Address;
  readonly amount: bigint;
  readonly at: { readonly asset: string; readonly amount: string; readonly receiver: string };
};

/**
 * No token moves: a supplied position passes to another account, or the sender takes on debt for it. The base asset
 * is the market's own token; collateral has no token.
 */
export const handOver = ({ comet, to, asset, amount, at }: Handed, chain: number): Draft => ({
  act: "transfer",
  gives: [
    {
      asset: baseOf(chain, comet) === asset ? token(comet) : unsaid("collateral in this market"),
      amount: allOrExactly(amount),
      at: at.amount,
    },
  ],
  receiver: to,
  choices: [reserve(asset, at.asset)],
  places: { receiver: at.receiver, amount: at.amount },
});

type Step = { readonly to: Party; readonly asset: Address; readonly amount: bigint; readonly at: string };

const stETH: Address = "0xae7ab96520de3a18e5e111b5eaab095312d7fe84";
const wstETH: Address = "0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0";

const moved = (step: Step, amount: Amount = allOrExactly(step.amount)): Parameters<typeof supply>[0] => ({
  asset: token(step.asset),
  amount,
  at: step.at,
  receiver: step.to,
  receiverAt: step.at,
});

const uses = { comet: feeds.choice, to: feeds.receiver, amount: feeds.amount };
const ofAsset = blob("address comet, address to, address asset, uint256 amount", {
  ...uses,
  asset: feedsAll("asset", "choice"),
});
const ofCoin = blob("address comet, address to, uint256 amount", uses);
const ofRewards = blob("address comet, address rewards, address src, bool shouldAccrue", {
  comet: feeds.choice,
  rewards: feeds.choice,
  src: feeds.receiver,
  shouldAccrue: inert.restricts,
});

const assetSteps: Readonly<Record<string, (step: Step) => Draft>> = {
  ACTION_SUPPLY_ASSET: (step) => supply(moved(step)),
  ACTION_WITHDRAW_ASSET: (step) => withdraw(moved(step)),
};

const coinSteps: Readonly<Record<string, (step: Step) => Draft>> = {
  ACTION_SUPPLY_NATIVE_TOKEN: (step) => supply({ ...moved(step, exactly(step.amount)), asset: native }),
  ACTION_WITHDRAW_NATIVE_TOKEN: (step) => withdraw({ ...moved(step), asset: native }),
  ACTION_SUPPLY_STETH: (step) => supply({ ...moved(step), asset: token(stETH) }),
  ACTION_WITHDRAW_STETH: (step) => withdraw({ ...moved(step), asset: token(wstETH) }),
};

/** The bulker passes the funds to any market it is told: a malicious one keeps them. */
const market = (comet: Address, at: string): DraftChoice => ({
  what: "market",
  value: comet,
  at,
  roles: ["comet"],
});

/** Reads a step's arguments by the name of its action. Contracts compare all 32 bytes of it. */
type ReadStep = (data: Hex, call: CallView, at: string) => Draft;

const byName: Readonly<Record<string, ReadStep>> = {
  ...Object.fromEntries(
    Object.entries(assetSteps).map(([name, read]): [string, ReadStep] => [
      name,
      (data, call, at) => {
        const [comet, to, asset, amount] = call.open(ofAsset, data, at);
        return picking(read({ to, asset, amount, at }), market(comet, at));
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(coinSteps).map(([name, read]): [string, ReadStep] => [
      name,
      (data, call, at) => {
        const [comet, to, amount] = call.open(ofCoin, data, at);
        return picking(read({ to, asset: call.to, amount, at }), market(comet, at));
      },
    ]),
  ),
  ACTION_TRANSFER_ASSET: (data, call, at) => {
    const [comet, to, asset, amount] = call.open(ofAsset, data, at);
    const places = { asset: at, amount: at, receiver: at };
    return picking(handOver({ comet, to, asset, amount, at: places }, call.chain), market(comet, at));
  },
  ACTION_CLAIM_REWARD: (data, call, at) => {
    const [comet, rewards, src] = call.open(ofRewards, data, at);
    return {
      act: "claim",
      receiver: src,
      choices: [market(comet, at), { what: "distributor", value: rewards, at, roles: ["rewards"] }],
      places: { receiver: at },
    };
  },
};

const readers: ReadonlyMap<string, ReadStep> = new Map(
  Object.entries(byName).map(([name, read]) => [stringToHex(name, { size: 32 }), read]),
);

const readStep = (action: Hex, data: Hex | undefined, call: CallView, at: string): Draft => {
  const read = readers.get(action);
  if (data === undefined) throw new Error("an action has no arguments");
  if (read === undefined) throw new Error("an action is not known");
  return read(data, call, at);
};

export const cometBulker: readonly ProtocolFunction[] = [
  fn(
    "function invoke(bytes32[] actions, bytes[] data) payable",
    ["bulker"],
    { actions: feeds.act, data: openedBy(ofAsset, ofCoin, ofRewards) },
    ([actions, data], call) => {
      if (actions.length !== data.length) throw new Error("the numbers of actions and arguments differ");
      return actions.map((action, index) => readStep(action, data[index], call, `data[${index}]`));
    },
  ),
];
