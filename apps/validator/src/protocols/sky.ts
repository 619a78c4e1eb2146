/**
 * Sky, formerly Maker: the migration from DAI to USDS, and the module that trades USDC at par. Its savings vaults are
 * ERC-4626 vaults.
 */
import { atMost, exactly, token } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { feeds, feedsAll } from "../uses.ts";

const DAI: Address = "0x6b175474e89094c44da98b954eedeac495271d0f";
const USDS: Address = "0xdc035d45d973e3ec169d2276ddab16f1e407384f";
const USDC: Address = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

/** Six decimals to eighteen. */
const SCALE = 10n ** 12n;

const atPar = (give: Address, get: Address, amount: bigint, receiver: Address): Draft => ({
  act: "swap",
  gives: [{ asset: token(give), amount: exactly(amount), at: "wad" }],
  gets: [{ asset: token(get), amount: exactly(amount), at: "wad" }],
  receiver,
  places: { receiver: "usr", amount: "wad", minimum: "wad" },
});

const stable = (call: CallView): Address => (call.role === "usds_psm" ? USDS : DAI);

/** The module may charge a fee set by governance. It is zero now; up to one percent is allowed here. */
const feeUpTo = (amount: bigint): bigint => amount / 100n;

const modules = ["dai_psm", "usds_psm"];

const gems = { usr: feeds.receiver, gemAmt: feedsAll("amount", "minimum") };
const wads = { usr: feeds.receiver, wad: feedsAll("amount", "minimum") };

const psm = [
  fn("function sellGem(address usr, uint256 gemAmt)", modules, gems, ([receiver, gemAmt], call) => ({
    act: "swap",
    gives: [{ asset: token(USDC), amount: exactly(gemAmt), at: "gemAmt" }],
    gets: [
      {
        asset: token(stable(call)),
        amount: { least: gemAmt * SCALE - feeUpTo(gemAmt * SCALE), most: gemAmt * SCALE },
        at: "gemAmt",
      },
    ],
    receiver,
    places: { receiver: "usr", amount: "gemAmt" },
  })),
  fn("function buyGem(address usr, uint256 gemAmt)", modules, gems, ([receiver, gemAmt], call) => ({
    act: "swap",
    gives: [
      { asset: token(stable(call)), amount: atMost(gemAmt * SCALE + feeUpTo(gemAmt * SCALE)), at: "gemAmt" },
    ],
    gets: [{ asset: token(USDC), amount: exactly(gemAmt), at: "gemAmt" }],
    receiver,
    terms: { exactOut: true },
    places: { receiver: "usr", amount: "gemAmt" },
  })),
];

export default defineProtocol({
  title: "Sky",
  names: ["sky", "maker", "makerdao", "sky money", "sky protocol", "psm", "litepsm", "lite psm"],
  verbs: { wrap: ["swap"], unwrap: ["swap"], mint: ["swap"] },
  contracts: {
    dai_usds: { 1: "0x3225737a9bbb6473cb4a45b7244aca2befdb276a" },
    dai_psm: { 1: "0xf6e72db5454dd049d0788e411b06cfaf16853042" },
    usds_psm: { 1: "0xa188eec8f81263234da3622a406892f3d630f98c" },
  },
  functions: [
    fn("function daiToUsds(address usr, uint256 wad)", ["dai_usds"], wads, ([usr, wad]) =>
      atPar(DAI, USDS, wad, usr),
    ),
    fn("function usdsToDai(address usr, uint256 wad)", ["dai_usds"], wads, ([usr, wad]) =>
      atPar(USDS, DAI, wad, usr),
    ),
    ...psm,
  ],
});
