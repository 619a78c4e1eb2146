/** Rewards of an Aave market, and who may collect them. */
import { everything, exactly, MAX_UINT, token, type Amount, type Asset, type Party } from "../../effects.ts";
import { fn, type Draft, type ProtocolFunction } from "../../protocol.ts";
import { feeds, feedsAll, inert } from "../../uses.ts";
import { allOrExactly } from "./amounts.ts";
import { ZERO_ADDRESS } from "./swap-draft.ts";

const on = ["rewards"];

const upTo = (amount: bigint): Amount => ({ ...allOrExactly(amount), least: 0n });

const claimed = (receiver: Party, asset: Asset, amount: Amount): Draft => ({
  act: "claim",
  gets: [{ asset, amount, at: "amount" }],
  receiver,
  places: { receiver: "to" },
});

const allClaimed = (receiver: Party): Draft => ({
  act: "claim",
  receiver,
  places: { receiver: "to" },
});

/** Positions whose rewards are collected: those of the account that is owed them, whatever is listed. */
const assets = inert.own_item;
const one = { assets, amount: feeds.amount, reward: feeds.asset };

/**
 * Second version: there is one reward, which the arguments do not name. The request must state an amount below all of
 * it.
 */
export const aaveV2Rewards: readonly ProtocolFunction[] = [
  fn(
    "function claimRewards(address[] assets, uint256 amount, address to)",
    on,
    { assets, amount: feeds.choice, to: feeds.receiver },
    ([, amount, to]) => ({
      ...allClaimed(to),
      choices: amount === MAX_UINT ? [] : [{ what: "setting", value: amount, at: "amount" }],
    }),
  ),
];

export const aaveRewards: readonly ProtocolFunction[] = [
  fn(
    "function claimRewards(address[] assets, uint256 amount, address to, address reward)",
    on,
    { ...one, to: feeds.receiver },
    ([, amount, to, reward]) => claimed(to, token(reward), upTo(amount)),
  ),
  fn(
    "function claimRewardsToSelf(address[] assets, uint256 amount, address reward)",
    on,
    one,
    ([, amount, reward], call) => claimed(call.sender, token(reward), upTo(amount)),
  ),
  fn(
    "function claimRewardsOnBehalf(address[] assets, uint256 amount, address user, address to, address reward)",
    on,
    { ...one, user: feeds.payer, to: feeds.receiver },
    ([, amount, user, to, reward]) => ({ ...claimed(to, token(reward), upTo(amount)), payer: user }),
  ),
  fn("function claimAllRewards(address[] assets, address to)", on, { assets, to: feeds.receiver }, ([, to]) =>
    allClaimed(to),
  ),
  fn("function claimAllRewardsToSelf(address[] assets)", on, { assets }, (_, call) =>
    allClaimed(call.sender),
  ),
  fn(
    "function claimAllRewardsOnBehalf(address[] assets, address user, address to)",
    on,
    { assets, user: feeds.payer, to: feeds.receiver },
    ([, user, to]) => ({ ...allClaimed(to), payer: user }),
  ),
  fn(
    "function setClaimer(address user, address caller)",
    on,
    { user: feeds.payer, caller: feedsAll("spender", "act") },
    ([user, caller]) => {
      const isRevoked = caller === ZERO_ADDRESS;
      return {
        act: isRevoked ? "revoke" : "approve",
        payer: user,
        authority: {
          spender: caller,
          asset: null,
          amount: isRevoked ? exactly(0n) : everything,
          at: "caller",
        },
      };
    },
  ),
];
