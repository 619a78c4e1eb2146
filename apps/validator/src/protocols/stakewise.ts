/** StakeWise vaults: ether staked with an operator of the owner's choice, and a withdrawal queue. */
import { exactly, token, type Party } from "../effects.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { feeds, inert, openedAsCalls } from "../uses.ts";
import { collect, stakeCoin, stakingVerbs } from "./shared/staking.ts";

const on = ["vault"];

const deposited = (receiver: Party, call: CallView): Draft => ({
  ...stakeCoin(call, null, receiver),
  places: { amount: "value", receiver: "receiver" },
});

const harvest =
  "(bytes32 rewardsRoot, int160 reward, uint160 unlockedMevReward, bytes32[] proof) harvestParams";

/** The vault's earnings, checked against a root that the protocol's oracles signed. */
const harvestParams = inert.signature;
const deposit = { receiver: feeds.receiver, referrer: inert.attribution };

export default defineProtocol({
  title: "StakeWise",
  names: ["stakewise", "serenita", "p2p", "p2p.org"],
  verbs: stakingVerbs,
  contracts: {
    vault: {
      1: [
        "0xac0f906e433d58fa868f936e8a43230473652885",
        "0xb36fc5e542cb4fc562a624912f55da2758998113",
        "0xb72668d6ff7a0e318f83097a754c6aed0f8af034",
      ],
    },
  },
  functions: [
    fn("function deposit(address receiver, address referrer) payable", on, deposit, ([receiver], call) =>
      deposited(receiver, call),
    ),
    fn(
      `function updateStateAndDeposit(address receiver, address referrer, ${harvest}) payable`,
      on,
      { ...deposit, harvestParams },
      ([receiver], call) => deposited(receiver, call),
    ),
    fn(
      "function enterExitQueue(uint256 shares, address receiver)",
      on,
      { shares: feeds.amount, receiver: feeds.receiver },
      ([shares, receiver], call) => ({
        act: "unstake",
        gives: [{ asset: token(call.to), amount: exactly(shares), at: "shares" }],
        receiver,
        places: { amount: "shares", receiver: "receiver" },
      }),
    ),
    fn(
      "function claimExitedAssets(uint256 positionTicket, uint256 timestamp, uint256 exitQueueIndex)",
      on,
      {
        positionTicket: inert.own_item,
        timestamp: inert.own_item,
        exitQueueIndex: inert.hint,
      },
      (_, call) => collect(call.sender),
    ),
    fn(`function updateState(${harvest})`, on, { harvestParams }, () => ({ act: "harmless" })),
    fn("function multicall(bytes[] data)", on, { data: openedAsCalls }, ([data], call) => ({
      calls: data.map((inner, index) => ({
        to: call.to,
        value: 0n,
        data: inner,
        program: true,
        at: `data[${index}]`,
      })),
    })),
  ],
});
