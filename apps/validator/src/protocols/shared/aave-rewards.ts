/** Rewards paid out beside an Aave market, and who may collect them. */
import { everything, token, type Party } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import { fn, type Draft, type ProtocolFunction } from "../../protocol.ts";
import { allOrExactly } from "./amounts.ts";

const on = ["rewards"];

const claimed = (receiver: Party, amount: bigint, reward?: Address): Draft => ({
  act: "claim",
  ...(reward === undefined
    ? {}
    : { gets: [{ asset: token(reward), amount: { ...allOrExactly(amount), least: 0n }, at: "amount" }] }),
  receiver,
  places: { receiver: "to" },
});

export const aaveRewards: readonly ProtocolFunction[] = [
  fn(
    "function claimRewards(address[] assets, uint256 amount, address to, address reward)",
    on,
    ([, amount, to, reward]) => claimed(to, amount, reward),
  ),
  fn("function claimRewards(address[] assets, uint256 amount, address to)", on, ([, amount, to]) =>
    claimed(to, amount),
  ),
  fn(
    "function claimRewardsToSelf(address[] assets, uint256 amount, address reward)",
    on,
    ([, amount, reward], call) => claimed(call.sender, amount, reward),
  ),
  fn(
    "function claimRewardsOnBehalf(address[] assets, uint256 amount, address user, address to, address reward)",
    on,
    ([, amount, user, to, reward]) => ({ ...claimed(to, amount, reward), payer: user }),
  ),
  fn("function claimAllRewards(address[] assets, address to)", on, ([, to]) => claimed(to, 0n)),
  fn("function claimAllRewardsToSelf(address[] assets)", on, (_, call) => claimed(call.sender, 0n)),
  fn("function claimAllRewardsOnBehalf(address[] assets, address user, address to)", on, ([, user, to]) => ({
    ...claimed(to, 0n),
    payer: user,
  })),
  fn("function setClaimer(address user, address caller)", on, ([, caller]) => ({
    act: "approve",
    authority: { spender: caller, asset: null, amount: everything, at: "caller" },
  })),
];
