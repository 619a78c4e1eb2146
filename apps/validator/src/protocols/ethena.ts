/** Ethena's sUSDe: an ERC-4626 vault that pays out after a cooldown, by `unstake`. */
import { exactly, MAX_UINT, token } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn } from "../protocol.ts";
import { feeds } from "../uses.ts";

const sUSDe: Address = "0x9d39a5de30e57443bff2a8307a4256c8797a3497";
const USDe: Address = "0x4c9edd5852cd905f086c759e8383e09bff1e68b3";

export default defineProtocol({
  title: "Ethena",
  names: ["ethena", "ethena labs"],
  verbs: { supply: ["stake"], withdraw: ["unstake", "claim"], unstake: ["claim"] },
  contracts: { susde: { 1: sUSDe } },
  functions: [
    fn("function cooldownShares(uint256 shares)", ["susde"], { shares: feeds.amount }, ([shares], call) => ({
      act: "unstake",
      gives: [{ asset: token(sUSDe), amount: exactly(shares), at: "shares" }],
      receiver: call.sender,
      places: { amount: "shares" },
    })),
    fn("function cooldownAssets(uint256 assets)", ["susde"], { assets: feeds.amount }, ([assets], call) => ({
      act: "unstake",
      gets: [{ asset: token(USDe), amount: exactly(assets), at: "assets" }],
      receiver: call.sender,
      places: { amount: "assets" },
    })),
    fn("function unstake(address receiver)", ["susde"], { receiver: feeds.receiver }, ([receiver]) => ({
      act: "claim",
      gets: [{ asset: token(USDe), amount: { least: 0n, most: MAX_UINT }, at: "receiver" }],
      receiver,
      places: { receiver: "receiver" },
    })),
  ],
});
