/** Kelp DAO: ether or a staking token restaked for rsETH, with a minimum. */
import { exactly, MAX_UINT, native, token, type Asset, type Party } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type Draft } from "../protocol.ts";
import { feeds, inert } from "../uses.ts";
import { stakingVerbs } from "./shared/staking.ts";

const rsETH: Address = "0xa1290d69c65a6fe4df752f95823fae25cb99e5a7";

const restaked = (asset: Asset, amount: bigint, least: bigint, receiver: Party): Draft => {
  const at = asset.kind === "native" ? "value" : "depositAmount";
  return {
    act: "stake",
    gives: [{ asset, amount: exactly(amount), at }],
    gets: [{ asset: token(rsETH), amount: { least, most: MAX_UINT }, at: "minRSETHAmountExpected" }],
    receiver,
    places: { amount: at, minimum: "minRSETHAmountExpected" },
  };
};

export default defineProtocol({
  title: "Kelp DAO",
  names: ["kelp", "kelp dao", "kelpdao"],
  verbs: stakingVerbs,
  contracts: { pool: { 1: "0x036676389e48133b63a802f8635ad39e752d375d" } },
  functions: [
    fn(
      "function depositETH(uint256 minRSETHAmountExpected, string referralId) payable",
      ["pool"],
      { minRSETHAmountExpected: feeds.minimum, referralId: inert.attribution },
      ([least], call) => restaked(native, call.value, least, call.sender),
    ),
    fn(
      "function depositAsset(address asset, uint256 depositAmount, uint256 minRSETHAmountExpected, string referralId)",
      ["pool"],
      {
        asset: feeds.asset,
        depositAmount: feeds.amount,
        minRSETHAmountExpected: feeds.minimum,
        referralId: inert.attribution,
      },
      ([asset, amount, least], call) => restaked(token(asset), amount, least, call.sender),
    ),
  ],
});
