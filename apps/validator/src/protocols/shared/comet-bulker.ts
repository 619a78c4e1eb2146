/** Several steps on Compound III in one call: each has a name and its own encoded arguments. */
import { exactly, native, token, type Amount, type Party } from "../../effects.ts";
import { decodeBlob } from "../../bytes/decode.ts";
import type { Address, Hex } from "../../proposal.ts";
import { fn, type CallView, type Draft, type ProtocolFunction } from "../../protocol.ts";
import { allOrExactly } from "./amounts.ts";
import { baseOf } from "./comet-deployments.ts";
import { supply, withdraw } from "./lending.ts";

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

const readers: Readonly<Record<string, { readonly named: boolean; readonly read: (step: Step) => Draft }>> = {
  ACTION_SUPPLY_ASSET: { named: true, read: (step) => supply(moved(step)) },
  ACTION_WITHDRAW_ASSET: { named: true, read: (step) => withdraw(moved(step)) },
  ACTION_TRANSFER_ASSET: {
    named: true,
    read: ({ to, asset, amount, at }) => ({
      act: "transfer",
      gives: [{ asset: token(asset), amount: allOrExactly(amount), at }],
      receiver: to,
      places: { receiver: at },
    }),
  },
  ACTION_SUPPLY_NATIVE_TOKEN: {
    named: false,
    read: (step) => supply({ ...moved(step, exactly(step.amount)), asset: native }),
  },
  ACTION_WITHDRAW_NATIVE_TOKEN: { named: false, read: (step) => withdraw({ ...moved(step), asset: native }) },
  ACTION_SUPPLY_STETH: { named: false, read: (step) => supply({ ...moved(step), asset: token(stETH) }) },
  ACTION_WITHDRAW_STETH: { named: false, read: (step) => withdraw({ ...moved(step), asset: token(wstETH) }) },
};

const nameOf = (word: Hex): string => {
  const text = Buffer.from(word.slice(2), "hex").toString("latin1");
  const end = text.indexOf("\0");
  return end === -1 ? text : text.slice(0, end);
};

const claimed = (data: Hex, call: CallView, at: string): Draft => {
  const [comet, , src] = decodeBlob(
    "address comet, address rewards, address src, bool shouldAccrue",
    data,
  ) as readonly Address[];
  ownMarket(comet, call);
  return { act: "claim", receiver: src ?? null, places: { receiver: at } };
};

/** The bulker hands the money to whatever market it is told: a stranger's keeps it. */
const ownMarket = (comet: Address | undefined, call: CallView): void => {
  if (comet === undefined || baseOf(call.chain, comet) === null)
    throw new Error(`${comet} is not a market of this protocol`);
};

const readStep = (action: Hex, data: Hex | undefined, call: CallView, at: string): Draft => {
  const name = nameOf(action);
  if (data === undefined) throw new Error("an action without arguments");
  if (name === "ACTION_CLAIM_REWARD") return claimed(data, call, at);
  const reader = readers[name];
  if (reader === undefined) throw new Error("an action that is not known");
  const types = reader.named
    ? "address comet, address to, address asset, uint256 amount"
    : "address comet, address to, uint256 amount";
  const values = decodeBlob(types, data);
  const [comet, to, asset] = values as readonly Address[];
  ownMarket(comet, call);
  return reader.read({ to: to ?? call.sender, asset: asset ?? call.to, amount: values.at(-1) as bigint, at });
};

export const cometBulker: readonly ProtocolFunction[] = [
  fn("function invoke(bytes32[] actions, bytes[] data) payable", ["bulker"], ([actions, data], call) => {
    if (actions.length !== data.length) throw new Error("actions and arguments differ in number");
    return actions.map((action, index) => readStep(action, data[index], call, `data[${index}]`));
  }),
];
